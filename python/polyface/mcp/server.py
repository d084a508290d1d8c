"""The MCP server of a surface. The SDK owns the protocol; every call runs in the shared runner."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Any

import anyio
from mcp import types
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from mcp.shared.exceptions import MCPError
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from ..errors import INTERNAL_MESSAGE, DeclarationError, OperationError
from ..execution.arrival import Answer, ToolArrival
from ..operations.presenter import Presentation
from ..surface.collect import Tool, collect_tools
from ..surface.stamp import catalog_stamp
from ..surface.surface import Surface
from .wire import Content, answer_result, error_result, listed_tool, read_presentation

__all__ = ["McpServer", "mcp_server"]

logger = logging.getLogger("polyface")

# Who calls over stdio; a request over HTTP is asked by `Hooks.identify` instead.
_STDIO_IDENTITY: ContextVar[Any] = ContextVar("stdio_identity", default=None)

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
LOOPBACK_HOSTS = tuple(f"{host}{port}" for host in LOOPBACK for port in ("", ":*"))


def mcp_server(
    surface: Surface[Any],
    *,
    name: str,
    version: str,
    instructions: str | None = None,
    content: Content = "both",
    allowed_hosts: Iterable[str] | None = None,
    allowed_origins: Iterable[str] = (),
    stateless: bool = False,
) -> McpServer:
    """Build the MCP server of a surface's tools.

    Args:
        surface: whose operations; those exposed on MCP are its tools.
        name: the server's name.
        version: the version of what is served.
        instructions: how a model should use the tools together.
        content: whether an answer goes out as text, as structured content, or as both. Text is the
            complete answer: several clients show a model nothing else.
        allowed_hosts: `Host` values that are served over HTTP: `api.example.com`, with its port
            where it isn't the scheme's own, or `api.example.com:*` for any; None serves loopback
            hosts only, against DNS rebinding.
        allowed_origins: `Origin` values that a browser may send; one without an origin is served.
        stateless: whether handshake versions get no session, for several processes behind one
            address. From 2026-07-28 on there are no sessions.

    Raises:
        DeclarationError: an illegal or repeated tool name, or no tool at all.
    """
    allowed_hosts, allowed_origins = _listed(allowed_hosts), _listed(allowed_origins) or ()
    _refuse_wrong_options(content, allowed_hosts, allowed_origins)
    tools = collect_tools(surface, "MCP")
    if not tools:
        raise DeclarationError(
            f'the MCP server `{name}` has no tool; add "MCP" to the `expose=` of an endpoint.'
        )
    hosts = LOOPBACK_HOSTS if allowed_hosts is None else tuple(allowed_hosts)
    loopback_origins = tuple(f"http://{host}" for host in LOOPBACK_HOSTS)
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=list(hosts),
        allowed_origins=[*allowed_origins, *(loopback_origins if allowed_hosts is None else ())],
    )
    return McpServer(
        surface,
        tools,
        name=name,
        version=version,
        instructions=instructions,
        content=content,
        security=security,
        stateless=stateless,
    )


def _listed(values: Iterable[str] | None) -> Sequence[str] | None:
    """Hold on to what may be gone through once only; a text is left for the refusal to see."""
    return values if values is None or isinstance(values, str) else tuple(values)


def _refuse_wrong_options(
    content: str, allowed_hosts: Sequence[str] | None, allowed_origins: Sequence[str]
) -> None:
    if content not in ("both", "structured", "text"):
        raise DeclarationError(f"`content=` is `both`, `structured` or `text`, not `{content}`.")
    for name, values in (("allowed_hosts", allowed_hosts), ("allowed_origins", allowed_origins)):
        if isinstance(values, str):
            raise DeclarationError(f"`{name}=` is a list; write `{name}=[{values!r}]`.")
        if odd := [value for value in values or () if not isinstance(value, str)]:
            raise DeclarationError(f"`{name}=` holds text, not `{odd[0]!r}`.")
    for host in allowed_hosts or ():
        if "/" in host or host == "*":
            raise DeclarationError(
                f"`allowed_hosts=` names `{host}`; write what a `Host` header holds: a host, or "
                f"`host:port`, or `host:*` for any port, without a scheme."
            )


class McpServer:
    """A surface's tools over MCP. Made by `mcp_server`."""

    def __init__(
        self,
        surface: Surface[Any],
        tools: Sequence[Tool],
        *,
        name: str,
        version: str,
        instructions: str | None,
        content: Content,
        security: TransportSecuritySettings,
        stateless: bool,
    ) -> None:
        self._surface = surface
        self._tools = {tool.name: tool for tool in tools}
        self._content: Content = content
        self._stamp = catalog_stamp(tool.document for tool in tools)
        self._security = security
        self._stateless = stateless
        self._listings: dict[str, types.ListToolsResult] = {}
        self._manager: StreamableHTTPSessionManager | None = None
        self._sdk: Server[Any] = Server(
            name,
            version=version,
            instructions=instructions,
            lifespan=self._lifespan,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
            # Without it the SDK runs the whole listing before each call that has arguments.
            get_tool_input_schema=self._input_schema,
        )

    def __repr__(self) -> str:
        return f"McpServer({self._sdk.name!r}, tools={list(self._tools)})"

    def asgi(self, path: str = "/mcp") -> Starlette:
        """Return an application that serves streamable HTTP at `path`, lifespan included."""
        return Starlette(routes=[self.route(path)], lifespan=self.running)

    def route(self, path: str = "/mcp") -> BaseRoute:
        """Return the streamable HTTP route for an application that exists already.

        The application's lifespan must enter `running()`.
        """
        if not path.startswith("/"):
            raise DeclarationError(f"the MCP path `{path}` must start with `/`.")
        return Route(path, endpoint=_Endpoint(lambda: self._manager))

    @asynccontextmanager
    async def running(self, _: object = None) -> AsyncGenerator[None]:
        """Keep streamable HTTP and the surface's lifespan open.

        Takes an application, as Starlette's `lifespan` does, and needs none.
        """
        if self._manager is not None:
            raise RuntimeError("this MCP server is running already")
        manager = StreamableHTTPSessionManager(
            self._sdk,
            json_response=True,
            stateless=self._stateless,
            security_settings=self._security,
            max_request_body_size=self._surface.limits.max_body_bytes,
        )
        async with manager.run():
            self._manager = manager
            try:
                yield
            finally:
                self._manager = None

    async def run_stdio(self, *, identity: Any = None) -> None:
        """Serve one client over standard input and output until the input ends.

        Args:
            identity: who calls; None asks `Hooks.identify`.
        """
        # Before the streams start: the SDK runs each request in the context that reads it.
        token = _STDIO_IDENTITY.set(identity)
        try:
            async with stdio_server() as (read, write):
                await self._sdk.run(read, write, self._sdk.create_initialization_options())
        finally:
            _STDIO_IDENTITY.reset(token)

    @asynccontextmanager
    async def _lifespan(self, _: Server[Any]) -> AsyncGenerator[None]:
        async with self._surface.running():
            yield

    async def _list_tools(
        self, ctx: ServerRequestContext[Any], _: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        version = ctx.protocol_version
        if version not in self._listings:
            tools = [
                listed_tool(tool, version=version, content=self._content, stamp=self._stamp)
                for tool in self._tools.values()
            ]
            self._listings[version] = types.ListToolsResult(tools=tools)
        return self._listings[version]

    def _input_schema(self, name: str) -> Mapping[str, Any] | None:
        tool = self._tools.get(name)
        return tool.input_schema if tool is not None else None

    async def _call_tool(
        self, ctx: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        tool = self._tools.get(params.name)
        if tool is None:
            known = ", ".join(sorted(self._tools))
            message = f"There is no tool `{params.name}`; the tools are {known}."
            raise MCPError(types.INVALID_PARAMS, message)
        arrival = ToolArrival(
            source="MCP",
            arguments=params.arguments or {},
            identity=_STDIO_IDENTITY.get(),
            request=ctx.request,
            progress=ctx.session.report_progress,
            present=_presenter(tool),
        )
        try:
            answer = await tool.runner.run(arrival)
        except OperationError as error:
            return error_result(error, stamp=self._stamp)
        await self._after(answer)
        try:
            result = answer_result(
                tool,
                answer,
                version=ctx.protocol_version,
                content=self._content,
                stamp=self._stamp,
            )
        except ValueError:  # an integer of more digits than the SDK's JSON can carry
            logger.exception("%s: its answer can't be told over MCP", tool.operation.label)
            failure = OperationError("INTERNAL_SERVER_ERROR", INTERNAL_MESSAGE)
            return error_result(failure, stamp=self._stamp)
        return result

    async def _after(self, answer: Answer) -> None:
        """Leave the handler's later work to run on; the SDK doesn't tell when an answer is sent."""
        if answer.leaves_work:
            with anyio.CancelScope(shield=True):
                await answer.sent()


def _presenter(tool: Tool) -> Callable[[Any, Any], Presentation] | None:
    present = tool.operation.present
    mcp = present.mcp if present is not None else None
    if mcp is None:
        return None
    return lambda answer, call: read_presentation(mcp(answer, call))


class _Endpoint:
    """The ASGI application behind the route: whichever session manager is running."""

    def __init__(self, running: Callable[[], StreamableHTTPSessionManager | None]) -> None:
        self._running = running

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        manager = self._running()
        if manager is None:
            logger.error(
                "an MCP request arrived, but the server isn't running; enter `server.running()` in "
                "the application's lifespan (Starlette doesn't run that of a mounted application)"
            )
            response = PlainTextResponse("The MCP server isn't running.", status_code=503)
            await response(scope, receive, send)
            return
        await manager.handle_request(scope, receive, send)
