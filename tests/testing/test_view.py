"""`check_tool_view` passes right views and names the promise that a wrong one breaks."""

import asyncio
import itertools
import random
from dataclasses import dataclass
from typing import Any, NotRequired

import pytest
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

import polyface as pf
from polyface.execution.answer import AnswerPlan
from polyface.testing import check_tool_view


class Contact(TypedDict):
    email: str
    phone: NotRequired[str]


class Person(TypedDict):
    id: int
    name: str
    city: str | None
    contact: Contact
    born: NotRequired[str]


class Card(TypedDict):
    id: int
    name: str


class Line(TypedDict):
    text: str


class Search(BaseModel):
    words: list[str] = Field(default_factory=list)
    limit: int = Field(default=10, ge=1)


@dataclass
class Account:
    owner: str
    secret: str = Field(alias="secretKey")


# Right views are held a few times; a broken promise is found at once.
FEW = 25


def people(**view):
    """An endpoint that answers people, with a view."""
    endpoint = pf.get("/", desc="People.", input=Search, output=list[Person])
    return pf.with_tool_view(endpoint, **view)


def projected(project, **options):
    return people(output=list[Line], project=project, **options)


def caught(endpoint, **options) -> str:
    with pytest.raises(AssertionError) as error:
        check_tool_view(endpoint, **options)
    assert type(error.value) is AssertionError
    assert getattr(error.value, "__notes__", []) == []
    return str(error.value)


# --- right views ------------------------------------------------------------------------------


def test_a_slice_passes():
    check_tool_view(
        people(output=list[Card]), forbidden_fields=["email", "phone", "born"], max_examples=FEW
    )


def test_the_whole_answer_passes():
    check_tool_view(people(output=list[Person], defaults={"limit": 3}), max_examples=FEW)


def test_a_projection_passes():
    def project(full, call):
        assert isinstance(call.input, Search)
        return [{"text": f"{person['name']} of {person['city'] or '-'}"} for person in full]

    check_tool_view(projected(project), forbidden_fields=["contact"], max_examples=FEW)


def test_a_projection_within_the_full_schema_passes():
    view = people(project=lambda full, call: full[: call.input.limit])
    check_tool_view(view, max_examples=FEW)


def test_an_endpoint_without_input_passes():
    endpoint = pf.get("/", desc="A number.", output=float)
    check_tool_view(pf.with_tool_view(endpoint, output=str, project=lambda full, call: str(full)))


def test_the_projection_sees_the_view_defaults_and_every_tool_transport():
    seen = set()

    def project(full, call):
        seen.add((call.input.limit == 7, call.source))
        return []

    check_tool_view(projected(project, defaults={"limit": 7}), max_examples=50)
    assert seen == set(itertools.product([True, False], ["MCP", "AGENT"]))


def test_it_runs_as_many_examples_as_it_is_told():
    seen = []

    def project(full, call):
        seen.append(full)
        return []

    check_tool_view(projected(project), max_examples=7)
    assert len(seen) == 14  # twice each


# --- broken promises --------------------------------------------------------------------------


def test_a_projection_that_raises_on_none_is_not_total():
    message = caught(
        projected(lambda full, call: [{"text": person["city"].upper()} for person in full])
    )
    assert message.startswith(
        "`GET /`: the tool view isn't total: the projection raised AttributeError: "
        "'NoneType' object has no attribute 'upper'\n"
    )
    smallest = "[{'id': 0, 'name': '', 'city': None, 'contact': {'email': ''}}]"
    assert f"  full answer: {smallest}\n  input: Search(words=[], limit=1" in message


def test_the_cause_of_a_broken_promise_is_kept():
    with pytest.raises(AssertionError) as error:
        check_tool_view(projected(lambda full, call: full[0]))
    assert isinstance(error.value.__cause__, IndexError)


def test_a_projection_that_changes_the_full_answer_is_not_pure():
    def project(full, call):
        for person in full:
            person.pop("contact")
        return []

    message = caught(projected(project))
    assert "the tool view isn't pure: the full answer was changed\n" in message
    assert "before: [{'id': 0, 'name': '', 'city': None, 'contact': {'email': ''}}]" in message
    assert "after: [{'id': 0, 'name': '', 'city': None}]" in message


def test_a_projection_that_changes_the_input_is_not_pure():
    def project(full, call):
        call.input.words.append("x")
        return []

    assert "isn't pure: the input was changed" in caught(projected(project))


@pytest.mark.parametrize(
    "text",
    [lambda: str(random.Random().random()), map(str, itertools.count()).__next__],
    ids=["random", "counter"],
)
def test_a_projection_that_answers_differently_is_not_deterministic(text):
    message = caught(projected(lambda full, call: [{"text": text()}]))
    assert "the tool view isn't deterministic: two answers differ" in message


def test_an_async_projection_is_not_synchronous():
    async def project(full, call):
        await asyncio.sleep(0)

    # Behind a function that can't be seen to be asynchronous, or the declaration would refuse it.
    message = caught(projected(lambda full, call: project(full, call)))  # noqa: PLW0108
    assert "the tool view isn't synchronous: the projection returned an awaitable" in message


@pytest.mark.parametrize("wrong", [None, [{}], [{"text": 1}], "text"])
def test_an_answer_that_breaks_its_schema_is_not_accepted(wrong: Any):
    message = caught(projected(lambda full, call: wrong))
    assert f"the tool view isn't accepted by its schema: {wrong!r}: " in message
    assert "full answer: []" in message


def test_a_slice_that_rewrites_is_not_a_slice(monkeypatch):
    write = AnswerPlan.to_json

    def rewrite(self, value, **options):
        return write(self, value, **options).replace(b'"id"', b'"ID"')

    monkeypatch.setattr(AnswerPlan, "to_json", rewrite)
    message = caught(people(output=list[Card]))
    assert "the tool view isn't a slice: it isn't the full answer pruned" in message
    assert '  pruned: [{"id": 0, "name": ""}]\n  answer: [{"ID": 0, "name": ""}]' in message


def test_a_forbidden_field_that_is_left_is_told_by_its_path():
    message = caught(people(output=list[Person]), forbidden_fields=["phone"])
    assert "the tool view isn't private: `[0].contact.phone` is left" in message


@pytest.mark.parametrize(
    "leak",
    [
        lambda person: person["contact"]["email"],
        lambda person: f"Write to <{person['contact']['email'].upper()}>.",
        str,
    ],
    ids=["as it is", "in other words", "in a dump"],
)
def test_a_forbidden_value_that_is_told_under_another_name_is_found(leak):
    def project(full, call):
        return [{"text": leak(person)} for person in full]

    message = caught(projected(project), forbidden_fields=["email"])
    assert "the tool view isn't private: the forbidden value 'private00000000' is told" in message


def test_everything_below_a_forbidden_field_is_forbidden():
    def project(full, call):
        return [{"text": person["contact"].get("phone", "")} for person in full]

    assert "isn't private: the forbidden value" in caught(
        projected(project), forbidden_fields=["contact"]
    )


def test_a_forbidden_field_is_known_by_any_of_its_names():
    endpoint = pf.get("/", desc="An account.", output=Account)
    view = pf.with_tool_view(endpoint, output=Account)
    for name in ("secret", "secretKey"):
        message = caught(view, forbidden_fields=[name])
        assert "isn't private: `secretKey` is left" in message


def test_a_value_that_the_answer_may_tell_anyway_is_no_leak():
    person = {
        "id": 1,
        "name": "ada@example.org",
        "city": None,
        "contact": {"email": "ada@example.org"},
    }
    check_tool_view(
        projected(lambda full, call: [{"text": one["name"]} for one in full]),
        full=st.just([person]),
        forbidden_fields=["email"],
    )


# --- the caller's own strategies --------------------------------------------------------------


def test_full_answers_of_the_callers_own_are_used():
    seen = []
    person = {"id": 1, "name": "Ada", "city": None, "contact": {"email": "ada@example.org"}}

    def project(full, call):
        seen.extend(full)
        return []

    check_tool_view(projected(project), full=st.just([person]), max_examples=2)
    assert seen[0] == person


def test_a_full_answer_of_the_callers_own_that_breaks_its_schema_is_refused():
    message = caught(people(output=list[Card]), full=st.just([{"id": "x"}]))
    assert message.startswith("`GET /`: the full answer given breaks its own schema: `[0].id`")


@pytest.mark.parametrize("given", [{"limit": 4}, Search(limit=4)], ids=["arguments", "parsed"])
def test_inputs_of_the_callers_own_are_used(given: Any):
    seen = set()

    def project(full, call):
        seen.add(call.input.limit)
        return []

    check_tool_view(projected(project), input=st.just(given), max_examples=5)
    assert seen == {4}


def test_an_input_of_the_callers_own_that_is_refused_is_told():
    with pytest.raises(pf.DeclarationError, match=r"the input \{'limit': 0\} is refused"):
        check_tool_view(projected(lambda full, call: []), input=st.just({"limit": 0}))


def test_an_endpoint_without_a_view_is_refused():
    with pytest.raises(pf.DeclarationError, match=r"`GET /` has no tool view to check"):
        check_tool_view(pf.get("/", desc="Nothing.", output=int))


def test_a_forbidden_name_that_no_field_has_is_refused():
    with pytest.raises(pf.DeclarationError, match=r"no field of `list\[Person\]` is called `mail`"):
        check_tool_view(people(output=list[Card]), forbidden_fields=["mail"])


def test_generated_data_has_no_key_that_is_looked_for():
    class Sheet(TypedDict):
        mail: str
        cells: dict[str, str]
        rest: Any

    class Cells(TypedDict):
        cells: dict[str, str]
        rest: Any

    endpoint = pf.get("/", desc="A sheet.", output=Sheet)
    check_tool_view(pf.with_tool_view(endpoint, output=Cells), forbidden_fields=["mail"])


def test_a_forbidden_key_of_data_is_looked_for_in_answers_of_the_callers_own():
    endpoint = pf.get("/", desc="Anything.", output=dict[str, str])
    view = pf.with_tool_view(endpoint, output=dict[str, str])
    message = caught(view, full=st.just({"mail": "x"}), forbidden_fields=["mail"])
    assert "isn't private: `mail` is left" in message
