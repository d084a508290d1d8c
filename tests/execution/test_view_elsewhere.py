"""What a view, and any other tool option, leaves exactly as it was."""

import json
from typing import Any

import pytest

import polyface as pf
from polyface.http.openapi import openapi_document
from tests.contract.people import ADA, Person, PersonCard, listing
from tests.execution.calls import Trace, ask_http, surface_of

pytestmark = pytest.mark.anyio

VIEWS: dict[str, Any] = {
    "a slice": {"output": list[PersonCard]},
    "a slice with defaults": {"output": list[PersonCard], "defaults": {"include": [], "limit": 1}},
    "a reshape": {"output": list[str], "project": lambda full, call: ["x"]},
    "a reshape within": {"project": lambda full, call: []},
    "the full answer": {"output": list[Person], "defaults": {"include": []}},
}
REQUESTS = ["/things", "/things?limit=3", "/things?include=tags", "/things?limit=x"]


def people(trace: Trace, endpoint: Any) -> pf.Surface[Any]:
    def search(call):
        trace.append(repr(call.input))
        return [ADA | {"note": "undeclared"}]

    return surface_of(endpoint, search)


def document_of(surface: pf.Surface[Any]) -> str:
    return json.dumps(openapi_document(surface, prefix="", title="People", version="1"))


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
async def test_an_endpoint_with_a_view_answers_http_byte_for_byte_like_one_without(view):
    plain: Trace = []
    viewed: Trace = []
    without = people(plain, listing())
    with_view = people(viewed, pf.with_tool_view(listing(), **view))
    for target in REQUESTS:
        one = await ask_http(without, "GET", target)
        other = await ask_http(with_view, "GET", target)
        assert (one.status, one.body, one.headers) == (other.status, other.body, other.headers)
    assert plain == viewed
    assert len(plain) == 3


@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_an_endpoint_with_a_view_has_the_openapi_document_of_one_without(view):
    without = document_of(people([], listing()))
    assert document_of(people([], pf.with_tool_view(listing(), **view))) == without
    assert "include" in without


OPTIONS = {
    "a name": pf.ToolOptions(name="find_people"),
    "annotations": pf.ToolOptions(annotations=pf.ToolAnnotations(title="Find", read_only=True)),
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
async def test_no_tool_option_is_read_by_http(options):
    without, with_options = people([], listing()), people([], listing(tool=options))
    assert document_of(with_options) == document_of(without)
    for target in REQUESTS:
        one = await ask_http(without, "GET", target)
        other = await ask_http(with_options, "GET", target)
        assert (one.status, one.body) == (other.status, other.body)


async def test_an_application_serves_that_document():
    surface = people([], pf.with_tool_view(listing(), output=list[PersonCard]))
    reply = await ask_http(surface, "GET", "/openapi.json")
    assert reply.status == 200
    assert "PersonCard" not in reply.body.decode()
    assert "address" in reply.body.decode()
