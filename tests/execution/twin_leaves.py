"""Scalars of answers: their types, values that fit as they stand, and values that pydantic may turn into one."""

import datetime as dt
import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from ipaddress import IPv4Address
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BeforeValidator,
    Field,
    HttpUrl,
    Json,
    NaiveDatetime,
    PlainSerializer,
    SecretStr,
    StrictInt,
    StringConstraints,
    WrapSerializer,
)


class Color(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "text"


class Text(str):
    """A subclass of text with a `str` of its own, which is never what leaves."""

    __slots__ = ()

    def __str__(self):
        return "never"


class Number(int):
    __slots__ = ()


@dataclass(frozen=True)
class Scalar:
    """One scalar type.

    Args:
        annotation: the type.
        exact: values that fit as they stand, those at its edges first.
        near: values that pydantic may accept, and neighbours of those.
        in_core: whether the Rust core writes the exact values without asking pydantic.
        widened: annotations that every value of this one fits as JSON.
    """

    annotation: Any
    exact: Sequence[Any]
    near: Sequence[Any] = ()
    in_core: bool = True
    widened: Sequence[Any] = ()


UTC = dt.UTC
INDIA = dt.timezone(dt.timedelta(hours=5, minutes=30))
ODD = dt.timezone(dt.timedelta(hours=-3, minutes=-7))
NOW = dt.datetime(2024, 2, 29, 12, 30, 15, 123456, tzinfo=UTC)
NAIVE = dt.datetime(1, 1, 1, 0, 0, 0, 5)
ID = UUID("12345678-1234-5678-1234-567812345678")
TEXTS = ("", "a", "Grüße", "\U0001f600", '"\\/', "\x00\x1f\n\t\x7f\u2028", " padded ", "x" * 40)
INTEGERS = (0, -1, 7, 2**53, -(2**63), 2**64, 10**40)
FLOATS = (0.0, -0.0, 1.5, 1e16, 1e22, 5e-324, -1.7976931348623157e308, 0.1, 123456789.125)

ANYTHING: Sequence[Any] = (
    None, True, False, 0, 1, -5, 10**30, 1.5, 3.0, math.nan, math.inf, "", "x", "1", "1.5", "true",
    "2020-01-01", "\ud800", b"bytes", b"\xff", [], [1], (), {}, {"a": 1}, {1, 2}, Decimal("1.5"),
    NOW, NAIVE, dt.date(2020, 1, 1), dt.time(1, 2), dt.timedelta(1), ID, Color.RED, Level.LOW,
    Text("t"), Number(3), object(), range(3),
)  # fmt: skip

SCALARS: Sequence[Scalar] = (
    Scalar(int, INTEGERS, (True, 3.0, 3.5, "12", Level.HIGH, Number(4), Decimal(2), b"1"), True, (int | None,)),
    Scalar(Annotated[int, Field(ge=-2, lt=10)], (-2, 9, 0), (10, -3, "5", True), True, (int, Annotated[int, Field(ge=-2)])),
    Scalar(StrictInt, (1, 2), (True, "1"), False),
    Scalar(Annotated[int, Field(multiple_of=3)], (0, 9), (4, "6"), False, (int,)),
    Scalar(float, FLOATS, (3, 2**53 + 1, 10**400, "1.5", True, math.nan, -math.inf, Decimal("0.1")), True, (float | None,)),
    Scalar(Annotated[float, Field(gt=0, le=2)], (2.0, 0.5), (0.0, 1, 2.5, math.inf), True, (float,)),
    Scalar(bool, (True, False), (1, 0, "yes", 2), True, (bool | None,)),
    Scalar(str, TEXTS, (b"text", b"\xff", Text("shown"), Color.BLUE, "\ud800", 5), True, (str | None, str | int)),
    Scalar(Annotated[str, Field(min_length=1, max_length=3)], ("a", "Grü", "\U0001f600\U0001f600"), ("", "long text", b"ab"), True, (str,)),
    Scalar(Annotated[str, StringConstraints(strip_whitespace=True, to_lower=True)], ("a",), (" A ", ""), False, (str,)),
    Scalar(Annotated[str, StringConstraints(pattern="^[a-z]+$")], ("abc",), ("ABC", ""), False, (str,)),
    Scalar(None, (None,), (0, ""), True),
    Scalar(Decimal, (Decimal("1.10"), Decimal("1E+3"), Decimal("-0"), Decimal(7)), ("1.5", 2, 0.1, Decimal("NaN"), Decimal("Infinity"), "x"), True, (str,)),
    Scalar(Annotated[Decimal, Field(max_digits=4, decimal_places=1)], (Decimal("1.5"),), (Decimal("1.10"), Decimal("1.55"), "12345.0"), False),
    Scalar(UUID, (ID,), (str(ID), ID.bytes, "no"), True, (str,)),
    Scalar(dt.date, (dt.date(2024, 2, 29), dt.date(1, 1, 1)), ("2024-02-29", dt.datetime(2024, 1, 1), NOW, 0, "x"), True, (str, dt.date | None)),
    Scalar(dt.time, (dt.time(1, 2, 3), dt.time(1, 2, 3, 40), dt.time(5, tzinfo=UTC)), ("01:02:03", 60, "x"), True, (str,)),
    Scalar(dt.datetime, (NOW, NAIVE, NOW.astimezone(INDIA), NOW.astimezone(ODD)), ("2024-01-01T00:00:00Z", dt.date(2024, 1, 1), 1700000000, "x"), True, (str,)),
    Scalar(AwareDatetime, (NOW, NOW.astimezone(INDIA)), (NAIVE, "2024-01-01T00:00:00Z"), True, (dt.datetime,)),
    Scalar(NaiveDatetime, (NAIVE,), (NOW, "2024-01-01T00:00:00"), True, (dt.datetime,)),
    Scalar(dt.timedelta, (dt.timedelta(days=-1, seconds=5, microseconds=3), dt.timedelta(days=400)), (5, "PT3S", 1.5, "x"), False),
    Scalar(bytes, (b"text", b""), ("text", b"\xff", bytearray(b"a"), 5), False),
    Scalar(Color, (Color.RED, Color.BLUE), ("red", "green"), True),
    Scalar(Level, (Level.LOW,), (2, True, 9, 1.0), True),
    Scalar(Mixed, (Mixed.ONE, Mixed.TEXT), (1, "text", "1"), True),
    Scalar(Literal["a", "b"], ("a", "b"), ("c", Text("a")), True, (str, Literal["a", "b", "c"], Literal["a", "b"] | None)),
    Scalar(Literal["a", 1], ("a", 1), (True, 1.0, "1"), True),
    Scalar(Any, ("x", 1, [1, {"a": None}], NOW, ID, Color.RED, 1.5), (object(), b"\xff", b"ok"), False),
    Scalar(HttpUrl, (), ("https://example.org", "HTTP://EXAMPLE.org:80/a", "no"), False),
    Scalar(IPv4Address, (IPv4Address("127.0.0.1"),), ("10.0.0.1", "x"), False),
    Scalar(SecretStr, (SecretStr("secret"),), ("secret", 1), False),
    Scalar(Json[list[int]], (), ("[1, 2]", "[", [1]), False),
    Scalar(Annotated[int, AfterValidator(lambda value: value * 2)], (3,), ("4", "x"), False),
    Scalar(Annotated[int, BeforeValidator(lambda value: len(value) if isinstance(value, list) else value)], (3,), ([1, 2], "5"), False),
    Scalar(Annotated[int, PlainSerializer(str)], (3,), ("4", "x"), False),
    Scalar(Annotated[int, WrapSerializer(lambda value, write: write(value) + 1)], (3,), ("4",), False),
    Scalar(int | str, (1, "1", "x"), (True, 1.0, None), True, (int | str | None,)),
    Scalar(float | int | None, (1, 1.5, None), (True, "1"), True),
    Scalar(str | dt.date, ("2020-01-01", dt.date(2020, 1, 1)), (5,), False),
)  # fmt: skip
