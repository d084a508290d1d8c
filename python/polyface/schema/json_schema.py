"""JSON Schema 2020-12 documents of arguments and answers, as they are advertised.

A document is never executed: pydantic parses arguments and writes answers, and a document says what
pydantic accepts and writes.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from .adapter import Schema

__all__ = ["arguments_document", "honest_answers", "output_document", "resolve_root", "schemas_in"]

Document = dict[str, Any]

# Formats that every value of the type satisfies as pydantic writes it. A naive datetime, any time and
# a fractional duration fail what validators assert of `date-time`, `time` and `duration`.
HONEST_FORMATS = frozenset({"date", "uuid", "email", "ipv4", "ipv6", "uri"})


def output_document(schema: Schema[Any]) -> Document:
    """Return the document of an answer: what is written, under the names it is written by."""
    document = schema.json_schema("serialization")
    honest_answers(document)
    return document


def honest_answers(document: Document) -> None:
    """Take out of an answer's document, in place, what not every answer satisfies."""
    for node in schemas_in(document):
        if node.get("format") not in HONEST_FORMATS:
            node.pop("format", None)
        if isinstance(node.get("multipleOf"), float):
            del node["multipleOf"]  # 0.3 isn't a multiple of 0.1 to most validators
        names = node.get("propertyNames")
        if isinstance(names, dict) and isinstance(names.get("enum"), list):
            names["enum"] = [str(name) for name in names["enum"]]
            names.pop("type", None)


def arguments_document(
    params: Schema[Any] | None,
    input_: Schema[Any] | None,
    defaults: Mapping[str, Any],
) -> Document:
    """Return the document of a tool's one arguments object: params and input side by side.

    The root says `type: object`, whatever the schemas are. A view's default is advertised in place of
    the field's own, and its key isn't required.
    """
    parts = [
        resolve_root(schema.json_schema("validation"))
        for schema in (params, input_)
        if schema is not None
    ]
    if not parts:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    definitions = _merged_definitions(parts)
    if len(parts) == 1:
        document = parts[0]
    elif all(part.get("type") == "object" and "properties" in part for part in parts):
        document = _side_by_side(*parts)
    else:
        document = {"allOf": parts}
    _advertise_defaults(document, defaults)
    head: Document = {"type": "object"}
    tail: Document = {"$defs": definitions} if definitions else {}
    return head | {key: value for key, value in document.items() if key != "$defs"} | tail


def resolve_root(document: Document) -> Document:
    """Inline a root `$ref` by one level, as readers that want an object at the root need it."""
    reference = document.get("$ref")
    if not isinstance(reference, str):
        return document
    name = reference.removeprefix("#/$defs/")
    target = copy.deepcopy(document["$defs"][name])
    return {**target, "$defs": document["$defs"]}


def _merged_definitions(parts: list[Document]) -> Document:
    """Take the definitions out of the parts; a name with two meanings is changed in the later part."""
    merged: Document = {}
    for part in parts:
        own: Document = part.pop("$defs", {})
        renamed = {name: name for name in own}
        for name in own:
            while renamed[name] in merged and merged[renamed[name]] != own[name]:
                renamed[name] = f"input__{renamed[name]}"
        for node in [*schemas_in(part), *schemas_in(own)]:
            reference = str(node.get("$ref", "")).removeprefix("#/$defs/")
            if reference in renamed:
                node["$ref"] = f"#/$defs/{renamed[reference]}"
        merged |= {renamed[name]: value for name, value in own.items()}
    return merged


def _side_by_side(params: Document, input_: Document) -> Document:
    document = {key: value for key, value in input_.items() if key not in ("title", "description")}
    document["properties"] = {**params["properties"], **input_["properties"]}
    required = [*params.get("required", []), *input_.get("required", [])]
    document.pop("required", None)
    return document | ({"required": required} if required else {})


def _advertise_defaults(document: Document, defaults: Mapping[str, Any]) -> None:
    properties = document.get("properties", {})
    for key, value in defaults.items():
        if key not in properties:
            continue
        shown = properties[key]
        if "$ref" in shown:
            # Readers of older drafts ignore what stands beside a `$ref`.
            shown = {"allOf": [{"$ref": shown["$ref"]}], **shown}
            del shown["$ref"]
        properties[key] = {**shown, "default": copy.deepcopy(value)}
    required = [name for name in document.get("required", []) if name not in defaults]
    document.pop("required", None)
    if required:
        document["required"] = required


# Keywords whose value is data of the user's and must not be searched for schemas.
DATA_KEYWORDS = frozenset({"default", "examples", "const", "enum"})
MAP_KEYWORDS = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})


def schemas_in(node: object) -> Iterator[Document]:
    """Yield every schema in a document, or in a map of them."""
    if isinstance(node, list):
        for item in node:
            yield from schemas_in(item)
    elif isinstance(node, dict):
        yield node
        for key, value in node.items():
            if key in MAP_KEYWORDS and isinstance(value, dict):
                for item in value.values():
                    yield from schemas_in(item)
            elif key not in DATA_KEYWORDS:
                yield from schemas_in(value)
