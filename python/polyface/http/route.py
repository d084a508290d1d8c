"""One path and its operations, matched on the path as it was sent.

Starlette decodes a path before it matches, so that `/people/a%2Fadmin` would reach
`/people/{id}/admin`. Here the segments are told apart first and decoded afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, cast
from urllib.parse import quote, unquote

from starlette.datastructures import URLPath
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Match, NoMatchFound
from starlette.types import ASGIApp, Receive, Scope, Send

from ..contract.kind import Multipart, Stream
from ..contract.path import SEGMENT
from ..errors import OperationError
from ..execution.arrival import Arrival
from ..execution.issues import invalid_arguments
from ..execution.limits import Limits
from ..execution.runner import Runner
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.arguments import ArgumentFault
from .request import read_input, read_params
from .response import answer_response, error_response
from .stream import Delivery

__all__ = ["OperationRoute"]

# Stands for a slash inside a decoded segment, where a real one would end it; no decoding makes it.
INNER_SLASH = "\ud800"
NOT_UTF_8 = re.compile("[\udc80-\udcff]")

# What a captured text may look like. A convertor only matches; the params schema says what the
# text means.
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
        neighbours: the surface's other routes; a path may be served by several, for other methods.
    """

    def __init__(
        self,
        path: str,
        operations: Mapping[str, tuple[Operation, Runner]],
        limits: Limits,
        *,
        neighbours: Sequence[OperationRoute] = (),
    ) -> None:
        self.path = path
        self._operations = operations
        self._limits = limits
        self._neighbours = neighbours
        self._pattern, self.specificity = _compile(path)

    def __repr__(self) -> str:
        return f"OperationRoute({self.path!r}, methods={sorted(self._operations)})"

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Match the raw path; a method that isn't served here may be served by another route."""
        if scope["type"] != "http":
            return Match.NONE, {}
        found = self._pattern.fullmatch(_segments(scope))
        if found is None:
            return Match.NONE, {}
        captured = {
            name: text.replace(INNER_SLASH, "/") for name, text in found.groupdict().items()
        }
        match = Match.FULL if scope["method"] in self._operations else Match.PARTIAL
        return match, {"path_params": {**scope.get("path_params", {}), **captured}}

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        """Leave names to the application's other routes: operations have none."""
        raise NoMatchFound(name, path_params)

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Run the operation of the request's method and send its answer."""
        request = Request(scope, receive)
        found = self._operations.get(scope["method"])
        if found is None:
            response: ASGIApp = self._not_allowed(scope)
            await response(scope, receive, send)
            return
        operation, runner = found
        if not isinstance(operation.body, Multipart):
            response = await self._respond(operation, runner, request, send, None)
            await response(scope, receive, send)
            return
        async with AsyncExitStack() as files:
            response = await self._respond(operation, runner, request, send, files)
            await response(scope, receive, send)

    async def _respond(
        self,
        operation: Operation,
        runner: Runner,
        request: Request,
        send: Send,
        files: AsyncExitStack | None,
    ) -> ASGIApp:
        is_stream = isinstance(operation.response, Stream)
        delivery = Delivery(operation, request.receive, send) if is_stream else None

        async def read(call: Call[Any, Any, Any]) -> bytes | Mapping[str, Any]:
            return await read_input(operation, request, call, self._limits, files)

        try:
            arrival = Arrival(
                source="HTTP",
                params=self._params(operation, request.path_params),
                read_input=read,
                deliver=None if delivery is None else delivery.deliver,
                request=request,
            )
            answer = await runner.run(arrival)
        except OperationError as error:
            if delivery is not None and delivery.started:
                await delivery.fail(error)
                return delivery
            return error_response(error)
        return answer_response(answer, delivery)

    def _not_allowed(self, scope: Scope) -> Response:
        allowed = self._allowed(scope)
        error = OperationError(
            "METHOD_NOT_ALLOWED", f"`{scope['method']}` isn't served here; try {allowed}."
        )
        return error_response(error, headers={"allow": allowed})

    def _allowed(self, scope: Scope) -> str:
        text = _segments(scope)
        routes = [self, *(route for route in self._neighbours if route._pattern.fullmatch(text))]
        return ", ".join(sorted({method for route in routes for method in route._operations}))

    def _params(self, operation: Operation, captured: Mapping[str, str]) -> dict[str, Any]:
        """Type what this path captured; what a mount above it captured isn't the operation's."""
        own = {name: captured[name] for name in self._pattern.groupindex}
        for name, text in own.items():
            if not text.isascii() and NOT_UTF_8.search(text):
                raise invalid_arguments([(name, "encoding", f"`{name}` isn't UTF-8 text.")])
        try:
            return read_params(operation, own)
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
    return re.compile("/".join(parts), re.DOTALL), tuple(order)


def _segments(scope: Scope) -> str:
    """The path below the place of the application, decoded segment by segment."""
    raw = scope.get("raw_path")
    root = scope.get("root_path", "").rstrip("/")
    if raw and not root and b"%" not in raw and b"?" not in raw:
        return cast("bytes", raw).decode(errors="surrogateescape")
    sent = raw.partition(b"?")[0].decode(errors="surrogateescape") if raw else quote(scope["path"])
    path = _below(root, sent)
    if "%" not in path:
        return path
    return "/".join(_decode(segment).replace("/", INNER_SLASH) for segment in path.split("/"))


def _below(root: str, path: str) -> str:
    """Take the place where the application is mounted off a path, however it was encoded."""
    if not root:
        return path
    depth = root.count("/") + 1
    segments = path.split("/", depth)
    if _decode("/".join(segments[:depth])) != root:
        return path
    return "/" + segments[depth] if len(segments) > depth else ""


def _decode(text: str) -> str:
    return unquote(text, errors="surrogateescape")
