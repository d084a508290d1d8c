"""`mypy.stubtest` reads the stub of the core, and sees a lie in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import polyface


def compare_stub(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run stubtest on the package in a folder, without an allowlist."""
    return subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "polyface._core", "--concise"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": str(folder), "MYPYPATH": str(folder)},
    )


def test_one_lie_is_the_only_thing_that_stubtest_finds(tmp_path: Path):
    package = tmp_path / "polyface"
    shutil.copytree(Path(polyface.__file__).parent, package)
    with (package / "_core.pyi").open("a", encoding="utf-8") as stub:
        stub.write("\ndef read_minds(value: object) -> str: ...\n")
    compared = compare_stub(tmp_path)
    assert compared.returncode == 1
    [finding] = compared.stdout.splitlines()
    assert finding.startswith("polyface._core.read_minds is not present at runtime")
