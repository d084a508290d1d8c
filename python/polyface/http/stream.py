"""Sending a stream item by item, while the call's context is open."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

import anyio
import anyio.lowlevel
from starlette.types import Receive, Scope, Send

from ..contract.kind import Stream
from ..errors import OperationError
from ..execution.arrival import Answer
from ..operations.operation import Operation

__all__ = ["Delivery"]

MEDIA_TYPES = {"ndjson": "application/x-ndjson", "sse": "text/event-stream"}


class Delivery:
    """One answer that is sent as it comes into being.

    The first item is awaited before anything is sent, so that a call which fails at once answers
    with its status. After that a fault is the last thing sent, in the stream's own framing.
    """

    def __init__(self, operation: Operation, receive: Receive, send: Send) -> None:
        self._operation = operation
        self._receive = receive
        self._send_message = send
        self._answer: Answer | None = None
        self._is_gone = False
        self.started = False

    async def deliver(self, items: AsyncGenerator[bytes]) -> None:
        """Send all items. Raises what the items raise; `fail` tells it once the call has ended.

        Raises:
            OperationError: `REQUEST_ABORTED`: the client is gone; the iterator has been closed.
        """
        failure: Exception | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._watch, tasks.cancel_scope)
            async with aclosing(items):
                try:
                    await self._send_all(items)
                except Exception as error:  # noqa: BLE001
                    failure = error  # not raised here: a task group would wrap it
            tasks.cancel_scope.cancel()
        if self._is_gone:
            raise OperationError("REQUEST_ABORTED", "The client left before the stream ended.")
        if failure is not None:
            raise failure

    async def _watch(self, scope: anyio.CancelScope) -> None:
        """Stop the stream when the client leaves; what else comes is the end of a body."""
        while (await self._receive())["type"] != "http.disconnect":
            await anyio.lowlevel.checkpoint()
        self._is_gone = True
        scope.cancel()

    async def _send_all(self, items: AsyncGenerator[bytes]) -> None:
        async for item in items:
            await self._start()
            await self._send(self._frame(item))
        await self._start()

    async def fail(self, error: OperationError) -> None:
        """Tell, as the last thing of a stream that has begun, why the call failed."""
        if not self._is_gone:
            await self._send(self._fault(error))

    def finished(self, answer: Answer) -> Delivery:
        """Remember the answer, for what the handler left for after it."""
        self._answer = answer
        return self

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Be the response of a request that has been answered already: end it."""
        if not self._is_gone:
            await self._send(b"", more=False)
        if self._answer is not None:
            await self._answer.sent()

    async def _start(self) -> None:
        if self.started:
            return
        self.started = True
        headers = [
            (b"content-type", MEDIA_TYPES[self._framing].encode()),
            (b"cache-control", b"no-store"),
        ]
        await self._send_message(
            {"type": "http.response.start", "status": self._operation.status, "headers": headers}
        )

    async def _send(self, body: bytes, *, more: bool = True) -> None:
        await self._send_message({"type": "http.response.body", "body": body, "more_body": more})

    @property
    def _framing(self) -> str:
        assert isinstance(self._operation.response, Stream)
        return self._operation.response.framing

    def _frame(self, item: bytes) -> bytes:
        return item + b"\n" if self._framing == "ndjson" else b"data: " + item + b"\n\n"

    def _fault(self, error: OperationError) -> bytes:
        text = error.to_json()
        return (
            text + b"\n" if self._framing == "ndjson" else b"event: error\ndata: " + text + b"\n\n"
        )
