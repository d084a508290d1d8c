"""How a call comes in, and what it leaves with."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from ..operations.call import Call, ProgressListener
from ..operations.presenter import Presentation
from .function import call_function
from .threads import ThreadBound

__all__ = ["Answer", "Arrival", "ToolArrival"]

logger = logging.getLogger("polyface")
AnyCall: TypeAlias = Call[Any, Any, Any]


@dataclass(eq=False, slots=True, kw_only=True)
class Arrival:
    """How an HTTP call came in.

    Args:
        source: the transport's tag.
        params: what the path captured, as JSON values.
        read_input: reads the query or the body; called after the call has been authorised.
        deliver: sends the items of a stream, each a JSON text; called while the context is open.
            None where the operation is no stream.
        identity: who calls, where the transport knows; None asks `Hooks.identify`.
        request: the transport's own request object.
    """

    source: str
    params: Mapping[str, Any]
    read_input: Callable[[AnyCall], Awaitable[bytes | Mapping[str, Any]]]
    deliver: Callable[[AsyncGenerator[bytes]], Awaitable[None]] | None = None
    identity: Any = None
    request: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolArrival:
    """How a tool call came in.

    Args:
        source: the transport's tag.
        arguments: one JSON object with params and input side by side.
        identity: who calls, where the transport knows; None asks `Hooks.identify`.
        request: the transport's own request object, where there is one.
        progress: who wants to hear of progress.
        present: the transport's presenter of the operation, given the answer and the call.
    """

    source: str
    arguments: Any
    identity: Any = None
    request: Any = None
    progress: ProgressListener | None = None
    present: Callable[[Any, AnyCall], Presentation] | None = None


@dataclass(eq=False, slots=True)
class Answer:
    """A call that succeeded.

    Args:
        body: the answer's JSON bytes; None for an operation without an output.
        call: the call, for what is to be done after the answer has been sent.
        threads: the surface's bound on sync functions.
        raw: what a handler with a raw response returned.
        presentation: what the transport's presenter made of the answer.
    """

    body: bytes | None
    call: AnyCall
    threads: ThreadBound
    raw: Any = None
    presentation: Presentation | None = None

    @property
    def leaves_work(self) -> bool:
        """Whether the handler left work for after the answer."""
        return bool(self.call._after_answer)  # pyright: ignore[reportPrivateUsage]  # as below

    async def sent(self) -> None:
        """Run what the handler left for after the answer, in order.

        Its failures are only logged.
        """
        left = self.call._after_answer  # pyright: ignore[reportPrivateUsage]  # stages fill a call in
        for function, arguments in left:
            try:
                await call_function(function, *arguments, threads=self.threads)
            except Exception as error:
                label, kind = self.call.operation.label, type(error).__name__
                logger.exception("%s: work after the answer failed: %s", label, kind)
