"""How refused arguments are told: every issue with its path, the most telling one first."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from ..errors import OperationError
from ..schema.law import path_text

__all__ = ["Issue", "invalid_arguments", "issues_of"]

Issue = tuple[str, str, str]
"""A path as `address.city`, pydantic's error type, and a sentence."""

MAX_ISSUES = 20
MAX_LINES = 5
MAX_CONSIDERED = 500
"""How many of pydantic's errors are looked at: a long list of wrong items has one for each."""


def invalid_arguments(issues: list[Issue]) -> OperationError:
    """Build the `VALIDATION_ERROR` of some issues.

    The message has the first issue of each path, at most five lines; `details.issues` has up to
    twenty issues as `{path, code, message}`.
    """
    first = {path: message for path, _, message in reversed(issues)}
    paths = list(dict.fromkeys(path for path, _, _ in issues))
    lines = [f"{path}: {first[path]}" if path else first[path] for path in paths]
    shown = lines[:MAX_LINES]
    if len(lines) > len(shown):
        shown.append(f"... and {len(lines) - len(shown)} more.")
    listed = [
        {"path": path, "code": code, "message": message}
        for path, code, message in issues[:MAX_ISSUES]
    ]
    return OperationError("VALIDATION_ERROR", "\n".join(shown), details={"issues": listed})


def issues_of(error: ValidationError, given: bytes) -> list[Issue]:
    """Read pydantic's errors, with paths that lead through what was given.

    Pydantic names the members of a union inside a path (`pet.Cat.age`), and reports every member.
    Here a path is the data's own (`pet.age`), and a union's issues start with the member that was
    most likely meant: the one that was followed deepest, whose literals fit, with the fewest
    issues.
    """
    data = _data(given)
    errors = error.errors(include_url=False, include_context=False, include_input=False)
    found = [
        _through(data, issue["loc"], issue["type"], issue["msg"])
        for issue in errors[:MAX_CONSIDERED]
    ]
    return [item.issue for item in _likeliest_first(found)]


@dataclass(frozen=True, slots=True)
class _Found:
    """One of pydantic's errors.

    Args:
        steps: its path through the data.
        union: the path of the outermost union it lies in; None outside unions.
        member: pydantic's name of that union's member.
        issue: what is told.
    """

    steps: tuple[int | str, ...]
    union: tuple[int | str, ...] | None
    member: str
    issue: Issue


def _data(given: bytes) -> Any:
    try:
        return json.loads(given)
    except (ValueError, RecursionError):
        return None


def _through(data: Any, location: tuple[int | str, ...], code: str, message: str) -> _Found:
    """Follow a location through the data; a step that isn't in it names a union's member."""
    steps: list[int | str] = []
    union: tuple[int | str, ...] | None = None
    member = ""
    for place, step in enumerate(location):
        if isinstance(data, dict):
            is_in = step in data
        else:
            is_in = isinstance(data, list) and isinstance(step, int) and step < len(data)
        if is_in:
            data = data[step]  # pyright: ignore[reportCallIssue, reportArgumentType]  # it is in
        elif isinstance(step, str) and not (
            code == "missing" and place == len(location) - 1 and isinstance(data, dict)
        ):
            if union is None:
                union, member = tuple(steps), step
            continue
        steps.append(step)
    return _Found(tuple(steps), union, member, (path_text(tuple(steps)), code, message))


def _likeliest_first(found: list[_Found]) -> list[_Found]:
    """Order the issues of each union by its members; leave all others where they are."""
    groups: dict[tuple[int | str, ...], list[_Found]] = {}
    for item in found:
        if item.union is not None:
            groups.setdefault(item.union, []).append(item)
    ordered: list[_Found] = []
    for item in found:
        if item.union is None:
            ordered.append(item)
        elif group := groups.pop(item.union, None):
            members = list(dict.fromkeys(other.member for other in group))
            parts = [[one for one in group if one.member == member] for member in members]
            for part in sorted(parts, key=_unlikeliness):
                ordered += part
    return ordered


def _unlikeliness(part: list[_Found]) -> tuple[int, bool, int]:
    depth = max(len(item.steps) for item in part)
    return -depth, any(item.issue[1] == "literal_error" for item in part), len(part)
