"""The normal form of a schema: what it accepts, and neither wording nor order nor names."""

import copy
from typing import Any

import pytest
from pydantic import BaseModel, Field, create_model

from polyface.schema.adapter import Schema
from polyface.schema.normal import in_any_order, normalised

BASE: dict[str, Any] = {
    "type": ["object", "null"],
    "title": "T",
    "description": "D",
    "$comment": "C",
    "examples": [1],
    "properties": {"title": {"type": "string"}, "b": {"enum": ["x", "y"]}},
    "required": ["b", "title"],
    "anyOf": [{"minProperties": 1}, {"maxProperties": 9}],
}


@pytest.mark.parametrize("word", ["title", "description", "$comment", "examples"])
def test_wording_is_left_out(word):
    changed = BASE | {word: "other"}
    assert normalised(changed) == normalised(BASE)
    assert word not in normalised(BASE)


def test_a_property_by_the_name_of_a_word_is_kept():
    assert [*normalised(BASE)["properties"]] == ["title", "b"]


@pytest.mark.parametrize("word", ["type", "required", "anyOf"])
def test_the_order_of_a_set_doesnt_matter(word):
    assert normalised(BASE | {word: BASE[word][::-1]}) == normalised(BASE)


def test_the_order_of_options_doesnt_matter_and_that_of_places_does():
    assert normalised({"enum": ["b", "a"]}) == normalised({"enum": ["a", "b"]})
    one, two = {"type": "string"}, {"type": "integer"}
    assert normalised({"prefixItems": [one, two]}) != normalised({"prefixItems": [two, one]})


@pytest.mark.parametrize("word", ["default", "const", "enum"])
def test_what_looks_like_wording_in_data_is_meaning(word):
    def of(title: str) -> Any:
        value = {"title": title}
        return normalised({word: [value] if word == "enum" else value})

    assert of("a") != of("b")


def models(name: str, **fields: Any) -> Any:
    given: dict[str, Any] = {key: (type_, ...) for key, type_ in fields.items()}
    return create_model(name, **given)


def test_the_name_of_a_class_doesnt_matter():
    one = models("A", x=models("Inner", a=int), y=models("Other", b=str))
    two = models("B", x=models("Zulu", a=int), y=models("Alpha", b=str))
    documents = [Schema(type_).json_schema("validation") for type_ in (one, two)]
    assert documents[0] != documents[1]
    assert normalised(documents[0]) == normalised(documents[1])


def test_what_a_definition_says_matters_however_deep():
    deep = [models("A", x=models("B", y=models("C", z=type_))) for type_ in (int, str)]
    one, two = (normalised(Schema(type_).json_schema("validation")) for type_ in deep)
    assert one != two
    assert one["properties"] != two["properties"]


class Tree(BaseModel):
    name: str = Field(description="Words.")
    children: list["Tree"] = []


class Bush(BaseModel):
    children: list["Bush"] = []
    name: str


class Vine(BaseModel):
    children: list["Vine"] | None = None
    name: str


def test_recursive_types_are_compared_by_what_they_say():
    tree, bush, vine = (
        normalised(Schema(type_).json_schema("validation")) for type_ in (Tree, Bush, Vine)
    )
    assert tree == bush != vine


def test_only_required_is_sorted_in_the_form_that_is_sent():
    document = {"required": ["b", "a"], "enum": ["b", "a"], "default": {"required": ["b", "a"]}}
    before = copy.deepcopy(document)
    assert in_any_order(document) == document | {"required": ["a", "b"]}
    assert document == before
    assert in_any_order({"properties": {"required": {"type": "string"}}}) == {
        "properties": {"required": {"type": "string"}}
    }
