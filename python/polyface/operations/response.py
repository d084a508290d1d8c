"""What a handler may set of its HTTP answer beside the body."""

from __future__ import annotations

from typing import Literal

from ..contract.kind import ResponseKind, ResponseMetadata
from ..errors import server_fault

__all__ = ["ResponseHeaders"]


class ResponseHeaders:
    """Headers and cookies of one answer. They are sent only if the call succeeds.

    Args:
        response: how the operation answers; headers belong to `ResponseMetadata`.
        label: how a message names the operation.
    """

    def __init__(self, response: ResponseKind | None, *, label: str) -> None:
        self._response = response
        self._label = label
        self._headers: list[tuple[str, str]] = []

    def __repr__(self) -> str:
        return f"ResponseHeaders({self._headers!r})"

    def add(self, name: str, value: str) -> None:
        """Add a header; a repeated name is sent repeatedly.

        Raises:
            OperationError: `INTERNAL_SERVER_ERROR`: the endpoint doesn't declare the header.
            ValueError: text that would break out of the header.
        """
        declared = self._metadata().headers
        if name.lower() not in {item.lower() for item in declared}:
            raise server_fault(
                f"{self._label}: the header `{name}` isn't declared; write "
                f"`response=ResponseMetadata(headers={(*declared, name)!r})`"
            )
        self._add(name, value)

    def _metadata(self) -> ResponseMetadata:
        if not isinstance(self._response, ResponseMetadata):
            raise server_fault(
                f"{self._label}: only an endpoint with `response=ResponseMetadata(...)` sets "
                f"headers and cookies; declare it"
            )
        return self._response

    def _add(self, name: str, value: str) -> None:
        if not value.isprintable() or value != value.strip() or not _is_latin(value):
            raise ValueError(f"the value of `{name}` isn't one that a header can have")
        self._headers.append((name, value))

    def set_cookie(
        self,
        name: str,
        value: str,
        *,
        max_age_seconds: int | None = None,
        path: str = "/",
        secure: bool = True,
        http_only: bool = True,
        same_site: Literal["strict", "lax", "none"] = "lax",
    ) -> None:
        """Set a cookie. The safe attributes are on unless they are taken off.

        Raises:
            OperationError: `INTERNAL_SERVER_ERROR`: the endpoint has no `ResponseMetadata`.
            ValueError: a name or value that would break out of the header.
        """
        self._metadata()
        for text in (name, value, path):
            if not text.isascii() or any(sign in text for sign in ' ",;\\\r\n\t'):
                raise ValueError(f"`{text}` can't be part of a cookie; encode it first")
        parts = [f"{name}={value}", f"Path={path}", f"SameSite={same_site.title()}"]
        parts += [f"Max-Age={max_age_seconds}"] if max_age_seconds is not None else []
        parts += ["Secure"] if secure else []
        parts += ["HttpOnly"] if http_only else []
        self._add("Set-Cookie", "; ".join(parts))

    def items(self) -> tuple[tuple[str, str], ...]:
        """The headers in the order they were added."""
        return tuple(self._headers)


def _is_latin(value: str) -> bool:
    try:
        value.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return True
