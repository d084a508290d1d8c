"""How often the parts of an answer are read, and how deep: iterators, getters, factories, nesting."""

import dataclasses
import json
from collections.abc import Iterable
from types import MappingProxyType, SimpleNamespace
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, PlainSerializer, computed_field
from pydantic_core import PydanticSerializationError

from polyface.execution.answer import AnswerError, AnswerPlan
from tests.execution.test_answer_carriers import Before, Getting, Point
from tests.execution.twin_answer import full_json


def test_each_attribute_of_an_object_is_read_once_in_declared_order():
    value: Any = Getting(y=5, x=1)
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

    def note_it(value: int) -> int:
        ran.append(value)
        return value

    class Counted(BaseModel):
        x: Annotated[int, AfterValidator(note_it)]
        point: Point

    plan = AnswerPlan(Counted)
    assert plan.to_json({"x": 1, "point": {"x": 1}}) == b'{"x":1,"point":{"x":1,"y":2}}'
    assert ran == [1]
    plan.to_json({"x": 2, "point": MappingProxyType({"x": 1})})
    assert ran == [1, 2, 2]


def test_a_factory_runs_once_for_each_answer_that_needs_it():
    made: list[int] = []

    def make() -> int:
        made.append(1)
        return len(made)

    class Counting(BaseModel):
        x: int
        y: int = Field(default_factory=make)

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


class Raising(BaseModel):
    x: Annotated[int, AfterValidator(lambda value: 1 // value)]
    y: Annotated[int, PlainSerializer(lambda value: {}[value])] = 0


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int


class Keeping(BaseModel):
    """Hands its config down to the dataclass, whose slots have no place for a further key."""

    model_config = ConfigDict(extra="allow")
    inner: Slotted


@pytest.mark.parametrize(
    ("type_", "value", "cause"),
    [
        (Raising, {"x": 0}, ZeroDivisionError),
        (list[Raising], [{"x": 0}], ZeroDivisionError),
        (Raising, {"x": 1}, PydanticSerializationError),
        (Keeping, {"inner": {"x": 1, "z": 2}}, AttributeError),
    ],
)
def test_what_the_users_code_raises_is_told_as_a_refused_answer(type_, value, cause):
    plan: Any = AnswerPlan(type_)
    with pytest.raises(AnswerError) as caught:
        plan.to_json(value)
    assert isinstance(caught.value.__cause__, cause)
    assert caught.value.reason


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, GeneratorExit])
def test_an_interruption_passes_through(error):
    def interrupt(value: int) -> int:
        raise error

    class Interrupting(BaseModel):
        x: Annotated[int, AfterValidator(interrupt)]

    plan: Any = AnswerPlan(Interrupting)
    with pytest.raises(error):
        plan.to_json({"x": 1})
