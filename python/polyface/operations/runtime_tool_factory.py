"""`runtime_tool_factory`: runtime tools of one service over the application's context, checked."""

# pyright: reportInvalidTypeVarUse=false, reportPrivateUsage=false
# A type variable with a default that occurs once is how an omitted argument becomes None. A call is
# filled in here, too: with the context as it was checked.

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol

from pydantic import InstanceOf, ValidationError
from typing_extensions import TypeForm, TypeVar

from ..contract.error_set import ErrorDefinition
from ..contract.expose import Transport
from ..contract.tool import McpOptions, ToolAnnotations, UiResource
from ..errors import DeclarationError, server_fault
from ..schema.adapter import Schema
from .call import Call
from .implement import Rows
from .presenter import Presenters
from .runtime_tool import Identity, RuntimeTool, runtime_tool

__all__ = ["RuntimeToolFactory", "runtime_tool_factory"]

C = TypeVar("C")
C_co = TypeVar("C_co", covariant=True)
I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
O = TypeVar("O")  # noqa: E741
DefaultInput = TypeVar("DefaultInput", default=None)
DefaultOutput = TypeVar("DefaultOutput", default=None)


class ContextToolDecorator(Protocol[I, O, C_co]):
    """Makes a runtime tool of a handler that reads the factory's context."""

    def __call__(
        self, function: Callable[[Call[None, I, C_co]], O | Rows | Awaitable[O | Rows]], /
    ) -> RuntimeTool[I, O]: ...


class _Tool(Protocol[C_co]):
    def __call__(
        self,
        *,
        name: str,
        desc: str,
        operation: str,
        input: TypeForm[DefaultInput] = ...,
        output: TypeForm[DefaultOutput] = ...,
        expose: Sequence[Transport] | None = ...,
        scope: str | None = ...,
        meta: Mapping[str, Any] | None = ...,
        ui: UiResource | None = ...,
        annotations: ToolAnnotations | None = ...,
        mcp: McpOptions | None = ...,
        timeout_seconds: float | None = ...,
        idempotent: bool = ...,
        errors: Sequence[ErrorDefinition] = ...,
        present: Presenters | None = ...,
    ) -> ContextToolDecorator[DefaultInput, DefaultOutput, C_co]: ...


@dataclass(frozen=True, eq=False, slots=True)
class RuntimeToolFactory(Generic[C]):
    """Declares the runtime tools of one service. Made by `runtime_tool_factory`.

    Args:
        service: the group that its tools belong to.
        context: checks the context of one call.
        scope: who may call its tools, unless one says otherwise.
        meta: values of the application's own, unless a tool has its own.
    """

    service: str
    context: Schema[C]
    scope: str | None
    meta: Mapping[str, Any] | None

    def __repr__(self) -> str:
        return f"RuntimeToolFactory({self.service!r}, {self.context.name})"

    if TYPE_CHECKING:

        @property
        def tool(self) -> _Tool[C]:
            """Declare one tool of the service."""
            ...

    else:

        def tool(
            self,
            *,
            name: str,
            desc: str,
            operation: str,
            scope: str | None = None,
            meta: Mapping[str, Any] | None = None,
            **options: Any,
        ) -> Any:
            """Declare one tool; takes what `runtime_tool` does, and `operation` for the identity.

            The context is checked inside each call, before the handler runs; one that isn't of the
            factory's type is a server fault.

            Args:
                name: the tool's name, verbatim.
                desc: what it does, written for the model.
                operation: its name in the service.
                scope: who may call it; None takes the factory's.
                meta: in place of the factory's; the two aren't merged.
                options: the rest of `runtime_tool`.
            """
            declare = runtime_tool(
                name=name,
                desc=desc,
                identity=Identity(service=self.service, operation=operation),
                scope=self.scope if scope is None else scope,
                meta=self.meta if meta is None else meta,
                **options,
            )

            def decorate(function: Callable[[Any], Any]) -> RuntimeTool[Any, Any]:
                tool = declare(function)
                checked = _checked(function, self.context, tool.operation.label)
                return replace(tool, operation=replace(tool.operation, handler=checked))

            return decorate


def runtime_tool_factory(
    *,
    service: str,
    context: TypeForm[C],
    scope: str | None = None,
    meta: Mapping[str, Any] | None = None,
) -> RuntimeToolFactory[C]:
    """Start the runtime tools of one service, which share a context, a scope and meta.

    Args:
        service: the group that they belong to, as a contract's prefix would name it.
        context: the type of `call.context`: what pydantic can check, or any class, of which the
            context must be an instance. It is checked anew in each call; nothing is kept.
        scope: who may call them, unless a tool names its own.
        meta: values of the application's own, unless a tool has its own.

    Raises:
        DeclarationError: `context` is neither a type that pydantic can check nor a class.

    Example:
        jobs = pf.runtime_tool_factory(service="jobs", context=Jobs)

        @jobs.tool(name="wait", desc="Wait for a job.", operation="wait", input=Wait, output=Waited)
        async def wait(call: pf.Call[None, Wait, Jobs]) -> Waited: ...
    """
    return RuntimeToolFactory(service, _context_schema(context, service), scope, meta)


def _context_schema(context: Any, service: str) -> Schema[Any]:
    try:
        return Schema(context)
    except DeclarationError as error:
        if isinstance(context, type):
            instance: Any = InstanceOf
            return Schema(instance[context])
        raise DeclarationError(f"the tools of `{service}`: `context=`: {error}") from error


def _checked(
    function: Callable[[Any], Any], context: Schema[Any], label: str
) -> Callable[[Any], Any]:
    """Check the context before a handler runs; async where the handler is."""

    def check(call: Call[Any, Any, Any]) -> None:
        try:
            call._context = context.adapter.validate_python(call.context)
        except ValidationError as error:
            raise server_fault(f"{label}: the call's context isn't a `{context.name}`") from error

    async def run_async(call: Call[Any, Any, Any]) -> Any:
        check(call)
        return await function(call)

    def run(call: Call[Any, Any, Any]) -> Any:
        check(call)
        return function(call)

    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
        getattr(function, "__call__", None)  # noqa: B004  # its __call__ may be async
    )
    return run_async if is_async else run
