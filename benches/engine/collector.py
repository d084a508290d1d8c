"""Whether the garbage collector notices: the same calls with it on and off."""

import gc
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from ..opponents import by_pydantic
from ..row import Effort, Outcome, Row, Sample, Verdict
from ..workload import rows
from ..workload.people import Card, Person
from .answers import plan, whole_call

CALLS = 180  # all of them are judged: the best of several runs flatters whoever is disturbed least


def _series(run: Callable[[Any], Any], calls: int) -> tuple[list[float], list[float]]:
    """Time calls with the collector on and off in turns, each from a clean state."""
    on: list[float] = []
    off: list[float] = []
    for seed in range(calls):
        for taken, collects in ((on, True), (off, False)):
            value = rows.rows(seed)
            gc.collect()
            if not collects:
                gc.disable()
            start = time.perf_counter_ns()
            run(value)
            taken.append((time.perf_counter_ns() - start) / 1000)
            gc.enable()
    return on, off


def _measure(effort: Effort, *, count: int) -> Outcome:
    ours = whole_call(plan(list[Person], list[Card]), report=True)
    theirs = next(iter(by_pydantic.cards().values()))
    assert plan(list[Person], list[Card]).to_json(rows.rows(0)) == theirs(rows.rows(0))
    on, off = _series(ours, effort.rounds(count))
    samples = {"polyface": Sample(tuple(on)), "polyface, collector off": Sample(tuple(off))}
    for name, taken in zip(
        ("pydantic, collector on", "pydantic, collector off"),
        _series(theirs, effort.rounds(count // 6)),
        strict=True,
    ):
        samples[name] = Sample(tuple(taken))
    ratio = samples["polyface"].mean / samples["polyface, collector off"].mean
    tail = samples["polyface"].p99 / samples["polyface"].median
    verdicts = (
        Verdict("mean, on ÷ off ≤ 1.05", ratio, ratio <= 1.05),
        Verdict("p99 ≤ 2 × median, collector on", tail, tail <= 2),
    )
    return Outcome(samples, verdicts, (f"{len(on)} calls of ours each way, in turns",))


def collector_rows() -> list[Row]:
    """The row of the collector."""
    title = "whole call, collector on ÷ off, and its slowest calls"
    return [Row("collector", title, partial(_measure, count=CALLS))]
