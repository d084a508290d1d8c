"""A factory of runtime tools: one service, one checked context."""

import inspect
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.faults import faults_of
from tests.operations.test_runtime_tool import IDENTITY, OPTIONS, surface_of_tool
from tests.surface.showcase import Wait, Waited

pytestmark = pytest.mark.anyio


class Jobs(BaseModel):
    done: bool


class Plain:
    """A class that pydantic knows nothing of."""


def made(context: Any, handler: Any, **options: Any) -> Any:
    factory: Any = pf.runtime_tool_factory(service="jobs", context=context, **options)
    return factory.tool(name="wait", desc="Wait.", operation="wait", input=Wait, output=Waited)(
        handler
    )


@pytest.mark.parametrize("is_async", [False, True], ids=["sync", "async"])
async def test_a_factory_validates_the_context_inside_each_call(is_async):
    contexts = [Jobs(done=True), {"done": False}, {"done": "maybe"}, None, Jobs(done=True)]
    given = iter(contexts)
    seen: list[Any] = []

    def handler(call):
        seen.append(call.context)
        return {"done": call.context.done}

    async def async_handler(call):
        return handler(call)

    tool = made(Jobs, async_handler if is_async else handler)
    surface = surface_of_tool(tool, context=lambda call: next(given))
    invoker = pf.tool_invoker(surface, transport="MCP")
    results = [await invoker.invoke("wait", {"job": "7"}) for _ in contexts]
    assert [result.answer for result in results] == [
        {"done": True},
        {"done": False},
        None,
        None,
        {"done": True},
    ]
    codes = [result.error.code for result in results if result.error is not None]
    assert codes == ["INTERNAL_SERVER_ERROR"] * 2
    assert seen == [Jobs(done=True), Jobs(done=False), Jobs(done=True)]


async def test_the_context_of_any_class_must_be_its_instance():
    for value, ok in [(Plain(), True), (object(), False), (None, False)]:
        tool = made(Plain, lambda call: {"done": isinstance(call.context, Plain)})
        surface = surface_of_tool(tool, context=lambda call, value=value: value)
        result = await pf.tool_invoker(surface, transport="MCP").invoke("wait", {"job": "7"})
        assert result.ok is ok


def test_a_context_that_is_no_type_is_refused():
    [fault] = faults_of(lambda: pf.runtime_tool_factory(service="jobs", context=3))  # type: ignore[arg-type]
    assert fault.startswith("the tools of `jobs`: `context=`: ")


def test_a_factory_gives_service_scope_and_meta_and_a_tool_may_have_its_own():
    factory: Any = pf.runtime_tool_factory(
        service="jobs", context=Jobs, scope="staff", meta={"a": 1, "b": 2}
    )

    def declared(**options: Any) -> Any:
        given = {"name": "wait", "desc": "Wait.", "operation": "wait", **options}
        return factory.tool(**given)(lambda call: None).operation

    plain, own = declared(), declared(scope="public", meta={"a": 3})
    assert (plain.service, plain.key, plain.label) == ("jobs", "wait", "jobs.wait")
    assert (plain.scope, plain.scope_is_default, plain.meta) == ("staff", False, {"a": 1, "b": 2})
    assert (own.scope, own.meta) == ("public", {"a": 3})


def test_a_factorys_tool_keeps_the_decorated_function_for_tests():
    def handler(call: Any) -> Any:
        return {"done": True}

    assert made(Jobs, handler).handler is handler


def test_a_factory_takes_every_option_of_a_runtime_tool():
    taken = set(inspect.signature(pf.runtime_tool).parameters) - {"identity"}
    factory: Any = pf.runtime_tool_factory(service="jobs", context=Jobs)
    options: dict[str, Any] = {name: OPTIONS.get(name) for name in taken & set(OPTIONS)}
    tool = factory.tool(
        name="wait", desc="Wait.", operation="wait", input=Wait, output=Waited, **options
    )(lambda call: None)
    for name, value in options.items():
        assert getattr(tool.operation, name) == value
    with pytest.raises(TypeError):
        factory.tool(name="wait", desc="Wait.", operation="wait", identity=IDENTITY)
