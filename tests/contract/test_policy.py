import pytest

import polyface as pf
from polyface.contract.contract import contract_of
from tests.contract.faults import faults_of
from tests.contract.people import PersonCard, listing


class Explicit(pf.Contract, policy=pf.ContractPolicy(exposure="explicit")):
    """The contracts of an application in which no tool is exposed by a forgotten line."""


class Scoped(pf.Contract, policy=pf.ContractPolicy(scopes=("user", "admin"))):
    """The contracts of an application in which every endpoint has a scope."""


def test_explicit_exposure_serves_a_silent_endpoint_over_http_only():
    class People(Explicit, prefix="people"):
        silent = pf.get("", desc="Silent.")
        spoken = pf.get("/x", desc="Spoken.", expose=["HTTP", "MCP"])

    assert People.silent.expose == ("HTTP",)
    assert People.spoken.expose == ("HTTP", "MCP")


@pytest.mark.parametrize(
    "endpoint",
    [
        pf.get("", desc="Named.", tool=pf.ToolOptions(name="named")),
        pf.with_tool_view(listing(), output=list[PersonCard]),
    ],
)
def test_tool_options_without_a_named_transport_are_refused_under_explicit_exposure(endpoint):
    def declare():
        class People(Explicit, prefix="people"):
            do = endpoint

    assert faults_of(declare) == [
        (
            "`People.do`: it has tool options, but the policy serves it over HTTP only; "
            'name its transports, as `expose=["HTTP", "MCP"]`.'
        )
    ]


def test_a_policy_with_scopes_wants_one_of_them_for_each_endpoint():
    def declare():
        class People(Scoped, prefix="people"):
            silent = pf.get("", desc="Silent.")
            wrong = pf.get("/x", desc="Wrong.", scope="public")
            right = pf.get("/y", desc="Right.", scope="admin")

    assert faults_of(declare) == [
        "`People.silent`: the policy wants a scope; name one of `user`, `admin` on `People`.",
        "`People.wrong`: the scope `public` isn't one of `user`, `admin`.",
    ]


def test_a_contracts_scope_answers_for_its_endpoints():
    class People(Scoped, prefix="people", scope="user"):
        silent = pf.get("", desc="Silent.")

    assert contract_of(People).scope == "user"


def test_a_base_with_a_policy_holds_no_endpoints():
    def declare():
        class Base(pf.Contract, policy=pf.ContractPolicy(), prefix="x"):
            do = pf.get("", desc="Do it.")

    assert faults_of(declare) == [
        (
            "`Base`: a class with a `policy` is a base for contracts; "
            "declare the prefix and the endpoints in a class that derives from it."
        )
    ]
