"""Which keys of a handler's value the full schema removes.

The Rust core reports them in the pass that writes the answer. This walk is for answers that only
pydantic can write, and what the core's report is held to.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .law import raised
from .shape import (
    Array,
    Custom,
    Dictionary,
    Leaf,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    unwrap,
)

__all__ = ["StripEntry", "reports_in_core", "undeclared_keys"]


@dataclass(frozen=True, slots=True)
class StripEntry:
    """One place at which undeclared keys were removed.

    Args:
        path: the key's place, array items as `[]` and data keys as `*`: `[].address.note`.
        count: how often it was met.
        first_index: the outermost array index at which it was met first; None outside arrays.
    """

    path: str
    count: int
    first_index: int | None


def undeclared_keys(shape: Shape, value: object) -> tuple[StripEntry, ...]:
    """Walk a value by its schema's shape; return what the schema drops, in order of appearance.

    Raises:
        AnswerError: the value changes while it is read, or raises.
    """
    folded: dict[str, tuple[int, int | None]] = {}
    try:
        for path, index in _walk(shape, value, "", None):
            count, first = folded.get(path, (0, index))
            folded[path] = (count + 1, first)
    except Exception as error:
        raise raised(error) from error
    return tuple(StripEntry(path, *rest) for path, rest in folded.items())


def reports_in_core(shape: Shape) -> bool:
    """Whether the core's own pass sees every record of the shape, so that its report is whole."""
    return not any(_hides_record(item) for item in _every(shape, set()))


def _walk(
    shape: Shape, value: object, path: str, index: int | None
) -> Iterator[tuple[str, int | None]]:
    shape = unwrap(shape)
    if isinstance(shape, Nullable):
        shape = unwrap(shape.inner)
    match shape, value:
        case Record(), Mapping():
            yield from _record(shape, value, path, index)
        case Array(), list() | tuple() | deque() | set() | frozenset():
            for place, item in enumerate(value):
                yield from _walk(shape.item, item, f"{path}[]", place if index is None else index)
        case Tuple(), list() | tuple():
            for place, (one, item) in enumerate(zip(shape.items, value, strict=False)):
                yield from _walk(one, item, f"{path}[]", place if index is None else index)
        case Dictionary(), Mapping():
            for item in value.values():
                yield from _walk(shape.value, item, f"{path}.*".removeprefix("."), index)
        case Tagged(), Mapping():
            yield from _tagged(shape, value, path, index)
        case _:
            return


def _record(
    record: Record, value: Mapping[object, object], path: str, index: int | None
) -> Iterator[tuple[str, int | None]]:
    """A record's own undeclared keys come before those of its fields."""
    names = [
        next((name for name in item.read_names if name in value), None) for item in record.fields
    ]
    read = {*names, *(root for item in record.fields for root in item.path_roots)}
    if record.extra == "ignore":
        for key in value:
            if key not in read:
                text = key if isinstance(key, str) else f"[{key}]"
                yield f"{path}.{text}".removeprefix("."), index
    for item, name in zip(record.fields, names, strict=True):
        if name is not None:
            place = f"{path}.{name}".removeprefix(".")
            yield from _walk(item.shape, value[name], place, index)


def _tagged(
    tagged: Tagged, value: Mapping[object, object], path: str, index: int | None
) -> Iterator[tuple[str, int | None]]:
    tag = next((value[name] for name in tagged.read_names if name in value), None)
    if isinstance(tag, str) and tag in tagged.choices:
        yield from _walk(tagged.choices[tag], value, path, index)


def _hides_record(shape: Shape) -> bool:
    """Whether the core hands the shape to pydantic as a whole although records are in it."""
    match shape:
        case Record():
            return shape.custom is not None
        case Custom():
            return shape.inner is not None
        case Tagged():
            plain = [item for item in shape.choices.values() if isinstance(item, Record)]
            written_there = len(plain) == len(shape.choices) and len(shape.read_names) == 1
            return not written_there or any(item.carrier == "typed_dict" for item in plain)
        case Dictionary(key=Leaf(kind="str", options=options)) if not options:
            return False
        case Dictionary() | Array(kind="set" | "frozenset"):
            return any(isinstance(item, Record) for item in _every(shape, set()))
        case _:
            return False


def _every(shape: Shape, seen: set[int]) -> Iterator[Shape]:
    if id(shape) in seen:
        return
    seen.add(id(shape))
    yield shape
    match shape:
        case Record():
            inner: list[Shape] = [item.shape for item in shape.fields]
        case Array():
            inner = [shape.item]
        case Nullable():
            inner = [shape.inner]
        case Dictionary():
            inner = [shape.value]
        case Tuple():
            inner = [*shape.items]
        case Tagged():
            inner = [*shape.choices.values()]
        case _:
            inner = []
    for item in inner:
        yield from _every(item, seen)
