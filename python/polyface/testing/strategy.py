"""`strategy_for`: Hypothesis values of any type that pydantic takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from typing_extensions import TypeForm

from ..errors import DeclarationError
from ..schema.adapter import Schema
from .builder import Builder
from .override import Overrides
from .place import Form, Place
from .sieve import Values

__all__ = ["strategy_for"]

T = TypeVar("T")


def strategy_for(
    type_: TypeForm[Any], /, *, form: Form = "python", overrides: Mapping[Any, Values] | None = None
) -> Values:
    """Build a strategy of the values that validation accepts for a type.

    Numbers, lengths, digits, patterns and aliases are kept to by construction. What custom
    validators accept is found by trying. Among the values are those that break programs: empty
    ones, those at their bounds, text outside ASCII, characters of two units, right-to-left and
    control characters, integers beyond 64 bits, `-0.0`, the first and the last day of the calendar.

    Args:
        type_: what `pydantic.TypeAdapter` takes.
        form: `python` draws what `validate_python` accepts, records as mappings and as instances;
            `json` draws JSON values for `validate_json`, under the names that fields are read by.
        overrides: a type, just as it is declared somewhere inside, or a path (`items[].name`,
            `point[0]`, `prices.*`) → the strategy of the values there, in the same form.

    Returns:
        A strategy; a recursive type is entered four times at most. Building it costs milliseconds.

    Raises:
        DeclarationError: pydantic can't make a schema of the type; no value has this form; a part
            of it is unknown; an override is no part of it. Drawing raises it when a validator
            refuses all that is tried, naming the part and `overrides=`.

    Example:
        from hypothesis import given
        from pydantic import BaseModel, Field
        from polyface.testing import strategy_for

        class Room(BaseModel):
            name: str = Field(min_length=1)
            seats: int = Field(ge=1, le=500)

        @given(strategy_for(Room, form="json"))
        def test_a_room_is_read_again(room):
            assert Room.model_validate(room).seats >= 1
    """
    schema: Schema[Any] = Schema(type_)
    chosen = Overrides(overrides or {})
    values = Builder(schema.core, schema.name, chosen).root(Place(form=form))
    chosen.refuse_unused(schema.name)
    if values.is_empty:
        raise DeclarationError(
            f"`{schema.name}` has no value in the form `{form}`; "
            f"give the part that has none a strategy in `overrides=`."
        )
    return values
