"""Which names in a type are looked up, and where."""

from typing import Annotated, Any, Literal, NamedTuple, NewType

import pytest
from pydantic import BaseModel, Field

import polyface as pf
from polyface.schema.adapter import Schema
from tests.contract.faults import faults_of


class Node(BaseModel):
    name: str
    children: "list[Node]" = []
    other: "Later | None" = None


class Later(BaseModel):
    n: int


class Pair(NamedTuple):
    left: "Later"


class Borrowed(BaseModel):
    record: "Record"  # type: ignore[name-defined]  # noqa: F821  # a name of polyface's own


Supposed = NewType("Supposed", "Record")  # type: ignore[name-defined, valid-newtype]  # noqa: F821
Text: Any = {"task": "Task", "list": list["Task"], "dict": dict[str, "Task"]}  # type: ignore[name-defined]  # noqa: F821


@pytest.mark.parametrize("type_", [*Text.values(), Annotated["Task", 3]])  # noqa: F821
def test_a_type_in_text_is_refused_with_the_remedy(type_):
    [fault] = faults_of(lambda: Schema(type_))
    assert fault.endswith("can't be looked up from here; write `Task` without quotes.")


@pytest.mark.parametrize("item", ["T", list["T"], "Any"])  # type: ignore[name-defined]  # noqa: F821
def test_a_streams_item_in_text_is_refused_on_the_line_of_its_endpoint(item):
    [fault] = faults_of(lambda: pf.get("", desc="All.", response=pf.Stream(item=item)))
    assert fault.startswith("`GET /`: `Stream(item=...)`: ")
    assert fault.endswith("without quotes.")


@pytest.mark.parametrize("type_", [Borrowed, list[Borrowed], Supposed], ids=str)
def test_a_name_is_never_looked_up_in_polyface(type_):
    [fault] = faults_of(lambda: Schema(type_))
    assert "refers to `Record`, which isn't defined yet" in fault


def test_a_models_own_references_are_found_in_its_module():
    schema: Schema[Any] = Schema(Node)
    given = b'{"name":"a","children":[{"name":"b"}],"other":{"n":1}}'
    assert schema.parse_json(given).children[0].name == "b"
    pair: Schema[Any] = Schema(Pair)
    assert pair.parse_json(b'[{"n":1}]').left == Later(n=1)


def test_text_that_is_no_type_stays_what_it_is():
    literal: Schema[Any] = Schema(Literal["Task"])
    assert literal.parse_json(b'"Task"') == "Task"
    noted: Schema[Any] = Schema(Annotated[int, Field(description="Task"), "Task"])
    assert noted.parse_json(b"1") == 1
