"""The context of one call: opened once the call is authorised, closed when its answer is built."""

# pyright: reportUnknownArgumentType=false
# What `isinstance` finds in whatever a factory made stays unknown.

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import (
    AbstractAsyncContextManager,
    AbstractContextManager,
    asynccontextmanager,
    nullcontext,
)
from typing import Any, TypeAlias

from typing_extensions import TypeVar

from ..operations.call import Call
from .fault import is_wrapped
from .function import settle

__all__ = ["ContextFactory", "opened"]

AnyCall: TypeAlias = Call[Any, Any, Any]
Context = TypeVar("Context", default=Any)
ContextFactory: TypeAlias = Callable[
    [AnyCall],
    Context
    | Awaitable[Context]
    | AbstractContextManager[Context]
    | AbstractAsyncContextManager[Context]
    | Iterator[Context]
    | AsyncIterator[Context],
]
"""Makes the context of one call: returns it, now or later, opens it, or yields it once."""


NO_CONTEXT: AbstractAsyncContextManager[Any] = nullcontext()


def opened(factory: ContextFactory | None, call: AnyCall) -> AbstractAsyncContextManager[Any]:
    """Open the application's context of one call and close it again, whatever happens inside.

    The factory returns the context itself, an awaitable of it, or a context manager around it, sync
    or async; a manager sees the exception of a failed call.
    """
    return NO_CONTEXT if factory is None else _opened(factory, call)


@asynccontextmanager
async def _opened(factory: ContextFactory, call: AnyCall) -> AsyncGenerator[Any]:
    made: Any = await settle(factory(call))
    if not isinstance(made, AbstractAsyncContextManager | AbstractContextManager):
        yield made
        return
    failed: BaseException | None = None
    try:
        async with _awaited(made) as context:
            try:
                yield context
            except BaseException as error:
                failed = error
                raise
    except BaseExceptionGroup as group:
        if failed is None or not is_wrapped(failed, by=group):
            raise
        raise failed from failed.__cause__  # a task group in the context wraps what it lets through


@asynccontextmanager
async def _awaited(
    made: AbstractAsyncContextManager[Any] | AbstractContextManager[Any],
) -> AsyncGenerator[Any]:
    if isinstance(made, AbstractAsyncContextManager):
        async with made as context:
            yield context
    else:
        with made as context:
            yield context
