"""Canonical JSON and digests: RFC 8785, held to the twin."""

import enum
import math
import struct
from collections import OrderedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyface import _core
from tests.core import twin_canonical

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NUMBERS = (
    st.integers() | st.integers(-(2**80), 2**80) | st.floats(allow_nan=False, allow_infinity=False)
)
VALUES = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXT,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(TEXT, inner),
    max_leaves=20,
)


class Colour(enum.IntEnum):
    RED = 3


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return self.upper()


class Odd(float):
    def __repr__(self) -> str:
        return "odd"


@given(VALUES)
def test_canonical_json_is_the_twins(value):
    assert _core.canonical_json(value) == twin_canonical.canonical_json(value)
    assert _core.digest(value) == twin_canonical.digest(value)


@given(st.binary(min_size=8, max_size=8))
def test_a_float_of_any_bits_is_the_twins(bits):
    (value,) = struct.unpack("<d", bits)
    if math.isfinite(value):
        assert _core.canonical_json(value).decode() == twin_canonical.write_number(value)


@pytest.mark.parametrize(
    ("bits", "text"),
    [
        ("4340000000000000", "9007199254740992"), ("4430000000000000", "295147905179352830000"), ("44b52d02c7e14af6", "1e+23"),
        ("444b1ae4d6e2ef4f", "999999999999999900000"), ("444b1ae4d6e2ef50", "1e+21"), ("3eb0c6f7a0b5ed8c", "9.999999999999997e-7"),
        ("3eb0c6f7a0b5ed8d", "0.000001"), ("becbf647612f3696", "-0.0000033333333333333333"), ("8000000000000000", "0"),
    ],
)  # fmt: skip
def test_the_published_numbers_of_the_rfc_hold(bits, text):
    (value,) = struct.unpack(">d", bytes.fromhex(bits))
    assert _core.canonical_json(value).decode() == text == twin_canonical.write_number(value)


def test_the_published_example_of_the_rfc_holds():
    value = {
        "numbers": [333333333.33333329, 1e30, 4.50, 2e-3, 0.000000000000000000000000001],
        "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"/",
        "literals": [None, True, False],
    }
    assert _core.canonical_json(value) == (
        rb'{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],'
        b'"string":"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
    )


def test_the_published_order_of_keys_holds():
    keys = ["\u20ac", "\r", "\ufb33", "1", "\U0001f600", "\x80", "\u00f6"]
    expected = ["\r", "1", "\x80", "\u00f6", "\u20ac", "\U0001f600", "\ufb33"]
    assert _core.canonical_json(dict.fromkeys(keys)) == twin_canonical.canonical_json(
        dict.fromkeys(expected)
    )


@pytest.mark.parametrize(
    "value",
    [2**53 + 1, -(2**63) - 1, 10**40, -(10**5000), 2**20000 + 7],
    ids=["past 53 bits", "past 64 bits", "40 digits", "5000 digits", "20000 bits"],
)
def test_an_integer_keeps_all_its_digits(value):
    assert _core.canonical_json(value).decode() == twin_canonical.write_integer(value)


def test_subclasses_are_written_by_their_value():
    value = {Loud("k"): [Colour.RED, Loud("x"), Odd(1.5), True], "o": OrderedDict(b=1, a=2)}
    assert _core.canonical_json(value) == b'{"k":[3,"x",1.5,true],"o":{"a":2,"b":1}}'


CYCLE: list[object] = []
CYCLE.append({"again": CYCLE})


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ({"a": [1, math.nan]}, "`$.a[1]`"),
        ([math.inf], "`$[0]`"),
        ("\ud800", "`$`"),
        ({"a": {"b\udfff": 1}}, "`$.a`"),
        ({"a": {1: 2}}, "`$.a`"),
        ({"a": ({1},)}, "`$.a[0]`"),
        (b"bytes", "`$`"),
        (CYCLE, "`$[0].again[0].again"),
    ],
)
def test_what_has_no_canonical_form_is_refused_with_its_path(value, path):
    with pytest.raises(_core.CanonicalError) as refusal:
        _core.canonical_json(value)
    assert str(refusal.value).startswith(path)
    with pytest.raises(_core.CanonicalError):
        _core.digest(value)


@pytest.mark.parametrize(
    "wrap",
    [lambda inner: [inner], lambda inner: {"k": inner}, lambda inner: (inner,)],
    ids=["list", "dict", "tuple"],
)
def test_depth_is_bounded_exactly(wrap):
    value: object = None
    for _ in range(256):
        value = wrap(value)
    assert _core.canonical_json(value) == twin_canonical.canonical_json(value)
    with pytest.raises(_core.CanonicalError, match="more than 256 containers"):
        _core.canonical_json(wrap(value))
