"""The schemas of the workload: a person of 25 fields, and the card that a model reads."""

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

from pydantic import BaseModel


class Geo(BaseModel):
    latitude: float
    longitude: float


class Address(BaseModel):
    street: str
    city: str
    postcode: str
    geo: Geo


class Person(BaseModel):
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


class CardAddress(BaseModel):
    city: str


class Card(BaseModel):
    id: int
    name: str
    born: date
    address: CardAddress


@dataclass(slots=True)
class GeoData:
    latitude: float
    longitude: float


@dataclass(slots=True)
class AddressData:
    street: str
    city: str
    postcode: str
    geo: GeoData


@dataclass(slots=True, kw_only=True)
class PersonData:
    id: int
    uid: UUID
    name: str
    email: str
    phone: str | None = field(default=None)
    age: int
    height: float
    active: bool
    born: date
    created_at: datetime
    updated_at: datetime
    balance: Decimal
    address: AddressData
    tags: list[str]
    bio: str
    company: str
    title: str
    website: str
    nickname: str | None = field(default=None)
    language: str
    score: int
    rating: float
    verified: bool
    notes: str | None = field(default=None)
    manager: UUID


KEYS = tuple(Person.model_fields)
ADDRESS_KEYS = tuple(Address.model_fields)
GEO_KEYS = tuple(Geo.model_fields)
OPTIONAL = frozenset({"phone", "nickname", "notes"})
