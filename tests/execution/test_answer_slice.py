"""A slice keeps bytes: what it keeps, when it is refused, and that what was proved never fails."""

import pytest
from hypothesis import assume, given, note

from polyface.errors import DeclarationError
from polyface.execution.answer import AnswerPlan
from tests.execution.test_answer_law import answer_of, may_refuse, twin_of
from tests.execution.twin_answer import is_advertised, pruned_json, slice_holds
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
    from pydantic import BaseModel

    class Inner(BaseModel):
        b: int

    class Card(BaseModel):
        a: float
        inner: list[Inner]

    row = b'{"a":1.50,"x":"\\"{]","inner":[{"c":[{}],"b":1}]}'
    kept = b'{"a":1.50,"inner":[{"b":1}]}'
    rows = b"[" + b",".join([row] * count) + b"]"
    assert pruned_json(list[Card], rows) == b"[" + b",".join([kept] * count) + b"]"
