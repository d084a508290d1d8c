"""What is on show: services with the hooks, context and limits that every mount of them shares."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any, Generic, TypeAlias, overload

from typing_extensions import TypeVar

from ..contract.expose import Transport
from ..errors import DeclarationError, OperationError
from ..execution.context import ContextFactory
from ..execution.extension import Extension
from ..execution.hooks import Hooks
from ..execution.limits import Limits
from ..execution.runner import UNSET, ErrorMap, Runner
from ..execution.threads import ThreadBound
from ..operations.implement import Service
from ..operations.operation import Operation
from ..operations.runtime_tool import RuntimeTool
from .document import ToolDocument
from .inventory import read_operations, refuse_contextless, refuse_unguarded
from .lifespan import LifespanHost, refuse_entered
from .presentation import PresentationOptions

__all__ = ["Surface"]

C = TypeVar("C", default=Any)


class Surface(Generic[C]):
    """Services and what surrounds their calls. Every mount of a surface behaves alike.

    Args:
        services: what `implement` made, with a handler for each endpoint.
        runtime_tools: what `runtime_tool` made.
        hooks: functions around every call.
        context: called with each call once it has been authorised; returns the call's `context`, an
            awaitable of it, or a context manager around it, sync or async; or yields it once. It is
            closed when the answer's bytes are built and before they are sent. A sync factory runs
            on the event loop.
        lifespan: called with the surface when the first mount starts; an async context manager that
            is left when the last mount stops.
        limits: how much one caller may ask for.
        errors: exception class of the application's → the `OperationError` that it is told as, or a
            function that makes one from the exception. The nearest base class wins.
        extension: further arguments of every contract tool on MCP and agents.
        presentation: how tools are shown to models.

    Raises:
        DeclarationError: an endpoint without a handler; a scope without `Hooks.authorize`; a
            service that names a context where there is no `context=`; one path or operation
            identifier declared twice; an entry of `errors` that can't be told.
    """

    @overload  # services whose handlers need no context
    def __init__(
        self: Surface[object],
        services: Iterable[Service[object]] = (),
        *,
        runtime_tools: Iterable[RuntimeTool[Any, Any]] = (),
        hooks: Hooks = ...,
        lifespan: Lifespan[object] | None = None,
        limits: Limits = ...,
        errors: ErrorMap | None = None,
        extension: Extension | None = None,
        presentation: PresentationOptions = ...,
    ) -> None: ...
    @overload
    def __init__(
        self,
        services: Iterable[Service[C]] = (),
        *,
        runtime_tools: Iterable[RuntimeTool[Any, Any]] = (),
        hooks: Hooks = ...,
        context: ContextFactory[C],
        lifespan: Lifespan[C] | None = None,
        limits: Limits = ...,
        errors: ErrorMap | None = None,
        extension: Extension | None = None,
        presentation: PresentationOptions = ...,
    ) -> None: ...
    def __init__(
        self,
        services: Iterable[Service[Any]] = (),
        *,
        runtime_tools: Iterable[RuntimeTool[Any, Any]] = (),
        hooks: Hooks = Hooks(),  # noqa: B008  # frozen
        context: ContextFactory | None = None,
        lifespan: Lifespan | None = None,
        limits: Limits = Limits(),  # noqa: B008  # frozen
        errors: ErrorMap | None = None,
        extension: Extension | None = None,
        presentation: PresentationOptions = PresentationOptions(),  # noqa: B008  # frozen
    ) -> None:
        _refuse_wrong_types(services, hooks, context)
        refuse_entered(lifespan, "surface")
        services = [*services]
        refuse_contextless(services, context)
        self._operations = read_operations(services, runtime_tools, hooks)
        self._hooks = hooks
        self._context = _factory(context)
        self._limits = limits
        self._errors = dict(errors or {})
        _refuse_untold(self._errors)
        self._extension = extension
        self._presentation = presentation
        self._identity: Any = UNSET
        self._lifespan = lifespan
        self._host = self._lifespan_host()
        self._documents: dict[tuple[Operation, bool, bool], ToolDocument] = {}
        self._threads = ThreadBound(limits.max_threads)

    def __repr__(self) -> str:
        return f"Surface({', '.join(operation.label for operation in self._operations)})"

    def __reduce__(self) -> Any:
        """Refuse pickling: a surface holds the application's functions and running state."""
        raise TypeError("a Surface can't be pickled; make it again where it is needed")

    @property
    def operations(self) -> tuple[Operation, ...]:
        """Every operation: services in order, endpoints as declared, then runtime tools."""
        return self._operations

    @property
    def limits(self) -> Limits:
        """How much one caller may ask for."""
        return self._limits

    @property
    def presentation(self) -> PresentationOptions:
        """How tools are shown to models."""
        return self._presentation

    def overridden(
        self,
        *,
        context: ContextFactory[C] | None = UNSET,
        identity: Any = UNSET,
        hooks: Hooks = UNSET,
    ) -> Surface[C]:
        """Return a copy for tests; what isn't named stays as it is, and so does the original.

        Args:
            context: a factory in place of the surface's; None gives calls no context.
            identity: who calls, on every transport and whatever it brings; None is nobody known.
            hooks: hooks in place of the surface's.

        Raises:
            DeclarationError: the hooks have no `authorize`, and an operation has a scope.
        """
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._host = other._lifespan_host()
        other._threads = ThreadBound(self._limits.max_threads)
        if context is not UNSET:
            other._context = _factory(context)
        if identity is not UNSET:
            other._identity = identity
        if hooks is not UNSET:
            refuse_unguarded(self._operations, hooks)
            other._hooks = hooks
        return other

    def extension_of(self, operation: Operation, transport: Transport) -> Extension | None:
        """The extra arguments that an operation has on a transport, if any."""
        extension = self._extension
        if extension is None or transport not in ("MCP", "AGENT") or operation.kind == "runtime":
            return None
        return extension if extension.applies(operation) else None

    def runner(
        self,
        operation: Operation,
        *,
        tool_surface: bool,
        extension: Extension | None = None,
    ) -> Runner:
        """Build the runner of one operation for one mount.

        Args:
            operation: one of `operations`.
            tool_surface: whether the mount's callers are models, so that views apply.
            extension: what `extension_of` says for the mount's transport.
        """
        return Runner(
            operation=operation,
            tool_surface=tool_surface,
            hooks=self._hooks,
            context=self._context,
            limits=self._limits,
            errors=self._errors,
            thread_bound=self._threads,
            extension=extension,
            identity=self._identity,
            is_open=self._is_open,
        )

    def _is_open(self) -> bool:
        return self._host is None or self._host.is_open

    def _lifespan_host(self) -> LifespanHost | None:
        lifespan = self._lifespan
        return None if lifespan is None else LifespanHost(lambda: lifespan(self))

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep the surface's lifespan open; nested and parallel mounts share one.

        It runs in a task of its own, on the event loop of the first mount.
        """
        if self._host is None:
            yield
            return
        async with self._host.held():
            yield


Lifespan: TypeAlias = Callable[[Surface[C]], AbstractAsyncContextManager[Any]]


def _refuse_wrong_types(services: Any, hooks: Any, context: Any) -> None:
    if isinstance(services, Service):
        raise DeclarationError("a surface takes a list of services; write `Surface([service])`.")
    if not isinstance(hooks, Hooks):
        raise DeclarationError("`hooks=` takes `Hooks(...)`.")
    if context is not None and not callable(context):
        raise DeclarationError(
            f"`context=` is a function of the call that makes its context, not `{context!r}`."
        )


def _factory(context: ContextFactory | None) -> ContextFactory | None:
    """Make a context manager of a factory that yields."""
    if inspect.isasyncgenfunction(context):
        return asynccontextmanager(context)
    if inspect.isgeneratorfunction(context):
        return contextmanager(context)
    return context


def _refuse_untold(errors: Mapping[Any, Any]) -> None:
    faults: list[str] = []
    for kind, told in errors.items():
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            faults.append(f"`errors=` maps exception classes, and `{kind!r}` isn't one.")
        elif issubclass(kind, OperationError):
            faults.append(
                f"`errors=` maps `{kind.__name__}`, which callers get as it is; leave it out."
            )
        elif not (isinstance(told, OperationError) or callable(told)):
            faults.append(
                f"`errors=` maps `{kind.__name__}` to `{told!r}`; give an `OperationError`, or a "
                f"function that makes one."
            )
    if faults:
        raise DeclarationError(faults)
