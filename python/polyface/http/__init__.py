"""Serving a surface over HTTP, as a Starlette application."""

from ..errors import MissingExtraError

try:
    import starlette as _starlette  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as error:
    raise MissingExtraError("http", "starlette") from error

from .app import http_app, http_routes
from .openapi import openapi_document

__all__ = ["http_app", "http_routes", "openapi_document"]
