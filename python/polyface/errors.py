"""What can go wrong, and what each failure is called.

    PolyfaceError
    ├── DeclarationError     a contract, view, service or surface says something that can't hold
    ├── MissingExtraError    an optional dependency isn't installed (also an ImportError)
    └── OperationError       one call failed; carries a code of `ERROR_CODES` or the application's

A caller branches on `code`, never on a message. Blame is in the code: the caller's fault is a 4xx
code, the handler's broken promise and our own bugs are `INTERNAL_SERVER_ERROR`, and what raised
them stays in `__cause__`, for hooks and logs only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any
from uuid import UUID

__all__ = [
    "ERROR_CODES",
    "CodeRow",
    "DeclarationError",
    "MissingExtraError",
    "OperationError",
    "PolyfaceError",
    "conflict",
    "forbidden",
    "not_found",
    "unauthorized",
]


@dataclass(frozen=True, slots=True)
class CodeRow:
    """How one error code is told to each kind of caller.

    Args:
        status: the HTTP status.
        exit_status: the status of a command line that failed with the code.
        retryable: whether the same call may succeed later without being changed.
    """

    status: int
    exit_status: int
    retryable: bool


ERROR_CODES: Mapping[str, CodeRow] = {
    "BAD_REQUEST": CodeRow(400, 1, False),
    "VALIDATION_ERROR": CodeRow(400, 1, False),
    "UNAUTHORIZED": CodeRow(401, 2, False),
    "FORBIDDEN": CodeRow(403, 3, False),
    "NOT_FOUND": CodeRow(404, 4, False),
    "METHOD_NOT_ALLOWED": CodeRow(405, 1, False),
    "REQUEST_TIMEOUT": CodeRow(408, 7, True),
    "CONFLICT": CodeRow(409, 5, False),
    "BODY_TOO_LARGE": CodeRow(413, 1, False),
    "UNSUPPORTED_MEDIA_TYPE": CodeRow(415, 1, False),
    "RATE_LIMITED": CodeRow(429, 6, True),
    "REQUEST_ABORTED": CodeRow(499, 1, False),
    "INTERNAL_SERVER_ERROR": CodeRow(500, 1, False),
    "NOT_IMPLEMENTED": CodeRow(501, 1, False),
    "SERVICE_UNAVAILABLE": CodeRow(503, 1, True),
}
"""Every code that polyface itself answers with. MCP tells each of them as an `isError` result."""

CODE_PATTERN = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*")

UNKNOWN_CODE = CodeRow(500, 1, False)
"""What a code of the application's own is told as, when its error names no status."""

INTERNAL_MESSAGE = "The operation failed on the server."


class PolyfaceError(Exception):
    """The root of every error that polyface raises on purpose."""


class DeclarationError(PolyfaceError):
    """A declaration can't hold: refused where it is written, before anything is served.

    Args:
        faults: one sentence for each fault, naming the place and the remedy.
    """

    def __init__(self, faults: str | Sequence[str]) -> None:
        self.faults: tuple[str, ...] = (faults,) if isinstance(faults, str) else tuple(faults)
        super().__init__("\n".join(self.faults))


class MissingExtraError(PolyfaceError, ImportError):
    """An optional part of polyface was asked for and isn't installed."""

    def __init__(self, extra: str, package: str) -> None:
        self.extra = extra
        super().__init__(
            f"`polyface.{extra}` needs the package `{package}`; "
            f"install it with `pip install 'polyface[{extra}]'`."
        )


class OperationError(PolyfaceError):
    """One call failed. Raise it from a handler or a hook; the caller gets its code and message.

    Args:
        code: a code of `ERROR_CODES`, or one of the application's own in the same spelling; another
            spelling is a `DeclarationError`.
        message: one sentence for the caller. It crosses the wire as it is.
        details: JSON values that help the caller to mend the call.
        status: the HTTP status; by default the code's own.
        retryable: whether the same call may succeed later; by default the code's own.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        details: Mapping[str, Any] | None = None,
        status: int | None = None,
        retryable: bool | None = None,
    ) -> None:
        if not CODE_PATTERN.fullmatch(code):
            raise DeclarationError(f"`{code}` isn't an error code; write it as `PERSON_LOCKED`.")
        if status is not None and not 400 <= status <= 599:
            raise DeclarationError(f"`{code}`: an error's status is 400 to 599, not {status}.")
        row = ERROR_CODES.get(code, UNKNOWN_CODE)
        self.code = code
        self.message = code if message is None else str(message)
        self.details: dict[str, Any] = dict(details or {})
        self.status = row.status if status is None else status
        self.exit_status = row.exit_status
        self.retryable = row.retryable if retryable is None else retryable
        super().__init__(f"{code}: {self.message}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle it by what it says; a copy has no cause and no traceback."""
        return _restored, (type(self), self.args, dict(self.__dict__))

    def envelope(self) -> dict[str, Any]:
        """Return the error as every transport tells it: `{"error": {code, message, ...}}`."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.details:
            body["details"] = self.details
        body["retryable"] = self.retryable
        return {"error": body}

    def to_json(self) -> bytes:
        """Return the envelope as JSON. Details that JSON can't hold are left out, one by one."""
        body = self.envelope()["error"]
        details = {
            key: text
            for key, value in self.details.items()
            if isinstance(key, str)  # pyright: ignore[reportUnnecessaryIsInstance]  # a caller's own
            and (text := _written(value)) is not None
        }
        members = [
            f"{_written(key)}:{_written(value)}" for key, value in body.items() if key != "details"
        ]
        if details:
            shown = ",".join(f"{_written(key)}:{text}" for key, text in details.items())
            members.insert(2, f'"details":{{{shown}}}')
        return f'{{"error":{{{",".join(members)}}}}}'.encode(errors="replace")


def _written(value: object) -> str | None:
    """Write a value as JSON, dates and their like as text; None for what has no JSON form."""
    try:
        return json.dumps(
            value, ensure_ascii=False, allow_nan=False, default=_as_text, separators=(",", ":")
        )
    except (TypeError, ValueError, RecursionError):
        return None


def _as_text(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date | time | UUID | Decimal | PurePath):
        return str(value)
    raise TypeError(f"a `{type(value).__name__}` has no JSON form")


def _restored(
    kind: type[OperationError], arguments: tuple[Any, ...], said: dict[str, Any]
) -> OperationError:
    error = kind.__new__(kind, *arguments)
    error.args = arguments
    error.__dict__.update(said, details=dict(said["details"]))
    return error


def not_found(message: str, /, **details: Any) -> OperationError:
    """Build a `NOT_FOUND` error (404); raise it from a handler."""
    return OperationError("NOT_FOUND", message, details=details)


def conflict(message: str, /, **details: Any) -> OperationError:
    """Build a `CONFLICT` error (409); raise it from a handler."""
    return OperationError("CONFLICT", message, details=details)


def forbidden(message: str, /, **details: Any) -> OperationError:
    """Build a `FORBIDDEN` error (403); raise it from a handler or from `Hooks.authorize`."""
    return OperationError("FORBIDDEN", message, details=details)


def unauthorized(message: str, /, **details: Any) -> OperationError:
    """Build an `UNAUTHORIZED` error (401); raise it from `Hooks.authorize`."""
    return OperationError("UNAUTHORIZED", message, details=details)


def server_fault(reason: str) -> OperationError:
    """Build the error of a promise broken on the server's side.

    The reason names what was broken (`the projection must be synchronous`) and goes to hooks and
    logs as the error's note; the caller reads a fixed sentence.
    """
    error = OperationError("INTERNAL_SERVER_ERROR", INTERNAL_MESSAGE)
    error.add_note(reason)
    return error
