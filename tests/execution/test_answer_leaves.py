"""Scalars, sets, dicts and unions of an answer: what each value is written as, or that it is refused."""

import datetime as dt
import enum
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple
from uuid import UUID
from zoneinfo import ZoneInfo

import pytest
from pydantic import (
    BaseModel,
    ByteSize,
    ConfigDict,
    Field,
    FutureDatetime,
    HttpUrl,
    Json,
    PastDate,
    SecretStr,
)

from polyface.execution.answer import AnswerError, AnswerPlan
from tests.execution.twin_answer import Refusal, full_json
from tests.execution.twin_leaves import ODD, UTC, Color, Level, Mixed, Number, Text


class Lenient(enum.Enum):
    ONE = 1

    @classmethod
    def _missing_(cls, value: object) -> "Lenient":
        return cls.ONE


class Bits(enum.Flag):
    A = 1
    B = 2


class Fraction(float):
    pass


class Money(Decimal):
    def __str__(self) -> str:
        return "never"


class Pair(NamedTuple):
    a: int
    b: str = "x"


class NoZone(dt.tzinfo):
    def dst(self, when: dt.datetime | None) -> None:
        return None

    def tzname(self, when: dt.datetime | None) -> None:
        return None

    def utcoffset(self, when: dt.datetime | None) -> None:
        return None


class Stamp(dt.datetime):
    """As pandas and pendulum have it."""


class Whole(BaseModel):
    a: int
    secret: str = "s"


class More(Whole):
    b: int = 2


class Values(BaseModel):
    model_config = ConfigDict(use_enum_values=True)
    color: Color


class Seconds(BaseModel):
    model_config = ConfigDict(ser_json_timedelta="float")
    a: dt.timedelta


class Encoded(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64")
    a: Any
    b: bytes = b"\xff"


class Stamps(BaseModel):
    model_config = ConfigDict(ser_json_temporal="seconds")
    a: dt.datetime
    b: dt.date


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: dt.date = dt.date(2020, 1, 1)
    pair: tuple[int, ...] = ()
    price: Decimal = Decimal(1)


@dataclass
class Cat:
    kind: Literal["cat"] = "cat"


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"
    a: int = 1


class Cow(BaseModel):
    kind: Literal["cow"] = Field("cow", alias="kindOf")
    a: int = 1


class Calf(Cow):
    kind: Literal["calf"] = Field("calf", alias="kindOf")  # type: ignore[assignment]  # another tag


Animal = Annotated[Dog | Cat, Field(discriminator="kind")]
Cattle = Annotated[Cow | Calf, Field(discriminator="kind")]
NOON = dt.datetime(2024, 1, 1, 12, tzinfo=UTC)
LONDON = ZoneInfo("Europe/London")
WINTER, SUMMER = dt.datetime(2024, 1, 1, tzinfo=LONDON), dt.datetime(2024, 7, 1, tzinfo=LONDON)


def changed(instance: Any, **fields: Any) -> Any:
    instance.__dict__.update(fields)
    return instance


# A row: type, value, its JSON or None for a refusal.
INTEGERS = [
    (int, True, b"1"), (int, Level.HIGH, b"2"), (int, 3.0, b"3"), (int, 3.5, None), (int, 1e20, None),
    (int, Decimal(1), b"1"), (int, Number(4), b"4"), (int, 10**40, b"1" + b"0" * 40), (int, "12", b"12"),
    (int, None, None), (Annotated[int, Field(ge=0)], -1, None), (Annotated[int, Field(ge=0)], "0", b"0"),
]  # fmt: skip
FLOATS = [
    (float, 3, b"3.0"), (float, 2**53 + 1, b"9007199254740992.0"), (float, 10**400, None),
    (float, "1", b"1.0"), (float, True, b"1.0"), (float, Fraction(1.5), b"1.5"), (float, -0.0, b"-0.0"),
    (float, 1e16, b"1e+16"), (float, 1e15, b"1000000000000000.0"), (float, 1e-5, b"0.00001"), (float, 1e-7, b"1e-7"),
    (float, 0.0001, b"0.0001"), (float, 1e22, b"1e+22"), (float, 5e-324, b"5e-324"),
    (float, 0.1 + 0.2, b"0.30000000000000004"), (float, float("nan"), None), (float, "inf", None),
    (Annotated[float, Field(multiple_of=0.1)], 0.3, b"0.3"), (Annotated[float, Field(multiple_of=0.5)], 1.5, b"1.5"),
    (Annotated[float, Field(ge=1)], 1, b"1.0"), (Annotated[float, Field(gt=1)], 1, None),
]  # fmt: skip
TEXTS = [
    (str, b"text", b'"text"'), (str, b"\xff", None), (str, Text("shown"), b'"shown"'),
    (str, Color.RED, b'"red"'), (str, "\ud800", None), (str, 5, None),
    (str, '"\\/\x00\x1f\b\t\n\f\r\x7f\u2028ü', b'"\\"\\\\/\\u0000\\u001f\\b\\t\\n\\f\\r\x7f' + "\u2028ü".encode() + b'"'),
    (Annotated[str, Field(max_length=1)], "\U0001f600", '"\U0001f600"'.encode()),
    (Annotated[str, Field(max_length=1)], "e\u0301", None),
    (bytes, b"text", b'"text"'), (bytes, b"\xff", None), (bytes, "text", b'"text"'),
    (SecretStr, "secret", b'"**********"'), (HttpUrl, "HTTP://Example.org", b'"http://example.org/"'),
    (HttpUrl, "no", None), (Json[list[int]], "[1, 2]", b"[1,2]"), (Json[list[int]], "[", None),
    (ByteSize, "1kb", b"1000"), (UUID, UUID(int=1).hex, b'"00000000-0000-0000-0000-000000000001"'),
]  # fmt: skip
DECIMALS = [
    (Decimal, Decimal("1E+3"), b'"1E+3"'), (Decimal, "1.10", b'"1.10"'), (Decimal, Decimal("-0"), b'"-0"'),
    (Decimal, 1.5, b'"1.5"'), (Decimal, 0.1, b'"0.1"'), (Decimal, Decimal("NaN"), None),
    (Decimal, Decimal("sNaN"), None), (Decimal, Decimal("Infinity"), None), (Decimal, Money("1.5"), b'"1.5"'),
    (Annotated[Decimal, Field(decimal_places=1)], Decimal("1.10"), b'"1.10"'),
    (Annotated[Decimal, Field(decimal_places=1)], Decimal("1.11"), None),
]  # fmt: skip
TIMES = [
    (dt.datetime, NOON, b'"2024-01-01T12:00:00Z"'), (dt.datetime, WINTER, b'"2024-01-01T00:00:00Z"'),
    (dt.datetime, SUMMER, b'"2024-07-01T00:00:00+01:00"'), (dt.datetime, NOON.replace(tzinfo=None), b'"2024-01-01T12:00:00"'),
    (dt.datetime, dt.datetime(1, 1, 1), b'"0001-01-01T00:00:00"'),
    (dt.datetime, NOON.replace(microsecond=50), b'"2024-01-01T12:00:00.000050Z"'),
    (dt.datetime, NOON.replace(tzinfo=ODD), b'"2024-01-01T12:00:00-03:07"'),
    (dt.datetime, NOON.replace(tzinfo=dt.timezone(dt.timedelta(minutes=9, seconds=30))), b'"2024-01-01T12:00:00+00:09"'),
    (dt.datetime, NOON.replace(tzinfo=NoZone()), b'"2024-01-01T12:00:00"'),
    (dt.datetime, dt.date(2024, 1, 1), b'"2024-01-01T00:00:00"'), (dt.datetime, 0, b'"1970-01-01T00:00:00Z"'),
    (dt.datetime, Stamp(2024, 1, 1), b'"2024-01-01T00:00:00"'),
    (dt.date, dt.datetime(2024, 1, 1), b'"2024-01-01"'), (dt.date, NOON, None), (dt.date, "2024-01-01", b'"2024-01-01"'),
    (dt.timedelta, dt.timedelta(days=400, seconds=1), b'"P1Y35DT1S"'),
    (dt.timedelta, dt.timedelta(days=-1, seconds=5, microseconds=3), b'"-PT23H59M54.999997S"'),
    (Seconds, {"a": dt.timedelta(seconds=1.5)}, b'{"a":1.5}'),
    (PastDate, dt.date(2000, 1, 1), b'"2000-01-01"'), (PastDate, dt.date(9000, 1, 1), None),
    (FutureDatetime, dt.datetime(2000, 1, 1), None), (FutureDatetime, dt.datetime(9000, 1, 1), b'"9000-01-01T00:00:00"'),
]  # fmt: skip
CHOICES = [
    (Level, True, b"1"), (Level, 1.0, b"1"), (Level, 9, None), (Color, "red", b'"red"'), (Mixed, "1", None),
    (Lenient, "junk", b"1"), (Bits, Bits.A, b"1"), (Values, {"color": Color.RED}, b'{"color":"red"}'),
    (Literal["a", 1, True], 1, b"1"), (Literal["a", 1, True], True, b"true"), (Literal[1], True, b"1"),
    (Literal["a"], Text("a"), b'"a"'), (Literal["a"], "b", None), (Literal[1], "1", None),
    (Literal[None], None, b"null"), (Literal[Color.RED], Color.RED, b'"red"'),
]  # fmt: skip
GROUPS = [
    (list[int], (1, 2), b"[1,2]"), (list[int], iter([1, 2]), b"[1,2]"), (list[int], {1}, b"[1]"),
    (list[int], {1: 2}.keys(), b"[1]"), (list[int], {1: 2}, None), (list[int], "12", None),
    (list[int], (item for item in (1, 2)), b"[1,2]"), (Iterable[int], [1, 2], b"[1,2]"), (Iterable[int], ["x"], None),
    (set[int], [1, 1.0, True], b"[1]"), (Annotated[set[int], Field(max_length=1)], [1, 1], b"[1]"),
    (Annotated[set[int], Field(min_length=2)], [1, 1], None), (frozenset[int], [3], b"[3]"),
    (tuple[int, str], (1, "a"), b'[1,"a"]'), (tuple[int, str], (1, "a", 2), None), (tuple[int, str], (1,), None),
    (tuple[int, ...], [1], b"[1]"), (Pair, Pair(1), b'[1,"x"]'), (Pair, [1, "y"], b'[1,"y"]'), (Pair, [1, "y", 2], None),
    (Annotated[list[int], Field(min_length=1)], [], None), (Annotated[list[int], Field(max_length=1)], (1, 2), None),
    (dict[str, int], {1: 1}, None), (dict[str, int], {Color.RED: 1}, b'{"red":1}'), (dict[str, int], {Text("k"): 1}, b'{"k":1}'),
    (dict[Any, int], {1: 1, 1.5: 2, (1, 2): 3, None: 4}, b'{"1":1,"1.5":2,"1,2":3,"None":4}'),
    (dict[bool, int], {True: 1}, b'{"true":1}'), (dict[dt.date, int], {dt.date(2020, 1, 1): 1}, b'{"2020-01-01":1}'),
    (dict[Level, int], {1: 1}, b'{"1":1}'), (dict[Any, int], {1: 1, "1": 2}, None),
    (Annotated[dict[str, int], Field(max_length=1)], {"a": 1, "b": 2}, None),
]  # fmt: skip
ANYTHING = [
    (Any, More(a=1), b'{"a":1,"secret":"s","b":2}'), (Any, object(), None), (Any, b"\xff", None), (Any, b"a", b'"a"'),
    (Any, {"a": [NOON, Color.RED, Decimal("1.0")]}, b'{"a":["2024-01-01T12:00:00Z","red","1.0"]}'),
    (Encoded, {"a": b"\xff"}, b'{"a":"_w==","b":"_w=="}'), (list[Encoded], [{"a": b"\xff"}], None),
    (list[Any], [1, "x", None], b'[1,"x",null]'), (Any, 10**40, b"1" + b"0" * 40),
]  # fmt: skip
UNIONS = [
    (int | str, "1", b'"1"'), (str | int, 1, b"1"), (float | int, 1, b"1"), (int | float, 1.0, b"1.0"),
    (int | None, "3", b"3"), (bool | int, 1, b"1"), (int | bool, True, b"true"), (int | str, True, b"1"), (str | None, None, b"null"),
    (dt.date | str, "2020-01-01", b'"2020-01-01"'), (dt.datetime | dt.date, dt.date(2020, 1, 1), b'"2020-01-01"'),
    (Whole | Dog, {"a": 1}, b'{"a":1,"secret":"s"}'), (Whole | Dog, Dog(), b'{"kind":"dog","a":1}'),
    (Whole | int, More(a=1), b'{"a":1,"secret":"s"}'),
    (Animal, {"kind": "dog", "a": 5}, b'{"kind":"dog","a":5}'), (Animal, {"a": 5}, None), (Animal, {"kind": "cow"}, None),
    (Animal, Dog(a=2), b'{"kind":"dog","a":2}'), (Animal, Cat(), b'{"kind":"cat"}'), (Animal, changed(Dog(), kind="cat"), None),
    (Cattle, {"kindOf": "cow", "a": 3}, b'{"kindOf":"cow","a":3}'), (Cattle, {"kind": "cow"}, b'{"kindOf":"cow","a":1}'),
    (Cattle, {"kind": "calf", "kindOf": "cow"}, None), (Cattle, Calf.model_validate({}), b'{"kindOf":"calf","a":1}'),
]  # fmt: skip
STRICT = [
    (Strict, {}, b'{"day":"2020-01-01","pair":[],"price":"1"}'), (Strict, {"day": "2020-01-01"}, None),
    (Strict, {"pair": [1]}, None), (Strict, {"price": 1.5}, None), (Strict, {"pair": (1,)}, b'{"day":"2020-01-01","pair":[1],"price":"1"}'),
]  # fmt: skip
ROWS: list[tuple[Any, Any, bytes | None]] = [
    *INTEGERS, *FLOATS, *TEXTS, *DECIMALS, *TIMES, *CHOICES, *GROUPS, *ANYTHING, *UNIONS, *STRICT,
]  # fmt: skip


@pytest.mark.parametrize(
    ("type_", "value", "answer"), ROWS, ids=[str(place) for place in range(len(ROWS))]
)
def test_a_value_is_written_as_pydantic_writes_it(type_, value, answer):
    """The table is checked against the twin, too, where the value can be read more than once."""
    plan = AnswerPlan(type_)
    if answer is None:
        with pytest.raises(AnswerError):
            plan.to_json(value)
    else:
        assert plan.to_json(value) == answer
    if not hasattr(value, "__next__"):
        try:
            assert full_json(type_, value) == answer
        except Refusal:
            assert answer is None


def test_numbers_instead_of_dates_are_written_where_the_config_says_so():
    value = {"a": NOON, "b": dt.date(1970, 1, 2)}
    assert AnswerPlan(Stamps).to_json(value) == b'{"a":1704110400.0,"b":86400.0}'


def test_a_set_is_written_in_the_order_of_the_set_that_pydantic_makes_of_it():
    value = {"c", "a", "b"}
    assert AnswerPlan(set[str]).to_json(value) == full_json(set[str], value)
    numbers: Any = [3, 1, 2]
    assert AnswerPlan(set[int]).to_json(numbers) == b"[1,2,3]"
