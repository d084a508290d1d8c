"""Classes that validation only recognises, so that somebody has to know how to make them."""

from __future__ import annotations

import ipaddress
import pathlib
import re
import zoneinfo
from collections.abc import Hashable, Mapping
from typing import Any

from hypothesis import strategies as st

from .place import Place
from .sieve import Values
from .text import CHARACTERS

__all__ = ["known_function", "known_instance", "scalars"]

PATHS = st.sampled_from([".", "/", "a", "a/b.txt", "../ü", "/日本/😀", "a b", ".hidden"])
PATTERNS = ("", "a+", r"^\d{3}$", "[é-ü]", "(?P<name>x)|y")
ADDRESSES: Values = st.integers(0, 2**32 - 1) | st.sampled_from([0, 2**31, 2**32 - 1])
LONG_ADDRESSES: Values = st.integers(0, 2**128 - 1) | st.sampled_from([0, 1, 2**128 - 1])

INSTANCES: Mapping[type, Values] = {
    pathlib.Path: PATHS.map(pathlib.Path),
    pathlib.PurePath: PATHS.map(pathlib.PurePath),
    pathlib.PurePosixPath: PATHS.map(pathlib.PurePosixPath),
    pathlib.PureWindowsPath: PATHS.map(pathlib.PureWindowsPath),
    ipaddress.IPv4Address: ADDRESSES.map(ipaddress.IPv4Address),
    ipaddress.IPv6Address: LONG_ADDRESSES.map(ipaddress.IPv6Address),
    ipaddress.IPv4Interface: ADDRESSES.map(ipaddress.IPv4Interface),
    ipaddress.IPv6Interface: LONG_ADDRESSES.map(ipaddress.IPv6Interface),
    ipaddress.IPv4Network: ADDRESSES.map(ipaddress.IPv4Network),
    ipaddress.IPv6Network: LONG_ADDRESSES.map(ipaddress.IPv6Network),
}
"""Class → its instances. The text of each, as `str` writes it, is its JSON form."""

FUNCTIONS: Mapping[str, tuple[Values, Values]] = {
    "pattern_either_validator": (
        st.sampled_from(PATTERNS).map(re.compile),
        st.sampled_from(PATTERNS),
    ),
    "pattern_str_validator": (
        st.sampled_from(PATTERNS).map(re.compile),
        st.sampled_from(PATTERNS),
    ),
    "pattern_bytes_validator": (
        st.sampled_from(PATTERNS).map(lambda text: re.compile(text.encode())),
        st.nothing(),
    ),
    "validate_str_is_valid_iana_tz": (
        st.just("UTC").map(zoneinfo.ZoneInfo),
        st.just("UTC"),
    ),
    "import_string": (st.just("math.pi"), st.just("math.pi")),
    "EmailStr._validate": (st.emails(), st.emails()),
    "NameEmail._validate": (
        st.emails().map(lambda address: f"Ada <{address}>"),
        st.emails().map(lambda address: f"Ada <{address}>"),
    ),
}
"""Pydantic's own validator of a class → Python values and JSON values that it takes."""


def scalars(place: Place) -> Values:
    """Scalars of every kind that JSON has."""
    return st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.text(CHARACTERS, max_size=8),
        st.floats(allow_nan=False, allow_infinity=False),
    )


def known_instance(cls: Any, place: Place) -> Values | None:
    """Return the instances of a class, in the form that is asked for; None if it isn't known."""
    if cls is Hashable:
        return scalars(place)
    made = INSTANCES.get(cls) if isinstance(cls, type) else None
    return made if made is None or place.form == "python" else made.map(str)


def known_function(function: Any, place: Place) -> Values | None:
    """Return what one of pydantic's own validators takes; None if it isn't known."""
    if not str(getattr(function, "__module__", "")).startswith("pydantic"):
        return None
    owner = getattr(function, "__self__", None)
    encoder = getattr(owner, "encoder", None)
    if encoder is not None:  # `Base64Bytes` and its like: what they read is what they have written
        encoded = st.binary().map(encoder.encode)
        text = place.form == "json" or function.__name__ == "decode_str"
        plain = st.text(CHARACTERS).map(lambda value: encoder.encode(value.encode()).decode())
        return plain if text else encoded
    pair = FUNCTIONS.get(getattr(function, "__qualname__", ""))
    return None if pair is None else pair[place.form == "json"]
