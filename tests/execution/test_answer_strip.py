"""The report of the undeclared keys that the full schema removed."""

from collections import Counter, OrderedDict
from types import MappingProxyType
from typing import Annotated, Any, Literal

import pytest
from hypothesis import assume, given, note
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field

from polyface.execution.answer import AnswerPlan
from polyface.schema.adapter import Schema
from polyface.schema.strip import StripEntry, reports_in_core, undeclared_keys
from tests.execution.twin_cases import cases
from tests.fuzz import examples


def report_of(plan: AnswerPlan, value: object) -> tuple[StripEntry, ...]:
    told: list[tuple[StripEntry, ...]] = []
    plan.to_json(value, on_strip=told.append)
    assert len(told) <= 1
    return told[0] if told else ()


@given(cases(moods=["loose"]))
@examples(250)
def test_each_undeclared_key_of_a_dict_is_reported_once_for_each_time_it_was_given(case):
    assume(case.kind.seen)
    plan = AnswerPlan(case.type)
    for one in case.values:
        if one.tainted:
            continue
        try:
            report = report_of(plan, one.value)
        except ValueError:
            continue
        note(f"{case.type}\n  {one}\n  {report}")
        assert {entry.path: entry.count for entry in report} == Counter(one.undeclared)


@given(cases(moods=["loose", "exact"]))
@examples(200)
def test_the_core_and_the_walk_report_alike_and_the_bytes_do_not_change(case):
    shape = Schema(case.type).shape
    assume(reports_in_core(shape))
    plan = AnswerPlan(case.type)
    for one in case.values:
        told = plan._plan.write_reporting(one.value)
        assert (told and told[0]) == plan._plan.write(one.value)
        if told is not None:
            note(f"{case.type}\n  {one}\n  {told}")
            assert tuple(StripEntry(*entry) for entry in told[1]) == undeclared_keys(
                shape, one.value
            )


class Address(BaseModel):
    city: str


class Person(BaseModel):
    id: int
    address: Address | None = None
    old: list[Address] = []
    by_name: dict[str, Address] = {}
    pair: tuple[Address, int] | None = None


class AddressCard(BaseModel):
    city: str


class Card(BaseModel):
    id: int


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    id: int


class Aliased(BaseModel):
    id: int = Field(alias="ID")


class Chosen(BaseModel):
    id: int = Field(validation_alias=AliasChoices("a", AliasPath("deep", "id")))


class Cat(BaseModel):
    kind: Literal["cat"] = Field(alias="kindOf")
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"] = Field(alias="kindOf")
    tail: int


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
ROME = {"city": "Rome", "zip": 1}


@pytest.mark.parametrize(
    ("type_", "value", "entries"),
    [
        (Person, {"id": 1}, []),
        (Person, {"id": 1, "x": 2}, [("x", 1, None)]),
        (Person, {"id": 1, "y": 2, "address": ROME, "x": 3}, [("y", 1, None), ("x", 1, None), ("address.zip", 1, None)]),
        (list[Person], [{"id": 1}, {"id": 2, "x": 1}, {"id": 3, "x": 1}], [("[].x", 2, 1)]),
        (list[Person], [{"id": 1, "old": [ROME, ROME]}, {"id": 2, "old": [ROME]}], [("[].old[].zip", 3, 0)]),
        (list[Person], [{"id": 1}, {"id": 2, "old": [ROME]}], [("[].old[].zip", 1, 1)]),
        (Person, {"id": 1, "by_name": {"a": ROME, "b": ROME}}, [("by_name.*.zip", 2, None)]),
        (Person, {"id": 1, "pair": (ROME, 1)}, [("pair[].zip", 1, 0)]),
        (Person, {"id": 1, 5: 6}, [("[5]", 1, None)]),
        (Person, OrderedDict(id=1, x=2), [("x", 1, None)]),
        (Person, MappingProxyType({"id": 1, "x": 2}), [("x", 1, None)]),
        (list[Person], ({"id": 1, "x": 2},), [("[].x", 1, 0)]),
        (Person, Person.model_construct(id=1, address=Address(city="x")), []),
        (Open, {"id": 1, "x": 2}, []),
        (Chosen, {"deep": {"id": 1, "z": 2}, "x": 1}, [("x", 1, None)]),
        (Chosen, {"a": 1, "id": 1}, [("id", 1, None)]),
        (Aliased, {"ID": 1, "id": 2}, [("id", 1, None)]),
        (Pet, {"kindOf": "cat", "lives": 9, "tail": 1}, [("tail", 1, None)]),
    ],
)  # fmt: skip
def test_a_report_has_the_path_the_count_and_the_first_index(type_, value, entries):
    wanted = tuple(StripEntry(*entry) for entry in entries)
    assert report_of(AnswerPlan(type_), value) == wanted
    assert undeclared_keys(Schema(type_).shape, value) == wanted


def test_what_a_slice_cuts_is_never_reported_but_what_is_undeclared_below_it_is():
    plan: Any = AnswerPlan(list[Person], view=list[Card])
    assert report_of(plan, [{"id": 1, "address": ROME}]) == (StripEntry("[].address.zip", 1, 0),)
    assert report_of(plan, [{"id": 1, "address": {"city": "Rome"}}]) == ()


def test_a_value_that_only_pydantic_reads_is_reported_too():
    plan = AnswerPlan(list[Person])
    assert plan._plan.write_reporting([{"id": "1", "x": 2}]) is not None
    assert report_of(plan, [{"id": "1", "x": 2}]) == (StripEntry("[].x", 1, 0),)
    assert plan._plan.write_reporting(MappingProxyType({"id": 1})) is None
