"""The public names, one line each, compared with the file that lists them."""

import importlib
import os
from pathlib import Path

from tests.architecture.tree import PACKAGE

SNAPSHOT = Path(__file__).with_name("public_names.txt")
FACING_OUT = ("agent", "cli", "client", "http", "mcp", "testing")
REWRITE = "PUBLIC_NAMES=rewrite .venv/bin/python -m pytest tests/architecture/test_public_names.py"


def list_public_modules() -> list[str]:
    """List the modules that users import from: the root, and the packages that face outwards."""
    below = [name for name in FACING_OUT if (PACKAGE / name / "__init__.py").exists()]
    return ["polyface", *(f"polyface.{name}" for name in below)]


def list_public_names() -> list[str]:
    """List `module.name` for each name in the `__all__` of a public module, sorted."""
    modules = map(importlib.import_module, list_public_modules())
    return sorted(f"{module.__name__}.{name}" for module in modules for name in module.__all__)


def test_public_names_are_the_listed_ones():
    names = list_public_names()
    if os.environ.get("PUBLIC_NAMES") == "rewrite":
        SNAPSHOT.write_text("".join(f"{name}\n" for name in names), "utf-8")
    listed = SNAPSHOT.read_text("utf-8").splitlines()
    assert names == listed, f"When the change is meant, write the list anew: {REWRITE}"


def test_each_public_name_exists_and_has_one_home():
    homes = [dotted.rpartition(".") for dotted in list_public_names()]
    names = [name for _, _, name in homes]
    assert len(names) >= 30
    assert [name for name in names if names.count(name) > 1] == []
    for module, _, name in homes:
        assert hasattr(importlib.import_module(module), name), f"{module}.{name}"
