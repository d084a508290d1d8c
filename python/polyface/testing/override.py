"""Strategies of the caller's own, and the places that they are declared for."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Core schemas are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from ..errors import DeclarationError
from ..schema.adapter import Schema, type_name
from ..schema.shape import CoreSchema
from .place import Place
from .sieve import Values

__all__ = ["Overrides"]

RECORDS = ("model", "dataclass", "typed-dict", "enum", "named-tuple", "is-instance")


class Overrides:
    """The caller's strategies by type and by path.

    Args:
        given: a type, or a path such as `items[].name`, `prices.*` or `point[0]` → a strategy.
    """

    def __init__(self, given: Mapping[Any, Values]) -> None:
        self._values = list(given.values())
        self._names = [key if isinstance(key, str) else type_name(key) for key in given]
        self._unused = set(range(len(self._values)))
        self._types = [
            (_Pattern(key), index) for index, key in enumerate(given) if not isinstance(key, str)
        ]
        self.paths = tuple(
            (_read_steps(key), index) for index, key in enumerate(given) if isinstance(key, str)
        )

    def find(self, core: CoreSchema, place: Place) -> Values | None:
        """Return the strategy declared for a place or for the type there; the path wins."""
        found = [index for steps, index in place.pending if not steps]
        found += [index for pattern, index in self._types if pattern.matches(core)]
        if not found:
            return None
        self._unused.difference_update(found)
        return self._values[found[0]]

    def refuse_unused(self, name: str) -> None:
        """Raise `DeclarationError` for an override that no place of the type has asked for."""
        if self._unused:
            raise DeclarationError(
                [
                    f"The override `{self._names[index]}` is no part of `{name}`; name a field's "
                    f"path (`items[].name`) or a type just as it is declared there."
                    for index in sorted(self._unused)
                ]
            )


class _Pattern:
    """What the schema of one type looks like, wherever it is met."""

    def __init__(self, type_: Any) -> None:
        core = Schema[Any](type_).core
        if core["type"] == "definitions":
            core = _resolved(core)
        self._cls = core.get("cls") if core["type"] in RECORDS else None
        self._core = _bare(core)

    def matches(self, core: CoreSchema) -> bool:
        if core["type"] != self._core["type"]:
            return False
        if self._cls is not None:
            return core.get("cls") is self._cls
        return bool(_bare(core) == self._core)


def _resolved(core: CoreSchema) -> CoreSchema:
    inner: CoreSchema = core["schema"]
    if inner["type"] != "definition-ref":
        return inner
    return next(item for item in core["definitions"] if item["ref"] == inner["schema_ref"])


def _bare(core: Any) -> Any:
    """A schema without what says nothing about the values that it takes."""
    if isinstance(core, Mapping):
        silent = ("metadata", "ref", "serialization")
        return {key: _bare(value) for key, value in core.items() if key not in silent}
    return [_bare(item) for item in core] if isinstance(core, list | tuple) else core


def _read_steps(path: str) -> tuple[str, ...]:
    steps = tuple(re.sub(r"(?<!^)\[", ".[", path).split("."))
    if not all(re.fullmatch(r"\[\d*\]|[^\[\]]+", step) for step in steps):
        raise DeclarationError(
            f"`{path}` isn't a path; write fields as `a.b`, items as `a[]`, a place of a tuple as "
            f"`a[0]` and the values of a mapping as `a.*`."
        )
    return steps
