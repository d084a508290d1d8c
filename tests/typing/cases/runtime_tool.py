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
