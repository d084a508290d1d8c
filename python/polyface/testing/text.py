"""Strategies of text, bytes and addresses."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from ..errors import DeclarationError
from .place import Place
from .sample import TEXTS
from .sieve import Values

__all__ = ["CHARACTERS", "addresses", "byte_strings", "texts"]

Options = Mapping[str, Any]

CHARACTERS = st.characters(exclude_categories=["Cs"])
"""Every character but lone surrogates, which neither JSON nor UTF-8 can carry."""

LONGEST_EDGE = 4096


def texts(options: Options, place: Place) -> Values:
    """Text of any script within its lengths, or of its pattern."""
    if "pattern" in options:
        return _of_pattern(options["pattern"])
    least, most = options.get("min_length", 0), options.get("max_length")
    if place.private:
        return st.integers(0, 16**8 - 1).map(lambda number: _recognisable(number, least, most))
    made: Values = st.text(CHARACTERS, min_size=least, max_size=most)
    interesting = [text for text in TEXTS if _has_length(text, least, most)]
    edges = [size for size in (least, most) if size and size <= LONGEST_EDGE]
    interesting += [sign * size for size in edges for sign in ("x", "é", "😀")]
    return made | st.sampled_from(interesting) if interesting else made


def _recognisable(number: int, least: int, most: int | None) -> str:
    text = f"private{number:08x}"
    return text.ljust(least, "x") if most is None else text.ljust(least, "x")[-most:]


def _of_pattern(pattern: str | re.Pattern[str]) -> Values:
    text = pattern if isinstance(pattern, str) else pattern.pattern
    # Rust's `$` and `\z` are the very end; Python's `$` is also the place before a last newline.
    ending = re.sub(r"(?<!\\)(?:\$|\\z)$", r"\\Z", text)
    try:
        compiled = re.compile(ending)
    except re.error as error:
        raise DeclarationError(
            f"No text can be generated for the pattern `{text}`, which Python's `re` doesn't read "
            f"({error}); give the field a strategy in `overrides=`."
        ) from error
    return st.from_regex(compiled, alphabet=CHARACTERS)


def _has_length(text: str | bytes, least: int, most: int | None) -> bool:
    return len(text) >= least and (most is None or len(text) <= most)


def byte_strings(options: Options, place: Place) -> Values:
    """Bytes within their lengths; JSON writes them as the config reads them."""
    least, most = options.get("min_length", 0), options.get("max_length")
    interesting = [b"", b"\x00", b"\xff", b"caf\xc3\xa9", b"\xf0\x9f\x98\x80"]
    kept = [value for value in interesting if _has_length(value, least, most)]
    made: Values = st.binary(min_size=least, max_size=most)
    if place.private:
        made = st.integers(0, 16**8 - 1).map(
            lambda number: _recognisable(number, least, most).encode()
        )
        kept = []
    made = made | st.sampled_from(kept) if kept else made
    if place.form == "python":
        return made
    match options.get("val_json_bytes", "utf8"):
        case "base64":
            return made.map(lambda value: base64.urlsafe_b64encode(value).decode())
        case "hex":
            return made.map(lambda value: value.hex())
        case _:
            plain = st.text(st.characters(max_codepoint=127), min_size=least, max_size=most)
            return plain | made.filter(_is_utf8).map(lambda value: value.decode())


def _is_utf8(value: bytes) -> bool:
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return True


HOSTS = (
    "example.com",
    "a.example",
    "127.0.0.1",
    "[::1]",
    "localhost",
    "bücher.example",
    "例え.example",
)
ENDS = ("", "/", "/a/b", "/a%20b?q=1&q=2", "/é?ü=ß#ä", "/?q=%F0%9F%98%80", "#top")


def addresses(options: Options, place: Place) -> Values:
    """URLs of the allowed schemes, as text."""
    schemes = options.get("allowed_schemes") or ["https", "http", "ftp", "app"]
    if place.private:
        hosts: Values = st.integers(0, 16**8 - 1).map(lambda number: f"private{number:08x}.example")
    else:
        hosts = st.sampled_from(HOSTS)
    parts = st.tuples(
        st.sampled_from(list(schemes)),
        st.sampled_from(["", "", "ada@", "ada:secret@"]),
        hosts,
        st.sampled_from(["", ":1", ":8080", ":65535"]),
        st.sampled_from(ENDS),
    )
    return parts.map(_address)


def _address(parts: tuple[str, ...]) -> str:
    scheme, user, host, port, end = parts
    if scheme == "file":
        return f"file:///{end.lstrip('/')}"
    return f"{scheme}://{user}{host}{port}{end}"
