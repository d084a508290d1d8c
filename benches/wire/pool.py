"""Answers made before a measurement, each given out once."""

from collections.abc import Callable
from typing import Any


class Pool:
    """Holds fresh answers for the handlers of one server.

    Every answer has the same content, so that every response has the same bytes, and no two share
    an object.

    Args:
        make: seed → an answer.
    """

    def __init__(self, make: Callable[[int], Any]) -> None:
        self._make = make
        self._answers: list[Any] = []

    def fill(self, count: int) -> None:
        """Make `count` answers, and drop those that were left."""
        self._answers = [self._make(0) for _ in range(count)]

    def take(self) -> Any:
        """Give out an answer. Raises `IndexError` rather than give one out again."""
        return self._answers.pop()
