"""Arguments that an application adds to every tool."""

from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.surface.collect import collect_tools
from tests.contract.faults import faults_of
from tests.execution.calls import Trace, ask_http, call_tool, post, refused_tool, surface_of

pytestmark = pytest.mark.anyio


class Number(BaseModel):
    model_config = {"extra": "forbid"}
    n: int = 0


class Tenancy(BaseModel):
    tenant: str
    tags: list[str] = []


def extended(trace: Trace, **options: Any) -> pf.Surface[Any]:
    def resolve(extra, call):
        trace.append(f"resolve {extra.tenant} {extra.tags}")
        return extra.tenant

    def handler(call):
        trace.append(f"handler {call.input.n} {call.extension}")
        return call.input.n

    given: dict[str, Any] = {"arguments": Tenancy, "resolve": resolve} | options
    hooks = given.pop("hooks", pf.Hooks())
    return surface_of(
        post(input=Number, output=int), handler, extension=pf.Extension(**given), hooks=hooks
    )


async def test_an_extensions_keys_are_taken_out_before_a_strict_input_sees_the_rest():
    trace: Trace = []
    assert await call_tool(extended(trace), {"tenant": "acme", "n": 3}) == 3
    assert trace == ["resolve acme []", "handler 3 acme"]


async def test_an_extension_is_advertised_beside_the_operations_own_arguments():
    [tool] = collect_tools(extended([]), "MCP")
    assert {*tool.input_schema["properties"]} == {"tenant", "tags", "n"}
    assert tool.input_schema["required"] == ["tenant"]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"n": 1}, "tenant"),
        ({"tenant": 3}, "tenant"),
        ({"tenant": object()}, "tenant"),
        ({"tenant": "a", "tags": [float("nan")]}, "tags[0]"),
        ({"tenant": "\ud800"}, "tenant"),
    ],
    ids=["missing", "another type", "not JSON", "not finite", "a lone surrogate"],
)
async def test_an_extensions_wrong_arguments_are_the_callers_fault(given, path):
    trace: Trace = []
    error = await refused_tool(extended(trace), given)
    assert error.code == "VALIDATION_ERROR"
    assert [issue["path"] for issue in error.details["issues"]] == [path]
    assert trace == []


async def test_json_text_is_read_for_an_extension_as_for_an_input():
    trace: Trace = []
    await call_tool(extended(trace), {"tenant": "acme", "tags": '["a"]'})
    assert trace[0] == "resolve acme ['a']"


async def test_an_extension_that_refuses_stops_the_call_first():
    trace: Trace = []

    def refuse(extra, call):
        raise pf.forbidden("Not your tenant.")

    surface = extended(
        trace,
        resolve=refuse,
        hooks=pf.Hooks(
            before_tool_call=lambda call: trace.append("before"),
            after_tool_call=lambda outcome: trace.append("after"),
        ),
    )
    error = await refused_tool(surface, {"tenant": "acme"})
    assert error.code == "FORBIDDEN"
    assert trace == ["after"]


async def test_a_hooks_replacement_cant_resolve_the_extension_again():
    trace: Trace = []
    surface = extended(
        trace, hooks=pf.Hooks(before_tool_call=lambda call: {"tenant": "other", "n": 5})
    )
    assert await call_tool(surface, {"tenant": "acme", "n": 1}) == 5
    assert trace == ["resolve acme []", "handler 5 acme"]


async def test_an_extension_leaves_http_and_other_operations_alone():
    trace: Trace = []
    surface = extended(trace, applies=lambda operation: False)
    assert await call_tool(surface, {"n": 2}) == 2
    assert (await ask_http(extended(trace), "POST", "/things", b'{"n":4}')).json == 4
    assert trace == ["handler 2 None", "handler 4 None"]


def test_a_key_that_an_operation_has_too_is_refused_when_it_is_collected():
    class Clash(BaseModel):
        n: int

    surface = extended([], arguments=Clash)
    [fault] = faults_of(lambda: collect_tools(surface, "MCP"))
    assert fault == (
        "`Things.do` and the extension `Clash` both read `n`; "
        "rename one, or leave the operation out with `applies=`."
    )


@pytest.mark.parametrize("arguments", [int, list[int], dict[str, int]], ids=str)
def test_an_extension_without_declared_keys_is_refused(arguments):
    [fault] = faults_of(lambda: pf.Extension(arguments=arguments, resolve=lambda *_: None))
    assert fault.startswith("an extension's `arguments=` is an object with declared keys, not `")
    assert fault.endswith("`; use a model.")
