"""The listener that logs stripped keys: each path once."""

import logging
from typing import Any

import pytest

import polyface as pf
from polyface.execution import answer as answer_module
from polyface.mcp import mcp_server
from tests.contract.people import ADA, PersonCard, listing
from tests.execution.calls import ask_http, call_tool, surface_of
from tests.mcp.wire import connected

pytestmark = pytest.mark.anyio


def extra_note(full: Any, call: Any) -> Any:
    return [{"id": 1, "name": "Ada", "note": 1}]


async def test_each_path_is_logged_once_whatever_the_transport(caplog):
    hooks = pf.Hooks(on_output_strip=pf.log_output_strip())
    rows = [ADA, ADA | {"note": "x"}, ADA | {"note": "y", "zip": 1}]
    surface = surface_of(listing(), lambda call: rows, hooks=hooks)
    await ask_http(surface, "GET", "/things")
    await call_tool(surface)
    await call_tool(surface)
    assert [(record.name, record.levelname) for record in caplog.records] == [
        ("polyface.strip", "WARNING")
    ] * 2
    assert [record.getMessage() for record in caplog.records] == [
        (
            "Things.do: the answer's schema removed `[].note`, which the handler sent "
            "(2 in this answer, first at index 1); declare it, or don't send it"
        ),
        (
            "Things.do: the answer's schema removed `[].zip`, which the handler sent "
            "(1 in this answer, first at index 2); declare it, or don't send it"
        ),
    ]


async def test_logger_and_level_are_the_callers(caplog):
    caplog.set_level(logging.DEBUG)
    target = logging.getLogger("mine")
    hooks = pf.Hooks(on_output_strip=pf.log_output_strip(target, level=logging.INFO))
    surface = surface_of(
        listing(output=PersonCard), lambda call: {"id": 1, "name": "Ada", "x": 1}, hooks=hooks
    )
    await call_tool(surface)
    records = [record for record in caplog.records if record.name == "mine"]
    assert [(record.levelname, record.getMessage()) for record in records] == [
        (
            "INFO",
            (
                "Things.do: the answer's schema removed `x`, which the handler sent "
                "(1 in this answer); declare it, or don't send it"
            ),
        )
    ]


async def test_keys_that_are_data_dont_fill_the_log_or_the_memory(caplog, monkeypatch):
    monkeypatch.setattr("polyface.execution.strip_log.MAX_PATHS", 3)
    count = iter(range(100))
    hooks = pf.Hooks(on_output_strip=pf.log_output_strip())
    surface = surface_of(
        listing(output=PersonCard),
        lambda call: {"id": 1, "name": "Ada", f"k{next(count)}": 1},
        hooks=hooks,
    )
    for _ in range(4):
        await call_tool(surface)
    lines = [item.getMessage() for item in caplog.records if item.name == "polyface.strip"]
    assert [line.split("`")[1] for line in lines[:3]] == ["k0", "k1", "k2"]
    assert lines[3:] == ["more than 3 stripped paths; no more are logged"]


async def test_the_handler_and_the_projection_are_told_apart(caplog):
    endpoint = pf.with_tool_view(
        listing(),
        output=list[PersonCard],
        project=extra_note,
    )
    hooks = pf.Hooks(on_output_strip=pf.log_output_strip())
    await call_tool(surface_of(endpoint, lambda call: [ADA | {"note": 1}], hooks=hooks))
    assert [record.getMessage().split(" sent ")[0] for record in caplog.records] == [
        "Things.do: the answer's schema removed `[].note`, which the handler",
        "Things.do: the answer's schema removed `[].note`, which the projection",
    ]


@pytest.mark.parametrize("version", ["2026-07-28", "2025-06-18"])
async def test_a_call_over_mcp_gives_one_report_with_operation_tool_counts_and_first_index(version):
    reports: list[pf.StripReport] = []
    surface = surface_of(
        pf.with_tool_view(listing(), output=list[PersonCard]),
        lambda call: [ADA, ADA | {"note": 1}, ADA | {"note": 2}],
        hooks=pf.Hooks(on_output_strip=reports.append),
    )
    async with connected(mcp_server(surface, name="x", version="1").asgi(), version) as client:
        await client.call("do_thing")
    [report] = reports
    assert (report.operation.label, report.tool_name, report.source, report.origin) == (
        "Things.do",
        "do_thing",
        "MCP",
        "handler",
    )
    assert report.entries == (pf.StripEntry("[].note", 2, 1),)


async def test_what_no_tool_surface_has_has_no_tool_name():
    reports: list[pf.StripReport] = []
    surface = surface_of(
        listing(expose=["HTTP"]),
        lambda call: [ADA | {"note": 1}],
        hooks=pf.Hooks(on_output_strip=reports.append),
    )
    await ask_http(surface, "GET", "/things")
    assert [report.tool_name for report in reports] == [None]


async def test_without_a_listener_nothing_is_looked_for(monkeypatch):
    def refuse(*_: Any) -> Any:
        raise AssertionError("it walked")

    monkeypatch.setattr(answer_module, "undeclared_keys", refuse)
    monkeypatch.setattr("polyface.execution.stages.undeclared_keys", refuse)
    monkeypatch.setattr(answer_module, "StripEntry", refuse)
    rows = [ADA | {"note": 1}]
    plain = surface_of(listing(), lambda call: rows)
    assert await call_tool(plain) == [ADA]
    assert (await ask_http(plain, "GET", "/things")).json == [ADA]
    view = pf.with_tool_view(listing(), output=list[PersonCard], project=extra_note)
    assert await call_tool(surface_of(view, lambda call: rows)) == [{"id": 1, "name": "Ada"}]
