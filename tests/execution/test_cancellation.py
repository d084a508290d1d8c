"""A cancellation that nobody sent to a call is a failure of that call, and ends nothing else."""

import asyncio
from typing import Any

import anyio
import pytest

import polyface as pf
from polyface.mcp import mcp_server
from tests.execution.calls import ask_http, post, refused_tool, surface_of
from tests.mcp.wire import HANDSHAKE, MODERN, connected

pytestmark = pytest.mark.anyio


async def awaits_a_cancelled_task(call: Any) -> int:
    task = asyncio.ensure_future(anyio.sleep_forever())
    await asyncio.sleep(0)
    task.cancel()
    await task
    return 1


async def raises_it(call: Any) -> int:
    raise asyncio.CancelledError


def raises_it_in_a_thread(call: Any) -> int:
    raise asyncio.CancelledError


HANDLERS = [awaits_a_cancelled_task, raises_it, raises_it_in_a_thread]
handlers = pytest.mark.parametrize("handler", HANDLERS, ids=lambda handler: handler.__name__)


@handlers
async def test_over_http_it_is_a_server_fault(handler):
    reply = await ask_http(surface_of(post(output=int), handler), "POST", "/things")
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")


@handlers
@pytest.mark.parametrize("version", [HANDSHAKE[-1], *MODERN])
async def test_over_mcp_it_is_an_error_result_and_the_session_goes_on(handler, version):
    surface = surface_of(post(output=int), handler)
    server = mcp_server(surface, name="things", version="1")
    async with connected(server.asgi(), version) as client:
        for _ in range(2):
            error = await client.fail(surface.operations[0].tool_name)
            assert error["code"] == "INTERNAL_SERVER_ERROR"


@handlers
async def test_in_process_it_is_a_server_fault_with_its_cause(handler):
    error = await refused_tool(surface_of(post(output=int), handler))
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert isinstance(error.__cause__, asyncio.CancelledError)


async def test_hooks_are_told_of_a_failure_and_not_of_a_cancellation():
    outcomes: list[pf.ToolOutcome] = []
    hooks = pf.Hooks(after_tool_call=outcomes.append)
    await refused_tool(surface_of(post(output=int), raises_it, hooks=hooks))
    [outcome] = outcomes
    assert outcome.error is not None
    assert not outcome.cancelled


async def test_a_call_that_is_cancelled_by_its_caller_ends_as_cancelled():
    outcomes: list[pf.ToolOutcome] = []
    hooks = pf.Hooks(after_tool_call=outcomes.append)
    inside = asyncio.Event()

    async def handler(call):
        inside.set()
        await anyio.sleep_forever()

    surface = surface_of(post(output=int), handler, hooks=hooks)
    task = asyncio.ensure_future(refused_tool(surface))
    await inside.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    [outcome] = outcomes
    assert (outcome.error, outcome.cancelled) == (None, True)
