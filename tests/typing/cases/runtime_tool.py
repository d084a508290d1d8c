"""Runtime tools: operations without a contract."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import Database, NewPerson, People, Person, SearchPeople

identity = pf.Identity(service="jobs", operation="wait")


@pf.runtime_tool(  # ok:async, model
    name="wait", desc="Wait.", identity=identity, input=SearchPeople, output=list[Person]
)
async def wait(call: pf.Call[None, SearchPeople]) -> list[Person]:
    assert_type(call.input, SearchPeople)
    return []


@pf.runtime_tool(name="wait", desc="Wait.", identity=identity, output=list[Person])  # ok:sync, Any
def wait_any(call: pf.Call[None, None]) -> Any:
    return []


@pf.runtime_tool(name="wait", desc="Wait.", identity=identity, output=list[Person])  # ok:rows
async def wait_rows(call: pf.Call[None, None]) -> list[dict[str, Any]]:
    return []


@pf.runtime_tool(name="wait", desc="Wait.", identity=identity)  # ok:nothing
async def wait_nothing(call: pf.Call[None, None]) -> None: ...


@pf.runtime_tool(name="wait", desc="Wait.", identity=identity)  # ok:context
async def wait_database(call: pf.Call[None, None, Database]) -> None:
    assert_type(call.context, Database)


@pf.runtime_tool(  # err:another output
    name="wait", desc="Wait.", identity=identity, output=list[Person]
)
async def wait_others(call: pf.Call[None, None]) -> list[NewPerson]:
    return []


@pf.runtime_tool(name="wait", desc="Wait.", identity=identity)  # err:output that isn't declared
async def wait_undeclared(call: pf.Call[None, None]) -> int:
    return 1


@pf.runtime_tool(  # err:another input
    name="wait", desc="Wait.", identity=identity, input=SearchPeople
)
async def wait_other_input(call: pf.Call[None, NewPerson]) -> None: ...


@pf.runtime_tool(  # err:params, which it hasn't
    name="wait", desc="Wait.", identity=identity, input=SearchPeople
)
async def wait_params(call: pf.Call[SearchPeople, SearchPeople]) -> None: ...


assert_type(wait, pf.RuntimeTool[SearchPeople, list[Person]])  # ok:what it becomes
assert_type(wait_nothing, pf.RuntimeTool[None, None])  # ok:what a tool of nothing becomes
pf.Surface(runtime_tools=[wait, wait_nothing, wait_any])  # ok:surface of runtime tools
pf.Surface(services=[pf.implement(People)], runtime_tools=[wait])  # ok:services and runtime tools
pf.Surface(runtime_tools=[People])  # err:contract as a runtime tool
pf.runtime_tool(name="wait", desc="Wait.")  # err:missing identity
pf.runtime_tool(name="wait", desc="Wait.", identity="jobs.wait")  # err:identity as text
pf.runtime_tool(name="wait", desc="Wait.", identity=identity, output=3)  # err:output is no type
pf.runtime_tool(name="wait", desc="Wait.", identity=identity, params=Person)  # err:params

jobs = pf.runtime_tool_factory(service="jobs", context=Database)
assert_type(jobs, pf.RuntimeToolFactory[Database])  # ok:factory


@jobs.tool(name="wait", desc="Wait.", operation="wait", output=Person)  # ok:factory's context
async def wait_made(call: pf.Call[None, None, Database]) -> Person:
    raise NotImplementedError


@jobs.tool(name="wait", desc="Wait.", operation="wait")  # ok:factory's tool without a context
def wait_made_without(call: pf.Call[None, None]) -> None: ...


@jobs.tool(name="wait", desc="Wait.", operation="wait")  # err:another context than the factory's
async def wait_made_other(call: pf.Call[None, None, Person]) -> None: ...


@jobs.tool(
    name="wait", desc="Wait.", operation="wait", output=Person
)  # err:factory, another output
async def wait_made_others(call: pf.Call[None, None, Database]) -> NewPerson:
    raise NotImplementedError


assert_type(wait_made, pf.RuntimeTool[None, Person])  # ok:what a factory's tool becomes
jobs.tool(name="wait", desc="Wait.", operation="wait", identity=identity)  # err:identity twice


jobs = pf.runtime_tool_factory(service="jobs", context=Database)


@jobs.tool(  # ok:a tool over the factory's context
    name="wait", desc="Wait.", operation="wait", input=SearchPeople, output=list[Person]
)
async def wait_in_jobs(call: pf.Call[None, SearchPeople, Database]) -> list[Person]:
    assert_type(call.context, Database)
    return []


@jobs.tool(name="wait", desc="Wait.", operation="wait")  # err:another context
def wait_elsewhere(call: pf.Call[None, None, NewPerson]) -> None: ...


@jobs.tool(name="wait", desc="Wait.", operation="wait", output=list[Person])  # err:wrong output
def wait_for_others(call: pf.Call[None, None, Database]) -> list[NewPerson]:
    return []


assert_type(wait_in_jobs, pf.RuntimeTool[SearchPeople, list[Person]])  # ok:what the factory makes
