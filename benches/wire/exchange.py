"""One request as it is sent, and an application that answers it without a socket."""

import json
from collections.abc import MutableMapping
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

HOST = "127.0.0.1"
TOOL = "list_people"
VERSION = "2026-07-28"
META = "io.modelcontextprotocol"


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request: sent over a socket as bytes, or given to an application as an ASGI scope."""

    method: str
    path: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""

    def sent_to(self, port: int) -> bytes:
        """The bytes of the request, on a connection that stays open."""
        headers = {"host": f"{HOST}:{port}", **self._headers()}
        lines = [f"{self.method} {self.path} HTTP/1.1", *(f"{k}: {v}" for k, v in headers.items())]
        return "\r\n".join([*lines, "", ""]).encode() + self.body

    def _headers(self) -> dict[str, str]:
        return self.headers | ({"content-length": str(len(self.body))} if self.body else {})

    async def answered_by(self, app: Any) -> bytes:
        """Let an application answer in this process. Raises `AssertionError` for a refusal."""
        router = getattr(app, "router", None)
        async with router.lifespan_context(app) if router is not None else nullcontext():
            return await self._answer(app)

    async def _answer(self, app: Any) -> bytes:
        path, _, query = self.path.partition("?")
        headers = {"host": f"{HOST}:8000", **self._headers()}
        scope = {
            "type": "http",
            "asgi": {"version": "3.0", "spec_version": "2.4"},
            "http_version": "1.1",
            "method": self.method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(k.encode(), v.encode()) for k, v in headers.items()],
            "client": (HOST, 50_000),
            "server": (HOST, 8000),
        }
        incoming = [{"type": "http.request", "body": self.body, "more_body": False}]
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> MutableMapping[str, Any]:
            return incoming.pop() if incoming else {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            sent.append(message)

        await app(scope, receive, send)
        body = b"".join(message.get("body", b"") for message in sent)
        assert sent[0]["status"] == 200, (sent[0]["status"], body[:400])
        return body


def get(path: str) -> Exchange:
    return Exchange("GET", path, {"accept": "application/json"})


def rpc(method: str, **params: Any) -> Exchange:
    """A request of the modern protocol: one POST, one answer, no session."""
    meta = {
        f"{META}/protocolVersion": VERSION,
        f"{META}/clientCapabilities": {},
        f"{META}/clientInfo": {"name": "bench", "version": "0"},
    }
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": {**params, "_meta": meta}}
    headers = {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": VERSION,
        "mcp-method": method,
    }
    if "name" in params:
        headers["mcp-name"] = params["name"]
    return Exchange("POST", "/mcp", headers, json.dumps(message).encode())
