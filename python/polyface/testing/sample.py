"""Values that break programs: what a random draw would seldom find, and no review forgets twice."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal

__all__ = ["DATES", "DATETIMES", "DECIMALS", "FLOATS", "INTEGERS", "TEXTS", "TIMEDELTAS", "TIMES"]

TEXTS: tuple[str, ...] = (
    "",
    " ",
    "é",
    "e\u0301",  # the same letter in two code points
    "straße",
    "日本語",
    "😀",
    "👩\u200d👩\u200d👧",  # one picture, five code points
    "𝒳",
    "مرحبا",
    "שלום",
    "\u202eabc",  # turns the writing direction
    "\u200b",
    "\ufeff",
    "\x00",
    "\x1b[31m",
    "\x7f",
    "\t\r\n",
    "\u2028",
    '"\\',
    "</script>",
    "null",
    "0",
)

INTEGERS: tuple[int, ...] = (
    0,
    1,
    -1,
    2**31 - 1,
    -(2**31),
    2**32,
    2**53,
    2**53 + 1,  # the first integer that a double can't hold
    -(2**53) - 1,
    2**63 - 1,
    -(2**63),
    2**63,
    2**64,
    10**30,
    -(10**30),
)

FLOATS: tuple[float, ...] = (
    0.0,
    -0.0,
    0.1,
    -1.5,
    1e16,
    1e21,  # from here on, a double is written with an exponent
    1e-7,
    5e-324,
    2.2250738585072014e-308,
    1.7976931348623157e308,
    -1.7976931348623157e308,
)

DECIMALS: tuple[Decimal, ...] = (
    Decimal(0),
    Decimal("-0"),
    Decimal("0.1"),
    Decimal("1.10"),
    Decimal("1E+5"),
    Decimal("1E-20"),
    Decimal("-123456789012345678901234567890.123456789"),
)

DATES: tuple[dt.date, ...] = (
    dt.date.min,
    dt.date(1582, 10, 15),
    dt.date(1970, 1, 1),
    dt.date(2000, 2, 29),
    dt.date(2038, 1, 19),
    dt.date.max,
)

TIMES: tuple[dt.time, ...] = (dt.time.min, dt.time(12), dt.time(23, 59, 59), dt.time.max)

DATETIMES: tuple[dt.datetime, ...] = (
    dt.datetime.min,
    dt.datetime(1970, 1, 1),
    dt.datetime(2000, 2, 29, 23, 59, 59, 999999),
    dt.datetime(2038, 1, 19, 3, 14, 8),
    dt.datetime.max,
)

TIMEDELTAS: tuple[dt.timedelta, ...] = (
    dt.timedelta(0),
    dt.timedelta(microseconds=1),
    dt.timedelta(microseconds=-1),
    dt.timedelta(days=1),
    dt.timedelta(days=-400),
    dt.timedelta.max,
    dt.timedelta.min,
)
