"""Runtime tools: pathless operations, declared on one line and run as any other."""

import inspect
from contextlib import asynccontextmanager
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app
from polyface.operations.runtime_tool import RUNTIME_TRANSPORTS
from polyface.surface.collect import collect_http, collect_tools
from tests.contract.faults import faults_of
from tests.execution.calls import Trace, call_tool
from tests.http.exchange import ask
from tests.surface.showcase import Wait, Waited, mixed_surface, wait_tool

pytestmark = pytest.mark.anyio


def surface_of_tool(tool: Any, **options: Any) -> pf.Surface[Any]:
    return pf.Surface(runtime_tools=[tool], **options)


def implemented(handler: Any, **options: Any) -> Any:
    """Declare `wait` with a handler of one's own."""
    declare: Any = pf.runtime_tool
    given = {
        "name": "wait",
        "desc": "Wait.",
        "identity": pf.Identity(service="jobs", operation="wait"),
        "input": Wait,
        "output": Waited,
    }
    return declare(**given | options)(handler)


# --- what is declared ------------------------------------------------------------------------


def test_a_runtime_tool_is_one_pathless_operation():
    operation = wait_tool(meta={"a": 1}, timeout_seconds=3, idempotent=True).operation
    assert (operation.kind, operation.path, operation.label) == ("runtime", "", "jobs.wait")
    assert (operation.params, operation.view, operation.captures) == (None, None, {})
    assert operation.expose == RUNTIME_TRANSPORTS == ("MCP", "AGENT")
    assert (operation.tool_name, operation.derived_name) == ("wait", False)
    assert (operation.meta, operation.timeout_seconds, operation.idempotent) == ({"a": 1}, 3, True)


def test_it_keeps_its_handler_for_tests():
    async def wait(call: Any) -> Any:
        return {"done": True}

    assert implemented(wait).handler is wait


OPTIONS: dict[str, Any] = {
    "annotations": pf.ToolAnnotations(read_only=True),
    "ui": pf.UiResource(resource_uri="ui://jobs/app"),
    "mcp": pf.McpOptions(meta={"a": 1}),
    "scope": "staff",
    "errors": (pf.ErrorDefinition(status=409, message="Busy.", code="BUSY"),),
    "present": pf.Presenters(mcp=lambda answer, call: pf.Presentation(content=[])),
    "expose": ("AGENT",),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_every_option_is_kept_as_it_was_given(name):
    assert getattr(wait_tool(**{name: OPTIONS[name]}).operation, name) == OPTIONS[name]


def test_it_has_neither_a_view_nor_params():
    names = set(inspect.signature(pf.runtime_tool).parameters)
    assert names.isdisjoint({"view", "params", "project", "defaults", "path", "method"})
    with pytest.raises(TypeError):
        wait_tool(params=Wait)


IDENTITY = pf.Identity(service="jobs", operation="wait")
REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "on HTTP": (
        {"expose": ["HTTP"]},
        (
            "the runtime tool `wait`: `HTTP` never reaches a runtime tool; it is exposed on `MCP`, "
            "`AGENT` or both. For others declare an endpoint of a contract."
        ),
    ),
    "on the command line": (
        {"expose": ["MCP", "CLI"]},
        (
            "the runtime tool `wait`: `CLI` never reaches a runtime tool; it is exposed on `MCP`, "
            "`AGENT` or both. For others declare an endpoint of a contract."
        ),
    ),
    "on nothing": (
        {"expose": []},
        "the runtime tool `wait`: `expose` names each transport once, and at least one.",
    ),
    "on one twice": (
        {"expose": ["MCP", "MCP"]},
        "the runtime tool `wait`: `expose` names each transport once, and at least one.",
    ),
    "with a number for a description": (
        {"desc": 3},
        "the runtime tool `wait`: `desc` is text, not `3`.",
    ),
    "on a bare string": (
        {"expose": "MCP"},
        "the runtime tool `wait`: `expose` is a list; write `expose=['MCP']`.",
    ),
    "an illegal name": (
        {"name": "jobs/wait"},
        "the runtime tool `jobs/wait`: the name `jobs/wait` doesn't match `[A-Za-z0-9_-]{1,64}`.",
    ),
    "no description": (
        {"desc": " "},
        "the runtime tool `wait`: `desc` is empty; a model chooses tools by it.",
    ),
    "an identity as text": (
        {"identity": "jobs.wait"},
        "the runtime tool `wait`: `identity=` takes `Identity(service=..., operation=...)`.",
    ),
    "a list as input": (
        {"input": list[Wait]},
        (
            "the runtime tool `wait`: a tool's arguments are a JSON object, but `input=` is "
            "`list[Wait]`; wrap it in a model."
        ),
    ),
    "a presenter of nothing": (
        {"output": None, "present": pf.Presenters()},
        "the runtime tool `wait`: `present=` shows an answer; declare `output=`.",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_declaration_is_refused_on_its_line(name):
    options, message = REFUSED[name]
    assert faults_of(lambda: wait_tool(**options)) == [message]


def test_a_schema_that_pydantic_cant_make_names_the_tool():
    [fault] = faults_of(lambda: wait_tool(output=object()))
    assert fault.startswith("the runtime tool `wait`: `output=`: ")


@pytest.mark.parametrize(
    "handler",
    [None, 3, lambda: None, lambda call, more: None],
    ids=["null", "a number", "takes none", "takes two"],
)
def test_a_handler_takes_the_call_alone(handler):
    [fault] = faults_of(lambda: implemented(handler))
    assert "one argument, the call" in fault


def test_two_tools_of_one_identity_are_refused_with_it():
    other = wait_tool(name="other")
    assert faults_of(lambda: pf.Surface(runtime_tools=[wait_tool(), other])) == [
        "two runtime tools have the identity `jobs.wait`; change one."
    ]


def test_one_tool_given_twice_is_refused():
    tool = wait_tool()
    assert faults_of(lambda: pf.Surface(runtime_tools=[tool, tool])) == [
        "two runtime tools have the identity `jobs.wait`; change one."
    ]


def test_what_is_no_runtime_tool_is_refused():
    [fault] = faults_of(lambda: pf.Surface(runtime_tools=[print]))  # type: ignore[list-item]
    assert fault.endswith("isn't a runtime tool; decorate it with `runtime_tool(...)`.")


# --- where it is reached ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expose", "reached"),
    [
        (None, {"MCP", "AGENT"}),
        (["MCP"], {"MCP"}),
        (["AGENT"], {"AGENT"}),
        (["AGENT", "MCP"], {"MCP", "AGENT"}),
    ],
)
def test_it_mounts_on_mcp_agents_or_both_and_nowhere_else(expose, reached):
    surface = surface_of_tool(wait_tool(expose=expose))
    assert {
        transport for transport in ("MCP", "AGENT", "CLI") if collect_tools(surface, transport)
    } == reached
    assert collect_http(surface) == ()


async def test_it_has_no_http_operation_and_no_place_in_the_openapi_document():
    app = http_app(mixed_surface())
    document = (await ask(app, "GET", "/openapi.json")).json
    assert len(document["paths"]) == 3
    assert "jobs" not in str(document)
    for method in ("GET", "POST"):
        for target in ("/wait", "/jobs/wait", "/jobs", "/"):
            assert (await ask(app, method, target)).status == 404


# --- how it runs -----------------------------------------------------------------------------


async def test_it_runs_in_the_same_runner_with_every_hook():
    trace: Trace = []

    @asynccontextmanager
    async def context(call):
        trace.append("opened")
        yield "context"
        trace.append("closed")

    def handler(call):
        trace.append(f"handler {call.input.job} {call.params} {call.context} {call.identity}")
        return {"done": True, "extra": 1}

    surface = surface_of_tool(
        implemented(handler, scope="staff"),
        context=context,
        hooks=pf.Hooks(
            identify=lambda call: "ada",
            before_tool_call=lambda call: trace.append("before_tool_call"),
            authorize=lambda call: trace.append(f"authorize {call.operation.scope}"),
            before=lambda call: trace.append("before"),
            after=lambda call, value: trace.append("after"),
            after_tool_call=lambda outcome: trace.append(f"told {outcome.answer!r}"),
            on_output_strip=lambda report: trace.append(f"strip {report.entries[0].path}"),
        ),
    )
    assert await call_tool(surface, {"job": "7"}) == {"done": True}
    assert trace == [
        "before_tool_call",
        "authorize staff",
        "opened",
        "before",
        "handler 7 None context ada",
        "after",
        "strip extra",
        "closed",
        "told b'{\"done\":true}'",
    ]


@pytest.mark.parametrize("transport", ["MCP", "AGENT"])
async def test_wrong_arguments_and_wrong_answers_are_told_as_those_of_contract_tools(transport):
    trace: Trace = []

    def handler(call):
        trace.append("handler")
        return {"done": "maybe"}

    invoker = pf.tool_invoker(surface_of_tool(implemented(handler)), transport=transport)
    refused = (await invoker.invoke("wait", {"seconds": 1})).error
    assert refused is not None
    assert refused.code == "VALIDATION_ERROR"
    assert trace == []
    broken = (await invoker.invoke("wait", {"job": "7"})).error
    assert broken is not None
    assert broken.code == "INTERNAL_SERVER_ERROR"
    assert trace == ["handler"]


async def test_an_async_handler_and_an_empty_answer_work():
    async def handler(call):
        return None

    surface = surface_of_tool(implemented(handler, input=None, output=None))
    assert await call_tool(surface) is None


def test_on_a_guarded_surface_a_scope_is_named():
    hooks = pf.Hooks(authorize=lambda call: None)
    assert faults_of(lambda: surface_of_tool(wait_tool(), hooks=hooks)) == [
        (
            "the runtime tool `jobs.wait` names no scope, but the surface is guarded; name one, "
            '`scope="public"` if it is for everyone.'
        )
    ]
    surface_of_tool(wait_tool(scope="public"), hooks=hooks)
    [fault] = faults_of(lambda: surface_of_tool(wait_tool(scope="staff")))
    assert "has the scope `staff`, but the surface has no `Hooks(authorize=...)`" in fault


async def test_a_surfaces_extension_leaves_runtime_tools_alone():
    class Tenancy(BaseModel):
        tenant: str

    surface = surface_of_tool(
        wait_tool(), extension=pf.Extension(arguments=Tenancy, resolve=lambda *_: None)
    )
    assert await call_tool(surface, {"job": "7"}) == {"done": True}
    [tool] = collect_tools(surface, "MCP")
    assert "tenant" not in tool.input_schema["properties"]
