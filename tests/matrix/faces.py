"""One call, made through each face, told in one form."""

import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

from starlette.applications import Starlette

import polyface as pf
from polyface.agent import AgentTools, agent_tools
from polyface.contract.endpoint import QUERY_METHODS
from polyface.http import http_app
from polyface.invoker import ToolInvoker
from polyface.mcp import mcp_server
from polyface.operations.operation import Operation
from tests.http.exchange import ask
from tests.http.service import Recorded
from tests.mcp.wire import Wire, connected, text_of

FULL = ("HTTP", "in process, full")
TOOL = ("MCP", "MCP handshake", "AGENT", "in process, tool")
FACES = (*FULL, *TOOL)


@dataclass(frozen=True)
class Outcome:
    """How a call ended: `answer`, or the code of its error and the paths of its issues."""

    answer: Any = None
    code: str | None = None
    paths: tuple[str, ...] = ()
    calls: tuple[Any, ...] = ()


@dataclass
class Faces:
    """A surface through all of its faces. `call` asks one of them."""

    recorded: Recorded
    http: Starlette
    wires: dict[str, Wire]
    invokers: dict[str, ToolInvoker]
    agent: AgentTools

    async def call(self, face: str, key: str, arguments: Mapping[str, Any]) -> Outcome:
        """Call an endpoint and tell how it ended, and what its handler was called with."""
        operation = self.operation(key)
        self.recorded.calls.clear()
        if face == "HTTP":
            answer = await self._ask_http(operation, arguments)
        elif face in self.wires:
            result = await self.wires[face].call(operation.tool_name, arguments)
            told = text_of(result)
            if "structuredContent" in result:
                structured = result["structuredContent"]
                assert structured in (told, {"result": told})
            answer = told if result.get("isError") else {"answer": told}
        elif face == "AGENT":
            ended = await self.agent.call(operation.tool_name, json.dumps(arguments))
            told = json.loads(ended.text)
            answer = {"answer": told} if ended.ok else told
        else:
            made = await self.invokers[face].invoke(operation.tool_name, arguments)
            answer = {"answer": made.answer} if made.error is None else made.error.envelope()
        return _outcome(answer, self.recorded)

    async def all(self, key: str, arguments: Mapping[str, Any]) -> dict[str, Outcome]:
        """Call an endpoint through every face."""
        return {face: await self.call(face, key, arguments) for face in FACES}

    def operation(self, key: str) -> Operation:
        return next(item for item in self.recorded.surface.operations if item.key == key)

    async def _ask_http(self, operation: Operation, arguments: Mapping[str, Any]) -> Any:
        target, given = operation.path, dict(arguments)
        for name, convertor in operation.captures.items():
            text = given.pop(name)
            text = text if isinstance(text, str) else json.dumps(text)
            spelling = name if convertor == "str" else f"{name}:{convertor}"
            safe = "/" if convertor == "path" else ""
            target = target.replace(f"{{{spelling}}}", quote(text, safe=safe))
        if operation.method in QUERY_METHODS:
            reply = await ask(self.http, operation.method, f"{target}?{query_of(given)}")
        else:
            body = json.dumps(given).encode()
            reply = await ask(self.http, operation.method, target, body=body)
        if reply.status >= 400:
            return reply.json
        return {"answer": reply.json if reply.body else {"status": "ok"}}


def query_of(arguments: Mapping[str, Any]) -> str:
    """Write arguments as a query: lists as repeated keys, structures as JSON."""
    pairs = [
        (name, item if isinstance(item, str) else json.dumps(item))
        for name, value in arguments.items()
        for item in (value if isinstance(value, list) else [value])
    ]
    return urlencode(pairs)


def _outcome(answer: Mapping[str, Any], recorded: Recorded) -> Outcome:
    calls = tuple(recorded.calls)
    if "error" not in answer:
        return Outcome(answer=answer["answer"], calls=calls)
    error = answer["error"]
    paths = [issue["path"] for issue in error.get("details", {}).get("issues", ())]
    return Outcome(code=error["code"], paths=tuple(paths), calls=calls)


@asynccontextmanager
async def faces_of(recorded: Recorded) -> AsyncIterator[Faces]:
    """Serve a surface through every face at once."""
    surface = recorded.surface
    server = mcp_server(surface, name="matrix", version="1")
    async with connected(server.asgi(), "2026-07-28", "2025-11-25") as (modern, handshake):
        yield Faces(
            recorded,
            http_app(surface),
            {"MCP": modern, "MCP handshake": handshake},
            {
                "in process, full": pf.tool_invoker(surface, transport="MCP"),
                "in process, tool": pf.tool_invoker(surface, transport="MCP", answer="tool"),
            },
            agent_tools(surface),
        )
