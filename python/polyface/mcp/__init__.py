"""Serving a surface's tools over MCP, with the official SDK: streamable HTTP and stdio."""

from ..errors import MissingExtraError

try:
    import mcp.server.lowlevel as _sdk  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as error:
    raise MissingExtraError("mcp", "mcp") from error

from .server import McpServer, mcp_server

__all__ = ["McpServer", "mcp_server"]
