"""What a handler may set of its HTTP answer beside the body."""

from __future__ import annotations

from typing import Literal

__all__ = ["ResponseHeaders"]

# Headers that belong to the server or to middleware.
RESERVED = frozenset(
    {
        "content-type",
        "content-length",
        "transfer-encoding",
        "connection",
        "access-control-allow-origin",
        "access-control-allow-credentials",
    }
)


class ResponseHeaders:
    """Headers and cookies of one answer. They are sent only if the call succeeds."""

    def __init__(self) -> None:
        self._headers: list[tuple[str, str]] = []

    def __repr__(self) -> str:
        return f"ResponseHeaders({self._headers!r})"

    def add(self, name: str, value: str) -> None:
        """Add a header; a repeated name is sent repeatedly.

        Raises:
            ValueError: a header of the server's own, or text that would break out of the header.
        """
        if name.lower() in RESERVED:
            raise ValueError(f"the header `{name}` is set by the server")
        if not name.isascii() or not name.replace("-", "").isalnum():
            raise ValueError(f"`{name}` isn't the name of a header")
        if not value.isprintable():
            raise ValueError(f"the value of `{name}` holds a character that a header can't have")
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
            ValueError: a name or value that would break out of the header.
        """
        for text in (name, value, path):
            if not text.isascii() or any(sign in text for sign in ' ",;\\\r\n\t'):
                raise ValueError(f"`{text}` can't be part of a cookie; encode it first")
        parts = [f"{name}={value}", f"Path={path}", f"SameSite={same_site.title()}"]
        parts += [f"Max-Age={max_age_seconds}"] if max_age_seconds is not None else []
        parts += ["Secure"] if secure else []
        parts += ["HttpOnly"] if http_only else []
        self.add("Set-Cookie", "; ".join(parts))

    def items(self) -> tuple[tuple[str, str], ...]:
        """The headers in the order they were added."""
        return tuple(self._headers)
