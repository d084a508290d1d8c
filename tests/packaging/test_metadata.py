"""What an installation of the package says and holds."""

import re
import tomllib
from importlib.metadata import metadata, requires, version
from pathlib import Path

import polyface

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FACES = ["http", "mcp", "cli", "client", "auth", "otel", "testing"]
# Each brings a whole framework, so that one installs them by name only.
ADAPTERS = ["pydantic-ai", "openai-agents", "langchain"]
EXTRAS = [*FACES, *ADAPTERS, "all"]


def test_the_version_is_written_once():
    declared = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["package"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    [newest, *_] = re.findall(r"^## (\S+)", changelog, flags=re.MULTILINE)
    assert "version" not in PYPROJECT["project"]
    assert (newest, polyface.__version__, version("polyface")) == (declared,) * 3


def test_the_extras_are_those_of_the_design():
    assert sorted(metadata("polyface").get_all("Provides-Extra") or []) == sorted(EXTRAS)


def test_all_names_every_extra_but_the_frameworks():
    [everything] = PYPROJECT["project"]["optional-dependencies"]["all"]
    named = re.fullmatch(r"polyface\[(.*)\]", everything)
    assert named is not None
    assert sorted(named[1].split(",")) == sorted(FACES)


def test_a_plain_installation_brings_three_packages():
    plain = [line for line in requires("polyface") or [] if "extra ==" not in line]
    names = sorted(re.split(r"[<>=!~ ;\[]", line)[0] for line in plain)
    assert names == ["anyio", "pydantic", "typing-extensions"]


def test_every_requirement_is_a_floor():
    groups = [
        PYPROJECT["project"]["dependencies"],
        *(
            lines
            for extra, lines in PYPROJECT["project"]["optional-dependencies"].items()
            if extra != "all"
        ),
        *PYPROJECT["dependency-groups"].values(),
    ]
    lines = [line for group in groups for line in group if isinstance(line, str)]
    assert len(lines) >= 20
    odd = [
        line for line in lines if not re.fullmatch(r"[\w-]+(\[\w+\])?>=[\d.]+(,<2)?(; .*)?", line)
    ]
    assert odd == []


def test_the_package_is_typed():
    folder = Path(polyface.__file__).parent
    assert (folder / "py.typed").read_bytes() == b""
    assert (folder / "_core.pyi").stat().st_size > 0
