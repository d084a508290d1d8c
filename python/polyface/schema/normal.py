"""A JSON Schema without what changes no value's acceptance: wording, names, the order of sets."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .digest import canonical_json, digest
from .walk import DATA_KEYWORDS, MAP_KEYWORDS, POINTER

__all__ = ["in_any_order", "normalised"]

# `discriminator` says once more, for generators of code, what the members of the union say.
WORDING = frozenset({"title", "description", "examples", "$comment", "discriminator"})
SETS = frozenset({"required", "enum", "type", "anyOf", "oneOf", "allOf"})


def in_any_order(schema: Any) -> Any:
    """Return the schema as it is, but for `required`, which has the order of the properties."""
    if isinstance(schema, list):
        return [in_any_order(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in MAP_KEYWORDS and isinstance(value, Mapping):
            made[key] = {name: in_any_order(item) for name, item in value.items()}
        elif key in DATA_KEYWORDS:
            made[key] = value
        else:
            made[key] = in_any_order(value)
        if key == "required" and isinstance(made[key], list):
            made[key] = sorted(made[key])
    return made


def normalised(schema: Any) -> Any:
    """Return the schema without wording, its sets sorted, its definitions named by what they say.

    Two documents that take the same values for the same reasons have one normal form: neither the
    order of properties nor a class's name matters, nor how often a definition was written.
    """
    if not isinstance(schema, Mapping):
        return schema
    definitions = schema.get("$defs", {})
    names = _names(definitions)
    made = _normal({key: value for key, value in schema.items() if key != "$defs"}, names)
    if definitions:
        made["$defs"] = {names[name]: _normal(value, names) for name, value in definitions.items()}
    return made


def _names(definitions: Mapping[str, Any]) -> dict[str, str]:
    """Name definitions by digests of what they say; each round looks one reference further."""
    names = dict.fromkeys(definitions, "")
    for _ in definitions:
        names = {name: digest(_normal(value, names)) for name, value in definitions.items()}
    return names


def _normal(schema: Any, names: Mapping[str, str]) -> Any:
    if isinstance(schema, list):
        return [_normal(item, names) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in WORDING:
            continue
        if key in MAP_KEYWORDS and isinstance(value, Mapping):
            made[key] = {name: _normal(item, names) for name, item in value.items()}
        elif key in DATA_KEYWORDS:
            made[key] = value
        elif key == "$ref":
            name = str(value).removeprefix(POINTER)
            made[key] = f"{POINTER}{names[name]}" if name in names else value
        else:
            made[key] = _normal(value, names)
        if key in SETS and isinstance(made[key], list):
            made[key] = sorted(made[key], key=canonical_json)
    return made
