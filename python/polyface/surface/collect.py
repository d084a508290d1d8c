"""The one place that walks a surface's operations for a mount."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ..contract.expose import TOOL_TRANSPORTS, Transport
from ..errors import DeclarationError
from ..execution.runner import Runner
from ..names import tool_name_fault
from ..operations.operation import Operation, tool_surface_output_schema
from ..schema.adapter import Schema
from ..schema.json_schema import arguments_document, output_document
from .surface import Surface

__all__ = ["Tool", "collect_http", "collect_tools"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool:
    """One operation as a tool surface shows and runs it.

    Args:
        operation: what runs.
        runner: runs it, the view applied.
        input_schema: the document of its arguments; its root is an object.
        output_schema: the document of its answer; None where there is none.
        output: the schema of that answer.
    """

    operation: Operation
    runner: Runner
    input_schema: dict[str, Any]
    output_schema: dict[str, Any] | None
    output: Schema[Any] | None

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.operation.tool_name

    @property
    def description(self) -> str:
        """What the model chooses the tool by."""
        return self.operation.desc


def collect_http(surface: Surface[Any]) -> tuple[tuple[Operation, Runner], ...]:
    """Return the operations served over HTTP, each with its runner, in the order of declaration."""
    return tuple(
        (operation, surface.runner(operation, tool_surface=False))
        for operation in surface.operations
        if "HTTP" in operation.expose
    )


def collect_tools(
    surface: Surface[Any], transport: Transport, *, tool_surface: bool = True
) -> tuple[Tool, ...]:
    """Return the tools of one transport in mount order.

    Args:
        surface: whose operations.
        transport: whose exposure applies.
        tool_surface: whether views apply; an in-process caller may want full answers.

    Raises:
        DeclarationError: an illegal name, or one name twice, each with the operations it comes
            from; a transport that has no tools.
    """
    if transport not in TOOL_TRANSPORTS:
        raise DeclarationError(
            f"`{transport}` has no tools; a tool transport is one of {', '.join(TOOL_TRANSPORTS)}."
        )
    chosen = [item for item in surface.operations if transport in item.expose]
    faults = [*_name_faults(chosen, transport)]
    if faults:
        raise DeclarationError(faults)
    return tuple(_tool(surface, operation, tool_surface) for operation in chosen)


def _tool(surface: Surface[Any], operation: Operation, tool_surface: bool) -> Tool:
    output = tool_surface_output_schema(operation) if tool_surface else operation.output
    view = operation.view if tool_surface else None
    defaults = view.defaults if view is not None else {}
    return Tool(
        operation=operation,
        runner=surface.runner(operation, tool_surface=tool_surface),
        input_schema=arguments_document(operation.params, operation.input, defaults),
        output_schema=output_document(output) if output is not None else None,
        output=output,
    )


def _name_faults(operations: list[Operation], transport: Transport) -> list[str]:
    faults: list[str] = []
    seen: dict[str, Operation] = {}
    for operation in operations:
        name = operation.tool_name
        prefix = operation.service if operation.derived_name else None
        if fault := tool_name_fault(name, prefix=prefix):
            faults.append(f"`{operation.label}`: {fault}; set `tool=ToolOptions(name=...)`.")
        other = seen.setdefault(name, operation)
        if other is not operation:
            faults.append(
                f"`{operation.label}` and `{other.label}` are both the tool `{name}` on {transport}; "
                f"set `tool=ToolOptions(name=...)` on one."
            )
    return faults
