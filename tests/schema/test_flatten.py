"""Discriminated unions shown as one object: never narrower than what the contract accepts."""

import enum
import functools
import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from polyface.schema.adapter import Schema
from polyface.schema.flatten import flatten_unions
from polyface.schema.json_schema import arguments_document
from polyface.testing import strategy_for


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = Field(ge=0, le=9, description="How many are left.")
    name: str = Field(min_length=1, description="What it is called.")
    tricks: list[str] = []
    weight: int = 3


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str | None = Field(None, description="What it is called.")
    tricks: list[str] = []
    weight: float = Field(4, allow_inf_nan=False)
    size: Literal["small", "large"] = "small"


class Bird(BaseModel):
    kind: Literal["parrot", "finch"] = "finch"
    name: str = Field(description="What it calls itself.")
    size: Literal["tiny"]
    tricks: dict[str, int] = {}


class Breed(enum.Enum):
    tabby = "tabby"


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    kind: Literal["other"]
    at: int


class ClosedCat(Cat):
    model_config = ConfigDict(extra="forbid")


class ClosedDog(Dog):
    model_config = ConfigDict(extra="forbid")


class Tabby(BaseModel):
    kind: Literal[Breed.tabby]


class Add(BaseModel):
    op: Literal["add"]
    left: "Expression"
    right: "Expression"


class Number(BaseModel):
    op: Literal["number"]
    value: float = Field(allow_inf_nan=False)


class Block(BaseModel):
    op: Literal["block"]
    body: list["Expression"]
    pet: "Pet | None" = None


Pet = Annotated[Cat | Dog | Bird, Field(discriminator="kind")]
ClosedPet = Annotated[ClosedCat | ClosedDog, Field(discriminator="kind")]
AnyPet = Annotated[Cat | Open, Field(discriminator="kind")]
Nested = Annotated[
    Annotated[Cat | Dog, Field(discriminator="kind")] | Bird, Field(discriminator="kind")
]
Expression = Annotated[Add | Number | Block, Field(discriminator="op")]
Add.model_rebuild()
Block.model_rebuild()


class Household(BaseModel):
    first: Pet = Field(description="The one who rules.")
    others: list[Pet] = []
    guest: Pet | None = None
    by_room: dict[str, ClosedPet] = {}
    sum: Expression | None = None


class Key(BaseModel):
    key: str


INPUTS: dict[str, Any] = {
    "pet": Pet,
    "closed": ClosedPet,
    "with an open member": AnyPet,
    "nested": Nested,
    "recursive": Expression,
    "fields": Household,
    "an enum as the tag": Annotated[Tabby | Dog, Field(discriminator="kind")],
}


def documents(type_: Any, params: Any = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """The document of arguments as it is, and flat."""
    beside: Schema[Any] | None = Schema(params) if params else None
    plain, flat = (
        arguments_document(beside, Schema(type_), {}, flat=is_flat) for is_flat in (False, True)
    )
    return plain, flat


@pytest.mark.parametrize("params", [None, Key], ids=["input", "params and input"])
@pytest.mark.parametrize("name", INPUTS)
def test_a_flat_document_is_valid_and_has_no_union_at_its_root(name, params):
    _, flat = documents(INPUTS[name], params)
    Draft202012Validator.check_schema(flat)
    assert flat["type"] == "object"
    assert not {"oneOf", "anyOf", "allOf", "$ref"} & set(flat)
    assert "oneOf" not in json.dumps(flat)


@functools.cache
def prepared(name: str) -> tuple[TypeAdapter[Any], Any, Any, Any]:
    """The type, values that it takes, and its flat document alone and beside a parameter."""
    type_ = INPUTS[name]
    flat, beside = documents(type_)[1], documents(type_, Key)[1]
    validators = Draft202012Validator(flat), Draft202012Validator(beside)
    return TypeAdapter(type_), strategy_for(type_), *validators


@pytest.mark.parametrize("name", INPUTS)
@settings(max_examples=40)
@given(data=st.data())
def test_every_value_that_the_contract_accepts_satisfies_the_flat_document(name, data):
    adapter, values, flat, beside = prepared(name)
    made = adapter.validate_python(data.draw(values))
    for unset in (False, True):
        value = json.loads(adapter.dump_json(made, by_alias=True, exclude_unset=unset))
        flat.validate(value)
        beside.validate(value | {"key": "7"})


EXTRAS = st.dictionaries(
    st.sampled_from(["lives", "name", "tricks", "another"]),
    st.none() | st.booleans() | st.integers() | st.text() | st.lists(st.integers()),
)


@given(at=st.integers(), extras=EXTRAS)
def test_a_member_that_keeps_undeclared_keys_may_fill_those_of_the_others(at, extras):
    value = {"kind": "other", "at": at, **extras}
    assert TypeAdapter(AnyPet).validate_python(value).model_dump() == value
    Draft202012Validator(documents(AnyPet)[1]).validate(value)


# --- what it says ----------------------------------------------------------------------------


def test_the_discriminator_comes_first_with_its_texts_in_order_of_appearance():
    flat = documents(Pet, Key)[1]
    assert [*flat["properties"]] == [
        "kind", "key", "lives", "name", "tricks", "weight", "size",
    ]  # fmt: skip
    assert flat["properties"]["kind"] == {
        "type": "string",
        "enum": ["cat", "dog", "parrot", "finch"],
    }


def test_only_the_discriminator_and_what_every_branch_requires_is_required():
    assert documents(Pet, Key)[1]["required"] == ["kind", "key"]
    assert documents(ClosedPet)[1]["required"] == ["kind"]


def test_it_is_closed_only_where_every_member_is():
    assert documents(ClosedPet)[1]["additionalProperties"] is False
    assert "additionalProperties" not in documents(Pet)[1]
    half = Annotated[ClosedCat | Dog, Field(discriminator="kind")]
    assert "additionalProperties" not in documents(half)[1]


def test_a_key_of_some_members_says_when_it_is_used_and_required():
    properties = documents(Pet)[1]["properties"]
    assert properties["lives"] == {
        "type": "integer",
        "minimum": 0,
        "maximum": 9,
        "description": "How many are left. Only when `kind` is `cat`, and required there.",
    }
    assert properties["weight"]["description"] == (
        "Only when `kind` is `cat` or `dog`, and optional there."
    )
    assert properties["size"]["description"] == (
        "Only when `kind` is `dog` or `parrot` or `finch`; required when it is `parrot` or `finch`."
    )


def test_different_descriptions_are_told_of_their_own_members_only():
    assert documents(Pet)[1]["properties"]["name"]["description"] == (
        "For `cat`: What it is called. For `dog`: What it is called. "
        "For `parrot` or `finch`: What it calls itself. "
        "Required when `kind` is `cat` or `parrot` or `finch`, optional otherwise."
    )


def test_the_default_of_one_member_isnt_advertised_to_all():
    properties = documents(Pet)[1]["properties"]
    assert "default" not in properties["weight"]
    assert "default" not in properties["size"]
    pair = Annotated[ClosedCat | ClosedDog, Field(discriminator="kind")]
    assert documents(pair)[1]["properties"]["tricks"]["default"] == []
    assert "default" not in documents(pair)[1]["properties"]["weight"]


def test_recursion_stays_a_reference():
    flat = documents(Expression)[1]
    assert [*flat["$defs"]] == ["Add_or_Number_or_Block"]
    assert flat["properties"]["left"]["$ref"] == "#/$defs/Add_or_Number_or_Block"
    assert flat["properties"]["body"]["items"] == {"$ref": "#/$defs/Add_or_Number_or_Block"}
    assert flat["properties"]["pet"]["anyOf"][0]["properties"]["kind"]["enum"][0] == "cat"


def test_a_union_inside_a_field_is_flat_and_keeps_the_fields_words():
    flat = documents(Household)[1]
    assert flat["properties"]["first"]["description"] == "The one who rules."
    assert flat["properties"]["first"]["properties"]["kind"]["enum"][0] == "cat"
    assert flat["properties"]["others"]["items"]["type"] == "object"
    assert flat["properties"]["guest"]["anyOf"][1] == {"type": "null"}
    assert flat["properties"]["by_room"]["additionalProperties"]["additionalProperties"] is False


PLAIN = {"type": "object", "properties": {"a": {"const": "x"}}, "required": ["a"]}
OTHER = {"type": "object", "properties": {"a": {"const": "y"}}, "required": ["a"]}
UNTOUCHED: dict[str, Any] = {
    "a plain union": {"anyOf": [PLAIN, OTHER]},
    "one member": {"oneOf": [PLAIN]},
    "a member that is no object": {"oneOf": [PLAIN, {"type": "string"}]},
    "texts that overlap": {"oneOf": [PLAIN, PLAIN]},
    "a tag that isn't text": {"oneOf": [PLAIN, {**OTHER, "properties": {"a": {"const": 1}}}]},
    "a tag that is optional": {"oneOf": [PLAIN, {**OTHER, "required": []}]},
    "a reference to nothing": {"oneOf": [PLAIN, {"$ref": "#/$defs/Missing"}]},
    "a member that says more": {"oneOf": [PLAIN, {**OTHER, "minProperties": 2}]},
    "words beside the union": {"oneOf": [PLAIN, OTHER], "minProperties": 1},
    "a member without keys": {"oneOf": [PLAIN, {"type": "object"}]},
}


@pytest.mark.parametrize("name", UNTOUCHED)
def test_anything_else_is_left_as_it_is(name):
    document = {"properties": {"x": UNTOUCHED[name]}, "default": {"oneOf": [PLAIN, OTHER]}}
    assert flatten_unions(document) == document


def test_the_document_that_was_given_isnt_changed():
    document = Schema(Household).json_schema("validation")
    before = json.dumps(document)
    flatten_unions(document)
    assert json.dumps(document) == before
