"""The source tree as the architecture tests see it."""

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "polyface"
NOT_SOURCE = {"target", "dist", "build", "__pycache__"}


def walk_files(folder: Path = ROOT) -> Iterator[Path]:
    """Yield the files that a person wrote, in a stable order; hidden folders only by name."""
    for path in sorted(folder.iterdir()):
        is_hidden = path.name.startswith(".") and path.name not in {".ci", ".github"}
        if path.is_dir() and not is_hidden and path.name not in NOT_SOURCE:
            yield from walk_files(path)
        elif path.is_file() and path.suffix not in {".so", ".pyd", ".pyc"}:
            yield path


def name_module(path: Path) -> str:
    """Name the module that a file of the package is: `.../schema/digest.py` is `schema.digest`."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def walk_modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield every module of the package with its syntax tree."""
    for path in walk_files(PACKAGE):
        if path.suffix == ".py":
            yield name_module(path), ast.parse(path.read_text("utf-8"), str(path))


def find_imports(module: str, tree: ast.Module) -> Iterator[str]:
    """Yield the dotted names that a module imports, wherever the statement stands."""
    is_package = (PACKAGE.parent / Path(*module.split(".")) / "__init__.py").exists()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = module.split(".")[: len(module.split(".")) - node.level + is_package]
            source = [*(above if node.level else []), *([node.module] if node.module else [])]
            yield from (".".join([*source, alias.name]) for alias in node.names)


def find_importers(prefix: str) -> set[str]:
    """Name the modules that import `prefix` or something below it."""
    return {
        module
        for module, tree in walk_modules()
        for name in find_imports(module, tree)
        if f"{name}.".startswith(f"{prefix}.")
    }
