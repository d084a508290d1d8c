"""Drawing again until validation accepts, and saying so when it never does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from hypothesis import reject
from hypothesis import strategies as st

from ..errors import DeclarationError

__all__ = ["Sieve", "Values"]

Values: TypeAlias = st.SearchStrategy[Any]

TRIES = 12
HOPELESS_AFTER = 120


class Sieve:
    """What one part of a type lets through.

    Args:
        accepts: whether a value is accepted.
        what: how the refusal names the part.
        remedy: what the refusal tells the reader to write.

    Attributes:
        accepted: how many values were accepted so far.
        refused: how many weren't.
    """

    def __init__(self, accepts: Callable[[Any], bool], what: str, remedy: str) -> None:
        self._accepts = accepts
        self._what = what
        self._remedy = remedy
        self.accepted = 0
        self.refused = 0

    def sift(self, values: Values) -> Values:
        """Return the values that are accepted.

        Drawing raises `DeclarationError` once many were refused and none accepted.
        """
        return _sifted(values, self)

    def lets_through(self, value: Any) -> bool:
        """Ask whether a value is accepted, and count the answer."""
        accepted = self._accepts(value)
        self.accepted += accepted
        self.refused += not accepted
        return accepted

    def refuse_if_hopeless(self) -> None:
        """Raise if nothing has ever passed."""
        if self.accepted == 0 and self.refused >= HOPELESS_AFTER:
            raise DeclarationError(
                f"None of {self.refused} values generated for {self._what} was accepted by its "
                f"validation; {self._remedy}"
            )


@st.composite
def _sifted(draw: st.DrawFn, values: Values, sieve: Sieve) -> Any:
    for _ in range(TRIES):
        value = draw(values)
        if sieve.lets_through(value):
            return value
    sieve.refuse_if_hopeless()
    reject()
