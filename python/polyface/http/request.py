"""What an HTTP request brings: the query, the body, and what the path captured, not yet parsed."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import ClientDisconnect, Request

from ..contract.endpoint import QUERY_METHODS
from ..contract.kind import Multipart, RawBody
from ..errors import OperationError
from ..execution.issues import invalid_arguments
from ..execution.limits import Limits
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.arguments import ArgumentFault, is_nested_deeper, type_text
from .multipart import read_multipart

__all__ = ["read_input", "read_params"]

MAX_QUERY_KEYS = 1000


def read_params(operation: Operation, captured: Mapping[str, str]) -> dict[str, Any]:
    """Type what the path captured by the params schema; the schema itself decides afterwards."""
    if operation.params is None:
        return {}
    return type_text(operation.params.shape, {name: [text] for name, text in captured.items()})


async def read_input(
    operation: Operation,
    request: Request,
    call: Call[Any, Any, Any],
    limits: Limits,
    files: AsyncExitStack | None,
) -> bytes | Mapping[str, Any]:
    """Read the query of GET, HEAD and DELETE, or the body of the other methods.

    Bytes and files that the handler asked for are put on the call; `files` closes those of a
    multipart body.

    Raises:
        OperationError: `VALIDATION_ERROR` for a query that can't be read, `UNSUPPORTED_MEDIA_TYPE`
            and `BODY_TOO_LARGE` for a body that isn't read to its end.
    """
    if operation.method in QUERY_METHODS:
        return _read_query(operation, request)
    if isinstance(operation.body, Multipart):
        assert files is not None
        return await read_multipart(operation, operation.body, request, call, limits, files)
    body = await _read_body(request, limits.max_body_bytes)
    if isinstance(operation.body, RawBody):
        call.body = body
    if not body:
        return {}
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not kind.endswith("+json"):
        raise OperationError(
            "UNSUPPORTED_MEDIA_TYPE",
            f"The body's content type is `{kind or 'missing'}`; send `application/json`.",
        )
    if is_nested_deeper(body, limits.max_depth):
        raise invalid_arguments([("", "too_deep", "The arguments are nested too deeply.")])
    return body


def _read_query(operation: Operation, request: Request) -> Mapping[str, Any]:
    if operation.input is None:
        return {}
    texts: dict[str, list[str]] = {}
    try:
        pairs = parse_qsl(
            request.scope["query_string"].decode("ascii"),
            keep_blank_values=True,
            errors="strict",
            max_num_fields=MAX_QUERY_KEYS,
        )
    except (UnicodeDecodeError, ValueError):
        raise invalid_arguments(
            [("", "query", f"The query isn't UTF-8 text with at most {MAX_QUERY_KEYS} keys.")]
        ) from None
    for name, text in pairs:
        texts.setdefault(name, []).append(text)
    try:
        return type_text(operation.input.shape, texts)
    except ArgumentFault as fault:
        raise invalid_arguments([(fault.path, "repeated", fault.reason)]) from None


async def _read_body(request: Request, max_bytes: int) -> bytes:
    """Read the body, refusing it as soon as it is known to be too long."""
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > max_bytes:
        raise _too_large(max_bytes)
    chunks: list[bytes] = []
    size = 0
    try:
        async for chunk in request.stream():
            size += len(chunk)
            if size > max_bytes:
                raise _too_large(max_bytes)
            chunks.append(chunk)
    except ClientDisconnect:
        raise OperationError("BAD_REQUEST", "The request ended before its body did.") from None
    return b"".join(chunks)


def _too_large(max_bytes: int) -> OperationError:
    return OperationError("BODY_TOO_LARGE", f"A body has at most {max_bytes} bytes.")
