"""The law of an answer, spelled out with pydantic alone.

    T.dump_json(T.validate_python(value, from_attributes=True), by_alias=True)

with every warning of the serializer a fault, and with what leaves checked against the type even
where pydantic trusts it: an instance that was changed after it was made, a default of another type,
a NaN that would be written as `null` into a number. Everything faster is held to this file.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import (
    PydanticSerializationError,
    SchemaError,
    SchemaSerializer,
    SchemaValidator,
)

from .checker import REST, checking_schema
from .shape import CoreSchema, every_schema
from .written import written_schema

if TYPE_CHECKING:
    from pydantic.plugin._schema_validator import PluggableSchemaValidator

__all__ = ["AnswerError", "Law", "SliceError", "path_text", "raised"]


class AnswerError(ValueError):
    """A value isn't an answer of its schema: the handler's broken promise.

    Args:
        path: where, as `[3].address.city`; empty for the whole answer.
        reason: what is wrong there, in pydantic's words where pydantic found it.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"`{path}`: {reason}" if path else reason)


class SliceError(AnswerError):
    """A full answer that holds, cut to a slice, isn't an answer of the slice."""


class Law:
    """One core schema's law: values in, JSON bytes or `AnswerError` out.

    Args:
        core: a complete core schema.
        definitions: what `core` refers to, when it is a part of a larger schema.
        adapter: the adapter that `core` is the whole of. Its own validator and serializer know the
            root's config, by which pydantic writes what is under `Any`.
    """

    def __init__(
        self,
        core: CoreSchema,
        definitions: tuple[CoreSchema, ...] = (),
        *,
        adapter: TypeAdapter[Any] | None = None,
    ) -> None:
        self._core: Any = _closed(core, definitions)
        self._adapter = adapter

    @cached_property
    def _validator(self) -> SchemaValidator | PluggableSchemaValidator:
        if self._adapter is not None:
            return self._adapter.validator
        return SchemaValidator(self._core)

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        if self._adapter is not None:
            return self._adapter.serializer
        return SchemaSerializer(self._core)

    @cached_property
    def _checker(self) -> SchemaValidator | None:
        try:
            # Not the validator that the model keeps ready: that one trusts instances.
            return SchemaValidator(checking_schema(self._core), _use_prebuilt=False)
        except SchemaError:
            # A schema that can't be restated (a custom core schema, say) is only pydantic's to
            # check.
            return None

    @cached_property
    def _written_checker(self) -> SchemaValidator | None:
        written = written_schema(self._core)
        return None if written is None else SchemaValidator(written)

    @cached_property
    def _may_repeat_keys(self) -> bool:
        return any(_may_repeat_keys(item) for item in every_schema(self._core))

    def validate(self, value: object) -> Any:
        """Return the validated object.

        Raises `AnswerError` (from pydantic's error) if it doesn't fit, or from whatever a validator
        or a getter of the value raised.
        """
        try:
            return self._validator.validate_python(value, from_attributes=True)
        except ValidationError as error:
            raise _first_issue(error) from error
        except Exception as error:  # pydantic lets pass what the user's code raises
            raise raised(error) from error

    def dump(self, validated: object) -> bytes:
        """Write a validated object as JSON, checking every leaf that leaves."""
        try:
            answer = self._serializer.to_json(validated, by_alias=True, warnings="error")
        except Exception as error:  # its own, and what the user's serializers raise
            self._check(validated)  # names the path, where the check finds it too
            raise raised(error) from error
        self._check(validated)
        self._check_written(answer)
        if self._may_repeat_keys:
            # Numbers aren't asked about, and Python bounds the digits of those that it reads.
            json.loads(answer, object_pairs_hook=_refuse_repeated_keys, parse_int=str)
        if _REPLACEMENT in answer:
            _refuse_surrogate_keys(
                self._serializer.to_python(validated, by_alias=True, warnings=False)
            )
        return answer

    def _check(self, validated: object) -> None:
        if self._checker is None:
            return
        try:
            self._checker.validate_python(validated, strict=True)
        except ValidationError as error:
            raise _first_issue(error) from error
        except Exception as error:  # an attribute that isn't there, or whose getter raises
            raise raised(error) from error

    def _check_written(self, answer: bytes) -> None:
        if self._written_checker is None:
            return
        try:
            self._written_checker.validate_json(answer, strict=True)
        except ValidationError as error:
            raise _first_issue(error) from error

    def __call__(self, value: object) -> bytes:
        """Return the JSON bytes of `value`, as the law has it."""
        return self.dump(self.validate(value))


def raised(error: Exception) -> AnswerError:
    """Tell what any code of the user's raised as a broken promise."""
    own = isinstance(error, PydanticSerializationError | ValueError)
    return AnswerError("", str(error) if own else f"{type(error).__name__}: {error}")


def _first_issue(error: ValidationError) -> AnswerError:
    issue = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return AnswerError(
        path_text(tuple(step for step in issue["loc"] if step != REST)), issue["msg"]
    )


def path_text(location: tuple[int | str, ...]) -> str:
    """Write a location as `[3].address.city`."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location)
    return text.removeprefix(".")


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise AnswerError(twice, "two values would be written under this key")
    return made


# What pydantic writes for a lone surrogate in a key, without a word.
_REPLACEMENT = "\ufffd".encode()


def _refuse_surrogate_keys(value: object) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            if isinstance(key, str) and any("\ud800" <= sign <= "\udfff" for sign in key):
                raise AnswerError(
                    repr(key), "a key with a lone surrogate can't be written as UTF-8"
                )
            _refuse_surrogate_keys(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            _refuse_surrogate_keys(item)


def _closed(core: CoreSchema, definitions: tuple[CoreSchema, ...]) -> dict[str, Any]:
    if not definitions or core["type"] == "definitions":
        return dict(core)
    others = [item for item in definitions if item.get("ref") != core.get("ref")]
    return {"type": "definitions", "schema": core, "definitions": others}


def _may_repeat_keys(core: CoreSchema) -> bool:
    if core["type"] == "dict":
        return bool(core.get("keys_schema", {}).get("type") != "str")
    if core["type"] in ("model", "dataclass", "typed-dict", "model-fields", "dataclass-args"):
        config = core.get("config", {})
        return "allow" in (core.get("extra_behavior"), config.get("extra_fields_behavior"))
    return bool(core["type"] == "any")
