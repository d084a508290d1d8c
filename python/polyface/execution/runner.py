"""How one call runs, on every transport: read `Runner._stages` from top to bottom."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import anyio

from ..errors import INTERNAL_MESSAGE, OperationError, server_fault
from ..operations.call import Call, ProgressListener
from ..operations.operation import Operation
from ..schema.strip import StripEntry
from .answer import AnswerError, AnswerPlan
from .arguments import parse, split_arguments, with_defaults
from .hooks import Hooks, StripReport, ToolOutcome
from .limits import Limits
from .stages import (
    ContextFactory,
    after,
    answer,
    authorize,
    before,
    before_tool_call,
    broken_promise,
    handle,
    identify,
    opened,
    project,
    settle,
)

__all__ = ["Answer", "Arrival", "Runner", "ToolArrival"]

logger = logging.getLogger("polyface")
AnyCall: TypeAlias = Call[Any, Any, Any]
ErrorMap: TypeAlias = Mapping[type[Exception], Callable[[Any], OperationError] | OperationError]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """How an HTTP call came in.

    Args:
        source: the transport's tag.
        params: what the path captured, as JSON values.
        read_input: reads the query or the body; called after the call has been authorised.
        identity: who calls, where the transport knows; None asks `Hooks.identify`.
        request: the transport's own request object.
    """

    source: str
    params: Mapping[str, Any]
    read_input: Callable[[], Awaitable[bytes | Mapping[str, Any]]]
    identity: Any = None
    request: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolArrival:
    """How a tool call came in.

    Args:
        source: the transport's tag.
        arguments: one JSON object with params and input side by side.
        identity: who calls, where the transport knows; None asks `Hooks.identify`.
        request: the transport's own request object, where there is one.
        progress: who wants to hear of progress.
    """

    source: str
    arguments: Any
    identity: Any = None
    request: Any = None
    progress: ProgressListener | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """A call that succeeded.

    Args:
        body: the answer's JSON bytes; None for an operation without an output.
        call: the call, for what is to be done after the answer has been sent.
    """

    body: bytes | None
    call: AnyCall

    async def sent(self, threads: anyio.CapacityLimiter | None = None) -> None:
        """Run what the handler left for after the answer. Never raises."""
        for function, arguments in self.call._after_answer:
            try:
                await settle(function(*arguments))
            except Exception:
                logger.exception("%s: work after the answer failed", self.call.operation.label)


@dataclass(frozen=True, eq=False, kw_only=True)
class Runner:
    """Runs one operation. Built by a mount, once; holds nothing of any call.

    Args:
        operation: what runs.
        tool_surface: whether the callers are models, so that the operation's view applies. Told by
            the mount; the runner never looks at a call's source.
        hooks: the surface's hooks.
        context: the surface's context factory.
        limits: the surface's limits.
        errors: exceptions of the application's → the error that they are told as.
        threads: the surface's bound on sync handlers.
    """

    operation: Operation
    tool_surface: bool
    hooks: Hooks
    context: ContextFactory | None
    limits: Limits
    errors: ErrorMap
    threads: anyio.CapacityLimiter
    _plan: AnswerPlan[Any, Any] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Compile the answer's plan, so that the first call costs what every call costs."""
        operation, view = self.operation, self._view
        if operation.output is None:
            return
        if view is not None and view.project is not None:
            plan = AnswerPlan(view.output or operation.output)
        else:
            plan = AnswerPlan(operation.output, view=view.output if view is not None else None)
        object.__setattr__(self, "_plan", plan)

    @property
    def _view(self) -> Any:
        return self.operation.view if self.tool_surface else None

    async def run(self, arrival: Arrival | ToolArrival) -> Answer:
        """Run one call.

        Raises:
            OperationError: the call failed; its cause is attached for logs and never told.
        """
        started = time.perf_counter()
        call = _call(self.operation, arrival)
        body: bytes | None = None
        failure: OperationError | None = None
        try:
            with _deadline(self.operation.timeout_seconds) as scope:
                body = await self._stages(arrival, call)
            if scope.cancelled_caught:
                seconds = self.operation.timeout_seconds
                raise OperationError("REQUEST_TIMEOUT", f"The operation took over {seconds} s.")
            return Answer(body, call)
        except Exception as error:
            failure = self._failure(error)
            await self._observe(self.hooks.on_error, call, failure)
            if failure is error:
                raise
            raise failure from error
        finally:
            if isinstance(arrival, ToolArrival) and self.hooks.after_tool_call is not None:
                outcome = ToolOutcome(
                    call=call,
                    answer=body,
                    error=failure,
                    duration_seconds=time.perf_counter() - started,
                )
                with anyio.CancelScope(shield=True):
                    await self._observe(self.hooks.after_tool_call, outcome)

    async def _stages(self, arrival: Arrival | ToolArrival, call: AnyCall) -> bytes | None:
        operation, hooks, threads = self.operation, self.hooks, self.threads

        params, read_input = await self._arguments(arrival, call)
        call._params = parse(operation.params, params, what="path")
        call._identity = await identify(hooks, call, arrival.identity)
        await authorize(hooks, call)
        given = await read_input()
        call._input = parse(operation.input, given, what="input")
        body: bytes | None = None
        finished = False
        async with opened(self.context, call, threads) as context:
            call._context = context
            await before(hooks, call)
            value = await handle(operation, call, threads)
            value = await after(hooks, call, value)
            body = await self._answer(call, value)
            finished = True
        if not finished:
            raise server_fault(f"{operation.label}: the context swallowed the call's failure")
        return body

    async def _arguments(
        self, arrival: Arrival | ToolArrival, call: AnyCall
    ) -> tuple[Mapping[str, Any], Callable[[], Awaitable[bytes | Mapping[str, Any]]]]:
        """Return the params, and how to come by the input once the call is authorised."""
        if isinstance(arrival, Arrival):
            return arrival.params, arrival.read_input
        arguments = await before_tool_call(self.hooks, call, arrival.arguments)
        params, given = split_arguments(self.operation, arguments, max_depth=self.limits.max_depth)
        given = with_defaults(self._view, given, self.operation.input)

        async def read_input() -> Mapping[str, Any]:
            return given

        return params, read_input

    async def _answer(self, call: AnyCall, value: Any) -> bytes | None:
        """Check, view and write the handler's value, and tell who listens what was removed."""
        operation, view, reports = self.operation, self._view, list[StripReport]()
        origin = "handler"
        if view is not None and view.project is not None:
            try:
                value = project(operation, view, call, value)
            except AnswerError as error:
                raise broken_promise(operation, "the handler's answer", error) from error
            origin = "projection"

        def on_strip(entries: tuple[StripEntry, ...]) -> None:
            reports.append(
                StripReport(operation=operation, source=call.source, origin=origin, entries=entries)
            )

        listener = self.hooks.on_output_strip
        body = answer(operation, self._plan, value, None if listener is None else on_strip)
        for report in reports:
            await self._observe(listener, report)
        return body

    def _failure(self, error: Exception) -> OperationError:
        """Tell any exception as an `OperationError`; what the caller may not know stays its cause."""
        if isinstance(error, OperationError):
            return error
        mapped = next(
            (self.errors[kind] for kind in type(error).__mro__ if kind in self.errors), None
        )
        if isinstance(mapped, OperationError):
            return mapped
        if mapped is not None:
            try:
                return mapped(error)
            except Exception:
                logger.exception("%s: the error map failed", self.operation.label)
        logger.error("%s failed", self.operation.label, exc_info=error)
        return OperationError("INTERNAL_SERVER_ERROR", INTERNAL_MESSAGE)

    async def _observe(self, hook: Callable[..., Any] | None, *arguments: Any) -> None:
        """Call a hook that only watches. Its failure is logged and changes nothing."""
        if hook is None:
            return
        try:
            await settle(hook(*arguments))
        except Exception:
            logger.exception("%s: a hook that only watches failed", self.operation.label)


def _deadline(seconds: float | None) -> anyio.CancelScope:
    return anyio.CancelScope() if seconds is None else anyio.move_on_after(seconds)


def _call(operation: Operation, arrival: Arrival | ToolArrival) -> AnyCall:
    if isinstance(arrival, Arrival):
        return Call(operation, source=arrival.source, request=arrival.request)
    return Call(
        operation,
        source=arrival.source,
        arguments=arrival.arguments,
        request=arrival.request,
        progress=arrival.progress,
    )
