"""A contract class and what its attributes are."""

from __future__ import annotations

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import People, Person, PersonId


class Misspelt(pf.Contract, prefx="p"): ...  # err:unknown class keyword


class Numbered(pf.Contract, prefix=1): ...  # err:prefix as a number


class Guarded(pf.Contract, prefix="g", scope="user", meta={"team": "a"}):  # ok:class keywords
    fetch = pf.get("/{person_id}", desc="x", params=PersonId, output=Person)
    list_ = pf.get("/all", key="list", desc="x", output=list[Person])
    get = pf.get("/one", desc="x", output=Person)


through_class: pf.Endpoint[PersonId, None, Person] = Guarded.fetch  # ok:endpoint of the class
assert_type(Guarded.list_.key, str | None)  # ok:endpoint with a key of its own
named_get: pf.Endpoint[None, None, Person] = Guarded.get  # ok:endpoint named as a verb
_ = People.serach  # err:misspelt attribute


def mount(contract: type[pf.Contract]) -> None:
    pf.implement(contract)  # ok:any contract is implemented
    _ = contract.search  # err:attribute of an unknown contract


mount(People)  # ok:contract as an argument
mount(Person)  # err:model as a contract
mount(People.search)  # err:endpoint as a contract


class Guards(pf.Contract, policy=pf.ContractPolicy(scopes=("user",))): ...  # ok:policy


class Ruled(Guards, prefix="ruled", scope="user"):  # ok:contract under a policy
    ping = pf.get("/ping", desc="x")


class Unruled(pf.Contract, policy="explicit"): ...  # err:policy as text


built = pf.build_contract("Built", {"ping": People.ping}, prefix="built")
assert_type(built, type[pf.Contract])  # ok:contract built from data
pf.build_contract("Built", {"ping": {"method": "GET", "path": "/ping"}})  # ok:endpoint as a mapping
pf.build_contract("Built", [People.ping])  # err:endpoints as a list
_ = built.ping  # err:attribute of a built contract

errors = pf.define_errors(PERSON_LOCKED=pf.ErrorDefinition(status=409, message="Locked."))
assert_type(errors.PERSON_LOCKED, pf.ErrorDefinition)  # ok:error of a set
assert_type(errors.PERSON_LOCKED(), pf.OperationError)  # ok:error that is raised
pf.get("/ping", desc="x", errors=[errors.PERSON_LOCKED])  # ok:errors of an endpoint
pf.get("/ping", desc="x", errors=[errors.PERSON_LOCKED()])  # err:error instead of its definition
pf.define_errors(PERSON_LOCKED=409)  # err:status instead of a definition
