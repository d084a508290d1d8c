"""What a user of msgspec writes: rows become structs, which checks them, and those JSON."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

import msgspec


class Geo(msgspec.Struct):
    latitude: float
    longitude: float


class Address(msgspec.Struct):
    street: str
    city: str
    postcode: str
    geo: Geo


class Person(msgspec.Struct, kw_only=True):
    id: int
    uid: UUID
    name: str
    email: str
    phone: str | None = None
    age: int
    height: float
    active: bool
    born: date
    created_at: datetime
    updated_at: datetime
    balance: Decimal
    address: Address
    tags: list[str]
    bio: str
    company: str
    title: str
    website: str
    nickname: str | None = None
    language: str
    score: int
    rating: float
    verified: bool
    notes: str | None = None
    manager: UUID


class CardAddress(msgspec.Struct):
    city: str


class Card(msgspec.Struct):
    id: int
    name: str
    born: date
    address: CardAddress


_encode = msgspec.json.Encoder().encode


def cards() -> dict[str, Callable[[Any], bytes]]:
    """Check rows as structs, and write cards."""

    def built(rows: Any) -> bytes:
        people = msgspec.convert(rows, list[Person])
        return _encode(
            [Card(one.id, one.name, one.born, CardAddress(one.address.city)) for one in people]
        )

    def converted(rows: Any) -> bytes:
        people = msgspec.convert(rows, list[Person])
        return _encode(msgspec.convert(people, list[Card], from_attributes=True))

    return {"built": built, "converted": converted}


def whole(rows: Any) -> bytes:
    """Check rows as structs, and write all of them."""
    return _encode(msgspec.convert(rows, list[Person]))
