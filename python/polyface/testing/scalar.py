"""The scalars that pydantic knows, each with the strategy of its values."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum
from typing import Any, TypeAlias
from uuid import UUID

from hypothesis import strategies as st

from .known import scalars
from .moment import dates, datetimes, timedeltas, times
from .number import complexes, decimals, floats, fractions, integers
from .place import Place
from .sieve import Values
from .text import CHARACTERS, addresses, byte_strings, texts

__all__ = ["LEAVES", "anything"]

Options: TypeAlias = Mapping[str, Any]
Leaf: TypeAlias = Callable[[Options, Place], Values]


def anything(place: Place) -> Values:
    """JSON values of every kind, one or two levels deep."""
    keys = st.text(CHARACTERS, max_size=4).filter(lambda key: key not in place.reserved)
    return st.recursive(
        scalars(place),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
        max_leaves=5,
    )


def _nulls(_options: Options, _place: Place) -> Values:
    return st.none()


def _booleans(_options: Options, _place: Place) -> Values:
    return st.booleans()


def _absent(_options: Options, _place: Place) -> Values:
    return st.nothing()


def _uuids(options: Options, place: Place) -> Values:
    version = options.get("version")
    made: Values = st.uuids()
    if version is None:
        made = made | st.sampled_from([UUID(int=0), UUID(int=2**128 - 1)])
    else:
        digits = st.integers(0, 2**128 - 1)
        made = digits.map(lambda number: _with_version(number, version))
    return made if place.form == "python" else made.map(str)


def _with_version(number: int, version: int) -> UUID:
    number = number & ~(0xF << 76) | version << 76
    return UUID(int=number & ~(0b11 << 62) | 0b10 << 62)


def _literals(options: Options, place: Place) -> Values:
    return _members(options["expected"], place)


def _enums(options: Options, place: Place) -> Values:
    return _members(options["members"], place)


def _members(members: list[Any], place: Place) -> Values:
    if place.form == "python":
        return st.sampled_from(members)
    values = [member.value if isinstance(member, Enum) else member for member in members]
    plain = [value for value in values if isinstance(value, str | int | float | None)]
    return st.sampled_from(plain) if plain else st.nothing()


LEAVES: Mapping[str, Leaf] = {
    "none": _nulls,
    "bool": _booleans,
    "int": integers,
    "float": floats,
    "decimal": decimals,
    "fraction": fractions,
    "complex": complexes,
    "str": texts,
    "bytes": byte_strings,
    "url": addresses,
    "multi-host-url": addresses,
    "uuid": _uuids,
    "date": dates,
    "time": times,
    "datetime": datetimes,
    "timedelta": timedeltas,
    "literal": _literals,
    "enum": _enums,
    "missing-sentinel": _absent,
}
"""Kind of schema → the strategy of its values. What is constrained is sifted afterwards."""
