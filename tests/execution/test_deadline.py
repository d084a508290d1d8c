"""Deadlines and cancellation: what they reach, and what they never cut short."""

import asyncio
import threading
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import pytest
from pydantic import BaseModel

import polyface as pf
from tests.execution.calls import (
    Trace,
    ask_http,
    call_tool,
    hooks_of,
    post,
    refused_tool,
    surface_of,
)

pytestmark = pytest.mark.anyio

SOON = 0.01


class Number(BaseModel):
    n: int = 0


async def forever(call: Any) -> None:
    await anyio.sleep_forever()


@pytest.mark.parametrize("hook", ["before_tool_call", "identify", "authorize", "before"])
async def test_a_hook_that_never_answers_is_cut_off_at_the_deadline(hook):
    ran: list[str] = []
    surface = surface_of(
        post(output=int, timeout_seconds=SOON),
        lambda call: ran.append("handler"),
        hooks=hooks_of(**{hook: forever}),
    )
    error = await refused_tool(surface)
    assert (error.code, error.status, error.retryable) == ("REQUEST_TIMEOUT", 408, True)
    assert error.message == f"The operation took over {SOON} s."
    assert ran == []


async def test_a_handler_is_cut_off_at_the_deadline_on_every_mount():
    trace: Trace = []

    async def handler(call):
        try:
            await anyio.sleep_forever()
        finally:
            trace.append(f"cut off on {call.source}")

    surface = surface_of(post(output=int, timeout_seconds=SOON), handler)
    assert (await refused_tool(surface)).code == "REQUEST_TIMEOUT"
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.code) == (408, "REQUEST_TIMEOUT")
    assert trace == ["cut off on internal", "cut off on HTTP"]


async def test_the_context_of_a_late_call_may_await_its_rollback():
    trace: Trace = []

    @asynccontextmanager
    async def context(call):
        try:
            yield
        except pf.OperationError as error:
            await anyio.lowlevel.checkpoint()  # a rollback talks to its database
            trace.append(f"rolled back by {error.code}")
            raise

    surface = surface_of(post(output=int, timeout_seconds=SOON), forever, context=context)
    assert (await refused_tool(surface)).code == "REQUEST_TIMEOUT"
    assert trace == ["rolled back by REQUEST_TIMEOUT"]


async def test_a_context_that_never_opens_is_cut_off_at_the_deadline():
    surface = surface_of(post(output=int, timeout_seconds=SOON), lambda call: 1, context=forever)
    assert (await refused_tool(surface)).code == "REQUEST_TIMEOUT"


async def test_an_operation_in_time_is_answered():
    async def handler(call):
        await anyio.lowlevel.checkpoint()
        return 1

    surface = surface_of(post(output=int, timeout_seconds=3600), handler, context=lambda call: None)
    assert await call_tool(surface) == 1


async def test_a_deadline_of_the_handlers_own_isnt_the_operations():
    async def handler(call):
        with anyio.fail_after(0):
            await anyio.sleep_forever()

    surface = surface_of(post(output=int, timeout_seconds=3600), handler)
    error = await refused_tool(surface)
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert isinstance(error.__cause__, TimeoutError)


async def test_a_sync_handler_can_see_that_its_call_is_over():
    seen: list[str] = []
    never = threading.Event()

    def handler(call):
        try:
            while not never.wait(timeout=0.001):
                anyio.from_thread.check_cancelled()
        except BaseException as error:
            seen.append(type(error).__name__)
            raise

    surface = surface_of(post(output=int, timeout_seconds=SOON), handler)
    assert (await refused_tool(surface)).code == "REQUEST_TIMEOUT"
    assert seen == ["CancelledError"]


# --- cancellation from outside ----------------------------------------------------------------


async def cancelled_inside(surface: pf.Surface[Any], inside: anyio.Event) -> None:
    """Call the surface's tool, and cancel the call once its handler is running."""
    async with anyio.create_task_group() as group:
        group.start_soon(call_tool, surface)
        await inside.wait()
        group.cancel_scope.cancel()


async def test_cancellation_reaches_an_async_handler_and_closes_its_context():
    inside = anyio.Event()
    trace: Trace = []

    @asynccontextmanager
    async def context(call):
        try:
            yield
        finally:
            trace.append("closed")

    async def handler(call):
        inside.set()
        try:
            await anyio.sleep_forever()
        except asyncio.CancelledError:
            trace.append("cancelled")
            raise

    with anyio.fail_after(60):
        await cancelled_inside(surface_of(post(output=int), handler, context=context), inside)
    assert trace == ["cancelled", "closed"]


async def test_after_tool_call_hears_of_a_cancelled_call_and_may_await():
    inside = anyio.Event()
    outcomes: list[tuple[Any, ...]] = []

    async def after_tool_call(outcome):
        await anyio.lowlevel.checkpoint()
        outcomes.append((outcome.cancelled, outcome.answer, outcome.error))

    async def handler(call):
        inside.set()
        await anyio.sleep_forever()

    surface = surface_of(post(output=int), handler, hooks=pf.Hooks(after_tool_call=after_tool_call))
    with anyio.fail_after(60):
        await cancelled_inside(surface, inside)
    assert outcomes == [(True, None, None)]


async def test_a_cancelled_call_isnt_an_error_and_leaves_no_work_behind():
    inside = anyio.Event()
    trace: Trace = []

    async def handler(call):
        call.after_answer(trace.append, "sent")
        inside.set()
        await anyio.sleep_forever()

    surface = surface_of(
        post(output=int),
        handler,
        hooks=pf.Hooks(on_error=lambda call, error: trace.append(error.code)),
    )
    with anyio.fail_after(60):
        await cancelled_inside(surface, inside)
    assert trace == []


async def test_a_failed_or_cancelled_call_changes_nothing_for_the_next_one():
    inside = anyio.Event()
    calls: list[int] = []

    async def handler(call):
        calls.append(1)
        if len(calls) == 1:
            inside.set()
            await anyio.sleep_forever()
        if len(calls) == 2:
            raise RuntimeError("broken")
        return len(calls)

    surface = surface_of(post(output=int), handler)
    with anyio.fail_after(60):
        await cancelled_inside(surface, inside)
    assert (await refused_tool(surface)).code == "INTERNAL_SERVER_ERROR"
    assert await call_tool(surface) == 3
