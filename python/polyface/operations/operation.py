"""What can run, wherever it came from: one flat record that every surface reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from ..contract.contract import ContractInfo
from ..contract.endpoint import Endpoint, Method
from ..contract.error_set import ErrorDefinition
from ..contract.expose import TOOL_TRANSPORTS, Transport
from ..contract.kind import BodyKind, RawResponse, ResponseKind, Stream
from ..contract.path import join_path
from ..contract.tool import McpOptions, ToolAnnotations, ToolView, UiResource
from ..names import derive_tool_name
from ..schema.adapter import Schema
from .presenter import Presenters

__all__ = ["Operation", "operation_of", "tool_surface_output_schema"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Operation:
    """One operation with its handler.

    Args:
        kind: whether it is a contract's endpoint or a runtime tool, which has no path.
        label: how a message names it: `People.search`.
        service: the contract's prefix, or the runtime tool's service.
        key: the endpoint's key, or the runtime tool's operation.
        method: the HTTP method.
        path: the whole path, prefix included, in Starlette's spelling; empty for a runtime tool.
        captures: what the path captures: name → convertor.
        scope: who may call it; always set.
        scope_is_default: whether nobody named a scope.
        meta: values of the application's own; None where nothing declares any.
        tool_name: the name on every tool surface.
        derived_name: whether the name was derived from prefix and key.
        present: how a runtime tool's answer is shown.
        handler: takes the call, returns the full answer or an awaitable of it.

    The other fields are the endpoint's own.
    """

    kind: Literal["contract", "runtime"]
    label: str
    service: str
    key: str
    method: Method
    path: str
    captures: Mapping[str, str]
    desc: str
    params: Schema[Any] | None
    input: Schema[Any] | None
    output: Schema[Any] | None
    expose: tuple[Transport, ...]
    scope: str
    scope_is_default: bool
    meta: Mapping[str, Any] | None
    tool_name: str
    derived_name: bool
    view: ToolView | None
    ui: UiResource | None
    annotations: ToolAnnotations | None
    mcp: McpOptions | None
    timeout_seconds: float | None
    idempotent: bool
    summary: str | None
    tags: tuple[str, ...]
    deprecated: bool
    operation_id: str
    errors: tuple[ErrorDefinition, ...]
    status: int
    response: ResponseKind | None
    body: BodyKind | None
    present: Presenters | None
    handler: Callable[[Any], Any]

    def __repr__(self) -> str:
        return f"Operation({self.label})"

    @property
    def tool_transports(self) -> tuple[Transport, ...]:
        """The exposed transports that are tool surfaces."""
        return tuple(item for item in self.expose if item in TOOL_TRANSPORTS)


def operation_of(
    contract: ContractInfo, endpoint: Endpoint[Any, Any, Any, ...], handler: Callable[[Any], Any]
) -> Operation:
    """Build the operation of a bound endpoint. Every binder builds it here, so that none drifts."""
    key = endpoint.key or ""
    name = endpoint.tool.name
    meta = None
    if contract.meta is not None or endpoint.meta is not None:
        meta = {**(contract.meta or {}), **(endpoint.meta or {})}
    return Operation(
        kind="contract",
        label=f"{contract.name}.{key}",
        service=contract.prefix,
        key=key,
        method=endpoint.method,
        path=join_path(contract.prefix, endpoint.path.text),
        captures=endpoint.path.captures,
        desc=endpoint.desc,
        params=endpoint.params,
        input=endpoint.input,
        output=endpoint.output,
        expose=endpoint.expose,
        scope=endpoint.scope or contract.scope or "public",
        scope_is_default=endpoint.scope is None and contract.scope is None,
        meta=meta,
        tool_name=derive_tool_name(contract.prefix, key) if name is None else name,
        derived_name=name is None,
        view=endpoint.tool.view,
        ui=endpoint.tool.ui,
        annotations=endpoint.tool.annotations,
        mcp=endpoint.tool.mcp,
        timeout_seconds=endpoint.timeout_seconds,
        idempotent=endpoint.idempotent,
        summary=endpoint.summary,
        tags=endpoint.tags if endpoint.tags is not None else (contract.prefix or contract.name,),
        deprecated=endpoint.deprecated,
        operation_id=endpoint.operation_id or f"{contract.prefix or contract.name}_{key}",
        errors=endpoint.errors,
        status=_status(endpoint),
        response=endpoint.response,
        body=endpoint.body,
        present=None,
        handler=handler,
    )


def _status(endpoint: Endpoint[Any, Any, Any, ...]) -> int:
    if endpoint.status is not None:
        return endpoint.status
    answers = endpoint.output is not None or isinstance(endpoint.response, RawResponse | Stream)
    return 200 if answers or endpoint.method == "HEAD" else 204


def tool_surface_output_schema(operation: Operation) -> Schema[Any] | None:
    """Return the schema of what a tool's caller gets; None where there is no answer.

    The one function that knows about views: whatever advertises or checks a tool's answer asks it.
    """
    if operation.output is None or operation.view is None or operation.view.output is None:
        return operation.output
    return operation.view.output
