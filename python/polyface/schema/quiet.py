"""JSON Schema generation that runs nothing of the user's.

pydantic writes a default into a document through the serializers that apply to it. Here a default
that isn't built of plain values is left out instead, so that listing tools has no effects. So is an
infinite one, which JSON has no form for.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import math
from enum import Flag
from typing import Any

from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from .spelling import is_of_pydantic

__all__ = ["QuietJsonSchema"]

PLAIN = (str, int, float, bool, type(None))


class QuietJsonSchema(GenerateJsonSchema):
    """pydantic's generator, without the effects."""

    def handle_invalid_for_json_schema(self, schema: Any, error_info: str) -> JsonSchemaValue:
        """Say nothing of a type that JSON Schema has no words for: one would fail every tool."""
        return {}

    def float_schema(self, schema: Any) -> JsonSchemaValue:
        """Say of a number whose model writes infinity as text that it may be one of three texts."""
        document = super().float_schema(schema)
        as_text = self._config.ser_json_inf_nan == "strings" and schema.get("allow_inf_nan", True)
        if self.mode == "serialization" and as_text:
            return {"anyOf": [document, {"enum": ["NaN", "Infinity", "-Infinity"]}]}
        return document

    def ser_schema(self, schema: Any) -> JsonSchemaValue | None:
        """Say nothing of what a serializer writes that doesn't say it itself."""
        untyped = schema["type"].startswith("function") and schema.get("return_schema") is None
        own = untyped and not is_of_pydantic(schema["function"])
        return {} if own else super().ser_schema(schema)

    def enum_schema(self, schema: Any) -> JsonSchemaValue:
        """Say of flags, which can be combined, that they are whole numbers."""
        if issubclass(schema["cls"], Flag):
            return {"type": "integer"}
        return super().enum_schema(schema)

    def default_schema(self, schema: Any) -> JsonSchemaValue:
        """Leave out a default that only a serializer of the user's could write."""
        serialized = self.mode == "serialization" and "serialization" in schema["schema"]
        if "default" in schema and (serialized or not _is_plain(schema["default"])):
            return self.generate_inner(schema["schema"])
        return super().default_schema(schema)


def _is_plain(value: object) -> bool:
    if type(value) in PLAIN:
        return not (isinstance(value, float) and not math.isfinite(value))
    if type(value) in (list, tuple, set, frozenset):
        return all(map(_is_plain, value))  # type: ignore[call-overload]  # one of the four
    if type(value) is dict:
        return all(_is_plain(key) and _is_plain(item) for key, item in value.items())
    # Values of the standard library are written by pydantic-core itself; so are enums by their
    # value.
    module = type(value).__module__.partition(".")[0]  # `pathlib._local` is a spelling of 3.13
    return module in {"datetime", "decimal", "uuid", "ipaddress", "pathlib"} or (
        hasattr(type(value), "__members__") and type(getattr(value, "value", None)) in PLAIN
    )
