"""What goes back over HTTP: an answer's bytes, or the error envelope."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.background import BackgroundTask
from starlette.responses import Response
from starlette.types import ASGIApp

from ..contract.kind import RawResponse, Stream
from ..errors import OperationError
from ..execution.arrival import Answer
from .stream import Delivery

__all__ = ["answer_response", "error_response"]


def answer_response(answer: Answer, delivery: Delivery) -> ASGIApp:
    """Write a successful call with its operation's status, headers and body."""
    operation = answer.call.operation
    if isinstance(operation.response, Stream):
        return delivery.finished(answer)
    if isinstance(operation.response, RawResponse):
        response = _raw_response(answer, operation.response)
    elif answer.body is None:
        response = Response(status_code=operation.status)
    else:
        response = Response(
            answer.body, status_code=operation.status, media_type="application/json"
        )
    for name, value in answer.call.response.items():
        response.headers.append(name, value)
    if answer.leaves_work:
        response.background = BackgroundTask(answer.sent)
    return response


def _raw_response(answer: Answer, kind: RawResponse) -> Response:
    if isinstance(answer.raw, Response):
        return answer.raw
    status = answer.call.operation.status
    return Response(answer.raw, status_code=status, media_type=kind.content_type)


def error_response(error: OperationError, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write a failed call: its status and `{"error": {code, message, details?, retryable}}`."""
    return Response(
        error.to_json(),
        status_code=error.status,
        media_type="application/json",
        headers=dict(headers) if headers else None,
    )
