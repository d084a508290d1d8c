"""A stream that fails midway says so in its own framing, whatever made it fail."""

import json
from contextlib import asynccontextmanager
from typing import Any

import anyio
import httpx2
import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app
from tests.execution.calls import surface_of

pytestmark = pytest.mark.anyio


class Count(BaseModel):
    n: int


class Gone(Exception):
    pass


async def mapped(call: Any) -> Any:
    yield {"n": 1}
    raise Gone


async def typed(call: Any) -> Any:
    yield {"n": 1}
    raise pf.conflict("It moved.")


async def late(call: Any) -> Any:
    yield {"n": 1}
    await anyio.sleep_forever()


async def wrong(call: Any) -> Any:
    yield {"n": 1}
    yield {"n": "many"}


async def broken(call: Any) -> Any:
    yield {"n": 1}
    raise KeyError("secret")


async def fine(call: Any) -> Any:
    yield {"n": 1}


@asynccontextmanager
async def failing_close(call: Any) -> Any:
    yield None
    raise OSError("no commit")


FAULTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "an exception that the surface maps": (mapped, {}, "NOT_FOUND"),
    "a typed error": (typed, {}, "CONFLICT"),
    "a deadline": (late, {}, "REQUEST_TIMEOUT"),
    "an item that breaks its schema": (wrong, {}, "INTERNAL_SERVER_ERROR"),
    "a fault of the handler's": (broken, {}, "INTERNAL_SERVER_ERROR"),
    "a context that can't be closed": (fine, {"context": failing_close}, "INTERNAL_SERVER_ERROR"),
}


def streaming(handler: Any, framing: Any, **options: Any) -> pf.Surface[Any]:
    endpoint = pf.get(
        "",
        desc="Numbers.",
        response=pf.Stream(item=Count, framing=framing),
        timeout_seconds=0.05 if handler is late else None,
    )
    return surface_of(endpoint, handler, errors={Gone: pf.not_found("It is gone.")}, **options)


async def fetch(surface: pf.Surface[Any]) -> httpx2.Response:
    """Ask as a client that stays until the stream ends."""
    transport = httpx2.ASGITransport(http_app(surface))
    async with httpx2.AsyncClient(transport=transport, base_url="http://things.test") as http:
        return await http.get("/things")


@pytest.mark.parametrize("case", FAULTS)
async def test_lines_end_with_the_error(case):
    handler, options, code = FAULTS[case]
    reply = await fetch(streaming(handler, "ndjson", **options))
    item, fault = [json.loads(line) for line in reply.content.splitlines()]
    assert (reply.status_code, item, fault["error"]["code"]) == (200, {"n": 1}, code)
    assert b"secret" not in reply.content


@pytest.mark.parametrize("case", FAULTS)
async def test_events_end_with_an_error_event(case):
    handler, options, code = FAULTS[case]
    reply = await fetch(streaming(handler, "sse", **options))
    item, fault = reply.content.strip().split(b"\n\n")
    assert item == b'data: {"n":1}'
    event, data = fault.split(b"\n")
    assert event == b"event: error"
    assert json.loads(data.removeprefix(b"data: "))["error"]["code"] == code


async def test_a_fault_is_logged_once(caplog):
    await fetch(streaming(broken, "ndjson"))
    assert len([record for record in caplog.records if record.levelname == "ERROR"]) == 1
