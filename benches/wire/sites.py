"""Every application by name: one process builds one of them, and imports nothing for another."""

from collections.abc import Callable
from typing import Any

from ..workload import rows
from .pool import Pool

Site = tuple[Callable[[Pool], Any], Callable[[int], Any]]


def http_site(name: str) -> Site:
    """An application that answers GET: `list polyface`, `small FastAPI`."""
    from . import http_sites as sites  # noqa: PLC0415

    texts = rows.with_text_decimals(rows.rows)
    return {
        "list polyface": (sites.polyface_list, rows.rows),
        "list FastAPI": (sites.fastapi_list, rows.rows),
        "list Starlette + orjson": (sites.starlette_list, texts),
        "list bare ASGI": (sites.bare_list, rows.rows),
        "small polyface": (sites.polyface_small, rows.rows),
        "small FastAPI": (sites.fastapi_small, rows.rows),
        "small Starlette JSONResponse": (sites.starlette_small, rows.rows),
        "small bare ASGI": (sites.bare_small, rows.rows),
    }[name]


def tool_site(name: str) -> Site:
    """An MCP server: `card polyface`, `full FastMCP`, `tools bare ASGI`."""
    from . import tool_sites as sites  # noqa: PLC0415

    kind, _, server = name.partition(" ")
    if kind == "tools":
        listing = {
            "polyface": sites.polyface_tools,
            "SDK low-level": sites.sdk_tools,
            "bare ASGI": sites.bare_tools,
        }[server]
        return listing, rows.rows
    build = {
        "polyface": sites.polyface,
        "polyface, guarded": sites.polyface_guarded,
        "FastMCP": sites.fast_mcp,
        "MCPServer": sites.mcp_server_of_the_sdk,
        "SDK low-level": sites.sdk_low_level,
        "bare ASGI": sites.bare_call,
    }[server]
    return lambda pool: build(pool, card=kind == "card"), rows.rows


def build_site(name: str) -> tuple[Any, Pool]:
    """Build one application and the pool that its handlers take answers from."""
    find = http_site if name.startswith(("list ", "small ")) else tool_site
    build, make = find(name)
    pool = Pool(make)
    return build(pool), pool
