"""Path templates in Starlette's spelling: `/{person_id}`, `/{rest:path}`, `/{n:int}`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..errors import DeclarationError

__all__ = ["PathTemplate", "capture_fault", "join_path", "read_path"]

CONVERTORS = frozenset({"str", "path", "int", "float", "uuid"})
SEGMENT = re.compile(r"\{([A-Za-z_][A-Za-z0-9_]*)(?::([a-z]+))?\}|([A-Za-z0-9._~!$&'()*+,;=@:-]+)")

UNADDRESSABLE = re.compile(r"[\\\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True)
class PathTemplate:
    """A checked path of an endpoint, without its contract's prefix.

    Args:
        text: the template, `""` for the contract's own address, else starting with `/`.
        captures: captured name → convertor, in order.
    """

    text: str
    captures: dict[str, str]


def read_path(text: str, *, place: str) -> PathTemplate:
    """Check a path template.

    `""` and `"/"` are the same place: the address of the contract itself.

    Raises:
        DeclarationError: no leading slash, an empty or odd segment, a repeated capture, a convertor
            that doesn't exist, or a `path` capture that isn't last.
    """
    if not isinstance(text, str):
        raise DeclarationError(f"{place}: the path is text, not `{text!r}`.")
    if text in ("", "/"):
        return PathTemplate("", {})
    if not text.startswith("/"):
        raise DeclarationError(f"{place}: the path `{text}` must start with `/`.")
    captures: dict[str, str] = {}
    segments = text[1:].split("/")
    for index, segment in enumerate(segments):
        match = SEGMENT.fullmatch(segment)
        if match is None or segment in (".", ".."):
            raise DeclarationError(
                f"{place}: the path `{text}` has the segment `{segment}`; a segment is text or one "
                f"capture such as `{{name}}` or `{{name:path}}`."
            )
        name, convertor = match[1], match[2] or "str"
        if name is None:
            continue
        if name in captures:
            raise DeclarationError(f"{place}: the path `{text}` captures `{name}` twice.")
        if convertor not in CONVERTORS:
            known = ", ".join(sorted(CONVERTORS))
            raise DeclarationError(
                f"{place}: the path `{text}` uses the convertor `{convertor}`; it takes {known}."
            )
        if convertor == "path" and index != len(segments) - 1:
            raise DeclarationError(
                f"{place}: the path `{text}` captures `{name}:path` before its end; "
                f"what takes the rest of a path must be last."
            )
        captures[name] = convertor
    return PathTemplate(text, captures)


def capture_fault(text: str, convertor: str) -> str | None:
    """Say why a captured text can't stand in a path, or return None.

    A text that a client, a proxy or a server might read as another place is refused on every
    transport: an argument of a tool may become part of a path somewhere.
    """
    segments = text.split("/") if convertor == "path" else [text]
    if any(segment in ("", ".", "..") for segment in segments):
        return "A path segment can't be empty, `.` or `..`."
    if (convertor != "path" and "/" in text) or UNADDRESSABLE.search(text):
        return "A path segment can't hold a slash, a backslash or a control character."
    return None


def join_path(prefix: str, template: str) -> str:
    """Return the whole path of an endpoint: `people` and `/{id}` give `/people/{id}`."""
    head = "/" + prefix.strip("/") if prefix.strip("/") else ""
    return head + template or "/"
