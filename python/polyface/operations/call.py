"""What a handler is called with."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic

from typing_extensions import TypeVar

from .response import ResponseHeaders

if TYPE_CHECKING:
    from .operation import Operation

__all__ = ["Call", "ProgressListener"]

T = TypeVar("T")
P_co = TypeVar("P_co", covariant=True)
I_co = TypeVar("I_co", covariant=True)
C_co = TypeVar("C_co", covariant=True, default=object)

ProgressListener = Callable[[float, float | None, str | None], Awaitable[None]]

_UNKNOWN: Any = object()


class Call(Generic[P_co, I_co, C_co]):
    """One call of one operation. Each call has its own; nothing of it outlives the answer.

    What a later stage fills in can't be read earlier: `input` isn't there while a call is being
    authorised, nor `context` before it has been opened.

    Args:
        operation: what is called.
        source: the transport's tag: `HTTP`, `MCP`, or what an in-process caller says.
        arguments: the arguments as the caller gave them; None where they came as an HTTP request.
        request: the transport's own request object, None where there is none.
        progress: who wants to hear of progress; None when nobody does.

    Attributes:
        response: headers and cookies of the answer, for an endpoint with `ResponseMetadata`.
        body: the request's bytes, for an endpoint with `RawBody`.
        files: field name → uploaded files, for an endpoint with `Multipart`.
    """

    __slots__ = (
        "_after_answer",
        "_context",
        "_extension",
        "_identity",
        "_input",
        "_params",
        "_progress",
        "arguments",
        "body",
        "files",
        "operation",
        "request",
        "response",
        "source",
    )

    def __init__(
        self,
        operation: Operation,
        *,
        source: str,
        arguments: object = None,
        request: Any = None,
        progress: ProgressListener | None = None,
    ) -> None:
        self.operation = operation
        self.response = ResponseHeaders(operation.response, label=operation.label)
        self.body = b""
        self.files: Mapping[str, Sequence[Any]] = {}
        self.source = source
        self.arguments = arguments
        self.request = request
        self._progress = progress
        self._after_answer: list[tuple[Callable[..., Any], tuple[Any, ...]]] = []
        self._params: P_co = _UNKNOWN
        self._input: I_co = _UNKNOWN
        self._context: C_co = _UNKNOWN
        self._identity: Any = _UNKNOWN
        self._extension: Any = None

    def __repr__(self) -> str:
        return f"Call({self.operation.label}, source={self.source!r})"

    @property
    def params(self) -> P_co:
        """What the path captured, parsed; None where the endpoint has no params."""
        return _known(self._params, "params")

    @property
    def input(self) -> I_co:
        """The arguments, parsed; None where the endpoint has no input."""
        return _known(self._input, "input")

    @property
    def context(self) -> C_co:
        """The application's context of this call; None where the surface has no context factory."""
        return _known(self._context, "context")

    @property
    def identity(self) -> Any:
        """Who calls, as the transport or `Hooks.identify` resolved it; None for nobody known."""
        return _known(self._identity, "identity")

    @property
    def extension(self) -> Any:
        """What the surface's extension resolved to; None where the call has none."""
        return self._extension

    async def report_progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        """Tell the caller how far the work is. Does nothing when the caller doesn't listen.

        Args:
            progress: how much is done, in a unit of the handler's choice; it only grows.
            total: how much there is, in the same unit, where it is known.
            message: one sentence for people.
        """
        if self._progress is not None:
            await self._progress(progress, total, message)

    def after_answer(self, function: Callable[..., Any], /, *arguments: Any) -> None:
        """Run `function(*arguments)` once the answer has been sent. It may be async.

        Its failure is logged and changes nothing for the caller. It doesn't run for a failed call.
        """
        self._after_answer.append((function, arguments))


def _known(value: T, name: str) -> T:
    if value is _UNKNOWN:
        raise AttributeError(f"`call.{name}` isn't known yet at this stage of the call.")
    return value
