"""The type checkers, with the settings of a user who is strict."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from tests.typing.case import FOLDER

__all__ = ["CHECKERS", "Diagnostic", "check_all"]

ROOT = Path(__file__).parents[2]
SETTINGS = Path(__file__).with_name("settings")


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """An error that a checker found.

    Args:
        file: the name of the file, without `.py`.
        line: where the error starts.
        text: what is wrong.
    """

    file: str
    line: int
    text: str


def run_pyright() -> list[Diagnostic]:
    """Run pyright in strict mode."""
    found: dict[str, Any] = json.loads(
        _run(
            "pyright",
            *("--project", SETTINGS / "pyright.json"),
            *("--pythonpath", sys.executable),
            "--outputjson",
        )
    )
    return _diagnostics(
        (item["file"], item["range"]["start"]["line"] + 1, item["message"])
        for item in found["generalDiagnostics"]
        if item["severity"] == "error"
    )


def run_mypy(settings: str) -> list[Diagnostic]:
    """Run mypy with a file of settings, each with a cache of its own."""
    lines = _run(
        "mypy",
        *("--config-file", SETTINGS / f"{settings}.ini"),
        *("--cache-dir", ROOT / ".mypy_cache" / f"cases-{settings}"),
        *("--python-executable", sys.executable),
        *("--output", "json"),
        FOLDER,
    ).splitlines()
    return _diagnostics(
        (item["file"], item["line"], item["message"])
        for item in map(json.loads, lines)
        if item["severity"] == "error"
    )


def run_pyrefly() -> list[Diagnostic]:
    """Run pyrefly as it comes."""
    found: dict[str, Any] = json.loads(
        _run(
            "pyrefly",
            "check",
            *("--config", SETTINGS / "pyrefly.toml"),
            *("--python-interpreter-path", sys.executable),
            *("--output-format", "json", "--summary=none"),
        )
    )
    return _diagnostics(
        (item["path"], item["line"], item["description"])
        for item in found["errors"]
        if item["severity"] == "error"
    )


CHECKERS: dict[str, Callable[[], list[Diagnostic]]] = {
    "pyright": run_pyright,
    "mypy": lambda: run_mypy("mypy"),
    "mypy-pydantic": lambda: run_mypy("mypy-pydantic"),
    "pyrefly": run_pyrefly,
}


@cache
def check_all() -> dict[str, list[Diagnostic]]:
    """Run each checker once over all cases, side by side. Cost: tens of seconds without a cache."""
    with ThreadPoolExecutor() as pool:
        started = {name: pool.submit(run) for name, run in CHECKERS.items()}
        return {name: future.result() for name, future in started.items()}


def _run(name: str, *arguments: str | Path) -> str:
    """Return what a checker prints. Any exit status but `clean` and `errors found` is our fault."""
    command: Sequence[str | Path] = (Path(sys.executable).with_name(name), *arguments)
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if ended.returncode not in (0, 1):
        raise RuntimeError(f"{name} ended with {ended.returncode}: {ended.stderr or ended.stdout}")
    return ended.stdout


def _diagnostics(found: Iterable[tuple[str, int, str]]) -> list[Diagnostic]:
    """Keep what was found in the cases; the library is checked by `make types`."""
    return [
        Diagnostic(Path(file).stem, line, text.partition("\n")[0])
        for file, line, text in found
        if (ROOT / file).resolve().parent == FOLDER.resolve()
    ]
