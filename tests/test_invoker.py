from typing import Any

import anyio
import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.faults import faults_of
from tests.contract.people import ADA, PersonCard, listing
from tests.execution.calls import call_tool, post, surface_of, surface_of_all

pytestmark = pytest.mark.anyio


class Number(BaseModel):
    n: int = 0


def mixed() -> pf.Surface[Any]:
    return surface_of_all(
        {
            "zeta": (post(input=Number, output=int), lambda call: call.input.n),
            "alpha": (pf.put("/a", desc="A.", output=str), lambda call: call.source),
            "line": (pf.put("/l", desc="L.", output=str, expose=["CLI"]), lambda call: "line"),
            "web": (pf.put("/w", desc="W.", output=str, expose=["HTTP"]), lambda call: "web"),
        }
    )


def test_the_names_of_a_transport_are_sorted_and_nothing_else_is_exposed():
    assert pf.tool_invoker(mixed(), transport="MCP").names == ("alpha_thing", "zeta_thing")
    assert pf.tool_invoker(mixed(), transport="CLI").names == ("line_thing",)
    assert repr(pf.tool_invoker(mixed(), transport="CLI")) == "ToolInvoker(line_thing)"


async def test_an_answer_is_a_result_or_raised_as_it_is():
    invoker = pf.tool_invoker(mixed(), transport="MCP")
    result = await invoker.invoke("zeta_thing", {"n": 3})
    assert (result.answer, result.error, result.ok) == (3, None, True)
    assert await invoker.invoke_or_raise("zeta_thing", {"n": 3}) == 3


async def test_a_failure_is_a_result_or_raised_with_its_cause():
    cause = KeyError("secret")

    def handler(call):
        raise cause

    invoker = pf.tool_invoker(surface_of(post(output=int), handler), transport="MCP")
    result = await invoker.invoke("do_thing")
    assert (result.answer, result.ok) == (None, False)
    assert result.error is not None
    assert result.error.code == "INTERNAL_SERVER_ERROR"
    with pytest.raises(pf.OperationError) as raised:
        await invoker.invoke_or_raise("do_thing")
    assert raised.value.__cause__ is cause


async def test_an_operations_own_error_is_raised_as_the_very_object():
    own = pf.not_found("Nobody.", id=3)

    def handler(call):
        raise own

    invoker = pf.tool_invoker(surface_of(post(output=int), handler), transport="MCP")
    with pytest.raises(pf.OperationError) as raised:
        await invoker.invoke_or_raise("do_thing")
    assert raised.value is own


async def test_an_unknown_name_is_not_found_among_those_there_are_and_runs_no_hook():
    ran: list[Any] = []
    surface = surface_of(
        post(output=int),
        lambda call: ran.append("handler"),
        hooks=pf.Hooks(before_tool_call=ran.append, after_tool_call=ran.append),
    )
    result = await pf.tool_invoker(surface, transport="MCP").invoke("do_thang")
    assert result.error is not None
    assert result.error.envelope() == {
        "error": {
            "code": "NOT_FOUND",
            "message": "There is no tool `do_thang`; the tools are do_thing.",
            "details": {"tools": ["do_thing"]},
            "retryable": False,
        }
    }
    assert ran == []


async def test_code_gets_the_full_answer_and_a_models_one_on_request():
    endpoint = pf.with_tool_view(listing(), output=list[PersonCard], defaults={"include": []})
    surface = surface_of(endpoint, lambda call: [ADA] * (1 + len(call.input.include)))
    full = pf.tool_invoker(surface, transport="MCP")
    assert await full.invoke_or_raise("do_thing") == [ADA] * 3
    tool = pf.tool_invoker(surface, transport="MCP", answer="tool")
    assert await tool.invoke_or_raise("do_thing") == [{"id": 1, "name": "Ada"}]


async def test_an_operation_without_an_answer_answers_none():
    invoker = pf.tool_invoker(surface_of(post(), lambda call: None), transport="MCP")
    result = await invoker.invoke("do_thing")
    assert (result.answer, result.ok) == (None, True)


async def test_the_source_is_internal_unless_the_caller_says_more():
    surface = mixed()
    internal = pf.tool_invoker(surface, transport="MCP")
    nightly = pf.tool_invoker(surface, transport="MCP", source="nightly")
    assert await internal.invoke_or_raise("alpha_thing") == "internal"
    assert await nightly.invoke_or_raise("alpha_thing") == "nightly"


async def test_an_identity_is_the_invokers_and_may_be_another_for_one_call():
    surface = surface_of(
        post(output=str),
        lambda call: call.identity,
        hooks=pf.Hooks(identify=lambda call: "asked"),
    )
    asked = pf.tool_invoker(surface, transport="MCP")
    named = pf.tool_invoker(surface, transport="MCP", identity="ada")
    assert await asked.invoke_or_raise("do_thing") == "asked"
    assert await named.invoke_or_raise("do_thing") == "ada"
    assert await named.invoke_or_raise("do_thing", identity="bob") == "bob"
    assert await named.invoke_or_raise("do_thing") == "ada"
    assert (await named.invoke("do_thing", identity="bob")).answer == "bob"


async def test_an_invoker_may_be_shared_and_called_from_its_own_handlers():
    async def countdown(call):
        if not call.input.n:
            return []
        rest = await invoker.invoke_or_raise("do_thing", {"n": call.input.n - 1})
        return [call.input.n, *rest]

    invoker = pf.tool_invoker(
        surface_of(post(input=Number, output=list[int]), countdown), transport="MCP"
    )
    answers: dict[int, list[int]] = {}

    async def one(n):
        answers[n] = await invoker.invoke_or_raise("do_thing", {"n": n})

    async with anyio.create_task_group() as group:
        for n in range(5):
            group.start_soon(one, n)
    assert answers == {n: [*range(n, 0, -1)] for n in range(5)}


def test_a_bad_name_is_refused_before_anything_is_returned():
    surface = surface_of_all({"x" * 70: (post(output=int), lambda call: 1)})
    [fault] = faults_of(lambda: pf.tool_invoker(surface, transport="MCP"))
    assert fault.startswith(f"`Things.{'x' * 70}`: the name `")
    assert fault.endswith("; set `tool=ToolOptions(name=...)`.")


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (
            {"transport": "HTTP"},
            "`HTTP` has no tools; a tool transport is one of MCP, AGENT, CLI.",
        ),
        (
            {"transport": "mcp"},
            "`mcp` has no tools; a tool transport is one of MCP, AGENT, CLI.",
        ),
        (
            {"transport": "MCP", "answer": "card"},
            '`answer=\'card\'`: it is "full" or "tool".',
        ),
    ],
    ids=["HTTP", "no transport", "no answer"],
)
def test_an_invoker_of_nothing_is_refused(options, fault):
    assert faults_of(lambda: pf.tool_invoker(mixed(), **options)) == [fault]


def test_a_transport_must_be_named():
    with pytest.raises(TypeError, match="transport"):
        pf.tool_invoker(mixed())  # type: ignore[call-arg]  # wrong on purpose


async def test_an_answer_of_more_digits_than_python_reads_arrives_whole():
    surface = surface_of(post(output=Any), lambda call: {"n": 10**5000})
    assert await call_tool(surface, answer="full") == {"n": 10**5000}
