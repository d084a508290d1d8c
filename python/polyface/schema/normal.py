"""A JSON Schema without what changes no value's acceptance: wording, and the order of sets."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .digest import canonical_json
from .json_schema import DATA_KEYWORDS, MAP_KEYWORDS

__all__ = ["normalised"]

WORDING = frozenset({"title", "description", "examples", "$comment"})
SETS = frozenset({"required", "enum", "type", "anyOf", "oneOf", "allOf"})


def normalised(schema: Any) -> Any:
    """Return the schema without titles, descriptions and examples, and with its sets sorted."""
    if isinstance(schema, list):
        return [normalised(item) for item in schema]
    if not isinstance(schema, Mapping):
        return schema
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in WORDING:
            continue
        if key in MAP_KEYWORDS and isinstance(value, Mapping):
            made[key] = {name: normalised(item) for name, item in value.items()}
        elif key in DATA_KEYWORDS and key not in SETS:
            made[key] = value
        else:
            made[key] = normalised(value)
        if key in SETS and isinstance(made[key], list):
            made[key] = sorted(made[key], key=canonical_json)
    return made
