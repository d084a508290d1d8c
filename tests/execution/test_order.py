"""The documented order of one call's stages, on both kinds of mount."""

from contextlib import asynccontextmanager
from typing import Annotated

import pytest
from pydantic import AfterValidator, BaseModel

import polyface as pf
from tests.execution.calls import Trace, ask_http, call_tool, hooks_of, post, surface_of
from tests.execution.calls import noting as noting_call

pytestmark = pytest.mark.anyio


class Made(BaseModel):
    n: int


def traced(trace: Trace, **options):
    """A surface that writes down each stage of its one call as it comes."""

    def noting(name):
        def note(value):
            trace.append(name)
            return value

        return note

    class Key(BaseModel):
        key: Annotated[str, AfterValidator(noting("params"))]

    class Given(BaseModel):
        n: Annotated[int, AfterValidator(noting("parse"))] = 0

    class Out(BaseModel):
        n: Annotated[int, AfterValidator(noting("check"))]

    @asynccontextmanager
    async def context(call):
        trace.append("context opened")
        yield "context"
        trace.append("context closed")

    def project(full, call):
        trace.append("project")
        return {"n": full.n}

    def handler(call):
        trace.append("handler")
        call.after_answer(trace.append, "after answer")
        return {"n": call.input.n}

    hooks = pf.Hooks(
        identify=lambda call: noting_call(trace, "identify") and "ada",
        authorize=lambda call: trace.append(f"authorize {call.identity} {call.params.key}"),
        before=lambda call: trace.append(f"before {call.context}"),
        after=lambda call, value: trace.append("after"),
        before_tool_call=lambda call: trace.append("before tool call"),
        after_tool_call=lambda outcome: trace.append("after tool call"),
    )
    endpoint = pf.with_tool_view(
        pf.post("/{key}", desc="Do it.", params=Key, input=Given, output=Out),
        output=Made,
        project=project,
    )
    return surface_of(endpoint, handler, hooks=hooks, context=context, scope="user", **options)


STAGES = [
    "params",
    "identify",
    "authorize ada k",
    "parse",
    "context opened",
    "before context",
    "handler",
    "after",
    "check",
]


async def test_a_tool_call_runs_its_stages_in_the_documented_order():
    trace: Trace = []
    assert await call_tool(traced(trace), {"key": "k", "n": 3}) == {"n": 3}
    assert trace == [
        "before tool call",
        *STAGES,
        "project",
        "context closed",
        "after tool call",
        "after answer",
    ]


async def test_an_http_call_runs_the_same_stages_without_those_of_tools():
    trace: Trace = []
    reply = await ask_http(traced(trace), "POST", "/things/k", b'{"n": 3}')
    assert (reply.status, reply.json) == (200, {"n": 3})
    assert trace == [*STAGES, "context closed", "after answer"]


async def test_an_unauthorised_request_costs_no_body():
    read: list[str] = []

    def refuse(call):
        raise pf.forbidden("Not you.")

    surface = surface_of(
        post(input=Made, output=Made, scope="user"),
        lambda call: read.append("handler"),
        hooks=pf.Hooks(authorize=refuse),
        context=lambda call: read.append("context"),
    )
    reply = await ask_http(surface, "POST", "/things", b'{"n": "not a number"')
    assert (reply.status, reply.code, reply.chunks_read, read) == (403, "FORBIDDEN", 0, [])


async def test_the_arguments_that_a_hook_rewrote_are_the_ones_authorised():
    seen: list[str] = []

    class Key(BaseModel):
        key: str

    surface = surface_of(
        pf.get("/{key}", desc="Read.", params=Key, output=str, scope="user"),
        lambda call: call.params.key,
        hooks=pf.Hooks(
            before_tool_call=lambda call: {"key": "rewritten"},
            authorize=lambda call: seen.append(call.params.key),
        ),
    )
    assert await call_tool(surface, {"key": "asked"}) == "rewritten"
    assert seen == ["rewritten"]


@pytest.mark.parametrize(
    ("hook", "unknown"),
    [
        ("before_tool_call", ["params", "identity", "input", "context"]),
        ("identify", ["identity", "input", "context"]),
        ("authorize", ["input", "context"]),
        ("before", []),
    ],
)
async def test_what_a_later_stage_fills_in_cant_be_read_earlier(hook, unknown):
    seen: dict[str, str] = {}

    def look(call):
        for name in ("params", "identity", "input", "context"):
            try:
                getattr(call, name)
            except AttributeError as error:
                seen[name] = str(error)

    surface = surface_of(post(output=int), lambda call: 1, hooks=hooks_of(**{hook: look}))
    assert await call_tool(surface) == 1
    assert seen == {
        name: f"`call.{name}` isn't known yet at this stage of the call." for name in unknown
    }
