"""Kinds of answers and bodies that only HTTP serves."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from typing import Any

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import Address, Feed, Other, Person, PersonId, SearchPeople

feed = pf.implement(Feed)
marked: pf.Endpoint[None, None, Person] = Feed.marked  # ok:metadata keeps the output
silent: pf.Endpoint[None, None, None] = Feed.silent  # ok:metadata without an output
signed: pf.Endpoint[None, Address, Person] = Feed.signed  # ok:raw body
files: pf.Endpoint[None, None, None] = Feed.files  # ok:multipart body
assert_type(pf.Stream(item=Person), pf.Stream[Person])  # ok:stream of a model


@feed.handler(Feed.stream)  # ok:async generator
async def people_async(call: pf.Call[None, SearchPeople]) -> AsyncIterator[Person]:
    for _ in range(call.input.limit):
        yield Person.model_validate({})


@feed.handler(Feed.stream)  # ok:async generator, exactly
async def people_generator(call: pf.Call[None, SearchPeople]) -> AsyncGenerator[Person]:
    yield Person.model_validate({})


@feed.handler(Feed.stream)  # ok:sync generator
def people_sync(call: pf.Call[None, SearchPeople]) -> Iterator[Person]:
    yield Person.model_validate({})


@feed.handler(Feed.stream)  # ok:generator of rows
async def people_rows(call: pf.Call[None, SearchPeople]) -> AsyncIterator[dict[str, Any]]:
    yield {"id": 1}


@feed.handler(Feed.stream)  # ok:list
def people_list(call: pf.Call[None, SearchPeople]) -> list[Person]:
    return []


@feed.handler(Feed.stream)  # ok:coroutine of an iterator
async def people_later(call: pf.Call[None, SearchPeople]) -> Iterator[Person]:
    return iter([])


@feed.handler(Feed.stream)  # ok:Any
async def people_any(call: pf.Call[None, SearchPeople]) -> Any:
    return iter([])


@feed.handler(Feed.numbers)  # ok:generator of a union
def numbers(call: pf.Call[None, None]) -> Iterator[int | None]:
    yield 1


@feed.handler(Feed.numbers)  # ok:generator of a member
def some_numbers(call: pf.Call[None, None]) -> Iterator[int]:
    yield 1


@feed.handler(Feed.stream)  # err:generator of others
async def others(call: pf.Call[None, SearchPeople]) -> AsyncIterator[Other]:
    yield Other(nope=True)


@feed.handler(Feed.stream)  # err:sync generator of others
def others_sync(call: pf.Call[None, SearchPeople]) -> Iterator[Other]:
    yield Other(nope=True)


@feed.handler(Feed.stream)  # err:one for a stream
async def one(call: pf.Call[None, SearchPeople]) -> Person:
    raise NotImplementedError


@feed.handler(Feed.raw)  # ok:bytes
async def raw_bytes(call: pf.Call[PersonId, None]) -> bytes:
    return b""


@feed.handler(Feed.raw)  # ok:text
def raw_text(call: pf.Call[PersonId, None]) -> str:
    return ""


@feed.handler(Feed.raw)  # err:raw, other params
def raw_wrong(call: pf.Call[None, None]) -> str:
    return ""


@feed.handler(Feed.signed)  # ok:bytes of the body
def take_signed(call: pf.Call[None, Address]) -> Person:
    assert_type(call.body, bytes)
    raise NotImplementedError


pf.get("/", desc="x", response=pf.Stream(item=3))  # err:stream of no type
pf.get("/", desc="x", response=pf.Stream(item=Person, framing="xml"))  # err:unknown framing
pf.get("/", desc="x", response=pf.RawBody())  # err:body as a response
pf.get("/", desc="x", body=pf.RawResponse())  # err:response as a body
pf.get("/", desc="x", response=Person)  # err:model as a response
