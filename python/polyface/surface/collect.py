"""The one place that walks a surface's operations, for mounts and for introspection."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ..contract.expose import TOOL_TRANSPORTS, Transport
from ..errors import DeclarationError
from ..execution.runner import Runner
from ..names import tool_name_fault
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.arguments import is_object, object_keys
from ..schema.frozen import FrozenDict
from ..schema.json_schema import allows_null
from .document import ToolDocument, tool_document
from .surface import Surface

__all__ = ["Tool", "collect_documents", "collect_http", "collect_tools", "document_of"]

# The transports whose callers are models; a command line shows no schema to a provider.
MODEL_TRANSPORTS: tuple[Transport, ...] = ("MCP", "AGENT")


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


def expect_surface(surface: object) -> None:
    """Refuse what isn't a surface, a service for one, where it is mounted."""
    if not isinstance(surface, Surface):
        raise DeclarationError(
            f"a mount takes a `Surface`, not `{surface!r}`; write `Surface([service])`."
        )


def collect_http(surface: Surface[Any]) -> tuple[tuple[Operation, Runner], ...]:
    """Return the operations served over HTTP, each with its runner, in the order of declaration."""
    expect_surface(surface)
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
            from; what a provider of models refuses, as the surface's presentation says; all faults
            at once. Or a transport that has no tools.
    """
    expect_surface(surface)
    if transport not in TOOL_TRANSPORTS:
        raise DeclarationError(
            f"`{transport}` has no tools; a tool transport is one of {', '.join(TOOL_TRANSPORTS)}."
        )
    chosen = [item for item in surface.operations if transport in item.expose]
    documents = [
        document_of(surface, operation, transport, tool_surface=tool_surface)
        for operation in chosen
    ]
    presented = documents if transport in MODEL_TRANSPORTS else []
    faults = [
        *_name_faults(chosen, transport),
        *_extension_faults(surface, chosen, transport),
        *surface.presentation.faults(presented),
    ]
    if faults:
        raise DeclarationError(faults)
    return tuple(
        document
        for document in documents
        if document not in presented or surface.presentation.is_shown(document)
    )


def collect_tools(
    surface: Surface[Any], transport: Transport, *, tool_surface: bool = True
) -> tuple[Tool, ...]:
    """Return the tools of one transport in mount order, each with its runner.

    Takes and refuses what `collect_documents` does, and logs what it only warns of.
    """
    documents = collect_documents(surface, transport, tool_surface=tool_surface)
    if transport in MODEL_TRANSPORTS:
        surface.presentation.warn(documents)
    return tuple(
        Tool(
            document=document,
            runner=surface.runner(
                document.operation,
                tool_surface=tool_surface,
                extension=surface.extension_of(document.operation, transport),
            ),
        )
        for document in documents
    )


def document_of(
    surface: Surface[Any], operation: Operation, transport: Transport, *, tool_surface: bool = True
) -> ToolDocument:
    """Return what is advertised of one operation, without asking whether it may be mounted.

    Takes what `collect_documents` does.
    """
    made = surface._documents  # pyright: ignore[reportPrivateUsage]  # kept there, filled here
    extension = surface.extension_of(operation, transport)
    key = (operation, tool_surface, extension is not None)
    if key not in made:
        made[key] = tool_document(
            operation,
            tool_surface=tool_surface,
            flatten_unions=surface.presentation.flatten_unions,
            extension=extension.schema if extension is not None else None,
        )
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
            faults.append(f"`{operation.label}`: {fault}; set {_rename(operation)}.")
        other = seen.setdefault(name, operation)
        if other is not operation:
            remedies = " or ".join(dict.fromkeys([_rename(operation), _rename(other)]))
            faults.append(
                f"{_told(operation)} and {_told(other)} are both the tool `{name}` on "
                f"{transport}; set {remedies} on one."
            )
    return faults


def _told(operation: Operation) -> str:
    kind = "the runtime tool " if operation.kind == "runtime" else ""
    return f"{kind}`{operation.label}`"


def _rename(operation: Operation) -> str:
    return "`name=`" if operation.kind == "runtime" else "`tool=ToolOptions(name=...)`"
