"""What a query may say, and what it is read as."""

import enum
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

import polyface as pf
from tests.http.exchange import ask
from tests.http.service import Recorded, record

pytestmark = pytest.mark.anyio


class Level(enum.IntEnum):
    low = 1
    high = 2


class Colour(enum.Enum):
    red = "red"
    one = "1"


class Place(BaseModel):
    city: str
    zip: int = 0


class Filter(BaseModel):
    """Every kind of field that a query can fill. Strict, so that typing is seen to be exact."""

    model_config = ConfigDict(strict=True)

    text: str = ""
    count: int = 0
    ratio: float = 0.0
    is_open: bool = False
    maybe: int | None = None
    number_or_text: int | str = 0
    number_or_flag: bool | int = 0
    colour: Colour = Colour.red
    level: Level = Level.low
    size: Literal["s", "m"] = "s"
    page: Literal[1, 2] = 1
    exact: Literal[True] = True
    on: date = date(2020, 1, 1)
    price: Decimal = Decimal(0)
    tags: list[str] = []
    ids: list[int] = []
    pairs: tuple[int, ...] = ()
    unique: set[str] = set()
    maybe_ids: list[int] | None = None
    one_or_many: int | list[int] = 0
    place: Place = Place(city="")
    maybe_place: Place | None = None
    places: list[Place] = []
    weights: dict[str, float] = {}
    aliased: int = Field(default=0, alias="from")


class Things(pf.Contract, prefix="things"):
    search = pf.get("/", desc="Search.", input=Filter, output=list[str])


THINGS = record(Things, answers={"search": []})


def things() -> Recorded:
    return THINGS.anew()


READ: dict[str, dict[str, Any]] = {
    # text stays text where text is taken
    "text=": {"text": ""},
    "text": {"text": ""},
    "text=1": {"text": "1"},
    "text=true": {"text": "true"},
    "text=null": {"text": "null"},
    "text=%7B%22a%22%3A1%7D": {"text": '{"a":1}'},
    "text=caf%C3%A9+%F0%9F%A6%80": {"text": "café 🦀"},
    "text=a%26b%3Dc": {"text": "a&b=c"},
    "text=a;count=2": {"text": "a;count=2"},
    "text=%00": {"text": "\0"},
    # numbers and booleans where they are wanted
    "count=12": {"count": 12},
    "count=-1": {"count": -1},
    "count=-0": {"count": 0},
    "count=99999999999999999999": {"count": 99999999999999999999},
    "ratio=1": {"ratio": 1.0},
    "ratio=1.5e2": {"ratio": 150.0},
    "ratio=1e-400": {"ratio": 0.0},
    "is_open=true": {"is_open": True},
    "is_open=false": {"is_open": False},
    "maybe=3": {"maybe": 3},
    "number_or_text=3": {"number_or_text": "3"},
    "number_or_flag=1": {"number_or_flag": 1},
    "number_or_flag=true": {"number_or_flag": True},
    "price=1.10": {"price": Decimal("1.10")},
    "on=2024-02-29": {"on": date(2024, 2, 29)},
    # literals and enums by the kind of their values
    "colour=1": {"colour": Colour.one},
    "level=2": {"level": Level.high},
    "size=m": {"size": "m"},
    "page=2": {"page": 2},
    "exact=true": {"exact": True},
    # lists, also when they are given once
    "tags=a": {"tags": ["a"]},
    "tags=a&tags=b": {"tags": ["a", "b"]},
    "tags=": {"tags": [""]},
    "tags=a,b": {"tags": ["a,b"]},
    "ids=1": {"ids": [1]},
    "ids=1&text=x&ids=2": {"ids": [1, 2], "text": "x"},
    "pairs=1&pairs=2": {"pairs": (1, 2)},
    "unique=a&unique=a": {"unique": {"a"}},
    "maybe_ids=1": {"maybe_ids": [1]},
    "one_or_many=1": {"one_or_many": 1},
    "one_or_many=1&one_or_many=2": {"one_or_many": [1, 2]},
    # structures as JSON in one key
    'place={"city":"Rome","zip":7}': {"place": Place(city="Rome", zip=7)},
    'maybe_place={"city":"Rome"}': {"maybe_place": Place(city="Rome")},
    'places={"city":"A"}&places={"city":"B"}': {"places": [Place(city="A"), Place(city="B")]},
    'weights={"a":1}': {"weights": {"a": 1.0}},
    # names
    "from=3": {"aliased": 3},
    "aliased=3": {},
    "unknown=1&unknown=2": {},
    "__proto__=x&constructor=x&__class__=x&self=x&text=a": {"text": "a"},
    "": {},
    "&&": {},
    "=": {},
}


@pytest.mark.parametrize("query", READ)
async def test_a_query_is_read_by_the_schema(query: str):
    served = things()
    reply = await ask(served.app, "GET", f"/things?{query}")
    assert reply.status == 200, reply.body
    assert served.inputs == [Filter.model_construct(**{**Filter().__dict__, **READ[query]})]


REFUSED: dict[str, tuple[str, str]] = {
    "count=1&count=2": ("count", "repeated"),
    "text=a&text=a": ("text", "repeated"),
    'place={"city":"A"}&place={"city":"B"}': ("place", "repeated"),
    "count=": ("count", "int_type"),
    "count=1.5": ("count", "int_type"),
    "count=007": ("count", "int_type"),
    "count=+1": ("count", "int_type"),
    "count=%201": ("count", "int_type"),
    "count=1_000": ("count", "int_type"),
    "count=0x1": ("count", "int_type"),
    "count=%D9%A1": ("count", "int_type"),
    "count=true": ("count", "int_type"),
    "count=" + "1" * 4301: ("count", "int_type"),
    "ratio=NaN": ("ratio", "float_type"),
    "ratio=Infinity": ("ratio", "float_type"),
    "ratio=1e999": ("ratio", "float_type"),
    "ratio=.5": ("ratio", "float_type"),
    "is_open=yes": ("is_open", "bool_type"),
    "is_open=1": ("is_open", "bool_type"),
    "is_open=True": ("is_open", "bool_type"),
    "maybe=null": ("maybe", "int_type"),
    "maybe=": ("maybe", "int_type"),
    "colour=blue": ("colour", "enum"),
    "page=3": ("page", "literal_error"),
    "ids=1&ids=x": ("ids[1]", "int_type"),
    "place=Rome": ("place", "model_type"),
    "place={": ("place", "model_type"),
    'place={"city":1}': ("place.city", "string_type"),
    'place={"city":"A","zip":NaN}': ("place", "model_type"),
    'place={"city":"%5Cud800"}': ("place", "model_type"),
    "weights=" + '{"a":' * 500 + "1" + "}" * 500: ("weights", "dict_type"),
    "weights=" + '{"a":' * 5000 + "1" + "}" * 5000: ("weights", "dict_type"),
    'weights={"a":1e999}': ("weights", "dict_type"),
}


@pytest.mark.parametrize("query", REFUSED, ids=lambda query: f"{query[:30]}...{len(query)}")
async def test_a_query_that_does_not_fit_is_refused_by_key(query: str):
    served = things()
    reply = await ask(served.app, "GET", f"/things?{query}")
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    issue = reply.json["error"]["details"]["issues"][0]
    assert (issue["path"], issue["code"]) == REFUSED[query]
    assert served.calls == []


UNREADABLE = {
    "bytes that aren't UTF-8": "text=caf%E9",
    "a surrogate in UTF-8": "text=%ED%A0%80",
    "a key that isn't UTF-8": "%E9=1",
    "a raw byte": "text=\xe9",
    "too many keys": "&".join(f"k{n}=" for n in range(1001)),
    "one key too often": "tags=a&" * 1001,
}


@pytest.mark.parametrize("case", UNREADABLE)
async def test_a_query_that_is_no_text_or_too_long_is_refused(case: str):
    served = things()
    reply = await ask(served.app, "GET", f"/things?{UNREADABLE[case]}")
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert served.calls == []


class Lax(BaseModel):
    count: int = 0
    ratio: float = 0.0
    maybe_ratio: float | None = None
    is_open: bool = False
    nested: dict[str, float] = {}


class Laxly(pf.Contract, prefix="lax"):
    search = pf.get("/", desc="Search.", input=Lax, output=list[str])


LAX = record(Laxly, answers={"search": []})


@pytest.mark.parametrize(
    ("query", "given"),
    [
        ("count=007", {"count": 7}),
        ("count=%201", {"count": 1}),
        ("ratio=.5", {"ratio": 0.5}),
        ("is_open=yes", {"is_open": True}),
        ("is_open=1", {"is_open": True}),
    ],
)
async def test_a_lax_model_reads_what_pydantic_reads_of_text(query: str, given: dict[str, Any]):
    served = LAX.anew()
    assert (await ask(served.app, "GET", f"/lax?{query}")).status == 200
    assert served.inputs == [Lax(**given)]


@pytest.mark.parametrize("text", ["NaN", "nan", "inf", "-Infinity", "1e999", "-1e999", "infinity"])
@pytest.mark.parametrize("key", ["ratio", "maybe_ratio"])
async def test_a_number_that_is_not_finite_is_refused_by_a_lax_model_too(key: str, text: str):
    served = LAX.anew()
    reply = await ask(served.app, "GET", f"/lax?{key}={text}")
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["details"]["issues"][0]["path"] == key
    assert served.calls == []


class Loose(TypedDict, total=False):
    q: str
    ids: list[int]


@dataclass
class Data:
    q: str
    n: int = 1


@pytest.mark.parametrize(
    ("schema", "query", "given"),
    [
        (Loose, "ids=1", {"ids": [1]}),
        (Loose, "", {}),
        (Data, "q=1&n=2", Data("1", 2)),
        (dict[str, int], "a=1&b=2", {"a": 1, "b": 2}),
        (dict[str, list[int]], "a=1", {"a": [1]}),
    ],
)
async def test_an_input_that_is_no_model_is_read_alike(schema: Any, query: str, given: Any):
    class Any_(pf.Contract, prefix="any"):
        search = pf.get("/", desc="Search.", input=schema, output=list[str])

    served = record(Any_, answers={"search": []})
    reply = await ask(served.app, "GET", f"/any?{query}")
    assert reply.status == 200, reply.body
    assert served.inputs == [given]


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    q: str = ""


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    q: str = ""


async def test_keys_that_nothing_declares_are_the_schemas_to_judge():
    class Both(pf.Contract, prefix="both"):
        opened = pf.get("/open", desc="Open.", input=Open, output=list[str])
        closed = pf.delete("/closed", desc="Closed.", input=Closed, output=list[str])
        nothing = pf.get("/nothing", desc="Nothing.", output=list[str])

    served = record(Both, answers={"opened": [], "closed": [], "nothing": []})
    app = served.app
    assert (await ask(app, "GET", "/both/open?x=1&y=1&y=2&__proto__=z")).status == 200
    assert served.inputs == [Open.model_validate({"x": "1", "y": ["1", "2"], "__proto__": "z"})]
    refused = await ask(app, "DELETE", "/both/closed?x=1")
    assert (refused.status, refused.code) == (400, "VALIDATION_ERROR")
    assert (await ask(app, "GET", "/both/nothing?utm=1")).status == 200
    assert [key for key, _, _ in served.calls] == ["opened", "nothing"]
