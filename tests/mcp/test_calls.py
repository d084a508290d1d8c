"""Calls over MCP: what a failure is told as, and what a call may do besides answering."""

import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import pytest
from pydantic import BaseModel, ConfigDict
from starlette.applications import Starlette

import polyface as pf
from polyface.mcp import mcp_server
from tests.http.service import Recorded, record
from tests.mcp.wire import MODERN, VERSIONS, connected, text_of

pytestmark = pytest.mark.anyio


class Card(BaseModel):
    id: int
    name: str | None = None


class Which(BaseModel):
    id: str


class Given(BaseModel):
    model_config = ConfigDict(extra="forbid")
    n: int = 0
    ids: list[int] = []
    anything: Any = None


class Cards(pf.Contract, prefix="cards"):
    take = pf.post("/", desc="Take.", input=Given, output=Card)
    fetch = pf.get("/{id}", desc="One.", params=Which, output=Card)
    ping = pf.post("/ping", desc="Nothing.")


def cards(answer: Any = None, **options: Any) -> Recorded:
    given = Card(id=1) if answer is None else answer
    return record(Cards, answers={"take": given, "fetch": given}, **options)


def serve(recorded: Recorded, **options: Any) -> Starlette:
    return mcp_server(recorded.surface, name="cards", version="1", **options).asgi()


# --- failures --------------------------------------------------------------------------------


ERRORS: dict[str, tuple[BaseException, dict[str, Any]]] = {
    "not found": (
        pf.not_found("Gone.", id=7),
        {"code": "NOT_FOUND", "message": "Gone.", "details": {"id": 7}, "retryable": False},
    ),
    "of the application's own": (
        pf.OperationError("CARD_LOCKED", "Locked.", status=423, retryable=True),
        {"code": "CARD_LOCKED", "message": "Locked.", "retryable": True},
    ),
    "details that JSON has no form for": (
        pf.not_found("Gone.", at=float("inf")),
        {"code": "NOT_FOUND", "message": "Gone.", "retryable": False},
    ),
    "text that UTF-8 has no form for": (
        pf.not_found("\ud800 gone"),
        {"code": "NOT_FOUND", "message": "? gone", "retryable": False},
    ),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", ERRORS)
async def test_a_typed_error_is_an_error_result_with_the_envelope(case: str, version: str):
    error, told = ERRORS[case]
    async with connected(serve(cards(error)), version) as client:
        assert await client.fail("take_card") == told


@pytest.mark.parametrize("code", sorted(pf.ERROR_CODES))
async def test_every_code_of_the_table_is_an_error_result(code: str):
    async with connected(serve(cards(pf.OperationError(code, "Told."))), *MODERN) as client:
        error = await client.fail("take_card")
    assert (error["code"], error["retryable"]) == (code, pf.ERROR_CODES[code].retryable)


SECRET = "sesame-7f3a"
FAULTS: dict[str, Any] = {
    "an exception": RuntimeError(SECRET),
    "a recursion": RecursionError(SECRET),
    "an answer of another type": {"id": SECRET},
    "an answer that lacks a field": {"name": SECRET},
    "no JSON": object(),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", FAULTS)
async def test_a_fault_of_the_server_says_nothing_of_itself(
    case: str, version: str, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.CRITICAL, logger="polyface"):
        async with connected(serve(cards(FAULTS[case])), version) as client:
            error = await client.fail("take_card")
    assert error == {
        "code": "INTERNAL_SERVER_ERROR",
        "message": "The operation failed on the server.",
        "retryable": False,
    }


async def test_an_answer_that_the_protocol_cannot_carry_is_a_fault_and_no_protocol_error(
    caplog: pytest.LogCaptureFixture,
):
    class Huge(pf.Contract, prefix="huge"):
        count = pf.get("/", desc="Count.", output=int)

    served = record(Huge, answers={"count": 10**5000})
    with caplog.at_level(logging.CRITICAL, logger="polyface"):
        async with connected(serve(served), *VERSIONS) as clients:
            for client in clients[2:]:
                assert (await client.fail("count_huge"))["code"] == "INTERNAL_SERVER_ERROR"


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "another type": ({"n": "x"}, "n"),
    "a fraction": ({"n": 1.5}, "n"),
    "an unknown key": ({"m": 1}, "m"),
    "null": ({"n": None}, "n"),
    "an item": ({"ids": [1, "x"]}, "ids[1]"),
    "JSON text that holds none": ({"ids": "[1"}, "ids"),
    "JSON text with infinity": ({"ids": "[1e999]"}, "ids"),
    "infinity": ({"anything": float("inf")}, "anything"),
    "NaN": ({"anything": [float("nan")]}, "anything[0]"),
}


@pytest.mark.parametrize("version", VERSIONS)
async def test_arguments_that_do_not_fit_are_refused_by_key(version: str):
    served = cards()
    async with connected(serve(served), version) as client:
        for case, (arguments, path) in REFUSED.items():
            error = await client.fail("take_card", arguments)
            assert (case, error["code"]) == (case, "VALIDATION_ERROR")
            assert (case, error["details"]["issues"][0]["path"]) == (case, path)
    assert served.calls == []


async def test_a_lone_surrogate_reaches_no_handler():
    """The handshake versions refuse it as malformed JSON; the modern one reads it."""
    served = cards()
    async with connected(serve(served), *VERSIONS) as clients:
        for client in clients:
            for anything in ("\ud800", {"\ud800": 1}):
                asked = {"name": "take_card", "arguments": {"anything": anything}}
                answer = await client.rpc("tools/call", asked)
                if client.version in MODERN:
                    told = text_of(answer["result"])["error"]
                    assert told["code"] == "VALIDATION_ERROR"
                else:
                    assert answer["error"]["code"] == -32700
    assert served.calls == []


async def test_arguments_that_are_nested_too_deeply_are_refused():
    served = cards(limits=pf.Limits(max_depth=10))

    def nested(depth: int) -> Any:
        return [] if depth == 1 else [nested(depth - 1)]

    async with connected(serve(served), *VERSIONS) as clients:
        for client in clients:
            assert text_of(await client.call("take_card", {"anything": nested(9)}))["id"] == 1
            error = await client.fail("take_card", {"anything": nested(10)})
            assert error["code"] == "VALIDATION_ERROR"
    assert len(served.calls) == len(VERSIONS)


@pytest.mark.parametrize("version", VERSIONS)
async def test_an_unknown_tool_is_a_protocol_error_that_names_the_known_ones(version: str):
    served = cards()
    async with connected(serve(served), version) as client:
        answer = await client.rpc("tools/call", {"name": "take_crad", "arguments": {}})
    assert answer["error"]["code"] == -32602
    assert "take_card" in answer["error"]["message"]
    assert served.calls == []


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_call_without_arguments_takes_the_defaults(version: str):
    served = cards()
    async with connected(serve(served), version) as client:
        await client.rpc("tools/call", {"name": "take_card"})
        await client.call("take_card", {"ids": "[1, 2]"})
    assert served.inputs == [Given(), Given(ids=[1, 2])]


# --- who calls -------------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
async def test_authorisation_sees_the_request_and_refuses_before_the_handler(version: str):
    def identify(call: pf.Call[Any, Any]) -> Any:
        return call.request.headers.get("x-user")

    def authorize(call: pf.Call[Any, Any]) -> None:
        if call.identity != "ada":
            raise pf.unauthorized("Say who you are.")

    served = cards(hooks=pf.Hooks(identify=identify, authorize=authorize))
    async with connected(serve(served), version) as client:
        assert (await client.fail("take_card", {"n": "x"}))["code"] == "UNAUTHORIZED"
        assert served.calls == []
        message = client.envelope("tools/call", {"name": "fetch_card", "arguments": {"id": "1"}})
        answer = await client.post(message, headers={"x-user": "ada"})
    assert text_of(answer.json()["result"]) == {"id": 1, "name": None}
    assert len(served.calls) == 1


# --- beside the answer -----------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
async def test_progress_is_reported_without_a_listener_and_harms_nothing(version: str):
    async def work(call: pf.Call[Any, Any]) -> Card:
        await call.report_progress(1, 2, "half")
        await call.report_progress(2, 2)
        return Card(id=2)

    async with connected(serve(cards(work)), version) as client:
        assert text_of(await client.call("take_card")) == {"id": 2, "name": None}
        asked = {"name": "take_card", "arguments": {}, "_meta": {"progressToken": "p"}}
        answer = await client.rpc("tools/call", asked)
    assert text_of(answer["result"]) == {"id": 2, "name": None}


async def test_work_after_the_answer_runs_and_its_failure_changes_nothing(
    caplog: pytest.LogCaptureFixture,
):
    done: list[int] = []

    def fail() -> None:
        raise RuntimeError(SECRET)

    def work(call: pf.Call[Any, Any]) -> Card:
        call.after_answer(fail)
        call.after_answer(done.append, 1)
        return Card(id=1)

    with caplog.at_level(logging.CRITICAL, logger="polyface"):
        async with connected(serve(cards(work)), *VERSIONS) as clients:
            for client in clients:
                assert text_of(await client.call("take_card"))["id"] == 1
    assert done == [1] * len(VERSIONS)


async def test_concurrent_calls_keep_their_arguments_and_contexts_apart():
    inside: list[str] = []
    together = anyio.Event()

    @asynccontextmanager
    async def context(call: pf.Call[Any, Any]) -> AsyncIterator[str]:
        inside.append(call.params.id)
        if len(inside) == 20:
            together.set()
        yield call.params.id

    async def work(call: pf.Call[Any, Any]) -> Card:
        await together.wait()  # every call is inside before the first one answers
        return Card(id=int(call.params.id), name=str(call.context))

    served = cards(work, context=context)
    answers: dict[int, Any] = {}
    async with connected(serve(served), "2025-11-25", "2026-07-28") as clients:

        async def ask(number: int) -> None:
            result = await clients[number % 2].call("fetch_card", {"id": str(number)})
            answers[number] = result["structuredContent"]

        with anyio.fail_after(20):
            async with anyio.create_task_group() as group:
                for number in range(20):
                    group.start_soon(ask, number)
    assert answers == {number: {"id": number, "name": str(number)} for number in range(20)}


async def test_a_listing_is_prepared_once_for_each_version(monkeypatch: pytest.MonkeyPatch):
    from polyface.mcp import server

    prepared: list[tuple[str, str]] = []

    def listed(tool: Any, *, version: str, **options: Any) -> Any:
        prepared.append((tool.name, version))
        return original(tool, version=version, **options)

    original = vars(server)["listed_tool"]
    monkeypatch.setattr(server, "listed_tool", listed)
    async with connected(serve(cards()), *VERSIONS) as clients:
        for client in clients:
            first = await client.tools()
            await client.call("take_card", {"n": 1})
            assert await client.tools() == first
    names = ["fetch_card", "ping_card", "take_card"]
    assert sorted(prepared) == sorted((name, version) for name in names for version in VERSIONS)
