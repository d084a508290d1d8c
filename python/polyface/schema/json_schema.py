"""JSON Schema 2020-12 documents of arguments and answers, as they are advertised.

A document is never executed: pydantic parses arguments and writes answers, and a document says what
pydantic accepts and writes.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from .adapter import Schema
from .flatten import flatten_unions
from .lift import lift_definitions
from .walk import Document, resolve_root, resolved, schemas_in, used_definitions

__all__ = [
    "allows_null",
    "arguments_document",
    "honest_answers",
    "output_document",
]

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
            node["propertyNames"] = _names_as_text(resolved(node["propertyNames"], definitions))


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
    node = resolved(document, definitions)
    for word in ("anyOf", "oneOf"):
        if word in node:
            return any(allows_null({**item, "$defs": definitions}) for item in node[word])
    if "const" in node or "enum" in node:
        return None in node.get("enum", [node.get("const")])
    return bool(node.get("type", "null") == "null")


def arguments_document(
    params: Schema[Any] | None,
    input_: Schema[Any] | None,
    defaults: Mapping[str, Any],
    extension: Schema[Any] | None = None,
    *,
    flat: bool = False,
) -> Document:
    """Return the document of a tool's one arguments object: params and input side by side.

    The root says `type: object`, whatever the schemas are. A view's default is advertised in place
    of the field's own, and its key isn't required. Only definitions that are referred to are there.

    Args:
        params: what the path captures.
        input_: the operation's own arguments; unknown keys are treated as it says.
        defaults: those of the operation's view.
        extension: the surface's further arguments.
        flat: whether discriminated unions are shown as objects.
    """
    own = _arguments(input_)
    _advertise_defaults(own, defaults)
    parts = [
        (name, _arguments(schema))
        for name, schema in (("params", params), ("extension", extension))
        if schema is not None
    ]
    definitions = lift_definitions([*parts, ("input", own)])
    document = own
    for _, part in reversed(parts):
        document = _side_by_side(part, document, definitions)
    document = document | {"$defs": definitions}
    if flat:
        document = resolve_root(flatten_unions(document))
    used = used_definitions(document, document.pop("$defs", {}))
    return {"type": "object"} | document | ({"$defs": used} if used else {})


def _arguments(schema: Schema[Any] | None) -> Document:
    """Write what a schema reads, an object at the root; without one, no key is taken."""
    if schema is None:
        return {"type": "object", "properties": {}, "additionalProperties": False}
    return resolve_root(schema.json_schema("validation"))


def _side_by_side(left: Document, right: Document, definitions: Document) -> Document:
    """Put the keys of both beside each other, into each member where one is a union."""
    for union, other, is_left in ((right, left, False), (left, right, True)):
        for word in ("anyOf", "oneOf"):
            if word not in union:
                continue
            members = [resolved(member, definitions) for member in union[word]]
            made = {key: value for key, value in union.items() if key not in _ROOT_WORDING}
            made[word] = [
                _side_by_side(member, other, definitions)
                if is_left
                else _side_by_side(other, member, definitions)
                for member in members
            ]
            if "discriminator" in made:  # its mapping names members as they were
                made["discriminator"] = {"propertyName": union["discriminator"]["propertyName"]}
            return made
    document = {key: value for key, value in right.items() if key not in _ROOT_WORDING}
    document["properties"] = {**left.get("properties", {}), **right.get("properties", {})}
    required = [*left.get("required", []), *right.get("required", [])]
    document.pop("required", None)
    return document | ({"required": required} if required else {})


_ROOT_WORDING = frozenset({"title", "description"})


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
