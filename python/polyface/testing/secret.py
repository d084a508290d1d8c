"""Finding personal values in an answer, whatever they are called there."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Core schemas are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from ..schema.shape import CoreSchema
from .prune import Number
from .record import members

__all__ = ["declared_names", "find_field", "find_value", "written_names"]

# Shorter texts and numbers turn up by chance.
SHORTEST = 8


def declared_names(core: Any) -> Iterator[tuple[str, str]]:
    """Yield `(name, written name)` for each way of naming a field, anywhere in a type."""
    if isinstance(core, dict):
        if core.get("type") in ("model", "dataclass", "typed-dict") and not core.get("root_model"):
            yield from _names_of(core)
        for key, value in core.items():
            if key not in ("metadata", "serialization", "default"):
                yield from declared_names(value)
    elif isinstance(core, list | tuple):
        for item in core:
            yield from declared_names(item)


def _names_of(core: CoreSchema) -> Iterator[tuple[str, str]]:
    for member in members(core):
        for name in {*member.names, member.written}:
            yield name, member.written


def written_names(core: CoreSchema, names: Collection[str]) -> frozenset[str]:
    """Return the keys that answers write the named fields under, the names themselves included."""
    return frozenset(names) | {written for name, written in declared_names(core) if name in names}


def find_field(answer: Any, names: Collection[str], path: str = "") -> str | None:
    """Return the path of the first key in an answer that has one of the names."""
    for step, item in _steps(answer):
        below = f"{path}{step}"
        if step.removeprefix(".") in names and isinstance(answer, dict):
            return below.removeprefix(".")
        if found := find_field(item, names, below):
            return found
    return None


def find_value(answer: Any, full: Any, names: Collection[str]) -> str | None:
    """Return a personal value of the full answer that the tool's answer tells in another place.

    Only values that are long enough and that nothing else in the full answer holds count.
    """
    secret = {
        text for text in _texts(full, names, inside=False, wanted=True) if len(text) >= SHORTEST
    }
    open_text = _joined(_texts(full, names, inside=False, wanted=False))
    told = _joined(_texts(answer, (), inside=False, wanted=False))
    return next(
        (
            text
            for text in sorted(secret)
            if text.casefold() in told and text.casefold() not in open_text
        ),
        None,
    )


def _texts(value: Any, names: Collection[str], *, inside: bool, wanted: bool) -> Iterator[str]:
    """Yield the scalars that are below one of the names, or those that aren't."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not wanted:
                yield key
            yield from _texts(item, names, inside=inside or key in names, wanted=wanted)
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item, names, inside=inside, wanted=wanted)
    elif isinstance(value, str | Number) and inside == wanted:
        yield str(value)


def _joined(texts: Iterator[str]) -> str:
    return "\n".join(texts).casefold()


def _steps(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield f".{key}", item
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield f"[{index}]", item
