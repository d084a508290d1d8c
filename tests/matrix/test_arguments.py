"""The same arguments are accepted, or refused for the same reason, through every face."""

import enum
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

import pytest
from pydantic import BaseModel, ConfigDict, Field

import polyface as pf
from tests.http.service import record
from tests.matrix.faces import FACES, Outcome, faces_of

pytestmark = pytest.mark.anyio


class Level(enum.IntEnum):
    low = 1
    high = 2


class Colour(enum.Enum):
    red = "red"


class Place(BaseModel):
    city: str
    tags: list[str] = []


class Lax(BaseModel):
    count: int = 0
    bounded: int = Field(default=1, ge=1, le=9)
    ratio: float = 0.0
    is_open: bool = False
    text: str = "default"
    short: str = Field(default="", max_length=3)
    maybe: int | None = None
    on: date = date(2020, 1, 1)
    at: datetime | None = None
    took: timedelta = timedelta(0)
    price: Decimal = Decimal(0)
    id: UUID | None = None
    level: Level = Level.low
    colour: Colour = Colour.red
    size: Literal["s", 2] = "s"
    data: bytes = b""
    number_or_text: int | str = 0
    date_or_text: date | str = ""
    ids: list[int] = []
    few: list[int] = Field(default=[], max_length=2)
    pair: tuple[int, str] | None = None
    unique: set[str] = set()
    place: Place | None = None
    places: list[Place] = []
    by_name: dict[str, int] = {}
    one_or_many: int | list[int] = 0
    anything: Any = None
    renamed: int = Field(default=0, alias="from")
    either_name: int = Field(default=0, validation_alias="eitherName")


class Strict(Lax):
    model_config = ConfigDict(strict=True)


class Closed(Lax):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


# field → JSON values; what a model makes of each is pydantic's business and alike everywhere
VALUES: dict[str, list[Any]] = {
    "count": [0, -7, 2**70, 1.0, 1.5, True, None, "1", "x", [1], {}],
    "bounded": [1, 9, 0, 10],
    "ratio": [1, 1.5, 1e300, -0.0, True, None, "1.5", "NaN", "inf", "1e999"],
    "is_open": [True, False, 1, 0, 2, "true", "yes", None],
    "text": ["", "a", "é🦀", "\x00", " a ", "null", "[1]", "{}", 1, True, None, ["a"]],
    "short": ["abc", "abcd"],
    "maybe": [None, 1, "x"],
    "on": ["2024-02-29", "2023-02-29", "2024-02-29T00:00:00", 0, None],
    "at": [
        "2024-01-01T00:00:00",
        "2024-01-01T00:00:00Z",
        "2024-01-01T00:00:00+02:00",
        "x",
        1e9,
        None,
    ],
    "took": ["PT1S", "x", 60, -1.5],
    "price": ["1.10", 1, 1.5, "x", "NaN"],
    "id": ["00000000-0000-0000-0000-000000000007", "7", None],
    "level": [1, 2, 3, "1", True],
    "colour": ["red", "blue", 1],
    "size": ["s", 2, "2", "m"],
    "data": ["abc", "é", 1],
    "number_or_text": [1, "1", "x", 1.5, None],
    "date_or_text": ["2024-02-29", "x", 1],
    "ids": [[], [1], [1, 2], [1, "x"], [None], 1, None, {}],
    "few": [[1, 2], [1, 2, 3]],
    "pair": [[1, "a"], [1], [1, "a", 2], None],
    "unique": [["a", "a"], [], ["a", 1]],
    "place": [{"city": "A"}, {"city": "A", "tags": ["b"]}, {"city": 1}, {}, None, []],
    "places": [[{"city": "A"}, {"city": "B", "x": 1}], [{"city": "A"}, {}], [[]]],
    "by_name": [{}, {"a": 1}, {"a": "x"}, {"": 1}, {"__proto__": 1}],
    "one_or_many": [1, [1], [1, 2], "x"],
    "anything": [None, 1, "a", "[1]", [1, {"a": None}], {"a": [True]}],
    "from": [1, "x"],
    "renamed": [1, "x"],
    "eitherName": [1],
    "either_name": [1],
    "unknown": [1, None, {"a": [1]}],
    "__class__": [1],
}


class Arguments(pf.Contract, prefix="arguments"):
    lax = pf.post("/lax", desc="Lax.", input=Lax, output=str)
    strict = pf.post("/strict", desc="Strict.", input=Strict, output=str)
    closed = pf.post("/closed", desc="Closed.", input=Closed, output=str)
    query_lax = pf.get("/lax", desc="Lax query.", input=Lax, output=str)
    query_strict = pf.get("/strict", desc="Strict query.", input=Strict, output=str)
    query_closed = pf.delete("/closed", desc="Closed query.", input=Closed, output=str)


def echo(call: pf.Call[Any, Any]) -> str:
    return repr(call.input)


SERVED = record(
    Arguments,
    answers=dict.fromkeys(
        ["lax", "strict", "closed", "query_lax", "query_strict", "query_closed"], echo
    ),
)


def assert_alike(outcomes: dict[str, Outcome], case: object) -> Outcome:
    """Every face ended alike, and a refused call reached no handler."""
    first = outcomes["HTTP"]
    assert {face: item for face, item in outcomes.items() if item != first} == {}, (case, first)
    assert (len(first.calls) == 1) is (first.code is None), case
    return first


@pytest.mark.parametrize("key", ["lax", "strict", "closed"])
async def test_a_body_and_a_tools_arguments_are_read_alike(key: str):
    accepted = refused = 0
    async with faces_of(SERVED) as faces:
        for name, values in VALUES.items():
            for value in values:
                outcome = assert_alike(await faces.all(key, {name: value}), (name, value))
                accepted += outcome.code is None
                refused += outcome.code == "VALIDATION_ERROR"
    assert accepted + refused == sum(map(len, VALUES.values()))
    assert min(accepted, refused) > 30


# field → the values that a query has a form for, which no other value shares
IN_QUERY: dict[str, list[Any]] = {
    "count": [0, -7, 2**70, 1.5, "x", {}],
    "bounded": VALUES["bounded"],
    "ratio": [1, 1.5, 1e300, -0.0, "NaN", "inf", "1e999"],
    "is_open": [True, False, 2],
    "text": ["", "a", "é🦀", "\x00", " a ", "null", "[1]", "{}", "1", "true"],
    "short": VALUES["short"],
    "maybe": [1, "x"],
    "on": ["2024-02-29", "2023-02-29", "2024-02-29T00:00:00"],
    "at": ["2024-01-01T00:00:00", "2024-01-01T00:00:00Z", "2024-01-01T00:00:00+02:00", "x"],
    "took": ["PT1S", "x"],
    "price": ["1.10", "x", "NaN"],
    "id": ["00000000-0000-0000-0000-000000000007", "7"],
    "level": [1, 2, 3],
    "colour": ["red", "blue"],
    "size": ["s", "m"],
    "data": ["abc", "é"],
    "number_or_text": ["1", "x"],
    "date_or_text": ["2024-02-29", "x"],
    "ids": [[1], [1, 2], [1, "x"]],
    "few": VALUES["few"],
    "pair": [[1]],
    "unique": [["a", "a"], ["a"]],
    "place": [{"city": "A"}, {"city": "A", "tags": ["b"]}, {"city": 1}, {}],
    "places": [[{"city": "A"}, {"city": "B", "x": 1}], [{"city": "A"}, {}]],
    "by_name": VALUES["by_name"],
    "one_or_many": [1, [1, 2], "x"],
    "anything": ["a", "[1]", "1"],
    "from": VALUES["from"],
    "renamed": VALUES["renamed"],
    "eitherName": [1],
    "either_name": [1],
    "unknown": ["1"],
    "__class__": ["1"],
}


@pytest.mark.parametrize("key", ["query_lax", "query_strict", "query_closed"])
async def test_a_query_and_a_tools_arguments_are_read_alike_where_a_query_has_the_form(key: str):
    said = 0
    async with faces_of(SERVED) as faces:
        for name, values in IN_QUERY.items():
            for value in values:
                assert_alike(await faces.all(key, {name: value}), (name, value))
                said += 1
    assert said == sum(map(len, IN_QUERY.values()))
    assert IN_QUERY.keys() == VALUES.keys()


async def test_several_arguments_at_once_and_none_at_all():
    async with faces_of(SERVED) as faces:
        for arguments in (
            {},
            {"count": 1, "text": "a", "ids": [1, 2], "place": {"city": "A"}, "from": 2},
            {"count": "x", "ratio": "x", "place": {"city": "A"}},
        ):
            outcome = assert_alike(await faces.all("lax", arguments), arguments)
            assert outcome.paths == (("count", "ratio") if "ratio" in arguments else ())


# --- paths -----------------------------------------------------------------------------------


class Key(BaseModel):
    key: str


class StrictNumber(BaseModel):
    model_config = ConfigDict(strict=True)
    n: int


class Day(BaseModel):
    model_config = ConfigDict(strict=True)
    day: date


class Rest(BaseModel):
    rest: str


class Both(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str = ""


class Paths(pf.Contract, prefix="paths"):
    key = pf.get("/key/{key}", desc="Key.", params=Key, output=str)
    number = pf.get("/number/{n}", desc="Number.", params=StrictNumber, output=str)
    day = pf.get("/day/{day}", desc="Day.", params=Day, output=str)
    rest = pf.get("/rest/{rest:path}", desc="Rest.", params=Rest, output=str)
    both = pf.put("/both/{key}", desc="Both.", params=Key, input=Both, output=str)


PATHS = record(
    Paths,
    answers=dict.fromkeys(
        ["key", "number", "day", "rest", "both"], lambda call: repr((call.params, call.input))
    ),
)
IN_PATH: list[tuple[str, dict[str, Any], bool]] = [
    *(("key", {"key": text}, True) for text in ["a", "é🦀", "a b", "100%", "a?b#c", "+", "a%2Fb", "...", "null"]),
    *(("key", {"key": text}, False) for text in [".", "..", "a/b", "/", "a\\b", "\x00", "a\nb", "\x7f", "\x85"]),
    *(("number", {"n": n}, True) for n in [0, 7, -7, 2**70]),
    *(("number", {"n": n}, False) for n in ["x", 1.5, True]),
    *(("day", {"day": day}, day == "2024-02-29") for day in ["2024-02-29", "2023-02-29", "x"]),
    *(("rest", {"rest": text}, True) for text in ["a", "a/b", "a/é b/c%"]),
    *(("rest", {"rest": text}, False) for text in ["..", "a/../b", "a//b", "a/", "./a", "a\\b", "a/\x01"]),
    ("both", {"key": "a", "text": "b"}, True),
    ("both", {"key": "a", "text": 1}, False),
    ("both", {"key": "a", "other": 1}, False),
    ("both", {"key": "..", "text": "b"}, False),
]  # fmt: skip


async def test_what_a_path_takes_a_tool_takes_too():
    async with faces_of(PATHS) as faces:
        for key, arguments, accepted in IN_PATH:
            outcome = assert_alike(await faces.all(key, arguments), arguments)
            assert outcome.code == (None if accepted else "VALIDATION_ERROR"), arguments


# --- where the faces differ, and why -----------------------------------------------------------


class NoInput(pf.Contract, prefix="differences"):
    nothing = pf.get("/nothing", desc="Nothing.", output=str)
    by_number = pf.get("/by/{n:int}", desc="By number.", params=StrictNumber, output=str)
    lax = pf.get("/lax", desc="Lax.", input=Lax, output=str)
    strict = pf.get("/strict", desc="Strict.", input=Strict, output=str)
    body = pf.post("/body", desc="Body.", input=Strict, output=str)


ACCEPTED = "accepted"
OTHERS = tuple(face for face in FACES if face != "HTTP")
# why → endpoint, arguments, how HTTP ends, how every other face ends
DIFFERENCES: dict[str, tuple[str, dict[str, Any], str, str]] = {
    "a tool reads JSON text where a structure is wanted": (
        "body", {"ids": "[1]"}, "VALIDATION_ERROR", ACCEPTED,
    ),
    "the text of a query is typed by the schema": (
        "strict", {"count": "1"}, ACCEPTED, "VALIDATION_ERROR",
    ),
    "a list in a query may be given once": (
        "strict", {"ids": 1}, ACCEPTED, "VALIDATION_ERROR",
    ),
    "a query has no null, only its text": (
        "lax", {"maybe": None}, "VALIDATION_ERROR", ACCEPTED,
    ),
    "a query says text for what a strict number isn't": (
        "lax", {"text": 1}, ACCEPTED, "VALIDATION_ERROR",
    ),
    "a query that nobody reads may say anything": (
        "nothing", {"utm": "x"}, ACCEPTED, "VALIDATION_ERROR",
    ),
    "a path that a convertor doesn't match is no path": (
        "by_number", {"n": "x"}, "NOT_FOUND", "VALIDATION_ERROR",
    ),
    "an empty segment is no path": (
        "by_number", {"n": ""}, "NOT_FOUND", "VALIDATION_ERROR",
    ),
}  # fmt: skip


@pytest.mark.parametrize("why", DIFFERENCES)
async def test_a_declared_difference_is_as_declared(why: str):
    key, arguments, over_http, elsewhere = DIFFERENCES[why]
    keys = ["nothing", "by_number", "lax", "strict", "body"]
    served = record(NoInput, answers=dict.fromkeys(keys, "answer"))
    async with faces_of(served) as faces:
        outcomes = await faces.all(key, arguments)
    ended = {face: outcome.code or ACCEPTED for face, outcome in outcomes.items()}
    assert ended == {"HTTP": over_http, **dict.fromkeys(OTHERS, elsewhere)}
    for outcome in outcomes.values():
        assert len(outcome.calls) == (outcome.code is None)
