"""Invokers: a surface's tools in process."""

from __future__ import annotations

from typing import Any

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import People

people = pf.implement(People)
surface = pf.Surface(services=[people])
invoker = pf.tool_invoker(surface, transport="MCP")
assert_type(invoker, pf.ToolInvoker)  # ok:invoker
pf.tool_invoker(surface, transport="AGENT", answer="tool")  # ok:invoker of a tool's answers
pf.tool_invoker(surface, transport="SMTP")  # err:unknown transport
pf.tool_invoker(surface, transport="MCP", answer="card")  # err:unknown answer
pf.tool_invoker(people, transport="MCP")  # err:service instead of a surface


async def invoke() -> None:
    assert_type(
        await invoker.invoke_or_raise("people_search", {"q": "a"}), Any
    )  # ok:answer is JSON
    outcome = await invoker.invoke("people_search", {"q": "a"}, identity="ada")
    assert_type(outcome.error, pf.OperationError | None)  # ok:outcome
    assert_type(outcome.ok, bool)  # ok:outcome is told
    await invoker.invoke(People.search, {"q": "a"})  # err:invoke by endpoint
    await invoker.invoke("people_search", q="a")  # err:arguments as keywords
