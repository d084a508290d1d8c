"""`runtime_tool`: one operation without a path, for models only."""

# pyright: reportInvalidTypeVarUse=false
# A type variable with a default that occurs once is how an omitted argument becomes None.

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, Protocol

from typing_extensions import TypeForm, TypeVar

from ..contract.error_set import ErrorDefinition
from ..contract.expose import Transport
from ..contract.tool import McpOptions, ToolAnnotations, UiResource
from ..errors import DeclarationError
from ..names import tool_name_fault
from ..schema.adapter import Schema
from ..schema.arguments import is_object
from .call import Call
from .implement import Rows, check_handler
from .operation import Operation
from .presenter import Presenters

__all__ = ["Identity", "RuntimeTool", "runtime_tool"]

I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
O = TypeVar("O")  # noqa: E741
DefaultInput = TypeVar("DefaultInput", default=None)
DefaultOutput = TypeVar("DefaultOutput", default=None)
RUNTIME_TRANSPORTS: tuple[Transport, ...] = ("MCP", "AGENT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """Where a runtime tool stands among operations: it has no contract to say so.

    Args:
        service: the group it belongs to, as a contract's prefix would name it.
        operation: its name in the group, as an endpoint's key would name it.
    """

    service: str
    operation: str


@dataclass(frozen=True, eq=False)
class RuntimeTool(Generic[I, O]):
    """A pathless operation and its handler. Made by `runtime_tool`.

    Args:
        operation: what runs.
        handler: the decorated function, for tests.
    """

    operation: Operation
    handler: Callable[[Call[None, I, Any]], O | Awaitable[O]]

    def __repr__(self) -> str:
        return f"RuntimeTool({self.operation.tool_name!r})"


class RuntimeToolDecorator(Protocol[I, O]):
    """Makes a runtime tool of a handler."""

    def __call__(
        self, function: Callable[[Call[None, I, Any]], O | Rows | Awaitable[O | Rows]], /
    ) -> RuntimeTool[I, O]: ...


class _RuntimeTool(Protocol):
    def __call__(
        self,
        *,
        name: str,
        desc: str,
        identity: Identity,
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
    ) -> RuntimeToolDecorator[DefaultInput, DefaultOutput]: ...


def _runtime_tool(
    *,
    name: str,
    desc: str,
    identity: Identity,
    input: Any = None,
    output: Any = None,
    expose: Sequence[Transport] | None = None,
    scope: str | None = None,
    meta: Mapping[str, Any] | None = None,
    ui: UiResource | None = None,
    annotations: ToolAnnotations | None = None,
    mcp: McpOptions | None = None,
    timeout_seconds: float | None = None,
    idempotent: bool = False,
    errors: Sequence[ErrorDefinition] = (),
    present: Presenters | None = None,
) -> Any:
    """Declare an operation that models call and that has no HTTP path.

    It runs in the same runner, with the same hooks and checks, as a contract's operation.

    Args:
        name: the tool's name, verbatim.
        desc: what it does, written for the model.
        identity: where it stands among operations.
        input: an object's type; None takes no arguments.
        output: the answer's type; None answers nothing.
        expose: `MCP`, `AGENT` or both, which is the default. It never reaches HTTP or the CLI.
        scope: who may call it; on a surface with `authorize` it must be named.
        meta: values of the application's own.
        ui: the app that shows its answer to people.
        annotations: hints for the model's side.
        mcp: what only MCP reads.
        timeout_seconds: how long one call may take.
        idempotent: whether a second equal call changes nothing more.
        errors: the application's errors that it may answer with.
        present: how its checked answer is shown; needs an output.

    Raises:
        DeclarationError: on its line, naming the tool and the remedy.

    Example:
        @pf.runtime_tool(
            name="wait",
            desc="Wait for a job.",
            identity=pf.Identity(service="jobs", operation="wait"),
            input=Wait,
            output=Waited,
        )
        async def wait(call: pf.Call[None, Wait]) -> Waited: ...
    """
    place = f"the runtime tool `{name}`"
    transports = _transports(expose, place)
    if fault := tool_name_fault(name):
        raise DeclarationError(f"{place}: {fault}.")
    if not isinstance(desc, str):
        raise DeclarationError(f"{place}: `desc` is text, not `{desc!r}`.")
    if not desc.strip():
        raise DeclarationError(f"{place}: `desc` is empty; a model chooses tools by it.")
    if not isinstance(identity, Identity):
        raise DeclarationError(
            f"{place}: `identity=` takes `Identity(service=..., operation=...)`."
        )
    input_schema = _schema(input, place, "input")
    if input_schema is not None and not is_object(input_schema.shape):
        raise DeclarationError(
            f"{place}: a tool's arguments are a JSON object, but `input=` is "
            f"`{input_schema.name}`; wrap it in a model."
        )
    output_schema = _schema(output, place, "output")
    if present is not None and output_schema is None:
        raise DeclarationError(f"{place}: `present=` shows an answer; declare `output=`.")

    def decorate(function: Callable[[Any], Any]) -> RuntimeTool[Any, Any]:
        check_handler(function, place)
        operation = Operation(
            kind="runtime",
            label=f"{identity.service}.{identity.operation}",
            service=identity.service,
            key=identity.operation,
            method="POST",
            path="",
            captures={},
            desc=desc,
            params=None,
            input=input_schema,
            output=output_schema,
            expose=transports,
            scope=scope or "public",
            scope_is_default=scope is None,
            meta=meta,
            tool_name=name,
            derived_name=False,
            view=None,
            ui=ui,
            annotations=annotations,
            mcp=mcp,
            timeout_seconds=timeout_seconds,
            idempotent=idempotent,
            summary=None,
            tags=(identity.service,),
            deprecated=False,
            operation_id=f"{identity.service}_{identity.operation}",
            errors=tuple(errors),
            status=200,
            response=None,
            body=None,
            present=present,
            handler=function,
        )
        return RuntimeTool(operation, function)

    return decorate


if TYPE_CHECKING:
    runtime_tool: _RuntimeTool
else:
    runtime_tool = _runtime_tool
    runtime_tool.__name__ = runtime_tool.__qualname__ = "runtime_tool"


def _transports(expose: Sequence[Transport] | None, place: str) -> tuple[Transport, ...]:
    if expose is None:
        return RUNTIME_TRANSPORTS
    if isinstance(expose, str):
        raise DeclarationError(f"{place}: `expose` is a list; write `expose=[{expose!r}]`.")
    chosen = [*expose]
    if not chosen or len(set(chosen)) != len(chosen):
        raise DeclarationError(f"{place}: `expose` names each transport once, and at least one.")
    for transport in chosen:
        if transport not in RUNTIME_TRANSPORTS:
            raise DeclarationError(
                f"{place}: `{transport}` never reaches a runtime tool; it is exposed on `MCP`, "
                f"`AGENT` or both. For others declare an endpoint of a contract."
            )
    return tuple(item for item in RUNTIME_TRANSPORTS if item in chosen)


def _schema(type_: Any, place: str, what: str) -> Schema[Any] | None:
    if type_ is None:
        return None
    try:
        return Schema(type_)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: `{what}=`: {error}") from error.__cause__
