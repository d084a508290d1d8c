"""Looking for a scalar that the full answer may hold and a slice doesn't take.

A slice is refused for a reason that can be shown. Where none is found and nothing is proved either,
the slice is checked on each call.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from typing import Any, Literal, TypeAlias
from uuid import UUID

from pydantic import ValidationError
from pydantic_core import PydanticSerializationError, SchemaSerializer, SchemaValidator

from .difference import first_difference
from .json_text import read_json
from .shape import Leaf, Union

__all__ = ["Verdict", "tried"]

Verdict: TypeAlias = Literal["fits", "refused", "undecided"]

# What a closed type may have, for all of it to be tried.
MOST_MEMBERS = 1000
# How long a text is tried; a bound beyond it is left to each call.
LONGEST = 10_000


def tried(full: Leaf, view: Leaf | Union) -> Verdict:
    """Try values of a scalar on a slice's scalar: all of a closed type, the telling ones of others.

    Cost: microseconds a value, at declaration. Runs nothing of the user's.
    """
    members = _members(full)
    values = _telling(full) if members is None else members
    core: Any = view.core
    reads, writes = SchemaValidator(core), SchemaSerializer(core)
    for text in _written(full, values):
        try:
            read = reads.validate_json(text, strict=True)
        except ValidationError:
            return "refused"
        again = writes.to_json(read, by_alias=True, warnings=False)
        if first_difference(read_json(text), read_json(again), view) is not None:
            return "refused"
    return "undecided" if members is None else "fits"


def _members(leaf: Leaf) -> list[Any] | None:
    """Every value of a closed scalar; None for one that isn't."""
    match leaf.kind:
        case "none":
            return [None]
        case "bool":
            return [True, False]
        case "literal":
            members = [*leaf.options["expected"]]
        case "enum":
            members = [*leaf.options["members"]]
        case _:
            return None
    return members if len(members) <= MOST_MEMBERS else None


def _written(full: Leaf, values: list[Any]) -> Iterator[bytes]:
    """The JSON of those values that the full type takes."""
    core: Any = full.core
    accepts, writes = SchemaValidator(core), SchemaSerializer(core)
    for value in values:
        try:
            yield writes.to_json(accepts.validate_python(value), warnings="error")
        except (ValidationError, PydanticSerializationError):
            continue


def _telling(leaf: Leaf) -> list[Any]:
    """Values of an open scalar at which types differ: its bounds, and either side of them."""
    bounds = [leaf.options[key] for key in ("ge", "gt", "le", "lt") if key in leaf.options]
    match leaf.kind:
        case "int":
            near = [bound + step for bound in bounds for step in range(-3, 4)]
            return [*near, *range(-8, 9), 2**31, -(2**31), 2**53 + 1, -(2**53) - 1, 10**30]
        case "float":
            near = [float(bound) for bound in bounds]
            steps = [math.nextafter(bound, towards) for bound in near for towards in (-9e99, 9e99)]
            return [*near, *steps, -1.5, -1.0, 0.0, 0.1, 0.5, 1.0, 2.5, 1e-9, 1e16, -1e300, 1e300]
        case "str":
            lengths = {leaf.options.get(key, 0) for key in ("min_length", "max_length")}
            sizes = {max(0, size + step) for size in lengths for step in (-1, 0, 1, 2)}
            short = [size for size in sorted(sizes) if size <= LONGEST]
            return [*(sign * size for size in short for sign in ("a", "7", "Ü")), "", "x" * 300]
        case _:
            return [value for value in MOMENTS_AND_NAMES if type(value) is KINDS[leaf.kind]]


PLAIN_MOMENTS = [*map(datetime.fromisoformat, ("1970-01-01T00:00", "2026-02-28T12:30:15.25"))]
ZONES = (None, UTC, timezone(timedelta(hours=5, minutes=30)))
MOMENTS = [moment.replace(tzinfo=zone) for moment in PLAIN_MOMENTS for zone in ZONES]
MOMENTS_AND_NAMES: list[Any] = [
    *MOMENTS,
    *(moment.timetz() for moment in MOMENTS),
    *(moment.date() for moment in PLAIN_MOMENTS),
    *map(Decimal, ("0", "1", "-7.125", "1E+5", "12345678901234567890.5")),
    *(UUID(int=7 << 64 | version << 76 | 2 << 62) for version in range(9)),
]
KINDS: dict[str, type] = {
    "date": date,
    "time": time,
    "datetime": datetime,
    "decimal": Decimal,
    "uuid": UUID,
}
