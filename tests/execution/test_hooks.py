import logging
from collections import OrderedDict
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.execution.calls import (
    ask_http,
    call_tool,
    notes_of,
    noting,
    post,
    refused_tool,
    surface_of,
)

pytestmark = pytest.mark.anyio


class Number(BaseModel):
    n: int = 0


def double(call: Any) -> dict[str, int]:
    return {"n": call.input.n * 2}


def doubling(*, handler: Any = double, endpoint: Any = None, **hooks: Any) -> pf.Surface[Any]:
    declared = post(input=Number, output=Number) if endpoint is None else endpoint
    return surface_of(declared, handler, hooks=pf.Hooks(**hooks))


# --- before_tool_call -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("returned", "n"),
    [
        ({"n": 5}, 10),
        (OrderedDict(n=5), 10),
        ({}, 0),
        (None, 2),
        (7, 2),
        ("n=5", 2),
        ([("n", 5)], 2),
        (True, 2),
    ],
    ids=repr,
)
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_only_a_mapping_takes_the_place_of_the_arguments(returned, n, is_async):
    async def later(call):
        return returned

    hook = later if is_async else lambda call: returned
    assert await call_tool(doubling(before_tool_call=hook), {"n": 1}) == {"n": n}


async def test_the_hook_that_rewrites_sees_the_arguments_as_they_came():
    seen: list[Any] = []
    surface = doubling(before_tool_call=lambda call: seen.append(call.arguments))
    await call_tool(surface, {"n": "3"})
    assert seen == [{"n": "3"}]


async def test_a_hook_that_changes_the_arguments_in_place_doesnt_reach_the_callers_own():
    own = {"n": 1}
    surface = doubling(before_tool_call=lambda call: call.arguments.update(n=9))
    await call_tool(surface, own)
    assert own == {"n": 1}


async def test_a_hook_refuses_a_tool_call_before_anything_runs():
    ran: list[str] = []

    def refuse(call):
        raise pf.OperationError("RATE_LIMITED", "Slow down.")

    surface = doubling(
        handler=lambda call: ran.append("handler"),
        before_tool_call=refuse,
        authorize=lambda call: ran.append("authorize"),
        before=lambda call: ran.append("before"),
    )
    error = await refused_tool(surface)
    assert (error.code, error.message, error.retryable) == ("RATE_LIMITED", "Slow down.", True)
    assert ran == []


async def test_http_calls_have_no_tool_hooks():
    ran: list[str] = []
    surface = doubling(
        before_tool_call=lambda call: ran.append("before"),
        after_tool_call=lambda outcome: ran.append("after"),
    )
    reply = await ask_http(surface, "POST", "/things", b'{"n": 2}')
    assert reply.json == {"n": 4}
    assert ran == []


# --- authorize, before, after -----------------------------------------------------------------


@pytest.mark.parametrize("hook", ["identify", "authorize", "before"])
async def test_what_a_guarding_hook_raises_is_what_the_caller_is_told(hook):
    ran: list[str] = []

    def refuse(call):
        raise pf.unauthorized("Who are you?", realm="people")

    surface = doubling(handler=lambda call: ran.append("handler"), **{hook: refuse})
    error = await refused_tool(surface, {"n": 1})
    assert (error.code, error.message) == ("UNAUTHORIZED", "Who are you?")
    assert error.details == {"realm": "people"}
    assert ran == []


@pytest.mark.parametrize("hook", ["identify", "authorize", "before", "before_tool_call"])
async def test_a_guarding_hook_that_breaks_fails_closed_and_tells_nothing(hook):
    ran: list[str] = []

    def break_down(call):
        raise ZeroDivisionError("the secret is 42")

    surface = doubling(handler=lambda call: ran.append("handler"), **{hook: break_down})
    error = await refused_tool(surface, {"n": 1})
    assert (error.code, error.status) == ("INTERNAL_SERVER_ERROR", 500)
    assert "42" not in str(error.envelope())
    assert isinstance(error.__cause__, ZeroDivisionError)
    assert ran == []


async def test_an_authorize_hook_that_answers_false_lets_nobody_through():
    ran: list[str] = []
    surface = doubling(handler=lambda call: ran.append("handler"), authorize=lambda call: False)
    error = await refused_tool(surface, {"n": 1})
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error) == ["Things.do: `authorize` returned False; raise to refuse"]
    assert ran == []


async def test_the_identity_that_a_caller_brings_isnt_asked_for():
    asked: list[str] = []
    seen: list[Any] = []
    surface = doubling(
        identify=lambda call: noting(asked, "from the hook"),
        authorize=lambda call: seen.append(call.identity),
    )
    await call_tool(surface)
    await call_tool(surface, identity="from the invoker")
    assert seen == ["from the hook", "from the invoker"]
    assert asked == ["from the hook"]


@pytest.mark.parametrize(
    ("returned", "answer"), [(None, {"n": 2}), ({"n": 7}, {"n": 7}), (Number(n=8), {"n": 8})]
)
async def test_what_after_returns_takes_the_answers_place_unless_it_is_none(returned, answer):
    seen: list[Any] = []

    def after(call, value):
        seen.append(value)
        return returned

    assert await call_tool(doubling(after=after), {"n": 1}) == answer
    assert seen == [{"n": 2}]


async def test_what_after_returns_is_checked_like_a_handlers_value():
    surface = doubling(after=lambda call, value: {"n": "many"})
    error = await refused_tool(surface, {"n": 1})
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error)[0].startswith("Things.do: the handler's answer breaks its schema: `n`: ")


# --- after_tool_call --------------------------------------------------------------------------


async def outcomes_of(*, call: Any, arguments: Any = None, **options: Any) -> list[pf.ToolOutcome]:
    outcomes: list[pf.ToolOutcome] = []
    surface = doubling(after_tool_call=outcomes.append, **options)
    await pf.tool_invoker(surface, transport="MCP", answer="tool").invoke(
        "do_thing", {"n": 1} if arguments is None else arguments
    )
    return outcomes


def raise_(error: Exception) -> Any:
    raise error


@pytest.mark.parametrize(
    ("options", "arguments", "code"),
    [
        ({}, {"n": 1}, None),
        ({"before_tool_call": lambda call: raise_(pf.forbidden("no"))}, {"n": 1}, "FORBIDDEN"),
        ({}, {"n": "x"}, "VALIDATION_ERROR"),
        ({}, {"n": {1, 2}}, "VALIDATION_ERROR"),
        ({"identify": lambda call: raise_(pf.unauthorized("no"))}, {"n": 1}, "UNAUTHORIZED"),
        ({"authorize": lambda call: raise_(pf.forbidden("no"))}, {"n": 1}, "FORBIDDEN"),
        ({"before": lambda call: raise_(pf.conflict("no"))}, {"n": 1}, "CONFLICT"),
        ({"handler": lambda call: raise_(pf.not_found("no"))}, {"n": 1}, "NOT_FOUND"),
        ({"handler": lambda call: raise_(KeyError("x"))}, {"n": 1}, "INTERNAL_SERVER_ERROR"),
        ({"handler": lambda call: {"n": "x"}}, {"n": 1}, "INTERNAL_SERVER_ERROR"),
        ({"after": lambda call, value: raise_(pf.conflict("no"))}, {"n": 1}, "CONFLICT"),
    ],
    ids=[
        "answer",
        "before tool call",
        "input",
        "not JSON",
        "identify",
        "authorize",
        "before",
        "handler refuses",
        "handler breaks",
        "handler lies",
        "after",
    ],
)
async def test_after_tool_call_sees_every_exit_with_the_callers_own_arguments(
    options, arguments, code
):
    [outcome] = await outcomes_of(call=None, arguments=arguments, **options)
    assert outcome.call.arguments == arguments
    assert (outcome.error.code if outcome.error else None) == code
    assert outcome.answer == (b'{"n":2}' if code is None else None)
    assert not outcome.cancelled
    assert outcome.duration_seconds > 0


async def test_after_tool_call_sees_what_the_caller_was_told_with_its_cause():
    cause = KeyError("secret")
    [outcome] = await outcomes_of(call=None, handler=lambda call: raise_(cause))
    assert outcome.error is not None
    assert outcome.error.__cause__ is cause


async def test_after_tool_call_sees_the_card_and_neither_the_full_answer_nor_the_defaults():
    class Full(BaseModel):
        n: int
        secret: str

    endpoint = pf.with_tool_view(post(input=Number, output=Full), output=Number, defaults={"n": 4})
    [outcome] = await outcomes_of(
        call=None,
        arguments={},
        endpoint=endpoint,
        handler=lambda call: {"n": call.input.n, "secret": "s"},
    )
    assert outcome.answer == b'{"n":4}'
    assert outcome.call.arguments == {}
    assert outcome.call.input == Number(n=4)


async def test_after_tool_call_sees_the_rewritten_call_but_the_callers_arguments():
    [outcome] = await outcomes_of(call=None, before_tool_call=lambda call: {"n": 5})
    assert outcome.call.arguments == {"n": 1}
    assert outcome.call.input == Number(n=5)
    assert outcome.answer == b'{"n":10}'


# --- hooks that only watch --------------------------------------------------------------------


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
@pytest.mark.parametrize("hook", ["after_tool_call", "on_output_strip"])
async def test_a_watching_hook_that_throws_changes_no_answer_and_is_logged(hook, is_async, caplog):
    async def throw_later(*given):
        raise RuntimeError("the watcher broke")

    def throw(*given):
        raise RuntimeError("the watcher broke")

    surface = doubling(
        handler=lambda call: {"n": 2, "extra": 1}, **{hook: throw_later if is_async else throw}
    )
    with caplog.at_level(logging.ERROR, "polyface"):
        assert await call_tool(surface, {"n": 1}) == {"n": 2}
    assert "Things.do: a hook that only watches failed: RuntimeError" in caplog.text
    assert "the watcher broke" in caplog.text


@pytest.mark.parametrize("hook", ["after_tool_call", "on_error"])
async def test_a_watching_hook_that_throws_changes_no_error(hook):
    def throw(*given):
        raise RuntimeError("the watcher broke")

    surface = doubling(handler=lambda call: raise_(pf.not_found("Nobody.")), **{hook: throw})
    error = await refused_tool(surface, {"n": 1})
    assert (error.code, error.message) == ("NOT_FOUND", "Nobody.")


@pytest.mark.parametrize("mount", ["tool", "http"])
async def test_on_error_sees_the_error_with_its_cause_on_every_mount(mount):
    seen: list[tuple[Any, ...]] = []
    cause = ZeroDivisionError("secret")
    surface = doubling(
        handler=lambda call: raise_(cause),
        on_error=lambda call, error: seen.append((call.source, error.code, error.__cause__)),
    )
    if mount == "tool":
        await refused_tool(surface, {"n": 1})
        assert seen == [("internal", "INTERNAL_SERVER_ERROR", cause)]
    else:
        reply = await ask_http(surface, "POST", "/things", b'{"n": 1}')
        assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
        assert b"secret" not in reply.body
        assert seen == [("HTTP", "INTERNAL_SERVER_ERROR", cause)]


async def test_on_error_isnt_called_for_an_answer():
    seen: list[Any] = []
    await call_tool(doubling(on_error=lambda call, error: seen.append(error)), {"n": 1})
    assert seen == []
