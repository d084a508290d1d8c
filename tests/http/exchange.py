"""One HTTP exchange with an ASGI application, byte for byte: nothing tidies the path or the body."""

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote_to_bytes

from starlette.applications import Starlette


@dataclass(frozen=True)
class Reply:
    """What an application sent, and how much of the request it took for that."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    chunks_read: int
    raised: BaseException | None = None

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The code of the error envelope."""
        code: str = self.json["error"]["code"]
        return code


@dataclass
class Asgi:
    """The server's half of one exchange."""

    chunks: list[bytes]
    ends: bool
    messages: list[dict[str, Any]] = field(default_factory=list)
    read: int = 0

    async def receive(self) -> dict[str, Any]:
        if self.read >= len(self.chunks):
            return {"type": "http.disconnect"}
        body = self.chunks[self.read]
        self.read += 1
        return {
            "type": "http.request",
            "body": body,
            "more_body": self.read < len(self.chunks) or not self.ends,
        }

    async def send(self, message: dict[str, Any]) -> None:
        self.messages.append(message)


async def ask(
    app: Any,
    method: str,
    target: str,
    *,
    body: bytes | Iterable[bytes] = b"",
    headers: Mapping[str, str] | None = None,
    root_path: str = "",
    ends: bool = True,
    raw_path: bool = True,
) -> Reply:
    """Send one request and collect its answer.

    Args:
        app: the application; its lifespan is the caller's to enter.
        method: the HTTP method.
        target: path and query exactly as on the request line.
        body: the body, whole or in chunks.
        headers: further headers; a body is JSON unless they say otherwise.
        root_path: where a server says that it mounted the application.
        ends: whether the body is complete; otherwise the client hangs up.
        raw_path: whether the server passes the path as it was sent; few don't.
    """
    path, _, query = target.partition("?")
    chunks = [body] if isinstance(body, bytes) else list(body)
    given = {"host": "testserver", **({"content-type": "application/json"} if any(chunks) else {})}
    given |= headers or {}
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote_to_bytes(path).decode(errors="replace"),
        "query_string": query.encode("latin-1"),
        "root_path": root_path,
        "headers": [(name.encode(), value.encode("latin-1")) for name, value in given.items()],
        "server": ("testserver", 80),
        "client": ("127.0.0.1", 123),
        **({"raw_path": path.encode("latin-1")} if raw_path else {}),
    }
    exchange = Asgi(chunks, ends)
    raised = None
    try:
        await app(scope, exchange.receive, exchange.send)
    except Exception as error:  # what a server would log after it has answered
        raised = error
        if not exchange.messages:
            raise
    start, *bodies = exchange.messages
    return Reply(
        status=start["status"],
        headers={
            name.decode().lower(): value.decode("latin-1") for name, value in start["headers"]
        },
        body=b"".join(message.get("body", b"") for message in bodies),
        chunks_read=exchange.read,
        raised=raised,
    )


@asynccontextmanager
async def running(app: Starlette) -> AsyncIterator[Starlette]:
    """Keep an application's lifespan entered."""
    async with app.router.lifespan_context(app):
        yield app
