"""The records that the tests of contracts and views are about."""

from typing import Any

from pydantic import BaseModel

import polyface as pf


class Address(BaseModel):
    city: str
    street: str


class Person(BaseModel):
    id: int
    name: str
    email: str | None = None
    address: Address
    tags: list[str] = []


class PersonCard(BaseModel):
    id: int
    name: str


class PersonId(BaseModel):
    person_id: str


class Search(BaseModel):
    q: str = ""
    limit: int = 10
    include: list[str] = ["address", "tags"]


ADA: dict[str, Any] = {
    "id": 1,
    "name": "Ada",
    "email": "ada@example.org",
    "address": {"city": "London", "street": "St James's Square"},
    "tags": ["math"],
}


def listing(**options: Any) -> Any:
    """Declare an endpoint that lists people; options are the verb's."""
    declare: Any = pf.get
    given = {"desc": "List people.", "input": Search, "output": list[Person]} | options
    return declare("", **given)
