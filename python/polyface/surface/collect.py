"""The one place that walks a surface's operations, for mounts and for introspection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..contract.expose import TOOL_TRANSPORTS, Transport
from ..errors import DeclarationError
from ..execution.extension import Extension
from ..execution.runner import Runner
from ..names import tool_name_fault
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.arguments import is_object, object_keys
from ..schema.frozen import FrozenDict
from ..schema.json_schema import allows_null
from .document import ToolDocument, tool_document
from .surface import Surface

__all__ = ["Tool", "collect_documents", "collect_http", "collect_tools"]


@dataclass(frozen=True, eq=False, kw_only=True)
class Tool:
    """One operation as a tool surface shows and runs it.

    Args:
        document: what is advertised of it.
        runner: runs it, the view applied.
    """

    document: ToolDocument
    runner: Runner

    @property
    def operation(self) -> Operation:
        """What runs."""
        return self.document.operation

    @property
    def name(self) -> str:
        """The tool's name."""
        return self.document.name

    @cached_property
    def answers_an_object(self) -> bool:
        """Whether every answer is a JSON object."""
        return self.output is not None and is_object(self.output.shape)

    @cached_property
    def may_answer_null(self) -> bool:
        """Whether an answer may be `null`."""
        return self.output_schema is not None and allows_null(self.output_schema)

    @property
    def description(self) -> str:
        """What the model chooses the tool by."""
        return self.document.description

    @property
    def input_schema(self) -> FrozenDict:
        """JSON Schema of the arguments; the root is an object."""
        return self.document.input_schema

    @property
    def output_schema(self) -> FrozenDict | None:
        """JSON Schema of the answer; None where there is none."""
        return self.document.output_schema

    @property
    def output(self) -> Schema[Any] | None:
        """The schema of the answer."""
        return self.document.output


def collect_http(surface: Surface[Any]) -> tuple[tuple[Operation, Runner], ...]:
    """Return the operations served over HTTP, each with its runner, in the order of declaration."""
    return tuple(
        (operation, surface.runner(operation, tool_surface=False))
        for operation in surface.operations
        if "HTTP" in operation.expose
    )


def collect_documents(
    surface: Surface[Any], transport: Transport, *, tool_surface: bool = True
) -> tuple[ToolDocument, ...]:
    """Return what is advertised of the tools of one transport, in mount order.

    Runs nothing of the user's. Each document is made once for a surface.

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
    faults = [*_name_faults(chosen, transport), *_extension_faults(surface, chosen, transport)]
    if faults:
        raise DeclarationError(faults)
    return tuple(
        _document(surface, operation, tool_surface, surface.extension_of(operation, transport))
        for operation in chosen
    )


def collect_tools(
    surface: Surface[Any], transport: Transport, *, tool_surface: bool = True
) -> tuple[Tool, ...]:
    """Return the tools of one transport in mount order, each with its runner.

    Takes and refuses what `collect_documents` does.
    """
    return tuple(
        Tool(
            document=document,
            runner=surface.runner(
                document.operation,
                tool_surface=tool_surface,
                extension=surface.extension_of(document.operation, transport),
            ),
        )
        for document in collect_documents(surface, transport, tool_surface=tool_surface)
    )


def _document(
    surface: Surface[Any],
    operation: Operation,
    tool_surface: bool,
    extension: Extension | None,
) -> ToolDocument:
    made = surface._documents  # pyright: ignore[reportPrivateUsage]  # kept there, filled here
    key = (operation, tool_surface, extension is not None)
    if key not in made:
        extra = extension.schema if extension is not None else None
        made[key] = tool_document(operation, tool_surface=tool_surface, extension=extra)
    return made[key]


def _extension_faults(
    surface: Surface[Any], operations: list[Operation], transport: Transport
) -> list[str]:
    faults: list[str] = []
    for operation in operations:
        extension = surface.extension_of(operation, transport)
        if extension is None:
            continue
        schemas = [schema for schema in (operation.params, operation.input) if schema is not None]
        own = {key for schema in schemas for key in object_keys(schema.shape)}
        if shared := sorted(own & extension.keys):
            names = ", ".join(f"`{name}`" for name in shared)
            faults.append(
                f"`{operation.label}` and the extension `{extension.schema.name}` both read "
                f"{names}; rename one, or leave the operation out with `applies=`."
            )
    return faults


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
                f"`{operation.label}` and `{other.label}` are both the tool `{name}` on "
                f"{transport}; set `tool=ToolOptions(name=...)` on one."
            )
    return faults
