"""`with_tool_view`: slices, projections as lambdas and as functions."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import Cat, Other, People, Person, PersonCard, SearchPeople

search = pf.get("/", desc="x", input=SearchPeople, output=list[Person])
one = pf.get("/one", desc="x", output=Person)
maybe = pf.get("/maybe", desc="x", output=Person | None)

sliced = pf.with_tool_view(search, output=list[PersonCard], defaults={"include": []})  # ok:slice
kept = pf.with_tool_view(search, output=list[Person])  # ok:slice of the same type
full_types: pf.Endpoint[None, SearchPeople, list[Person]] = sliced  # ok:a slice keeps the types


def declare() -> Any: ...


of_unknown = pf.with_tool_view(declare(), output=list[PersonCard])  # ok:an endpoint of any type
of_any: pf.Endpoint[Any, Any, Any] = of_unknown  # ok:a view of any type
pf.with_tool_view(search)  # err:nothing declared
pf.with_tool_view(search, defaults={"include": []})  # err:defaults alone
pf.with_tool_view(search, output=3)  # err:slice that is no type
pf.with_tool_view(search, output=list[PersonCard], defaults=["include"])  # err:defaults as a list
pf.with_tool_view(People, output=list[PersonCard])  # err:view of a contract

nested = pf.with_tool_view(  # ok:lambda around a nested verb
    pf.get("/", desc="x", input=SearchPeople, output=list[Person]),
    output=list[PersonCard],
    project=lambda full, call: [PersonCard(id=p.id, name=call.input.q) for p in full],
)
nested_types: pf.Endpoint[None, SearchPeople, list[Person]] = nested  # ok:a projection keeps them
pf.with_tool_view(  # ok:lambda reads call.source
    one, output=PersonCard, project=lambda full, call: PersonCard(id=full.id, name=call.source)
)
pf.with_tool_view(  # ok:lambda on output or None
    maybe,
    output=PersonCard | None,
    project=lambda full, call: PersonCard(id=full.id, name=full.name) if full else None,
)
pf.with_tool_view(search, project=lambda full, call: full[: call.input.limit])  # ok:lambda alone
pf.with_tool_view(  # err:lambda reads a wrong field of the answer
    search,
    output=list[PersonCard],
    project=lambda full, call: [PersonCard(id=p.id, name=p.nope) for p in full],
)
pf.with_tool_view(  # err:lambda reads a wrong field of the input
    search,
    output=list[PersonCard],
    project=lambda full, call: [PersonCard(id=p.id, name=call.input.nope) for p in full],
)
pf.with_tool_view(  # err:lambda reads params, which a projection lacks
    one, output=PersonCard, project=lambda full, call: PersonCard(id=call.params.id, name="x")
)
pf.with_tool_view(  # err:lambda forgets None
    maybe,
    output=PersonCard | None,
    project=lambda full, call: PersonCard(id=full.id, name=full.name),
)
pf.with_tool_view(search, project=lambda full, call: full[0])  # err:lambda alone, another type
pf.with_tool_view(search, output=list[PersonCard], project=lambda full: [])  # err:one argument
pf.with_tool_view(  # err:lambda returns a list of another model
    search, output=list[PersonCard], project=lambda full, call: [Other(nope=True) for _ in full]
)
pf.with_tool_view(
    one, output=PersonCard, project=lambda full, call: full
)  # err:lambda returns full
pf.with_tool_view(  # err:lambda returns text
    one, output=list[str], project=lambda full, call: full.name
)
pf.with_tool_view(  # err:lambda returns a mapping
    one, output=PersonCard, project=lambda full, call: {"id": full.id, "name": full.name}
)


def to_cards(full: list[Person], call: pf.ProjectionCall[SearchPeople]) -> list[PersonCard]:
    assert_type(call.input, SearchPeople)  # ok:input of a projection's call
    assert_type(call.source, str)  # ok:source of a projection's call
    _ = call.context  # err:context of a projection's call
    return []


def to_anything(full: list[Person], call: pf.ProjectionCall[SearchPeople]) -> Any:
    return [{"id": 1}]


def to_cards_of_any_call(full: list[Person], call: object) -> list[PersonCard]:
    return []


def to_cards_of_any_input(full: list[Person], call: pf.ProjectionCall[object]) -> list[PersonCard]:
    return []


def from_cats(full: list[Cat], call: pf.ProjectionCall[SearchPeople]) -> list[PersonCard]:
    return []


def from_handler(full: list[Person], call: pf.Call[None, SearchPeople]) -> list[PersonCard]:
    return []


def from_other_input(full: list[Person], call: pf.ProjectionCall[Other]) -> list[PersonCard]:
    return []


def to_others(full: list[Person], call: pf.ProjectionCall[SearchPeople]) -> list[Other]:
    return []


async def to_cards_later(
    full: list[Person], call: pf.ProjectionCall[SearchPeople]
) -> list[PersonCard]:
    return []


pf.with_tool_view(search, output=list[PersonCard], project=to_cards)  # ok:function
pf.with_tool_view(search, output=list[PersonCard], project=to_anything)  # ok:function returns Any
pf.with_tool_view(search, output=list[PersonCard], project=to_cards_of_any_call)  # ok:any call
pf.with_tool_view(search, output=list[PersonCard], project=to_cards_of_any_input)  # ok:any input
pf.with_tool_view(search, output=list[PersonCard], project=from_cats)  # err:function of cats
pf.with_tool_view(search, output=list[PersonCard], project=from_handler)  # err:handler's call
pf.with_tool_view(search, output=list[PersonCard], project=from_other_input)  # err:other input
pf.with_tool_view(search, output=list[PersonCard], project=to_others)  # err:function returns others
pf.with_tool_view(search, output=list[PersonCard], project=to_cards_later)  # err:async function
