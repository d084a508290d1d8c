"""How a row judges: against the best variant of an opponent, and never answers that differ."""

import pytest

from benches.measure import assert_alike, take_turns
from benches.row import Contender, Outcome, Sample, best, faster, judged, within

SAMPLES = {
    "polyface": Sample((10.0, 12.0, 11.0)),
    "pydantic, slow": Sample((400.0,)),
    "pydantic, fast": Sample((220.0,)),
    "orjson": Sample((22.0,)),
}


@pytest.mark.parametrize(
    ("aim", "value", "met"),
    [
        pytest.param(faster(20, "pydantic"), 20.0, True, id="as fast as promised"),
        pytest.param(faster(20.1, "pydantic"), 20.0, False, id="not as fast"),
        pytest.param(within(0.5, "orjson"), 0.5, True, id="within the share"),
        pytest.param(within(0.49, "orjson"), 0.5, False, id="beyond the share"),
    ],
)
def test_a_goal_is_judged_on_medians_against_the_best_variant(aim, value, met):
    (verdict,) = judged(SAMPLES, [aim]).verdicts
    assert (verdict.value, verdict.met) == (value, met)


def test_an_opponent_that_was_not_measured_is_no_win():
    with pytest.raises(ValueError, match=r"min\(\)"):
        best(SAMPLES, "msgspec")


def test_one_round_is_not_judged():
    outcome: Outcome = judged(SAMPLES, [faster(1, "pydantic")]).unjudged()
    assert outcome.verdicts == ()
    assert outcome.samples == SAMPLES


def test_answers_that_differ_are_refused_by_name():
    contenders = [
        Contender("polyface", lambda value: b"[1]", lambda seed: seed),
        Contender("pydantic, careless", lambda value: b"[1.0]", lambda seed: seed),
    ]
    with pytest.raises(AssertionError, match="`pydantic, careless` answers otherwise"):
        assert_alike(contenders, seed=1)


def test_every_input_is_used_once_and_made_outside_the_time():
    used: list[object] = []
    contender = Contender("polyface", used.append, lambda seed: object())
    samples = take_turns([contender], rounds=20, seconds=60)
    assert len(samples["polyface"].taken) == 20
    assert len({id(value) for value in used}) == len(used) == 20
