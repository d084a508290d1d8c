"""The catalog stamp: which tools there are, in 16 digits."""

from typing import Any

import pytest
from pydantic import BaseModel, Field

import polyface as pf
from polyface.surface.collect import collect_documents
from polyface.surface.stamp import STAMP_KEY, catalog_stamp
from tests.execution.calls import surface_of
from tests.surface.showcase import mixed_surface, people_service, wait_tool


class Old(BaseModel):
    name: str = Field(description="Who.")


class New(BaseModel):
    full_name: str = Field(description="Who.")


def stamp(surface: pf.Surface[Any]) -> pf.CatalogStamp:
    return catalog_stamp(collect_documents(surface, "MCP"))


def test_a_stamp_is_sixteen_digits_and_a_count():
    made = stamp(mixed_surface())
    assert made.tools == 2
    assert len(made.digest) == 16
    assert int(made.digest, 16) >= 0
    assert made.meta() == {STAMP_KEY: {"digest": made.digest, "tools": 2}}


def test_the_same_surface_has_the_same_stamp_whatever_its_order():
    other = wait_tool(name="a", identity=pf.Identity(service="jobs", operation="a"))
    one = pf.Surface([people_service()], runtime_tools=[wait_tool(), other])
    two = pf.Surface([people_service()], runtime_tools=[other, wait_tool()])
    assert stamp(one) == stamp(two)
    assert stamp(mixed_surface()) == stamp(mixed_surface())


MOVES: dict[str, dict[str, Any]] = {
    "a renamed argument": {"input": New},
    "an answer": {"output": New},
    "no answer": {"output": None},
    "a description": {"desc": "Something else."},
    "a name": {"name": "other"},
    "annotations": {"annotations": pf.ToolAnnotations(read_only=True)},
}
STAYS: dict[str, dict[str, Any]] = {
    "an app": {"ui": pf.UiResource(resource_uri="ui://people/app")},
    "meta of the listing": {"mcp": pf.McpOptions(meta={"a": 1})},
    "meta of the application": {"meta": {"a": 1}},
    "an identity": {"identity": pf.Identity(service="x", operation="y")},
    "a deadline": {"timeout_seconds": 3},
}


@pytest.mark.parametrize("name", [*MOVES, *STAYS])
def test_it_moves_with_what_a_caller_has_to_know(name):
    def one(**options: Any) -> pf.CatalogStamp:
        given = {"input": Old, "output": Old} | options
        return stamp(pf.Surface(runtime_tools=[wait_tool(**given)]))

    assert (one(**(MOVES | STAYS)[name]) != one()) is (name in MOVES)


def test_a_views_answer_and_defaults_move_it():
    def of(**view: Any) -> pf.CatalogStamp:
        endpoint = pf.post("", desc="Do it.", input=Old, output=Old)
        return stamp(surface_of(pf.with_tool_view(endpoint, **view), lambda call: None))

    digests = {
        of(output=Old).digest,
        of(output=New, project=lambda full, call: None).digest,
        of(output=Old, defaults={"name": "x"}).digest,
    }
    assert len(digests) == 3


@pytest.mark.parametrize(
    "meta",
    [
        None,
        3,
        {},
        {STAMP_KEY: None},
        {STAMP_KEY: "abc"},
        {STAMP_KEY: {}},
        {STAMP_KEY: {"digest": "abc"}},
        {STAMP_KEY: {"tools": 1}},
        {STAMP_KEY: {"digest": "", "tools": 1}},
        {STAMP_KEY: {"digest": 3, "tools": 1}},
        {STAMP_KEY: {"digest": "abc", "tools": -1}},
        {STAMP_KEY: {"digest": "abc", "tools": 1.0}},
        {STAMP_KEY: {"digest": "abc", "tools": True}},
        {STAMP_KEY: {"digest": "abc", "tools": "1"}},
    ],
    ids=str,
)
def test_a_malformed_stamp_is_none(meta):
    assert pf.read_catalog_stamp(meta) is None


def test_a_stamp_is_read_as_it_was_written():
    made = pf.CatalogStamp("0123456789abcdef", 0)
    assert pf.read_catalog_stamp({"other": 1} | made.meta()) == made


def test_no_default_keeps_a_server_from_being_stamped():
    class Odd(BaseModel):
        limit: float = float("inf")
        share: float = float("nan")

    assert stamp(pf.Surface(runtime_tools=[wait_tool(input=Odd)])).tools == 1
