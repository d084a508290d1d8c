"""How many sync functions of a surface run at once, on each event loop."""

from __future__ import annotations

import anyio
from anyio.lowlevel import RunVar

__all__ = ["ThreadBound"]


class ThreadBound:
    """A bound on worker threads that holds for each event loop by itself.

    One limiter for two loops would wake waiters from the wrong thread, and they would sleep on.

    Args:
        max_threads: how many may run at once on one loop.
    """

    def __init__(self, max_threads: int) -> None:
        self._max_threads = max_threads
        self._limiter: RunVar[anyio.CapacityLimiter] = RunVar(f"polyface_threads_{id(self)}")

    def limiter(self) -> anyio.CapacityLimiter:
        """The limiter of the running event loop."""
        try:
            return self._limiter.get()
        except LookupError:
            made = anyio.CapacityLimiter(self._max_threads)
            self._limiter.set(made)
            return made
