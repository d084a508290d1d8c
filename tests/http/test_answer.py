"""What goes back: answers, errors, and nothing else."""

import json
import logging
from typing import Any

import pytest
from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route

import polyface as pf
from polyface.http import http_app
from tests.http.exchange import ask, running
from tests.http.service import record

pytestmark = pytest.mark.anyio


class Card(BaseModel):
    id: int
    name: str | None = None


class Which(BaseModel):
    id: int


class Cards(pf.Contract, prefix="cards"):
    all = pf.get("/", desc="All.", output=list[Card])
    fetch = pf.get("/{id}", desc="One.", params=Which, output=Card | None)
    add = pf.post("/", desc="Add.", input=Card, output=Card)
    remove = pf.delete("/{id}", desc="Remove.", params=Which)
    check = pf.head("/{id}", desc="Whether it is there.", params=Which)
    open = pf.get("/open/to/all", desc="Open.", output=str, scope="public")


async def test_an_answer_is_compact_json_in_utf_8_with_its_length():
    served = record(Cards, answers={"all": [Card(id=1, name="é"), {"id": 2, "secret": 1}]})
    reply = await ask(served.app, "GET", "/cards")
    assert reply.body == '[{"id":1,"name":"é"},{"id":2,"name":null}]'.encode()
    assert reply.headers == {
        "content-type": "application/json",
        "content-length": str(len(reply.body)),
    }


async def test_null_is_an_answer_and_nothing_is_204():
    served = record(Cards, answers={"fetch": None, "remove": None})
    fetched = await ask(served.app, "GET", "/cards/1")
    assert (fetched.status, fetched.body) == (200, b"null")
    removed = await ask(served.app, "DELETE", "/cards/1")
    assert (removed.status, removed.body) == (204, b"")
    assert "content-type" not in removed.headers
    assert "content-length" not in removed.headers


async def test_head_is_an_operation_of_its_own_and_answers_without_a_body():
    served = record(Cards, answers={"check": None})
    reply = await ask(served.app, "HEAD", "/cards/1")
    assert (reply.status, reply.body) == (200, b"")
    assert [key for key, _, _ in served.calls] == ["check"]
    missing = record(Cards, answers={"check": pf.not_found("No such card.")})
    assert (await ask(missing.app, "HEAD", "/cards/1")).status == 404
    assert (await ask(served.app, "HEAD", "/cards")).status == 405


ERRORS: dict[str, tuple[BaseException, int, dict[str, Any]]] = {
    "not found": (pf.not_found("Gone.", id=7), 404, {"code": "NOT_FOUND", "message": "Gone.", "details": {"id": 7}, "retryable": False}),
    "conflict": (pf.conflict("Twice."), 409, {"code": "CONFLICT", "message": "Twice.", "retryable": False}),
    "may be tried again": (pf.OperationError("RATE_LIMITED", "Later."), 429, {"code": "RATE_LIMITED", "message": "Later.", "retryable": True}),
    "of the application's own": (
        pf.OperationError("CARD_LOCKED", "Locked.", status=423, retryable=True),
        423,
        {"code": "CARD_LOCKED", "message": "Locked.", "retryable": True},
    ),
    "an unknown code": (pf.OperationError("CARD_LOST"), 500, {"code": "CARD_LOST", "message": "CARD_LOST", "retryable": False}),
    "details that JSON has no form for": (
        pf.not_found("Gone.", at=float("nan")), 404, {"code": "NOT_FOUND", "message": "Gone.", "retryable": False},
    ),
    "details with keys that aren't text": (
        pf.OperationError("NOT_FOUND", "Gone.", details={(1, 2): 3}), 404,  # type: ignore[dict-item]
        {"code": "NOT_FOUND", "message": "Gone.", "retryable": False},
    ),
    "text that UTF-8 has no form for": (
        pf.not_found("\ud800 gone"), 404, {"code": "NOT_FOUND", "message": "? gone", "retryable": False},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", ERRORS)
async def test_a_typed_error_is_told_by_code_message_and_details(case: str):
    error, status, told = ERRORS[case]
    served = record(Cards, answers={"fetch": error})
    reply = await ask(served.app, "GET", "/cards/1")
    assert (reply.status, reply.json) == (status, {"error": told})
    assert reply.headers["content-type"] == "application/json"
    json.loads(reply.body, parse_constant=pytest.fail)


@pytest.mark.parametrize("code", sorted(pf.ERROR_CODES))
async def test_every_code_of_the_table_has_its_status(code: str):
    served = record(Cards, answers={"fetch": pf.OperationError(code, "Told.")})
    reply = await ask(served.app, "GET", "/cards/1")
    row = pf.ERROR_CODES[code]
    assert (reply.status, reply.code) == (row.status, code)
    assert reply.json["error"]["retryable"] is row.retryable


SECRET = "sesame-7f3a"
INTERNAL = {
    "code": "INTERNAL_SERVER_ERROR",
    "message": "The operation failed on the server.",
    "retryable": False,
}
LOOP: list[Any] = []
LOOP.append(LOOP)
FAULTS: dict[str, Any] = {
    "an exception": RuntimeError(SECRET),
    "a chain of exceptions": KeyError(SECRET),
    "a recursion": RecursionError(SECRET),
    "no memory": MemoryError(SECRET),
    "an answer of another type": {"id": SECRET},
    "an answer that lacks a field": {"name": SECRET},
    "no JSON": object(),
    "an answer that contains itself": LOOP,
}


@pytest.mark.parametrize("case", FAULTS)
async def test_a_fault_of_the_server_says_nothing_of_itself(
    case: str, caplog: pytest.LogCaptureFixture
):
    seen: list[pf.OperationError] = []
    hooks = pf.Hooks(on_error=lambda _, error: seen.append(error))
    served = record(Cards, answers={"fetch": FAULTS[case]}, hooks=hooks)
    with caplog.at_level(logging.CRITICAL, logger="polyface"):
        reply = await ask(served.app, "GET", "/cards/1")
    assert (reply.status, reply.json) == (500, {"error": INTERNAL})
    assert SECRET.encode() not in reply.body
    assert reply.raised is None
    assert [error.code for error in seen] == ["INTERNAL_SERVER_ERROR"]


async def test_a_refused_argument_is_not_echoed():
    served = record(Cards, answers={"add": lambda call: call.input})
    reply = await ask(served.app, "POST", "/cards", body=json.dumps({"id": SECRET}).encode())
    assert reply.status == 400
    assert SECRET.encode() not in reply.body
    assert served.calls == []


async def test_an_operation_without_an_output_that_returns_one_is_a_fault():
    served = record(Cards, answers={"remove": {"removed": True}})
    assert (await ask(served.app, "DELETE", "/cards/1")).json == {"error": INTERNAL}


async def test_a_fault_outside_any_operation_has_the_same_envelope():
    async def broken(_: Request) -> Any:
        raise RuntimeError(SECRET)

    app = http_app(record(Cards).surface, routes=[Route("/broken", broken)])
    reply = await ask(app, "GET", "/broken")
    assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
    assert SECRET.encode() not in reply.body
    assert isinstance(reply.raised, RuntimeError)


# --- who may call ----------------------------------------------------------------------------


async def test_authorisation_sees_the_operation_its_params_and_the_caller():
    seen: list[Any] = []

    def authorize(call: pf.Call[Any, Any]) -> None:
        seen.append((call.operation.key, call.params, call.identity))
        with pytest.raises(AttributeError):
            _ = call.input
        if call.identity is None and call.operation.scope != "public":
            raise pf.unauthorized("Say who you are.")

    def identify(call: pf.Call[Any, Any]) -> Any:
        return call.request.headers.get("x-user")

    class Guarded(pf.Contract, prefix="guarded", scope="user"):
        fetch = pf.get("/{id}", desc="One.", params=Which, output=Card)
        open = pf.get("/open/to/all", desc="Open.", output=str, scope="public")

    served = record(
        Guarded,
        answers={"fetch": {"id": 1}, "open": "open"},
        hooks=pf.Hooks(authorize=authorize, identify=identify),
    )
    app = served.app
    refused = await ask(app, "GET", "/guarded/1")
    assert (refused.status, refused.code) == (401, "UNAUTHORIZED")
    assert served.calls == []
    assert (await ask(app, "GET", "/guarded/1", headers={"x-user": "ada"})).json["id"] == 1
    assert (await ask(app, "GET", "/guarded/open/to/all")).json == "open"
    assert seen == [
        ("fetch", Which(id=1), None), ("fetch", Which(id=1), "ada"), ("open", None, None),
    ]  # fmt: skip


async def test_a_caller_that_may_not_is_told_so_before_its_mistakes():
    def refuse(_: Any) -> None:
        raise pf.forbidden("Not you.")

    served = record(Cards, hooks=pf.Hooks(authorize=refuse))
    reply = await ask(served.app, "POST", "/cards", body=b"no json")
    assert (reply.status, reply.code) == (403, "FORBIDDEN")


# --- lifespan --------------------------------------------------------------------------------


async def test_the_lifespan_of_the_surface_surrounds_that_of_the_caller():
    from contextlib import asynccontextmanager

    steps: list[str] = []

    @asynccontextmanager
    async def outer(_: Any) -> Any:
        steps.append("surface starts")
        yield
        steps.append("surface stops")

    @asynccontextmanager
    async def inner(app: Starlette) -> Any:
        assert isinstance(app, Starlette)
        steps.append("application starts")
        yield
        steps.append("application stops")

    served = record(Cards, answers={"all": []}, lifespan=outer)
    app = http_app(served.surface, lifespan=inner)
    for _ in range(2):
        steps.clear()
        async with running(app):
            assert (await ask(app, "GET", "/cards")).status == 200
            steps.append("served")
        assert steps == [
            "surface starts", "application starts", "served", "application stops", "surface stops",
        ]  # fmt: skip
