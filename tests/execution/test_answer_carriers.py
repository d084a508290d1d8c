"""What carries an answer: models, dataclasses, mappings, rows and plain objects, and how each is read."""

import dataclasses
import sqlite3
import warnings
from collections import ChainMap, OrderedDict, UserDict, defaultdict
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Any, Generic, NotRequired, TypeVar

import pytest
from pydantic import (
    MISSING,
    BaseModel,
    ConfigDict,
    Field,
    PrivateAttr,
    RootModel,
    computed_field,
    model_serializer,
    model_validator,
)
from pydantic.dataclasses import dataclass as checked_dataclass
from typing_extensions import TypedDict

from polyface.execution.answer import AnswerError, AnswerPlan
from tests.execution.twin_answer import Refusal, full_json

T = TypeVar("T")


class Point(BaseModel):
    x: int
    y: int = 2


class Old(BaseModel):
    x: int = Field(deprecated="use y")


class Caching(Point):
    @cached_property
    def total(self) -> int:
        return self.x + self.y


class Prying(Point):
    def __getattr__(self, name: str) -> Any:
        raise AssertionError(name)


class Box(BaseModel, Generic[T]):
    content: T


@dataclasses.dataclass
class Data:
    x: int
    y: int = 2


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int


@dataclasses.dataclass
class After:
    x: int

    def __post_init__(self) -> None:
        self.x += 100


@checked_dataclass
class Checked:
    x: int
    y: list[int] = dataclasses.field(default_factory=list)


class Row(TypedDict):
    x: int
    y: NotRequired[int]


class KeepingRow(TypedDict):
    __pydantic_config__ = ConfigDict(extra="allow")  # type: ignore[misc]  # as pydantic has it
    x: int


class PostInit(BaseModel):
    x: int

    def model_post_init(self, context: Any) -> None:
        self.x += 100


class OwnInit(BaseModel):
    x: int

    def __init__(self, **given: Any) -> None:
        super().__init__(**given | {"x": given["x"] + 100})


class Private(BaseModel):
    x: int
    _made: list[int] = PrivateAttr(default_factory=list)


class Before(BaseModel):
    x: int

    @model_validator(mode="before")
    @classmethod
    def double(cls, value: Any) -> Any:
        return {"x": value["x"] * 2} if isinstance(value, dict) else value


class Computed(BaseModel):
    x: int

    @computed_field
    def double(self) -> int:
        return self.x * 2


class Wrapping(Point):
    @model_serializer(mode="wrap")
    def wrap(self, handler: Any) -> dict[str, Any]:
        return {"wrapped": handler(self)}


class Numbers(RootModel[list[int]]):
    pass


class Taking(BaseModel):
    x: int
    y: int = Field(default_factory=lambda data: data["x"] + 1)


class Mutable(BaseModel):
    x: list[int] = []


class CheckedDefault(BaseModel):
    model_config = ConfigDict(validate_default=True)
    x: int = "5"  # type: ignore[assignment]  # what is tested


class TypedExtra(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int]
    x: int


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid", validate_by_name=True)
    x: int = Field(alias="X")


class Named(BaseModel):
    model_config = ConfigDict(validate_by_name=True)
    x: int = Field(alias="X")


class Missing(BaseModel):
    x: int | MISSING = MISSING
    y: int = Field(1, exclude_if=lambda value: value == 1)


class Strict(BaseModel):
    model_config = ConfigDict(revalidate_instances="always")
    x: int


class Shouting(BaseModel):
    model_config = ConfigDict(str_to_upper=True)
    row: "NamedRow"
    model: "NamedModel"


class NamedRow(TypedDict):
    name: str


class NamedModel(BaseModel):
    name: str


class Upper(BaseModel):
    model_config = ConfigDict(alias_generator=str.upper)
    x: int


class Forgetful(dict[str, int]):
    def __missing__(self, key: str) -> int:
        return 7


class StrangeKey(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "never"


class Getting:
    """An object that counts how often each attribute is read."""

    def __init__(self, **values: Any) -> None:
        self.values = values
        self.read: list[str] = []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name in ("values", "read"):
            raise AttributeError(name)
        self.read.append(name)
        if name not in self.values:
            raise AttributeError(name)
        if isinstance(self.values[name], Exception):
            raise self.values[name]
        return self.values[name]


def changed(instance: Any, **fields: Any) -> Any:
    instance.__dict__.update(fields)
    return instance


def cached(instance: Caching) -> Caching:
    assert instance.total == 3
    return instance


def rows_of(query: str) -> Any:
    connection = sqlite3.connect(":memory:")
    try:
        connection.row_factory = sqlite3.Row
        return connection.execute(query).fetchall()
    finally:
        connection.close()


TWO = b'{"x":1,"y":2}'
MAPPINGS = [
    (Point, {"x": 1}, TWO), (Point, {"y": 3, "x": 1}, b'{"x":1,"y":3}'), (Point, {}, None),
    (Point, {"x": 1, "z": 2}, TWO), (Point, OrderedDict(x=1), TWO), (Point, MappingProxyType({"x": 1}), TWO),
    (Point, ChainMap({"x": 1}, {"y": 3}), b'{"x":1,"y":3}'), (Point, UserDict(x=1), TWO),
    (Point, defaultdict(int, x=1), TWO), (Point, Forgetful(x=1), TWO), (Point, Forgetful(), None),
    (Point, {StrangeKey("x"): 1}, TWO), (Point, {"x": 1, 5: 6}, TWO), (Point, [("x", 1)], None),
    (Row, {"y": 1, "x": 2}, b'{"x":2,"y":1}'), (Row, {"x": 2, "z": 1}, b'{"x":2}'), (Row, {"y": 1}, None),
    (KeepingRow, {"z": 3, "x": 2}, b'{"x":2,"z":3}'), (Row, MappingProxyType({"x": 1}), b'{"x":1}'),
    (Data, {"x": 1}, TWO), (Slotted, {"x": "1"}, b'{"x":1}'), (Checked, {"x": 1}, b'{"x":1,"y":[]}'),
]  # fmt: skip
INSTANCES = [
    (Point, Point(x=1), TWO), (Point, Prying(x=1), TWO), (Point, cached(Caching(x=1)), TWO),
    (Caching, cached(Caching(x=1)), TWO), (Point, Wrapping(x=1), TWO), (Wrapping, Wrapping(x=1), b'{"wrapped":{"x":1,"y":2}}'),
    (Data, Data(1), TWO), (Data, {"x": 1, "y": "3"}, b'{"x":1,"y":3}'), (Slotted, Slotted(1), b'{"x":1}'),
    (Checked, Checked(1), b'{"x":1,"y":[]}'), (Point, Data(1), TWO), (list[Point], [Data(1), Point(x=1)], b"[%s,%s]" % (TWO, TWO)),
    (Box[int], Box[str](content="5"), b'{"content":5}'), (Box[int], Box(content="5"), b'{"content":5}'),
    (Box[int], Box[int](content=5), b'{"content":5}'), (Box[int], changed(Box[int](content=5), content="5"), None),
    (Strict, changed(Strict(x=1), x="5"), b'{"x":5}'), (Strict, changed(Strict(x=1), x="a"), None),
    (Point, Point, None), (Point, "x", None), (Point, 5, None), (Point, object(), None),
]  # fmt: skip
OBJECTS = [
    (Point, SimpleNamespace(x=1), TWO), (Point, SimpleNamespace(y=1), None), (Point, Getting(x="1"), TWO),
    (Named, SimpleNamespace(X=1), b'{"X":1}'), (Named, SimpleNamespace(x=1), b'{"X":1}'),
    (Point, Getting(x=ValueError("no")), None), (list[Point], [SimpleNamespace(x=1)], b"[%s]" % TWO),
    (Box[Point], {"content": SimpleNamespace(x=1)}, b'{"content":%s}' % TWO),
]  # fmt: skip
CODE = [
    (After, {"x": 1}, b'{"x":101}'), (PostInit, {"x": 1}, b'{"x":101}'), (OwnInit, {"x": 1}, b'{"x":101}'),
    (Private, {"x": 1}, b'{"x":1}'), (Before, {"x": 1}, b'{"x":2}'), (Computed, {"x": 1}, b'{"x":1,"double":2}'),
    (Wrapping, {"x": 1}, b'{"wrapped":{"x":1,"y":2}}'), (Numbers, [1, "2"], b"[1,2]"), (Numbers, Numbers([1]), b"[1]"),
    (Taking, {"x": 1}, TWO), (Mutable, {}, b'{"x":[]}'), (CheckedDefault, {}, b'{"x":5}'),
    (TypedExtra, {"z": "5", "x": 1}, b'{"x":1,"z":5}'), (TypedExtra, {"x": 1, "z": "a"}, None),
    (Closed, {"X": 1}, b'{"X":1}'), (Closed, {"x": 1}, b'{"X":1}'), (Closed, {"X": 1, "x": 2}, None), (Closed, {"X": 1, "z": 2}, None),
    (Named, {"X": 1, "x": 2}, b'{"X":1}'), (Missing, {}, b"{}"), (Missing, {"x": 3, "y": 2}, b'{"x":3,"y":2}'),
    (Upper, {"X": 1}, b'{"X":1}'),
    (Shouting, {"row": {"name": "a"}, "model": {"name": "a"}}, b'{"row":{"name":"A"},"model":{"name":"a"}}'),
]  # fmt: skip
ROWS = [*MAPPINGS, *INSTANCES, *OBJECTS, *CODE]


@pytest.mark.parametrize(
    ("type_", "value", "answer"), ROWS, ids=[str(place) for place in range(len(ROWS))]
)
def test_a_carrier_is_read_as_pydantic_reads_it(type_, value, answer):
    plan = AnswerPlan(type_)
    if answer is None:
        with pytest.raises(AnswerError):
            plan.to_json(value)
    else:
        assert plan.to_json(value) == answer
        assert plan.to_json(value) == answer
    try:
        twin = full_json(type_, value)
    except Refusal:
        twin = None
    assert twin == answer or value.__dict__ == {"content": "5"}


def test_database_rows_are_read_by_attribute():
    rows = rows_of("select 1 as x, 3 as y")
    with pytest.raises(AnswerError):
        AnswerPlan(list[Point]).to_json(rows)
    assert AnswerPlan(list[Point]).to_json([dict(row) for row in rows]) == b'[{"x":1,"y":3}]'


def test_a_deprecated_field_is_written_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert AnswerPlan(Old).to_json(Old(x=1)) == b'{"x":1}'
