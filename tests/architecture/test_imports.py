"""Directions of imports: held by import-linter, and shown to be held."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.architecture.tree import (
    PACKAGE,
    ROOT,
    find_importers,
    find_imports,
    walk_files,
    walk_modules,
)

CONTRACTS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"][
    "contracts"
]
TRANSPORT_LIBRARIES = {
    "click",
    "httpx2",
    "hypothesis",
    "mcp",
    "opentelemetry",
    "pytest",
    "rich",
    "starlette",
    "uvicorn",
}

# contract → the line that breaks it, and the module that it is planted in
PLANTED = {
    "layers": ("http.planted", "import polyface.invoker"),
    "acyclic": ("schema.planted", "import polyface.schema.planted_twin"),
    "mcp": ("schema.planted", "import mcp"),
    "starlette": ("schema.planted", "from starlette.routing import Route"),
    "agents": ("agent.planted", "import openai"),
    "command-line": ("schema.planted", "import click"),
    "client": ("schema.planted", "import httpx2"),
    "spans": ("schema.planted", "from opentelemetry import trace"),
    "strategies": ("schema.planted", "import hypothesis"),
    "pydantic-core": ("errors", "import pydantic_core"),
}


@pytest.fixture
def copied_tree(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    ignore = shutil.ignore_patterns("__pycache__", "*.so", "*.pyd")
    shutil.copytree(PACKAGE, tmp_path / "polyface", ignore=ignore)
    planted = tmp_path / "polyface" / "schema"
    (planted / "planted.py").touch()
    (planted / "planted_twin.py").write_text("import polyface.schema.planted\n", "utf-8")
    return tmp_path


def lint_imports(folder: Path) -> tuple[int, str]:
    """Run import-linter on the tree in a folder, and on no other."""
    run = "import sys; sys.path.insert(0, '.'); from importlinter.cli import lint_imports_command"
    finished = subprocess.run(
        [sys.executable, "-c", f"{run}; lint_imports_command()", "--no-cache"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    return finished.returncode, finished.stdout + finished.stderr


def test_a_tree_without_planted_import_keeps_every_contract(copied_tree: Path):
    status, printed = lint_imports(copied_tree)
    assert status == 0, printed
    assert f"Contracts: {len(CONTRACTS)} kept, 0 broken." in printed
    counted = re.search(r"Analyzed (\d+) files, (\d+) dependencies", printed)
    assert counted is not None
    modules = sum(1 for _ in walk_modules())
    assert int(counted[1]) >= modules + 2  # the planted two, and packages from outside
    assert int(counted[2]) >= modules


@pytest.mark.parametrize("contract", CONTRACTS, ids=lambda contract: contract["id"])
def test_planted_import_breaks_its_contract(contract: dict[str, str], copied_tree: Path):
    module, line = PLANTED[contract["id"]]
    path = copied_tree / "polyface" / Path(*module.split(".")).with_suffix(".py")
    with path.open("a", encoding="utf-8") as file:
        file.write(f"\n{line}\n")
    status, printed = lint_imports(copied_tree)
    assert status == 1
    assert f"{contract['name']} BROKEN" in printed


def test_a_new_top_level_module_needs_a_layer(copied_tree: Path):
    (copied_tree / "polyface" / "unplaced.py").touch()
    status, printed = lint_imports(copied_tree)
    assert status == 1
    assert "unplaced" in printed


def test_the_core_has_its_two_importers():
    assert find_importers("polyface._core") == {
        "polyface.execution.answer",
        "polyface.schema.digest",
    }


def test_pydantic_internals_are_read_by_schema_only():
    importers = find_importers("pydantic._internal") | find_importers("pydantic_core")
    assert [name for name in importers if not name.startswith("polyface.schema.")] == []


def test_no_module_imports_from_the_root_of_the_package():
    children = {path.stem for path in PACKAGE.iterdir()} - {"__init__"} | {"_core"}
    imports = [
        (importer, name)
        for importer, tree in walk_modules()
        if importer != "polyface"
        for name in find_imports(importer, tree)
        if name.split(".")[0] == "polyface"
    ]
    assert len(imports) >= 30
    assert [pair for pair in imports if not children & set(pair[1].split(".")[1:2])] == []


def test_importing_polyface_loads_no_transport_library():
    program = "import json, sys, polyface; print(json.dumps(sorted(sys.modules)))"
    printed = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    ).stdout
    loaded = {name.split(".")[0] for name in json.loads(printed)}
    assert "pydantic" in loaded
    assert loaded & TRANSPORT_LIBRARIES == set()


def test_folders_are_two_levels_deep_and_named_as_nouns():
    refused = {"utils", "util", "helpers", "helper", "common", "base", "misc"}
    paths = [path.relative_to(PACKAGE) for path in walk_files(PACKAGE)]
    assert len(paths) >= 30
    assert [path for path in paths if len(path.parts) > 2] == []
    assert [path for path in paths if refused & {*path.parts, path.stem}] == []
