"""Errors that an application declares: a code with its status, message and typed details."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..errors import CODE_PATTERN, ERROR_CODES, DeclarationError, OperationError
from ..schema.adapter import Schema, type_name
from ..schema.arguments import is_object

__all__ = ["ErrorDefinition", "ErrorSet", "define_errors"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ErrorDefinition:
    """One declared error; calling it builds the error, and raising it is the caller's.

    Args:
        status: the HTTP status, 400 to 599.
        message: what a caller reads unless the one who raises it says more.
        details: the type of its details, written as a JSON object; None has none.
        retryable: whether the same call may succeed later.
        code: set by `define_errors`.
    """

    status: int
    message: str
    details: Any = None
    retryable: bool = False
    code: str = ""

    def __call__(self, details: Any = None, *, message: str | None = None) -> OperationError:
        """Build the error.

        Args:
            details: a value of the declared type.
            message: one sentence in place of the declared one.

        Raises:
            TypeError: details without a declared type, or none where one is declared.
            AnswerError: details that don't fit the declared type.
        """
        if (details is None) != (self.details is None):
            wants = (
                "no details" if self.details is None else f"details of `{type_name(self.details)}`"
            )
            raise TypeError(f"`{self.code}` is raised with {wants}")
        written: Mapping[str, Any] = {} if details is None else self._written(details)
        return OperationError(
            self.code,
            self.message if message is None else message,
            details=written,
            status=self.status,
            retryable=self.retryable,
        )

    def _written(self, details: Any) -> Mapping[str, Any]:
        made: Mapping[str, Any] = json.loads(Schema(self.details).law(details))
        return made


class ErrorSet:
    """The errors of one application: `errors.PERSON_LOCKED`. Made by `define_errors`."""

    def __init__(self, definitions: Mapping[str, ErrorDefinition]) -> None:
        self._definitions = dict(definitions)

    def __getattr__(self, code: str) -> ErrorDefinition:
        try:
            return self.__dict__["_definitions"][code]  # type: ignore[no-any-return]  # filled above
        except KeyError:
            raise AttributeError(f"there is no error `{code}` in this set") from None

    def __iter__(self) -> Iterator[ErrorDefinition]:
        return iter(self._definitions.values())

    def __contains__(self, error: object) -> bool:
        """Whether an exception is one of these errors."""
        return isinstance(error, OperationError) and error.code in self._definitions

    def __repr__(self) -> str:
        return f"ErrorSet({', '.join(self._definitions)})"


def define_errors(**definitions: ErrorDefinition) -> ErrorSet:
    """Declare the errors of an application, each under its code.

    Raises:
        DeclarationError: an odd code, a status outside 400 to 599, a blank message, details that
            aren't an object, or a code of polyface's with another status; every fault at once.

    Example:
        errors = pf.define_errors(
            PERSON_LOCKED=pf.ErrorDefinition(status=409, message="The person is locked."),
        )
        raise errors.PERSON_LOCKED()
    """
    faults = [fault for code, made in definitions.items() for fault in _faults(code, made)]
    if faults:
        raise DeclarationError(faults)
    return ErrorSet({code: replace(made, code=code) for code, made in definitions.items()})


def _faults(code: str, made: ErrorDefinition) -> Iterator[str]:
    if not isinstance(made, ErrorDefinition):
        yield f"`{code}` is declared by `ErrorDefinition(status=..., message=...)`, not `{made!r}`."
        return
    if not CODE_PATTERN.fullmatch(code):
        yield f"`{code}` isn't an error code; write it as `PERSON_LOCKED`."
    if not (isinstance(made.status, int) and 400 <= made.status <= 599):
        yield f"`{code}`: the status `{made.status}` isn't one of an error, 400 to 599."
    if not made.message.strip():
        yield f"`{code}`: the message is empty; say what went wrong in one sentence."
    own = ERROR_CODES.get(code)
    if own is not None and own.status != made.status:
        yield f"`{code}` is polyface's own code with the status {own.status}; choose another code."
    try:
        is_wrong = made.details is not None and not is_object(Schema(made.details).shape)
    except DeclarationError as error:
        yield f"`{code}`: `details=`: {error}"
        return
    if is_wrong:
        yield f"`{code}`: details are a JSON object, not `{type_name(made.details)}`; use a model."
