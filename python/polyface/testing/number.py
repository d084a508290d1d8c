"""Strategies of numbers within their bounds, the bounds included."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

from hypothesis import strategies as st

from .place import Place
from .sample import DECIMALS, FLOATS, INTEGERS
from .sieve import Values

__all__ = ["complexes", "decimals", "floats", "fractions", "integers"]

Options = Mapping[str, Any]

# A number from here on is no count, age or page, so that it can be recognised elsewhere.
PRIVATE = 10**9
MOST_DIGITS = 28  # what a decimal context computes with, unless told otherwise
EXACTLY = Context(prec=200)


def integers(options: Options, place: Place) -> Values:
    """Integers; JSON writes them as they are, however long."""
    step = options.get("multiple_of", 1)
    low, high = _counts(options, Fraction(step))
    if place.private and (high is None or high * step > 2 * PRIVATE):
        low = max(PRIVATE // step, low or 0)
        high = low + PRIVATE // step if high is None else high
        return st.integers(low, high).map(lambda count: count * step)
    return _counted(low, high, INTEGERS, step).map(lambda count: count * step)


def floats(options: Options, place: Place) -> Values:
    """Doubles; JSON has neither NaN nor infinities."""
    if "multiple_of" in options:
        step = options["multiple_of"]
        low, high = _counts(options, Fraction(step))
        low, high = max(low or -PRIVATE, -PRIVATE), min(high or PRIVATE, PRIVATE)
        return st.integers(low, high).map(lambda count: count * step)
    low = max((options[key] for key in ("ge", "gt") if key in options), default=None)
    high = min((options[key] for key in ("le", "lt") if key in options), default=None)
    numbers = st.floats(
        None if low is None else _within_double(low, math.inf),
        None if high is None else _within_double(high, -math.inf),
        exclude_min=low is not None and options.get("gt") == low and float(low) == low,
        exclude_max=high is not None and options.get("lt") == high and float(high) == high,
        allow_nan=False,
        allow_infinity=False,
    )
    edges = [float(options[key]) for key in ("ge", "le") if key in options]
    interesting = [*FLOATS, *edges]
    if place.form == "python" and not place.finite and options.get("allow_inf_nan", True):
        interesting += [math.nan, math.inf, -math.inf]
    return _or_one_of(numbers, [number for number in interesting if _is_within(number, options)])


def decimals(options: Options, place: Place) -> Values:
    """Decimals of as many digits as may be; JSON writes them as text, or as integers."""
    if "multiple_of" in options:
        units = [Decimal(options["multiple_of"])]
    else:
        most = min(options.get("decimal_places", 12), options.get("max_digits", MOST_DIGITS))
        units = [Decimal(1).scaleb(-places) for places in dict.fromkeys([0, min(2, most), most])]
    made = st.one_of([_multiples(unit, options) for unit in units])
    interesting = [*DECIMALS, *(Decimal(options[key]) for key in ("ge", "le") if key in options)]
    if options.get("allow_inf_nan") and place.form == "python" and not place.finite:
        interesting += [Decimal("NaN"), Decimal("Infinity")]
    if options.keys() & {"max_digits", "decimal_places", "multiple_of"}:
        interesting = []
    kept = [number for number in interesting if number.is_nan() or _is_within(number, options)]
    made = _or_one_of(made, kept)
    if place.form == "python":
        return made
    return made.map(lambda number: int(number) if _is_plain_integer(number) else str(number))


def _multiples(unit: Decimal, options: Options) -> Values:
    """The multiples of a unit that have no more digits than they may."""
    places = max(0, -int(unit.as_tuple().exponent))
    digits = options.get("max_digits", MOST_DIGITS)
    whole = digits - options.get("decimal_places", places)
    widest = Fraction(10 ** max(whole, 0)) - Fraction(1, 10**places)
    least, most = _counts(options, Fraction(unit))
    limit = int(widest / abs(Fraction(unit)))
    low, high = max(-limit, -limit if least is None else least), limit if most is None else most
    high = min(high, limit)
    if low > high:
        return st.nothing()
    counts = _or_one_of(st.integers(low, high), [low, high])
    return counts.map(lambda count: EXACTLY.multiply(count, unit))


def fractions(_options: Options, place: Place) -> Values:
    """Fractions; JSON writes them as text."""
    made = st.fractions(max_denominator=10**6)
    return made if place.form == "python" else made.map(str)


def complexes(_options: Options, place: Place) -> Values:
    """Complex numbers; JSON writes them as text."""
    made = st.complex_numbers(allow_nan=False, allow_infinity=False)
    return made if place.form == "python" else made.map(str)


def _counts(options: Options, step: Fraction) -> tuple[int | None, int | None]:
    """How many steps the least and the greatest multiple within the options' bounds are."""
    lows = [math.ceil(Fraction(options["ge"]) / step)] if "ge" in options else []
    lows += [math.floor(Fraction(options["gt"]) / step) + 1] if "gt" in options else []
    highs = [math.floor(Fraction(options["le"]) / step)] if "le" in options else []
    highs += [math.ceil(Fraction(options["lt"]) / step) - 1] if "lt" in options else []
    return max(lows, default=None), min(highs, default=None)


def _counted(low: int | None, high: int | None, known: Iterable[int], step: int) -> Values:
    edges = [edge for edge in (low, high) if edge is not None]
    counts = [number // step for number in known if number % step == 0]
    kept = [
        count
        for count in [*counts, *edges]
        if (low is None or count >= low) and (high is None or count <= high)
    ]
    if low is not None and high is not None and low > high:
        return st.nothing()
    return _or_one_of(st.integers(low, high), kept)


def _or_one_of(numbers: Values, interesting: list[Any]) -> Values:
    return numbers | st.sampled_from(interesting) if interesting else numbers


def _is_within(number: Any, options: Options) -> bool:
    return (
        ("ge" not in options or bool(number >= options["ge"]))
        and ("gt" not in options or bool(number > options["gt"]))
        and ("le" not in options or bool(number <= options["le"]))
        and ("lt" not in options or bool(number < options["lt"]))
    )


def _is_plain_integer(number: Decimal) -> bool:
    exponent = number.as_tuple().exponent
    return exponent == 0 and not number.is_zero()


def _within_double(bound: Any, towards: float) -> float:
    """The nearest double that isn't beyond a bound, which may not be a double itself."""
    number = float(bound)
    beyond = number < bound if towards > 0 else number > bound
    return math.nextafter(number, towards) if beyond else number
