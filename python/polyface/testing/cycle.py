"""Where a type refers to itself."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Core schemas are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..schema.shape import CoreSchema

__all__ = ["loops"]


def loops(definitions: Mapping[str, CoreSchema]) -> Iterator[str]:
    """Yield one reference of each cycle of definitions, so that entering it can be counted."""
    done: set[str] = set()
    for start in definitions:
        stack: list[tuple[str, Iterator[str]]] = []
        if start not in done:
            stack.append((start, iter(sorted(set(_references(definitions[start]))))))
        while stack:
            ref, following = stack[-1]
            below = next(following, None)
            if below is None:
                done.add(ref)
                stack.pop()
            elif any(below == open_ref for open_ref, _ in stack):
                yield below
            elif below not in done:
                stack.append((below, iter(sorted(set(_references(definitions[below]))))))


def _references(core: Any) -> Iterator[str]:
    if isinstance(core, Mapping):
        if core.get("type") == "definition-ref":
            yield core["schema_ref"]
        for key, value in core.items():
            if key not in ("metadata", "serialization", "default"):
                yield from _references(value)
    elif isinstance(core, list | tuple):
        for item in core:
            yield from _references(item)
