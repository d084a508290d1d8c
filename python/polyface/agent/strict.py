"""Schemas in the subset that OpenAI's strict mode takes, and arguments back from it.

There every property is required, an object has no other keys, and what may be left out is `null`
instead. A `null` where the contract has none therefore means "not supplied", and is taken out.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# JSON values are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..schema.json_schema import allows_null
from ..schema.walk import POINTER, referenced, resolved

__all__ = ["StrictFault", "strict_document", "without_nulls"]

Document = dict[str, Any]

# Hints that strict mode refuses; the one parse holds the call to them all the same.
DROPPED = frozenset(
    {"default", "discriminator", "examples", "maxLength", "minLength", "title", "uniqueItems"}
    | {"writeOnly", "readOnly", "deprecated", "contentMediaType", "contentEncoding"}
)
FORMATS = frozenset(
    {"date", "date-time", "duration", "email", "hostname", "ipv4", "ipv6", "time", "uuid"}
)
REFUSED = ("allOf", "not", "if", "prefixItems", "patternProperties", "propertyNames", "contains")


class StrictFault(ValueError):
    """Why a document can't be told in strict mode: `path` in the arguments, and the reason."""

    def __init__(self, path: str, reason: str) -> None:
        self.path = path or "the arguments"
        self.reason = reason
        super().__init__(f"`{self.path}`: {reason}")


def strict_document(document: Mapping[str, Any]) -> Document:
    """Restate an input schema for strict mode.

    Raises:
        StrictFault: it says what strict mode can't: free keys, anything, an intersection.
    """
    definitions = document.get("$defs", {})
    root = {key: value for key, value in document.items() if key != "$defs"}
    made = _strict(root, definitions, "")
    if definitions:
        made["$defs"] = {name: _strict(one, definitions, name) for name, one in definitions.items()}
    return made


def _strict(node: Any, definitions: Mapping[str, Any], path: str) -> Document:
    if not isinstance(node, Mapping) or not node.keys() - DROPPED - {"description"}:
        raise StrictFault(path, "strict mode has no type for anything; declare one")
    for keyword in REFUSED:
        if keyword in node:
            raise StrictFault(path, f"strict mode has no `{keyword}`")
    if (name := referenced(node)) is not None:
        return {"$ref": POINTER + name}
    kept = {key: value for key, value in node.items() if key not in DROPPED}
    if kept.get("format") not in FORMATS:
        kept.pop("format", None)
    choices = kept.pop("oneOf", None) or kept.pop("anyOf", None)
    if choices is not None:
        kept["anyOf"] = [_strict(choice, definitions, path) for choice in choices]
    if "items" in kept:
        kept["items"] = _strict(kept["items"], definitions, f"{path}[]")
    elif kept.get("type") == "array":
        raise StrictFault(path, "strict mode wants the type of its items")
    if kept.get("type") == "object" or "properties" in kept:
        return _strict_object(kept, definitions, path)
    return kept


def _strict_object(node: Document, definitions: Mapping[str, Any], path: str) -> Document:
    if node.get("additionalProperties", "properties" not in node and path != "") is not False:
        raise StrictFault(path, "strict mode has no object with free keys")
    properties, required = node.get("properties", {}), set(node.get("required", ()))
    made: Document = {}
    for name, inner in properties.items():
        place = f"{path}.{name}".removeprefix(".")
        strict = _strict(inner, definitions, place)
        optional = name not in required and not _takes_null(inner, definitions)
        made[name] = {"anyOf": [strict, {"type": "null"}]} if optional else strict
    return {**node, "properties": made, "required": [*made], "additionalProperties": False}


def without_nulls(arguments: Any, document: Mapping[str, Any]) -> Any:
    """Take out of a strict caller's arguments the nulls that mean "not supplied"."""
    return _without(arguments, document, document.get("$defs", {}))


def _without(value: Any, node: Any, definitions: Mapping[str, Any]) -> Any:
    node = resolved(dict(node), definitions) if isinstance(node, Mapping) else {}
    if isinstance(value, list):
        return [_without(item, node.get("items"), definitions) for item in value]
    if not isinstance(value, Mapping):
        return value
    objects = [node, *node.get("anyOf", ()), *node.get("oneOf", ())]
    resolved_objects = [resolved(dict(one), definitions) for one in objects]
    known = [one for one in resolved_objects if value.keys() <= one.get("properties", {}).keys()]
    if len(known) != 1:
        return value  # which member is meant the parse decides, and says what it refuses
    properties, required = known[0]["properties"], set(known[0].get("required", ()))
    return {
        name: _without(item, properties[name], definitions)
        for name, item in value.items()
        if item is not None or name in required or _takes_null(properties[name], definitions)
    }


def _takes_null(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> bool:
    return allows_null({**node, "$defs": dict(definitions)})
