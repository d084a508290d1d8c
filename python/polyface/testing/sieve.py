"""Drawing again until validation accepts, and saying so when it never does."""

from __future__ import annotations

import copy
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeAlias

from hypothesis import HealthCheck, Phase, find, reject, settings
from hypothesis import strategies as st
from hypothesis.errors import NoSuchExample

from ..errors import DeclarationError
from ..schema.part import Part

__all__ = ["Sieve", "Values", "fits_copy", "fits_or_not"]

Values: TypeAlias = st.SearchStrategy[Any]

TRIES = 12
HOPELESS_AFTER = 100
SEARCH = settings(
    max_examples=5 * HOPELESS_AFTER,  # many of them are alike
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=[
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
        HealthCheck.large_base_example,
        HealthCheck.too_slow,
    ],
)


class Sieve:
    """Values of one part of a type, as far as its validation accepts them.

    Args:
        values: what to try.
        accepts: whether a value is accepted.
        what: how messages name the part.
        remedy: what a reader is told to write when nothing is accepted.

    Attributes:
        accepted: how many values were accepted so far.
        refused: how many weren't.
    """

    def __init__(
        self, values: Values, accepts: Callable[[Any], bool], what: str, remedy: str
    ) -> None:
        self.values = values
        self.accepted = 0
        self.refused = 0
        self._accepts = accepts
        self._what = what
        self._remedy = remedy
        self._hopeless: bool | None = None

    def __repr__(self) -> str:
        """Name the part: this is what Hypothesis shows of a strategy."""
        return self._what

    @property
    def strategy(self) -> Values:
        """The accepted values; drawing raises `DeclarationError` when there seem to be none."""
        return st.nothing() if self.values.is_empty else accepted(self)

    def lets_through(self, value: Any) -> bool:
        """Ask whether a value is accepted, and count the answer."""
        if self._accepts(value):
            self.accepted += 1
            return True
        self.refused += 1
        return False

    def refuse_if_hopeless(self) -> None:
        """Raise if nothing was accepted yet and a search of its own finds nothing either.

        It is decided the first time that it is asked, so that a test which is run again ends as it
        did before: Hypothesis takes anything else for a strategy that depends on the outside.
        """
        if self._hopeless is None:
            self._hopeless = not self.accepted and self._search_finds_nothing()
        if self._hopeless:
            raise DeclarationError(
                f"None of {HOPELESS_AFTER} different values generated for {self._what} was "
                f"accepted by its validation; {self._remedy}"
            )

    def _search_finds_nothing(self) -> bool:
        # In a thread of its own: Hypothesis counts a search inside a test to the test.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(self._finds_nothing).result()

    def _finds_nothing(self) -> bool:
        seen: set[str] = set()

        def accepts(value: Any) -> bool:
            seen.add(repr(value))
            return self.lets_through(value)

        try:
            find(self.values, accepts, settings=SEARCH)
        except NoSuchExample:
            return len(seen) >= HOPELESS_AFTER
        return False


@st.composite
def accepted(draw: st.DrawFn, by: Sieve) -> Any:
    """Draw until the sieve accepts; give the example up after a dozen values."""
    for _ in range(TRIES):
        value = draw(by.values)
        if by.lets_through(value):
            return value
    by.refuse_if_hopeless()
    return reject()


def fits_copy(part: Part) -> Callable[[Any], bool]:
    """Ask with a copy, because a validator may change what it is given."""

    def fits(value: Any) -> bool:
        try:
            value = copy.deepcopy(value)
        except Exception:  # noqa: BLE001  # what can't be copied is shown as it is
            return part.fits_python(value)
        return part.fits_python(value)

    return fits


def fits_or_not(accepts: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Take any failure for a refusal, where a validator is shown what it may not expect."""

    def fits(value: Any) -> bool:
        try:
            return accepts(value)
        except Exception:  # noqa: BLE001  # a guess may be wrong in any way
            return False

    return fits
