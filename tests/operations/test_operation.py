from typing import Any

import pytest

import polyface as pf
from polyface.contract.contract import contract_of
from polyface.operations.operation import Operation, operation_of
from tests.contract.people import Person, PersonCard, PersonId, Search, listing


def operation(endpoint: Any, *, name: str = "People", key: str = "do", **options: Any) -> Operation:
    """Bind one endpoint and build its operation."""
    contract = pf.build_contract(name, {key: endpoint}, **{"prefix": "people"} | options)
    info = contract_of(contract)
    return operation_of(info, info.endpoints[key], lambda call: None)


def plain(**options: Any) -> Any:
    declare: Any = pf.get
    return declare("", **{"desc": "Do it."} | options)


@pytest.mark.parametrize(
    ("own", "contracts", "scope", "is_default"),
    [
        (None, None, "public", True),
        (None, "user", "user", False),
        ("admin", "user", "admin", False),
        ("public", "user", "public", False),
    ],
)
def test_a_scope_is_the_endpoints_else_the_contracts_else_public(own, contracts, scope, is_default):
    made = operation(plain(scope=own), scope=contracts)
    assert (made.scope, made.scope_is_default) == (scope, is_default)


@pytest.mark.parametrize(
    ("own", "contracts", "meta"),
    [
        (None, None, None),
        ({"a": 1}, None, {"a": 1}),
        (None, {"gate": "admin"}, {"gate": "admin"}),
        ({"a": 1}, {"gate": "admin"}, {"gate": "admin", "a": 1}),
        ({"gate": "user"}, {"gate": "admin"}, {"gate": "user"}),
        ({"gate": None}, {"gate": "admin"}, {"gate": None}),
        ({"gate": {"x": 1}}, {"gate": {"y": 2}}, {"gate": {"x": 1}}),
        ({}, None, {}),
    ],
    ids=str,
)
def test_meta_is_the_endpoints_over_the_contracts_key_by_key(own, contracts, meta):
    assert operation(plain(meta=own), meta=contracts).meta == meta


def test_meta_is_copied_and_the_applications_own_stays_as_it_was():
    own: dict[str, Any] = {"gate": "user"}
    shared: dict[str, Any] = {"gate": "admin", "audit": True}
    made = operation(plain(meta=own), meta=shared)
    own["gate"] = "changed"
    shared["audit"] = False
    assert made.meta == {"gate": "user", "audit": True}
    assert (own, shared) == ({"gate": "changed"}, {"gate": "admin", "audit": False})


def test_an_operation_carries_every_field_of_its_endpoint():
    endpoint = pf.put(
        "/{person_id}",
        desc="Replace a person.",
        params=PersonId,
        input=Search,
        output=Person,
        expose=["HTTP", "CLI"],
        tool=pf.ToolOptions(name="swap", annotations=pf.ToolAnnotations(destructive=True)),
        timeout_seconds=3,
        idempotent=True,
        summary="Replace",
        tags=["x"],
        deprecated=True,
        operation_id="replace",
        status=202,
    )
    made = operation(endpoint, key="replace_it")
    flat = {
        "tool",
        "owner",
        "key",
        "attribute",
        "path",
        "expose_is_default",
        "grouped_tool",
        "status",
    }
    own = {*type(endpoint).__dataclass_fields__} - flat - {"scope", "meta"}
    assert len(own) > 10
    for name in own:
        assert getattr(made, name) == getattr(endpoint, name), name
    assert (made.path, made.captures) == ("/people/{person_id}", {"person_id": "str"})
    assert (made.tool_name, made.derived_name) == ("swap", False)
    assert made.annotations == pf.ToolAnnotations(destructive=True)
    assert (made.label, made.service, made.key) == ("People.replace_it", "people", "replace_it")
    assert made.status == 202
    assert made.tool_transports == ("CLI",)
    assert repr(made) == "Operation(People.replace_it)"


def test_what_an_endpoint_leaves_out_follows_from_its_contract():
    made = operation(plain(), key="list")
    assert made.tool_name == "list_people"
    assert made.derived_name
    assert made.tags == ("people",)
    assert made.operation_id == "people_list"
    assert made.status == 204
    assert operation(plain(output=int)).status == 200


@pytest.mark.parametrize(
    ("view", "shown"),
    [
        (None, list[Person]),
        ({"output": list[PersonCard]}, list[PersonCard]),
        ({"output": list[PersonCard], "project": lambda full, call: []}, list[PersonCard]),
        ({"project": lambda full, call: full}, list[Person]),
        ({"output": list[Person], "defaults": {"include": []}}, list[Person]),
    ],
    ids=["no view", "slice", "reshape", "reshape within", "full"],
)
def test_one_function_knows_the_schema_of_a_tools_answer(view, shown):
    endpoint = listing() if view is None else pf.with_tool_view(listing(), **view)
    schema = pf.tool_surface_output_schema(operation(endpoint))
    assert schema is not None
    assert schema.type == shown


def test_an_operation_without_an_answer_has_no_schema_of_one():
    assert pf.tool_surface_output_schema(operation(plain())) is None
