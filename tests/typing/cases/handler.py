"""Handlers: what `service.handler` takes and refuses, and what it leaves of the function."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import (
    Database,
    DictOutput,
    NewPerson,
    Other,
    People,
    Person,
    PersonId,
    SearchPeople,
)

people = pf.implement(People)
assert_type(people, pf.Service[object])  # ok:service without a context


@people.handler(People.search)  # ok:async, model
async def search_async(call: pf.Call[None, SearchPeople]) -> list[Person]:
    assert_type(call.input, SearchPeople)
    assert_type(call.params, None)
    assert_type(call.context, object)
    assert_type(call.source, str)
    await call.report_progress(1, 2, "half")
    call.after_answer(print, "done")
    return []


@people.handler(People.search)  # ok:sync, model
def search_sync(call: pf.Call[None, SearchPeople]) -> list[Person]:
    return []


@people.handler(People.search)  # ok:async, Any
async def search_any_async(call: pf.Call[None, SearchPeople]) -> Any:
    return [{"id": 1}]


@people.handler(People.search)  # ok:sync, Any
def search_any(call: pf.Call[None, SearchPeople]) -> Any:
    return [{"id": 1}]


@people.handler(People.search)  # ok:async, rows
async def search_rows_async(call: pf.Call[None, SearchPeople]) -> list[dict[str, Any]]:
    return [{"id": 1}]


@people.handler(People.search)  # ok:sync, rows
def search_rows(call: pf.Call[None, SearchPeople]) -> list[dict[str, Any]]:
    return [{"id": 1}]


@people.handler(People.search)  # ok:async, rows of objects
async def search_rows_of_objects(call: pf.Call[None, SearchPeople]) -> list[dict[str, object]]:
    return [{"id": 1}]


@people.handler(People.search)  # ok:sync, Rows
def search_named_rows(call: pf.Call[None, SearchPeople]) -> pf.Rows:
    return [{"id": 1}]


@people.handler(People.fetch)  # ok:async, mapping for a model
async def fetch_row(call: pf.Call[PersonId, None]) -> dict[str, Any]:
    return {"id": call.params.person_id}


@people.handler(People.search)  # ok:a call of anything
async def search_untyped(call: pf.Call[Any, Any]) -> list[Person]:
    return []


@people.handler(People.search)  # ok:a call of wider params
async def search_wider(call: pf.Call[object, SearchPeople]) -> list[Person]:
    return []


@people.handler(People.maybe)  # ok:model for model or None
async def maybe_always(call: pf.Call[PersonId, None]) -> Person:
    raise NotImplementedError


@people.handler(People.maybe)  # ok:model or None
async def maybe_none(call: pf.Call[PersonId, None]) -> Person | None:
    return None


@people.handler(People.ping)  # ok:async, nothing
async def ping(call: pf.Call[None, None]) -> None:
    return None


@people.handler(People.ping)  # ok:sync, nothing
def ping_sync(call: pf.Call[None, None]) -> None:
    return None


@people.handler(People.typed_dict)  # ok:TypedDict
async def typed_dict(call: pf.Call[None, Any]) -> DictOutput:
    return {"k": 1}


@people.handler(People.update)  # ok:params and input
async def update(call: pf.Call[PersonId, NewPerson]) -> Person:
    assert_type(call.params, PersonId)
    assert_type(call.input, NewPerson)
    raise NotImplementedError


@people.handler(People.card)  # ok:a viewed endpoint is answered in full
async def cards(call: pf.Call[None, SearchPeople]) -> list[Person]:
    return []


people.handler(People.search)(lambda call: [{"q": call.input.q}])  # ok:lambda
people.handler(People.search)(lambda call: [{"q": call.input.nope}])  # err:lambda, wrong field


class Implementation:
    def fetch(self, call: pf.Call[PersonId, None]) -> Person:
        raise NotImplementedError

    @people.handler(People.fetch)  # err:method in the class body
    async def fetch_late(self, call: pf.Call[PersonId, None]) -> Person:
        raise NotImplementedError


people.handler(People.fetch)(Implementation().fetch)  # ok:bound method


@people.handler(People.search)  # err:async, another input
async def other_input_async(call: pf.Call[None, NewPerson]) -> list[Person]:
    return []


@people.handler(People.search)  # err:sync, another input
def other_input(call: pf.Call[None, NewPerson]) -> list[Person]:
    return []


@people.handler(People.fetch)  # err:other params
async def other_params(call: pf.Call[SearchPeople, None]) -> Person:
    raise NotImplementedError


@people.handler(People.search)  # err:async, list of another model
async def others_async(call: pf.Call[None, SearchPeople]) -> list[Other]:
    return []


@people.handler(People.search)  # err:sync, list of another model
def others(call: pf.Call[None, SearchPeople]) -> list[Other]:
    return []


@people.handler(People.search)  # err:model for a list
async def one_for_many(call: pf.Call[None, SearchPeople]) -> Person:
    raise NotImplementedError


@people.handler(People.fetch)  # err:None for a model
async def none_for_one(call: pf.Call[PersonId, None]) -> Person | None:
    return None


@people.handler(People.strict)  # err:number for text
def number_for_text(call: pf.Call[None, Any]) -> int:
    return 1


@people.handler(People.strict)  # ok:rows are taken for any output
async def mapping_for_text(call: pf.Call[None, Any]) -> dict[str, Any]:
    return {}


@people.handler(People.ping)  # err:a value for nothing
async def value_for_nothing(call: pf.Call[None, None]) -> int:
    return 1


@people.handler(People.search)  # err:no argument
async def no_argument() -> list[Person]:
    return []


@people.handler(People.search)  # err:two arguments
async def two_arguments(call: pf.Call[None, SearchPeople], database: object) -> list[Person]:
    return []


@people.handler(People.search)  # err:untyped call, another output
async def untyped_others(call: pf.Call[Any, Any]) -> list[Other]:
    return []


@people.handler(People.search)  # err:projection's call
async def projection_call(call: pf.ProjectionCall[SearchPeople]) -> list[Person]:
    return []


@people.handler(People.serach)  # err:misspelt endpoint
async def misspelt(call: pf.Call[None, None]) -> Any:
    return {}


@people.handler(People.search)  # err:no annotations
async def unannotated(call):
    return []


@people.handler("search")  # err:endpoint by name
async def by_name(call: pf.Call[None, SearchPeople]) -> list[Person]:
    return []


kept_async: Callable[  # ok:a decorated async function keeps its type
    [pf.Call[None, SearchPeople]], Coroutine[Any, Any, list[Person]]
] = search_async
kept_sync: Callable[[pf.Call[None, SearchPeople]], list[Person]] = search_sync  # ok:a sync one, too
kept_rows: Callable[  # ok:a function of rows keeps its type
    [pf.Call[None, SearchPeople]], list[dict[str, Any]]
] = search_rows
not_sync: Callable[[pf.Call[None, SearchPeople]], list[Person]] = (
    search_async  # err:async isn't sync
)

with_database = pf.implement(People, context=Database)
assert_type(with_database, pf.Service[Database])  # ok:service with a context


@with_database.handler(People.search)  # ok:context of the service
async def search_database(call: pf.Call[None, SearchPeople, Database]) -> list[Person]:
    assert_type(call.context, Database)
    assert_type(call.context.url, str)
    return []


@with_database.handler(People.search)  # ok:rows with a context
def search_database_rows(call: pf.Call[None, SearchPeople, Database]) -> pf.Rows:
    return []


@with_database.handler(People.search)  # ok:handler that needs no context
async def search_without(call: pf.Call[None, SearchPeople]) -> list[Person]:
    return []


@with_database.handler(People.search)  # err:another context
async def search_other_context(call: pf.Call[None, SearchPeople, Other]) -> list[Person]:
    return []


@people.handler(People.search)  # err:context of a service that has none
async def search_no_context(call: pf.Call[None, SearchPeople, Database]) -> list[Person]:
    return []


optional = pf.implement(People, context=Database | None)
assert_type(optional, pf.Service[Database | None])  # ok:context that may be None
pf.implement(Person)  # err:model as a contract
pf.implement(People())  # err:instance of a contract
pf.implement(People, Database)  # err:context by position
