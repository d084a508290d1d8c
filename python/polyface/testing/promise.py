"""The promises of a tool view, each a function that raises when it is broken.

Every promise raises on a line of its own, because Hypothesis shrinks towards the same line.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Any

from ..contract.projection import ProjectionCall
from ..contract.tool import ToolView
from ..execution.answer import AnswerError, AnswerPlan
from ..schema.adapter import Schema
from ..schema.fit import same_shape
from ..schema.slice_check import SliceCheck
from .prune import prune, read_exactly, write_exactly
from .secret import find_field, find_value

__all__ = ["BrokenPromise", "Trial", "ViewUnderTest"]


class BrokenPromise(AssertionError):
    """A tool view broke a promise."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One full answer and the call that a projection sees with it.

    Args:
        value: what the handler would have returned.
        full: the validated full answer.
        input: the parsed input.
        source: the transport's tag.
    """

    value: Any
    full: Any
    input: Any
    source: str

    def __str__(self) -> str:
        lines = [f"  full answer: {self.value!r}"]
        if self.input is not None:
            lines.append(f"  input: {self.input!r}")
        return "\n".join([*lines, f"  source: {self.source}"])


class ViewUnderTest:
    """A view, its endpoint's full schema and the keys that its answers may not have.

    Args:
        place: how messages name the endpoint.
        output: the full schema.
        view: the view.
        forbidden: keys that may not be left.
    """

    def __init__(
        self, place: str, output: Schema[Any], view: ToolView, forbidden: frozenset[str]
    ) -> None:
        self.place = place
        self.output = output
        self._view = view
        self._forbidden = forbidden
        full: Any = output  # a schema, which a plan takes in place of its type
        self._plan: AnswerPlan[Any, Any] = (
            AnswerPlan(full, view=view.output)
            if view.project is None
            else AnswerPlan(view.output or full)
        )

    def hold(self, trial: Trial) -> None:
        """Check every promise on one full answer. Raises `BrokenPromise`."""
        before = self._seen(trial)
        written = self.output.law.dump(trial.full)
        first = self._answer(trial)
        self._hold_pure(trial, before)
        second = self._answer(trial)
        self._hold_pure(trial, before)
        self._hold_deterministic(trial, first, second)
        if self._view.project is None:
            self._hold_slice(trial, written, first)
            self._hold_accepted(trial, written, first)
        self._hold_private(trial, written, first)

    def _answer(self, trial: Trial) -> bytes:
        value = trial.value if self._view.project is None else self._project(trial)
        try:
            return self._plan.to_json(value)
        except AnswerError as error:
            what = "the answer" if self._view.project is None else f"{value!r}"
            raise BrokenPromise(
                self._told("isn't accepted by its schema", f"{what}: {error}", trial)
            ) from error

    def _project(self, trial: Trial) -> Any:
        assert self._view.project is not None
        try:
            derived = self._view.project(trial.full, ProjectionCall(trial.input, trial.source))
        except Exception as error:
            told = f"the projection raised {type(error).__name__}: {error}"
            raise BrokenPromise(self._told("isn't total", told, trial)) from error
        if inspect.isawaitable(derived):
            if inspect.iscoroutine(derived):
                derived.close()
            told = "the projection returned an awaitable"
            raise BrokenPromise(self._told("isn't synchronous", told, trial))
        return derived

    def _seen(self, trial: Trial) -> tuple[str, str, str]:
        return (
            repr(trial.full),
            self.output.adapter.dump_json(trial.full).decode(),
            repr(trial.input),
        )

    def _hold_pure(self, trial: Trial, before: tuple[str, str, str]) -> None:
        names = ("the full answer", "the full answer", "the input")
        for name, one, other in zip(names, before, self._seen(trial), strict=True):
            if one != other:
                told = f"{name} was changed\n  before: {one}\n  after: {other}"
                raise BrokenPromise(f"{self.place}: the tool view isn't pure: {told}")

    def _hold_deterministic(self, trial: Trial, first: bytes, second: bytes) -> None:
        if first != second:
            told = f"two answers differ\n  {first.decode()}\n  {second.decode()}"
            raise BrokenPromise(self._told("isn't deterministic", told, trial))

    def _hold_slice(self, trial: Trial, written: bytes, answer: bytes) -> None:
        shape = None if self._view.output is None else self._view.output.shape
        full, told = read_exactly(written), read_exactly(answer)
        expected = full if shape is None else prune(self.output.shape, shape, full)
        pruned, given = write_exactly(expected), write_exactly(told)
        if pruned != given:
            broken = f"it isn't the full answer pruned\n  pruned: {pruned}\n  answer: {given}"
            raise BrokenPromise(self._told("isn't a slice", broken, trial))

    def _hold_accepted(self, trial: Trial, written: bytes, answer: bytes) -> None:
        view = self._view.output
        if view is None or same_shape(self.output.shape, view.shape):
            return
        if SliceCheck(self.output).fault(written) is not None:
            return  # what the full schema itself doesn't read again, a slice of it needn't either
        fault = SliceCheck(view, self.output).fault(answer)
        if fault is not None:
            told = f"{fault}\n  answer: {answer.decode()}"
            raise BrokenPromise(self._told("isn't accepted by its schema", told, trial))

    def _hold_private(self, trial: Trial, written: bytes, answer: bytes) -> None:
        if not self._forbidden:
            return
        told = read_exactly(answer)
        path = find_field(told, self._forbidden)
        if path is not None:
            left = f"`{path}` is left\n  answer: {answer.decode()}"
            raise BrokenPromise(self._told("isn't private", left, trial))
        leaked = find_value(told, read_exactly(written), self._forbidden)
        if leaked is not None:
            left = f"the forbidden value {leaked!r} is told\n  answer: {answer.decode()}"
            raise BrokenPromise(self._told("isn't private", left, trial))

    def _told(self, promise: str, what: str, trial: Trial) -> str:
        return f"{self.place}: the tool view {promise}: {what}\n{trial}"
