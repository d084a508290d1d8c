"""What a handler may set of its HTTP answer: what its endpoint declares."""

from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.execution.calls import ask_http, notes_of, post, surface_of

pytestmark = pytest.mark.anyio

NO_METADATA = (
    "Things.do: only an endpoint with `response=ResponseMetadata(...)` sets headers and cookies; "
    "declare it"
)


class Done(BaseModel):
    n: int = 1


async def answered(response: pf.ResponseMetadata | None, use: Any) -> tuple[Any, list[str]]:
    """Ask an operation whose handler uses `call.response`; return the reply and the reasons."""
    reasons: list[str] = []

    def handler(call: Any) -> Done:
        use(call.response)
        return Done()

    hooks = pf.Hooks(on_error=lambda _, error: reasons.extend(notes_of(error)))
    options = {} if response is None else {"response": response}
    surface = surface_of(post(output=Done, **options), handler, hooks=hooks)
    return await ask_http(surface, "POST", "/things"), reasons


@pytest.mark.parametrize(
    "use",
    [lambda response: response.add("x-a", "1"), lambda response: response.set_cookie("a", "1")],
    ids=["a header", "a cookie"],
)
async def test_nothing_is_set_without_response_metadata(use):
    reply, reasons = await answered(None, use)
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
    assert reasons == [NO_METADATA]


@pytest.mark.parametrize(
    ("declared", "remedy"),
    [((), "headers=('x-b',)"), (("x-a",), "headers=('x-a', 'x-b')")],
    ids=["none", "another"],
)
async def test_a_header_that_isnt_declared_is_refused(declared, remedy):
    reply, reasons = await answered(
        pf.ResponseMetadata(headers=declared), lambda response: response.add("x-b", "1")
    )
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
    assert reasons == [
        f"Things.do: the header `x-b` isn't declared; write `response=ResponseMetadata({remedy})`"
    ]


async def test_a_declared_header_is_set_in_any_case_and_a_cookie_needs_no_name():
    def use(response: Any) -> None:
        response.add("X-A", "1")
        response.set_cookie("seen", "yes")

    reply, reasons = await answered(pf.ResponseMetadata(headers=("x-a",)), use)
    assert (reply.status, reply.json, reasons) == (200, {"n": 1}, [])
    assert reply.headers["x-a"] == "1"
    assert reply.headers["set-cookie"].startswith("seen=yes;")
    bare, reasons = await answered(
        pf.ResponseMetadata(), lambda response: response.set_cookie("seen", "yes")
    )
    assert (bare.status, reasons) == (200, [])
