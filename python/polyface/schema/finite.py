"""A core schema that reads finite numbers only, whatever its models say of others.

JSON has no infinity, but `1e999` reads as one, and so does the text `"inf"` for a lax float.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .shape import CoreSchema

__all__ = ["finite"]

# What these hold is data or functions of the user's, not schemas.
DATA_KEYS = frozenset(
    {"cls", "config", "default", "expected", "function", "members", "metadata", "serialization"}
)


def finite(core: CoreSchema) -> CoreSchema:
    """Return the schema with every float finite; the same object where that changes nothing."""
    changed = {
        key: new
        for key, value in core.items()
        if key not in DATA_KEYS and (new := _inside(value)) is not value
    }
    if core["type"] == "float" and core.get("allow_inf_nan", True):
        changed["allow_inf_nan"] = False
    return {**core, **changed} if changed else core


def _inside(value: Any) -> Any:
    if isinstance(value, Mapping):
        if isinstance(value.get("type"), str):
            return finite(value)
        made: Any = {key: _inside(item) for key, item in value.items()}
        same = all(made[key] is item for key, item in value.items())
    elif isinstance(value, list | tuple):
        made = type(value)(_inside(item) for item in value)
        same = all(new is old for new, old in zip(made, value, strict=True))
    else:
        return value
    return value if same else made
