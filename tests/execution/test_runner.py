"""What becomes of a handler's value and of whatever it raises."""

import functools
import gc
import logging
import pickle
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.faults import faults_of, rows
from tests.execution.calls import (
    ask_http,
    call_tool,
    notes_of,
    post,
    refused_tool,
    surface_of,
)

pytestmark = pytest.mark.anyio

INTERNAL = "The operation failed on the server."


class Number(BaseModel):
    n: int = 0


# --- handlers ---------------------------------------------------------------------------------


async def async_handler(call: Any) -> dict[str, int]:
    return {"n": call.input.n + 1}


def sync_handler(call: Any) -> dict[str, int]:
    return {"n": call.input.n + 1}


class Bound:
    def sync(self, call: Any) -> dict[str, int]:
        return sync_handler(call)

    async def later(self, call: Any) -> dict[str, int]:
        return await async_handler(call)

    def __call__(self, call: Any) -> dict[str, int]:
        return sync_handler(call)


class AsyncCallable:
    async def __call__(self, call: Any) -> dict[str, int]:
        return await async_handler(call)


def adding(more: int, call: Any) -> dict[str, int]:
    return {"n": call.input.n + more}


async def adding_later(more: int, call: Any) -> dict[str, int]:
    return adding(more, call)


def wrapped(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    @functools.wraps(function)
    def around(call: Any) -> Any:
        return function(call)

    return around


HANDLERS: dict[str, tuple[Any]] = {
    "a function": (sync_handler,),
    "an async function": (async_handler,),
    "a lambda of an async function": (lambda call: adding_later(1, call),),
    "a method": (Bound().sync,),
    "an async method": (Bound().later,),
    "a callable": (Bound(),),
    "an async callable": (AsyncCallable(),),
    "a partial": (functools.partial(adding, 1),),
    "an async partial": (functools.partial(adding_later, 1),),
    "a decorated async function": (wrapped(async_handler),),
}


@pytest.mark.parametrize("handler", rows(HANDLERS))
async def test_every_form_of_a_handler_answers_alike(handler):
    surface = surface_of(post(input=Number, output=Number), handler)
    assert await call_tool(surface, {"n": 1}) == {"n": 2}
    assert (await ask_http(surface, "POST", "/things", b'{"n":1}')).json == {"n": 2}


def numbers(call: Any) -> Iterator[int]:
    yield 1


async def async_numbers(call: Any) -> Any:
    yield 1


@pytest.mark.parametrize(
    ("output", "handler"),
    [(None, numbers), (None, async_numbers), (int, async_numbers)],
    ids=["generator", "async generator", "async generator with an output"],
)
async def test_a_generator_is_no_answer_and_is_closed_without_a_warning(output, handler):
    surface = surface_of(post(output=output), handler)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        error = await refused_tool(surface)
        gc.collect()
    assert notes_of(error) == ["Things.do: the handler returned a generator, not an answer"]


async def test_a_generator_may_be_the_list_that_was_promised():
    surface = surface_of(post(output=list[int]), numbers)
    assert await call_tool(surface) == [1]


# --- values -----------------------------------------------------------------------------------


async def test_an_operation_without_an_output_answers_with_nothing():
    surface = surface_of(post(), lambda call: None)
    assert await call_tool(surface) is None
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.body) == (204, b"")


@pytest.mark.parametrize("value", [0, False, "", {}], ids=repr)
async def test_an_undeclared_answer_is_the_handlers_fault_even_when_it_is_empty(value):
    error = await refused_tool(surface_of(post(), lambda call: value))
    assert error.code == "INTERNAL_SERVER_ERROR"
    assert notes_of(error) == ["Things.do declares no output, but its handler returned one"]


async def test_none_is_data_where_the_schema_takes_it():
    surface = surface_of(post(output=Number | None), lambda call: None)
    assert await call_tool(surface) is None
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.body) == (200, b"null")


async def test_none_where_something_was_promised_is_the_handlers_fault():
    error = await refused_tool(surface_of(post(output=Number), lambda call: None))
    assert (error.code, error.message, error.details) == ("INTERNAL_SERVER_ERROR", INTERNAL, {})
    assert notes_of(error)[0].startswith("Things.do: the handler's answer breaks its schema: ")


async def test_undeclared_keys_are_removed_everywhere():
    surface = surface_of(post(output=Number), lambda call: {"n": 1, "secret": 2})
    assert await call_tool(surface) == {"n": 1}
    assert (await ask_http(surface, "POST", "/things")).body == b'{"n":1}'


# --- errors -----------------------------------------------------------------------------------


async def test_an_operation_error_is_told_as_it_was_raised():
    def handler(call):
        raise pf.OperationError("LOCKED_OUT", "Wait.", details={"by": "ada"}, status=423)

    surface = surface_of(post(output=int), handler)
    error = await refused_tool(surface)
    assert error.envelope() == {
        "error": {
            "code": "LOCKED_OUT",
            "message": "Wait.",
            "details": {"by": "ada"},
            "retryable": False,
        }
    }
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.json) == (423, error.envelope())


UNEXPECTED: dict[str, tuple[BaseException]] = {
    "an exception": (KeyError("secret"),),
    "a validation error": (ValueError("secret"),),
    "recursion": (RecursionError("secret"),),
    "no memory": (MemoryError("secret"),),
    "a stop": (StopIteration("secret"),),
    "an async stop": (StopAsyncIteration("secret"),),
    "a group": (ExceptionGroup("secret", [ValueError("secret")]),),
    "a broken promise of our own": (pf.DeclarationError("secret"),),
}


@pytest.mark.parametrize("raised", rows(UNEXPECTED))
@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_an_unexpected_exception_tells_the_caller_nothing_and_the_log_everything(
    raised, is_async, caplog
):
    async def later(call):
        raise raised

    def now(call):
        raise raised

    surface = surface_of(post(output=int), later if is_async else now)
    with caplog.at_level(logging.ERROR, "polyface"):
        error = await refused_tool(surface)
    assert (error.code, error.message, error.details) == ("INTERNAL_SERVER_ERROR", INTERNAL, {})
    assert error.__cause__ is not None
    assert "secret" not in str(error.envelope())
    assert "Things.do failed" in caplog.text
    assert "secret" in caplog.text
    reply = await ask_http(surface, "POST", "/things")
    assert reply.status == 500
    assert b"secret" not in reply.body
    assert b"Traceback" not in reply.body


async def test_a_validation_error_of_the_handlers_own_isnt_the_callers_fault():
    surface = surface_of(post(output=int), lambda call: Number.model_validate({"n": "secret"}))
    error = await refused_tool(surface)
    assert (error.code, error.status) == ("INTERNAL_SERVER_ERROR", 500)
    assert error.details == {}


async def test_a_refusal_is_not_logged_as_a_failure(caplog):
    def handler(call):
        raise pf.not_found("Nobody.")

    with caplog.at_level(logging.DEBUG, "polyface"):
        await refused_tool(surface_of(post(output=int), handler))
    assert caplog.records == []


async def test_a_broken_promise_is_logged_with_its_place(caplog):
    with caplog.at_level(logging.ERROR, "polyface"):
        await refused_tool(surface_of(post(output=Number), lambda call: {"n": "x"}))
    assert "the handler's answer breaks its schema: `n`: " in caplog.text


# --- the map of exceptions --------------------------------------------------------------------


class RepositoryError(Exception): ...


class NotThere(RepositoryError): ...


class DeeplyNotThere(NotThere): ...


class Mixed(DeeplyNotThere, KeyError): ...


GONE = pf.OperationError("GONE_AWAY", "It went.", status=410)


def mapping(raised: BaseException, errors: dict[Any, Any]) -> pf.Surface[Any]:
    def handler(call):
        raise raised

    return surface_of(post(output=int), handler, errors=errors)


@pytest.mark.parametrize(
    ("raised", "code", "message"),
    [
        (NotThere("x"), "NOT_FOUND", "Not there: x"),
        (DeeplyNotThere("x"), "NOT_FOUND", "Not there: x"),
        (Mixed("x"), "NOT_FOUND", "Not there: 'x'"),
        (RepositoryError("x"), "GONE_AWAY", "It went."),
        (KeyError("x"), "CONFLICT", "'x'"),
        (ValueError("x"), "INTERNAL_SERVER_ERROR", INTERNAL),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Exception) else None,
)
async def test_an_exception_is_told_as_its_nearest_mapped_class(raised, code, message):
    errors = {
        RepositoryError: GONE,
        NotThere: lambda error: pf.not_found(f"Not there: {error}"),
        KeyError: pf.conflict,
    }
    surface = mapping(raised, errors)
    error = await refused_tool(surface)
    assert (error.code, error.message) == (code, message)
    assert error.__cause__ is raised
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.code, reply.json["error"]["message"]) == (code, message)
    assert reply.status == error.status


async def test_one_mapped_error_for_all_calls_gathers_no_causes_or_tracebacks():
    surface = mapping(RepositoryError("x"), {RepositoryError: GONE})
    errors = [await refused_tool(surface) for _ in range(3)]
    assert len({id(error) for error in errors}) == 3
    assert all(error is not GONE for error in errors)
    assert (GONE.__cause__, GONE.__traceback__) == (None, None)
    assert pickle.loads(pickle.dumps(errors[0])).envelope() == GONE.envelope()


@pytest.mark.parametrize(
    "told", [lambda error: 1 / 0, lambda error: "gone", lambda error: None], ids=str
)
async def test_a_map_that_breaks_leaves_a_server_fault_and_a_line_in_the_log(told, caplog):
    surface = mapping(RepositoryError("secret"), {RepositoryError: told})
    with caplog.at_level(logging.ERROR, "polyface"):
        error = await refused_tool(surface)
    assert (error.code, error.message) == ("INTERNAL_SERVER_ERROR", INTERNAL)
    assert isinstance(error.__cause__, RepositoryError)
    assert "Things.do: the error map " in caplog.text


def test_entries_that_cant_be_told_are_refused_all_at_once():
    def declare():
        mapping(
            KeyError("x"),
            {
                "KeyError": GONE,
                KeyboardInterrupt: GONE,
                pf.OperationError: GONE,
                KeyError: "NOT_FOUND",
            },
        )

    assert faults_of(declare) == [
        "`errors=` maps exception classes, and `'KeyError'` isn't one.",
        "`errors=` maps exception classes, and `<class 'KeyboardInterrupt'>` isn't one.",
        "`errors=` maps `OperationError`, which callers get as it is; leave it out.",
        (
            "`errors=` maps `KeyError` to `'NOT_FOUND'`; give an `OperationError`, or a function that "
            "makes one."
        ),
    ]
