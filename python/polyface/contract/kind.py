"""The kinds of endpoint that only HTTP can serve: bodies and answers that aren't one JSON value."""

from __future__ import annotations

import re
from collections.abc import AsyncIterable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeAlias

from typing_extensions import TypeForm, TypeVar

from ..errors import DeclarationError

__all__ = [
    "AnswerKind",
    "BodyKind",
    "FilePart",
    "Multipart",
    "RawBody",
    "RawResponse",
    "ResponseKind",
    "ResponseMetadata",
    "Stream",
]


Item = TypeVar("Item", default=Any)
Returned_co = TypeVar("Returned_co", covariant=True)


class AnswerKind(Generic[Returned_co]):
    """A kind of answer in place of `output=`; its type says what the handler returns."""


@dataclass(frozen=True, kw_only=True)
class RawResponse(AnswerKind[Any]):
    """The handler answers with bytes, text, or a Starlette response, and no schema checks it.

    Args:
        content_type: the media type of bytes and text, and of the OpenAPI document.
    """

    content_type: str = "application/octet-stream"


@dataclass(frozen=True, kw_only=True)
class Stream(
    AnswerKind[AsyncIterable[Item | Mapping[str, Any]] | Iterable[Item | Mapping[str, Any]]],
    Generic[Item],
):
    """The handler answers with an iterator, sync or async; each item is checked before it is sent.

    Args:
        item: the type of one item.
        framing: `ndjson` sends a JSON text a line, `sse` an event an item. A fault midway is the
            last thing sent, as `{"error": ...}` or as an `error` event; a stream without one is
            complete.
    """

    item: TypeForm[Item]
    framing: Literal["ndjson", "sse"] = "ndjson"

    def __post_init__(self) -> None:
        """Refuse a framing that there isn't."""
        if self.framing not in ("ndjson", "sse"):
            raise DeclarationError(
                f"`Stream`: `framing` is `ndjson` or `sse`, not `{self.framing}`."
            )


@dataclass(frozen=True, kw_only=True)
class ResponseMetadata:
    """The handler may set headers and cookies of the answer, on `call.response`.

    Args:
        headers: the names of the headers that it may set, which the OpenAPI document lists. Cookies
            are free; other headers are refused.
    """

    headers: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        """Refuse what isn't a list of header names, and headers that the answer itself decides."""
        if isinstance(self.headers, str | Mapping):
            raise DeclarationError(
                f"`ResponseMetadata`: `headers` is a list of names, not `{self.headers!r}`."
            )
        object.__setattr__(self, "headers", tuple(self.headers))
        for name in self.headers:
            if not isinstance(name, str) or not HEADER_NAME.fullmatch(name):
                raise DeclarationError(
                    f"`ResponseMetadata`: `{name!r}` isn't the name of a header."
                )
            if name.lower() in RESERVED_HEADERS:
                raise DeclarationError(
                    f"`ResponseMetadata`: the server sets `{name}`; leave it out."
                )
            if name.lower() == "set-cookie":
                raise DeclarationError(
                    "`ResponseMetadata`: cookies are free; leave `Set-Cookie` out and call "
                    "`call.response.set_cookie(...)`."
                )


HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+")
# Headers that belong to the server or to middleware.
RESERVED_HEADERS = frozenset(
    {
        "content-type",
        "content-length",
        "transfer-encoding",
        "connection",
        "access-control-allow-origin",
        "access-control-allow-credentials",
    }
)


@dataclass(frozen=True, kw_only=True)
class RawBody:
    """The handler gets the body's bytes as `call.body`, beside the parsed input.

    For signatures that are taken over the bytes.
    """


@dataclass(frozen=True, kw_only=True)
class FilePart:
    """One file field of a multipart body.

    Args:
        required: whether a file must be sent.
        max_files: how many may be sent under the field's name.
        max_bytes: how long one of them may be.
        content_types: the media types that are taken; None takes any.
    """

    required: bool = True
    max_files: int = 1
    max_bytes: int = 10 * 1024 * 1024
    content_types: tuple[str, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class Multipart:
    """The body is `multipart/form-data`: the input's fields as text, and files as `call.files`.

    Args:
        files: field name → what is taken under it.
    """

    files: Mapping[str, FilePart] = field(default_factory=dict[str, FilePart])


ResponseKind: TypeAlias = RawResponse | Stream | ResponseMetadata
BodyKind: TypeAlias = RawBody | Multipart
