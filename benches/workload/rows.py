"""Answers of people in every form that a handler returns them in. Each call makes new objects."""

import json
import random
import sqlite3
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from .people import (
    ADDRESS_KEYS,
    GEO_KEYS,
    KEYS,
    OPTIONAL,
    AddressData,
    GeoData,
    Person,
    PersonData,
)
from .recipe import KINDS_OF_ANSWERS, PEOPLE, recipes, values

Rows = list[dict[str, Any]]
Make = Callable[[int], Any]
Keys = tuple[Sequence[str], Sequence[str], Sequence[str]]

ADDRESS = KEYS.index("address")
BALANCE = KEYS.index("balance")
SHUFFLED_SEED = 7


def interned_keys() -> Keys:
    """Keys as literals in a program are: the same objects as the fields' names."""
    return KEYS, ADDRESS_KEYS, GEO_KEYS


def json_keys() -> Keys:
    """Keys as `json.loads` makes them: new for each document, shared by its rows."""
    address, geo = ADDRESS_KEYS, GEO_KEYS
    return _parsed(KEYS), _parsed(address), _parsed(geo)


def _parsed(names: Sequence[str]) -> Sequence[str]:
    return list(json.loads(json.dumps(dict.fromkeys(names))))


def sqlite_keys() -> Keys:
    """Keys as a cursor's description has them, the nested ones from a column of JSON."""
    columns = ", ".join(f"1 as {name}" for name in KEYS)
    described = _memory().execute(f"select {columns}").description
    _, address, geo = json_keys()
    return [column[0] for column in described], address, geo


@cache
def _memory() -> sqlite3.Connection:
    return sqlite3.connect(":memory:")


def rows(seed: int, count: int = PEOPLE, keys: Callable[[], Keys] = interned_keys) -> Rows:
    """Make one answer as dicts."""
    top, address, geo = keys()
    made: Rows = []
    for raw in recipes(seed % KINDS_OF_ANSWERS, count):
        row = dict(zip(top, values(raw), strict=True))
        place = row["address"]
        place[3] = dict(zip(geo, place[3], strict=True))
        row["address"] = dict(zip(address, place, strict=True))
        made.append(row)
    return made


def json_rows(seed: int) -> Rows:
    return rows(seed, keys=json_keys)


def sqlite_rows(seed: int) -> Rows:
    return rows(seed, keys=sqlite_keys)


def with_text_decimals(make: Callable[[int], Rows]) -> Callable[[int], Rows]:
    """Spare an opponent that can't write a Decimal its writing."""

    def made(seed: int) -> Rows:
        answer = make(seed)
        for row in answer:
            row["balance"] = str(row["balance"])
        return answer

    return made


def dirty_rows(seed: int) -> Rows:
    """Shuffle the keys, leave absent optionals out, and add undeclared keys at three levels."""
    rng = random.Random(SHUFFLED_SEED + seed)
    made: Rows = []
    for row in rows(seed):
        row["address"]["geo"] = _shuffled(rng, row["address"]["geo"] | {"altitude": 12})
        row["address"] = _shuffled(rng, row["address"] | {"note": "at the back"})
        given = {key: value for key, value in row.items() if key not in OPTIONAL or value}
        made.append(_shuffled(rng, given | {"password": "secret"}))
    return made


def _shuffled(rng: random.Random, row: dict[str, Any]) -> dict[str, Any]:
    return dict(rng.sample(list(row.items()), len(row)))


def undeclared(count: int) -> Callable[[int], Rows]:
    """Make answers whose rows have `count` keys too many, at the end as a wider query has them."""
    names = [f"extra_{number}" for number in range(count)]

    def made(seed: int) -> Rows:
        answer = rows(seed)
        for row in answer:
            row.update((name, 7) for name in names)
        return answer

    return made


@cache
def _people() -> TypeAdapter[list[Person]]:
    return TypeAdapter(list[Person])


def instances(seed: int) -> list[Person]:
    """Make one answer as pydantic models."""
    return _people().validate_python(rows(seed))


def dataclass_rows(seed: int) -> list[PersonData]:
    """Make one answer as dataclasses with slots."""
    made: list[PersonData] = []
    for row in rows(seed):
        address = row.pop("address")
        place = AddressData(**address | {"geo": GeoData(**address["geo"])})
        made.append(PersonData(**row, address=place))
    return made


def _text_columns(row: dict[str, Any]) -> list[Any]:
    """What sqlite3 stores of a person: everything that isn't a number as text."""
    return [
        json.dumps(value)
        if isinstance(value, dict | list)
        else value
        if value is None or isinstance(value, int | float | str)
        else value.isoformat(" ")
        if isinstance(value, datetime)
        else str(value)
        for value in row.values()
    ]


@cache
def _stored(kind: int) -> str:
    table = f"people_{kind}"
    _memory().execute(f"create table {table} ({', '.join(KEYS)})")
    places = ", ".join("?" for _ in KEYS)
    people = [_text_columns(row) for row in rows(kind)]
    _memory().executemany(f"insert into {table} values ({places})", people)
    return table


def text_rows(seed: int) -> Rows:
    """Fetch one answer from sqlite3: UUIDs, dates and decimals are texts, booleans are 0 and 1."""
    cursor = _memory().execute(f"select * from {_stored(seed % KINDS_OF_ANSWERS)}")
    names = [column[0] for column in cursor.description]
    made = [dict(zip(names, row, strict=True)) for row in cursor]
    for row in made:
        row["address"] = json.loads(row["address"])
        row["tags"] = json.loads(row["tags"])
    return made
