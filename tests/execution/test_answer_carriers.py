"""What carries an answer: models, dataclasses, mappings, rows and plain objects, and how each is read."""

import dataclasses
import json
import sqlite3
import warnings
from collections import ChainMap, OrderedDict, UserDict, defaultdict
from collections.abc import Iterable
from functools import cached_property
from types import MappingProxyType, SimpleNamespace
from typing import Annotated, Any, Generic, NotRequired, TypeVar

import pytest
from pydantic import (
    MISSING,
    AfterValidator,
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
    x: int | MISSING = MISSING  # type: ignore[valid-type]  # pydantic's own
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
        self.values, self.read = values, []

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


def rows_of(query: str) -> list[sqlite3.Row]:
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


def test_each_attribute_of_an_object_is_read_once_in_declared_order():
    value = Getting(y=5, x=1)
    assert AnswerPlan(Point).to_json(value) == b'{"x":1,"y":5}'
    assert value.read == ["x", "y"]


def test_an_iterator_is_read_once_even_where_the_answer_is_refused():
    read: list[int] = []

    def numbers():
        for number in (1, 2, 3):
            read.append(number)
            yield number

    assert AnswerPlan(list[int]).to_json(numbers()) == b"[1,2,3]"
    assert read == [1, 2, 3]
    with pytest.raises(AnswerError):
        AnswerPlan(list[Point]).to_json(numbers())
    assert AnswerPlan(dict[str, list[int]]).to_json({"a": numbers()}) == b'{"a":[1,2,3]}'


class Handed(BaseModel):
    """Fields that only pydantic reads, before one that makes the core give up."""

    plain: list[int] = []
    validated: Annotated[list[int], AfterValidator(lambda value: value)] = []
    unique: set[int] = set()
    lazy: Iterable[int] | None = None
    anything: Any = None
    nested: Before | None = None
    point: Point


@pytest.mark.parametrize("name", ["plain", "validated", "unique", "lazy", "anything"])
def test_an_iterator_beside_something_that_only_pydantic_reads_is_not_lost(name):
    value = {name: iter([1, 2]), "point": MappingProxyType({"x": 1})}
    answer = json.loads(AnswerPlan(Handed).to_json(value))
    assert (answer[name], answer["point"]) == ([1, 2], {"x": 1, "y": 2})


def test_an_object_that_hands_out_an_iterator_is_read_once():
    class Listing(BaseModel):
        rows: Annotated[list[int], AfterValidator(lambda value: value)]

        @computed_field
        def count(self) -> int:
            return len(self.rows)

    class Page(BaseModel):
        listing: Listing
        point: Point

    listing = SimpleNamespace(rows=iter([1, 2]))
    value = {"listing": listing, "point": MappingProxyType({"x": 1})}
    written = AnswerPlan(Page).to_json(value)
    assert written == b'{"listing":{"rows":[1,2],"count":2},"point":{"x":1,"y":2}}'


def test_a_validator_runs_at_most_twice_for_one_answer():
    ran: list[int] = []

    class Counted(BaseModel):
        x: Annotated[int, AfterValidator(lambda value: ran.append(value) or value)]
        point: Point

    plan = AnswerPlan(Counted)
    assert plan.to_json({"x": 1, "point": {"x": 1}}) == b'{"x":1,"point":{"x":1,"y":2}}'
    assert ran == [1]
    plan.to_json({"x": 2, "point": MappingProxyType({"x": 1})})
    assert ran == [1, 2, 2]


def test_a_factory_runs_once_for_each_answer_that_needs_it():
    made: list[int] = []

    class Counting(BaseModel):
        x: int
        y: int = Field(default_factory=lambda: made.append(1) or len(made))

    plan = AnswerPlan(list[Counting])
    assert plan.to_json([{"x": 1}]) == b'[{"x":1,"y":1}]'
    assert plan.to_json([{"x": 1, "y": 5}]) == b'[{"x":1,"y":5}]'
    assert len(made) == 1


def deep(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"children": []}
    for _ in range(levels - 1):
        value = {"children": [value]}
    return value


class Tree(BaseModel):
    children: list["Tree"] = []


@pytest.mark.parametrize("levels", [1, 60, 64, 65, 100])
def test_nesting_that_pydantic_reads_is_written_whatever_the_core_can_hold(levels):
    assert AnswerPlan(Tree).to_json(deep(levels)) == full_json(Tree, deep(levels))


def test_nesting_without_end_is_refused_and_nothing_crashes():
    with pytest.raises(AnswerError):
        AnswerPlan(Tree).to_json(deep(5000))
    value: dict[str, Any] = {"children": []}
    value["children"].append(value)
    tree = Tree()
    tree.children.append(tree)
    anything: list[Any] = []
    anything.append(anything)
    for type_, cycle in ((Tree, value), (Tree, tree), (Any, anything), (list[Any], anything)):
        with pytest.raises(AnswerError):
            AnswerPlan(type_).to_json(cycle)
