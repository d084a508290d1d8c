"""Whether the constraints of one leaf imply those of another."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from .shape import Leaf

__all__ = ["bounds_fit", "leaf_fits"]

# Kinds whose values leave as a JSON string, whatever they are in Python.
WRITTEN_AS_TEXT = frozenset({"str", "uuid", "date", "time", "datetime", "decimal"})


def leaf_fits(full: Leaf, view: Leaf) -> bool:
    """Whether whatever the first is written as is a value of the second."""
    values = _closed_values(full)
    if values is not None:
        return all(_value_fits(value, view) for value in values)
    if view.kind == "str":
        if full.kind == "str":
            return bounds_fit(_lengths(full.options), _lengths(view.options))
        return full.kind in WRITTEN_AS_TEXT and not view.options
    if full.kind != view.kind or view.kind in ("enum", "literal"):
        return False
    return _numbers_fit(full.options, view.options) and all(
        full.options.get(key) == value
        for key, value in view.options.items()
        if key not in ("ge", "gt", "le", "lt")
    )


def _closed_values(leaf: Leaf) -> list[object] | None:
    """All the JSON values that a closed leaf is written as; None if it isn't closed."""
    if leaf.kind == "none":
        return [None]
    if leaf.kind == "bool":
        return [True, False]
    if leaf.kind == "literal":
        values = [
            item.value if isinstance(item, Enum) else item for item in leaf.options["expected"]
        ]
    elif leaf.kind == "enum":
        values = [member.value for member in leaf.options["members"]]
    else:
        return None
    return values if all(type(value) in (str, int, bool, type(None)) for value in values) else None


def _value_fits(value: object, view: Leaf) -> bool:
    known = _closed_values(view)
    if known is not None:
        return any(type(one) is type(value) and one == value for one in known)
    if view.kind == "str":
        return isinstance(value, str) and _length_in_bounds(len(value), view.options)
    if view.kind != "int" or type(value) is not int:
        return False
    exactly: Mapping[str, object] = {"ge": value, "le": value}
    return _numbers_fit(exactly, view.options)


def _lengths(options: Mapping[str, object]) -> tuple[int, int | None]:
    low, high = options.get("min_length", 0), options.get("max_length")
    return (low if isinstance(low, int) else 0), (high if isinstance(high, int) else None)


def _length_in_bounds(length: int, options: Mapping[str, object]) -> bool:
    return bounds_fit((length, length), _lengths(options))


def bounds_fit(full: tuple[int, int | None], view: tuple[int, int | None]) -> bool:
    """Whether lengths within the first bounds are within the second."""
    if full[0] < view[0]:
        return False
    return view[1] is None or (full[1] is not None and full[1] <= view[1])


def _numbers_fit(full: Mapping[str, object], view: Mapping[str, object]) -> bool:
    """Whether each bound of the slice is implied by one of the full schema's, on the same side."""
    return all(
        _implied(full, limit, inclusive, strict, above)
        for inclusive, strict, above in (("ge", "gt", True), ("le", "lt", False))
        for limit in [(key, view[key]) for key in (inclusive, strict) if key in view]
    )


def _implied(
    full: Mapping[str, object],
    limit: tuple[str, object],
    inclusive: str,
    strict: str,
    above: bool,
) -> bool:
    key, bound = limit
    for own in (inclusive, strict):
        value = full.get(own)
        if not isinstance(value, int | float) or not isinstance(bound, int | float):
            continue
        beyond = value > bound if above else value < bound
        if beyond or (value == bound and (own == strict or key == inclusive)):
            return True
    return False
