"""Where a JSON text and what its type would write again are two different values."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .shape import Array, Dictionary, Nullable, Record, Shape, Tuple, unwrap

__all__ = ["first_difference"]


def first_difference(left: Any, right: Any, shape: Shape) -> str | None:
    """Find the first place, in the order of `left`, where two JSON values differ; None if nowhere.

    `true` isn't `1`, but `1` is `1.0`. The order of an object's keys says nothing, nor does that
    of an array where the shape has a set.
    """
    found = next(_differences(left, right, shape, ""), None)
    return None if found is None else found.removeprefix(".") or "the answer"


def _differences(left: Any, right: Any, shape: Shape | None, path: str) -> Iterator[str]:
    shape = _present(shape)
    if isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys([*left, *right]):
            place = f"{path}.{key}"
            if key not in left or key not in right:
                yield place
            else:
                yield from _differences(left[key], right[key], _below(shape, key), place)
    elif isinstance(left, list) and isinstance(right, list):
        if isinstance(shape, Array) and shape.kind in ("set", "frozenset"):
            left, right = sorted(left, key=json.dumps), sorted(right, key=json.dumps)
        if len(left) != len(right):
            yield path or "[]"
            return
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            yield from _differences(one, other, _item(shape, index), f"{path}[{index}]")
    elif isinstance(left, bool) != isinstance(right, bool) or left != right:
        yield path


def _present(shape: Shape | None) -> Shape | None:
    shape = shape if shape is None else unwrap(shape)
    return unwrap(shape.inner) if isinstance(shape, Nullable) else shape


def _below(shape: Shape | None, key: str) -> Shape | None:
    if isinstance(shape, Dictionary):
        return shape.value
    if isinstance(shape, Record):
        return next((item.shape for item in shape.fields if item.write_name == key), None)
    return None


def _item(shape: Shape | None, index: int) -> Shape | None:
    if isinstance(shape, Tuple) and index < len(shape.items):
        return shape.items[index]
    return shape.item if isinstance(shape, Array) else None
