"""An MCP client that speaks JSON-RPC by hand, so that what is on the wire is what is tested."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp_types import CLIENT_CAPABILITIES_META_KEY, CLIENT_INFO_META_KEY, PROTOCOL_VERSION_META_KEY
from starlette.applications import Starlette

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
VERSIONS = (*HANDSHAKE, *MODERN)
# The versions whose tools advertise what they answer with.
STRUCTURED = ("2025-06-18", "2025-11-25", "2026-07-28")
CLIENT = {"name": "wire", "version": "0"}


class Wire:
    """One client of one protocol version."""

    def __init__(self, http: httpx2.AsyncClient, version: str, path: str) -> None:
        self.http = http
        self.version = version
        self.path = path
        self.session: str | None = None
        self._count = 0

    async def connect(self) -> None:
        """Shake hands, where the version does."""
        if self.version in MODERN:
            return
        params = {"protocolVersion": self.version, "capabilities": {}, "clientInfo": CLIENT}
        response = await self.post(self.envelope("initialize", params))
        assert response.json()["result"]["protocolVersion"] == self.version
        self.session = response.headers.get("mcp-session-id")
        await self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def envelope(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The JSON-RPC request of a method."""
        self._count += 1
        given = dict(params or {})
        if self.version in MODERN:
            given["_meta"] = {
                PROTOCOL_VERSION_META_KEY: self.version,
                CLIENT_CAPABILITIES_META_KEY: {},
                CLIENT_INFO_META_KEY: CLIENT,
                **given.get("_meta", {}),
            }
        return {"jsonrpc": "2.0", "id": self._count, "method": method, "params": given}

    def headers(self, message: Mapping[str, Any]) -> dict[str, str]:
        """The headers that go with a message."""
        made = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
        if message["method"] != "initialize":
            made["mcp-protocol-version"] = self.version
        if self.session is not None:
            made["mcp-session-id"] = self.session
        if self.version in MODERN:
            made["mcp-method"] = message["method"]
            if "name" in message.get("params", {}):
                made["mcp-name"] = message["params"]["name"]
        return made

    async def post(
        self, message: Mapping[str, Any], *, headers: Mapping[str, str] | None = None
    ) -> httpx2.Response:
        """Send one message."""
        text = json.dumps(message).encode()
        return await self.http.post(
            self.path, content=text, headers={**self.headers(message), **(headers or {})}
        )

    async def rpc(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Ask and return the JSON-RPC response."""
        response = await self.post(self.envelope(method, params))
        made: dict[str, Any] = response.json()
        return made

    async def tools(self) -> dict[str, dict[str, Any]]:
        """The listing, by name."""
        response = await self.rpc("tools/list")
        assert "error" not in response, response
        return {tool["name"]: tool for tool in response["result"]["tools"]}

    async def call(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool and return its result."""
        response = await self.rpc("tools/call", {"name": name, "arguments": arguments or {}})
        assert "error" not in response, response
        result: dict[str, Any] = response["result"]
        return result

    async def fail(self, name: str, arguments: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Call a tool that must fail and return the error of its envelope."""
        result = await self.call(name, arguments)
        assert result["isError"] is True, result
        assert "structuredContent" not in result
        (block,) = result["content"]
        assert block["type"] == "text"
        envelope = json.loads(block["text"])
        assert set(envelope) == {"error"}
        error: dict[str, Any] = envelope["error"]
        return error


@asynccontextmanager
async def connected(app: Starlette, *versions: str, path: str = "/mcp") -> AsyncIterator[Any]:
    """Enter an application's lifespan and connect one client for each version.

    Yields:
        The one client, or a tuple of them.
    """
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as http,
    ):
        clients = [Wire(http, version, path) for version in versions]
        for client in clients:
            await client.connect()
        yield clients[0] if len(clients) == 1 else tuple(clients)


def text_of(result: Mapping[str, Any]) -> Any:
    """What the text block of a result says, as a JSON value."""
    (block,) = result["content"]
    assert block["type"] == "text"
    return json.loads(block["text"])
