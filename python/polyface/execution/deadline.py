"""How long one call may take."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager

import anyio

from ..errors import OperationError

__all__ = ["Deadline"]


class Deadline:
    """The deadline of one call. It cuts off the work, never the closing of the call's context.

    A context that is closed inside a cancelled scope couldn't await its rollback, so the time runs
    in two scopes: one until the context is open, and one inside it that takes over what is left.

    Args:
        seconds: how long the call may take; None sets no bound.
    """

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._outer: anyio.CancelScope | None = None

    @contextmanager
    def until_opened(self) -> Generator[None]:
        """Bound what runs before the context is open. Raises `REQUEST_TIMEOUT`."""
        if self._seconds is None:
            yield
            return
        with anyio.move_on_after(self._seconds) as self._outer:
            yield
        self._raise_if_late(self._outer)

    @contextmanager
    def inside(self) -> Generator[None]:
        """Bound what runs inside the open context.

        Raises `REQUEST_TIMEOUT`, for the context to see.
        """
        if self._outer is None:
            yield
            return
        left, self._outer.deadline = self._outer.deadline, math.inf
        with anyio.CancelScope(deadline=left) as scope:
            yield
        self._raise_if_late(scope)

    def _raise_if_late(self, scope: anyio.CancelScope) -> None:
        if scope.cancelled_caught:
            raise OperationError("REQUEST_TIMEOUT", f"The operation took over {self._seconds} s.")
