"""A surface as deterministic JSON, for review: one row an operation, digests instead of schemas."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.digest import digest
from ..schema.json_schema import arguments_document
from ..schema.normal import normalised
from .document import annotations_document
from .surface import Surface

__all__ = ["DIGEST_VERSION", "SNAPSHOT_VERSION", "surface_snapshot"]

SNAPSHOT_VERSION = 1
DIGEST_VERSION = 1
Row: TypeAlias = dict[str, Any]


def surface_snapshot(surface: Surface[Any]) -> dict[str, Any]:
    """Return what a surface promises, as JSON values. Runs nothing of the user's.

    Each schema has two digests: `wire` over the exact document, and `contract` over the document
    without titles, descriptions and examples and with sets in order, so that a reordering or a
    better wording moves the first only.

    Returns:
        `{"snapshot_version", "digest_version", "operations": [row, ...]}`, rows sorted by service,
        operation and kind. A row has `tool_view` only where a view is declared.
    """
    rows = [_row(operation) for operation in surface.operations]
    return {
        "snapshot_version": SNAPSHOT_VERSION,
        "digest_version": DIGEST_VERSION,
        "operations": sorted(rows, key=lambda row: (row["service"], row["operation"], row["kind"])),
    }


def _row(operation: Operation) -> Row:
    http = "HTTP" in operation.expose
    row: Row = {
        "kind": operation.kind,
        "service": operation.service,
        "operation": operation.key,
        "scope": operation.scope,
        "transports": list(operation.expose),
        "http": {"method": operation.method, "path": operation.path, "status": operation.status}
        if http
        else None,
        "tool_name": operation.tool_name if operation.tool_transports else None,
        "description": digest(operation.desc),
        "annotations": digest(annotations_document(operation))
        if operation.tool_transports
        else None,
        "params": _digests(operation.params, "validation"),
        "input": _digests(operation.input, "validation"),
        "output": _digests(operation.output, "serialization"),
        "errors": sorted(error.code for error in operation.errors),
    }
    if operation.tool_transports:
        view = operation.view
        defaults: Mapping[str, Any] = view.defaults if view is not None else {}
        row["tool_input"] = _both(arguments_document(operation.params, operation.input, defaults))
    if operation.view is not None:
        row["tool_view"] = {
            "defaults": digest(dict(operation.view.defaults)) if operation.view.defaults else None,
            "output": _digests(operation.view.output, "serialization"),
            "project": operation.view.project is not None,
        }
    return row


def _digests(schema: Schema[Any] | None, mode: Any) -> Mapping[str, str] | None:
    return None if schema is None else _both(schema.json_schema(mode))


def _both(document: Mapping[str, Any]) -> Mapping[str, str]:
    return {"wire": digest(document), "contract": digest(normalised(document))}
