"""What a slice keeps of a JSON text, the slow way: token by token, by the slice's own JSON Schema."""

import json
import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|[\[\]{},:]|[^\s\[\]{},:"]+')

# A leaf is its own bytes, an array a list, an object a list of (key as written, value).
Node = bytes | list[Any] | tuple[tuple[bytes, Any], ...]


def prune_by_schema(text: bytes, schema: dict[str, Any]) -> bytes:
    """Leave out the keys that `schema` doesn't declare, at every level; the rest stays byte for byte."""
    tokens = iter(TOKEN.findall(text))
    return _render(_prune(_parse(tokens, next(tokens)), schema, schema.get("$defs", {})))


def _parse(tokens: Iterator[bytes], token: bytes) -> Node:
    if token == b"[":
        items: list[Node] = []
        while (token := next(tokens)) != b"]":
            items.append(_parse(tokens, next(tokens) if token == b"," else token))
        return items
    if token == b"{":
        pairs: list[tuple[bytes, Node]] = []
        while (token := next(tokens)) != b"}":
            key = next(tokens) if token == b"," else token
            assert next(tokens) == b":"
            pairs.append((key, _parse(tokens, next(tokens))))
        return tuple(pairs)
    return token


def _render(node: Node) -> bytes:
    if isinstance(node, bytes):
        return node
    if isinstance(node, list):
        return b"[" + b",".join(_render(item) for item in node) + b"]"
    return b"{" + b",".join(key + b":" + _render(item) for key, item in node) + b"}"


def _prune(node: Node, schema: Any, names: dict[str, Any]) -> Node:
    schema = follow(schema, names)
    if isinstance(node, bytes) or not isinstance(schema, dict):
        return node
    if isinstance(node, list):
        places = schema.get("prefixItems", ())
        rest = schema.get("items", True)
        return [
            _prune(item, places[index] if index < len(places) else rest, names)
            for index, item in enumerate(node)
        ]
    if "discriminator" in schema:
        rule = schema["discriminator"]
        tags = {json.loads(key): item for key, item in node}
        chosen = rule["mapping"][json.loads(tags[rule["propertyName"]])]
        return _prune(node, {"$ref": chosen}, names)
    return _prune_object(node, schema, names)


def _prune_object(
    node: tuple[tuple[bytes, Any], ...], schema: dict[str, Any], names: dict[str, Any]
) -> Node:
    if "properties" not in schema and "additionalProperties" not in schema:
        return () if _is_empty_record(schema) else node
    declared = schema.get("properties", {})
    others = schema.get("additionalProperties", False)
    kept = []
    for key, item in node:
        name = json.loads(key)
        if name in declared:
            kept.append((key, _prune(item, declared[name], names)))
        elif others is not False:
            kept.append((key, _prune(item, others, names)))
    return tuple(kept)


def _is_empty_record(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "object" and "title" in schema


def follow(schema: Any, names: dict[str, Any]) -> Any:
    """The schema that a reference, or a choice between one schema and null, leads to."""
    while isinstance(schema, dict):
        choices = [item for item in schema.get("anyOf", ()) if item != {"type": "null"}]
        if "$ref" in schema:
            schema = names[schema["$ref"].rpartition("/")[2]]
        elif len(choices) == 1 and len(choices) < len(schema["anyOf"]):
            schema = choices[0]
        else:
            break
    return schema
