"""The application that the cases are about. It runs: a test imports it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

import polyface as pf


class Address(BaseModel):
    city: str


class Person(BaseModel):
    id: int
    name: str
    address: Address
    email: str | None = None


class PersonCard(BaseModel):
    id: int
    name: str


class Other(BaseModel):
    nope: bool


class SearchPeople(BaseModel):
    q: str
    limit: int = 10
    include: list[str] = Field(default_factory=list)


class PersonId(BaseModel):
    person_id: int


class NewPerson(BaseModel):
    name: str
    born: datetime | None = None


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    q: str
    when: datetime | None = None


class Aliased(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    from_: str = Field(alias="from")
    page_size: int = Field(default=10, alias="pageSize")


class Nested(BaseModel):
    address: Address


class Names(BaseModel):
    endpoint: str
    params: int
    input: str


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"


class Dog(BaseModel):
    kind: Literal["dog"] = "dog"


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class DictInput(TypedDict, total=False):
    q: str


class DictOutput(TypedDict):
    k: int


@dataclass
class DataInput:
    q: str
    limit: int = 3


@dataclass
class DataOutput:
    z: int


class People(pf.Contract, prefix="people", scope="user"):
    search = pf.get("/", desc="Search.", input=SearchPeople, output=list[Person])
    fetch = pf.get("/{person_id}", desc="One.", params=PersonId, output=Person)
    update = pf.patch(
        "/{person_id}",
        desc="Change one.",
        params=PersonId,
        input=NewPerson,
        output=Person,
        tool=pf.ToolOptions(annotations=pf.ToolAnnotations(destructive=False)),
    )
    maybe = pf.get("/{person_id}/maybe", desc="One or none.", params=PersonId, output=Person | None)
    card = pf.with_tool_view(
        pf.get("/cards", desc="Cards.", input=SearchPeople, output=list[Person]),
        output=list[PersonCard],
        defaults={"limit": 5},
    )
    ping = pf.get("/ping", desc="Nothing in, nothing out.")
    union = pf.get("/union", desc="A union in a list.", output=list[Cat | Dog])
    annotated = pf.get("/annotated", desc="An annotated union.", output=Pet)
    nested_annotated = pf.get(
        "/nested-annotated",
        desc="An annotated union in a list.",
        output=list[Annotated[Cat | Dog, Field(discriminator="kind")]],
    )
    typed_dict = pf.get("/typed-dict", desc="TypedDicts.", input=DictInput, output=DictOutput)
    dataclass = pf.get("/dataclass", desc="Dataclasses.", input=DataInput, output=DataOutput)
    pet = pf.post("/pet", desc="A union.", input=Pet, output=dict[str, list[int]])
    plain_pet = pf.post("/plain-pet", desc="A bare union.", input=Cat | Dog, output=str)
    strict = pf.get("/strict", desc="No other keys.", input=Strict, output=str)
    alias = pf.get("/alias", desc="Aliases.", input=Aliased, output=str)
    nested = pf.post("/nested", desc="A model in a model.", input=Nested, output=str)
    names = pf.post("/names", desc="Fields called as arguments are.", input=Names, output=str)
    many = pf.post(
        "/many",
        desc="A list, and literals.",
        input=list[NewPerson],
        output=Literal["a", "b"],
        expose=["HTTP"],
    )
    many_of = pf.post(
        "/{person_id}/many",
        desc="Params and a list.",
        params=PersonId,
        input=list[NewPerson],
        output=Any,
        expose=["HTTP"],
    )
    scalar = pf.post("/scalar", desc="Scalars.", input=int, output=str, expose=["HTTP"])


class Feed(pf.Contract, prefix="feed"):
    stream = pf.get("/", desc="All.", input=SearchPeople, response=pf.Stream(item=Person))
    numbers = pf.get("/numbers", desc="Numbers.", response=pf.Stream(item=int | None))
    raw = pf.get("/{person_id}", desc="Bytes.", params=PersonId, response=pf.RawResponse())
    marked = pf.get("/marked", desc="Headers.", output=Person, response=pf.ResponseMetadata())
    silent = pf.delete("/", desc="Headers alone.", response=pf.ResponseMetadata(headers=("x-a",)))
    signed = pf.post("/signed", desc="Signed.", input=Address, output=Person, body=pf.RawBody())
    files = pf.post("/files", desc="Files.", body=pf.Multipart(files={"picture": pf.FilePart()}))


@dataclass
class Database:
    """The context of an application."""

    url: str
