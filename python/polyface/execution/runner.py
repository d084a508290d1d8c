"""How one call runs, on every transport: read `Runner._stages` from top to bottom."""

# pyright: reportPrivateUsage=false
# A call is filled in stage by stage, here and nowhere else; a handler can only read it.

from __future__ import annotations

import copy
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import anyio

from ..contract.kind import RawResponse, Stream
from ..errors import INTERNAL_MESSAGE, OperationError, server_fault
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.strip import StripEntry
from .answer import AnswerPlan
from .arguments import parse_input, parse_params, split_arguments
from .arrival import Answer, Arrival, ToolArrival
from .context import ContextFactory, opened
from .deadline import Deadline
from .extension import Extension, extend, without_extension
from .failure_log import log_failure
from .fault import is_fault
from .function import settle
from .hooks import Hooks, StripReport, ToolOutcome
from .isolation import isolated
from .limits import Limits
from .stages import (
    after,
    answer,
    authorize,
    before,
    before_tool_call,
    handle,
    identify,
    presented,
    project,
    raw_answer,
    stream_items,
    stripped_by_full,
)
from .threads import ThreadBound

__all__ = ["ErrorMap", "Runner"]

logger = logging.getLogger("polyface")
AnyCall: TypeAlias = Call[Any, Any, Any]
UNSET: Any = object()
ErrorMap: TypeAlias = Mapping[type[Exception], Callable[[Any], OperationError] | OperationError]


def _always() -> bool:
    return True


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
        thread_bound: the surface's bound on sync handlers.
        extension: the surface's extra arguments, where the operation has them on this mount.
        identity: who calls, whatever the transport brings; UNSET asks on each call.
        is_open: whether the surface's lifespan is open.
    """

    operation: Operation
    tool_surface: bool
    hooks: Hooks
    context: ContextFactory | None
    limits: Limits
    errors: ErrorMap
    thread_bound: ThreadBound
    extension: Extension | None = None
    identity: Any = UNSET
    is_open: Callable[[], bool] = _always
    _plan: AnswerPlan[Any, Any] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        """Compile the answer's plan, so that the first call costs what every call costs."""
        operation, view = self.operation, self._view
        if isinstance(operation.response, Stream):
            object.__setattr__(self, "_plan", AnswerPlan(operation.response.item))
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
        """Run one call, in a copy of the caller's context variables.

        Raises:
            OperationError: the call failed; its cause is attached for logs and never told.
        """
        return await isolated(self._run(arrival))

    async def _run(self, arrival: Arrival | ToolArrival) -> Answer:
        started = time.perf_counter()
        call = _call(self.operation, arrival)
        answer: Answer | None = None
        failure: OperationError | None = None
        try:
            self._refuse_closed()
            answer = await self._stages(arrival, call)
            return answer
        except BaseException as error:
            if not is_fault(error):
                raise
            failure = self._failure(error)
            await self._observe(self.hooks.on_error, call, failure)
            if failure is error:
                raise
            raise failure from error
        finally:
            if isinstance(arrival, ToolArrival) and self.hooks.after_tool_call is not None:
                outcome = ToolOutcome(
                    call=call,
                    answer=answer.body if answer is not None else None,
                    error=failure,
                    cancelled=answer is None and failure is None,
                    duration_seconds=time.perf_counter() - started,
                )
                with anyio.CancelScope(shield=True):
                    await self._observe(self.hooks.after_tool_call, outcome)

    def _refuse_closed(self) -> None:
        """Refuse a call while the surface's lifespan isn't open: its resources aren't there."""
        if not self.is_open():
            logger.error(
                "%s was called, but the surface's lifespan isn't open; enter `surface.running()` "
                "in the application's lifespan (Starlette doesn't run that of a mounted one)",
                self.operation.label,
            )
            raise OperationError("SERVICE_UNAVAILABLE", "The service isn't running.")

    async def _stages(self, arrival: Arrival | ToolArrival, call: AnyCall) -> Answer:
        operation, hooks, threads = self.operation, self.hooks, self.thread_bound
        deadline = Deadline(operation.timeout_seconds)
        answer: Answer | None = None

        with deadline.until_opened():
            if isinstance(arrival, Arrival):
                params, read_input = arrival.params, arrival.read_input
            else:
                params, read_input = await self._arguments(arrival, call)
            call._params = parse_params(operation, params)
            known = self.identity is not UNSET
            call._identity = (
                self.identity if known else await identify(hooks, call, arrival.identity)
            )
            if hooks.authorize is not None:
                await authorize(hooks, call)
            call._input = parse_input(operation, self._view, await read_input(call))
            async with opened(self.context, call) as context:
                call._context = context
                with deadline.inside():
                    if hooks.before is not None:
                        await before(hooks, call)
                    value = await handle(operation, call, threads)
                    if hooks.after is not None:
                        value = await after(hooks, call, value)
                    answer = await self._answer(arrival, call, value)
        if answer is None:
            raise server_fault(f"{operation.label}: the context swallowed the call's failure")
        return answer

    async def _arguments(
        self, arrival: ToolArrival, call: AnyCall
    ) -> tuple[Mapping[str, Any], Callable[[AnyCall], Awaitable[bytes | Mapping[str, Any]]]]:
        """Return a tool call's params, and how to come by its input once it is authorised."""
        depth = self.limits.max_depth
        arguments = await extend(self.extension, call, arrival.arguments, max_depth=depth)
        arguments = await before_tool_call(self.hooks, call, arguments)
        arguments = without_extension(self.extension, arguments)
        params, given = split_arguments(self.operation, arguments, max_depth=depth)

        async def read_input(_: AnyCall) -> Mapping[str, Any]:
            return given

        return params, read_input

    async def _answer(self, arrival: Arrival | ToolArrival, call: AnyCall, value: Any) -> Answer:
        """Turn the handler's value into an answer of the operation's kind."""
        response = self.operation.response
        if isinstance(response, RawResponse):
            return Answer(None, call, self.thread_bound, raw=raw_answer(self.operation, value))
        if isinstance(response, Stream) and isinstance(arrival, Arrival):
            assert self._plan is not None
            assert arrival.deliver is not None
            await arrival.deliver(
                stream_items(self.operation, self._plan, value, self.thread_bound)
            )
            return Answer(None, call, self.thread_bound)
        body = await self._body(call, value)
        shown = None
        if isinstance(arrival, ToolArrival) and arrival.present is not None and body is not None:
            shown = presented(self.operation, arrival.present, call, body)
        return Answer(body, call, self.thread_bound, presentation=shown)

    async def _body(self, call: AnyCall, value: Any) -> bytes | None:
        """Check, view and write the handler's value, and tell who listens what was removed."""
        operation, view, listener = self.operation, self._view, self.hooks.on_output_strip
        if listener is None and (view is None or view.project is None):
            return answer(operation, self._plan, value, None, origin="handler")
        reports = list[StripReport]()
        origin: Literal["handler", "projection"] = "handler"

        def on_strip(entries: tuple[StripEntry, ...]) -> None:
            reports.append(
                StripReport(operation=operation, source=call.source, origin=origin, entries=entries)
            )

        if view is not None and view.project is not None:
            derived = project(operation, view, call, value)
            if listener is not None and (stripped := stripped_by_full(operation, value)):
                on_strip(stripped)
            value, origin = derived, "projection"
        told = None if listener is None else on_strip
        body = answer(operation, self._plan, value, told, origin=origin)
        for report in reports:
            await self._observe(listener, report)
        return body

    def _failure(self, error: BaseException) -> OperationError:
        """Tell any exception as an `OperationError`; what callers may not know stays its cause."""
        if isinstance(error, OperationError):
            if error.code == "INTERNAL_SERVER_ERROR":
                log_failure(self.operation, error)
            return error
        mapped = next(
            (self.errors[kind] for kind in type(error).__mro__ if kind in self.errors), None
        )
        failure = self._translated(mapped, error)
        if failure is None:
            log_failure(self.operation, error)
            failure = OperationError("INTERNAL_SERVER_ERROR", INTERNAL_MESSAGE)
        failure.__cause__ = error
        return failure

    def _translated(self, mapped: Any, error: BaseException) -> OperationError | None:
        """Build the error that the surface's map tells an exception as; None where it can't."""
        if mapped is None:
            return None
        if isinstance(mapped, OperationError):
            return copy.copy(mapped)  # one object for all calls would gather all their tracebacks
        try:
            failure = mapped(error)
        except Exception:
            logger.exception("%s: the error map failed", self.operation.label)
            return None
        if not isinstance(failure, OperationError):
            logger.error("%s: the error map made %r", self.operation.label, failure)
            return None
        return failure

    async def _observe(self, hook: Callable[..., Any] | None, *arguments: Any) -> None:
        """Call a hook that only watches. Its failure is logged and changes nothing."""
        if hook is None:
            return
        try:
            await settle(hook(*arguments))
        except Exception as error:
            kind = type(error).__name__
            logger.exception("%s: a hook that only watches failed: %s", self.operation.label, kind)


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
