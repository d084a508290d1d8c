"""The Starlette application of a surface, and its routes for an application that exists already."""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from ..contract.path import join_path, read_path
from ..errors import DeclarationError, OperationError
from ..execution.runner import Runner
from ..operations.operation import Operation
from ..surface.collect import collect_http
from ..surface.lifespan import refuse_entered
from ..surface.surface import Surface
from .openapi import openapi_document
from .response import error_response
from .route import OperationRoute

__all__ = ["http_app", "http_routes"]

logger = logging.getLogger("polyface")

STATUS_CODES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}


def http_app(
    surface: Surface[Any],
    *,
    prefix: str = "",
    title: str = "polyface",
    version: str = "0",
    description: str | None = None,
    openapi_path: str | None = "/openapi.json",
    routes: Sequence[BaseRoute] = (),
    middleware: Sequence[Middleware] = (),
    lifespan: Callable[[Starlette], AbstractAsyncContextManager[Any]] | None = None,
) -> Starlette:
    """Build a Starlette application that serves the surface's HTTP operations.

    Args:
        surface: what to serve; its lifespan is the application's.
        prefix: goes before every path of the surface, `/v1` for one.
        title: the title of the OpenAPI document.
        version: the version of what is served, for the OpenAPI document.
        description: the description of the OpenAPI document.
        openapi_path: where the OpenAPI 3.1 document is served, under the prefix; None serves none.
        routes: further Starlette routes, asked before the surface's.
        middleware: Starlette middleware, the outermost first.
        lifespan: a further lifespan, as Starlette has it, inside the surface's; what else is served
            beside the surface, such as `McpServer.running`, starts and stops with it.

    Returns:
        The application. Whatever fails answers with the error envelope.

    Raises:
        DeclarationError: a prefix or a path that isn't one, or that the surface serves already; a
            lifespan that has been called already.
    """
    refuse_entered(lifespan, "application")
    _refuse_wrong_texts({"title": title, "version": version, "description": description})
    own = http_routes(surface, prefix=prefix)
    if openapi_path is not None:
        document = openapi_document(
            surface, prefix=prefix, title=title, version=version, description=description
        )
        own.insert(0, _document_route(_free_path(own, prefix, openapi_path), document))

    @asynccontextmanager
    async def running(app: Starlette) -> AsyncGenerator[None]:
        async with surface.running(), lifespan(app) if lifespan else nullcontext():
            yield

    app = Starlette(
        routes=[*routes, *own],
        middleware=middleware,
        lifespan=running,
        exception_handlers={HTTPException: _http_error, Exception: _server_error},
    )
    # `/people/` isn't `/people`: a redirect would lose a body, and the document doesn't list it.
    app.router.redirect_slashes = False
    return app


def http_routes(surface: Surface[Any], *, prefix: str = "") -> list[BaseRoute]:
    """Build the routes of the surface's HTTP operations, for an application that exists already.

    Mount them in a Starlette or FastAPI application, and enter `surface.running()` in its lifespan.

    Args:
        surface: what to serve.
        prefix: goes before every path.

    Returns:
        One route for each path, the more specific before the more general.

    Raises:
        DeclarationError: a prefix that isn't `""` or path segments behind a slash.
    """
    _refuse_wrong_prefix(prefix)
    by_path: dict[str, dict[str, tuple[Operation, Runner]]] = {}
    for operation, runner in collect_http(surface):
        path = join_path(prefix, operation.path.removeprefix("/") and operation.path)
        by_path.setdefault(path, {})[operation.method] = (operation, runner)
    made: list[OperationRoute] = []
    made += [
        OperationRoute(path, operations, surface.limits, neighbours=made)
        for path, operations in by_path.items()
    ]
    ordered = sorted(made, key=lambda route: route.specificity)
    return [*ordered]


def _refuse_wrong_texts(texts: Mapping[str, object]) -> None:
    for name, text in texts.items():
        if text is not None and not (isinstance(text, str) and text.strip()):
            raise DeclarationError(f"`{name}=` is text, not `{text!r}`.")


def _refuse_wrong_prefix(prefix: object) -> None:
    if not isinstance(prefix, str):
        raise DeclarationError(f"`prefix=` is path segments such as `/v1`, not `{prefix!r}`.")
    if read_path("/" + prefix.strip("/"), place="`prefix=`").captures:
        raise DeclarationError(f"`prefix=` captures nothing; change `{prefix}`.")


def _free_path(routes: Sequence[BaseRoute], prefix: str, openapi_path: str) -> str:
    """The whole path of the document, if no operation answers there."""
    if read_path(openapi_path, place="`openapi_path=`").captures:
        raise DeclarationError(f"`openapi_path=` captures nothing; change `{openapi_path}`.")
    path = join_path(prefix, openapi_path)
    if any(isinstance(route, OperationRoute) and route.path == path for route in routes):
        raise DeclarationError(
            f"`openapi_path=`: the surface serves `{path}` itself; choose another path."
        )
    return path


def _document_route(path: str, document: Mapping[str, Any]) -> Route:
    body = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()

    async def openapi(_: Request) -> Response:
        return Response(body, media_type="application/json")

    return Route(path, openapi, methods=["GET"])


async def _http_error(_: Request, error: Exception) -> Response:
    """Tell Starlette's own refusals (no such path, wrong method) as the error envelope."""
    assert isinstance(error, HTTPException)
    code = STATUS_CODES.get(error.status_code, "BAD_REQUEST")
    told = OperationError(code, error.detail, status=error.status_code)
    return error_response(told, headers=error.headers)


async def _server_error(_: Request, error: Exception) -> Response:
    """Answer for a fault outside any operation. Starlette raises it again, for the server's log."""
    return error_response(
        OperationError("INTERNAL_SERVER_ERROR", "The request failed on the server.")
    )
