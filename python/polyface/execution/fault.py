"""What ends a call: a failure of the call's own, or the end of what runs it."""

from __future__ import annotations

import asyncio

__all__ = ["is_fault", "is_wrapped"]


def is_fault(error: BaseException) -> bool:
    """Whether an exception is a failed call, not the end of a task, a program or a generator.

    `SystemExit` in a handler, or a panic of an extension module, may not end what serves others.
    Nor may a `CancelledError` that nobody sent to this task: a handler that awaits a task which
    somebody cancelled gets one.
    """
    if isinstance(error, asyncio.CancelledError):
        return not _is_being_cancelled()
    return not isinstance(error, KeyboardInterrupt | GeneratorExit) and all(
        map(is_fault, _members(error))
    )


def _is_being_cancelled() -> bool:
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


def is_wrapped(error: BaseException, *, by: BaseException) -> bool:
    """Whether an exception is all that a group holds, however many groups it came through."""
    while len(members := _members(by)) == 1:
        by = members[0]
    return by is error


def _members(error: BaseException) -> tuple[BaseException, ...]:
    members: tuple[BaseException, ...] = getattr(error, "exceptions", ())  # of a group
    return members
