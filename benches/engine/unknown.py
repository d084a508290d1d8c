"""Ten schemas from a seed that the code doesn't know must reach 60 % of each ratio."""

from collections.abc import Callable, Sequence
from functools import partial
from statistics import geometric_mean
from typing import Any

import orjson
from pydantic import TypeAdapter

import polyface as pf

from ..measure import assert_alike, take_turns
from ..opponents import by_hand, by_pydantic
from ..row import Contender, Effort, Outcome, Row, Sample, Verdict, best
from ..workload.unknown import Unknown, unknown
from .answers import variants, whole_call

SCHEMAS = 10
SHARE = 0.6


def _list_of(row: type) -> Any:
    return list.__class_getitem__(row)  # a type that is made at run time


def _whole(schema: Unknown, *, report: bool) -> list[Contender]:
    rows, shown = _list_of(schema.full), _list_of(schema.view)
    plan: Any = pf.AnswerPlan(rows, view=shown)
    full: Any = TypeAdapter(rows)
    view: Any = TypeAdapter(shown)
    names = by_pydantic.declared(schema.full)
    scope: dict[str, Any] = {"dumps": orjson.dumps, "UTC_Z": by_hand.UTC_Z}
    # Written out for each schema, as a user would write it: a loop over names would be slower.
    source = f"lambda rows: dumps([{schema.source} for row in rows], option=UTC_Z)"
    slice_by_hand: Callable[[Any], bytes] = eval(source, scope)

    def wrapped(run: Callable[[Any], bytes], value: Any) -> bytes:
        if report:
            by_pydantic.undeclared(value, names)
        return by_hand.result(run(value))

    cards = by_pydantic.cards(full, view, {"__all__": schema.include})
    return [
        Contender("polyface", whole_call(plan, report=report), schema.rows),
        *variants("pydantic", {k: partial(wrapped, run) for k, run in cards.items()}, schema.rows),
        Contender("by hand", lambda rows: by_hand.result(slice_by_hand(rows)), schema.rows),
    ]


def _full(schema: Unknown) -> list[Contender]:
    plan: Any = pf.AnswerPlan(_list_of(schema.full))
    adapter: Any = TypeAdapter(_list_of(schema.full))
    return [
        Contender("polyface", plan.to_json, schema.rows),
        Contender(
            "pydantic",
            lambda value: adapter.dump_json(adapter.validate_python(value)),
            schema.rows,
        ),
        Contender("by hand", by_hand.whole, schema.plain_rows),
    ]


def _measure(
    effort: Effort,
    *,
    contenders_of: Callable[[Unknown], Sequence[Contender]],
    pydantic: float,
    hand: float,
) -> Outcome:
    first = effort.seed * 100
    each: list[dict[str, Sample]] = []
    for seed in range(first, first + (2 if effort.smoke else SCHEMAS)):
        contenders = contenders_of(unknown(seed))
        assert_alike(contenders, seed=1)
        each.append(take_turns(contenders, effort.rounds(12), 2))
    samples = {name: Sample(tuple(one[name].median for one in each)) for name in each[0]}
    ratios = [best(one, "pydantic") / best(one, "polyface") for one in each]
    shares = [best(one, "polyface") / best(one, "by hand") for one in each]
    ratio, share = geometric_mean(ratios), geometric_mean(shares)
    least, most = pydantic * SHARE, hand / SHARE
    verdicts = (
        Verdict(f"≥ {least:g} × pydantic ({SHARE:.0%} of {pydantic:g})", ratio, ratio >= least),
        Verdict(f"≤ {most:.3g} × by hand ({hand:g} ÷ {SHARE:.0%})", share, share <= most),
    )
    worst = f"the worst: {min(ratios):.1f} × pydantic, {max(shares):.2f} × by hand"
    seeds = f"{len(each)} schemas from seed {effort.seed}; judged on the geometric mean"
    return Outcome(samples, verdicts, (worst, seeds))


def unknown_rows() -> list[Row]:
    """The rows of schemas that nobody knew."""
    kinds: list[tuple[str, str, Any, float, float]] = [
        ("whole", "whole call with the report", partial(_whole, report=True), 25, 0.6),
        ("silent", "whole call without the report", partial(_whole, report=False), 13, 0.6),
        ("full", "dict rows → checked full JSON", _full, 9, 0.7),
    ]
    return [
        Row(
            f"unknown-{key}",
            f"{words}, {SCHEMAS} random schemas",
            partial(_measure, contenders_of=contenders, pydantic=pydantic, hand=hand),
        )
        for key, words, contenders, pydantic, hand in kinds
    ]
