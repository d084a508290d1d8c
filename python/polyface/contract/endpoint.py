"""One operation as it is promised: frozen data that nothing runs.

The types carry the params model (`P`), the input (`I`), the output (`O`) and, for a model or
dataclass input, the keywords of its constructor (`K`), so that a typed client checks keywords
without generated code.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeAlias

from typing_extensions import ParamSpec, TypeVar

from ..schema.adapter import Schema
from .error_set import ErrorDefinition
from .expose import TOOL_TRANSPORTS, Transport
from .kind import BodyKind, ResponseKind
from .path import PathTemplate
from .tool import ToolOptions

__all__ = ["QUERY_METHODS", "Endpoint", "Method"]

Method: TypeAlias = Literal["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"]
QUERY_METHODS: frozenset[Method] = frozenset({"GET", "HEAD", "DELETE"})
"""Methods whose input comes from the query."""

P = TypeVar("P")
I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
O = TypeVar("O")  # noqa: E741
K = ParamSpec("K", default=...)


@dataclass(frozen=True, eq=False, kw_only=True)
class Endpoint(Generic[P, I, O, K]):
    """A declared operation. Made by the verbs; bound to its contract when the class is made.

    Args:
        method: the HTTP method.
        path: its place under the contract's prefix.
        desc: what it does, written for the model, which chooses tools by it.
        params: the schema of what the path captures.
        input: the schema of the arguments.
        output: the schema of the full answer; None answers with nothing.
        expose: the transports it is reached by.
        scope: who may call it; None takes the contract's.
        meta: values of the application's own; None takes the contract's.
        tool: what only a tool surface reads.
        timeout_seconds: how long one call may take.
        idempotent: whether a second equal call changes nothing more.
        summary: a title for the OpenAPI document.
        tags: groups of the OpenAPI document; by default the contract's prefix.
        deprecated: whether new callers should look elsewhere.
        operation_id: its identifier in the OpenAPI document; by default prefix and key.
        errors: the application's errors that it may answer with.
        status: the HTTP status of success; by default 200, or 204 without an output.
        response: how it answers over HTTP, if not with one JSON value.
        body: what its HTTP body is, if not one JSON value.
        key: its name in the contract; by default the attribute's.
        owner: the contract's name once it is bound.
        attribute: its name in the contract's class.
        expose_is_default: whether `expose` was left out.
        grouped_tool: whether `tool=` was given.
    """

    method: Method
    path: PathTemplate
    desc: str
    params: Schema[Any] | None
    input: Schema[Any] | None
    output: Schema[Any] | None
    expose: tuple[Transport, ...]
    scope: str | None = None
    meta: Mapping[str, Any] | None = None
    tool: ToolOptions = ToolOptions()
    timeout_seconds: float | None = None
    idempotent: bool = False
    summary: str | None = None
    tags: tuple[str, ...] | None = None
    deprecated: bool = False
    operation_id: str | None = None
    errors: tuple[ErrorDefinition, ...] = ()
    status: int | None = None
    response: ResponseKind | None = None
    body: BodyKind | None = None
    key: str | None = None
    owner: str | None = None
    attribute: str | None = None
    expose_is_default: bool = False
    grouped_tool: bool = False

    @property
    def place(self) -> str:
        """How a message names the endpoint."""
        if self.owner is not None:
            return f"`{self.owner}.{self.key}`"
        return f"`{self.method} {self.path.text or '/'}`"

    @property
    def is_http_only(self) -> bool:
        """Whether it is of a kind that no tool surface can serve."""
        return self.method == "HEAD" or self.response is not None or self.body is not None

    @property
    def tool_transports(self) -> tuple[Transport, ...]:
        """The exposed transports that are tool surfaces."""
        return tuple(item for item in self.expose if item in TOOL_TRANSPORTS)

    # Never called: it makes P, I, O and K invariant for type checkers.
    def _pin(self, params: P, input_: I, output: O, make: Callable[K, None]) -> tuple[P, I, O]:
        raise NotImplementedError
