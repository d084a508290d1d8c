from dataclasses import replace
from typing import Any

import pytest

import polyface as pf
from polyface.contract.contract import contract_of
from tests.contract.faults import faults_of
from tests.contract.people import Person, PersonCard, PersonId, listing


def plain(path: str = "", **options):
    return pf.get(path, desc="Do it.", **options)


def test_a_contract_binds_its_endpoints_to_owner_and_key():
    unbound = plain("/{person_id}", params=PersonId)

    class People(pf.Contract, prefix="people"):
        fetch = unbound
        list_ = plain(key="list")

    assert People.fetch.owner == "People"
    assert People.fetch.key == "fetch"
    assert People.list_.key == "list"
    assert People.fetch.place == "`People.fetch`"
    assert [*contract_of(People).endpoints] == ["fetch", "list"]
    assert unbound.owner is None


def test_an_endpoint_used_in_two_contracts_is_bound_to_each():
    shared = plain()

    class One(pf.Contract, prefix="one"):
        do = shared

    class Two(pf.Contract, prefix="two"):
        do = shared

    assert One.do is not Two.do
    assert [One.do.owner, Two.do.owner] == ["One", "Two"]


def test_one_endpoint_under_two_names_of_a_contract_is_refused():
    shared = plain()

    def declare():
        class One(pf.Contract, prefix="one"):
            first = shared
            second = shared

    assert faults_of(declare) == [
        "`One.second` and `One.first` are both `GET /one`; change one path."
    ]


@pytest.mark.parametrize(
    "key",
    ["get", "list", "prefix", "build", "mro", "scope", "meta", "endpoints", "handler", "call"],
)
def test_any_word_is_a_legal_endpoint_name(key):
    make: Any = type(pf.Contract)
    contract = make("Free", (pf.Contract,), {key: plain()}, prefix="free")
    assert getattr(contract, key).key == key
    assert contract_of(contract).endpoints[key] is getattr(contract, key)


def test_every_fault_of_a_class_is_told_at_once():
    odd: Any = ["x"]

    def declare():
        class People(pf.Contract, prefix="/people/", scope=" ", meta=odd):
            one = plain("/a")
            two = plain("/a")
            helper = 3
            three = plain("/b", tool=pf.ToolOptions(name="same"))
            four = plain("/c", tool=pf.ToolOptions(name="same"))
            five = plain("/d", key="one")

    assert faults_of(declare) == [
        (
            "`People`: the prefix `/people/` isn't path segments without slashes around them, "
            "such as `people` or `admin/people`."
        ),
        "`People.helper` isn't an endpoint; a contract's namespace holds endpoints only.",
        "`People`: two endpoints have the key `one`.",
        "`People`: the scope `' '` isn't a word; leave it out for `public`.",
        "`People`: `meta=` maps names to values, and `['x']` doesn't.",
        "`People.four` and `People.three` both name the tool `same` on MCP; rename one.",
    ]


@pytest.mark.parametrize(
    ("one", "two", "collide"),
    [
        ("/{a}", "/{b}", True),
        ("/{a}", "/{b:int}", False),
        ("/{a}/x", "/{b}/x", True),
        ("/a", "/{b}", False),
    ],
)
def test_paths_that_a_router_cant_tell_apart_are_refused(one, two, collide):
    contract = {
        "one": {"method": "GET", "path": one, "desc": "One."},
        "two": {"method": "GET", "path": two, "desc": "Two."},
    }
    if not collide:
        assert len(contract_of(pf.build_contract("Two", contract, prefix="p")).endpoints) == 2
        return
    [fault] = faults_of(lambda: pf.build_contract("Two", contract, prefix="p"))
    assert fault == f"`Two.two` and `Two.one` are both `GET /p{two}`; change one path."


def test_one_path_serves_several_methods_and_a_tool_needs_no_path_of_its_own():
    class People(pf.Contract, prefix="people"):
        read = plain()
        write = pf.post("", desc="Write.")
        card = plain(expose=["MCP"])

    assert len(contract_of(People).endpoints) == 3


@pytest.mark.parametrize(
    ("exposures", "collide"),
    [
        ([["MCP"], ["MCP"]], "MCP"),
        ([["MCP"], ["AGENT"]], None),
        ([["MCP"], ["AGENT"], ["MCP", "AGENT"]], "MCP"),
        ([["MCP"], ["AGENT"], ["CLI", "AGENT"]], "AGENT"),
        ([None, ["CLI"]], None),
        ([None, ["AGENT", "CLI"]], "AGENT"),
    ],
)
def test_a_tool_name_is_compared_with_all_its_earlier_users(exposures, collide):
    endpoints = {
        f"e{index}": plain(f"/{index}", expose=expose, tool=pf.ToolOptions(name="same"))
        for index, expose in enumerate(exposures)
    }
    if collide is None:
        assert len(contract_of(pf.build_contract("Names", endpoints, prefix="n")).endpoints) > 1
        return
    [fault] = faults_of(lambda: pf.build_contract("Names", endpoints, prefix="n"))
    assert fault.endswith(f"both name the tool `same` on {collide}; rename one.")


def test_an_endpoint_of_a_contract_cant_be_replaced():
    class People(pf.Contract, prefix="people"):
        fetch = plain()

    before = People.fetch
    with pytest.raises(pf.DeclarationError, match=r"`People\.fetch` is an endpoint and can't be"):
        People.fetch = plain("/other")
    assert People.fetch is before


def test_a_contract_isnt_called():
    class People(pf.Contract, prefix="people"):
        fetch = plain()

    with pytest.raises(pf.DeclarationError, match="is a declaration; bind handlers with"):
        People()


def test_a_contract_doesnt_inherit_endpoints():
    class People(pf.Contract, prefix="people"):
        fetch = plain()

    def declare():
        class More(People, prefix="more"):
            other = plain("/other")

    assert faults_of(declare) == [
        "`More`: a contract doesn't inherit endpoints; declare all of them in one class."
    ]


def test_a_contract_without_a_prefix_is_refused_with_the_line_to_write():
    def declare():
        class People(pf.Contract):
            fetch = plain()

    assert faults_of(declare) == [
        '`People`: the prefix is missing; write `class People(Contract, prefix="...")`.'
    ]


@pytest.mark.parametrize("prefix", ["", "people", "admin/people", "v1.2", "a-b_c~d"])
def test_a_prefix_is_path_segments(prefix):
    contract = pf.build_contract("Any", {"do": plain("/x")}, prefix=prefix)
    assert contract_of(contract).prefix == prefix


@pytest.mark.parametrize("prefix", ["/people", "people/", "a//b", "a b", "{id}", "é", 3])
def test_an_odd_prefix_is_refused(prefix):
    [fault] = faults_of(lambda: pf.build_contract("Any", {"do": plain("/x")}, prefix=prefix))
    assert fault == (
        f"`Any`: the prefix `{prefix}` isn't path segments without slashes around them, "
        "such as `people` or `admin/people`."
    )


def test_a_view_that_with_tool_view_didnt_build_is_refused():
    declared = pf.with_tool_view(listing(), output=list[PersonCard])
    view = declared.tool.view
    assert view is not None
    forged = replace(view, project=lambda full, call: [])

    def declare():
        class People(pf.Contract, prefix="people"):
            search = replace(declared, tool=replace(declared.tool, view=forged))

    assert faults_of(declare) == [
        "`People.search`: its view isn't declared with `with_tool_view(...)`."
    ]


def test_a_view_cant_be_moved_to_another_endpoint_through_its_tool_options():
    declared = pf.with_tool_view(listing(), output=list[PersonCard])
    assert faults_of(lambda: plain(output=list[Person], tool=declared.tool)) == [
        "`GET /`: a view is declared with `with_tool_view(...)` only."
    ]


@pytest.mark.parametrize("thing", [pf.Contract, object, None])
def test_what_isnt_a_contract_is_refused(thing):
    assert faults_of(lambda: contract_of(thing)) == [
        f"`{thing!r}` isn't a contract; subclass `polyface.Contract`."
    ]


def test_a_contract_without_an_endpoint_is_refused():
    def declare():
        class Empty(pf.Contract, prefix="empty"): ...

    assert faults_of(declare) == [
        (
            '`Empty` has no endpoint; declare one, such as `list_ = get("", desc="...")`, '
            "or give a base for contracts its `policy=`."
        )
    ]


@pytest.mark.parametrize("prefix", ["..", ".", "a/../b", "a/.", "../a", "a//b", "a b", "{a}"])
def test_a_prefix_that_no_client_could_send_is_refused(prefix):
    [fault] = faults_of(lambda: pf.build_contract("C", {"a": pf.get("", desc="A.")}, prefix=prefix))
    assert fault.startswith(f"`C`: the prefix `{prefix}` isn't path segments")


@pytest.mark.parametrize("prefix", ["", "a", "a/b.c", "...", "a..b", ".well-known"])
def test_a_prefix_of_plain_segments_is_taken(prefix):
    contract = pf.build_contract("C", {"a": pf.get("", desc="A.")}, prefix=prefix)
    assert contract_of(contract).prefix == prefix
