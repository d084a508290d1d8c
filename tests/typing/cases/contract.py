"""A contract class and what its attributes are."""

from __future__ import annotations

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import People, Person, PersonId


class Unprefixed(pf.Contract):  # err:missing prefix
    ping = pf.get("/ping", desc="x")


class Misspelt(pf.Contract, prefx="p"): ...  # err:unknown class keyword


class Numbered(pf.Contract, prefix=1): ...  # err:prefix as a number


class Guarded(pf.Contract, prefix="g", scope="user", meta={"team": "a"}):  # ok:class keywords
    fetch = pf.get("/{person_id}", desc="x", params=PersonId, output=Person)
    list_ = pf.get("/all", key="list", desc="x", output=list[Person])
    get = pf.get("/one", desc="x", output=Person)


through_class: pf.Endpoint[PersonId, None, Person] = Guarded.fetch  # ok:endpoint of the class
assert_type(Guarded.list_.key, str | None)  # ok:endpoint with a key of its own
named_get: pf.Endpoint[None, None, Person] = Guarded.get  # ok:endpoint named as a verb
People.serach  # err:misspelt attribute


def mount(contract: type[pf.Contract]) -> None:
    pf.implement(contract)  # ok:any contract is implemented
    contract.search  # err:attribute of an unknown contract


mount(People)  # ok:contract as an argument
mount(Person)  # err:model as a contract
mount(People.search)  # err:endpoint as a contract
