"""No call sees what another one sets: in parallel, nested, and in threads."""

import threading
from contextvars import ContextVar
from typing import Any

import anyio
import anyio.from_thread
import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.execution.isolation import isolated
from tests.execution.calls import call_tool, post, surface_of, surface_of_all

pytestmark = pytest.mark.anyio

WHO: ContextVar[str] = ContextVar("who", default="nobody")


class Name(BaseModel):
    name: str


def remembering(handler: Any, **hooks: Any) -> pf.Surface[Any]:
    return surface_of(post(input=Name, output=Any), handler, hooks=pf.Hooks(**hooks))


async def test_what_a_call_sets_stays_inside_it():
    async def handler(call):
        WHO.set(call.input.name)
        return WHO.get()

    WHO.set("outside")
    assert await call_tool(remembering(handler), {"name": "inside"}) == "inside"
    assert WHO.get() == "outside"


async def test_what_surrounds_a_call_can_be_read_inside_it():
    def in_thread(call):
        return WHO.get()

    WHO.set("outside")
    assert await call_tool(remembering(in_thread), {"name": "x"}) == "outside"


async def test_what_a_hook_sets_reaches_the_handler_of_its_call_in_a_thread_too():
    def handler(call):
        return WHO.get()

    def remember(call):
        WHO.set(call.input.name)

    surface = remembering(handler, before=remember)
    assert await call_tool(surface, {"name": "hooked"}) == "hooked"
    assert WHO.get() != "hooked"


async def test_parallel_calls_never_see_each_others_variables():
    seen: dict[str, list[str]] = {}
    entered: list[anyio.Event] = [anyio.Event(), anyio.Event()]

    async def handler(call):
        WHO.set(call.input.name)
        first = not entered[0].is_set()
        entered[0 if first else 1].set()
        await entered[1].wait()  # both are inside before either goes on
        return WHO.get()

    surface = remembering(
        handler,
        after_tool_call=lambda outcome: seen.setdefault(WHO.get(), []).append(
            outcome.call.input.name
        ),
    )
    answers: list[str] = []

    async def one(name):
        answers.append(await call_tool(surface, {"name": name}))

    async with anyio.create_task_group() as group:
        group.start_soon(one, "ada")
        group.start_soon(one, "bob")
    assert sorted(answers) == ["ada", "bob"]
    assert seen == {"ada": ["ada"], "bob": ["bob"]}


async def test_a_nested_call_leaves_its_callers_variables_and_context_alone():
    opened: list[str] = []

    def context(call):
        opened.append(call.operation.key)
        return {"of": call.operation.key}

    async def outer(call):
        WHO.set("outer")
        inner = await call_tool(surface, {"name": "x"}, name="inner_thing")
        return [inner, WHO.get(), call.context, call.input.name]

    async def nested(call):
        WHO.set("inner")
        return [WHO.get(), call.context]

    surface = surface_of_all(
        {
            "outer": (post(input=Name, output=Any), outer),
            "inner": (pf.put("/x", desc="Inner.", input=Name, output=Any), nested),
        },
        context=context,
    )
    assert await call_tool(surface, {"name": "y"}) == [
        ["inner", {"of": "inner"}],
        "outer",
        {"of": "outer"},
        "y",
    ]
    assert opened == ["outer", "inner"]


async def test_each_of_many_parallel_calls_in_threads_gets_its_own_input():
    def handler(call):
        WHO.set(call.input.name)
        return [WHO.get(), call.input.name]

    surface = remembering(handler)
    answers: list[Any] = []

    async def one(name):
        answers.append(await call_tool(surface, {"name": name}))

    async with anyio.create_task_group() as group:
        for index in range(50):
            group.start_soon(one, str(index))
    assert sorted(answers) == sorted([str(index), str(index)] for index in range(50))


async def test_a_handler_may_open_task_groups_and_deadlines():
    async def handler(call):
        found: list[str] = []

        async def child():
            found.append(WHO.get())

        WHO.set("parent")
        with anyio.fail_after(60):
            async with anyio.create_task_group() as group:
                group.start_soon(child)
        return found

    assert await call_tool(remembering(handler), {"name": "x"}) == ["parent"]


# --- the mechanism ----------------------------------------------------------------------------


async def test_an_isolated_coroutine_answers_and_raises_like_any_other():
    async def answers(value):
        await anyio.lowlevel.checkpoint()
        return value

    async def raises():
        await anyio.lowlevel.checkpoint()
        raise KeyError("x")

    assert await isolated(answers(3)) == 3
    with pytest.raises(KeyError):
        await isolated(raises())


def test_closing_an_isolated_coroutine_runs_its_cleanup():
    trace: list[str] = []

    async def waits():
        try:
            await anyio.sleep_forever()
        finally:
            trace.append("cleaned up")

    async def run():
        await isolated(waits())

    async def main():
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(run)
                await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
        finally:
            trace.append("left")

    anyio.run(main)
    assert trace == ["cleaned up", "left"]


# --- threads ----------------------------------------------------------------------------------


async def test_sync_handlers_run_in_a_bounded_pool():
    active: list[int] = []
    most: list[int] = []
    lock = threading.Lock()
    barrier = threading.Barrier(2)

    def handler(call):
        with lock:
            active.append(1)
            most.append(len(active))
        barrier.wait(timeout=60)  # nobody leaves before two are inside
        with lock:
            active.pop()
        return threading.current_thread() is threading.main_thread()

    surface = surface_of(post(input=Name, output=bool), handler, limits=pf.Limits(max_threads=2))
    answers: list[bool] = []

    async def one():
        answers.append(await call_tool(surface, {"name": "x"}))

    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(one)
    assert answers == [False] * 8
    assert max(most) == 2


async def test_a_sync_handler_that_calls_a_sync_tool_doesnt_wait_for_its_own_thread():
    def outer(call):
        return anyio.from_thread.run(nest, call.input.name)

    async def nest(name):
        return await call_tool(surface, {"name": name}, name="inner_thing")

    surface = surface_of_all(
        {
            "outer": (post(input=Name, output=str), outer),
            "inner": (
                pf.put("/x", desc="Inner.", input=Name, output=str),
                lambda call: call.input.name.upper(),
            ),
        },
        limits=pf.Limits(max_threads=1),
    )
    with anyio.fail_after(60):
        assert await call_tool(surface, {"name": "deep"}) == "DEEP"


@pytest.mark.parametrize(
    ("limit", "value"),
    [("max_threads", 0), ("max_depth", -1), ("max_body_bytes", 1.5), ("max_threads", True)],
)
def test_a_limit_that_bounds_nothing_is_refused(limit, value):
    with pytest.raises(pf.DeclarationError) as refused:
        pf.Limits(**{limit: value})
    assert str(refused.value) == f"`Limits({limit}={value!r})`: a limit is a positive integer."
