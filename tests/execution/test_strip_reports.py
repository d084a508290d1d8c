"""Who is told that keys were removed from an answer."""

from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from tests.contract.people import ADA, PersonCard, listing
from tests.execution.calls import ask_http, call_tool, surface_of

pytestmark = pytest.mark.anyio

DIRTY = [ADA | {"note": "x", "address": ADA["address"] | {"zip": "y"}}]
HANDLERS_KEYS = [("[].address.zip", 1, 0), ("[].note", 1, 0)]


def people(view: dict[str, Any] | None, rows: Any, reports: list[Any] | None) -> pf.Surface[Any]:
    endpoint = listing() if view is None else pf.with_tool_view(listing(), **view)
    hooks = pf.Hooks() if reports is None else pf.Hooks(on_output_strip=reports.append)
    return surface_of(endpoint, lambda call: rows, hooks=hooks)


def entries_of(report: pf.StripReport) -> list[tuple[str, int, int | None]]:
    return sorted((entry.path, entry.count, entry.first_index) for entry in report.entries)


@pytest.mark.parametrize("mount", ["http", "tool", "full"])
async def test_a_handlers_undeclared_keys_are_reported_alike_on_every_mount(mount):
    reports: list[pf.StripReport] = []
    surface = people({"output": list[PersonCard]}, DIRTY, reports)
    if mount == "http":
        await ask_http(surface, "GET", "/things")
    else:
        await call_tool(surface, answer="tool" if mount == "tool" else "full")
    [report] = reports
    assert entries_of(report) == HANDLERS_KEYS
    assert report.operation.label == "Things.do"
    assert report.origin == "handler"
    assert report.source == ("HTTP" if mount == "http" else "internal")


async def test_a_slice_removes_keys_on_purpose_and_isnt_reported():
    reports: list[pf.StripReport] = []
    assert await call_tool(people({"output": list[PersonCard]}, [ADA], reports)) == [
        {"id": 1, "name": "Ada"}
    ]
    assert reports == []


async def test_the_keys_of_a_projection_beyond_its_schema_are_reported_once():
    reports: list[pf.StripReport] = []
    view = {
        "output": list[PersonCard],
        "project": lambda full, call: [{"id": 1, "name": "Ada", "extra": True}],
    }
    assert await call_tool(people(view, [ADA], reports)) == [{"id": 1, "name": "Ada"}]
    [report] = reports
    assert report.origin == "projection"
    assert entries_of(report) == [("[].extra", 1, 0)]


async def test_one_call_reports_the_handlers_excess_and_the_projections_apart():
    reports: list[pf.StripReport] = []
    view = {
        "output": list[PersonCard],
        "project": lambda full, call: [{"id": 1, "name": "Ada", "extra": True}],
    }
    await call_tool(people(view, DIRTY, reports))
    assert [(report.origin, entries_of(report)) for report in reports] == [
        ("handler", HANDLERS_KEYS),
        ("projection", [("[].extra", 1, 0)]),
    ]


async def test_an_async_listener_is_awaited():
    reports: list[str] = []

    async def listen(report):
        reports.append(report.origin)

    surface = surface_of(listing(), lambda call: DIRTY, hooks=pf.Hooks(on_output_strip=listen))
    await call_tool(surface)
    assert reports == ["handler"]


async def test_without_a_listener_the_answer_is_the_same():
    assert await call_tool(people(None, DIRTY, None)) == [ADA]


async def test_a_schema_that_keeps_everything_reports_nothing():
    class Open(BaseModel, extra="allow"):
        a: int

    reports: list[Any] = []
    surface = surface_of(
        listing(output=Open),
        lambda call: {"a": 1, "b": 2},
        hooks=pf.Hooks(on_output_strip=reports.append),
    )
    assert await call_tool(surface) == {"a": 1, "b": 2}
    assert reports == []
