"""JSON Schema 2020-12 documents of arguments and answers, as they are advertised.

A document is never executed: pydantic parses arguments and writes answers, and a document says what
pydantic accepts and writes.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

from .adapter import Schema

__all__ = [
    "allows_null",
    "arguments_document",
    "honest_answers",
    "output_document",
    "resolve_root",
    "schemas_in",
]

Document = dict[str, Any]

# Formats that every value of the type satisfies as pydantic writes it. A naive datetime, any time
# and a fractional duration fail what validators assert of `date-time`, `time` and `duration`.
HONEST_FORMATS = frozenset({"date", "uuid", "email", "ipv4", "ipv6", "uri"})


def output_document(schema: Schema[Any]) -> Document:
    """Return the document of an answer: what is written, under the names it is written by."""
    document = schema.json_schema("serialization")
    honest_answers(document, document.get("$defs", {}))
    return document


def honest_answers(document: Document, definitions: Document) -> None:
    """Take out of an answer's document, in place, what not every answer satisfies.

    Args:
        document: what to change.
        definitions: what its references name.
    """
    for node in schemas_in(document):
        if node.get("format") not in HONEST_FORMATS:
            node.pop("format", None)
        if isinstance(node.get("multipleOf"), float):
            del node["multipleOf"]  # 0.3 isn't a multiple of 0.1 to most validators
        if isinstance(node.get("propertyNames"), dict):
            node["propertyNames"] = _names_as_text(_resolved(node["propertyNames"], definitions))


def _names_as_text(names: Document) -> Document:
    """Tell keys as they are written: a key of JSON is text, whatever type it was."""
    if "const" in names:
        names = {"enum": [names["const"]]}
    if isinstance(names.get("enum"), list):
        return {"enum": [str(name) for name in names["enum"]]}
    return names


def allows_null(document: Document) -> bool:
    """Whether `null` is valid against a document, as far as it says."""
    definitions = document.get("$defs", {})
    node = _resolved(document, definitions)
    for word in ("anyOf", "oneOf"):
        if word in node:
            return any(allows_null({**item, "$defs": definitions}) for item in node[word])
    if "const" in node or "enum" in node:
        return None in node.get("enum", [node.get("const")])
    return bool(node.get("type", "null") == "null")


def _resolved(node: Document, definitions: Document) -> Document:
    """What a document says, or the definition that it refers to, one level deep."""
    name = str(node.get("$ref", "")).rpartition("/")[2]
    target = definitions.get(name)
    return target if isinstance(target, dict) else node


def arguments_document(
    params: Schema[Any] | None,
    input_: Schema[Any] | None,
    defaults: Mapping[str, Any],
    extension: Schema[Any] | None = None,
) -> Document:
    """Return the document of a tool's one arguments object: params and input side by side.

    The keys of a surface's extension stand beside them.

    The root says `type: object`, whatever the schemas are. A view's default is advertised in place
    of the field's own, and its key isn't required.
    """
    parts = [
        resolve_root(schema.json_schema("validation"))
        for schema in (params, extension, input_)
        if schema is not None
    ]
    if not parts:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    definitions = _merged_definitions(parts)
    document = parts.pop()
    for part in reversed(parts):
        document = _side_by_side(part, document, definitions)
    if input_ is None:
        document["additionalProperties"] = False  # what isn't in the path has nowhere to go
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
    """Take the definitions out of the parts; a name with two meanings is changed in the later."""
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


def _side_by_side(params: Document, input_: Document, definitions: Document) -> Document:
    """Put the path's keys beside those of the input, into each member where it is a union."""
    document = {key: value for key, value in input_.items() if key not in ("title", "description")}
    for word in ("anyOf", "oneOf"):
        if word in document:
            document[word] = [
                _side_by_side(params, _resolved(member, definitions), definitions)
                for member in document[word]
            ]
            return document
    document["properties"] = {**params.get("properties", {}), **input_.get("properties", {})}
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
