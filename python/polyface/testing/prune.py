"""What a slice keeps, spelled out over parsed JSON: slow, and without a line of the fast way."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import json
from typing import Any

from ..schema.fit import same_shape
from ..schema.shape import (
    Array,
    Dictionary,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    unwrap,
)

__all__ = ["Number", "prune", "read_exactly", "write_exactly"]


class Number(str):
    """A JSON number as it is written, so that `1.0` isn't `1`."""

    __slots__ = ()


def read_exactly(text: bytes) -> Any:
    """Parse JSON, numbers as they are written."""
    return json.loads(text, parse_int=Number, parse_float=Number, parse_constant=Number)


def write_exactly(value: Any) -> str:
    """Write what `read_exactly` has read; equal texts are equal answers, order included."""
    match value:
        case Number():
            return value
        case dict():
            pairs = (f"{json.dumps(key)}: {write_exactly(item)}" for key, item in value.items())
            return f"{{{', '.join(pairs)}}}"
        case list():
            return f"[{', '.join(map(write_exactly, value))}]"
        case _:
            return json.dumps(value)


def prune(full: Shape | None, view: Shape, value: Any) -> Any:
    """Keep what a slice declares of a full answer's JSON value.

    Args:
        full: the shape of the value where it is known; what has one type in both is kept whole.
        view: the shape of the slice.
        value: what `read_exactly` returned.
    """
    if full is not None and same_shape(full, view):
        return value
    full, view = _present(full), _present(view)
    match view, value:
        case Array(item=item), list():
            inner = full.item if isinstance(full, Array) else None
            return [prune(inner, item, one) for one in value]
        case Tuple(items=items), list() if len(items) == len(value):
            known = full.items if isinstance(full, Tuple) else (None,) * len(items)
            places = zip(known, items, value, strict=True)
            return [prune(one, other, part) for one, other, part in places]
        case Dictionary(value=item), dict():
            inner = full.value if isinstance(full, Dictionary) else None
            return {key: prune(inner, item, one) for key, one in value.items()}
        case Record(fields=fields), dict():
            known_fields = full.fields if isinstance(full, Record) else ()
            known_shapes = {field.write_name: field.shape for field in known_fields}
            kept = {field.write_name: field.shape for field in fields}
            return {
                key: prune(known_shapes.get(key), kept[key], one)
                for key, one in value.items()
                if key in kept
            }
        case Tagged(write_name=key, choices=choices), dict() if value.get(key) in choices:
            known_choices = full.choices if isinstance(full, Tagged) else {}
            return prune(known_choices.get(value[key]), choices[value[key]], value)
        case _:
            return value


def _present(shape: Shape | None) -> Any:
    shape = None if shape is None else unwrap(shape)
    return unwrap(shape.inner) if isinstance(shape, Nullable) else shape
