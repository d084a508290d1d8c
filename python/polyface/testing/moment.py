"""Strategies of dates, times, moments and durations within their bounds."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import strategies as st
from pydantic import TypeAdapter

from .place import Place
from .sample import DATES, DATETIMES, TIMEDELTAS, TIMES
from .sieve import Values

__all__ = ["dates", "datetimes", "timedeltas", "times"]

Options = Mapping[str, Any]
DAY = dt.timedelta(days=1)
MICROSECOND = dt.timedelta(microseconds=1)
BOUNDS = {"ge", "gt", "le", "lt"}
DURATION: TypeAdapter[dt.timedelta] = TypeAdapter(dt.timedelta)

# Far enough from any clock that a test is run by.
PAST, FUTURE = dt.date(1999, 12, 31), dt.date(2999, 1, 1)

# Whole minutes, because ISO 8601 has no seconds in an offset.
ZONES: Values = st.one_of(
    st.just(dt.UTC),
    st.sampled_from([330, -210, 765, -720, 840]).map(
        lambda minutes: dt.timezone(dt.timedelta(minutes=minutes))
    ),
)


def dates(options: Options, place: Place) -> Values:
    """Dates; JSON writes them by ISO 8601."""
    low, high = _edges(options, DAY)
    low, high = _by_clock(options, low or dt.date.min, high or dt.date.max)
    made = st.dates(low, high) | _sampled([*DATES, low, high], low, high)
    return _written(made, place, dt.date.isoformat)


def times(options: Options, place: Place) -> Values:
    """Times of day; JSON writes them by ISO 8601."""
    low, high = _edges(
        {key: _on_first_day(options[key]) for key in BOUNDS & options.keys()}, MICROSECOND
    )
    zones = _zones(options, low or high)
    low = dt.time.min if low is None else low.time()
    high = dt.time.max if high is None else high.time()
    made = st.times(low, high) | _sampled([*TIMES, low, high], low, high)
    return _written(st.builds(_in_zone, made, zones), place, dt.time.isoformat)


def _on_first_day(time: dt.time) -> dt.datetime:
    """A time of day on some day, because times can't be added to."""
    return dt.datetime.combine(dt.date(1970, 1, 1), time)


def datetimes(options: Options, place: Place) -> Values:
    """Moments, with the time zone that is asked for; JSON writes them by ISO 8601."""
    low, high = _edges(options, MICROSECOND)
    zones = _zones(options, low or high)
    low = _naive(low, dt.datetime.min)
    high = _naive(high, dt.datetime.max)
    clock = _by_clock(options, low.date(), high.date())
    low = max(low, dt.datetime.combine(clock[0], dt.time.min))
    high = min(high, dt.datetime.combine(clock[1], dt.time.max))
    made = st.datetimes(low, high) | _sampled([*DATETIMES, low, high], low, high)
    return _written(st.builds(_in_zone, made, zones), place, dt.datetime.isoformat)


def timedeltas(options: Options, place: Place) -> Values:
    """Durations; JSON writes them by ISO 8601."""
    low, high = _edges(options, MICROSECOND)
    low = dt.timedelta.min if low is None else low
    high = dt.timedelta.max if high is None else high
    made = st.timedeltas(low, high) | _sampled([*TIMEDELTAS, low, high], low, high)
    return _written(made, place, lambda value: DURATION.dump_python(value, mode="json"))


def _edges(options: Options, unit: dt.timedelta) -> tuple[Any, Any]:
    lows = [options["ge"]] if "ge" in options else []
    lows += [options["gt"] + unit] if "gt" in options else []
    highs = [options["le"]] if "le" in options else []
    highs += [options["lt"] - unit] if "lt" in options else []
    return max(lows, default=None), min(highs, default=None)


def _by_clock(options: Options, low: dt.date, high: dt.date) -> tuple[dt.date, dt.date]:
    match options.get("now_op"):
        case "past":
            return low, min(high, PAST)
        case "future":
            return max(low, FUTURE), high
        case _:
            return low, high


def _naive(edge: dt.datetime | None, otherwise: dt.datetime) -> dt.datetime:
    if edge is None:
        return otherwise
    return edge if edge.tzinfo is None else edge.astimezone(dt.UTC).replace(tzinfo=None)


def _zones(options: Options, edge: Any) -> Values:
    """The zones that are asked for; UTC where a bound has one, so that it stays a bound."""
    constraint = options.get("tz_constraint")
    if edge is not None and edge.tzinfo is not None:
        return st.just(dt.UTC)
    if isinstance(constraint, int):
        return st.just(dt.timezone(dt.timedelta(seconds=constraint)))
    if constraint == "naive" or edge is not None:
        return st.none()
    return ZONES if constraint == "aware" else st.none() | ZONES


def _in_zone(moment: Any, zone: dt.tzinfo | None) -> Any:
    return moment.replace(tzinfo=zone)


def _sampled(interesting: list[Any], low: Any, high: Any) -> Values:
    return st.sampled_from([value for value in dict.fromkeys(interesting) if low <= value <= high])


def _written(made: Values, place: Place, write: Callable[[Any], Any]) -> Values:
    return made if place.form == "python" else made.map(write)
