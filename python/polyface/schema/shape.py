"""What a value of a schema looks like: a small graph, read once from pydantic's core schema.

Everything that asks about structure (the answer plan, the slice, the proof that a slice fits, the
typing of text arguments) asks a `Shape`. `reader.py` makes them.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

__all__ = [
    "Anything",
    "Array",
    "CoreSchema",
    "Custom",
    "Dictionary",
    "Field",
    "Leaf",
    "LeafKind",
    "Nullable",
    "Record",
    "Shape",
    "Tagged",
    "Tuple",
    "Union",
    "every_schema",
    "fields_of",
    "shape_text",
    "unwrap",
]

CoreSchema: TypeAlias = Mapping[str, Any]
LeafKind: TypeAlias = Literal[
    "none",
    "bool",
    "int",
    "float",
    "str",
    "uuid",
    "date",
    "time",
    "datetime",
    "decimal",
    "literal",
    "enum",
]


@dataclass(eq=False, frozen=True)
class Leaf:
    """A scalar. `options` holds its constraints under pydantic's own names."""

    core: CoreSchema
    kind: LeafKind
    options: Mapping[str, Any]


@dataclass(eq=False, frozen=True)
class Anything:
    """`Any`: written by its run-time type."""

    core: CoreSchema


@dataclass(eq=False, frozen=True)
class Nullable:
    """`T | None`."""

    core: CoreSchema
    inner: Shape


@dataclass(eq=False, frozen=True)
class Array:
    """A JSON array whose items are alike: `list[T]`, `tuple[T, ...]`, `set[T]`, `frozenset[T]`."""

    core: CoreSchema
    kind: Literal["list", "tuple", "set", "frozenset"]
    item: Shape
    min_length: int
    max_length: int | None


@dataclass(eq=False, frozen=True)
class Tuple:
    """A JSON array with a shape for each place."""

    core: CoreSchema
    items: tuple[Shape, ...]


@dataclass(eq=False, frozen=True)
class Dictionary:
    """A JSON object whose keys are data."""

    core: CoreSchema
    key: Shape
    value: Shape
    min_length: int
    max_length: int | None


@dataclass(eq=False, frozen=True)
class Field:
    """One declared key of a record.

    Args:
        attribute: the Python name.
        read_names: the keys it is read by, the first one present winning; the attribute's name for
            a field that only a path reads.
        path_roots: keys from inside of which it may be read, by an `AliasPath`.
        write_name: the key it is written under; None when it is never written.
        shape: what its value looks like.
        required: whether a value must be given.
        default: pydantic's `default` schema where the field has one.
        has_alias_path: whether it is read by a path or by choices, which `read_names` can't tell.
    """

    attribute: str
    read_names: tuple[str, ...]
    write_name: str | None
    shape: Shape
    required: bool
    default: CoreSchema | None
    path_roots: tuple[str, ...] = ()
    has_alias_path: bool = False


@dataclass(eq=False)
class Record:
    """A JSON object whose keys are declared: a model, a dataclass or a TypedDict.

    Not frozen: a recursive type refers to its record before the record's fields have been read.

    Args:
        custom: why only pydantic can run it; None when its fields say everything.
        computed: the computed fields, by the key each is written under.
    """

    core: CoreSchema
    carrier: Literal["model", "dataclass", "typed_dict"]
    cls: type
    extra: Literal["ignore", "forbid", "allow"]
    custom: str | None = None
    fields: list[Field] = field(default_factory=list[Field])
    computed: dict[str, Shape] = field(default_factory=dict[str, Any])

    def __repr__(self) -> str:
        """Name the type only: a recursive record would never end."""
        return f"Record({self.cls.__name__})"


@dataclass(eq=False, frozen=True)
class Tagged:
    """A union whose member is chosen by the text under one key.

    `read_names` are the keys that pydantic looks for the text under, the first one present winning:
    the attribute's name, and its alias where it has one.
    """

    core: CoreSchema
    read_names: tuple[str, ...]
    choices: Mapping[str, Shape]

    @property
    def write_name(self) -> str | None:
        """The key that the text is written under; None where the members don't agree."""
        names = {
            item.write_name
            for choice in self.choices.values()
            for item in fields_of(choice)
            if item.attribute in self.read_names
        }
        return names.pop() if len(names) == 1 else None


@dataclass(eq=False, frozen=True)
class Union:
    """A union in pydantic's smart mode."""

    core: CoreSchema
    members: tuple[Shape, ...]


@dataclass(eq=False, frozen=True)
class Custom:
    """Something that only pydantic can run; `inner` is the structure it is built around, if any."""

    core: CoreSchema
    reason: str
    inner: Shape | None = None


Shape: TypeAlias = (
    Leaf | Anything | Nullable | Array | Tuple | Dictionary | Record | Tagged | Union | Custom
)


def unwrap(shape: Shape) -> Shape:
    """Return the structure under `Custom` wrappers, as far as one is known."""
    while isinstance(shape, Custom) and shape.inner is not None:
        shape = shape.inner
    return shape


def fields_of(shape: Shape) -> list[Field]:
    """The fields of a record, also under wrappers; none for any other shape."""
    shape = unwrap(shape)
    return shape.fields if isinstance(shape, Record) else []


def shape_text(shape: Shape) -> str:
    """Write a shape as a type, for a message."""
    match shape:
        case Leaf(kind="literal"):
            return f"Literal[{', '.join(map(repr, shape.options['expected']))}]"
        case Leaf(kind="enum"):
            return str(shape.options["cls"].__name__)
        case Leaf(kind="none"):
            return "None"
        case Leaf():
            bounds = ", ".join(f"{key}={value!r}" for key, value in shape.options.items())
            return f"{shape.kind}({bounds})" if bounds else shape.kind
        case Anything():
            return "Any"
        case Nullable():
            return f"{shape_text(shape.inner)} | None"
        case Array(kind="tuple"):
            return f"tuple[{shape_text(shape.item)}, ...]"
        case Array():
            return f"{shape.kind}[{shape_text(shape.item)}]"
        case Tuple():
            return f"tuple[{', '.join(map(shape_text, shape.items))}]"
        case Dictionary():
            return f"dict[{shape_text(shape.key)}, {shape_text(shape.value)}]"
        case Record():
            return shape.cls.__name__
        case Tagged():
            return " | ".join(shape_text(choice) for choice in shape.choices.values())
        case Union():
            return " | ".join(shape_text(member) for member in shape.members)
        case Custom():
            return shape_text(shape.inner) if shape.inner else str(shape.core["type"])


def every_schema(core: object) -> Iterator[CoreSchema]:
    """Yield every core schema in one, outermost first."""
    if isinstance(core, Mapping):
        if isinstance(core.get("type"), str):
            yield core
        for key, value in core.items():
            if key != "metadata":
                yield from every_schema(value)
    elif isinstance(core, list | tuple):
        for item in core:
            yield from every_schema(item)
