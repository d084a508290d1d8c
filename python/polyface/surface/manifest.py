"""What a model would be shown, without mounting anything."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ..errors import DeclarationError
from ..schema.frozen import FrozenDict
from .collect import collect_documents
from .document import ToolDocument
from .surface import Surface

__all__ = ["CatalogEntry", "ManifestEntry", "build_tool_manifest", "describe_tool_catalog"]

ManifestTransport = Literal["MCP", "AGENT"]


@dataclass(frozen=True, eq=False, slots=True)
class ManifestEntry:
    """One tool of a manifest.

    Args:
        name: the tool's name.
        description: what the model chooses it by.
        input_schema: the very document that the mounts advertise; frozen.
    """

    name: str
    description: str
    input_schema: FrozenDict


@dataclass(frozen=True, eq=False, slots=True)
class CatalogEntry:
    """One tool of a catalog, with where it comes from and what its schema costs.

    Args:
        name: the tool's name.
        description: what the model chooses it by.
        input_schema: the very document that the mounts advertise; frozen.
        kind: `contract` or `runtime`.
        service: the contract's prefix, or the runtime tool's service.
        operation: the endpoint's key, or the runtime tool's operation.
        schema_bytes: the length of the input document as compact JSON in UTF-8.
    """

    name: str
    description: str
    input_schema: FrozenDict
    kind: Literal["contract", "runtime"]
    service: str
    operation: str
    schema_bytes: int


def build_tool_manifest(
    surface: Surface[Any], *, transport: ManifestTransport
) -> tuple[ManifestEntry, ...]:
    """List the tools of a transport in mount order. Runs nothing of the user's.

    Args:
        surface: what is on show.
        transport: `MCP` or `AGENT`.

    Raises:
        DeclarationError: another transport; an illegal or repeated tool name, before anything is
            returned.
    """
    return tuple(
        ManifestEntry(document.name, document.description, document.input_schema)
        for document in _documents(surface, transport)
    )


def describe_tool_catalog(
    surface: Surface[Any],
    *,
    transport: ManifestTransport,
    max_schema_bytes: int | None = None,
) -> tuple[CatalogEntry, ...]:
    """List the tools of a transport with their origin and the size of their input schemas.

    Args:
        surface: what is on show.
        transport: `MCP` or `AGENT`.
        max_schema_bytes: what all input schemas may have together; None asks nothing.

    Raises:
        DeclarationError: as `build_tool_manifest`, or the budget is exceeded; the message names the
            largest schemas.
    """
    entries = tuple(_entry(document) for document in _documents(surface, transport))
    total = sum(entry.schema_bytes for entry in entries)
    if max_schema_bytes is not None and total > max_schema_bytes:
        raise DeclarationError(
            f"the input schemas on {transport} have {total} bytes, more than the budget of "
            f"{max_schema_bytes}; the largest are {_largest(entries)}."
        )
    return entries


def _documents(surface: Surface[Any], transport: str) -> Sequence[ToolDocument]:
    if transport not in ("MCP", "AGENT"):
        raise DeclarationError(f"a manifest is for `MCP` or `AGENT`; `{transport}` has none.")
    return collect_documents(surface, transport)  # type: ignore[arg-type]  # one of the two


def _entry(document: ToolDocument) -> CatalogEntry:
    written = json.dumps(document.input_schema, ensure_ascii=False, separators=(",", ":"))
    return CatalogEntry(
        name=document.name,
        description=document.description,
        input_schema=document.input_schema,
        kind=document.operation.kind,
        service=document.operation.service,
        operation=document.operation.key,
        schema_bytes=len(written.encode()),
    )


def _largest(entries: Sequence[CatalogEntry]) -> str:
    first = sorted(entries, key=lambda entry: -entry.schema_bytes)[:3]
    return ", ".join(f"`{entry.name}` ({entry.schema_bytes})" for entry in first)
