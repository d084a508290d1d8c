"""Every shape of answer and of arguments, listed and called on every protocol version."""

from __future__ import annotations

import enum
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Generic, Literal, TypeVar
from uuid import UUID

import pytest
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ConfigDict, Field, PlainSerializer, RootModel, computed_field
from starlette.applications import Starlette
from typing_extensions import TypedDict

import polyface as pf
from polyface.mcp import mcp_server
from tests.http.service import Recorded, record
from tests.mcp.wire import HANDSHAKE, MODERN, STRUCTURED, VERSIONS, Wire, connected, text_of

pytestmark = pytest.mark.anyio
T = TypeVar("T")


class Card(BaseModel):
    id: int
    name: str | None = None


class Tree(BaseModel):
    name: str
    children: list[Tree] = []


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str


class Page(BaseModel, Generic[T]):
    items: list[T]
    total: int


class Row(TypedDict, total=False):
    id: int
    tags: list[str]


@dataclass
class Point:
    x: float
    y: float | None = None


class Moment(BaseModel):
    at: datetime
    on: date
    took: timedelta
    price: Decimal
    id: UUID


class Totalled(BaseModel):
    amount: int

    @computed_field
    def double(self) -> int:
        return self.amount * 2


class Renamed(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    page_size: int = Field(alias="pageSize")
    kept: str = Field(validation_alias="inKept", serialization_alias="outKept")


class Unbounded(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="strings")
    x: float


class Unspeakable(BaseModel):
    call: Callable[[], int] | None = None


class Level(enum.IntEnum):
    low = 1


class Count(RootModel[int]):
    pass


class Maybe(RootModel[int | None]):
    pass


class Chain(RootModel[list["Chain"]]):
    pass


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]

# name → the output, and answers with the JSON that each is told as
OUTPUTS: dict[str, tuple[Any, list[tuple[Any, Any]]]] = {
    "model": (
        Card,
        [({"id": 1}, {"id": 1, "name": None}), (Card(id=2, name="é🦀"), {"id": 2, "name": "é🦀"})],
    ),
    "models": (list[Card], [([], []), ([Card(id=1)], [{"id": 1, "name": None}])]),
    "text": (str, [("", ""), ('a "quote"\n', 'a "quote"\n')]),
    "number": (float, [(1, 1.0)]),
    "large": (int, [(2**70, 2**70)]),
    "flag": (bool, [(False, False)]),
    "nothing_but_null": (Literal[None], [(None, None)]),
    "one_or_null": (Literal[1, None], [(None, None), (1, 1)]),
    "nullable_model": (Card | None, [(None, None), ({"id": 1}, {"id": 1, "name": None})]),
    "nullable_list": (list[int] | None, [(None, None), ([], [])]),
    "nullable_text": (str | None, [(None, None), ("a", "a")]),
    "tree": (
        Tree,
        [
            (
                {"name": "a", "children": [{"name": "b"}]},
                {"name": "a", "children": [{"name": "b", "children": []}]},
            )
        ],
    ),
    "trees": (list[Tree], [([{"name": "a"}], [{"name": "a", "children": []}])]),
    "nullable_tree": (Tree | None, [(None, None), ({"name": "a"}, {"name": "a", "children": []})]),
    "chain": (Chain, [([], []), ([[], [[]]], [[], [[]]])]),
    "pet": (Pet, [({"kind": "cat", "lives": 9}, {"kind": "cat", "lives": 9})]),
    "pets": (list[Pet], [([{"kind": "dog", "name": "a"}], [{"kind": "dog", "name": "a"}])]),
    "either_model": (
        Card | Point,
        [({"id": 1}, {"id": 1, "name": None}), (Point(1, 2), {"x": 1.0, "y": 2.0})],
    ),
    "model_or_list": (Card | list[int], [([1], [1]), ({"id": 1}, {"id": 1, "name": None})]),
    "text_or_number": (int | str, [(1, 1), ("1", "1")]),
    "mapping": (dict[str, Card], [({}, {}), ({"a": {"id": 1}}, {"a": {"id": 1, "name": None}})]),
    "by_number": (dict[int, int], [({1: 2}, {"1": 2})]),
    "by_level": (dict[Level, int], [({Level.low: 2}, {"1": 2})]),
    "typed_dict": (Row, [({}, {}), ({"id": 1}, {"id": 1})]),
    "dataclass": (Point, [(Point(1), {"x": 1.0, "y": None})]),
    "generic": (
        Page[Card],
        [({"items": [{"id": 1}], "total": 1}, {"items": [{"id": 1, "name": None}], "total": 1})],
    ),
    "pair": (tuple[int, str], [((1, "a"), [1, "a"])]),
    "computed": (Totalled, [({"amount": 2}, {"amount": 2, "double": 4})]),
    "renamed": (Renamed, [({"pageSize": 1, "inKept": "a"}, {"pageSize": 1, "outKept": "a"})]),
    "enum": (Level, [(1, 1)]),
    "root": (Count, [(3, 3)]),
    "maybe_root": (Maybe, [(None, None), (3, 3)]),
    "anything": (Any, [(None, None), ({"a": [1]}, {"a": [1]}), ([None], [None])]),
    "told_as_text": (
        Annotated[Card, PlainSerializer(lambda card: str(card.id), return_type=str)],
        [({"id": 1}, "1")],
    ),
    "unbounded": (
        list[Unbounded],
        [([{"x": 1}, {"x": float("inf")}], [{"x": 1.0}, {"x": "Infinity"}])],
    ),
    "unspeakable": (Unspeakable, [({}, {"call": None})]),
    "moment": (
        Moment,
        [
            (
                {
                    "at": "2024-01-02T03:04:05",
                    "on": "2024-01-02",
                    "took": -1.5,
                    "price": "1.10",
                    "id": UUID(int=7),
                },
                {
                    "at": "2024-01-02T03:04:05",
                    "on": "2024-01-02",
                    "took": "-PT1.5S",
                    "price": "1.10",
                    "id": "00000000-0000-0000-0000-000000000007",
                },
            )
        ],
    ),
}
OBJECTS = {
    "model", "tree", "pet", "either_model", "mapping", "by_number", "by_level", "typed_dict",
    "dataclass", "generic", "computed", "renamed", "moment", "unspeakable",
}  # fmt: skip
MAY_BE_NULL = {
    "nothing_but_null", "one_or_null", "nullable_model", "nullable_list", "nullable_text",
    "nullable_tree", "maybe_root", "anything",
}  # fmt: skip


class Which(BaseModel):
    which: int = 0


def shapes() -> Recorded:
    endpoints = {
        name: pf.post(f"/{name}", desc=f"Answers with {name}.", input=Which, output=output)
        for name, (output, _) in OUTPUTS.items()
    }
    endpoints["no_answer"] = pf.post("/no_answer", desc="Answers with nothing.", input=Which)
    contract = pf.build_contract("Shapes", endpoints, prefix="shape")
    return record(
        contract,
        answers={
            name: (lambda call, cases=cases: cases[call.input.which][0])
            for name, (_, cases) in OUTPUTS.items()
        },
    )


def tool(name: str) -> str:
    return f"{name}_shape"


SHAPES = shapes()


def serve(recorded: Recorded, **options: Any) -> Starlette:
    return mcp_server(recorded.surface, name="shapes", version="1", **options).asgi()


SERVED = serve(SHAPES)


LISTED: dict[str, dict[str, Any]] = {}


async def listing(client: Wire) -> dict[str, Any]:
    """What the version lists; it is the same in every test."""
    if client.version not in LISTED:
        LISTED[client.version] = await client.tools()
    return LISTED[client.version]


@pytest.mark.parametrize("version", VERSIONS)
async def test_every_tool_is_listed_with_schemas_that_the_version_allows(version: str):
    async with connected(SERVED, version) as client:
        tools = await client.tools()
    assert list(tools) == [tool(name) for name in (*OUTPUTS, "no_answer")]
    for name, listed in tools.items():
        Draft202012Validator.check_schema(listed["inputSchema"])
        assert listed["inputSchema"]["type"] == "object", name
        if version not in STRUCTURED or name == tool("no_answer"):
            assert "outputSchema" not in listed, name
            continue
        Draft202012Validator.check_schema(listed["outputSchema"])
        if version in HANDSHAKE:
            assert listed["outputSchema"]["type"] == "object", name


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", OUTPUTS)
async def test_an_answer_is_valid_against_its_schema_and_complete_as_text(name: str, version: str):
    _, cases = OUTPUTS[name]
    async with connected(SERVED, version) as client:
        listed = (await listing(client))[tool(name)]
        for which, (_, told) in enumerate(cases):
            result = await client.call(tool(name), {"which": which})
            assert result.get("isError", False) is False, result
            assert text_of(result) == told
            if version not in STRUCTURED:
                continue
            structured = result["structuredContent"]
            Draft202012Validator(listed["outputSchema"]).validate(structured)
            wrapped = name in MAY_BE_NULL if version in MODERN else name not in OBJECTS
            assert structured == ({"result": told} if wrapped else told)


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_tool_without_an_answer_says_that_it_succeeded(version: str):
    async with connected(SERVED, version) as client:
        result = await client.call(tool("no_answer"))
    assert text_of(result) == {"status": "ok"}
    assert "structuredContent" not in result
    assert result.get("isError", False) is False


@pytest.mark.parametrize("version", STRUCTURED)
@pytest.mark.parametrize(
    ("content", "has_text", "has_structure"),
    [("both", True, True), ("structured", False, True), ("text", True, False)],
)
async def test_the_content_policy_chooses_what_an_answer_consists_of(
    content: Any, has_text: bool, has_structure: bool, version: str
):
    async with connected(serve(SHAPES, content=content), version) as client:
        listed = (await client.tools())[tool("models")]
        result = await client.call(tool("models"), {"which": 1})
        failed = await client.call(tool("models"), {"which": "x"})
    assert ("outputSchema" in listed) is has_structure
    assert ("structuredContent" in result) is has_structure
    assert bool(result["content"]) is has_text
    assert failed["isError"] is True
    assert text_of(failed)["error"]["code"] == "VALIDATION_ERROR"


# --- arguments -------------------------------------------------------------------------------


class Key(BaseModel):
    key: str


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int
    tree: Tree | None = None


class ClosedCat(Cat):
    model_config = ConfigDict(extra="forbid")


class ClosedDog(Dog):
    model_config = ConfigDict(extra="forbid")


INPUTS: dict[str, tuple[Any, list[dict[str, Any]], list[dict[str, Any]]]] = {
    "recursive": (
        Tree,
        [{"name": "a", "children": [{"name": "b", "children": []}]}],
        [{"name": 1}],
    ),
    "union": (Cat | Card, [{"kind": "cat", "lives": 1}, {"id": 1}], [{"kind": "dog"}]),
    "tagged": (
        Annotated[ClosedCat | ClosedDog, Field(discriminator="kind")],
        [{"kind": "cat", "lives": 1}, {"kind": "dog", "name": "a"}],
        [{"kind": "cow"}, {"kind": "cat", "lives": 1, "name": "a"}],
    ),
    "closed_union": (ClosedCat | ClosedDog, [{"kind": "dog", "name": "a"}], [{"kind": "dog"}]),
    "closed": (Closed, [{"a": 1}, {"a": 1, "tree": {"name": "x"}}], [{"a": 1, "b": 2}]),
    "typed_dict": (Row, [{}, {"id": 1, "tags": []}], [{"id": "x"}]),
    "dataclass": (Point, [{"x": 1}, {"x": 1, "y": None}], [{}]),
    "mapping": (dict[str, int], [{"a": 1}], [{"a": "x"}]),
    "renamed": (Renamed, [{"pageSize": 1, "inKept": "a"}], [{"pageSize": 1, "outKept": "a"}]),
    "root": (RootModel[Tree], [{"name": "a"}], [{}]),
    "nothing": (None, [{}], [{"a": 1}]),
}


def takers(*, with_params: bool) -> Recorded:
    post: Any = pf.post  # its overloads can't follow a table
    path, more = ("/{key}", {"params": Key}) if with_params else ("", {})
    endpoints = {
        name: post(f"/{name}{path}", desc=f"Takes {name}.", input=taken, output=bool, **more)
        for name, (taken, _, _) in INPUTS.items()
    }
    contract = pf.build_contract("Takers", endpoints, prefix="shape")
    return record(contract, answers=dict.fromkeys(INPUTS, True))


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("with_params", [False, True], ids=["input", "params and input"])
async def test_arguments_are_accepted_as_the_listed_schema_says(version: str, with_params: bool):
    served = takers(with_params=with_params)
    beside = {"key": "7"} if with_params else {}
    async with connected(serve(served), version) as client:
        tools = await client.tools()
        for name, (_, taken, refused) in INPUTS.items():
            schema = tools[tool(name)]["inputSchema"]
            assert schema["type"] == "object"
            Draft202012Validator.check_schema(schema)
            validator = Draft202012Validator(schema)
            for arguments in taken:
                given = arguments | beside
                assert [error.message for error in validator.iter_errors(given)] == [], (
                    name,
                    given,
                )
                assert text_of(await client.call(tool(name), given)) is True
            served.calls.clear()
            for arguments in refused:
                given = arguments | beside
                assert not validator.is_valid(given), (name, given)
                error = await client.fail(tool(name), given)
                assert error["code"] == "VALIDATION_ERROR"
            assert served.calls == []
            if with_params:
                assert "key" in json.dumps(schema.get("required", schema))
                assert (await client.fail(tool(name), taken[0]))["code"] == "VALIDATION_ERROR"


class Search(BaseModel):
    q: str = ""
    include: list[str] = Field(default=["heavy"], description="What to load.")
    level: Level = Level.low
    size: int


class Cards(pf.Contract, prefix="cards"):
    search = pf.with_tool_view(
        pf.get("/", desc="Search.", input=Search, output=list[Tree]),
        output=list[Tree],
        defaults={"include": [], "size": 3, "level": 1},
    )


@pytest.mark.parametrize("version", VERSIONS)
async def test_the_defaults_of_a_view_are_advertised_and_not_required(version: str):
    served = record(Cards, answers={"search": []})
    async with connected(serve(served), version) as client:
        schema = (await client.tools())["search_card"]["inputSchema"]
        assert schema["properties"]["include"]["default"] == []
        assert schema["properties"]["include"]["description"] == "What to load."
        assert schema["properties"]["size"]["default"] == 3
        assert schema["properties"]["level"]["default"] == 1
        assert schema["properties"]["q"]["default"] == ""
        assert "required" not in schema
        await client.call("search_card", {})
        await client.call("search_card", {"include": ["heavy"], "size": 9})
    assert served.inputs == [
        Search(q="", include=[], size=3, level=Level.low),
        Search(q="", include=["heavy"], size=9, level=Level.low),
    ]


async def test_a_wire_client_is_what_it_says():
    """The tests above would prove nothing if a handshake client spoke the modern protocol."""
    async with connected(SERVED, *VERSIONS) as clients:
        wires: tuple[Wire, ...] = clients
        assert [wire.session is None for wire in wires] == [False] * 4 + [True]
        results = [await wire.rpc("tools/call", {"name": tool("model")}) for wire in wires]
    assert ["resultType" in answer["result"] for answer in results] == [False] * 4 + [True]
