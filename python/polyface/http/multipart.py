"""Reading a multipart body: text fields for the input, files for the handler, within limits."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from typing import Any

from python_multipart.multipart import parse_options_header
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message

from ..contract.kind import FilePart, Multipart
from ..errors import OperationError
from ..execution.issues import Issue, invalid_arguments
from ..execution.limits import Limits
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.arguments import ArgumentFault, type_text

__all__ = ["read_multipart"]

MAX_FIELDS = 1000


async def read_multipart(
    operation: Operation,
    body: Multipart,
    request: Request,
    call: Call[Any, Any, Any],
    limits: Limits,
    exchange: AsyncExitStack,
) -> Mapping[str, Any]:
    """Read the form; put its files on the call and return its text fields, typed by the input.

    Files are `starlette.datastructures.UploadFile`; large ones lie on disk until the exchange ends.

    Raises:
        OperationError: `UNSUPPORTED_MEDIA_TYPE`, `BODY_TOO_LARGE` or `VALIDATION_ERROR`.
    """
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "multipart/form-data":
        raise OperationError(
            "UNSUPPORTED_MEDIA_TYPE",
            f"The body's content type is `{kind or 'missing'}`; send `multipart/form-data`.",
        )
    most = limits.max_body_bytes + sum(
        part.max_files * part.max_bytes for part in body.files.values()
    )
    bounded = _Bounded(request, most)
    try:
        form = await Request(request.scope, bounded.receive).form(
            max_files=sum(part.max_files for part in body.files.values()) + 1,
            max_fields=MAX_FIELDS,
            max_part_size=limits.max_body_bytes,
        )
    except UnicodeError:  # in the charset that the form names; an unknown one is read as Latin-1
        raise OperationError(
            "BAD_REQUEST", "The form's text isn't in its charset; send UTF-8."
        ) from None
    except (MultiPartException, HTTPException) as error:
        if bounded.is_exceeded:
            raise OperationError("BODY_TOO_LARGE", f"A form has at most {most} bytes.") from None
        reason = getattr(error, "message", None) or getattr(error, "detail", "")
        raise OperationError("BAD_REQUEST", f"The form can't be read: {reason}") from None
    exchange.push_async_callback(form.close)
    texts: dict[str, list[str]] = {}
    files: dict[str, list[UploadFile]] = {name: [] for name in body.files}
    issues: list[Issue] = []
    for name, value in form.multi_items():
        if isinstance(value, str) and name in files:
            issues.append((name, "file", f"`{name}` takes a file, with a file name."))
        elif isinstance(value, str):
            texts.setdefault(name, []).append(value)
        elif name in files:
            files[name].append(value)
        else:
            issues.append((name, "unexpected", f"`{name}` takes no file."))
    for name, part in body.files.items():
        issues += _file_issues(name, part, files[name])
    if issues:
        raise invalid_arguments(issues)
    call.files = files
    if operation.input is None:
        return {}
    try:
        return type_text(operation.input.shape, texts)
    except ArgumentFault as fault:
        raise invalid_arguments([(fault.path, "repeated", fault.reason)]) from None


def _file_issues(name: str, part: FilePart, files: list[UploadFile]) -> list[Issue]:
    issues: list[Issue] = []
    if part.required and not files:
        issues.append((name, "missing", "A file is required."))
    if len(files) > part.max_files:
        issues.append((name, "too_many_files", f"At most {part.max_files} files are taken."))
    for file in files:
        if (file.size or 0) > part.max_bytes:
            issues.append((name, "too_large", f"A file has at most {part.max_bytes} bytes."))
        kind = (file.content_type or "").partition(";")[0].strip().lower()
        if part.content_types is not None and kind not in part.content_types:
            known = ", ".join(part.content_types)
            issues.append((name, "content_type", f"`{kind}` isn't taken; send {known}."))
    return issues


class _Bounded:
    """A request's `receive` that ends the form once too much has come, or nothing more will.

    It raises what the form's parser closes its files at. The parser itself doesn't miss the closing
    boundary: it would leave out the part that was cut off.
    """

    def __init__(self, request: Request, most: int) -> None:
        self._receive = request.receive
        _, options = parse_options_header(request.headers.get("content-type", ""))
        self._end = b"--" + options.get(b"boundary", b"") + b"--"
        self._tail = b""
        self._is_closed = False
        self._most = most
        self._size = 0
        self.is_exceeded = False

    async def receive(self) -> Message:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        if message["type"] == "http.disconnect":
            raise MultiPartException("The request ended before its body did.")
        if self._size > self._most:
            self.is_exceeded = True
            raise MultiPartException("The form is too long.")
        self._look_for_end(message.get("body", b""))
        if not message.get("more_body", False) and not self._is_closed:
            raise MultiPartException("The form ends before its closing boundary.")
        return message

    def _look_for_end(self, chunk: bytes) -> None:
        seen = self._tail + chunk
        self._is_closed = self._is_closed or self._end in seen
        self._tail = seen[-len(self._end) :]
