"""Contenders take turns on fresh inputs, so that whatever else the machine does falls on all."""

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from statistics import median
from typing import Any

from .row import Aim, Contender, Effort, Outcome, Sample, judged

BATCH = 6  # inputs made ahead for each contender: more than any cache holds
SECONDS = 3.0  # what a row may take, its inputs included


def compare(
    contenders: Sequence[Contender],
    aims: Sequence[Aim],
    effort: Effort,
    *,
    rounds: int = 150,
    seconds: float = SECONDS,
    notes: Sequence[str] = (),
) -> Outcome:
    """Assert that all answer alike, measure them in turns, and assert it again."""
    assert_alike(contenders, seed=1)
    samples = take_turns(contenders, effort.rounds(rounds), seconds)
    if not effort.smoke:
        assert_alike(contenders, seed=2)
    made = samples[contenders[0].name].made
    inclusive = [f"making the input takes {made:.0f} µs more"] if made >= 10 else []
    return judged(samples, aims, [*inclusive, *notes])


def assert_alike(contenders: Sequence[Contender], *, seed: int) -> None:
    """Assert that every contender makes the same bytes of the same answer."""
    first = contenders[0]
    expected = first.shown(first.run(first.make(seed)))
    for other in contenders[1:]:
        found = other.shown(other.run(other.make(seed)))
        assert found == expected, (
            f"`{other.name}` answers otherwise than `{first.name}`:\n"
            f"{found[:400]!r}\n{expected[:400]!r}"
        )


def take_turns(
    contenders: Sequence[Contender], rounds: int, seconds: float = SECONDS, batch: int = BATCH
) -> dict[str, Sample]:
    """Measure each contender `rounds` times, or until the time is up; each input is used once."""
    taken: dict[str, list[float]] = {one.name: [] for one in contenders}
    made: dict[str, list[float]] = {one.name: [] for one in contenders}
    end = time.monotonic() + seconds
    seed = 10
    with collector_off():
        while seed < 10 + rounds and (seed == 10 or time.monotonic() < end):
            seeds = range(seed, min(seed + batch, 10 + rounds))
            pools = [
                [_timed(one.make, each, made[one.name]) for each in seeds] for one in contenders
            ]
            for turn in range(len(seeds)):
                for one, pool in zip(contenders, pools, strict=True):
                    _timed(one.run, pool[turn], taken[one.name])
            seed += len(seeds)
            del pools
            gc.collect()
    return {name: Sample(tuple(times), made=median(made[name])) for name, times in taken.items()}


def _timed(run: Callable[[Any], object], value: object, times: list[float]) -> object:
    start = time.perf_counter_ns()
    answer = run(value)
    times.append((time.perf_counter_ns() - start) / 1000)
    return answer


@contextmanager
def collector_off() -> Iterator[None]:
    """Keep the collector from running inside a measurement; one row measures it on and off."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
