"""How a JSON Schema document is walked: where schemas stand in it, and what its references name."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

__all__ = [
    "DATA_KEYWORDS",
    "MAP_KEYWORDS",
    "POINTER",
    "Document",
    "referenced",
    "resolve_root",
    "resolved",
    "schemas_in",
    "used_definitions",
]

Document: TypeAlias = dict[str, Any]

# Keywords whose value is data and must not be searched for schemas.
DATA_KEYWORDS = frozenset({"default", "examples", "const", "enum", "discriminator"})
MAP_KEYWORDS = frozenset({"properties", "$defs", "patternProperties", "dependentSchemas"})
POINTER = "#/$defs/"
COMPONENT = "#/components/schemas/"  # where an OpenAPI document has its definitions


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


def referenced(node: Mapping[str, Any]) -> str | None:
    """The name of the definition that a schema refers to; None where it refers to none."""
    reference = node.get("$ref")
    if not isinstance(reference, str) or not reference.startswith((POINTER, COMPONENT)):
        return None
    return reference.removeprefix(POINTER).removeprefix(COMPONENT)


def resolved(node: Document, definitions: Mapping[str, Any]) -> Document:
    """What a schema says, or the definition that it refers to, however often that refers on."""
    seen: set[str] = set()
    while (name := referenced(node)) is not None and name not in seen:
        seen.add(name)
        target = definitions.get(name)
        if not isinstance(target, dict):
            return node
        node = target
    return node


def resolve_root(document: Document) -> Document:
    """Inline a root `$ref`, as readers that want an object at the root need it."""
    definitions = document.get("$defs", {})
    target = resolved(document, definitions)
    if target is document:
        return document
    return {**copy.deepcopy(target), "$defs": definitions}


def used_definitions(document: Document, definitions: Mapping[str, Any]) -> Document:
    """Return the definitions that a document refers to, directly or not, in their order."""
    used: set[str] = set()
    waiting: list[object] = [{key: value for key, value in document.items() if key != "$defs"}]
    while waiting:
        for node in schemas_in(waiting.pop()):
            name = referenced(node)
            if name is not None and name in definitions and name not in used:
                used.add(name)
                waiting.append(definitions[name])
    return {name: value for name, value in definitions.items() if name in used}
