"""A surface as deterministic JSON, for review: one row an operation, digests instead of schemas."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeAlias

from ..contract.error_set import ErrorDefinition
from ..contract.kind import Multipart, RawBody, RawResponse, ResponseMetadata, Stream
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.digest import digest
from ..schema.normal import in_any_order, normalised
from .collect import document_of
from .document import annotations_document
from .surface import Surface

__all__ = ["DIGEST_VERSION", "SNAPSHOT_VERSION", "surface_snapshot"]

SNAPSHOT_VERSION = 1
DIGEST_VERSION = 1
Row: TypeAlias = dict[str, Any]


def surface_snapshot(surface: Surface[Any]) -> dict[str, Any]:
    """Return what a surface promises, as JSON values. Runs nothing of the user's, never refuses.

    Each schema has two digests: `wire` over the document as it is sent, which a better wording
    changes, and `contract` over what it accepts, which it doesn't. The order of properties changes
    neither.

    Returns:
        `{"snapshot_version", "digest_version", "operations": [row, ...]}`, rows sorted by service,
        operation and kind. `tool_input` is what a model is shown, defaults of the view, extension
        and presentation included. A row has `tool_view` only where a view is declared.
    """
    rows = [_row(surface, operation) for operation in surface.operations]
    return {
        "snapshot_version": SNAPSHOT_VERSION,
        "digest_version": DIGEST_VERSION,
        "operations": sorted(rows, key=lambda row: (row["service"], row["operation"], row["kind"])),
    }


def _row(surface: Surface[Any], operation: Operation) -> Row:
    row: Row = {
        "kind": operation.kind,
        "service": operation.service,
        "operation": operation.key,
        "scope": operation.scope,
        "transports": list(operation.expose),
        "http": _http(operation) if "HTTP" in operation.expose else None,
        "tool_name": None,
        "description": digest(operation.desc),
        "annotations": None,
        "params": _digests(operation.params, "validation"),
        "input": _digests(operation.input, "validation"),
        "output": _digests(operation.output, "serialization"),
        "errors": {error.code: _error(error) for error in operation.errors},
    }
    if operation.tool_transports:
        document = document_of(surface, operation, operation.tool_transports[0])
        row["tool_name"] = operation.tool_name
        row["annotations"] = digest(annotations_document(operation))
        row["tool_input"] = _both(document.input_schema)
    if operation.view is not None:
        row["tool_view"] = {
            "defaults": digest(dict(operation.view.defaults)) if operation.view.defaults else None,
            "output": _digests(operation.view.output, "serialization"),
            "project": operation.view.project is not None,
        }
    return row


def _http(operation: Operation) -> Row:
    """What only HTTP serves; `response` and `body` are there only where declared."""
    row: Row = {"method": operation.method, "path": operation.path, "status": operation.status}
    match operation.response:
        case Stream(item=item, framing=framing):
            row["response"] = {"stream": framing, "item": _digests(Schema(item), "serialization")}
        case RawResponse(content_type=content_type):
            row["response"] = {"raw": content_type}
        case ResponseMetadata(headers=headers):
            row["response"] = {"headers": sorted(headers)}
        case None:
            pass
    match operation.body:
        case Multipart(files=files):
            row["body"] = {"files": {name: digest(asdict(part)) for name, part in files.items()}}
        case RawBody():
            row["body"] = "raw"
        case None:
            pass
    return row


def _error(error: ErrorDefinition) -> str:
    """Digest what callers branch on; the message is wording."""
    details = None if error.details is None else Schema(error.details).json_schema("serialization")
    promise = {
        "status": error.status,
        "retryable": error.retryable,
        "details": normalised(details),
    }
    return digest(promise)


def _digests(schema: Schema[Any] | None, mode: Any) -> Mapping[str, str] | None:
    return None if schema is None else _both(schema.json_schema(mode))


def _both(document: Mapping[str, Any]) -> Mapping[str, str]:
    return {"wire": digest(in_any_order(document)), "contract": digest(normalised(document))}
