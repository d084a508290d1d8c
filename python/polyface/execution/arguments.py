"""From what a caller brought to the one parse.

Every transport's arguments are a JSON object and pass pydantic once, as JSON, so that a strict
model accepts and refuses the same values everywhere.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import copy
import json
import math
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..contract.path import capture_fault
from ..contract.tool import ToolView
from ..errors import OperationError
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.arguments import ArgumentFault, check_json, object_keys, read_json_text
from .issues import invalid_arguments, issues_of

__all__ = [
    "checked_arguments",
    "parse",
    "parse_input",
    "parse_params",
    "split_arguments",
    "write_arguments",
]

TAKES_NOTHING = TypeAdapter(dict[str, Any])

# A number that may be too large for a double, or one of the tokens that aren't JSON.
SUSPICIOUS_NUMBER = re.compile(rb"NaN|Infinity|[eE]\+?[0-9]{3,}|[0-9]{200,}")


def checked_arguments(arguments: object, *, max_depth: int) -> Mapping[str, Any]:
    """Return a tool call's arguments if they are one JSON object; none are an empty one.

    Raises:
        OperationError: `VALIDATION_ERROR`: not an object, or a value that JSON can't hold.
    """
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        kind = type(arguments).__name__
        raise invalid_arguments([("", "object", f"Arguments are a JSON object, not `{kind}`.")])
    try:
        check_json(arguments, max_depth=max_depth)
    except ArgumentFault as fault:
        raise invalid_arguments([(fault.path, "not_json", fault.reason)]) from None
    return arguments


def split_arguments(
    operation: Operation, arguments: object, *, max_depth: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split a tool call's one object into params and input, so that each schema sees its own keys.

    Text that holds JSON is read where a structure is wanted and no string is taken.

    Raises:
        OperationError: `VALIDATION_ERROR`: not an object, or a value that JSON can't hold.
    """
    arguments = checked_arguments(arguments, max_depth=max_depth)
    keys = object_keys(operation.params.shape) if operation.params is not None else set()
    params = {key: value for key, value in arguments.items() if key in keys}
    given = {key: value for key, value in arguments.items() if key not in keys}
    if operation.params is not None:
        params = read_json_text(operation.params.shape, params)
    if operation.input is not None:
        given = read_json_text(operation.input.shape, given)
    return params, given


def with_defaults(
    view: ToolView | None, given: Mapping[str, Any], schema: Schema[Any] | None
) -> Mapping[str, Any]:
    """Add the view's defaults for keys that the caller didn't give, copied for this call alone.

    A key counts as given under any of the names that its field is read by.
    """
    if view is None or not view.defaults or schema is None:
        return given
    aliases = schema.names_of_fields
    added = {
        key: copy.deepcopy(value)
        for key, value in view.defaults.items()
        if not any(name in given for name in aliases.get(key, (key,)))
    }
    return {**given, **added}


def parse_params(operation: Operation, given: Mapping[str, Any]) -> Any:
    """Parse what a path captures, or would capture, once.

    Raises:
        OperationError: `VALIDATION_ERROR`: the schema refuses it, or a text can't stand in a path.
    """
    if operation.params is not None and any(isinstance(text, str) for text in given.values()):
        for name, convertor in operation.captures.items():
            for key in operation.params.names_beside(name):
                text = given.get(key)
                fault = capture_fault(text, convertor) if isinstance(text, str) else None
                if fault is not None:
                    raise invalid_arguments([(key, "path_segment", fault)])
    return parse(operation.params, given, what="path")


def parse_input(
    operation: Operation, view: ToolView | None, given: bytes | Mapping[str, Any]
) -> Any:
    """Add the view's defaults and parse the input, once.

    Raises:
        OperationError: `VALIDATION_ERROR`; where a default took part in it, `details.defaults` and
            the message's last line say so, because the caller sees only what it gave itself.
    """
    if view is None or not view.defaults or isinstance(given, bytes):
        return parse(operation.input, given, what="input")
    filled = with_defaults(view, given, operation.input)
    try:
        return parse(operation.input, filled, what="input")
    except OperationError as error:
        added = {key: value for key, value in filled.items() if key not in given}
        roots = {re.split(r"[.\[]", issue["path"])[0] for issue in error.details["issues"]}
        if not added.keys() & roots and "" not in roots:
            raise
        listed = ", ".join(f"`{key}`" for key in added)
        raise OperationError(
            error.code,
            f"{error.message}\nThe tool's defaults for {listed} took part; "
            f"give values of your own.",
            details={**error.details, "defaults": added},
        ) from error.__cause__


def parse(schema: Schema[Any] | None, given: bytes | Mapping[str, Any], *, what: str) -> Any:
    """Parse arguments, once. Returns None where nothing is declared and nothing was given.

    Raises:
        OperationError: `VALIDATION_ERROR` with `details.issues`: path, code and message of each.
    """
    if schema is None:
        _refuse_any(given)
        return None
    text = given if isinstance(given, bytes) else write_arguments(given)
    if isinstance(given, bytes) and SUSPICIOUS_NUMBER.search(text):
        _refuse_odd_numbers(text, what)
    try:
        return schema.parse_json(text)
    except ValidationError as error:
        raise invalid_arguments(issues_of(error, text)) from error


def _refuse_any(given: bytes | Mapping[str, Any]) -> None:
    """Refuse arguments of an operation that takes none; an empty object gives none."""
    if isinstance(given, bytes):
        text = given
        try:
            given = TAKES_NOTHING.validate_json(text)
        except ValidationError as error:
            raise invalid_arguments(issues_of(error, text)) from error
    if given:
        # What pydantic says of a key that a schema doesn't have: one mistake, one code.
        raise invalid_arguments(
            [(name, "extra_forbidden", "Extra inputs are not permitted") for name in given]
        )


_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def write_arguments(given: Mapping[str, Any]) -> bytes:
    """Write arguments as JSON; a flat object of texts and integers without making an encoder."""
    parts: list[str] = []
    for name, value in given.items():
        if type(value) is str:
            parts.append(f"{encode_basestring(name)}:{encode_basestring(value)}")
        elif type(value) is int:
            parts.append(f"{encode_basestring(name)}:{value}")
        else:
            return _ENCODER.encode(given).encode()
    return f"{{{','.join(parts)}}}".encode()


def _refuse_odd_numbers(text: bytes, what: str) -> None:
    """Refuse numbers that would be read as infinity or NaN; leave malformed text to pydantic."""

    def refuse(token: str) -> Any:
        raise invalid_arguments(
            [("", "finite_number", f"The {what} holds `{token[:20]}`, not a finite number.")]
        )

    def read(token: str) -> float:
        number = float(token)
        return number if math.isfinite(number) else refuse(token)

    try:
        json.loads(text, parse_constant=refuse, parse_float=read, parse_int=lambda token: 0)
    except (ValueError, RecursionError):
        return
