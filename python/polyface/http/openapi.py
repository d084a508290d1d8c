"""The OpenAPI 3.1 document of a surface: exactly what its routes serve, full answers only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from ..contract.endpoint import QUERY_METHODS
from ..contract.kind import Stream
from ..contract.path import join_path
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.json_schema import honest_answers
from ..schema.quiet import QuietJsonSchema
from ..schema.walk import schemas_in
from ..surface.collect import collect_http
from ..surface.surface import Surface
from .openapi_body import (
    ERROR_NAME,
    REFERENCE,
    Document,
    Uses,
    details_of,
    error_schema,
    properties_of,
    request_body,
    resolved,
    responses,
)

__all__ = ["openapi_document"]


def openapi_document(
    surface: Surface[Any],
    *,
    prefix: str = "",
    title: str = "polyface",
    version: str = "0",
    description: str | None = None,
) -> Document:
    """Build the OpenAPI 3.1 document of what `http_app` serves with the same prefix.

    Args:
        surface: what is served.
        prefix: goes before every path.
        title: what the service is called.
        version: its version.
        description: what it is, in a few sentences.
    """
    operations = [operation for operation, _ in collect_http(surface)]
    schemas, components = _schemas(operations)
    paths: dict[str, Document] = {}
    for operation in operations:
        path = _openapi_path(join_path(prefix, operation.path))
        item = _operation(operation, schemas, components)
        paths.setdefault(path, {})[operation.method.lower()] = item
    info: Document = {"title": title, "version": version}
    if description is not None:
        info["description"] = description
    return {
        "openapi": "3.1.0",
        "info": info,
        "paths": paths,
        "components": {"schemas": {**_used(paths, components), ERROR_NAME: error_schema()}},
    }


def _schemas(operations: list[Operation]) -> tuple[Uses, Document]:
    """Make the documents of all schemas at once, so that they share named components."""
    uses: list[tuple[tuple[str, str], Any, TypeAdapter[Any]]] = []
    for operation in operations:
        for what, mode, schema in (
            ("params", "validation", operation.params),
            ("input", "validation", operation.input),
            ("output", "serialization", operation.output),
            ("item", "serialization", _item(operation)),
        ):
            if schema is not None:
                uses.append(((operation.label, what), mode, schema.adapter))
        for error in operation.errors:
            if error.details is not None:
                adapter: TypeAdapter[Any] = Schema[Any](error.details).adapter
                uses.append(((operation.label, details_of(error)), "serialization", adapter))
    made, shared = TypeAdapter.json_schemas(
        uses, by_alias=True, ref_template=REFERENCE, schema_generator=QuietJsonSchema
    )
    components: Document = shared.get("$defs", {})
    documents = {key: document for (key, _), document in made.items()}
    for (_, what), document in documents.items():
        if what not in ARGUMENTS:
            honest_answers(document, components)
    for name in _answer_components(documents, components):
        honest_answers(components[name], components)
    return documents, components


def _used(paths: Document, components: Document) -> Document:
    """The components that something served refers to; a query is told field by field."""
    reached: set[str] = set()
    for item in paths.values():
        _reach(item, components, reached)
    return {name: item for name, item in components.items() if name in reached}


# The uses that say what polyface accepts; the others say what it writes.
ARGUMENTS = frozenset({"params", "input"})


def _item(operation: Operation) -> Schema[Any] | None:
    response = operation.response
    return Schema(response.item) if isinstance(response, Stream) else None


def _answer_components(
    documents: Mapping[tuple[str, str], Document], components: Document
) -> set[str]:
    """The components that answers refer to.

    One that arguments share says the same, a little less.
    """
    reached: set[str] = set()
    for (_, what), document in documents.items():
        if what not in ARGUMENTS:
            _reach(document, components, reached)
    return reached


def _reach(document: object, components: Document, reached: set[str]) -> None:
    for node in schemas_in(document):
        name = str(node.get("$ref", "")).rpartition("/")[2]
        if name in components and name not in reached:
            reached.add(name)
            _reach(components[name], components, reached)


def _operation(operation: Operation, schemas: Uses, components: Document) -> Document:
    made: Document = {
        "operationId": operation.operation_id,
        "summary": operation.summary or operation.desc.split(". ")[0].removesuffix("."),
        "description": operation.desc,
        "tags": list(operation.tags),
    }
    if operation.deprecated:
        made["deprecated"] = True
    parameters = _path_parameters(operation, schemas, components)
    if operation.method in QUERY_METHODS:
        parameters += _query_parameters(operation, schemas, components)
    elif operation.input is not None or operation.body is not None:
        made["requestBody"] = request_body(operation, schemas, components)
    if parameters:
        made["parameters"] = parameters
    made["responses"] = responses(operation, schemas)
    return made


def _path_parameters(operation: Operation, schemas: Uses, components: Document) -> list[Document]:
    if operation.params is None:
        return []
    properties, _ = properties_of(schemas[operation.label, "params"], components)
    made: list[Document] = []
    for name in operation.captures:
        # A capture may have any of the names that its field is read by; a document has one of them.
        known = next(item for item in operation.params.names_beside(name) if item in properties)
        parameter = _parameter(name, "path", properties[known], required=True)
        made.append({**parameter, "schema": properties[known]})
    return made


def _query_parameters(operation: Operation, schemas: Uses, components: Document) -> list[Document]:
    if operation.input is None:
        return []
    properties, required = properties_of(schemas[operation.label, "input"], components)
    made: list[Document] = []
    for name, schema in properties.items():
        parameter = _parameter(name, "query", schema, required=name in required)
        if _is_structure(schema, components):
            parameter["content"] = {"application/json": {"schema": schema}}
        else:
            parameter["schema"] = schema
        made.append(parameter)
    return made


def _parameter(name: str, place: str, schema: Document, *, required: bool) -> Document:
    made: Document = {"name": name, "in": place, "required": required}
    if isinstance(schema.get("description"), str):
        made["description"] = schema["description"]
    return made


def _is_structure(schema: Document, components: Document) -> bool:
    """Whether a query holds it as JSON text: an object, or what may be one."""
    target = resolved(schema, components)
    members = [*target.get("anyOf", ()), *target.get("oneOf", ())]
    return target.get("type") == "object" or any(
        _is_structure(item, components) for item in members
    )


def _openapi_path(path: str) -> str:
    return "/".join(
        f"{{{part[1:-1].partition(':')[0]}}}" if part.startswith("{") else part
        for part in path.split("/")
    )
