import pytest

import polyface as pf
from polyface.contract.contract import contract_of
from tests.contract.faults import faults_of
from tests.contract.people import Person, PersonCard, PersonId, listing


def described(**options):
    return {"method": "GET", "path": "", "desc": "Do it."} | options


def test_a_contract_made_from_data_equals_one_written_as_a_class():
    class Written(pf.Contract, prefix="people", scope="user", meta={"gate": "x"}):
        fetch = pf.get("/{person_id}", desc="One.", params=PersonId, output=Person)

    built = pf.build_contract(
        "Written",
        {"fetch": described(path="/{person_id}", desc="One.", params=PersonId, output=Person)},
        prefix="people",
        scope="user",
        meta={"gate": "x"},
    )
    one, other = contract_of(Written), contract_of(built)
    assert (one.name, one.prefix, one.scope, one.meta) == (
        other.name,
        other.prefix,
        other.scope,
        other.meta,
    )
    assert repr(one.endpoints["fetch"]) == repr(other.endpoints["fetch"])


def test_captures_without_params_become_required_text():
    built = pf.build_contract("Made", {"fetch": described(path="/{org}/{rest:path}")}, prefix="p")
    params = contract_of(built).endpoints["fetch"].params
    assert params is not None
    assert {name: field.is_required() for name, field in params.type.model_fields.items()} == {
        "org": True,
        "rest": True,
    }
    assert params.parse_json(b'{"org": "a", "rest": "b/c"}').rest == "b/c"


def test_declared_endpoints_and_views_are_taken_as_they_are():
    viewed = pf.with_tool_view(listing(), output=list[PersonCard])
    built = pf.build_contract("Made", {"search": viewed}, prefix="people")
    assert contract_of(built).endpoints["search"].tool.view is viewed.tool.view
    assert viewed.key is None


def test_data_is_held_to_the_policy_of_its_base():
    class Base(pf.Contract, policy=pf.ContractPolicy(exposure="explicit")): ...

    built = pf.build_contract("Made", {"do": described()}, base=Base, prefix="p")
    assert contract_of(built).endpoints["do"].expose == ("HTTP",)


def test_every_endpoint_that_cant_be_made_is_told_at_once():
    assert faults_of(
        lambda: pf.build_contract(
            "Made",
            {
                "one": described(method="FETCH"),
                "two": {"method": "GET", "desc": "Two."},
                "three": described(path="/3", desc=""),
                "four": described(path="/4", toolName="x"),
            },
            prefix="p",
        )
    )[:3] == [
        "`Made.one`: `method` is one of GET, HEAD, POST, PUT, PATCH, DELETE, not `FETCH`.",
        "`Made.two`: `path` is missing; give the place under the prefix.",
        "`GET /3`: `desc` is empty; say what it does, because a model chooses tools by it.",
    ]


@pytest.mark.parametrize("key", ["get", "list", "prefix", "kebab-case", "__init__"])
def test_any_word_is_a_key(key):
    built = pf.build_contract("Made", {key: described()}, prefix="p")
    assert [*contract_of(built).endpoints] == [key]


@pytest.mark.parametrize("made", [described(), pf.get("/x", desc="X.")], ids=["data", "endpoint"])
def test_a_key_of_two_words_is_refused(made):
    assert faults_of(lambda: pf.build_contract("Made", {"two words": made}, prefix="p")) == [
        "`Made`: the key `'two words'` isn't a word; write letters, digits, `_` and `-`."
    ]
