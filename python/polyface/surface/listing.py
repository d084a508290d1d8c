"""Rows for people: every tool name there is, broken ones included, and how many tools are where.

These never refuse: they exist to show the row that a mount would refuse.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from ..contract.expose import TOOL_TRANSPORTS, TRANSPORTS, Transport
from ..operations.operation import Operation
from .surface import Surface

__all__ = [
    "SourceSummary",
    "ToolName",
    "TransportSummary",
    "list_tool_names",
    "summarize_transports",
]

Kind = Literal["contract", "runtime"]


@dataclass(frozen=True, slots=True)
class ToolName:
    """One operation with a tool transport.

    Args:
        kind: where it comes from: `contract` or `runtime`.
        name: its tool name, legal or not.
        service: the contract's prefix, or the runtime tool's service.
        method: the endpoint's key, or the runtime tool's operation.
        transports: its tool transports, in the order MCP, AGENT, CLI.
    """

    kind: Kind
    name: str
    service: str
    method: str
    transports: tuple[Transport, ...]


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """The operations of one service.

    Args:
        kind: `contract` or `runtime`.
        service: the contract's prefix, or the runtime tools' service.
        operations: how many there are.
        transports: transport → how many of them it reaches; a transport that reaches none is there
            with 0.
    """

    kind: Kind
    service: str
    operations: int
    transports: dict[Transport, int] = field(default_factory=dict[Transport, int])


@dataclass(frozen=True, slots=True)
class TransportSummary:
    """What a surface holds, by transport.

    Args:
        contract_services: how many services come from contracts.
        runtime_tools: how many runtime tools there are. They have no HTTP operation.
        totals: transport → how many operations it reaches.
        sources: one for each service: contracts first, then the services of runtime tools in the
            order in which they are first met.
    """

    contract_services: int
    runtime_tools: int
    totals: dict[Transport, int]
    sources: tuple[SourceSummary, ...]


def list_tool_names(surface: Surface[Any]) -> tuple[ToolName, ...]:
    """List every tool name, sorted by name, then service, then kind. Never refuses."""
    rows = [
        ToolName(
            operation.kind,
            operation.tool_name,
            operation.service,
            operation.key,
            tuple(item for item in TOOL_TRANSPORTS if item in operation.expose),
        )
        for operation in surface.operations
        if operation.tool_transports
    ]
    return tuple(sorted(rows, key=lambda row: (str(row.name), row.service, row.kind, row.method)))


def summarize_transports(surface: Surface[Any]) -> TransportSummary:
    """Count the operations by transport and by where they come from. Never refuses."""
    sources: dict[tuple[Kind, str], list[Operation]] = {}
    for operation in surface.operations:
        sources.setdefault((operation.kind, operation.service), []).append(operation)
    ordered = sorted(sources, key=lambda source: source[0] == "runtime")
    return TransportSummary(
        contract_services=sum(kind == "contract" for kind, _ in sources),
        runtime_tools=sum(operation.kind == "runtime" for operation in surface.operations),
        totals=_counts(surface.operations),
        sources=tuple(
            SourceSummary(kind, service, len(found), _counts(found))
            for kind, service in ordered
            for found in [sources[kind, service]]
        ),
    )


def _counts(operations: Iterable[Operation]) -> dict[Transport, int]:
    found = list(operations)
    return {
        transport: sum(transport in operation.expose for operation in found)
        for transport in TRANSPORTS
    }
