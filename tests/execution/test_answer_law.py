"""The engine writes what pydantic would, or refuses what pydantic refuses; the twin says which."""

from typing import Any

import pytest
from hypothesis import given, note
from pydantic import create_model

from polyface.execution.answer import AnswerError, AnswerPlan
from tests.execution.twin_answer import (
    Refusal,
    bare_json,
    full_json,
    has_default_of_another_type,
    still_fits,
)
from tests.execution.twin_cases import Case, Given, cases
from tests.execution.twin_leaves import SCALARS
from tests.fuzz import examples


def answer_of(plan: AnswerPlan, value: object) -> bytes | str:
    """The bytes, or why there are none."""
    try:
        return plan.to_json(value)
    except AnswerError as error:
        return f"refused: {error}"


def twin_of(type_: object, value: object) -> bytes | str:
    try:
        return full_json(type_, value)
    except Refusal as refusal:
        return f"refused: {refusal}"


def may_refuse(case: Case, one: Given) -> bool:
    """Whether an instance was changed so that it no longer fits: pydantic alone would write it.

    Which member of a plain union a changed instance was of, the twin can't tell, nor which of them
    a default of another type belongs to.
    """
    if not case.kind.seen and has_default_of_another_type(case.type):
        return True
    return one.tainted and (not case.kind.seen or not still_fits(case.type, one.value))


@given(cases())
@examples(700)
def test_an_answer_is_what_pydantic_writes_byte_for_byte(case):
    plan = AnswerPlan(case.type)
    for one in case.values:
        wanted, got = twin_of(case.type, one.value), answer_of(plan, one.value)
        note(f"{case.type}\n  value  {one}\n  wanted {wanted!r}\n  got    {got!r}")
        if isinstance(got, bytes):
            assert got == wanted
        else:
            assert isinstance(wanted, str) or may_refuse(case, one)


@given(cases(moods=["exact"], count=3))
@examples(300)
def test_exact_values_are_written_without_asking_pydantic(case):
    plan = AnswerPlan(case.type)
    for one in case.values:
        written = plan._plan.write(one.value)
        wanted = twin_of(case.type, one.value)
        note(f"{case.type}\n  value  {one}\n  wanted {wanted!r}\n  got    {written!r}")
        if (case.kind.in_core and isinstance(wanted, bytes)) or written is not None:
            assert written == wanted


@given(cases(moods=["exact", "loose"], count=3))
@examples(150)
def test_the_same_answer_comes_twice_and_the_value_stays_as_it_was(case):
    plan = AnswerPlan(case.type)
    for one in case.values:
        shown = repr(one.value)
        assert answer_of(plan, one.value) == answer_of(plan, one.value)
        assert repr(one.value) == shown


@given(cases(moods=["wild"], count=3))
@examples(150)
def test_what_pydantic_alone_refuses_is_never_answered(case):
    plan = AnswerPlan(case.type)
    for one in case.values:
        try:
            bare_json(case.type, one.value)
        except Refusal:
            assert isinstance(answer_of(plan, one.value), str)


FAST = [one for one in SCALARS if one.in_core]


@pytest.mark.parametrize("one", FAST, ids=[str(SCALARS.index(one)) for one in FAST])
def test_the_core_itself_writes_every_exact_value_of_what_it_knows(one):
    """Nothing above could tell if every answer went to pydantic; this can."""
    plan: Any = AnswerPlan(one.annotation)
    rows: Any = AnswerPlan(list[one.annotation])  # type: ignore[name-defined]  # made at run time
    known = create_model("Known", x=(one.annotation, ...), y=(one.annotation, one.exact[0]))
    model: Any = AnswerPlan(known)
    for value in one.exact:
        assert plan._plan.write(value) == full_json(one.annotation, value)
        assert rows._plan.write([value]) == b"[%s]" % plan.to_json(value)
        assert model._plan.write({"x": value}) == full_json(known, {"x": value})
        assert model._plan.write(known(x=value)) == full_json(known, known(x=value))


def test_the_core_gives_up_where_it_must():
    assert AnswerPlan(int)._plan.write("not a number") is None
    assert AnswerPlan(dict[str, int])._plan.write({1: 1}) is None
