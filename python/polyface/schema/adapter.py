"""A schema of the user's: anything that pydantic's `TypeAdapter` takes."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from functools import cached_property
from types import FunctionType, NoneType, UnionType
from typing import (
    Annotated,
    Any,
    ForwardRef,
    Generic,
    Literal,
    TypeVar,
    Union,
    get_args,
    get_origin,
)

from pydantic import PydanticUserError, TypeAdapter
from pydantic.errors import PydanticUndefinedAnnotation
from pydantic_core import SchemaError, SchemaValidator

from ..errors import DeclarationError
from .finite import finite
from .law import Law
from .quiet import QuietJsonSchema
from .reader import read_shape
from .shape import CoreSchema, Record, Shape, unwrap

__all__ = ["Schema", "type_name"]

T = TypeVar("T")


class Schema(Generic[T]):
    """One declared type. Immutable; everything derived from it is made once, when first asked for.

    Args:
        type_: what `pydantic.TypeAdapter` takes: a model, a dataclass, a TypedDict, a union, a
            list, a scalar.

    Raises:
        DeclarationError: pydantic can't make a schema of it, or a name in it isn't defined.
    """

    def __init__(self, type_: Any) -> None:
        self.type = type_
        if (text := _text_in(type_)) is not None:
            raise DeclarationError(
                f"`{type_name(type_)}` names a type in text, which can't be looked up from here; "
                f"write `{text}` without quotes."
            )
        try:
            adapter: TypeAdapter[T] = _apart(TypeAdapter, type_)
            if not adapter.pydantic_complete:
                _apart(adapter.rebuild)
        except PydanticUndefinedAnnotation as error:
            raise DeclarationError(
                f"`{type_name(type_)}` refers to `{error.name}`, which isn't defined yet; "
                f"define it above this line, or call `model_rebuild()` first."
            ) from error
        except (PydanticUserError, SchemaError, TypeError) as error:
            raise DeclarationError(
                f"`{type_name(type_)}` isn't a type that pydantic can check: "
                f"{str(error).splitlines()[0]}"
            ) from error
        self.adapter = adapter

    def __repr__(self) -> str:
        """Show the declared type."""
        return f"Schema({type_name(self.type)})"

    @property
    def name(self) -> str:
        """The type as a message shows it."""
        return type_name(self.type)

    @cached_property
    def core(self) -> CoreSchema:
        """Pydantic's core schema, complete."""
        return self.adapter.core_schema

    @cached_property
    def shape(self) -> Shape:
        """What a value looks like."""
        return read_shape(self.core)

    @cached_property
    def names_of_fields(self) -> dict[str, tuple[str, ...]]:
        """Wire name of each declared key → all the names that it is read by."""
        record = unwrap(self.shape)
        if not isinstance(record, Record):
            return {}
        return {item.read_names[0]: item.read_names for item in record.fields}

    def names_beside(self, name: str) -> tuple[str, ...]:
        """All the names that the field read by `name` is read by."""
        found = (names for names in self.names_of_fields.values() if name in names)
        return next(found, (name,))

    @cached_property
    def law(self) -> Law:
        """The law of an answer of this type."""
        return Law(self.core, adapter=self.adapter)

    def parse_json(self, text: bytes) -> T:
        """Parse JSON text, its numbers finite. Raises `pydantic.ValidationError`."""
        parsed: T = self._arguments.validate_json(text)
        return parsed

    @cached_property
    def _arguments(self) -> Any:
        core: Any = finite(self.core)
        if core is self.core:
            return self.adapter.validator
        # Not the validators that models keep ready: those read infinity.
        return SchemaValidator(core, _use_prebuilt=False)

    def json_schema(self, mode: Literal["validation", "serialization"]) -> dict[str, Any]:
        """Return a fresh JSON Schema 2020-12 document, by wire names. Cost: milliseconds."""
        return self.adapter.json_schema(mode=mode, schema_generator=QuietJsonSchema)


def _call(*_: Any) -> Any:
    return _[0](*_[1:])


# Pydantic looks names up in the frame that asks it for a schema, too. This one has none to find.
_apart: Any = FunctionType(_call.__code__, {}, "_apart")


def _text_in(type_: Any) -> str | None:
    """The first type that is written as text: its names would be looked up in the wrong place."""
    if isinstance(type_, str):
        return type_
    if isinstance(type_, ForwardRef):
        return type_.__forward_arg__
    origin = get_origin(type_)
    arguments = get_args(type_)
    if origin is Literal or (isinstance(type_, type) and origin is None):
        return None
    if origin is Annotated:
        arguments = arguments[:1]  # what follows is metadata, and may be text
    return next((found for item in arguments if (found := _text_in(item)) is not None), None)


def type_name(type_: Any) -> str:
    """Write a type as its source would, `list[Person] | None` for one, without its annotations."""
    origin, arguments = get_origin(type_), get_args(type_)
    if origin is Annotated:
        return type_name(arguments[0])
    if origin in (Union, UnionType):
        return " | ".join(map(type_name, arguments))
    if origin is Literal:
        return f"Literal[{', '.join(map(repr, arguments))}]"
    if isinstance(origin, type) and arguments:
        return f"{origin.__name__}[{', '.join(map(type_name, arguments))}]"
    if type_ is None or type_ is NoneType:
        return "None"
    if type_ is Ellipsis:
        return "..."
    if isinstance(type_, ForwardRef):
        type_ = type_.__forward_arg__
    if isinstance(type_, str):
        return repr(type_)
    return type_.__name__ if isinstance(type_, type) else str(type_).replace("typing.", "")
