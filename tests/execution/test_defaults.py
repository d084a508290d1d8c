"""A view's defaults: where they apply, what they look like to whom, and what they never touch."""

import copy
from typing import Annotated, Any

import pytest
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from typing_extensions import TypedDict

import polyface as pf
from polyface.surface.collect import collect_tools
from tests.contract.people import Person, Search, listing
from tests.execution.calls import ask_http, call_tool, post, refused_tool, surface_of

pytestmark = pytest.mark.anyio


class Passed(TypedDict, total=False):
    """A schema that hands its values through as they are."""

    include: Any


class Aliased(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)
    page_size: int = Field(default=10, alias="pageSize")


class Part(BaseModel):
    name: str


class Parted(BaseModel):
    part: Part = Part(name="http")
    other: int = 1


class Ranged(BaseModel):
    lo: int = 0
    hi: int = 100

    @model_validator(mode="after")
    def is_in_order(self) -> "Ranged":
        if self.lo > self.hi:
            raise ValueError("lo is above hi")
        return self


def echoing(input_: Any, defaults: dict[str, Any], handler: Any = None) -> pf.Surface[Any]:
    """A surface that answers with the input that its handler got."""
    endpoint = pf.with_tool_view(post(input=input_, output=Any), output=Any, defaults=defaults)
    return surface_of(endpoint, handler or (lambda call: call.input))


@pytest.mark.parametrize(
    ("given", "include"),
    [
        ({}, []),
        ({"q": "x"}, []),
        ({"include": ["tags"]}, ["tags"]),
        ({"include": []}, []),
    ],
)
async def test_a_default_joins_only_where_the_key_is_absent(given, include):
    surface = echoing(Search, {"include": []})
    assert (await call_tool(surface, given))["include"] == include


async def test_none_is_the_callers_value():
    class Nullable(BaseModel):
        city: str | None = "London"

    surface = echoing(Nullable, {"city": "Paris"})
    assert await call_tool(surface, {"city": None}) == {"city": None}
    assert await call_tool(surface, {}) == {"city": "Paris"}


@pytest.mark.parametrize("name", ["pageSize", "page_size"])
async def test_a_key_counts_as_given_under_any_name_that_its_field_is_read_by(name):
    surface = echoing(Aliased, {"pageSize": 2})
    assert await call_tool(surface, {name: 7}) == {"pageSize": 7}
    assert await call_tool(surface, {}) == {"pageSize": 2}


async def test_the_handler_cant_tell_a_default_and_a_model_that_asks_for_nothing_loads_nothing():
    loaded: list[str] = []

    def search(call):
        loaded.extend(call.input.include)
        return []

    endpoint = pf.with_tool_view(listing(), output=list[Person], defaults={"include": []})
    surface = surface_of(endpoint, search)
    await call_tool(surface)
    assert loaded == []
    await ask_http(surface, "GET", "/things")
    assert loaded == ["address", "tags"]


async def test_http_and_code_get_the_endpoints_own_default():
    surface = echoing(Search, {"include": []})
    body = (await ask_http(surface, "POST", "/things", b"{}")).json
    assert body["include"] == ["address", "tags"]
    assert (await call_tool(surface, answer="full"))["include"] == ["address", "tags"]


@pytest.mark.parametrize("input_", [Search, Passed], ids=["copies on parse", "passes through"])
async def test_a_handler_that_changes_its_input_doesnt_change_the_next_calls_default(input_):
    own: dict[str, Any] = {"include": []}

    def spoil(call):
        found = call.input["include"] if isinstance(call.input, dict) else call.input.include
        found.append("spoilt")
        return len(found)

    surface = echoing(input_, own, spoil)
    assert [await call_tool(surface) for _ in range(3)] == [1, 1, 1]
    assert own == {"include": []}


async def test_a_default_is_parsed_once_with_what_the_caller_gave():
    parsed: list[Any] = []

    def note(value):
        parsed.append(value)
        return value

    class Noted(BaseModel):
        one: Annotated[int, BeforeValidator(note)] = 0
        two: Annotated[int, BeforeValidator(note)] = 0

    surface = echoing(Noted, {"one": 5})
    parsed.clear()  # a declaration may run the application's validators, once
    assert await call_tool(surface, {"two": 6}) == {"one": 5, "two": 6}
    assert parsed == [5, 6]


async def test_a_default_adds_no_key_that_the_endpoint_accepts():
    class Strict(BaseModel):
        model_config = ConfigDict(extra="forbid")
        include: list[str] = ["all"]

    surface = echoing(Strict, {"include": []})
    error = await refused_tool(surface, {"inclde": []})
    assert error.details["issues"] == [
        {"path": "inclde", "code": "extra_forbidden", "message": "Extra inputs are not permitted"}
    ]


async def test_a_call_refused_because_of_a_default_says_so():
    surface = echoing(Ranged, {"hi": 10})
    error = await refused_tool(surface, {"lo": 50})
    assert error.message == (
        "Value error, lo is above hi\n"
        "The tool's defaults for `hi` took part; give values of your own."
    )
    assert error.details["defaults"] == {"hi": 10}
    assert (await call_tool(surface, {"lo": 50, "hi": 60})) == {"lo": 50, "hi": 60}


async def test_what_a_hook_does_with_a_refusal_doesnt_change_the_next_calls_default():
    class Listed(BaseModel):
        lo: int = 0
        include: list[str] = ["all"]

        @model_validator(mode="after")
        def is_low(self) -> "Listed":
            if self.lo > 1:
                raise ValueError("lo is high")
            return self

    surface = echoing(Listed, {"include": []})
    error = await refused_tool(surface, {"lo": 5})
    error.details["defaults"]["include"].append("spoilt")
    assert await call_tool(surface) == {"lo": 0, "include": []}


async def test_a_call_refused_for_another_reason_doesnt_mention_defaults():
    error = await refused_tool(echoing(Ranged, {"hi": 10}), {"lo": "x"})
    assert "defaults" not in error.details
    assert "defaults" not in error.message


# --- what is advertised -----------------------------------------------------------------------


def document_of(surface: pf.Surface[Any], *, tool_surface: bool = True) -> dict[str, Any]:
    [tool] = collect_tools(surface, "MCP", tool_surface=tool_surface)
    document = copy.deepcopy(tool.input_schema)
    return {**document}


def test_a_default_is_advertised_in_place_of_the_endpoints_own_and_only_to_tools():
    surface = echoing(Search, {"include": []})
    assert document_of(surface)["properties"]["include"]["default"] == []
    own = document_of(surface, tool_surface=False)["properties"]["include"]["default"]
    assert own == ["address", "tags"]


def test_a_key_with_a_default_is_no_longer_required():
    class Needed(BaseModel):
        q: str
        limit: int

    surface = echoing(Needed, {"limit": 5})
    assert document_of(surface)["required"] == ["q"]
    assert document_of(surface, tool_surface=False)["required"] == ["q", "limit"]
    assert "required" not in document_of(echoing(Needed, {"limit": 5, "q": ""}))


async def test_a_key_with_a_default_may_be_left_out():
    class Needed(BaseModel):
        limit: int

    surface = echoing(Needed, {"limit": 5})
    assert await call_tool(surface) == {"limit": 5}
    assert (await ask_http(surface, "POST", "/things", b"{}")).status == 400


def test_a_default_beside_a_reference_is_visible_to_readers_that_ignore_such_siblings():
    shown = document_of(echoing(Parted, {"part": {"name": "tool"}}))["properties"]["part"]
    assert shown["default"] == {"name": "tool"}
    assert "$ref" not in shown
    assert shown["allOf"] == [{"$ref": "#/$defs/Part"}]


def test_advertising_neither_freezes_nor_shares_the_applications_default():
    own: dict[str, Any] = {"part": {"name": "tool"}}
    surface = echoing(Parted, own)
    [tool] = collect_tools(surface, "MCP")
    own["part"]["name"] = "changed"
    assert tool.input_schema["properties"]["part"]["default"] == {"name": "tool"}
    assert type(own["part"]) is dict
    own["part"].clear()
    assert own == {"part": {}}


def test_the_documents_of_two_mounts_agree():
    surface = echoing(Search, {"include": []})
    assert document_of(surface) == document_of(surface)
