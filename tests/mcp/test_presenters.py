"""Presenters over MCP: they add content to a checked success, and touch nothing else."""

import json
from typing import Any

import pytest

import polyface as pf
from polyface.mcp import mcp_server
from tests.mcp.wire import STRUCTURED, VERSIONS, connected
from tests.surface.showcase import Wait, Waited

pytestmark = pytest.mark.anyio

IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}
TEXT = {"type": "text", "text": "All done."}


def presented(present: Any, *, answer: Any = None, hooks: pf.Hooks | None = None) -> Any:
    declare: Any = pf.runtime_tool
    decorate = declare(
        name="wait",
        desc="Wait.",
        identity=pf.Identity(service="jobs", operation="wait"),
        input=Wait,
        output=Waited,
        present=pf.Presenters(mcp=present),
    )
    if answer is None:
        answer = {"done": True}

    def handler(call: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    surface = pf.Surface(runtime_tools=[decorate(handler)], hooks=hooks or pf.Hooks())
    return surface, mcp_server(surface, name="jobs", version="1").asgi()


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_presenter_supplies_content_and_metadata_beside_the_answer(version):
    seen: list[Any] = []

    def present(answer, call):
        seen.append((answer, call.input.job, call.source))
        return pf.Presentation(content=[TEXT, IMAGE], meta={"mine": 1})

    _, app = presented(present, answer={"done": True, "extra": 1})
    async with connected(app, version) as client:
        result = await client.call("wait", {"job": "7"})
    assert [block["type"] for block in result["content"]] == ["text", "image"]
    assert result["content"][0]["text"] == "All done."
    assert result["_meta"]["mine"] == 1
    assert result.get("isError", False) is False
    if version in STRUCTURED:
        assert result["structuredContent"] == {"done": True}
    assert seen == [({"done": True}, "7", "MCP")]


def test_a_presentation_has_no_place_for_structure_or_an_error():
    for name in ("structured_content", "structuredContent", "is_error", "isError"):
        with pytest.raises(TypeError):
            pf.Presentation(content=[], **{name: {}})


async def test_what_a_presenter_does_to_the_answer_stays_with_it():
    def present(answer, call):
        answer["done"] = "changed"
        answer["isError"] = True
        return pf.Presentation(content=[], meta={"structuredContent": 1, "isError": True})

    _, app = presented(present)
    async with connected(app, "2026-07-28") as client:
        result = await client.call("wait", {"job": "7"})
    assert result["structuredContent"] == {"done": True}
    assert result.get("isError", False) is False
    assert result["content"] == []


@pytest.mark.parametrize(
    ("answer", "arguments", "code"),
    [
        ({"done": True}, {}, "VALIDATION_ERROR"),
        ({"done": "maybe"}, {"job": "7"}, "INTERNAL_SERVER_ERROR"),
        (pf.not_found("No such job."), {"job": "7"}, "NOT_FOUND"),
        (ValueError("secret"), {"job": "7"}, "INTERNAL_SERVER_ERROR"),
    ],
    ids=["wrong arguments", "a wrong answer", "a refusal", "a failure"],
)
async def test_a_presenter_runs_only_after_a_checked_success(answer, arguments, code):
    seen: list[Any] = []

    def present(answer, call):
        seen.append(answer)
        return pf.Presentation(content=[])

    _, app = presented(present, answer=answer)
    async with connected(app, "2026-07-28") as client:
        assert (await client.fail("wait", arguments))["code"] == code
    assert seen == []


async def later(answer, call):
    return pf.Presentation(content=[])


def failing(answer, call):
    raise pf.not_found("It lies.")


class More(pf.Presentation):
    """A presentation that claims more than there is."""

    structured_content = {"done": False}
    is_error = True


WRONG: dict[str, Any] = {
    "nothing": lambda answer, call: None,
    "a dict": lambda answer, call: {"content": []},
    "a result of its own": lambda answer, call: {"structuredContent": {}, "isError": True},
    "a coroutine": later,
    "an unknown block": lambda answer, call: pf.Presentation(content=[{"type": "smell"}]),
    "a broken block": lambda answer, call: pf.Presentation(content=[{"type": "text"}]),
    "content that is none": lambda answer, call: pf.Presentation(content=3),  # type: ignore[arg-type]
    "a block that is none": lambda answer, call: pf.Presentation(content=[3]),  # type: ignore[list-item]
    "an error": failing,
}


@pytest.mark.parametrize("name", WRONG)
async def test_a_wrong_presentation_is_a_server_fault_that_hooks_see(name):
    outcomes: list[Any] = []
    errors: list[Any] = []
    hooks = pf.Hooks(
        after_tool_call=outcomes.append, on_error=lambda call, error: errors.append(error)
    )
    _, app = presented(WRONG[name], hooks=hooks)
    async with connected(app, "2026-07-28") as client:
        error = await client.fail("wait", {"job": "7"})
    assert error["code"] == "INTERNAL_SERVER_ERROR"
    assert "It lies" not in json.dumps(error)
    assert "smell" not in json.dumps(error)
    assert [outcome.error.code for outcome in outcomes] == ["INTERNAL_SERVER_ERROR"]
    assert outcomes[0].answer is None
    assert len(errors) == 1


async def test_members_that_a_subclass_adds_arent_read():
    _, app = presented(lambda answer, call: More(content=[TEXT]))
    async with connected(app, "2026-07-28") as client:
        result = await client.call("wait", {"job": "7"})
    assert result["structuredContent"] == {"done": True}
    assert result.get("isError", False) is False


@pytest.mark.parametrize("transport", ["MCP", "AGENT"])
async def test_a_presenter_is_its_own_transports(transport):
    seen: list[Any] = []

    def present(answer, call):
        seen.append(answer)
        return pf.Presentation(content=[])

    surface, _ = presented(present)
    invoker = pf.tool_invoker(surface, transport=transport, answer="tool")
    assert await invoker.invoke_or_raise("wait", {"job": "7"}) == {"done": True}
    assert seen == []
