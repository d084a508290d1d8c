"""MCP servers with a tool that lists people, as cards or whole; and with two hundred tools.

All are stateless, answer with JSON and log warnings only. The opponents check the answer that they
send and nothing else; ours checks the full answer, slices it and checks the slice.
"""

import asyncio
import json
from functools import cache
from typing import Any

from mcp import types
from mcp.server.lowlevel.server import Server
from mcp.server.mcpserver import MCPServer
from pydantic import BaseModel

import polyface as pf
from polyface.mcp import mcp_server

from ..opponents import by_hand, by_pydantic
from ..workload import rows
from ..workload.people import Card, Person
from ..workload.tools import tool_surface
from .bare import bare
from .exchange import TOOL, rpc
from .pool import Pool

DESC = "Search people by name."
ADAPTERS: dict[bool, Any] = {True: by_pydantic.view, False: by_pydantic.full}


class Search(BaseModel):
    q: str = ""


def _surface(pool: Pool, *, card: bool, **options: Any) -> pf.Surface:
    search: Any = pf.get(
        "", desc=DESC, input=Search, output=list[Person], tool=pf.ToolOptions(name=TOOL)
    )
    if card:
        search = pf.with_tool_view(search, output=list[Card])
    contract: Any = pf.build_contract("People", {"search": search}, prefix="people")
    service = pf.implement(contract)

    async def found(_: object) -> Any:
        return pool.take()

    service.handler(contract.search)(found)
    return pf.Surface(services=[service], **options)


def polyface(pool: Pool, *, card: bool) -> Any:
    return mcp_server(_surface(pool, card=card), name="bench", version="1", stateless=True).asgi()


def polyface_guarded(pool: Pool, *, card: bool) -> Any:
    """Serve the same with a guard, a hook and a context, as an application has them."""

    async def allow(_: object) -> None:
        """Let everyone in."""

    hooks = pf.Hooks(identify=lambda _: "ada", authorize=allow, before=allow)
    surface = _surface(pool, card=card, hooks=hooks, context=lambda _: object())
    return mcp_server(surface, name="bench", version="1", stateless=True).asgi()


def fast_mcp(pool: Pool, *, card: bool) -> Any:
    import fastmcp  # noqa: PLC0415  # no other server pays for it

    fastmcp.settings.log_level = "WARNING"
    server: Any = fastmcp.FastMCP("bench", version="1")
    adapter = ADAPTERS[card]

    async def found(q: str = "") -> Any:
        return adapter.validate_python(pool.take())

    found.__annotations__["return"] = list[Card] if card else list[Person]
    server.tool(found, name=TOOL, description=DESC)
    return server.http_app(path="/mcp", json_response=True, stateless_http=True)


def mcp_server_of_the_sdk(pool: Pool, *, card: bool) -> Any:
    server: Any = MCPServer("bench", version="1", log_level="WARNING")
    adapter = ADAPTERS[card]

    async def found(q: str = "") -> Any:
        return adapter.validate_python(pool.take())

    found.__annotations__["return"] = list[Card] if card else list[Person]
    server.tool(name=TOOL, description=DESC)(found)
    return server.streamable_http_app(json_response=True, stateless_http=True)


def sdk_low_level(pool: Pool, *, card: bool) -> Any:
    adapter = ADAPTERS[card]
    schema = Search.model_json_schema()

    async def call(_: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        text = adapter.dump_json(adapter.validate_python(pool.take()))
        block = types.TextContent(type="text", text=text.decode())
        return types.CallToolResult(content=[block], structured_content=json.loads(text))

    async def listed(_: Any, params: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[types.Tool(name=TOOL, description=DESC, input_schema=schema)]
        )

    server: Any = Server(
        "bench",
        version="1",
        on_list_tools=listed,
        on_call_tool=call,
        get_tool_input_schema=lambda _: schema,
    )
    return server.streamable_http_app(json_response=True, stateless_http=True)


def bare_call(_: Pool, *, card: bool) -> Any:
    """Answer with a ready response of the modern protocol, without looking at the request."""
    body = by_pydantic.whole(rows.rows(0))
    if card:
        body = by_pydantic.cards()["view of rows"](rows.rows(0))
    result = by_hand.result(body)
    return bare(b'{"jsonrpc":"2.0","id":1,"result":' + result + b"}")


def polyface_tools(_: Pool) -> Any:
    return mcp_server(tool_surface(), name="bench", version="1", stateless=True).asgi()


@cache
def _listing() -> bytes:
    return asyncio.run(rpc("tools/list").answered_by(polyface_tools(Pool(rows.rows))))


def bare_tools(_: Pool) -> Any:
    """Serve the bytes of our own listing."""
    return bare(_listing())


def sdk_tools(_: Pool) -> Any:
    """Serve the same listing as the SDK serves one that was built before."""
    listing = types.ListToolsResult.model_validate(json.loads(_listing())["result"])

    async def listed(_: Any, params: Any) -> types.ListToolsResult:
        return listing

    server: Any = Server("bench", version="1", on_list_tools=listed)
    return server.streamable_http_app(json_response=True, stateless_http=True)
