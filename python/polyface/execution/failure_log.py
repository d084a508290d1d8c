"""What a log says of a call that failed on the server's side."""

from __future__ import annotations

import logging
import traceback

from ..errors import OperationError
from ..operations.operation import Operation

__all__ = ["log_failure"]

logger = logging.getLogger("polyface")

# Whose frames say nothing of the application: they lie between a mount and what it calls.
BETWEEN = frozenset({"polyface", "pydantic", "anyio", "asyncio", "contextlib"})


def log_failure(operation: Operation, error: BaseException) -> None:
    """Log a failure, its reason in the first line.

    An exception that came out of the application keeps its traceback. A promise that a value broke
    has none worth reading: the reason names the place, and the frames are polyface's.
    """
    if not isinstance(error, OperationError):
        logger.error("%s failed: %s", operation.label, _headline(error), exc_info=error)
        return
    cause = error.__cause__
    notes: list[str] = getattr(error, "__notes__", [])
    reason = notes[0].removeprefix(f"{operation.label}: ") if notes else _headline(error)
    shown: BaseException | None = None
    if _comes_from_the_application(error):
        shown = error
    elif cause is not None and _comes_from_the_application(cause):
        shown = cause
        reason = f"{reason}: {_headline(cause)}"
    logger.error("%s failed: %s", operation.label, reason, exc_info=shown)


def _headline(error: BaseException) -> str:
    """The type of an exception and the first line of its text."""
    text = str(error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _comes_from_the_application(error: BaseException) -> bool:
    return any(
        str(frame.f_globals.get("__name__", "")).partition(".")[0] not in BETWEEN
        for frame, _ in traceback.walk_tb(error.__traceback__)
    )
