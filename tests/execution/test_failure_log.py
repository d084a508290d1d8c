"""What the log says of a failed call: the reason first, and only tracebacks worth reading."""

from typing import Any

import pytest

import polyface as pf
from tests.execution.calls import call_tool, post, refused_tool, surface_of

pytestmark = pytest.mark.anyio


def promised(call: Any) -> Any:
    return "secret"


async def promised_later(call: Any) -> Any:
    return "secret"


def raising(call: Any) -> Any:
    raise KeyError("who")


async def raising_later(call: Any) -> Any:
    raise RuntimeError("one line\nand another")


def giving_up(call: Any) -> Any:
    raise pf.OperationError("INTERNAL_SERVER_ERROR", "No.")


def misspelt(call: Any) -> Any:
    raise pf.OperationError("oops")


def silent(call: Any) -> Any:
    raise RuntimeError


def marking(call: Any) -> Any:
    call.response.add("x-mark", "1")


@pytest.mark.parametrize("handler", [promised, promised_later])
async def test_a_broken_promise_is_logged_in_one_line_without_a_traceback(handler, caplog):
    error = await refused_tool(surface_of(post(output=int), handler))
    assert error.code == "INTERNAL_SERVER_ERROR"
    [record] = caplog.records
    assert record.getMessage().startswith(
        "Things.do failed: the handler's answer breaks its schema"
    )
    assert "\n" not in record.getMessage()
    assert record.exc_info is None


@pytest.mark.parametrize(
    ("handler", "headline"),
    [
        (raising, "Things.do failed: KeyError: 'who'"),
        (raising_later, "Things.do failed: RuntimeError: one line"),
        (silent, "Things.do failed: RuntimeError"),
        (giving_up, "Things.do failed: OperationError: INTERNAL_SERVER_ERROR: No."),
        (
            misspelt,
            (
                "Things.do failed: DeclarationError: `oops` isn't an error code; "
                "write it as `PERSON_LOCKED`."
            ),
        ),
        (
            marking,
            (
                "Things.do failed: only an endpoint with `response=ResponseMetadata(...)` sets "
                "headers and cookies; declare it"
            ),
        ),
    ],
)
async def test_an_exception_of_the_applications_keeps_its_traceback(handler, headline, caplog):
    error = await refused_tool(surface_of(post(output=int), handler))
    assert (error.code, error.message) == (
        "INTERNAL_SERVER_ERROR",
        "No." if handler is giving_up else "The operation failed on the server.",
    )
    [record] = caplog.records
    assert record.getMessage() == headline
    assert f"in {handler.__name__}" in caplog.text


async def test_a_projection_that_raised_is_logged_with_its_own_traceback(caplog):
    def project(full: Any, call: Any) -> Any:
        raise KeyError("who")

    endpoint = pf.with_tool_view(post(output=int), project=project)
    await refused_tool(surface_of(endpoint, lambda call: 1))
    [record] = caplog.records
    assert record.getMessage() == "Things.do failed: the projection raised: KeyError: 'who'"
    assert "in project" in caplog.text
    assert "direct cause" not in caplog.text


async def test_a_call_that_was_refused_on_purpose_is_not_logged(caplog):
    def refuse(call: Any) -> Any:
        raise pf.not_found("Nobody.")

    await refused_tool(surface_of(post(output=int), refuse))
    assert await call_tool(surface_of(post(output=int), lambda call: 1)) == 1
    assert caplog.records == []
