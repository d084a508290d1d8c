from typing import Any

import pytest

import polyface as pf
from tests.execution.calls import call_tool, noting, post, surface_of

pytestmark = pytest.mark.anyio


async def test_progress_nobody_listens_to_goes_nowhere():
    async def handler(call):
        await call.report_progress(1, 2, "half way")
        return 1

    assert await call_tool(surface_of(post(output=int), handler)) == 1


async def test_a_handler_cant_change_what_its_call_is():
    seen: list[str] = []

    def handler(call):
        for name in ("params", "input", "context", "identity"):
            try:
                setattr(call, name, "mine")
            except AttributeError:
                seen.append(name)
        return 1

    assert await call_tool(surface_of(post(output=int), handler)) == 1
    assert seen == ["params", "input", "context", "identity"]


async def test_a_call_shows_its_operation_and_source():
    seen: list[Any] = []
    surface = surface_of(post(output=int), lambda call: len(noting(seen, repr(call))))
    await call_tool(surface, source="nightly")
    assert seen == ["Call(Things.do, source='nightly')"]


async def test_a_call_in_process_has_no_request():
    surface = surface_of(post(output=bool), lambda call: call.request is None)
    assert await call_tool(surface)


def test_a_call_is_generic_in_params_input_and_context():
    assert pf.Call[None, int, str].__origin__ is pf.Call  # type: ignore[attr-defined]
