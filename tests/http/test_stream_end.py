"""What happens to a stream whose client leaves before it ends."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app

pytestmark = pytest.mark.anyio


class Count(BaseModel):
    n: int


class Endless(pf.Contract, prefix="endless"):
    numbers = pf.get("/", desc="Numbers without end.", response=pf.Stream(item=Count))
    steps = pf.get("/steps", desc="The same, from a sync handler.", response=pf.Stream(item=Count))


class Client:
    """A client that leaves after five messages."""

    def __init__(self) -> None:
        self.sent: list[Any] = []
        self._received = False
        self._left = anyio.Event()

    async def receive(self) -> Any:
        if not self._received:
            self._received = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)
        if len(self.sent) == 5:
            self._left.set()


def make_surface(events: list[str]) -> pf.Surface[Any]:
    """A surface that writes down what is closed, and how a call failed."""
    endless = pf.implement(Endless)

    @endless.handler(Endless.numbers)
    async def numbers(call: Any) -> Any:
        try:
            while True:
                yield {"n": 1}
                await anyio.lowlevel.checkpoint()
        finally:
            events.append("iterator")

    @endless.handler(Endless.steps)
    def steps(call: Any) -> Any:
        try:
            while True:
                yield {"n": 1}
        finally:
            events.append("iterator")

    @asynccontextmanager
    async def context(_: Any) -> AsyncIterator[None]:
        try:
            yield
        finally:
            events.append("context")

    def on_error(_: Any, error: pf.OperationError) -> None:
        events.append(error.code)

    return pf.Surface([endless], context=context, hooks=pf.Hooks(on_error=on_error))


@pytest.mark.parametrize("path", ["/endless", "/endless/steps"])
async def test_a_client_that_leaves_ends_the_stream_and_closes_its_iterator(path: str) -> None:
    events: list[str] = []
    client = Client()
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [],
    }
    with anyio.fail_after(10):
        await http_app(make_surface(events))(scope, client.receive, client.send)
    assert events == ["iterator", "context", "REQUEST_ABORTED"]
    assert client.sent[-1]["more_body"] is True  # nothing pretends that the stream was complete
