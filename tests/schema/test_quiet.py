"""Documents are written without running anything of the user's."""

import enum
import json
import math
from datetime import date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    WrapSerializer,
    field_serializer,
    model_serializer,
)

from polyface.schema.adapter import Schema


class Level(enum.Enum):
    low = "low"


class Loud(str):
    __slots__ = ()


class Mine(datetime):
    pass


PLAIN: dict[str, tuple[Any, Any]] = {
    "text": ("a", "a"),
    "number": (1.5, 1.5),
    "null": (None, None),
    "list": ([1, [2]], [1, [2]]),
    "tuple": ((1, 2), [1, 2]),
    "dict": ({"a": {"b": 1}}, {"a": {"b": 1}}),
    "date": (date(2020, 1, 2), "2020-01-02"),
    "duration": (timedelta(seconds=1), "PT1S"),
    "decimal": (Decimal("1.10"), "1.10"),
    "uuid": (UUID(int=7), "00000000-0000-0000-0000-000000000007"),
    "path": (Path("a"), "a"),
    "enum": (Level.low, "low"),
}


@pytest.mark.parametrize("name", PLAIN)
def test_a_plain_default_is_written(name):
    default, written = PLAIN[name]

    class Given(BaseModel):
        a: Any = default

    assert Schema(Given).json_schema("validation")["properties"]["a"]["default"] == written


class Inner(BaseModel):
    x: int = 1


LEFT_OUT: dict[str, Any] = {
    "a model": Inner(),
    "a model in a list": [Inner()],
    "a model in a dict": {"a": Inner()},
    "a subclass": Loud("x"),
    "a subclass of a date": Mine(2020, 1, 2),
    "infinity": math.inf,
    "not a number": math.nan,
    "infinity in a list": [math.inf],
    "an object": object(),
}


@pytest.mark.parametrize("name", LEFT_OUT)
def test_a_default_that_json_or_a_stranger_would_have_to_write_is_left_out(name):
    class Given(BaseModel):
        a: Any = LEFT_OUT[name]

    document = Schema(Given).json_schema("validation")
    assert "default" not in document["properties"]["a"]
    json.dumps(document, allow_nan=False)


def test_no_serializer_and_no_factory_runs_in_either_mode():
    def refuse(value: Any = None, /) -> Any:
        raise AssertionError("it ran")

    class Given(BaseModel):
        a: Annotated[int, PlainSerializer(refuse, return_type=int)] = 1
        b: Annotated[int, WrapSerializer(lambda value, handler: refuse(), return_type=int)] = 1
        c: int = Field(default_factory=refuse)
        d: int = 1
        e: Annotated[int, PlainSerializer(refuse, return_type=int)] | None = 1
        f: list[Annotated[int, PlainSerializer(refuse, return_type=int)]] = [1]

        @field_serializer("d")
        def write_d(self, value: int) -> Any:
            return refuse()

        @model_serializer(mode="wrap")
        def write(self, handler: Any) -> Any:
            return refuse()

    schema: Any = Schema(Given)
    assert set(schema.json_schema("validation")["properties"]) == set("abcdef")
    assert schema.json_schema("serialization").get("title", "Given") == "Given"


def test_a_type_without_a_json_schema_says_nothing():
    from collections.abc import Callable

    class Given(BaseModel):
        a: Callable[[], int] | None = None
        b: int

    properties = Schema(Given).json_schema("validation")["properties"]
    assert properties["b"]["type"] == "integer"


class Access(enum.IntFlag):
    read = 1
    write = 2


SAID: dict[str, tuple[Any, dict[str, Any]]] = {
    "a serializer that says nothing": (
        Annotated[int, PlainSerializer(lambda value: f"{value}")],
        {},
    ),
    "one around pydantic's that says nothing": (
        Annotated[int, WrapSerializer(lambda value, handler: f"{value}")],
        {},
    ),
    "one that says what it writes": (
        Annotated[int, PlainSerializer(str, return_type=str)],
        {"type": "string"},
    ),
    "one of pydantic's": (Path, {"format": "path", "type": "string"}),
    "flags that can be combined": (Access, {"title": "Access", "type": "integer"}),
}


@pytest.mark.parametrize("name", SAID)
def test_only_what_is_declared_is_said_of_what_is_written(name):
    type_, said = SAID[name]
    assert Schema(type_).json_schema("serialization") == said


def test_an_input_that_is_read_by_name_is_advertised_by_name():
    class ByName(BaseModel):
        model_config = ConfigDict(validate_by_alias=False, validate_by_name=True)
        city: int = Field(alias="cityCode")

    assert list(Schema(ByName).json_schema("validation")["properties"]) == ["city"]
    assert list(Schema(ByName).json_schema("serialization")["properties"]) == ["cityCode"]
