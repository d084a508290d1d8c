"""One piece of a larger schema, run on its own."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pydantic import ValidationError
from pydantic_core import SchemaValidator

from .shape import CoreSchema

__all__ = ["Part"]


class Part:
    """A core schema found inside a larger one, with the definitions that it may refer to.

    Args:
        core: the piece.
        definitions: those of the larger schema.
    """

    def __init__(self, core: CoreSchema, definitions: Sequence[CoreSchema] = ()) -> None:
        self._core = core
        self._definitions = definitions

    @cached_property
    def _validator(self) -> SchemaValidator:
        core: Any = dict(self._core)
        if core["type"] != "definitions" and self._definitions:
            others = [item for item in self._definitions if item.get("ref") != core.get("ref")]
            core = {"type": "definitions", "schema": core, "definitions": others}
        return SchemaValidator(core)

    def make(self, value: object) -> Any:
        """Return the validated object, reading laxly. Raises `pydantic.ValidationError`."""
        return self._validator.validate_python(value, strict=False)

    def fits_python(self, value: object) -> bool:
        """Whether the piece accepts a Python value."""
        try:
            self._validator.validate_python(value)
        except ValidationError:
            return False
        return True

    def fits_json(self, value: object) -> bool:
        """Whether the piece accepts a JSON value, written as text and read again."""
        try:
            self._validator.validate_json(json.dumps(value))
        except ValidationError:
            return False
        return True
