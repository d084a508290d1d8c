"""One operation on a surface of its own, called as a tool, in process or over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import polyface as pf
from polyface.http import http_app
from tests.http.exchange import Reply, ask

Trace = list[str]


def surface_of(
    endpoint: Any,
    handler: Callable[[Any], Any],
    *,
    scope: str | None = None,
    meta: Mapping[str, Any] | None = None,
    **options: Any,
) -> pf.Surface[Any]:
    """Make a surface of one endpoint, `POST /things` by its options, and its handler."""
    return surface_of_all({"do": (endpoint, handler)}, scope=scope, meta=meta, **options)


def surface_of_all(
    endpoints: Mapping[str, tuple[Any, Callable[[Any], Any]]],
    *,
    scope: str | None = None,
    meta: Mapping[str, Any] | None = None,
    **options: Any,
) -> pf.Surface[Any]:
    """Make a surface of endpoints and their handlers, under `things`."""
    contract = pf.build_contract(
        "Things",
        {key: endpoint for key, (endpoint, _) in endpoints.items()},
        prefix="things",
        scope=scope,
        meta=meta,
    )
    service = pf.implement(contract)
    for name, endpoint in vars(contract).items():
        if isinstance(endpoint, pf.Endpoint):
            service.handler(getattr(contract, name))(endpoints[endpoint.key or name][1])
    return pf.Surface([service], **options)


def hooks_of(**hooks: Any) -> pf.Hooks:
    """Make hooks of functions of any type."""
    return pf.Hooks(**hooks)


def noting(into: list[Any], value: Any) -> Any:
    """Write a value down and return it."""
    into.append(value)
    return value


def post(**options: Any) -> Any:
    """Declare `POST /`; options are the verb's."""
    declare: Any = pf.post
    return declare("", **{"desc": "Do it."} | options)


async def call_tool(
    surface: pf.Surface[Any],
    arguments: Any = None,
    *,
    name: str | None = None,
    answer: Any = "tool",
    **options: Any,
) -> Any:
    """Call the surface's first tool, or the one named, as a model would; return its answer."""
    invoker = pf.tool_invoker(surface, transport="MCP", answer=answer, **options)
    return await invoker.invoke_or_raise(name or first_tool(surface), arguments)


async def refused_tool(surface: pf.Surface[Any], arguments: Any = None, **options: Any) -> Any:
    """Call the surface's first tool, which fails; return the error."""
    invoker = pf.tool_invoker(surface, transport="MCP", answer="tool", **options)
    result = await invoker.invoke(first_tool(surface), arguments)
    assert result.answer is None
    assert result.error is not None
    return result.error


def first_tool(surface: pf.Surface[Any]) -> str:
    """Name the surface's first tool."""
    return surface.operations[0].tool_name


async def ask_http(surface: pf.Surface[Any], method: str, target: str, body: bytes = b"") -> Reply:
    """Send one request to an application of the surface."""
    return await ask(http_app(surface), method, target, body=body)


def notes_of(error: BaseException) -> list[str]:
    """What hooks and logs are told of a server fault beside its message."""
    return list(getattr(error, "__notes__", []))
