"""Leaves of a plan, against pydantic itself: where the plan is certain, its bytes are pydantic's."""

import datetime as dt
import decimal
import enum
import math
import struct
import uuid
from typing import Annotated, Any, Literal

import pytest
from annotated_types import Ge, Gt, Le, Lt
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AwareDatetime, NaiveDatetime, StringConstraints, TypeAdapter

from polyface import _core
from tests.core import nodes as n

REFUSED = "refused"


def law(adapter: TypeAdapter[Any], value: object) -> bytes | str:
    try:
        return adapter.dump_json(
            adapter.validate_python(value, from_attributes=True), by_alias=True, warnings="error"
        )
    except Exception:  # noqa: BLE001 - whatever pydantic raises
        return REFUSED


class Colour(enum.Enum):
    RED = "red"
    BLUE = 2


class Shout(str):
    __slots__ = ()


class Number(int):
    pass


class LaterUUID(uuid.UUID):
    pass


ZONES = st.timedeltas(-dt.timedelta(hours=23, minutes=59), dt.timedelta(hours=23, minutes=59)).map(
    lambda offset: dt.timezone(dt.timedelta(seconds=offset.days * 86400 + offset.seconds))
) | st.sampled_from(
    [dt.UTC, dt.timezone(dt.timedelta(0)), dt.timezone(dt.timedelta(microseconds=5)), None]
)
DATETIMES = st.builds(lambda moment, zone: moment.replace(tzinfo=zone), st.datetimes(), ZONES)
TIMES = st.builds(lambda moment, zone: moment.replace(tzinfo=zone), st.times(), ZONES)
FLOATS = (
    st.binary(min_size=8, max_size=8).map(lambda bits: struct.unpack("<d", bits)[0]) | st.floats()
)
TEXT = (
    st.text()
    | st.text(st.characters(), min_size=14, max_size=40)
    | st.text(st.sampled_from('a"\\\x1fé\ud800中😀'))
)
INTS = (
    st.integers()
    | st.integers(-(2**70), 2**70)
    | st.sampled_from([2**53 - 1, 2**53, -(2**53), 2**63, -(2**63) - 1])
)
DECIMALS = st.decimals() | st.sampled_from(
    [decimal.Decimal(text) for text in ("1E+3", "-0", "0E-10", "1.10", "NaN", "sNaN", "-Infinity")]
)

CASES: dict[str, tuple[Any, n.NODE, st.SearchStrategy[Any]]] = {
    "none": (None, n.NONE, st.none()),
    "bool": (bool, n.BOOL, st.booleans()),
    "int": (int, n.INT, INTS),
    "int within": (Annotated[int, Ge(-5), Le(2**65)], ("int", -5, None, 2**65, None, None), INTS),
    "int strictly within": (
        Annotated[int, Gt(-5), Lt(5)],
        ("int", None, -5, None, 5, None),
        st.integers(-7, 7),
    ),
    "float": (float, n.FLOAT, FLOATS | INTS),
    "float within": (
        Annotated[float, Ge(-1.0), Lt(1.0)],
        ("float", -1.0, None, None, 1.0, None),
        st.floats(-2, 2) | st.integers(-2, 2),
    ),
    "float strictly within": (
        Annotated[float, Gt(-1.0), Le(1.0)],
        ("float", None, -1.0, 1.0, None, None),
        st.sampled_from([-1.0, -0.0, 1.0, 1.5, -1, 1]),
    ),
    "str": (str, n.STR, TEXT),
    "str of a length": (
        Annotated[str, StringConstraints(min_length=2, max_length=3)],
        ("str", 2, 3, None),
        st.text(max_size=5),
    ),
    "uuid": (uuid.UUID, n.UUID, st.uuids()),
    "date": (dt.date, n.DATE, st.dates()),
    "time": (dt.time, n.TIME, TIMES),
    "datetime": (dt.datetime, n.DATETIME, DATETIMES),
    "aware datetime": (AwareDatetime, ("datetime", "aware", None), DATETIMES),
    "naive datetime": (NaiveDatetime, ("datetime", "naive", None), DATETIMES),
    "decimal": (decimal.Decimal, n.DECIMAL, DECIMALS),
    "literal": (
        Literal["a", 1, True, None],
        ("literal", ["a", 1, True, None], None),
        st.sampled_from(["a", "".join(["a"]), "b", 1, True, False, None, 1.0, 2]),
    ),
    "enum": (
        Colour,
        ("enum", Colour, [(Colour.RED, b'"red"'), (Colour.BLUE, b"2")], None),
        st.sampled_from([*Colour, "red", 2]),
    ),
}
ADAPTERS = {name: TypeAdapter(kind) for name, (kind, _, _) in CASES.items()}
FLOAT = TypeAdapter(float)
NEAR: st.SearchStrategy[Any] = st.sampled_from([
    None, True, 0, 1, -1, 1.0, 1.5, math.nan, math.inf, "", "1", "a", b"a", Shout("a"), Number(3), 10**400, [], {},
    uuid.UUID(int=1), LaterUUID(int=2), dt.date(2020, 1, 1), dt.datetime(2020, 1, 1), dt.time(1), decimal.Decimal("1.5"), Colour.RED,
])  # fmt: skip


@pytest.mark.parametrize("name", CASES)
@given(data=st.data())
def test_a_plan_that_is_certain_writes_what_pydantic_writes(name, data):
    _, node, values = CASES[name]
    value = data.draw(values | NEAR)
    written = _core.Plan([node], 0).write(value)
    if written is not None:
        assert written == law(ADAPTERS[name], value)


@pytest.mark.parametrize("name", CASES)
@settings(max_examples=40)
@given(data=st.data())
def test_a_value_below_a_dropped_key_is_checked_like_any_other(name, data):
    _, node, values = CASES[name]
    value = data.draw(values | NEAR)
    kept, dropped = (
        _core.Plan([n.record("typed_dict", None, n.field("v", 1, kept=kept)), node], 0).write(
            {"v": value}
        )
        for kept in (True, False)
    )
    assert (kept is None) == (dropped is None)
    assert dropped in (None, b"{}")


@pytest.mark.parametrize(
    ("name", "value", "json"),
    [
        ("bool", True, b"true"), ("int", 10**5000, b"1" + b"0" * 5000), ("int", -(2**63), b"-9223372036854775808"),
        ("float", 3, b"3.0"), ("float", -0.0, b"-0.0"), ("float", 1e16, b"1e+16"), ("float", 5e-324, b"5e-324"), ("float", 1e-5, b"0.00001"),
        ("str", "\x7f\u2028/\x00\b", b'"\x7f\xe2\x80\xa8/\\u0000\\b"'), ("str", "é" * 40, '"{}"'.format("é" * 40).encode()),
        ("uuid", uuid.UUID(int=5), b'"00000000-0000-0000-0000-000000000005"'), ("date", dt.date(1, 1, 1), b'"0001-01-01"'),
        ("time", dt.time(1, 2, 3, 40), b'"01:02:03.000040"'),
        ("datetime", dt.datetime(2020, 1, 1, tzinfo=dt.timezone(-dt.timedelta(seconds=20))), b'"2020-01-01T00:00:00-00:00"'),
        ("decimal", decimal.Decimal("1E+3"), b'"1E+3"'), ("enum", Colour.BLUE, b"2"), ("literal", True, b"true"),
        ("int within", -5, b"-5"), ("int within", 2**65, b"36893488147419103232"), ("int strictly within", -4, b"-4"), ("int strictly within", 4, b"4"),
        ("float within", -1.0, b"-1.0"), ("float within", -1, b"-1.0"), ("float strictly within", 1.0, b"1.0"), ("float", 2**53 - 1, b"9007199254740991.0"),
        ("str of a length", "中😀", '"中😀"'.encode()), ("str of a length", "abc", b'"abc"'), ("aware datetime", dt.datetime(1, 1, 1, tzinfo=dt.UTC), b'"0001-01-01T00:00:00Z"'),
        ("naive datetime", dt.datetime(2020, 1, 1, 0, 0, 0, 1), b'"2020-01-01T00:00:00.000001"'), ("none", None, b"null"),
    ],
    ids=range(30),
)  # fmt: skip
def test_a_plan_is_certain_of_exact_values(name, value, json):
    node = CASES[name][1]
    assert _core.Plan([node], 0).write(value) == json == law(ADAPTERS[name], value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("int", True), ("int", Number(3)), ("int", 3.0), ("float", 2**53), ("float", math.nan), ("float", -math.inf),
        ("str", Shout("a")), ("str", "\ud800"), ("str", "中\udfff"), ("uuid", LaterUUID(int=2)), ("date", dt.datetime(2020, 1, 1)),
        ("datetime", dt.datetime(2020, 1, 1, tzinfo=dt.timezone(dt.timedelta(microseconds=5)))),
        ("decimal", decimal.Decimal("NaN")), ("decimal", decimal.Decimal("-Infinity")), ("enum", "red"), ("literal", 1.0), ("bool", 1),
        ("none", 0), ("int within", -6), ("int within", 2**65 + 1), ("int strictly within", 5), ("int strictly within", -5), ("float within", 1.0),
        ("float strictly within", -1.0), ("str of a length", "a"), ("str of a length", "abcd"), ("aware datetime", dt.datetime(2020, 1, 1)),
        ("naive datetime", dt.datetime(2020, 1, 1, tzinfo=dt.UTC)), ("float", -(2**53)), ("time", dt.datetime(2020, 1, 1)),
    ],
)  # fmt: skip
def test_a_plan_bails_on_near_misses(name, value):
    assert _core.Plan([CASES[name][1]], 0).write(value) is None


def test_a_uuid_with_an_overwritten_value_bails():
    for wrong in (2**128, -1, "x", None, True):
        broken = uuid.UUID(int=1)
        object.__setattr__(broken, "int", wrong)
        assert _core.Plan([n.UUID], 0).write(broken) is None


def test_a_union_of_scalars_goes_by_the_exact_class():
    plan = _core.Plan([("scalars", [1, 2, 3, 4]), n.FLOAT, n.STR, n.NONE, n.DATE], 0)
    assert [plan.write(value) for value in (1.0, "1", None, dt.date(2020, 1, 1))] == [
        b"1.0",
        b'"1"',
        b"null",
        b'"2020-01-01"',
    ]
    assert [plan.write(value) for value in (1, True, Shout("a"), dt.datetime(2020, 1, 1), b"")] == [
        None
    ] * 5


@settings(max_examples=1000)
@given(st.binary(min_size=8, max_size=8))
def test_a_float_of_any_bits_is_pydantics_text(bits):
    (value,) = struct.unpack("<d", bits)
    if math.isfinite(value):
        assert _core.Plan([n.FLOAT], 0).write(value) == FLOAT.dump_json(value)
