"""Definitions of several documents in one place, and the joint document of arguments."""

from typing import Annotated, Any, Literal

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, create_model

import polyface as pf
from polyface.schema.adapter import Schema
from polyface.schema.json_schema import arguments_document, output_document
from polyface.schema.lift import lift_definitions
from polyface.surface.collect import collect_tools
from tests.execution.calls import post, surface_of


def named(name: str, **fields: Any) -> Any:
    given: dict[str, Any] = {key: (type_, ...) for key, type_ in fields.items()}
    return create_model(name, **given)


def checked(document: dict[str, Any]) -> Draft202012Validator:
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


Ours = named("Item", sub=named("Sub", a=int))
Theirs = named("Item", sub=named("Sub", b=str))


def test_one_name_with_two_meanings_is_told_apart_with_all_that_refer_to_it():
    params, extra, input_ = named("P", p=Ours), named("E", e=Theirs), named("I", i=Ours)
    document = arguments_document(Schema(params), Schema(input_), {}, Schema(extra))
    validator = checked(document)
    ours, theirs = {"sub": {"a": 1}}, {"sub": {"b": "x"}}
    assert validator.is_valid({"p": ours, "e": theirs, "i": ours})
    assert not validator.is_valid({"p": theirs, "e": theirs, "i": ours})
    assert not validator.is_valid({"p": ours, "e": ours, "i": ours})
    assert not validator.is_valid({"p": ours, "e": theirs, "i": theirs})
    assert set(document["$defs"]) == {"Item", "Sub", "extension__Item", "extension__Sub"}


def test_a_definition_that_only_refers_to_a_clash_is_renamed_with_it():
    parts: list[Any] = [
        ("params", {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"type": "string"}}}),
        (
            "input",
            {
                "$ref": "#/$defs/A",
                "$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"type": "integer"}},
            },
        ),
    ]
    merged = lift_definitions(parts)
    assert parts[1][1] == {"$ref": "#/$defs/input__A"}
    assert merged == {
        "A": {"$ref": "#/$defs/B"},
        "B": {"type": "string"},
        "input__A": {"$ref": "#/$defs/input__B"},
        "input__B": {"type": "integer"},
    }


def test_a_new_name_never_meets_one_that_is_there():
    parts: list[Any] = [
        ("input", {"$defs": {"A": {"type": "string"}, "input__A": {"type": "null"}}}),
        ("input", {"$ref": "#/$defs/A", "$defs": {"A": {"type": "integer"}}}),
    ]
    merged = lift_definitions(parts)
    assert merged["A"] == {"type": "string"}
    assert merged["input__A"] == {"type": "null"}
    assert parts[1][1] == {"$ref": "#/$defs/input__A_"}
    assert merged["input__A_"] == {"type": "integer"}


def test_equal_definitions_are_shared():
    same = named("Sub", a=int)
    document = arguments_document(Schema(named("P", p=same)), Schema(named("I", i=same)), {})
    assert [*document["$defs"]] == ["Sub"]


def test_what_a_discriminator_maps_to_follows_the_new_name():
    parts: list[Any] = [
        ("params", {"$defs": {"A": {"type": "string"}}}),
        (
            "input",
            {
                "oneOf": [{"$ref": "#/$defs/A"}],
                "discriminator": {"propertyName": "k", "mapping": {"a": "#/$defs/A"}},
                "$defs": {"A": {"type": "integer"}},
            },
        ),
    ]
    lift_definitions(parts)
    assert parts[1][1]["discriminator"]["mapping"] == {"a": "#/$defs/input__A"}


class Key(BaseModel):
    key: str


class Cat(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["cat"]


class Dog(BaseModel):
    model_config = ConfigDict(extra="forbid")
    kind: Literal["dog"]
    name: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


@pytest.mark.parametrize("flat", [False, True])
def test_a_union_on_both_sides_takes_every_pair(flat):
    class Red(BaseModel):
        colour: Literal["red"]

    class Blue(BaseModel):
        colour: Literal["blue"]
        depth: int

    Colour = Annotated[Red | Blue, Field(discriminator="colour")]
    validator = checked(arguments_document(Schema(Key), Schema(Pet), {}, Schema(Colour), flat=flat))
    for pet in ({"kind": "cat"}, {"kind": "dog", "name": "a"}):
        for colour in ({"colour": "red"}, {"colour": "blue", "depth": 3}):
            validator.validate({"key": "7", **pet, **colour})
    assert not validator.is_valid({"key": "7", "kind": "cat"})
    assert not validator.is_valid({"kind": "cat", "colour": "red"})


def test_an_extension_that_is_a_union_beside_no_input_is_accepted():
    surface = surface_of(
        post(), lambda call: None, extension=pf.Extension(arguments=Pet, resolve=lambda *_: None)
    )
    [tool] = collect_tools(surface, "MCP")
    assert checked(tool.input_schema).is_valid({"kind": "dog", "name": "a"})
    assert not checked(tool.input_schema).is_valid({"kind": "dog", "name": "a", "more": 1})


def test_without_any_schema_no_key_is_taken():
    document = arguments_document(None, None, {})
    assert document == {"type": "object", "properties": {}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("config", "closed"), [({"extra": "forbid"}, True), ({"extra": "ignore"}, False), ({}, False)]
)
def test_the_input_says_what_becomes_of_unknown_keys(config, closed):
    class Given(BaseModel):
        model_config = config
        a: int

    document = arguments_document(Schema(Key), Schema(Given), {})
    assert (document.get("additionalProperties") is False) is closed


def test_descriptions_come_from_the_fields():
    class Words(BaseModel):
        q: str = Field(description="Words that must occur.")

    document = arguments_document(None, Schema(Words), {})
    assert document["properties"]["q"]["description"] == "Words that must occur."


def test_only_definitions_that_are_used_are_there():
    document = arguments_document(Schema(Key), Schema(Pet), {}, flat=True)
    assert "$defs" not in document


def test_an_answer_is_described_under_the_names_it_is_written_by():
    class Renamed(BaseModel):
        kept: str = Field(validation_alias="inKept", serialization_alias="outKept")

    assert [*output_document(Schema(Renamed))["properties"]] == ["outKept"]
    assert [*arguments_document(None, Schema(Renamed), {})["properties"]] == ["inKept"]
