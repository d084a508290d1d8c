"""What a row of the table is: who takes part, what is to be reached, what came out."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean, median
from typing import Any

OURS = "polyface"


@dataclass(frozen=True, slots=True)
class Effort:
    """How long to measure. A smoke run is one round of everything, for its answers alone."""

    smoke: bool = False
    seed: int = 0

    def rounds(self, count: int) -> int:
        return 1 if self.smoke else count


@dataclass(frozen=True, slots=True)
class Sample:
    """What one contender took, in its unit, each time."""

    taken: tuple[float, ...]
    unit: str = "µs"
    made: float = 0.0  # what making its input took, in the median; never part of `taken`

    @property
    def median(self) -> float:
        return median(self.taken)

    @property
    def mean(self) -> float:
        return mean(self.taken)

    @property
    def p99(self) -> float:
        return sorted(self.taken)[min(len(self.taken) - 1, int(len(self.taken) * 0.99))]


@dataclass(frozen=True, slots=True)
class Verdict:
    """One goal and whether it is met."""

    goal: str
    value: float
    met: bool
    unit: str = "×"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a row measured: contender → sample, and the verdicts on its goals."""

    samples: Mapping[str, Sample]
    verdicts: tuple[Verdict, ...] = ()
    notes: tuple[str, ...] = ()

    def unjudged(self) -> "Outcome":
        """What is left of one round: that all answer alike; its times mean nothing."""
        return Outcome(self.samples, (), ("one round: its times mean nothing",))


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the table.

    Args:
        key: how it is chosen on the command line.
        title: what is measured.
        measure: measures it, having asserted that all contenders answer with the same bytes.
    """

    key: str
    title: str
    measure: Callable[[Effort], Outcome]


Aim = Callable[[Mapping[str, Sample]], Verdict]
Figure = Callable[[Sample], float]


def _median(sample: Sample) -> float:
    return sample.median


def best(samples: Mapping[str, Sample], group: str, figure: Figure = _median) -> float:
    """The best of an opponent's variants: `pydantic` is the best of `pydantic, include` and so on.

    Only polyface is taken by its name alone: it has one way.
    """
    if group in samples:
        return figure(samples[group])
    return min(figure(one) for name, one in samples.items() if name.startswith(f"{group}, "))


def faster(factor: float, group: str, *, figure: Figure = _median) -> Aim:
    """Aim at being `factor` times as fast as the best variant of an opponent."""

    def judge(samples: Mapping[str, Sample]) -> Verdict:
        ratio = best(samples, group, figure) / best(samples, OURS, figure)
        return Verdict(f"≥ {factor:g} × {group}", ratio, ratio >= factor)

    return judge


def within(share: float, group: str, *, ours: str = OURS, figure: Figure = _median) -> Aim:
    """Aim at taking at most `share` of what the best variant of an opponent takes."""

    def judge(samples: Mapping[str, Sample]) -> Verdict:
        ratio = best(samples, ours, figure) / best(samples, group, figure)
        return Verdict(f"≤ {share:g} × {group}", ratio, ratio <= share)

    return judge


@dataclass(frozen=True, slots=True)
class Contender:
    """One way to do what a row measures.

    Args:
        name: the opponent, and the variant behind a comma.
        run: what is measured.
        make: seed → a fresh input; not measured.
        shown: what `run` returned → the bytes that every contender must agree on.
    """

    name: str
    run: Callable[[Any], Any]
    make: Callable[[int], Any]
    shown: Callable[[Any], bytes] = field(default=bytes)


def judged(
    samples: Mapping[str, Sample], aims: Iterable[Aim], notes: Iterable[str] = ()
) -> Outcome:
    """Hold the samples against the aims."""
    return Outcome(samples, tuple(aim(samples) for aim in aims), tuple(notes))
