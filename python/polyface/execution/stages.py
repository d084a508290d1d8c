"""The stages of a call, each a plain function. `runner.py` says in which order they run."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import inspect
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    Callable,
    Iterable,
    Mapping,
)
from typing import Any, Literal, TypeAlias

import anyio
import anyio.lowlevel

from ..contract.kind import Stream
from ..contract.projection import ProjectionCall
from ..contract.tool import ToolView
from ..errors import OperationError, server_fault
from ..operations.call import Call
from ..operations.operation import Operation
from ..operations.presenter import Presentation
from ..schema.json_text import read_json
from ..schema.law import SliceError
from ..schema.strip import StripEntry, undeclared_keys
from .answer import AnswerError, AnswerPlan, check_full
from .fault import is_fault
from .function import abandon, call_function, in_threads, is_async, settle
from .hooks import Hooks
from .threads import ThreadBound

__all__ = [
    "after",
    "authorize",
    "before",
    "before_tool_call",
    "handle",
    "identify",
    "presented",
    "project",
    "raw_answer",
    "stream_items",
    "stripped_by_full",
]

AnyCall: TypeAlias = Call[Any, Any, Any]


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
    """Let the hook refuse the call. Raises whatever the hook raises.

    A hook that answers `False` where it should raise refuses, too: nothing runs on a misread
    answer.
    """
    if hooks.authorize is not None and await settle(hooks.authorize(call)) is False:
        raise server_fault(f"{call.operation.label}: `authorize` returned False; raise to refuse")


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


async def handle(operation: Operation, call: AnyCall, threads: ThreadBound) -> Any:
    """Run the handler: on the event loop if it is async, in the bounded thread pool if not.

    Raises whatever the handler raises; a server fault for a value that can't be an answer.
    """
    if isinstance(operation.response, Stream):
        return await _iterator(operation, call, threads)
    if is_async(operation.handler):
        value = await operation.handler(call)
    else:
        value = await call_function(operation.handler, call, threads=threads)
        # A thread can't be stopped, but it can be late.
        await anyio.lowlevel.checkpoint_if_cancelled()
    if inspect.isasyncgen(value):
        await value.aclose()
    elif inspect.isgenerator(value) and operation.output is None:
        value.close()
    else:
        return value
    raise server_fault(f"{operation.label}: the handler returned a generator, not an answer")


async def _iterator(operation: Operation, call: AnyCall, threads: ThreadBound) -> Any:
    """Call a handler that streams, as any handler is called."""
    value = await call_function(operation.handler, call, threads=threads)
    if not isinstance(value, AsyncIterable | Iterable) or isinstance(value, str | bytes | Mapping):
        raise server_fault(f"{operation.label}: a handler that streams returns an iterator")
    return value


async def stream_items(
    operation: Operation,
    plan: AnswerPlan[Any, Any],
    items: Any,
    threads: ThreadBound,
) -> AsyncGenerator[bytes]:
    """Yield each item of a stream as JSON, checked. Closing it closes the handler's iterator.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`: an item breaks the promise that the schema made.
    """
    source = items if isinstance(items, AsyncIterable) else in_threads(iter(items), threads=threads)
    try:
        async for item in source:
            try:
                yield plan.to_json(item)
            except AnswerError as error:
                raise broken_promise(operation, "an item of the stream", error) from error
    finally:
        close = getattr(source, "aclose", None)
        if close is not None:
            with anyio.CancelScope(shield=True):
                await close()


def project(operation: Operation, view: ToolView, call: AnyCall, value: Any) -> Any:
    """Check the full answer and derive the view's value from it.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`. The full answer breaks its own schema, and the
            projection doesn't run; or the projection failed, whatever it raised: the handler has
            succeeded, and another code would tell a lie about the call.
    """
    assert operation.output is not None
    assert view.project is not None
    try:
        full = check_full(operation.output, value)
    except AnswerError as error:
        raise broken_promise(operation, "the handler's answer", error) from error
    try:
        derived = view.project(full, ProjectionCall(input=call.input, source=call.source))
    except BaseException as error:
        if not is_fault(error):
            raise
        raise server_fault(f"{operation.label}: the projection raised") from error
    if inspect.isawaitable(derived) or inspect.isasyncgen(derived):
        abandon(derived)
        raise server_fault(f"{operation.label}: the projection must be synchronous")
    return derived


def stripped_by_full(operation: Operation, value: Any) -> tuple[StripEntry, ...]:
    """Return the keys of a handler's value that the full schema doesn't declare.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`: the value can't be read.
    """
    assert operation.output is not None
    try:
        return undeclared_keys(operation.output.shape, value)
    except AnswerError as error:
        raise broken_promise(operation, "the handler's answer", error) from error


def answer(
    operation: Operation,
    plan: AnswerPlan[Any, Any] | None,
    value: Any,
    on_strip: Any,
    *,
    origin: Literal["handler", "projection"],
) -> bytes | None:
    """Write the answer's bytes; None for an operation without an output.

    Args:
        operation: whose answer.
        plan: writes it; None where there is none to write.
        value: what the handler returned, or what the projection made of it.
        on_strip: hears of the keys that were removed.
        origin: whose fault it is when the value breaks its schema.

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
    except SliceError as error:
        raise server_fault(
            f"{operation.label}: the view's slice doesn't take the full answer: {error}"
        ) from error
    except AnswerError as error:
        raise broken_promise(operation, f"the {origin}'s answer", error) from error


def presented(
    operation: Operation,
    present: Callable[[Any, AnyCall], Presentation],
    call: AnyCall,
    body: bytes,
) -> Presentation:
    """Let a transport's presenter show a checked answer.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`, whatever the presenter raised: the answer stands.
    """
    try:
        shown = present(read_json(body), call)
    except BaseException as error:
        if not is_fault(error):
            raise
        raise server_fault(f"{operation.label}: the presenter failed") from error
    if not isinstance(shown, Presentation):
        abandon(shown)
        kind = type(shown).__name__
        raise server_fault(
            f"{operation.label}: the presenter returned a `{kind}`, not a Presentation"
        )
    return shown


def raw_answer(operation: Operation, value: Any) -> Any:
    """Check what a handler with a raw response returned.

    Raises:
        OperationError: `INTERNAL_SERVER_ERROR`: neither bytes nor text nor a response.
    """
    if isinstance(value, bytes | str) or callable(value):
        return value
    kind = type(value).__name__
    raise server_fault(
        f"{operation.label}: a raw response is bytes, text or a response object, not `{kind}`"
    )


def broken_promise(operation: Operation, whose: str, error: AnswerError) -> OperationError:
    """Build the server fault of an answer that breaks its schema; hooks and logs see where."""
    return server_fault(f"{operation.label}: {whose} breaks its schema: {error}")
