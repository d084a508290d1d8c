"""What of the forge's workflows can be held from here."""

import re
import subprocess
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
PYTHONS = [
    found[1]
    for classifier in PROJECT["classifiers"]
    if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", classifier))
]


def read_jobs(name: str) -> dict[str, Any]:
    jobs: dict[str, Any] = yaml.safe_load(
        (ROOT / ".github" / "workflows" / name).read_text("utf-8")
    )
    return jobs["jobs"]  # type: ignore[no-any-return]


def test_the_workflows_are_the_two_that_are_checked_here():
    assert [path.name for path in WORKFLOWS] == ["ci.yml", "wheels.yml"]


@pytest.mark.parametrize(
    ("workflow", "job"), [("ci.yml", "gate"), ("wheels.yml", "linux"), ("wheels.yml", "desktop")]
)
def test_every_matrix_has_the_classified_pythons(workflow: str, job: str):
    assert read_jobs(workflow)[job]["strategy"]["matrix"]["python"] == PYTHONS


def test_classified_pythons_are_those_that_the_metadata_admits():
    required = SpecifierSet(PROJECT["requires-python"])
    everything = [f"3.{minor}" for minor in range(8, int(PYTHONS[-1].split(".")[1]) + 1)]
    assert [version for version in everything if version in required] == PYTHONS


def test_wheels_are_built_for_every_promised_platform():
    jobs = read_jobs("wheels.yml")
    assert jobs["linux"]["strategy"]["matrix"]["target"] == ["x86_64", "aarch64"]
    assert jobs["linux"]["strategy"]["matrix"]["libc"] == ["manylinux2014", "musllinux_1_2"]
    assert jobs["desktop"]["strategy"]["matrix"]["os"] == [
        "macos-15",
        "macos-15-intel",
        "windows-2025",
    ]


def test_the_forge_passes_maturin_what_the_makefile_passes():
    printed = subprocess.run(
        ["make", "--no-print-directory", "--dry-run", "--always-make", "wheel"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    [command] = re.findall(r"maturin build (.*?) --zig --compatibility manylinux2014", printed)
    builds = [
        step["with"]["args"]
        for job in read_jobs("wheels.yml").values()
        for step in job["steps"]
        if step.get("uses", "").startswith("PyO3/maturin-action@")
        and step["with"].get("command") != "sdist"
    ]
    assert len(builds) == 2
    assert all(arguments.startswith(f"{command} --interpreter ") for arguments in builds)


def test_the_gate_of_the_forge_is_the_gate_at_a_desk():
    assert read_jobs("ci.yml")["gate"]["steps"][-1] == {"run": "bash .ci/run"}
    assert (ROOT / ".ci" / "run").read_text("utf-8").splitlines()[-1] == "make test"
