"""Hypothesis strategies of whole cases: a type, values for it, a slice of it."""

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from hypothesis import assume, reject
from hypothesis import strategies as st

import tests.execution.twin_choices  # noqa: F401  # adds its kinds
from tests.execution.twin_answer import adapter_of, advertised
from tests.execution.twin_types import Choose, Kind, Making, Mood, random_kind

MOODS: Sequence[Mood] = ("exact", "loose", "wild")


@dataclass(frozen=True)
class Given:
    """One value of a case, with what is known of how it was made."""

    value: Any
    mood: Mood
    tainted: bool
    undeclared: list[str]


@dataclass(frozen=True)
class Case:
    """A type, a slice of it where one is asked for, and values."""

    kind: Kind
    view: Any
    as_it_is: bool
    values: list[Given]

    @property
    def type(self) -> Any:
        return self.kind.annotation


@cache
def _up_to(count: int) -> st.SearchStrategy[int]:
    return st.integers(0, count - 1)


@st.composite
def cases(
    draw: st.DrawFn,
    *,
    sliced: bool = False,
    moods: Sequence[Mood] = MOODS,
    count: int = 4,
    depths: Sequence[int] = (1, 2, 2, 3),
) -> Case:
    def choose(some: Sequence[Any]) -> Any:
        return some[draw(_up_to(len(some)))]

    kind = _kind(choose, choose(depths))
    slicing = Making(choose, "exact")
    view = None
    if sliced:
        view = kind.view(slicing)
        _must_be_a_type(view)
    values = []
    for _ in range(count):
        making = Making(choose, choose(moods))
        value = kind.make(making, "")
        values.append(Given(value, making.mood, making.tainted, making.undeclared))
    return Case(kind, view, slicing.as_it_is, values)


def _kind(choose: Choose, depth: int) -> Kind:
    kind = random_kind(choose, depth)
    _must_be_a_type(kind.annotation)
    return kind


def _must_be_a_type(type_: Any) -> None:
    """Leave out what pydantic can't make a schema of."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            adapter_of(type_)
            advertised(type_)
        except Exception:  # noqa: BLE001  # pydantic's to refuse, in many ways
            reject()


def in_core(case: Case) -> None:
    assume(case.kind.in_core)
