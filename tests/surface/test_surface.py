import pickle
from typing import Any

import pytest

import polyface as pf
from polyface.http import http_app
from polyface.surface.collect import collect_tools
from tests.contract.faults import faults_of
from tests.execution.calls import post, surface_of, surface_of_all


def nothing(call: Any) -> None:
    return None


def service_of(name: str, prefix: str, **endpoints: Any) -> Any:
    contract = pf.build_contract(name, endpoints, prefix=prefix)
    service = pf.implement(contract)
    for attribute, endpoint in vars(contract).items():
        if isinstance(endpoint, pf.Endpoint):
            service.handler(getattr(contract, attribute))(nothing)
    return service


def plain(path: str = "", **options: Any) -> Any:
    declare: Any = pf.get
    return declare(path, **{"desc": "Do it."} | options)


# --- scopes -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["user", "admin", "Public"])
def test_a_scope_without_a_guard_refuses_the_surface(scope):
    assert faults_of(lambda: surface_of(post(scope=scope), nothing)) == [
        (
            f"`Things.do` has the scope `{scope}`, but the surface has no `Hooks(authorize=...)`; "
            'add one, or declare `scope="public"`.'
        )
    ]


def test_all_unguarded_operations_are_named_and_a_contracts_scope_counts():
    assert faults_of(
        lambda: surface_of_all(
            {
                "one": (plain("/1"), nothing),
                "two": (plain("/2", scope="public"), nothing),
                "three": (plain("/3", scope="admin"), nothing),
            },
            scope="user",
        )
    ) == [
        (
            "`Things.one` has the scope `user`, but the surface has no `Hooks(authorize=...)`; "
            'add one, or declare `scope="public"`.'
        ),
        (
            "`Things.three` has the scope `admin`, but the surface has no `Hooks(authorize=...)`; "
            'add one, or declare `scope="public"`.'
        ),
    ]


def test_a_guarded_surface_takes_scopes_and_a_public_one_needs_no_guard():
    hooks = pf.Hooks(authorize=nothing)
    assert len(surface_of(post(scope="user"), nothing, hooks=hooks).operations) == 1
    assert len(surface_of(post(), nothing).operations) == 1


# --- operations -------------------------------------------------------------------------------


def test_operations_come_by_service_and_declaration():
    surface = pf.Surface(
        [
            service_of("B", "b", z=plain("/z"), a=plain("/a")),
            service_of("A", "a", y=plain("/y")),
        ]
    )
    assert [operation.label for operation in surface.operations] == ["B.z", "B.a", "A.y"]
    assert repr(surface) == "Surface(B.z, B.a, A.y)"


def test_one_path_of_two_services_is_refused():
    services = [service_of("One", "p", do=plain("/x")), service_of("Two", "p", go=plain("/x"))]
    assert faults_of(lambda: pf.Surface(services)) == [
        "`Two.go` and `One.do` are both `GET /p/x`; change one path."
    ]


def test_paths_that_differ_in_a_captures_name_only_are_one_path():
    def described(name: str) -> dict[str, Any]:
        return {"method": "GET", "path": f"/{{{name}}}", "desc": "One."}

    [fault] = faults_of(
        lambda: pf.Surface(
            [
                service_of("One", "p", do=described("a")),
                service_of("Two", "p", go=described("b")),
            ]
        )
    )
    assert fault == "`Two.go` and `One.do` are both `GET /p/{b}`; change one path."


def test_one_operation_identifier_is_refused():
    [fault] = faults_of(
        lambda: pf.Surface(
            [
                service_of("One", "a", do=plain(operation_id="same")),
                service_of("Two", "b", go=plain(operation_id="same")),
            ]
        )
    )
    assert fault == (
        "`Two.go` and `One.do` both have the operation identifier `same`; give one `operation_id=`."
    )


def test_what_isnt_a_service_is_refused_with_all_other_faults():
    class Unserved(pf.Contract, prefix="unserved"):
        do = pf.get("", desc="Do it.")

    services: Any = [Unserved, pf.implement(Unserved)]
    assert faults_of(lambda: pf.Surface(services)) == [
        f"`{Unserved!r}` isn't a service; make one with `implement(...)`.",
        "`Unserved.do` has no handler; register one with `@service.handler(Unserved.do)`.",
    ]


def test_a_surface_cant_be_pickled():
    with pytest.raises(TypeError, match="a Surface can't be pickled; make it again where"):
        pickle.dumps(surface_of(post(), nothing))


# --- names ------------------------------------------------------------------------------------


def test_one_tool_name_from_two_services_is_refused_at_the_mount_with_both_identities():
    surface = pf.Surface(
        [
            service_of("One", "a-b", get=plain()),
            service_of("Two", "a_b", get=plain()),
        ]
    )
    assert faults_of(lambda: collect_tools(surface, "MCP")) == [
        (
            "`Two.get` and `One.get` are both the tool `get_a_b` on MCP; "
            "set `tool=ToolOptions(name=...)` on one."
        )
    ]
    assert collect_tools(surface, "CLI") == ()
    assert http_app(surface) is not None


@pytest.mark.parametrize(
    ("prefix", "key", "said"),
    [
        (
            "~",
            "get",
            "the name `get__` is derived from the prefix `~`, which has no letter or digit",
        ),
        ("", "get", "the name `get_` is derived from the prefix ``, which has no letter or digit"),
        ("p", "g" * 70, f"the name `{'g' * 70}_p` doesn't match `[A-Za-z0-9_-]{{1,64}}`"),
    ],
    ids=["separators", "empty", "too long"],
)
def test_an_illegal_derived_name_is_refused_at_the_mount_and_an_explicit_one_rescues_it(
    prefix, key, said
):
    surface = pf.Surface([service_of("Odd", prefix, **{key: plain("/x")})])
    assert faults_of(lambda: collect_tools(surface, "MCP")) == [
        f"`Odd.{key}`: {said}; set `tool=ToolOptions(name=...)`."
    ]
    named = plain("/x", tool=pf.ToolOptions(name="fine"))
    rescued = pf.Surface([service_of("Odd", prefix, **{key: named})])
    assert [tool.name for tool in collect_tools(rescued, "MCP")] == ["fine"]


def test_every_bad_name_is_told_at_once():
    surface = pf.Surface(
        [
            service_of("One", "~", get=plain("/1")),
            service_of("Two", "-", get=plain("/2")),
        ]
    )
    assert len(faults_of(lambda: collect_tools(surface, "AGENT"))) == 3


def test_only_what_a_transport_exposes_is_collected():
    surface = pf.Surface(
        [
            service_of(
                "Mixed",
                "mixed",
                everywhere=plain("/1"),
                http=plain("/2", expose=["HTTP"]),
                line=plain("/3", expose=["CLI"]),
                model=plain("/4", expose=["MCP"]),
            )
        ]
    )
    names = {
        transport: [tool.operation.key for tool in collect_tools(surface, transport)]
        for transport in ("MCP", "AGENT", "CLI")
    }
    assert names == {
        "MCP": ["everywhere", "model"],
        "AGENT": ["everywhere"],
        "CLI": ["line"],
    }


@pytest.mark.parametrize("transport", ["HTTP", "mcp", "", None])
def test_a_transport_without_tools_is_refused(transport):
    surface = surface_of(post(), nothing)
    assert faults_of(lambda: collect_tools(surface, transport)) == [
        f"`{transport}` has no tools; a tool transport is one of MCP, AGENT, CLI."
    ]
