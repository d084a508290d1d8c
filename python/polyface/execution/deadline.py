"""How long one call may take."""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager, nullcontext

import anyio

from ..errors import OperationError

__all__ = ["Deadline"]

UNBOUNDED = nullcontext()


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

    def until_opened(self) -> AbstractContextManager[None]:
        """Bound what runs before the context is open. Raises `REQUEST_TIMEOUT`."""
        return UNBOUNDED if self._seconds is None else self._until_opened(self._seconds)

    @contextmanager
    def _until_opened(self, seconds: float) -> Generator[None]:
        with anyio.move_on_after(seconds) as self._outer:
            yield
        self._raise_if_late(self._outer)

    def inside(self) -> AbstractContextManager[None]:
        """Bound what runs inside the open context.

        Raises `REQUEST_TIMEOUT`, for the context to see.
        """
        return UNBOUNDED if self._outer is None else self._inside(self._outer)

    @contextmanager
    def _inside(self, outer: anyio.CancelScope) -> Generator[None]:
        left, outer.deadline = outer.deadline, math.inf
        with anyio.CancelScope(deadline=left) as scope:
            yield
        self._raise_if_late(scope)

    def _raise_if_late(self, scope: anyio.CancelScope) -> None:
        if scope.cancelled_caught:
            raise OperationError("REQUEST_TIMEOUT", f"The operation took over {self._seconds} s.")
