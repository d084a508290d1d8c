"""A surface's lifespan is entered once, whatever mounts it and however often."""

import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import anyio.to_thread
import httpx2
import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app
from polyface.mcp import mcp_server
from tests.contract.faults import faults_of
from tests.execution.calls import Trace, call_tool, post, surface_of
from tests.http.exchange import ask, running

pytestmark = pytest.mark.anyio


class Who(BaseModel):
    who: str


def living(trace: Trace) -> pf.Surface[Any]:
    @asynccontextmanager
    async def lifespan(surface):
        await anyio.lowlevel.checkpoint()
        trace.append("opened")
        yield
        await anyio.lowlevel.checkpoint()
        trace.append("closed")

    return surface_of(post(output=int), lambda call: 1, lifespan=lifespan)


async def test_two_mounts_in_one_application_share_one_lifespan():
    trace: Trace = []
    surface = living(trace)
    mcp = mcp_server(surface, name="things", version="1")
    app = http_app(surface, routes=[mcp.route()], lifespan=mcp.running)
    async with running(app):
        assert (await ask(app, "POST", "/things")).json == 1
        assert await call_tool(surface) == 1
        assert trace == ["opened"]
    assert trace == ["opened", "closed"]


async def test_mounts_that_start_together_open_it_once_and_the_last_to_stop_closes_it():
    trace: Trace = []
    surface = living(trace)
    inside = anyio.Event()
    leave = [anyio.Event(), anyio.Event()]

    async def mount(index):
        async with surface.running():
            if index:
                inside.set()
            await leave[index].wait()

    async with anyio.create_task_group() as group:
        for index in range(2):
            group.start_soon(mount, index)
        await inside.wait()
        assert trace == ["opened"]
        leave[1].set()
        await anyio.wait_all_tasks_blocked()
        assert trace == ["opened"]
        leave[0].set()
    assert trace == ["opened", "closed"]


async def test_a_call_in_process_opens_the_lifespan_that_nothing_else_holds():
    trace: Trace = []
    surface = living(trace)
    assert await call_tool(surface) == 1
    assert trace == ["opened", "closed"]


async def test_a_surface_can_be_mounted_again_after_it_was_closed():
    trace: Trace = []
    surface = living(trace)
    for _ in range(2):
        async with surface.running():
            pass
    assert trace == ["opened", "closed"] * 2


def test_a_surface_works_on_one_event_loop_after_another():
    trace: Trace = []
    surface = living(trace)
    assert [anyio.run(call_tool, surface) for _ in range(2)] == [1, 1]
    assert trace == ["opened", "closed"] * 2


async def test_a_lifespan_that_fails_to_open_leaves_nothing_mounted():
    trace: Trace = []

    @asynccontextmanager
    async def lifespan(surface):
        trace.append("tried")
        if len(trace) == 1:
            raise OSError("no database")
        yield

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)
    with pytest.raises(OSError, match="no database"):
        async with surface.running():
            trace.append("inside")
    async with surface.running():
        trace.append("inside")
    assert trace == ["tried", "tried", "inside"]


async def test_a_lifespan_may_hold_a_task_group():
    trace: Trace = []

    @asynccontextmanager
    async def lifespan(surface):
        async def work():
            try:
                await anyio.sleep_forever()
            finally:
                trace.append("worker stopped")

        async with anyio.create_task_group() as group:
            group.start_soon(work)
            yield
            group.cancel_scope.cancel()

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)
    async with surface.running():
        assert await call_tool(surface) == 1
        await anyio.wait_all_tasks_blocked()
    assert trace == ["worker stopped"]


async def test_calls_that_come_and_go_share_a_lifespan_that_holds_a_task_group():
    trace: Trace = []

    @asynccontextmanager
    async def lifespan(surface):
        async with anyio.create_task_group() as group:
            trace.append("opened")
            yield
            group.cancel_scope.cancel()
        trace.append("closed")

    both = anyio.Event()
    leave = {"first": anyio.Event(), "second": anyio.Event()}

    async def handler(call):
        if call.input.who == "second":
            both.set()
        await leave[call.input.who].wait()
        return 1

    surface = surface_of(post(input=Who, output=int), handler, lifespan=lifespan)
    answers: list[Any] = []

    async def caller(who):
        answers.append((who, await call_tool(surface, {"who": who})))

    async with anyio.create_task_group() as group:
        group.start_soon(caller, "first")
        group.start_soon(caller, "second")
        await both.wait()
        leave["first"].set()  # who opened it leaves before the one that shares it
        await anyio.wait_all_tasks_blocked()
        assert (trace, answers) == (["opened"], [("first", 1)])
        leave["second"].set()
    assert (trace, answers) == (["opened", "closed"], [("first", 1), ("second", 1)])


async def test_a_mount_that_starts_while_another_stops_opens_it_again_afterwards():
    trace: Trace = []
    closing, close = anyio.Event(), anyio.Event()

    @asynccontextmanager
    async def lifespan(surface):
        trace.append("opened")
        yield
        closing.set()
        await close.wait()
        trace.append("closed")

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)

    async def mount():
        async with surface.running():
            trace.append("inside")

    async with anyio.create_task_group() as group:
        group.start_soon(mount)
        await closing.wait()
        group.start_soon(mount)
        await anyio.wait_all_tasks_blocked()
        assert trace == ["opened", "inside"]
        close.set()
    assert trace == ["opened", "inside", "closed"] * 2


async def test_a_mount_that_is_cancelled_while_it_opens_leaves_nothing_open():
    trace: Trace = []
    opening = anyio.Event()

    @asynccontextmanager
    async def lifespan(surface):
        try:
            opening.set()
            await anyio.sleep_forever()
            yield
        finally:
            trace.append("cleaned up")

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)

    async def mount():
        async with surface.running():
            trace.append("inside")

    async with anyio.create_task_group() as group:
        group.start_soon(mount)
        await opening.wait()
        group.cancel_scope.cancel()
    assert trace == ["cleaned up"]


async def test_a_cancelled_mount_closes_its_lifespan_to_the_end():
    trace: Trace = []
    surface = living(trace)
    inside = anyio.Event()

    async def mount():
        async with surface.running():
            inside.set()
            await anyio.sleep_forever()

    async with anyio.create_task_group() as group:
        group.start_soon(mount)
        await inside.wait()
        group.cancel_scope.cancel()
    assert trace == ["opened", "closed"]


async def test_a_lifespan_that_ends_by_itself_refuses_calls_and_tells_its_mount(caplog):
    fails = anyio.Event()

    @asynccontextmanager
    async def lifespan(surface):
        async def work():
            await fails.wait()
            raise OSError("the queue is gone")

        async with anyio.create_task_group() as group:
            group.start_soon(work)
            yield

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)
    app = http_app(surface)

    async def mount():
        async with surface.running():
            assert (await ask(app, "POST", "/things")).status == 200
            fails.set()
            await anyio.wait_all_tasks_blocked()
            assert (await ask(app, "POST", "/things")).status == 503

    with pytest.raises(ExceptionGroup) as caught:
        await mount()
    assert [str(error) for error in caught.value.exceptions] == ["the queue is gone"]
    assert "lifespan ended while it was in use" in caplog.text


async def test_another_event_loop_shares_the_lifespan_that_is_open():
    trace: Trace = []
    surface = living(trace)
    async with surface.running():
        answer = await anyio.to_thread.run_sync(lambda: anyio.run(call_tool, surface))
        assert (answer, trace) == (1, ["opened"])
    assert trace == ["opened", "closed"]


async def test_the_last_holder_may_be_on_another_event_loop():
    trace: Trace = []
    surface = living(trace)
    inside, leave = threading.Event(), threading.Event()

    async def elsewhere():
        async with surface.running():
            inside.set()
            await anyio.to_thread.run_sync(leave.wait)

    async with anyio.create_task_group() as group:
        async with surface.running():
            group.start_soon(lambda: anyio.to_thread.run_sync(lambda: anyio.run(elsewhere)))
            await anyio.to_thread.run_sync(inside.wait)
        assert trace == ["opened"]
        leave.set()
    assert trace == ["opened", "closed"]


async def test_a_lifespan_is_closed_when_its_mount_fails():
    trace: Trace = []
    surface = living(trace)
    with pytest.raises(RuntimeError):
        async with surface.running():
            raise RuntimeError("the server broke")
    assert trace == ["opened", "closed"]


async def test_a_lifespan_is_given_its_surface():
    seen: list[Any] = []

    @asynccontextmanager
    async def lifespan(surface):
        seen.append(surface)
        yield

    surface = surface_of(post(output=int), lambda call: 1, lifespan=lifespan)
    async with surface.running():
        pass
    assert seen == [surface]


async def test_a_call_before_the_lifespan_is_open_is_refused_before_the_handler(
    caplog: Any,
) -> None:
    calls: list[str] = []

    class Things(pf.Contract, prefix="things"):
        fetch = pf.get("/", desc="A thing.")

    things = pf.implement(Things)

    @things.handler(Things.fetch)
    def fetch(call: Any) -> None:
        calls.append("handler")

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        yield

    surface = pf.Surface([things], lifespan=lifespan)
    app = http_app(surface)
    transport = httpx2.ASGITransport(app)  # runs no lifespan, as a mount doesn't
    async with httpx2.AsyncClient(transport=transport, base_url="http://things.test") as http:
        closed = await http.get("/things")
        async with surface.running():
            opened = await http.get("/things")
    assert (closed.status_code, closed.json()["error"]["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert opened.status_code == 204
    assert calls == ["handler"]
    assert "enter `surface.running()`" in caplog.text


@asynccontextmanager
async def entered(_: Any) -> AsyncIterator[None]:
    raise AssertionError("it ran")
    yield


@pytest.mark.parametrize("lifespan", [entered(None), 3], ids=["called already", "a number"])
@pytest.mark.parametrize(
    ("mount", "of"),
    [
        (lambda given: pf.Surface(lifespan=given), "surface"),
        (lambda given: http_app(pf.Surface(), lifespan=given), "application"),
    ],
    ids=["surface", "application"],
)
def test_a_lifespan_is_passed_without_being_called(mount: Any, of: str, lifespan: Any) -> None:
    assert faults_of(lambda: mount(lifespan)) == [
        (
            f"`lifespan=` takes a function of the {of}, not `{type(lifespan).__name__}`; "
            f"write its name without calling it, as `lifespan=server.running`."
        )
    ]
