"""The stages of a call, each a plain function. `runner.py` says in which order they run."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AbstractContextManager, asynccontextmanager
from typing import Any, TypeAlias

import anyio
import anyio.to_thread

from ..contract.projection import ProjectionCall
from ..contract.tool import ToolView
from ..errors import OperationError, server_fault
from ..operations.call import Call
from ..operations.operation import Operation
from .answer import AnswerError, AnswerPlan, check_full
from .hooks import Hooks

__all__ = [
    "after",
    "authorize",
    "before",
    "before_tool_call",
    "call_function",
    "handle",
    "identify",
    "opened",
    "project",
    "settle",
]

AnyCall: TypeAlias = Call[Any, Any, Any]
ContextFactory: TypeAlias = Callable[[AnyCall], Any]


async def settle(value: Any) -> Any:
    """Await what is awaitable; return anything else as it is."""
    return await value if inspect.isawaitable(value) else value


async def before_tool_call(hooks: Hooks, call: AnyCall, arguments: Any) -> Any:
    """Let the hook refuse or replace the arguments. Raises whatever the hook raises."""
    if hooks.before_tool_call is None:
        return arguments
    replaced = await settle(hooks.before_tool_call(call))
    return replaced if isinstance(replaced, Mapping) else arguments


async def identify(hooks: Hooks, call: AnyCall, identity: Any) -> Any:
    """Return who calls: what the transport knows, else what the hook says, else None."""
    if identity is not None or hooks.identify is None:
        return identity
    return await settle(hooks.identify(call))


async def authorize(hooks: Hooks, call: AnyCall) -> None:
    """Let the hook refuse the call. Raises whatever the hook raises."""
    if hooks.authorize is not None:
        await settle(hooks.authorize(call))


async def before(hooks: Hooks, call: AnyCall) -> None:
    """Run the hook that sees the parsed call. Raises whatever the hook raises."""
    if hooks.before is not None:
        await settle(hooks.before(call))


async def after(hooks: Hooks, call: AnyCall, value: Any) -> Any:
    """Let the hook replace the handler's value. Raises whatever the hook raises."""
    if hooks.after is None:
        return value
    replaced = await settle(hooks.after(call, value))
    return value if replaced is None else replaced


async def handle(operation: Operation, call: AnyCall, threads: anyio.CapacityLimiter) -> Any:
    """Run the handler: on the event loop if it is async, in the bounded thread pool if not.

    Raises whatever the handler raises; a server fault for a value that can't be an answer.
    """
    value = await call_function(operation.handler, call, threads)
    if inspect.isasyncgen(value) or (inspect.isgenerator(value) and operation.output is None):
        value.aclose() if inspect.isasyncgen(value) else value.close()
        raise server_fault(f"{operation.label}: the handler returned a generator, not an answer")
    return value


async def call_function(
    function: Callable[..., Any], argument: Any, threads: anyio.CapacityLimiter
) -> Any:
    """Call a sync or async function of one argument, and await what it returns if need be."""
    if _is_async(function):
        return await function(argument)
    return await settle(await anyio.to_thread.run_sync(function, argument, limiter=threads))


def _is_async(function: Callable[..., Any]) -> bool:
    while hasattr(function, "func"):  # functools.partial
        function = function.func
    call = function if inspect.isfunction(function) else getattr(function, "__call__", function)  # noqa: B004  # its __call__ may be async
    return inspect.iscoroutinefunction(call)


@asynccontextmanager
async def opened(
    factory: ContextFactory | None, call: AnyCall, threads: anyio.CapacityLimiter
) -> AsyncIterator[Any]:
    """Open the application's context of one call and close it again, whatever happens inside.

    The factory returns the context itself, an awaitable of it, or a context manager around it, sync
    or async; a manager sees the exception of a failed call.
    """
    made = None if factory is None else await settle(factory(call))
    if isinstance(made, AbstractAsyncContextManager):
        async with made as context:
            yield context
    elif isinstance(made, AbstractContextManager):
        with made as context:
            yield context
    else:
        yield made


def project(operation: Operation, view: ToolView, call: AnyCall, value: Any) -> Any:
    """Check the full answer and derive the view's value from it.

    Raises:
        AnswerError: the full answer breaks its own schema; the projection doesn't run.
        OperationError: `INTERNAL_SERVER_ERROR`, whatever the projection raised or returned wrongly:
            the handler has succeeded, and another code would tell a lie about the call.
    """
    assert operation.output is not None and view.project is not None
    full = check_full(operation.output, value)
    try:
        derived = view.project(full, ProjectionCall(input=call.input, source=call.source))
    except Exception as error:
        raise server_fault(f"{operation.label}: the projection raised") from error
    if inspect.isawaitable(derived):
        _close(derived)
        raise server_fault(f"{operation.label}: the projection must be synchronous")
    return derived


def _close(awaitable: Any) -> None:
    """Get rid of an awaitable that nobody will wait for, without a warning and without its work."""
    if inspect.iscoroutine(awaitable):
        awaitable.close()
    elif hasattr(awaitable, "cancel"):
        awaitable.cancel()


def answer(
    operation: Operation, plan: AnswerPlan[Any, Any] | None, value: Any, on_strip: Any
) -> bytes | None:
    """Write the answer's bytes; None for an operation without an output.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`: the value breaks the promise that the schema made.
    """
    if plan is None:
        if value is not None:
            raise server_fault(
                f"{operation.label} declares no output, but its handler returned one"
            )
        return None
    try:
        return plan.to_json(value, on_strip=on_strip)
    except AnswerError as error:
        raise broken_promise(operation, "the handler's answer", error) from error


def broken_promise(operation: Operation, whose: str, error: AnswerError) -> OperationError:
    """Build the server fault of an answer that breaks its schema; hooks and logs see where."""
    return server_fault(f"{operation.label}: {whose} breaks its schema: {error}")
