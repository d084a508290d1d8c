"""Agent tools: what a model is given, what its calls do, and what it is told."""

import json
from typing import Any

import anyio
import pytest
from anthropic.types import ToolParam, ToolResultBlockParam
from google.genai import types as gemini_types
from openai.types.chat import ChatCompletionFunctionToolParam, ChatCompletionToolMessageParam
from openai.types.responses import FunctionToolParam
from openai.types.responses.response_input_param import FunctionCallOutput
from pydantic import BaseModel, TypeAdapter

import polyface as pf
from polyface.agent import AgentCall, AgentResult, AgentTools, agent_tools
from tests.contract.faults import faults_of
from tests.contract.people import ADA, PersonCard, listing
from tests.execution.calls import Trace, post, surface_of

pytestmark = pytest.mark.anyio


class Inner(BaseModel):
    size: int = 3


class Order(BaseModel):
    q: str = ""
    limit: int = 10
    inner: Inner | None = None


class Free(BaseModel):
    scores: dict[str, int] = {}


def ordering(handler: Any = None, **options: Any) -> AgentTools:
    surface = surface_of(
        post(input=Order, output=Any), handler or (lambda call: call.input), **options
    )
    return agent_tools(surface, strict="auto")


NAME = "do_thing"


def test_the_definitions_are_those_that_each_provider_takes():
    tools = ordering()
    assert tools.names == (NAME,)
    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(tools.openai_chat())
    TypeAdapter(list[FunctionToolParam]).validate_python(tools.openai_responses())
    TypeAdapter(list[ToolParam]).validate_python(tools.anthropic())
    [declared] = tools.gemini()
    read = gemini_types.Tool.model_validate(declared)
    assert read.function_declarations is not None
    assert [one.name for one in read.function_declarations] == [NAME]
    [chat] = tools.openai_chat()
    [responses] = tools.openai_responses()
    assert responses == {"type": "function", **chat["function"]}
    [anthropic] = tools.anthropic()
    assert anthropic["input_schema"] == tools.input_schema_of(NAME)


def test_the_schema_is_the_very_document_of_the_manifest():
    surface = surface_of(post(input=Order, output=Any), lambda call: None)
    [entry] = pf.build_tool_manifest(surface, transport="AGENT")
    assert agent_tools(surface).input_schema_of(entry.name) is entry.input_schema
    assert agent_tools(surface).description_of(entry.name) == entry.description


def test_a_definition_can_be_changed_without_changing_the_next_one():
    tools = ordering()
    tools.anthropic()[0]["input_schema"]["properties"].clear()
    tools.openai_chat()[0]["function"]["parameters"]["properties"].clear()
    assert set(tools.anthropic()[0]["input_schema"]["properties"]) == {"q", "limit", "inner"}
    assert set(tools.openai_responses()[0]["parameters"]["properties"]) == {"q", "limit", "inner"}


# --- calls ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [{"q": "a"}, '{"q": "a"}', b'{"q":"a"}'],
    ids=["mapping", "text", "bytes"],
)
async def test_arguments_come_as_values_or_as_the_providers_text(arguments):
    result = await ordering().call(NAME, arguments)
    assert result.answer == {"q": "a", "limit": 10, "inner": None}


@pytest.mark.parametrize("arguments", [None, "", "  ", "null", {}], ids=repr)
async def test_no_arguments_are_an_empty_object(arguments):
    assert (await ordering().call(NAME, arguments)).answer["limit"] == 10


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ("{", "BAD_REQUEST"),
        (b"\xff", "BAD_REQUEST"),
        ("[" * 100_000, "BAD_REQUEST"),
        ("[1]", "VALIDATION_ERROR"),
        ("3", "VALIDATION_ERROR"),
        ('{"limit": "many"}', "VALIDATION_ERROR"),
        ({"unheard": object()}, "VALIDATION_ERROR"),
    ],
    ids=["cut", "not UTF-8", "deep", "a list", "a number", "wrong type", "not JSON"],
)
async def test_wrong_arguments_are_told_and_nothing_runs(arguments, code):
    ran: Trace = []
    result = await ordering(lambda call: ran.append("ran")).call(NAME, arguments)
    assert not result.ok
    assert json.loads(result.text)["error"]["code"] == code
    assert ran == []


async def test_an_unknown_tool_is_told_with_the_known_ones():
    result = await ordering().call("nope")
    assert json.loads(result.text)["error"]["details"] == {"tools": [NAME]}
    with pytest.raises(pf.OperationError, match="There is no tool `nope`"):
        _ = result.answer


async def test_views_apply_and_the_source_is_told():
    seen: list[Any] = []

    def handler(call: Any) -> Any:
        seen.append((call.source, call.request, call.identity))
        return [ADA]

    view = pf.with_tool_view(listing(), output=list[PersonCard])
    tools = agent_tools(surface_of(view, handler), identity="ada")
    [name] = tools.names
    result = await tools.call(name, {}, tool_call_id="t1")
    assert result.answer == [{"id": 1, "name": "Ada"}]
    await tools.call(name, {}, identity="grace")
    assert seen == [
        ("AGENT", AgentCall(name, {}, "t1"), "ada"),
        ("AGENT", AgentCall(name, {}), "grace"),
    ]


async def test_a_handlers_fault_tells_nothing_of_its_cause():
    def handler(call: Any) -> Any:
        raise KeyError("secret")

    result = await ordering(handler).call(NAME, {})
    assert json.loads(result.text)["error"]["code"] == "INTERNAL_SERVER_ERROR"
    assert "secret" not in result.text


# --- results ----------------------------------------------------------------------------------


MESSAGES: dict[str, Any] = {
    "openai_chat": (TypeAdapter(ChatCompletionToolMessageParam), "tool_call_id"),
    "openai_responses": (TypeAdapter(FunctionCallOutput), "call_id"),
    "anthropic": (TypeAdapter(ToolResultBlockParam), "tool_use_id"),
    "gemini": (TypeAdapter(gemini_types.FunctionResponse), "id"),
}


@pytest.mark.parametrize("provider", MESSAGES)
@pytest.mark.parametrize("name", [NAME, "nope"], ids=["a success", "a failure"])
async def test_a_result_is_a_message_of_each_provider_with_the_calls_identifier(provider, name):
    adapter, key = MESSAGES[provider]
    message = getattr(await ordering().call(name, {}, tool_call_id="t1"), provider)()
    adapter.validate_python(message)
    assert message[key] == "t1"


@pytest.mark.parametrize("provider", ["openai_chat", "openai_responses", "anthropic"])
def test_a_message_without_the_calls_identifier_is_refused(provider):
    with pytest.raises(ValueError, match="pass the provider's as `tool_call_id=`"):
        getattr(AgentResult(call=AgentCall("a"), body=b"1"), provider)()


async def test_an_operation_without_an_answer_tells_that_it_succeeded():
    tools = agent_tools(surface_of(post(), lambda call: None))
    result = await tools.call(tools.names[0], tool_call_id="t1")
    assert (result.answer, result.text) == (None, '{"status":"ok"}')
    assert result.gemini()["response"] == {"output": {"status": "ok"}}


class Picture(BaseModel):
    n: int = 1


def presenting(present: Any) -> AgentTools:
    @pf.runtime_tool(
        name="draw",
        desc="Draw it.",
        identity=pf.Identity(service="art", operation="draw"),
        output=Picture,
        present=pf.Presenters(agent=present),
    )
    def draw(call: Any) -> Picture:
        return Picture()

    return agent_tools(pf.Surface(runtime_tools=[draw]))


def blocks(answer: Any, call: Any) -> pf.Presentation:
    image = {"type": "image", "data": "AAAA", "mimeType": "image/png"}
    return pf.Presentation(content=[{"type": "text", "text": f"n is {answer['n']}"}, image])


async def test_a_presenter_shows_each_provider_what_it_has_a_form_for():
    result = await presenting(blocks).call("draw", tool_call_id="t1")
    text = {"type": "text", "text": "n is 1"}
    assert result.openai_chat()["content"] == [text]
    assert result.openai_responses()["output"] == [
        {"type": "input_text", "text": "n is 1"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA"},
    ]
    source = {"type": "base64", "media_type": "image/png", "data": "AAAA"}
    assert result.anthropic()["content"] == [text, {"type": "image", "source": source}]
    TypeAdapter(ToolResultBlockParam).validate_python(result.anthropic())
    TypeAdapter(FunctionCallOutput).validate_python(result.openai_responses())
    assert (result.answer, result.text) == ({"n": 1}, '{"n":1}')


async def test_a_presenter_that_fails_is_a_server_fault():
    def broken(answer: Any, call: Any) -> Any:
        raise RuntimeError("no paint")

    result = await presenting(broken).call("draw")
    assert json.loads(result.text)["error"]["code"] == "INTERNAL_SERVER_ERROR"


# --- batches ----------------------------------------------------------------------------------


async def test_a_batch_keeps_its_order_and_one_failure_leaves_the_others_alone():
    calls = [AgentCall(NAME, {"limit": n if n != 1 else "many"}, f"t{n}") for n in range(4)]
    results = await ordering().call_batch(calls)
    assert [result.call for result in results] == calls
    assert [result.ok for result in results] == [True, False, True, True]
    assert results[3].answer["limit"] == 3


async def test_a_batch_runs_no_more_at_once_than_it_may():
    inside, most = 0, 0

    async def handler(call: Any) -> int:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await anyio.wait_all_tasks_blocked()
        inside -= 1
        return 1

    tools = ordering(handler)
    await tools.call_batch([AgentCall(NAME, {})] * 6, max_concurrency=2)
    assert most == 2
    with pytest.raises(ValueError, match="at least 1"):
        await tools.call_batch([], max_concurrency=0)


async def test_cancelling_a_batch_cancels_its_calls():
    ended: Trace = []
    started = anyio.Event()

    async def handler(call: Any) -> None:
        started.set()
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("ended")

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ordering(handler).call_batch, [AgentCall(NAME, {})] * 3)
        await started.wait()
        await anyio.wait_all_tasks_blocked()
        tasks.cancel_scope.cancel()
    assert ended == ["ended"] * 3


# --- strict arguments -------------------------------------------------------------------------


def test_a_strict_definition_requires_every_key_and_lets_null_stand_for_absence():
    [told] = ordering().openai_responses()
    assert told["strict"] is True
    parameters = told["parameters"]
    assert parameters["required"] == ["q", "limit", "inner"]
    assert parameters["additionalProperties"] is False
    assert parameters["properties"]["limit"] == {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    inner = parameters["$defs"]["Inner"]
    assert (inner["required"], inner["additionalProperties"]) == (["size"], False)


async def test_a_null_that_stands_for_absence_is_taken_out():
    arguments = '{"q": null, "limit": null, "inner": {"size": null}}'
    result = await ordering().call(NAME, arguments)
    assert result.answer == {"q": "", "limit": 10, "inner": {"size": 3}}


async def test_without_strict_definitions_a_null_is_what_it_is_everywhere():
    tools = agent_tools(surface_of(post(input=Order, output=Any), lambda call: call.input))
    assert tools.openai_responses()[0]["strict"] is False
    result = await tools.call(NAME, {"limit": None})
    assert json.loads(result.text)["error"]["code"] == "VALIDATION_ERROR"


def test_what_can_not_be_strict_is_refused_with_its_place_or_left_loose():
    surface = surface_of(post(input=Free, output=Any), lambda call: None)
    assert agent_tools(surface, strict="auto").openai_responses()[0]["strict"] is False
    assert faults_of(lambda: agent_tools(surface, strict=True)) == [
        (
            f"`Things.do`: the tool `{NAME}` can't be strict: `scores`: strict mode has no object "
            f'with free keys; change the schema, or write `strict="auto"`.'
        )
    ]
    wrong: Any = "yes"
    assert faults_of(lambda: agent_tools(surface, strict=wrong)) == [
        "`strict=` is `\"auto\"`, True or False, not `'yes'`."
    ]
