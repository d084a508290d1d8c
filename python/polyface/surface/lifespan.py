"""A lifespan: a function whose result is entered when a mount starts, and left when it stops."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import Future
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import anyio

from ..errors import DeclarationError

__all__ = ["LifespanHost", "refuse_entered"]

logger = logging.getLogger("polyface")


class LifespanHost:
    """Keeps one lifespan open for as long as anyone holds it, whatever holders come and go.

    The lifespan runs in a task of its own: a task group or a cancel scope inside it must be left by
    the task that entered it, and the last to leave is seldom the first that came. The task lives on
    the event loop of the first holder; holders on other loops share it.

    Args:
        enter: makes the context manager to enter, anew each time that the first holder comes.
    """

    def __init__(self, enter: Callable[[], AbstractAsyncContextManager[Any]]) -> None:
        self._enter = enter
        self._lock = threading.Lock()
        self._current: _Opening | None = None

    @property
    def is_open(self) -> bool:
        """Whether the lifespan has been entered, and neither fails nor closes."""
        current = self._current
        return current is not None and current.is_open

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None]:
        """Hold the lifespan open: enter it if nobody does, leave it if nobody else does.

        Raises whatever entering it raises, to everyone who waits for it; the last holder sees
        whatever leaving it raises, and why it ended if it ended by itself.
        """
        opening = self._join()
        try:
            await opening.entered()
        except BaseException:
            if self._leaves_last(opening):
                await opening.cancelled()
            raise
        try:
            yield
        finally:
            if self._leaves_last(opening):
                await opening.closed()

    def _join(self) -> _Opening:
        with self._lock:
            current = self._current
            if current is None or current.holders == 0:  # closing: the next waits for its end
                current = self._current = _Opening(self._enter, after=current)
            current.holders += 1
            return current

    def _leaves_last(self, opening: _Opening) -> bool:
        with self._lock:
            opening.holders -= 1
            return opening.holders == 0


class _Opening:
    """One time that a lifespan is entered and left again, and the task that does both."""

    def __init__(
        self, enter: Callable[[], AbstractAsyncContextManager[Any]], *, after: _Opening | None
    ) -> None:
        self.holders = 0
        self._stop = asyncio.Event()
        # They carry what went wrong, or None, as a result: no waiter need be there to retrieve it.
        self._entered: Future[BaseException | None] = Future()
        self._ended: Future[BaseException | None] = Future()
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._host(enter, after), name="polyface lifespan")

    @property
    def is_open(self) -> bool:
        return (
            self._entered.done()
            and self._entered.result() is None
            and not self._ended.done()
            and not self._stop.is_set()
        )

    async def entered(self) -> None:
        """Wait until the lifespan has been entered. Raises what entering it raised."""
        _reraise(await _result(self._entered))

    async def closed(self) -> None:
        """Leave the lifespan, to the end even if the holder is cancelled. Raises what it raised."""
        self._on_loop(self._stop.set)
        with anyio.CancelScope(shield=True):
            await _result(self._ended)
        _reraise(self._ended.result())

    async def cancelled(self) -> None:
        """Cancel the entering of the lifespan, and wait for its end."""
        self._on_loop(self._task.cancel)
        with anyio.CancelScope(shield=True):
            await _result(self._ended)

    def _on_loop(self, function: Callable[[], Any]) -> None:
        if self._ended.done():
            return
        if self._loop is asyncio.get_running_loop():
            function()
        else:
            self._loop.call_soon_threadsafe(function)

    async def _host(
        self, enter: Callable[[], AbstractAsyncContextManager[Any]], after: _Opening | None
    ) -> None:
        failure: BaseException | None = None
        try:
            if after is not None:
                await _result(after._ended)
            async with enter():
                self._entered.set_result(None)
                await self._stop.wait()
        except Exception as error:  # noqa: BLE001  # told to who holds it
            failure = error
        except BaseException as error:
            failure = error
            raise
        finally:
            if not self._entered.done():
                self._entered.set_result(failure)
            elif not self._stop.is_set():
                logger.error("a surface's lifespan ended while it was in use", exc_info=failure)
            self._ended.set_result(failure)


async def _result(future: Future[BaseException | None]) -> BaseException | None:
    """Wait for a future of any event loop; who stops waiting doesn't cancel it for the others."""
    return await asyncio.shield(asyncio.wrap_future(future))


def _reraise(failure: BaseException | None) -> None:
    if failure is None:
        return
    if isinstance(failure, Exception):
        raise failure
    raise RuntimeError("the surface's lifespan was cancelled") from failure


def refuse_entered(lifespan: object, given: str) -> None:
    """Refuse the result of a lifespan where the function itself is taken.

    Args:
        lifespan: what the caller passed; None is no lifespan.
        given: what the function is called with, for the message.

    Raises:
        DeclarationError: it has been called already, or can't be called.
    """
    if lifespan is None:
        return
    kind = type(lifespan).__name__
    # What `asynccontextmanager` makes is callable, too: it is a decorator.
    if isinstance(lifespan, AbstractAsyncContextManager) or not callable(lifespan):
        raise DeclarationError(
            f"`lifespan=` takes a function of the {given}, not `{kind}`; "
            f"write its name without calling it, as `lifespan=server.running`."
        )
