"""What goes back over HTTP: an answer's bytes, or the error envelope."""

from __future__ import annotations

from collections.abc import Mapping

from starlette.background import BackgroundTask
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from ..contract.kind import RawResponse
from ..errors import OperationError
from ..execution.arrival import Answer
from .stream import Delivery

__all__ = ["answer_response", "error_response"]


def answer_response(answer: Answer, delivery: Delivery | None) -> ASGIApp:
    """Write a successful call with its operation's status, headers and body."""
    operation = answer.call.operation
    if delivery is not None:
        return delivery.finished(answer)
    if isinstance(operation.response, RawResponse):
        response = _raw_response(answer, operation.response)
    elif answer.body is None:
        response = Response(status_code=operation.status)
    elif not answer.leaves_work and not answer.call.response.items():
        return _Json(answer.body, operation.status)
    else:
        response = Response(
            answer.body, status_code=operation.status, media_type="application/json"
        )
    for name, value in answer.call.response.items():
        response.headers.append(name, value)
    if answer.leaves_work:
        response.background = BackgroundTask(answer.sent)
    return response


class _Json:
    """JSON that is there already, with no header of its own: what `Response` would send of it."""

    __slots__ = ("_body", "_status")

    def __init__(self, body: bytes, status: int) -> None:
        self._body = body
        self._status = status

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        length = b"%d" % len(self._body)
        headers = [(b"content-length", length), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": self._status, "headers": headers})
        await send({"type": "http.response.body", "body": self._body})


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
