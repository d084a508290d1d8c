"""A client of kept-alive connections that spends as little as it can, and looks at every answer."""

import asyncio
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import cast

import uvloop

from .exchange import HOST

LENGTH = re.compile(rb"content-length: *(\d+)", re.IGNORECASE)
HEAD_END = b"\r\n\r\n"
PATIENCE_SECONDS = 60


@dataclass(frozen=True, slots=True)
class Load:
    """What driving a server measured: microseconds from request to whole answer, one for each."""

    latencies: tuple[float, ...]


class _Driver:
    def __init__(self, request: bytes, check: Callable[[bytes], None], count: int) -> None:
        self.request = request
        self.left = count
        self.open = count
        self.latencies: list[float] = []
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._check = check
        self._seen: bytes | None = None

    def answered(self, head: bytes, body: bytes, started: int) -> None:
        """Take one answer: the first is checked, and all others are the same bytes."""
        self.latencies.append((time.perf_counter_ns() - started) / 1000)
        if self._seen is None:
            assert head.startswith(b"HTTP/1.1 200"), (head, body[:400])
            self._check(body)
            self._seen = body
        assert body == self._seen, "two answers to one request differ"
        self.open -= 1
        if not self.open and not self.done.done():
            self.done.set_result(None)


class _Connection(asyncio.Protocol):
    def __init__(self, driver: _Driver) -> None:
        self._driver = driver
        self._transport: asyncio.Transport | None = None
        self._received = bytearray()
        self._asked = False
        self._end = -1
        self._start = 0
        self._started = 0
        self.closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)  # uvloop's own is no subclass
        self._ask()

    def _ask(self) -> None:
        assert self._transport is not None
        if not self._driver.left:
            return
        self._driver.left -= 1
        self._asked = True
        self._started = time.perf_counter_ns()
        self._transport.write(self._driver.request)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._end < 0:
            blank = self._received.find(HEAD_END)
            if blank < 0:
                return
            self._start = blank + len(HEAD_END)
            length = LENGTH.search(self._received, 0, self._start)
            assert length is not None, bytes(self._received[: self._start])
            self._end = self._start + int(length[1])
        if len(self._received) < self._end:
            return
        head, body = bytes(self._received[: self._start]), bytes(self._received[self._start :])
        self._received.clear()
        self._asked = False
        self._end = -1
        try:
            self._driver.answered(head, body, self._started)
        except AssertionError as error:
            self._fail(error)
            return
        self._ask()

    def connection_lost(self, error: Exception | None) -> None:
        if self._asked:
            self._fail(error or ConnectionError("the server closed a connection"))
        self.closed.set_result(None)

    async def close(self) -> None:
        """Close the connection and wait until it is."""
        if self._transport is not None:
            self._asked = False
            self._transport.abort()
            await self.closed

    def _fail(self, error: Exception) -> None:
        if not self._driver.done.done():
            self._driver.done.set_exception(error)


def drive(
    port: int, request: bytes, check: Callable[[bytes], None], *, count: int, connections: int
) -> Load:
    """Send one request `count` times over some connections, each waiting for its answer.

    Raises:
        AssertionError: an answer isn't what `check` wants, or not the same as the first.
    """

    async def run() -> Load:
        driver = _Driver(request, check, count)
        loop = asyncio.get_running_loop()
        made = [_Connection(driver) for _ in range(min(connections, count))]
        try:
            for connection in made:
                await loop.create_connection(partial(_existing, connection), HOST, port)
            await asyncio.wait_for(driver.done, PATIENCE_SECONDS)
        finally:
            for connection in made:
                await connection.close()
        return Load(tuple(driver.latencies))

    return uvloop.run(run())


def _existing(connection: _Connection) -> _Connection:
    return connection
