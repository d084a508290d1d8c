"""One schema for a property that several branches of a union declare, each in its own way.

The joint schema takes whatever one of them takes. It says as much as can be said of all of them:
a model that is told less guesses more.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .digest import canonical_json
from .normal import normalised
from .walk import Document, resolved

__all__ = ["ANNOTATIONS", "join", "text_options"]

ANNOTATIONS = frozenset(
    {"title", "description", "default", "examples", "deprecated", "readOnly", "writeOnly"}
)
KINDS = ("string", "number", "integer", "boolean", "object", "array", "null")
KIND_OF = {str: "string", float: "number", int: "integer", bool: "boolean", type(None): "null"}


def join(schemas: Sequence[Document], definitions: Mapping[str, Any]) -> Document:
    """Return a schema that takes whatever one of the schemas takes, without annotations.

    Equal schemas stay as they are. Texts to choose from are put together. Scalars become their
    types; where an object or an array is among them, the alternatives stand side by side. What
    can't be said of one of them isn't said at all.

    Args:
        schemas: one for each branch, at least one.
        definitions: what their references name.
    """
    folded = [_bare(_fold_null(schema, definitions)) for schema in schemas]
    distinct = {canonical_json(normalised(schema)): schema for schema in folded}
    if len(distinct) == 1:
        alike = all(schema == folded[0] for schema in folded)
        return folded[0] if alike else normalised(folded[0])  # no branch's words for all of them
    options = [text_options(resolved(schema, definitions)) for schema in folded]
    if all(options):
        texts = dict.fromkeys(text for found in options for text in found)
        return {"type": "string", "enum": list(texts)}
    kinds: set[str] = set()
    for schema in folded:
        found = _kinds(schema, definitions, 0)
        if found is None:
            return {}
        kinds |= found
    if kinds & {"object", "array"}:
        return {"anyOf": [distinct[key] for key in sorted(distinct)]}
    if "number" in kinds:
        kinds.discard("integer")
    ordered = [kind for kind in KINDS if kind in kinds]
    return {"type": ordered[0] if len(ordered) == 1 else ordered}


def text_options(schema: Document) -> list[str]:
    """The texts that a schema lets one choose from; none where it takes anything else, too."""
    options = [schema["const"]] if "const" in schema else schema.get("enum", [])
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        return []
    return options


def _bare(schema: Document) -> Document:
    return {key: value for key, value in schema.items() if key not in ANNOTATIONS}


def _fold_null(schema: Document, definitions: Mapping[str, Any]) -> Document:
    """Write `T or null` as one schema with two types, where that says the same."""
    branches = schema.get("anyOf")
    if not isinstance(branches, list) or len(branches) != 2 or set(_bare(schema)) != {"anyOf"}:
        return schema
    others = [branch for branch in branches if branch != {"type": "null"}]
    if len(others) != 1:
        return schema
    other = resolved(others[0], definitions)
    if not isinstance(other.get("type"), str) or {"const", "enum"} & set(other):
        return schema
    if other["type"] in ("object", "array"):
        return schema
    return {**other, "type": [other["type"], "null"]}


def _kinds(schema: Document, definitions: Mapping[str, Any], depth: int) -> set[str] | None:
    """The JSON types of what a schema takes; None where it doesn't say."""
    schema = resolved(schema, definitions)
    if depth > 16 or "$ref" in schema:
        return None
    type_ = schema.get("type")
    if isinstance(type_, str | list):
        return {type_} if isinstance(type_, str) else set(type_)
    if "const" in schema or "enum" in schema:
        values = [schema["const"]] if "const" in schema else schema["enum"]
        found = {KIND_OF.get(type(value), "") for value in values}
        return found if "" not in found else None
    for word in ("anyOf", "oneOf"):
        if word in schema:
            inner = [_kinds(branch, definitions, depth + 1) for branch in schema[word]]
            if any(kinds is None for kinds in inner):
                return None
            return {kind for kinds in inner for kind in kinds or ()}
    return None
