"""What a tool surface shows of one operation: made once, frozen, and shared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..contract.tool import ToolAnnotations
from ..operations.operation import Operation, tool_surface_output_schema
from ..schema.adapter import Schema
from ..schema.frozen import FrozenDict, freeze
from ..schema.json_schema import arguments_document, output_document
from ..schema.provider import ProviderFinding, provider_findings

__all__ = ["ToolDocument", "annotations_document", "tool_document"]


@dataclass(frozen=True, eq=False, kw_only=True)
class ToolDocument:
    """One tool as it is advertised.

    Args:
        operation: what it runs.
        input_schema: JSON Schema of its arguments; the root is an object. Frozen.
        output_schema: JSON Schema of its answer; None where there is none. Frozen.
        output: the schema of that answer.
    """

    operation: Operation
    input_schema: FrozenDict
    output_schema: FrozenDict | None
    output: Schema[Any] | None

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.operation.tool_name

    @property
    def description(self) -> str:
        """What the model chooses the tool by."""
        return self.operation.desc

    @cached_property
    def findings(self) -> tuple[ProviderFinding, ...]:
        """What some providers of models would refuse in its arguments."""
        return provider_findings(self.input_schema)


def tool_document(
    operation: Operation,
    *,
    tool_surface: bool,
    flatten_unions: bool = False,
    extension: Schema[Any] | None = None,
) -> ToolDocument:
    """Make the document of one operation. Runs nothing of the user's.

    Args:
        operation: one that a tool transport exposes.
        tool_surface: whether its view applies.
        flatten_unions: whether discriminated unions in its arguments are shown as objects.
        extension: the surface's extra arguments, where the operation has them.
    """
    view = operation.view if tool_surface else None
    output = tool_surface_output_schema(operation) if tool_surface else operation.output
    defaults: Mapping[str, Any] = view.defaults if view is not None else {}
    return ToolDocument(
        operation=operation,
        input_schema=freeze(
            arguments_document(
                operation.params, operation.input, defaults, extension, flat=flatten_unions
            )
        ),
        output_schema=freeze(output_document(output)) if output is not None else None,
        output=output,
    )


def annotations_document(operation: Operation) -> dict[str, Any]:
    """The hints of an operation under MCP's names, those that follow from its method included."""
    own = operation.annotations or ToolAnnotations()
    reads = operation.method in ("GET", "HEAD")
    hints = {
        "title": own.title,
        "readOnlyHint": own.read_only if own.read_only is not None else (reads or None),
        "destructiveHint": own.destructive,
        "idempotentHint": own.idempotent
        if own.idempotent is not None
        else (operation.idempotent or None),
        "openWorldHint": own.open_world,
    }
    return {key: value for key, value in hints.items() if value is not None}
