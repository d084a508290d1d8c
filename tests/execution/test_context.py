"""The application's context of a call: every form of a factory, and what closing it may do."""

from collections.abc import Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    AsyncExitStack,
    asynccontextmanager,
    contextmanager,
)
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import BaseModel

import polyface as pf
from tests.execution.calls import (
    Trace,
    ask_http,
    call_tool,
    notes_of,
    post,
    refused_tool,
    surface_of,
)

pytestmark = pytest.mark.anyio


class Number(BaseModel):
    n: int = 0


class Session:
    """A transaction that writes down how it ended."""

    def __init__(self, trace: Trace) -> None:
        self.trace = trace

    def leave(self, error: BaseException | None) -> None:
        told = f"rolled back by {type(error).__name__}" if error else "committed"
        self.trace.append(told)


class SyncSession(Session):
    def __enter__(self) -> str:
        self.trace.append("opened")
        return "session"

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> bool | None:
        self.leave(error)
        return None


class AsyncSession(Session):
    async def __aenter__(self) -> str:
        self.trace.append("opened")
        return "session"

    async def __aexit__(
        self, kind: object, error: BaseException | None, where: object
    ) -> bool | None:
        self.leave(error)
        return None


def sync_manager(trace: Trace) -> Any:
    @contextmanager
    def context(call: Any) -> Iterator[str]:
        with SyncSession(trace) as session:
            yield session

    return context


def async_manager(trace: Trace) -> Any:
    @asynccontextmanager
    async def context(call: Any) -> Any:
        async with AsyncSession(trace) as session:
            yield session

    return context


def yielding(trace: Trace) -> Any:
    def context(call: Any) -> Iterator[str]:
        with SyncSession(trace) as session:
            yield session

    return context


def yielding_later(trace: Trace) -> Any:
    async def context(call: Any) -> Any:
        async with AsyncSession(trace) as session:
            yield session

    return context


def awaited_manager(trace: Trace) -> Any:
    async def context(call: Any) -> Any:
        return AsyncSession(trace)

    return context


MANAGERS = {
    "a sync manager": lambda trace: lambda call: SyncSession(trace),
    "an async manager": lambda trace: lambda call: AsyncSession(trace),
    "a decorated generator": sync_manager,
    "a decorated async generator": async_manager,
    "a generator": yielding,
    "an async generator": yielding_later,
    "an awaited manager": awaited_manager,
}
managers = pytest.mark.parametrize("form", MANAGERS.values(), ids=MANAGERS)


def using(factory: Any, handler: Any, **options: Any) -> pf.Surface[Any]:
    return surface_of(post(input=Number, output=Any, **options), handler, context=factory)


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_a_factory_may_return_the_context_itself(is_async):
    async def later(call):
        return {"source": call.source}

    factory = later if is_async else lambda call: {"source": call.source}
    surface = using(factory, lambda call: call.context)
    assert await call_tool(surface) == {"source": "internal"}
    assert (await ask_http(surface, "POST", "/things")).json == {"source": "HTTP"}


async def test_without_a_factory_the_context_is_none():
    assert await call_tool(using(None, lambda call: call.context)) is None


@managers
async def test_a_manager_is_opened_before_the_handler_and_closed_before_the_answer_is_sent(form):
    trace: Trace = []

    def handler(call):
        trace.append(f"handler {call.context}")
        call.after_answer(trace.append, "sent")
        return 1

    assert await call_tool(using(form(trace), handler)) == 1
    assert trace == ["opened", "handler session", "committed", "sent"]


@managers
async def test_each_call_has_a_context_of_its_own(form):
    trace: Trace = []
    surface = using(form(trace), lambda call: 1)
    await call_tool(surface)
    await ask_http(surface, "POST", "/things")
    assert trace == ["opened", "committed"] * 2


def failing(what: str) -> Any:
    def handler(call: Any) -> Any:
        if what == "handler":
            raise pf.not_found("Nobody.")
        return {"n": "many"}

    return handler


@managers
@pytest.mark.parametrize(
    ("what", "code"), [("handler", "NOT_FOUND"), ("check", "INTERNAL_SERVER_ERROR")]
)
async def test_a_manager_sees_the_failure_of_its_call_and_rolls_back(form, what, code):
    trace: Trace = []
    surface = surface_of(post(input=Number, output=Number), failing(what), context=form(trace))
    error = await refused_tool(surface)
    assert error.code == code
    assert trace == ["opened", "rolled back by OperationError"]
    trace.clear()
    assert (await ask_http(surface, "POST", "/things")).code == code
    assert trace == ["opened", "rolled back by OperationError"]


def grouped(depth: int) -> Any:
    @asynccontextmanager
    async def context(call: Any) -> Any:
        async with AsyncExitStack() as stack:
            for _ in range(depth):
                await stack.enter_async_context(anyio.create_task_group())
            yield "tasks"

    return context


@pytest.mark.parametrize("depth", [1, 2])
async def test_a_context_that_holds_a_task_group_lets_an_error_through_as_it_is(depth):
    surface = using(grouped(depth), failing("handler"))
    assert (await refused_tool(surface)).code == "NOT_FOUND"
    assert (await ask_http(surface, "POST", "/things")).status == 404


async def test_a_context_that_holds_a_task_group_lets_a_timeout_through():
    async def handler(call):
        await anyio.sleep_forever()

    surface = using(grouped(1), handler, timeout_seconds=0.01)
    assert (await refused_tool(surface)).code == "REQUEST_TIMEOUT"
    assert (await ask_http(surface, "POST", "/things")).status == 408


async def test_a_context_whose_own_task_fails_beside_the_call_is_a_server_fault():
    @asynccontextmanager
    async def context(call: Any) -> Any:
        async def work():
            try:
                await anyio.sleep_forever()
            finally:
                raise OSError("the audit trail is gone")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(work)
            await anyio.lowlevel.checkpoint()
            yield "tasks"

    assert (await refused_tool(using(context, failing("handler")))).code == "INTERNAL_SERVER_ERROR"


async def test_a_failing_projection_rolls_back():
    trace: Trace = []

    def project(full: Any, call: Any) -> Any:
        return None

    endpoint = pf.with_tool_view(post(output=Number), output=Number, project=project)
    surface = surface_of(endpoint, lambda call: {"n": 1}, context=sync_manager(trace))
    assert (await refused_tool(surface)).code == "INTERNAL_SERVER_ERROR"
    assert trace == ["opened", "rolled back by OperationError"]


@pytest.mark.parametrize("hook", ["before", "after"])
async def test_a_hook_that_refuses_rolls_back(hook):
    trace: Trace = []

    def refuse(*given):
        raise pf.conflict("Not now.")

    surface = surface_of(
        post(output=int),
        lambda call: 1,
        context=async_manager(trace),
        hooks=pf.Hooks(**{hook: refuse}),
    )
    assert (await refused_tool(surface)).code == "CONFLICT"
    assert trace == ["opened", "rolled back by OperationError"]


@pytest.mark.parametrize(
    ("arguments", "hooks"),
    [
        ({"n": "x"}, pf.Hooks()),
        ({}, pf.Hooks(authorize=lambda call: (_ for _ in ()).throw(pf.forbidden("No.")))),
    ],
    ids=["arguments", "authorisation"],
)
async def test_a_call_refused_before_it_runs_opens_no_context(arguments, hooks):
    trace: Trace = []
    surface = surface_of(
        post(input=Number, output=int),
        lambda call: trace.append("handler"),
        context=sync_manager(trace),
        hooks=hooks,
    )
    await refused_tool(surface, arguments)
    assert trace == []


# --- closing ----------------------------------------------------------------------------------


class Unclosable(AbstractContextManager[None]):
    def __exit__(self, *_: object) -> None:
        raise OSError("the commit failed: secret")


class UnclosableLater(AbstractAsyncContextManager[None]):
    async def __aexit__(self, *_: object) -> None:
        raise OSError("the commit failed: secret")


def unclosable(call: Any) -> Iterator[None]:
    yield
    raise OSError("the commit failed: secret")


@pytest.mark.parametrize(
    "factory",
    [lambda call: Unclosable(), lambda call: UnclosableLater(), unclosable],
    ids=["sync", "async", "generator"],
)
async def test_a_failing_close_is_a_server_fault_and_nothing_is_sent(factory):
    sent: list[str] = []
    outcomes: list[pf.ToolOutcome] = []

    def handler(call):
        call.after_answer(sent.append, "sent")
        return 1

    surface = surface_of(
        post(output=int),
        handler,
        context=factory,
        hooks=pf.Hooks(after_tool_call=outcomes.append),
    )
    error = await refused_tool(surface)
    assert (error.code, error.status) == ("INTERNAL_SERVER_ERROR", 500)
    assert isinstance(error.__cause__, OSError)
    assert "secret" not in str(error.envelope())
    assert [(outcome.answer, outcome.error) for outcome in outcomes] == [(None, error)]
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
    assert sent == []


class Swallowing(AbstractContextManager[None]):
    def __exit__(self, *_: object) -> bool:
        return True


@pytest.mark.parametrize("what", ["handler", "check"])
async def test_a_manager_that_swallows_a_failure_makes_no_answer_of_it(what):
    surface = surface_of(
        post(input=Number, output=Number), failing(what), context=lambda call: Swallowing()
    )
    error = await refused_tool(surface)
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error) == ["Things.do: the context swallowed the call's failure"]
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")


async def test_a_manager_that_swallows_leaves_an_answer_alone():
    surface = using(lambda call: Swallowing(), lambda call: 1)
    assert await call_tool(surface) == 1


async def test_a_factory_that_fails_is_a_server_fault_and_the_handler_doesnt_run():
    ran: list[str] = []

    def factory(call):
        raise OSError("no database: secret")

    error = await refused_tool(using(factory, lambda call: ran.append("handler")))
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert "secret" not in str(error.envelope())
    assert ran == []


async def test_a_factory_may_refuse_with_an_error_of_its_own():
    def factory(call):
        raise pf.OperationError("RATE_LIMITED", "Too many connections.")

    assert (await refused_tool(using(factory, lambda call: 1))).code == "RATE_LIMITED"


async def test_a_factory_is_called_with_the_authorised_call():
    seen: list[Any] = []

    def factory(call):
        seen.append((call.identity, call.input, call.request))

    await call_tool(using(factory, lambda call: 1), {"n": 2}, identity="ada")
    assert seen == [("ada", Number(n=2), None)]


async def test_the_request_of_an_http_call_is_at_hand():
    surface = using(lambda call: call.request.url.path, lambda call: call.context)
    assert (await ask_http(surface, "POST", "/things")).json == "/things"


# --- after the answer -------------------------------------------------------------------------


async def test_work_after_the_answer_runs_in_order_with_its_arguments_sync_or_async():
    trace: Trace = []

    async def later(*given):
        trace.append(f"async {given}")

    def handler(call):
        call.after_answer(trace.append, "sync")
        call.after_answer(later, 1, 2)
        return 1

    surface = using(None, handler)
    await call_tool(surface)
    assert trace == ["sync", "async (1, 2)"]
    await ask_http(surface, "POST", "/things")
    assert trace == ["sync", "async (1, 2)"] * 2


async def test_work_after_the_answer_that_fails_is_logged_and_the_rest_still_runs(caplog):
    trace: Trace = []

    def broken():
        raise RuntimeError("no mail today")

    def handler(call):
        call.after_answer(broken)
        call.after_answer(trace.append, "next")
        return 1

    assert await call_tool(using(None, handler)) == 1
    assert trace == ["next"]
    assert "Things.do: work after the answer failed: RuntimeError" in caplog.text
    assert "no mail today" in caplog.text


async def test_a_failed_call_has_no_work_after_its_answer():
    trace: Trace = []

    def handler(call):
        call.after_answer(trace.append, "sent")
        raise pf.not_found("Nobody.")

    await refused_tool(using(None, handler))
    await ask_http(using(None, handler), "POST", "/things")
    assert trace == []


# --- overriding -------------------------------------------------------------------------------


async def test_a_copy_of_the_surface_has_another_context_and_identity():
    surface = surface_of(
        post(output=Any),
        lambda call: [call.context, call.identity],
        context=lambda call: "real",
        hooks=pf.Hooks(identify=lambda call: "asked"),
    )
    copy = surface.overridden(context=yielding([]), identity="tester")
    assert await call_tool(copy) == ["session", "tester"]
    assert (await ask_http(copy, "POST", "/things")).json == ["session", "tester"]
    assert await call_tool(surface) == ["real", "asked"]
    assert await call_tool(surface.overridden()) == ["real", "asked"]
    assert surface.overridden(identity="x").operations == surface.operations


async def test_a_copy_of_the_surface_may_have_other_hooks():
    seen: list[str] = []
    surface = surface_of(
        post(output=int, scope="user"),
        lambda call: 1,
        hooks=pf.Hooks(authorize=lambda call: seen.append("real")),
    )
    copy = surface.overridden(hooks=pf.Hooks(authorize=lambda call: seen.append("test")))
    assert await call_tool(copy) == 1
    assert seen == ["test"]
    with pytest.raises(pf.DeclarationError, match=r"but the surface has no `Hooks"):
        surface.overridden(hooks=pf.Hooks())
