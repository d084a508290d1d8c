"""Surfaces: services with their contexts, lifespan, hooks and errors."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from pydantic import BaseModel
from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import Database, Other, People

plain = pf.implement(People)
typed = pf.implement(People, context=Database)
other = pf.implement(People, context=Other)


def make_database(call: pf.Call[Any, Any]) -> Database:
    return Database("x")


async def make_database_later(call: pf.Call[Any, Any]) -> Database:
    return Database("x")


@contextmanager
def open_database(call: pf.Call[Any, Any]) -> Generator[Database]:
    yield Database("x")


@asynccontextmanager
async def open_database_later(call: pf.Call[Any, Any]) -> AsyncGenerator[Database]:
    yield Database("x")


def make_other(call: pf.Call[Any, Any]) -> Other:
    return Other(nope=True)


async def make_other_later(call: pf.Call[Any, Any]) -> Other:
    return Other(nope=True)


@asynccontextmanager
async def open_other_later(call: pf.Call[Any, Any]) -> AsyncGenerator[Other]:
    yield Other(nope=True)


def make_anything(call: pf.Call[Any, Any]) -> Any:
    return Database("x")


def make_of_nothing() -> Database:
    return Database("x")


assert_type(pf.Surface(services=[plain]), pf.Surface[object])  # ok:services without a context
pf.Surface([plain])  # ok:services by position
pf.Surface()  # ok:no services
made = pf.Surface(services=[typed], context=make_database)
assert_type(made, pf.Surface[Database])  # ok:factory
later = pf.Surface(services=[typed], context=make_database_later)
assert_type(later, pf.Surface[Database])  # ok:async factory
opened = pf.Surface(services=[typed], context=open_database)
assert_type(opened, pf.Surface[Database])  # ok:context manager
opened_later = pf.Surface(services=[typed], context=open_database_later)
assert_type(opened_later, pf.Surface[Database])  # ok:async context manager
pf.Surface(services=[typed], context=make_anything)  # ok:factory of Any
pf.Surface(services=[typed], context=lambda call: Database(call.source))  # ok:factory as a lambda
mixed = pf.Surface(services=[plain, typed], context=make_database)
assert_type(mixed, pf.Surface[Database])  # ok:services with and without a context
pf.Surface(services=[plain], context=make_database)  # ok:factory that no service needs
listed: list[pf.Service[Database]] = [plain, typed]
pf.Surface(services=listed, context=make_database)  # ok:a list of services
declared: pf.Surface[Database] = pf.Surface(services=[typed], context=make_database)  # ok:declared
erased: pf.Surface = pf.Surface(services=[typed], context=make_database)  # ok:Surface alone
pf.Surface(services=[typed])  # err:service without its factory
pf.Surface(services=[typed], context=make_other)  # err:another context
pf.Surface(services=[typed], context=make_other_later)  # err:another context, async
pf.Surface(services=[typed], context=open_other_later)  # err:another context, opened
pf.Surface(services=[typed, other], context=make_database)  # err:services of two contexts
pf.Surface(services=[typed], context=make_of_nothing)  # err:factory without an argument
pf.Surface(services=[typed], context=Database("x"))  # err:context instead of a factory
wrong: pf.Surface[Other] = pf.Surface(services=[typed], context=make_database)  # err:other surface
pf.Surface(services=[People])  # err:contract instead of a service
pf.Surface(services=plain)  # err:service outside a list


def lists_services(services: list[pf.Service[Any]]) -> None:
    pf.Surface(services=services)  # ok:services of any context
    pf.Surface(services=services, context=make_database)  # ok:services of any context, factory


@asynccontextmanager
async def lifespan(surface: pf.Surface[Any]) -> AsyncGenerator[None]:
    yield


@asynccontextmanager
async def lifespan_of_database(surface: pf.Surface[Database]) -> AsyncGenerator[None]:
    yield


async def not_a_manager(surface: pf.Surface[Any]) -> None: ...


pf.Surface(services=[plain], lifespan=lifespan)  # ok:lifespan
pf.Surface(services=[typed], context=make_database, lifespan=lifespan_of_database)  # ok:typed one
pf.Surface(services=[plain], lifespan=not_a_manager)  # err:lifespan that manages nothing


async def guard(call: pf.Call[Any, Any]) -> None:
    if call.identity is None:
        raise pf.unauthorized("Sign in.")


def guard_sync(call: pf.Call[Any, Any]) -> None:
    raise pf.forbidden("No.")


def guard_with_answer(call: pf.Call[Any, Any]) -> bool:
    return False


async def guard_with_answer_later(call: pf.Call[Any, Any]) -> bool:
    return False


def guard_of_nothing() -> None: ...


def observe(outcome: pf.ToolOutcome) -> None:
    assert_type(outcome.error, pf.OperationError | None)


def count(report: pf.StripReport) -> None:
    assert_type(report.entries, tuple[pf.StripEntry, ...])


pf.Hooks(authorize=guard, after_tool_call=observe, on_output_strip=count)  # ok:hooks
pf.Hooks(authorize=guard_sync)  # ok:sync hook
pf.Hooks(after=lambda call, value: value, identify=lambda call: call.request)  # ok:hooks as lambdas
pf.Hooks(authorize=guard_with_answer)  # err:guard that answers, which nobody would read
pf.Hooks(authorize=guard_with_answer_later)  # err:async guard that answers
pf.Hooks(authorize=guard_of_nothing)  # err:hook without an argument
pf.Hooks(on_output_strip=observe)  # err:hook of something else
pf.Hooks(authorise=guard)  # err:misspelt hook
pf.Hooks(guard)  # err:hook by position


class PersonLost(Exception):
    person_id: int = 0


def tell(error: PersonLost) -> pf.OperationError:
    return pf.not_found("No such person.", person_id=error.person_id)


pf.Surface(errors={PersonLost: pf.not_found("Gone."), KeyError: pf.conflict("No.")})  # ok:errors
pf.Surface(errors={PersonLost: tell})  # ok:function of an error
pf.Surface(errors={PersonLost: "NOT_FOUND"})  # err:code instead of an error
pf.Surface(errors={"PersonLost": tell})  # err:name instead of a class
pf.Surface(limits=pf.Limits(max_depth="3"))  # err:limit as text

assert_type(made.overridden(context=make_database_later), pf.Surface[Database])  # ok:overridden
made.overridden(identity="ada")  # ok:overridden identity
made.overridden(context=make_other)  # err:overridden with another context


class Locale(BaseModel):
    language: str = "en"


def resolve(arguments: Locale, call: pf.Call[Any, Any]) -> str:
    return arguments.language


def resolve_other(arguments: Other, call: pf.Call[Any, Any]) -> str:
    return "en"


extension = pf.Extension(arguments=Locale, resolve=resolve)  # ok:extension
pf.Extension(arguments=Locale, resolve=lambda given, call: given.language)  # ok:extension, lambda
pf.Surface(services=[plain], extension=extension)  # ok:surface with an extension
pf.Extension(arguments=Locale, resolve=resolve_other)  # err:extension of other arguments
pf.Extension(arguments=Locale, resolve=lambda given, call: given.nope)  # err:extension, wrong field
