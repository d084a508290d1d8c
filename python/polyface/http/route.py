"""One path and its operations, matched on the path as it was sent.

Starlette decodes a path before it matches, so that `/people/a%2Fadmin` would reach
`/people/{id}/admin`. Here the segments are told apart first and decoded afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote, unquote

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match
from starlette.types import Receive, Scope, Send

from ..contract.path import SEGMENT
from ..errors import OperationError
from ..execution.issues import invalid_arguments
from ..execution.limits import Limits
from ..execution.runner import Arrival, Runner
from ..operations.operation import Operation
from ..schema.arguments import ArgumentFault
from .request import read_input, read_params
from .response import answer_response, error_response

__all__ = ["OperationRoute"]

# What a captured text may look like before it is decoded. A convertor only matches; the params
# schema says what the text means.
CONVERTOR_PATTERNS: Mapping[str, str] = {
    "str": "[^/]+",
    "path": ".+",
    "int": "-?[0-9]+",
    "float": r"-?[0-9]+(?:\.[0-9]+)?",
    "uuid": "[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}",
}
SPECIFICITY = {None: 0, "int": 1, "float": 1, "uuid": 1, "str": 2, "path": 3}


class OperationRoute(BaseRoute):
    """A Starlette route of all operations that share a path.

    Args:
        path: the whole path, in Starlette's spelling.
        operations: HTTP method → the operation and its runner.
        limits: the surface's limits.
    """

    def __init__(
        self, path: str, operations: Mapping[str, tuple[Operation, Runner]], limits: Limits
    ) -> None:
        self.path = path
        self._operations = operations
        self._limits = limits
        self._pattern, self.specificity = _compile(path)

    def __repr__(self) -> str:
        return f"OperationRoute({self.path!r}, methods={sorted(self._operations)})"

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the raw path; a method that isn't served is answered here, with all that are."""
        if scope["type"] != "http":
            return Match.NONE, {}
        found = self._pattern.fullmatch(_raw_path(scope))
        if found is None:
            return Match.NONE, {}
        captured = {
            name: unquote(text, errors="surrogateescape")
            for name, text in found.groupdict().items()
        }
        return Match.FULL, {"path_params": {**scope.get("path_params", {}), **captured}}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the operation of the request's method and send its answer."""
        response = await self._respond(Request(scope, receive, send))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        found = self._operations.get(request.method)
        if found is None:
            allowed = ", ".join(sorted(self._operations))
            error = OperationError(
                "METHOD_NOT_ALLOWED", f"`{request.method}` isn't served here; try {allowed}."
            )
            return error_response(error, headers={"allow": allowed})
        operation, runner = found

        async def read() -> bytes | Mapping[str, Any]:
            return await read_input(operation, request, max_bytes=self._limits.max_body_bytes)

        try:
            arrival = Arrival(
                source="HTTP",
                params=_params(operation, request.path_params),
                read_input=read,
                request=request,
            )
            answer = await runner.run(arrival)
        except OperationError as error:
            return error_response(error)
        return answer_response(answer, method=operation.method)


def _params(operation: Operation, captured: Mapping[str, str]) -> dict[str, Any]:
    for name, text in captured.items():
        if any("\udc80" <= sign <= "\udcff" for sign in text):
            raise invalid_arguments([(name, "encoding", f"`{name}` isn't UTF-8 text.")])
    try:
        return read_params(operation, captured)
    except ArgumentFault as fault:  # pragma: no cover  # a path captures each name once
        raise invalid_arguments([(fault.path, "repeated", fault.reason)]) from None


def _compile(path: str) -> tuple[re.Pattern[str], tuple[tuple[int, str], ...]]:
    parts: list[str] = []
    order: list[tuple[int, str]] = []
    for segment in path.split("/"):
        found = SEGMENT.fullmatch(segment)
        if found is None or found[1] is None:
            parts.append(re.escape(segment))
            order.append((SPECIFICITY[None], segment))
        else:
            convertor = found[2] or "str"
            parts.append(f"(?P<{found[1]}>{CONVERTOR_PATTERNS[convertor]})")
            order.append((SPECIFICITY[convertor], ""))
    return re.compile("/".join(parts)), tuple(order)


def _raw_path(scope: Scope) -> str:
    """The path as it was sent, without the place where the application is mounted."""
    raw = scope.get("raw_path")
    path = raw.partition(b"?")[0].decode("latin-1") if raw else quote(scope["path"])
    root = quote(scope.get("root_path", ""))
    return path.removeprefix(root) if root and path.startswith(root) else path
