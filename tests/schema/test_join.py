"""Joining what the members of a union say of one key: the law over generated unions, and words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from polyface.schema.flatten import flatten_unions
from polyface.schema.hint import Use, describe
from polyface.schema.join import join
from polyface.schema.normal import normalised

LEAVES = st.sampled_from(
    [
        {"type": "string"},
        {"type": "string", "minLength": 2},
        {"type": "integer", "minimum": 0},
        {"type": "number"},
        {"type": "boolean"},
        {"const": "a"},
        {"enum": ["a", "b"]},
        {"enum": ["b", 1]},
        {"anyOf": [{"type": "integer", "maximum": 5}, {"type": "null"}]},
        {"anyOf": [{"enum": ["x"], "type": "string"}, {"type": "null"}]},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "string"}},
        {"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]},
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"$ref": "#/$defs/Address"},
        {"not": {"type": "string"}},
        {},
    ]
)
DEFINITIONS = {"Address": {"type": "object", "properties": {"city": {"type": "string"}}}}
KEYS = st.sampled_from(["a", "b", "c"])
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-2, 7)
    | st.sampled_from(["a", "b", "x", "xy"])
    | st.lists(st.integers(0, 1) | st.just("s"), max_size=2)
    | st.fixed_dictionaries({}, optional={"a": st.integers(0, 1), "city": st.just("Rome")})
)


@st.composite
def branches(draw, tag):
    properties = draw(st.dictionaries(KEYS, LEAVES, max_size=3))
    required = draw(st.lists(st.sampled_from([*properties]), unique=True)) if properties else []
    branch = {
        "type": "object",
        "properties": {"kind": {"const": tag}, **properties},
        "required": ["kind", *required],
    }
    extra = draw(st.sampled_from([None, False, True, {"type": "integer"}]))
    # A key that a member neither declares nor keeps has no meaning there.
    return branch | {"additionalProperties": False if extra is None else extra}


@given(
    members=st.tuples(branches("one"), branches("two"), branches("three")),
    value=st.dictionaries(KEYS, VALUES),
    tag=st.sampled_from(["one", "two", "three"]),
)
def test_what_satisfies_the_union_satisfies_the_flat_document(members, value, tag):
    union = {"oneOf": list(members), "$defs": DEFINITIONS}
    flat = flatten_unions(union)
    Draft202012Validator.check_schema(flat)
    assert flat["type"] == "object"
    assert flat["properties"]["kind"] == {"type": "string", "enum": ["one", "two", "three"]}
    given_value = {"kind": tag, **value}
    if Draft202012Validator(union).is_valid(given_value):
        Draft202012Validator(flat).validate(given_value)


@given(st.lists(LEAVES, min_size=1, max_size=4), VALUES)
def test_a_joint_schema_takes_whatever_one_of_its_schemas_takes(schemas, value):
    joint = join(schemas, DEFINITIONS) | {"$defs": DEFINITIONS}
    Draft202012Validator.check_schema(joint)
    for schema in schemas:
        if Draft202012Validator(schema | {"$defs": DEFINITIONS}).is_valid(value):
            Draft202012Validator(joint).validate(value)


@given(st.lists(LEAVES, min_size=2, max_size=4), st.randoms(use_true_random=False))
def test_what_a_joint_schema_takes_doesnt_depend_on_the_order(schemas, random):
    shuffled = [*schemas]
    random.shuffle(shuffled)
    one, other = join(schemas, DEFINITIONS), join(shuffled, DEFINITIONS)
    assert normalised(one) == normalised(other)


CAT, DOG = ("cat",), ("dog",)


@pytest.mark.parametrize(
    ("uses", "everywhere", "text"),
    [
        ([Use(CAT, None, True), Use(DOG, None, True)], True, ""),
        ([Use(CAT, None, False), Use(DOG, None, False)], True, ""),
        ([Use(CAT, "A", True), Use(DOG, "A", True)], True, "A."),
        ([Use(CAT, "A.", True), Use(DOG, None, True)], True, "For `cat`: A."),
        ([Use(CAT, None, True), Use(DOG, None, False)], True, "Required when `k` is `cat`, optional otherwise."),
        ([Use(CAT, "A!", True)], False, "A! Only when `k` is `cat`, and required there."),
        ([Use(CAT, None, False)], False, "Only when `k` is `cat`, and optional there."),
        ([Use(CAT, None, True), Use(DOG, None, False)], False, "Only when `k` is `cat` or `dog`; required when it is `cat`."),
    ],
)  # fmt: skip
def test_a_hint_states_availability_and_requiredness(uses, everywhere, text):
    assert describe("k", uses, everywhere=everywhere) == text


@pytest.mark.parametrize(
    ("schemas", "joint"),
    [
        ([{"type": "integer", "minimum": 0, "title": "A"}, {"type": "integer", "minimum": 0}], {"type": "integer", "minimum": 0}),
        ([{"type": "integer", "minimum": 0}, {"type": "integer"}], {"type": "integer"}),
        ([{"type": "integer"}, {"type": "number"}], {"type": "number"}),
        ([{"const": "b", "type": "string"}, {"enum": ["a", "b"]}], {"type": "string", "enum": ["b", "a"]}),
        ([{"enum": ["a"]}, {"type": "string"}], {"type": "string"}),
        ([{"type": "null"}, {"type": "boolean"}, {"type": "string"}], {"type": ["string", "boolean", "null"]}),
        ([{"anyOf": [{"type": "integer"}, {"type": "null"}]}, {"type": "integer"}], {"type": ["integer", "null"]}),
        ([{"not": {}}, {"type": "string"}], {}),
        ([{"$ref": "#/$defs/Missing"}, {"type": "string"}], {}),
        ([{"type": "array", "items": {"type": "string"}}, {"type": "string"}], {"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"type": "string"}]}),
        ([{"type": "array", "items": {"type": "string"}}, {"type": "object", "maxProperties": 2}], {"anyOf": [{"items": {"type": "string"}, "type": "array"}, {"maxProperties": 2, "type": "object"}]}),
    ],
)  # fmt: skip
def test_a_property_of_several_members_is_joined(schemas, joint):
    assert join(schemas, DEFINITIONS) == joint
    assert {*map(str, join(schemas[::-1], DEFINITIONS))} == {*map(str, joint)}
