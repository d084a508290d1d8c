"""Arguments before they are parsed: what text stands for, which JSON text is read, what isn't JSON."""

import datetime as dt
import enum
import json
import math
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import pytest
from hypothesis import given, note
from hypothesis import strategies as st
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    Json,
    TypeAdapter,
    ValidationError,
    create_model,
)

from polyface.schema.adapter import Schema
from polyface.schema.arguments import (
    ArgumentFault,
    check_json,
    is_object,
    object_keys,
    read_json_text,
    type_text,
)
from tests.fuzz import examples


class Level(enum.IntEnum):
    LOW = 1


class Color(enum.StrEnum):
    RED = "red"


class Inner(BaseModel):
    a: int
    tags: list[str] = []


class Tree(BaseModel):
    below: "list[Tree]" = []
    name: str = ""


class Cat(BaseModel):
    kind: Literal["cat"]
    tags: list[str] = []


class Dog(BaseModel):
    kind: Literal["dog"]
    tags: str = ""


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
Split = Annotated[
    list[str], BeforeValidator(lambda value: value.split(",") if isinstance(value, str) else value)
]
HUGE = "9" * 5000


def shape_of(type_: Any) -> Any:
    return Schema(create_model("Arguments", x=(type_, ...))).shape


@pytest.mark.parametrize(
    ("type_", "texts", "typed"),
    [
        (int, ["5"], 5),
        (int, ["-0"], 0),
        (int, [" 5 "], " 5 "),
        (int, ["+5"], "+5"),
        (int, ["007"], "007"),
        (int, ["1_000"], "1_000"),
        (int, [HUGE], HUGE),
        (int, ["x"], "x"),
        (int, [""], ""),
        (int, ["null"], "null"),
        (int | None, ["5"], 5),
        (int | str, ["5"], "5"),
        (int | bool, ["true"], True),
        (bool | int, ["1"], 1),
        (float, ["1.50"], 1.5),
        (float, ["1e3"], 1000.0),
        (float, ["1e999"], "1e999"),
        (float, ["NaN"], "NaN"),
        (float, ["Infinity"], "Infinity"),
        (bool, ["true"], True),
        (bool, ["false"], False),
        (bool, ["on"], "on"),
        (bool, ["True"], "True"),
        (str, ["5"], "5"),
        (str, ["true"], "true"),
        (Decimal, ["1.10"], "1.10"),
        (Decimal | int, ["1"], "1"),
        (dt.date, ["2020-01-01"], "2020-01-01"),
        (UUID, ["5"], "5"),
        (Literal[1, 2], ["1"], 1),
        (Literal[True], ["true"], True),
        (Literal["1"], ["1"], "1"),
        (Literal["a", 1], ["1"], "1"),
        (Level, ["1"], 1),
        (Color, ["red"], "red"),
        (Any, ["5"], "5"),
        (Annotated[int, BeforeValidator(lambda value: value)], ["5"], 5),
        (list[int], ["5"], [5]),
        (list[int], ["5", "6"], [5, 6]),
        (list[str], ["5"], ["5"]),
        (list[int] | None, ["5"], [5]),
        (set[int], ["5", "5"], [5, 5]),
        (tuple[int, ...], ["5"], [5]),
        (frozenset[bool], ["true"], [True]),
        (list[int] | int, ["5"], 5),
        (list[int] | int, ["5", "6"], [5, 6]),
        (list[int] | str, ["5"], "5"),
        (list[int], ["[5, 6]"], ["[5, 6]"]),
        (Split, ["a,b"], ["a,b"]),
        (Inner, ['{"a": 5}'], {"a": 5}),
        (Inner, ["{broken"], "{broken"),
        (dict[str, int], ['{"a": 5}'], {"a": 5}),
        (list[Inner], ['{"a": 5}', '{"a": 6}'], [{"a": 5}, {"a": 6}]),
    ],
)  # fmt: skip
def test_text_is_typed_by_the_schema(type_, texts, typed):
    result = type_text(shape_of(type_), {"x": texts})["x"]
    assert result == typed
    assert type(result) is type(typed)


@pytest.mark.parametrize("type_", [int, str, bool, Inner, dt.date, int | None])
def test_a_field_of_one_value_given_twice_is_refused(type_):
    with pytest.raises(ArgumentFault) as caught:
        type_text(shape_of(type_), {"x": ["1", "2"]})
    assert caught.value.path == "x"
    assert caught.value.reason == "`x` takes one value and was given 2 times."


def test_an_unknown_key_stays_text_for_the_schema_to_refuse():
    assert type_text(shape_of(int), {"y": ["5"]}) == {"y": "5"}
    assert type_text(shape_of(int), {"y": ["5", "6"]}) == {"y": ["5", "6"]}


def test_a_key_that_is_typed_unlike_in_the_members_of_a_union_takes_both():
    shape = Schema(Pet).shape
    assert type_text(shape, {"kind": ["cat"], "tags": ["a"]}) == {"kind": "cat", "tags": "a"}
    assert type_text(shape, {"kind": ["cat"], "tags": ["a", "b"]}) == {
        "kind": "cat",
        "tags": ["a", "b"],
    }


@pytest.mark.parametrize(
    ("type_", "value", "read"),
    [
        (list[int], "[1, 2]", [1, 2]),
        (list[int] | None, "[1]", [1]),
        (list[int] | None, "null", "null"),
        (Inner, '{"a": 1}', {"a": 1}),
        (dict[str, int], '{"a": 1}', {"a": 1}),
        (tuple[int, int], "[1, 2]", [1, 2]),
        (list[int], "5", "5"),
        (list[int], "[1", "[1"),
        (list[int], '"[1]"', '"[1]"'),
        (list[int] | str, "[1]", "[1]"),
        (list[int] | int, "[1]", "[1]"),
        (Inner | str, '{"a": 1}', '{"a": 1}'),
        (int, "5", "5"),
        (bool, "true", "true"),
        (str, "[1]", "[1]"),
        (Any, "[1]", "[1]"),
        (bytes, "[1]", "[1]"),
        (Json[list[int]], "[1]", "[1]"),
        (list[list[int]], "[[1]]", [[1]]),
        (list[list[int]], ["[1]"], [[1]]),
        (list[list[int]], '["[1]"]', ["[1]"]),
        (Inner, {"a": 1, "tags": '["x"]'}, {"a": 1, "tags": ["x"]}),
        (Inner, {"a": 1, "more": '["x"]'}, {"a": 1, "more": '["x"]'}),
        (dict[str, list[int]], {"k": "[1]"}, {"k": [1]}),
        (Pet, {"kind": "cat", "tags": '["x"]'}, {"kind": "cat", "tags": ["x"]}),
        (Pet, {"kind": "dog", "tags": '["x"]'}, {"kind": "dog", "tags": '["x"]'}),
        (Pet, {"kind": ["cat"], "tags": '["x"]'}, {"kind": ["cat"], "tags": '["x"]'}),
        (Tree, {"below": '[{"below": "[]"}]'}, {"below": [{"below": "[]"}]}),
        (Tree, {"below": [{"below": "[]"}]}, {"below": [{"below": []}]}),
        (list[int], "[" * 100_000, "[" * 100_000),
    ],
)  # fmt: skip
def test_json_text_is_read_once_where_only_a_structure_is_wanted(type_, value, read):
    assert read_json_text(shape_of(type_), {"x": value}) == {"x": read}


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(10**4299), 1.5, "", "ü", [], {}, [[1]], {"a": {"b": [None]}}, (1, 2)],
)
def test_json_values_pass(value):
    check_json({"x": value}, max_depth=8)
    json.dumps(value)


class Mute:
    pass


DEEP: Any = []
for _ in range(8):
    DEEP = [DEEP]


@pytest.mark.parametrize(
    ("value", "path", "reason"),
    [
        ({"x": math.nan}, "x", "A number must be finite."),
        ({"x": [1.0, -math.inf]}, "x[1]", "A number must be finite."),
        ({"x": 10**4300}, "x", "A number has at most 4300 digits."),
        ({"x": {"y": "\ud800"}}, "x.y", "Text with a lone surrogate can't be sent as JSON."),
        ({"x": {"\ud800": 1}}, "x", "The key '\\ud800' isn't text that JSON can hold."),
        ({"x": {1: 2}}, "x", "The key 1 isn't text that JSON can hold."),
        ({"x": dt.date(2020, 1, 1)}, "x", "A value of type `date` isn't a JSON value."),
        ({"x": [Mute()]}, "x[0]", "A value of type `Mute` isn't a JSON value."),
        ({"x": {1, 2}}, "x", "A value of type `set` isn't a JSON value."),
        ({"x": b"a"}, "x", "A value of type `bytes` isn't a JSON value."),
        ({"x": Decimal(1)}, "x", "A value of type `Decimal` isn't a JSON value."),
        ({"x": DEEP}, "x[0][0][0][0][0][0][0]", "The arguments are nested too deeply."),
    ],
)
def test_what_json_has_no_form_for_is_refused_with_its_place(value, path, reason):
    with pytest.raises(ArgumentFault) as caught:
        check_json(value, max_depth=8)
    assert (caught.value.path, caught.value.reason) == (path, reason)


def test_a_cycle_is_too_deep():
    value: dict[str, Any] = {}
    value["self"] = value
    with pytest.raises(ArgumentFault) as caught:
        check_json(value, max_depth=64)
    assert caught.value.reason == "The arguments are nested too deeply."


class Named(BaseModel):
    model_config = ConfigDict(validate_by_name=True)
    a: int = Field(alias="A")
    b: int = Field(validation_alias=AliasChoices("b1", AliasPath("deep", "b")))


@pytest.mark.parametrize(
    ("type_", "keys", "an_object"),
    [
        (Inner, {"a", "tags"}, True),
        (Named, {"A", "a", "b1", "b", "deep"}, True),
        (Pet, {"kind", "tags"}, True),
        (Cat | Inner, {"kind", "tags", "a"}, True),
        (dict[str, int], set(), True),
        (list[Inner], set(), False),
        (Inner | int, {"a", "tags"}, False),
        (int, set(), False),
    ],
)
def test_the_keys_of_an_object_are_all_those_it_is_read_by(type_, keys, an_object):
    assert object_keys(Schema(type_).shape) == keys
    assert is_object(Schema(type_).shape) is an_object


NUMBERS: st.SearchStrategy[Any] = (
    st.integers(-3, 12)
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
)
BOOLEANS: st.SearchStrategy[Any] = st.booleans()
TEXTS: st.SearchStrategy[Any] = st.text(st.characters(codec="utf-8"), max_size=4) | st.sampled_from(
    ["a", "red", "2020-01-01", "2020-01-01T00:00:00Z", "1.10", "1", "true", "on", str(UUID(int=7))]
)
# Each type with the JSON values that it may be given, of the kinds that it wants, right or wrong.
TYPES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    *[
        (type_, NUMBERS)
        for type_ in (
            int, float, Level, Literal[1, 2], int | None, float | None, list[int], list[float],
            set[int], tuple[int, ...], frozenset[Level], Annotated[int, Field(ge=0, lt=10)],
            Annotated[int, Field(multiple_of=3)], int | float, list[int] | None,
        )
    ],
    *[(type_, BOOLEANS) for type_ in (bool, bool | None, Literal[True], list[bool])],
    *[
        (type_, TEXTS)
        for type_ in (
            str, dt.date, dt.datetime, dt.time, UUID, Decimal, Color, Literal["a", "1"], list[str],
            Annotated[str, Field(min_length=2)], list[dt.date], set[Color], bytes, str | int, Any,
            list[Decimal],
        )
    ],
    (int | bool, NUMBERS | BOOLEANS),
]  # fmt: skip


@given(st.data(), st.sampled_from(TYPES), st.booleans())
@examples(400)
def test_a_value_is_accepted_alike_over_text_and_over_json(data, case, strict):
    type_, items = case
    model = create_model("Model", __config__=ConfigDict(strict=strict), x=(type_, ...))
    takes_list = "array" in json.dumps(TypeAdapter(type_).json_schema())
    values = data.draw(st.lists(items, min_size=1, max_size=3 if takes_list else 1))
    texts = [value if isinstance(value, str) else json.dumps(value) for value in values]
    typed = type_text(Schema(model).shape, {"x": texts})
    over_text = parse(model, typed)
    over_json = parse(model, {"x": values if takes_list else values[0]})
    note(f"{type_} strict={strict} {texts} typed {typed}: {over_text} or {over_json}")
    assert over_text == over_json


def parse(model: type[BaseModel], value: Any) -> Any:
    try:
        return repr(model.model_validate_json(json.dumps(value)))
    except ValidationError:
        return None
