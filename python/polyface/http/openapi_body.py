"""What the OpenAPI document says of bodies: of requests, of answers, of failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ..contract.error_set import ErrorDefinition
from ..contract.kind import Multipart, RawResponse, ResponseMetadata, Stream
from ..errors import ERROR_CODES
from ..operations.operation import Operation
from .stream import MEDIA_TYPES

__all__ = [
    "ERROR_NAME",
    "REFERENCE",
    "Document",
    "Uses",
    "details_of",
    "error_schema",
    "properties_of",
    "request_body",
    "resolved",
    "responses",
]

Document: TypeAlias = dict[str, Any]
Uses: TypeAlias = Mapping[tuple[str, str], Document]
"""The operation's label and what a schema is of it → the schema's document."""

REFERENCE = "#/components/schemas/{model}"
ERROR_NAME = "PolyfaceError"


def request_body(operation: Operation, schemas: Uses, components: Document) -> Document:
    """Describe the body of an operation that reads one."""
    if isinstance(operation.body, Multipart):
        return _multipart_body(operation, operation.body, schemas, components)
    schema = schemas[operation.label, "input"]
    required = bool(resolved(schema, components).get("required"))
    return {"required": required, "content": {"application/json": {"schema": schema}}}


def _multipart_body(
    operation: Operation, body: Multipart, schemas: Uses, components: Document
) -> Document:
    properties: Document = {}
    required: set[str] = set()
    if operation.input is not None:
        properties, required = properties_of(schemas[operation.label, "input"], components)
    files: Document = {}
    encoding: Document = {}
    for name, part in body.files.items():
        # A file is neither text nor JSON, so its schema is empty; its encoding says what it is.
        files[name] = {} if part.max_files == 1 else {"type": "array", "items": {}}
        encoding[name] = {
            "contentType": ", ".join(part.content_types or ("application/octet-stream",))
        }
    needed = [*sorted(required), *(name for name, part in body.files.items() if part.required)]
    schema: Document = {"type": "object", "properties": {**properties, **files}}
    if needed:
        schema["required"] = needed
    media = {"schema": schema, "encoding": encoding}
    return {"required": bool(needed), "content": {"multipart/form-data": media}}


def responses(operation: Operation, schemas: Uses) -> Document:
    """Describe what an operation answers: success, the refusals it declares, and any failure."""
    made: Document = {str(operation.status): _success(operation, schemas)}
    refusals = {"400": "The arguments are refused.", "500": "The operation failed on the server."}
    if operation.scope != "public":
        refusals |= {"401": "The caller isn't known.", "403": "The caller may not do this."}
    always = frozenset(refusals)
    for declared in operation.errors:
        status, told = str(declared.status), f"`{declared.code}`: {declared.message}"
        refusals[status] = f"{refusals[status]} {told}" if status in refusals else told
    for status, description in sorted(refusals.items()):
        errors = [error for error in operation.errors if str(error.status) == status]
        schema = _errors_schema(operation, errors, schemas, or_others=status in always)
        made[status] = {"description": description, "content": _as_json(schema)}
    made["default"] = {"description": "The call failed.", "content": _as_json(ANY_ERROR)}
    return made


ANY_ERROR = {"$ref": REFERENCE.format(model=ERROR_NAME)}


def _as_json(schema: Document) -> Document:
    return {"application/json": {"schema": schema}}


def details_of(error: ErrorDefinition) -> str:
    """What the schema of an error's details is of an operation, as `Uses` has it."""
    return f"details of {error.code}"


def _errors_schema(
    operation: Operation, errors: list[ErrorDefinition], schemas: Uses, *, or_others: bool
) -> Document:
    """Describe the envelopes of one status: those declared, and others where there may be some."""
    if all(error.details is None for error in errors):
        return ANY_ERROR
    members = [
        _declared(error, schemas.get((operation.label, details_of(error)))) for error in errors
    ]
    if or_others:
        members.append(ANY_ERROR)
    return members[0] if len(members) == 1 else {"anyOf": members}


def _declared(error: ErrorDefinition, details: Document | None) -> Document:
    said: Document = {"properties": {"code": {"const": error.code}}}
    if details is not None:
        said["properties"]["details"] = details
        said["required"] = ["details"]
    return {"allOf": [ANY_ERROR, {"properties": {"error": said}}]}


def _success(operation: Operation, schemas: Uses) -> Document:
    match operation.response:
        case RawResponse(content_type=content_type):
            return {"description": "The answer.", "content": {content_type: {}}}
        case Stream(framing=framing):
            item = schemas[operation.label, "item"]
            described = (
                'One item after the other; an item that is `{"error"}` ends a failed stream.'
            )
            # OpenAPI 3.1 has no word for the items of a stream; the extension names their schema.
            media = {"schema": {"type": "string"}, "x-item-schema": item}
            return {"description": described, "content": {MEDIA_TYPES[framing]: media}}
        case _:
            made = _json_answer(operation, schemas)
    if isinstance(operation.response, ResponseMetadata) and operation.response.headers:
        text = {"schema": {"type": "string"}}
        made["headers"] = dict.fromkeys(operation.response.headers, text)
    return made


def _json_answer(operation: Operation, schemas: Uses) -> Document:
    if operation.output is None:
        return {"description": "Done; there is nothing to answer."}
    schema = schemas[operation.label, "output"]
    return {"description": "The full answer.", "content": {"application/json": {"schema": schema}}}


def properties_of(schema: Document, components: Document) -> tuple[Document, set[str]]:
    """The properties of an object's schema, of all members of a union, and which are required."""
    target = resolved(schema, components)
    members = target.get("anyOf") or target.get("oneOf")
    if members is None:
        return target.get("properties", {}), set(target.get("required", ()))
    merged: Document = {}
    required: set[str] | None = None
    for member in members:
        properties, needed = properties_of(member, components)
        merged = {**properties, **merged}
        required = needed if required is None else required & needed
    return merged, required or set()


def resolved(schema: Document, components: Document) -> Document:
    """Follow a reference to a component by one step."""
    reference = schema.get("$ref")
    if not isinstance(reference, str):
        return schema
    return dict(components[reference.rpartition("/")[2]])


def error_schema() -> Document:
    """The component of the error envelope."""
    return {
        "title": ERROR_NAME,
        "description": "How every failed call is told.",
        "type": "object",
        "required": ["error"],
        "properties": {
            "error": {
                "type": "object",
                "required": ["code", "message", "retryable"],
                "properties": {
                    "code": {"type": "string", "examples": sorted(ERROR_CODES)},
                    "message": {"type": "string"},
                    "details": {"type": "object"},
                    "retryable": {"type": "boolean"},
                },
            }
        },
    }
