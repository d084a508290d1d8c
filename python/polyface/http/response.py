"""What goes back over HTTP: an answer's bytes, or the error envelope."""

from __future__ import annotations

import json
from collections.abc import Mapping

from starlette.background import BackgroundTask
from starlette.responses import Response

from ..errors import OperationError
from ..execution.runner import Answer

__all__ = ["answer_response", "error_response"]


def answer_response(answer: Answer, *, method: str) -> Response:
    """Write a successful call: 200 with its JSON, or 204 for an operation without an output."""
    task = BackgroundTask(answer.sent) if answer.call._after_answer else None
    if answer.body is None:
        return Response(status_code=200 if method == "HEAD" else 204, background=task)
    return Response(answer.body, media_type="application/json", background=task)


def error_response(error: OperationError, *, headers: Mapping[str, str] | None = None) -> Response:
    """Write a failed call: its status and `{"error": {code, message, details?, retryable}}`."""
    text = json.dumps(error.envelope(), ensure_ascii=False, default=str, separators=(",", ":"))
    return Response(
        text.encode(errors="replace"),
        status_code=error.status,
        media_type="application/json",
        headers=dict(headers) if headers else None,
    )
