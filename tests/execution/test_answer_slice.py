"""A slice keeps bytes: what it keeps, when it is refused, and that what was proved never fails."""

from datetime import date
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import assume, given, note
from pydantic import AfterValidator, BaseModel, PlainSerializer, model_validator

from polyface.errors import DeclarationError
from polyface.execution.answer import AnswerError, AnswerPlan
from tests.execution.test_answer_law import answer_of, may_refuse, twin_of
from tests.execution.twin_answer import full_json, is_advertised, pruned_json, slice_holds
from tests.execution.twin_cases import cases
from tests.fuzz import examples


@given(cases(sliced=True))
@examples(500)
def test_a_slice_is_the_full_answer_less_the_keys_it_does_not_declare(case):
    try:
        plan = AnswerPlan(case.type, view=case.view)
    except DeclarationError:
        assume(False)
        return
    for one in case.values:
        full = twin_of(case.type, one.value)
        got = answer_of(plan, one.value)
        note(f"{case.type}\n  view  {case.view}\n  value {one}\n  full {full!r}\n  got  {got!r}")
        if isinstance(full, str):
            assert isinstance(got, str)
            continue
        wanted = pruned_json(case.view, full)
        holds = slice_holds(case.view, wanted)
        if isinstance(got, bytes):
            assert got == wanted
            assert is_advertised(case.view, got)
            assert holds or case.as_it_is
        elif not may_refuse(case, one):
            assert not holds
            assert not plan._proved


@pytest.mark.parametrize("count", [1, 3])
def test_the_twin_prunes_at_every_level(count):
    """The pruner of the twin, by hand, so that both sides can't be wrong together."""

    class Inner(BaseModel):
        b: int

    class Card(BaseModel):
        a: float
        inner: list[Inner]

    row = b'{"a":1.50,"x":"\\"{]","inner":[{"c":[{}],"b":1}]}'
    kept = b'{"a":1.50,"inner":[{"b":1}]}'
    rows = b"[" + b",".join([row] * count) + b"]"
    assert pruned_json(list[Card], rows) == b"[" + b",".join([kept] * count) + b"]"


def unchanged(value: object) -> object:
    return value


class Full(BaseModel):
    tags: set[str]
    price: str
    rows: list[dict[str, Any]] = []


class Undecided(BaseModel):
    """A validator of its own: each answer is checked."""

    tags: Annotated[set[str], AfterValidator(unchanged)]
    price: str | Annotated[Decimal, AfterValidator(unchanged)] = ""


class Sorting(BaseModel):
    rows: Annotated[list[Any], AfterValidator(lambda rows: rows[::-1])]


def test_a_set_may_come_in_any_order():
    plan: Any = AnswerPlan(Full, view=Undecided)
    value = {"tags": {"a", "b", "c", "d"}, "price": "1.5"}
    assert plan.to_json(value) == pruned_json(Undecided, full_json(Full, value))


def test_a_slice_that_would_rewrite_is_refused_with_the_first_place():
    plan: Any = AnswerPlan(Full, view=Sorting)
    value = {"tags": ["a"], "price": "1", "rows": [{"a": 1}, {"b": 1}]}
    with pytest.raises(AnswerError) as caught:
        plan.to_json(value)
    assert caught.value.path == "rows[0].a"
    assert caught.value.reason == "the slice would rewrite this; use `project=`"
    assert plan.to_json(value | {"rows": [{"a": 1}]}) == b'{"rows":[{"a":1}]}'


Shown = Annotated[int, PlainSerializer(lambda value: f"<{value}>", return_type=str)]


class Part(BaseModel):
    shown: Shown
    hidden: int = 0


class PartCard(BaseModel):
    shown: Shown


class Whole(BaseModel):
    shown: Shown
    listed: list[Shown]
    named: dict[str, Shown]
    maybe: Shown | None
    pair: tuple[Shown, int]
    part: Part
    parts: "list[Whole]" = []
    n: int


class WholeCard(BaseModel):
    """No proof, for `n`; and nothing else here is read back by its own type."""

    shown: Shown
    listed: list[Shown]
    named: dict[str, Shown]
    maybe: Shown | None
    pair: tuple[Shown, int]
    part: PartCard
    parts: "list[WholeCard]" = []
    n: Annotated[int, AfterValidator(unchanged)]


class WrongWholeCard(WholeCard):
    n: Annotated[int, AfterValidator(lambda value: value + 1)]


WHOLE: dict[str, Any] = {"shown": 1, "listed": [2], "named": {"x": 3}, "maybe": 4, "pair": (5, 6), "part": {"shown": 7}, "n": 8}  # fmt: skip


def test_what_has_the_full_answers_own_type_needs_no_second_check():
    plan = AnswerPlan(list[Whole], view=list[WholeCard])
    assert not plan._proved
    inner = b'"shown":"<1>","listed":["<2>"],"named":{"x":"<3>"},"maybe":"<4>","pair":["<5>",6],"part":{"shown":"<7>"}'
    leaf = b"{" + inner + b',"parts":[],"n":8}'
    assert (
        plan.to_json([WHOLE | {"parts": [WHOLE]}])
        == b"[{" + inner + b',"parts":[' + leaf + b'],"n":8}]'
    )


def test_what_has_another_type_is_checked_beside_what_has_the_same():
    plan = AnswerPlan(list[Whole], view=list[WrongWholeCard])
    with pytest.raises(AnswerError) as caught:
        plan.to_json([WHOLE])
    assert caught.value.path == "[0].n"


class Dated(BaseModel):
    day: date
    n: int


class SeesTyped(BaseModel):
    """Its validator finds a date, although the full answer has the very same field."""

    day: date
    n: int

    @model_validator(mode="after")
    def look(self) -> "SeesTyped":
        assert self.day.year == 2026
        return self


def test_a_validator_that_sees_the_record_sees_it_typed():
    plan = AnswerPlan(Dated, view=SeesTyped)
    assert not plan._proved
    assert plan.to_json({"day": date(2026, 1, 2), "n": 1}) == b'{"day":"2026-01-02","n":1}'
    with pytest.raises(AnswerError):
        plan.to_json({"day": date(2025, 1, 2), "n": 1})
