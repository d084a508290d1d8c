"""How functions of the application's are called: sync or async, and never twice."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# Values of any type pass through here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Iterator
from contextvars import ContextVar
from types import CodeType
from typing import Any

import anyio
import anyio.to_thread

from .threads import ThreadBound

__all__ = ["abandon", "call_function", "in_threads", "is_async", "settle"]


async def settle(value: Any) -> Any:
    """Await what is awaitable; return anything else as it is."""
    return await value if inspect.isawaitable(value) else value


async def call_function(function: Callable[..., Any], *arguments: Any, threads: ThreadBound) -> Any:
    """Call a sync or async function, and await what it returns if need be."""
    if is_async(function):
        return await function(*arguments)
    # Whoever calls from a thread of the pool holds it until this call is over, so that waiting for
    # another one could wait for ever.
    limiter = anyio.CapacityLimiter(1) if _IN_THREAD.get() else threads.limiter()
    return await settle(
        await anyio.to_thread.run_sync(_marked, function, arguments, limiter=limiter)
    )


def _marked(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    _IN_THREAD.set(True)
    return function(*arguments)


_IN_THREAD: ContextVar[bool] = ContextVar("polyface_in_thread", default=False)


def is_async(function: Callable[..., Any]) -> bool:
    """Whether calling a function makes an awaitable."""
    code = getattr(function, "__code__", None)
    if isinstance(code, CodeType) and code.co_flags & inspect.CO_COROUTINE:
        return True  # a plain `async def`, known without a search through wrappers
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004  # its __call__ may be async
    )


async def in_threads(items: Iterator[Any], *, threads: ThreadBound) -> AsyncGenerator[Any]:
    """Step through a sync iterator without blocking the event loop; close it at the end."""
    done = object()
    try:
        while (item := await call_function(next, items, done, threads=threads)) is not done:
            yield item
    finally:
        close = getattr(items, "close", None)
        if close is not None:
            with anyio.CancelScope(shield=True):
                await call_function(close, threads=threads)


def abandon(awaitable: Any) -> None:
    """Get rid of an awaitable that nobody will wait for, without a warning and without its work."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()
    elif hasattr(awaitable, "cancel"):
        awaitable.cancel()
