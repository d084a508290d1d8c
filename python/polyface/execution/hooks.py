"""What an application hangs into every call of a surface."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ..errors import DeclarationError, OperationError
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.strip import StripEntry

__all__ = ["Hooks", "StripReport", "ToolOutcome"]

AnyCall: TypeAlias = Call[Any, Any, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class StripReport:
    """The keys that a schema removed from one answer.

    Args:
        operation: whose answer.
        source: the transport's tag.
        origin: `handler` for what the full schema removed, `projection` for what the view's did.
        entries: one for each path.
    """

    operation: Operation
    source: str
    origin: Literal["handler", "projection"]
    entries: tuple[StripEntry, ...]

    @property
    def tool_name(self) -> str | None:
        """The operation's name on tool surfaces; None where no tool surface has it."""
        return self.operation.tool_name if self.operation.tool_transports else None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """How a tool call ended.

    Args:
        call: the call; `call.arguments` are the caller's own, without the view's defaults.
        answer: the JSON bytes that the caller got; None when the call failed or has no answer.
        error: what the caller was told, when the call failed; its cause is `error.__cause__`.
        cancelled: whether the call was cancelled before it had an answer or an error.
        duration_seconds: how long the call took.
    """

    call: AnyCall
    answer: bytes | None
    error: OperationError | None
    cancelled: bool
    duration_seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Hooks:
    """Functions around every call, sync or async, each with the call as its first argument.

    Args:
        identify: returns who calls; asked where the transport brings no identity.
        authorize: raises to refuse. Sees the final params and the identity, never the input.
        before: runs once the arguments are parsed; raises to refuse.
        after: sees the handler's value; what it returns, unless None, takes the value's place.
        before_tool_call: sees the arguments of a tool call before anything else. A mapping that it
            returns takes their place; any other value is ignored; raises to refuse.
        after_tool_call: sees how a tool call ended, on every exit. Its own failure is only logged.
        on_error: sees the error of a failed call, its cause attached. Its own failure is only
            logged.
        on_output_strip: gets one report for an answer from which keys were removed; without it
            nothing is looked for.
    """

    identify: Callable[[AnyCall], Any] | None = None
    authorize: Callable[[AnyCall], Awaitable[None] | None] | None = None
    before: Callable[[AnyCall], Awaitable[None] | None] | None = None
    after: Callable[[AnyCall, Any], Any] | None = None
    before_tool_call: Callable[[AnyCall], Mapping[str, Any] | Awaitable[Any] | None] | None = None
    after_tool_call: Callable[[ToolOutcome], Awaitable[None] | None] | None = None
    on_error: Callable[[AnyCall, OperationError], Awaitable[None] | None] | None = None
    on_output_strip: Callable[[StripReport], Awaitable[None] | None] | None = None

    def __post_init__(self) -> None:
        """Refuse what can't be called: a guard that isn't a function would guard nothing."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if value is not None and not callable(value):
                raise DeclarationError(f"`Hooks({name}=...)` takes a function, not `{value!r}`.")
