"""A copy of the caller's context variables for each call: none sees what another sets."""

from __future__ import annotations

import contextvars
import types
from collections.abc import Coroutine, Generator
from typing import Any, TypeVar

__all__ = ["isolated"]

T = TypeVar("T")


@types.coroutine
def isolated(coroutine: Coroutine[Any, Any, T]) -> Generator[Any, Any, T]:
    """Run a coroutine in a copy of the current context.

    A task of its own would do the same, but a nested call is awaited in its caller's task, and what
    is cancelled, traced or timed there should stay there.
    """
    context = contextvars.copy_context()
    resume: Any = coroutine.send
    value: Any = None
    while True:
        try:
            waits_for = context.run(resume, value)
        except StopIteration as stop:
            answer: T = stop.value
            return answer
        try:
            value = yield waits_for
            resume = coroutine.send
        except BaseException as error:  # noqa: BLE001  # cancelling it is for the coroutine to see
            value, resume = error, coroutine.throw
