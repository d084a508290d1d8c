"""Which kinds of JSON value a shape reads, so that text can be typed by what it stands for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .shape import (
    Anything,
    Array,
    Custom,
    Dictionary,
    Leaf,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    Union,
)

__all__ = ["REMEMBERED", "SCALARS", "places", "takes"]

# Of shapes, which never change: a request asks for the same few again and again.
REMEMBERED = 4096

SCALARS = frozenset({"string", "integer", "number", "boolean", "null"})
LEAF_TAKES: Mapping[str, frozenset[str]] = {
    "none": frozenset({"null"}),
    "bool": frozenset({"boolean"}),
    "int": frozenset({"integer"}),
    "float": frozenset({"number"}),
}
"""JSON kinds of the leaves that aren't text; every other leaf reads text, a Decimal too."""


@lru_cache(maxsize=REMEMBERED)
def takes(shape: Shape | None) -> frozenset[str]:
    """The JSON kinds that a shape reads; a shape that says nothing takes text as it is."""
    if shape is None:
        return frozenset({"string"})
    match shape:
        case Leaf(kind="literal"):
            return frozenset(_kind_of(value) for value in shape.options["expected"])
        case Leaf(kind="enum"):
            return frozenset(_kind_of(member.value) for member in shape.options["members"])
        case Leaf():
            return LEAF_TAKES.get(shape.kind, frozenset({"string"}))
        case Nullable():
            return takes(shape.inner) | {"null"}
        case Array() | Tuple():
            return frozenset({"array"})
        case Dictionary() | Record() | Tagged():
            return frozenset({"object"})
        case Union():
            return frozenset[str]().union(*(takes(member) for member in shape.members))
        case Custom():
            if shape.inner is not None:
                return takes(shape.inner)
            return LEAF_TAKES.get(str(shape.core["type"]), frozenset({"string"}))
        case Anything():
            return frozenset({"string"})


def _kind_of(value: object) -> str:
    for kind, name in ((bool, "boolean"), (int, "integer"), (float, "number")):
        if isinstance(value, kind):
            return name
    return "null" if value is None else "string"


def places(shape: Shape | None, count: int) -> list[Shape | None]:
    """The shapes of the items of the array that a shape takes, when it has `count` of them."""
    match shape:
        case Nullable(inner=inner) | Custom(inner=inner):
            return places(inner, count)
        case Array(item=item):
            return [item] * count
        case Tuple(items=items):
            return [*items[:count], *[None] * (count - len(items))]
        case Union(members=members):
            arrays = [member for member in members if "array" in takes(member)]
            return places(arrays[0] if arrays else None, count)
        case _:
            return [None] * count
