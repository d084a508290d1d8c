"""The keywords that an endpoint takes from its model, as a function over endpoints sees them."""

from __future__ import annotations

from typing_extensions import ParamSpec, TypeVar, assert_type

import polyface as pf
from tests.typing.cases.people import (
    Address,
    Cat,
    DataOutput,
    DictOutput,
    NewPerson,
    Other,
    People,
    Person,
    PersonId,
    SearchPeople,
)

P = TypeVar("P")
I = TypeVar("I")
O = TypeVar("O")
K = ParamSpec("K")


def call(endpoint: pf.Endpoint[P, I, O, K], /, *args: K.args, **kwargs: K.kwargs) -> O:
    raise NotImplementedError


assert_type(call(People.search, q="ada"), list[Person])  # ok:keyword
assert_type(call(People.search, q="ada", limit=3), list[Person])  # ok:optional keyword
assert_type(call(People.card, q="ada"), list[Person])  # ok:a view keeps the keywords
assert_type(call(People.fetch, person_id=1), Person)  # ok:keyword of params
assert_type(
    call(People.update, PersonId(person_id=1), name="x"), Person
)  # ok:params, then keywords
assert_type(call(People.maybe, person_id=1), Person | None)  # ok:output or None
assert_type(call(People.ping), None)  # ok:nothing
assert_type(call(People.dataclass, q="x"), DataOutput)  # ok:keyword of a dataclass
assert_type(call(People.dataclass, "x"), DataOutput)  # ok:position of a dataclass
assert_type(call(People.typed_dict, {"q": "x"}), DictOutput)  # ok:TypedDict by position
assert_type(call(People.many, [NewPerson(name="x")]), str)  # err:literals aren't str
call(People.many, [NewPerson(name="x")])  # ok:list by position
call(People.many_of, PersonId(person_id=1), [NewPerson(name="x")])  # ok:params, then a list
assert_type(call(People.pet, Cat()), dict[str, list[int]])  # ok:union by position
assert_type(call(People.scalar, 3), str)  # ok:scalar by position
assert_type(call(People.nested, address=Address(city="x")), str)  # ok:model as keyword
assert_type(call(People.names, endpoint="x", params=1, input="y"), str)  # ok:fields with our words
assert_type(call(People.alias, **{"from": "x"}), str)  # ok:alias that is a keyword of Python
assert_type(call(People.alias, pageSize=3, **{"from": "x"}), str)  # ok:alias
call(People.alias, from_="x")  # err:field name of an alias
call(People.nested, address={"city": "x"})  # err:mapping for a nested model
call(People.strict, q="x", when="2020-01-01")  # err:text for a datetime
call(People.search)  # err:missing keyword
call(People.search, q=[1])  # err:list for text
call(People.search, q=1)  # err:number for text
call(People.search, q="x", nope=1)  # err:unknown keyword, ignored by the model
call(People.strict, q="x", nope=1)  # err:unknown keyword, forbidden by the model
call(People.search, SearchPeople(q="x"))  # err:model instead of keywords
call(People.fetch, person_id="x", nope=1)  # err:wrong keywords of params
call(People.update, name="x")  # err:params forgotten
call(People.update, PersonId(person_id=1), nme="x")  # err:params, then a wrong keyword
call(People.update, SearchPeople(q="x"), name="x")  # err:another model as params
call(People.update, person_id=1, name="x")  # err:keywords of two models
call(People.ping, q="x")  # err:keyword of nothing
call(People.typed_dict, q="x")  # err:keyword of a TypedDict
call(People.pet, kind="cat")  # err:keyword of a union
call(People.pet, Other(nope=True))  # err:another union member
call(People.many, [Other(nope=True)])  # err:list of another model
call(People.scalar, "3")  # err:text for a scalar
call(People.serach, q="x")  # err:misspelt endpoint
