"""A case: one statement, and whether type checkers must find an error in it.

A case is marked with a comment: no error may sit in a statement with `# ok:label`, and an error must
sit in one with `# err:label`. A mark on the first line of a statement covers all of it, a function
with its decorators and body; on another line, it covers the smallest statement around it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

__all__ = ["CASES", "FOLDER", "Case"]

FOLDER = Path(__file__).with_name("cases")
MARK = re.compile(r"#\s*(ok|err):(.+)$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One marked statement.

    Args:
        file: the name of its file, without `.py`.
        label: what it is about; unique in its file.
        expected: `ok` for no error, `err` for an error.
        first_line: the first line of the statement.
        last_line: its last line.
    """

    file: str
    label: str
    expected: Literal["ok", "err"]
    first_line: int
    last_line: int

    @property
    def name(self) -> str:
        """How a test and the table of exceptions name it."""
        return f"{self.file}: {self.label}"

    def covers(self, file: str, line: int) -> bool:
        """Tell whether a line of a file is part of the statement."""
        return file == self.file and self.first_line <= line <= self.last_line


def read_cases(path: Path) -> Iterator[Case]:
    """Yield the cases of a file, in order."""
    text = path.read_text("utf-8")
    spans = [*_spans(ast.parse(text))]
    for number, line in enumerate(text.splitlines(), start=1):
        if (mark := MARK.search(line)) is None:
            continue
        first, last = _covered(spans, number)
        yield Case(
            file=path.stem,
            label=mark[2].strip(),
            expected="ok" if mark[1] == "ok" else "err",
            first_line=first,
            last_line=last,
        )


def _spans(tree: ast.Module) -> Iterator[tuple[int, int]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt):
            decorators: list[ast.expr] = getattr(node, "decorator_list", [])
            first = min([node.lineno, *(item.lineno for item in decorators)])
            yield first, node.end_lineno or first


def _covered(spans: list[tuple[int, int]], line: int) -> tuple[int, int]:
    starting = [span for span in spans if span[0] == line]
    if starting:
        return max(starting, key=lambda span: span[1])
    around = [span for span in spans if span[0] <= line <= span[1]]
    return min(around, key=lambda span: span[1] - span[0])


CASES = [case for path in sorted(FOLDER.glob("*.py")) for case in read_cases(path)]
