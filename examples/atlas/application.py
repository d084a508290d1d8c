"""The application: one surface, mounted over HTTP and over MCP, behind a first page."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Mount, Route

import polyface as pf
from atlas.first_page import first_page
from polyface.http import http_app
from polyface.mcp import mcp_server

PREFIX = "/v1"

MOUNTS = {
    "/": "this page",
    f"{PREFIX}/…": "HTTP, with full answers",
    f"{PREFIX}/openapi.json": "its OpenAPI document",
    "/mcp": "MCP over streamable HTTP, with tool answers",
    "python -m atlas stdio": "MCP over standard input and output",
}


def build_application(surface: pf.Surface) -> Starlette:
    """Mount a surface.

    Args:
        surface: What to serve.

    Returns:
        The application; its lifespan is the mounts', and so the surface's.
    """
    page = first_page(surface, MOUNTS, prefix=PREFIX)
    api = http_app(surface, prefix=PREFIX, title="The atlas", version="1")
    tools = mcp_server(surface, name="atlas", version="1")

    async def answer_first_page(_: Request) -> HTMLResponse:
        return HTMLResponse(page)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncGenerator[None]:
        async with api.router.lifespan_context(api), tools.running():
            yield

    return Starlette(
        routes=[Route("/", answer_first_page), tools.route("/mcp"), Mount("/", api)],
        lifespan=lifespan,
    )
