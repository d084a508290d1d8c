"""The law of an answer, spelled out with pydantic alone.

    T.dump_json(T.validate_python(value, from_attributes=True), by_alias=True)

with every warning of the serializer a fault, and with what leaves checked against the type even
where pydantic trusts it: an instance that was changed after it was made, a default of another type,
a NaN that would be written as `null` into a number. Everything faster is held to this file.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from pydantic import ValidationError
from pydantic_core import (
    PydanticSerializationError,
    SchemaError,
    SchemaSerializer,
    SchemaValidator,
)

from .shape import FUNCTIONS, CoreSchema

__all__ = ["AnswerError", "Law"]


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


class Law:
    """One core schema's law: values in, JSON bytes or `AnswerError` out.

    Args:
        core: a complete core schema.
        names: the definitions that `core` refers to, when it is a part of a larger schema.
    """

    def __init__(self, core: CoreSchema, definitions: tuple[CoreSchema, ...] = ()) -> None:
        self._core = _closed(core, definitions)

    @cached_property
    def _validator(self) -> SchemaValidator:
        return SchemaValidator(self._core)  # type: ignore[arg-type]  # a read-only view of it

    @cached_property
    def _serializer(self) -> SchemaSerializer:
        return SchemaSerializer(self._core)  # type: ignore[arg-type]  # a read-only view of it

    @cached_property
    def _checker(self) -> SchemaValidator | None:
        try:
            # Not the validator that the model keeps ready: that one trusts instances.
            return SchemaValidator(_checking(self._core), _use_prebuilt=False)
        except SchemaError:
            # A schema that can't be restated (a custom core schema, say) is only pydantic's to check.
            return None

    @cached_property
    def _may_repeat_keys(self) -> bool:
        return any(_may_repeat_keys(item) for item in _every_schema(self._core))

    def validate(self, value: object) -> Any:
        """Return the validated object. Raises `AnswerError` (from pydantic's error) if it doesn't fit."""
        try:
            return self._validator.validate_python(value, from_attributes=True)
        except ValidationError as error:
            raise _first_issue(error) from error

    def dump(self, validated: object) -> bytes:
        """Write a validated object as JSON, checking every leaf that leaves."""
        try:
            answer = self._serializer.to_json(validated, by_alias=True, warnings="error")
        except (PydanticSerializationError, ValueError, RecursionError) as error:
            self._check(validated)  # names the path, where the check finds it too
            raise AnswerError("", str(error)) from error
        self._check(validated)
        if self._may_repeat_keys:
            json.loads(answer, object_pairs_hook=_refuse_repeated_keys)
        if _REPLACEMENT in answer:
            _refuse_surrogate_keys(self._serializer.to_python(validated, by_alias=True))
        return answer

    def _check(self, validated: object) -> None:
        if self._checker is None:
            return
        try:
            self._checker.validate_python(validated, strict=True)
        except ValidationError as error:
            raise _first_issue(error) from error

    def __call__(self, value: object) -> bytes:
        """Return the JSON bytes of `value`, as the law has it."""
        return self.dump(self.validate(value))


def _first_issue(error: ValidationError) -> AnswerError:
    issue = error.errors(include_url=False, include_context=False, include_input=False)[0]
    return AnswerError(path_text(issue["loc"]), issue["msg"])


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
                raise AnswerError(repr(key), "a key with a lone surrogate can't be written as UTF-8")
            _refuse_surrogate_keys(item)
    elif isinstance(value, list | tuple | set | frozenset):
        for item in value:
            _refuse_surrogate_keys(item)


def _closed(core: CoreSchema, definitions: tuple[CoreSchema, ...]) -> dict[str, Any]:
    if not definitions or core["type"] == "definitions":
        return dict(core)
    others = [item for item in definitions if item.get("ref") != core.get("ref")]
    return {"type": "definitions", "schema": core, "definitions": others}


def _every_schema(core: object) -> Any:
    if isinstance(core, Mapping):
        if isinstance(core.get("type"), str):
            yield core
        for key, value in core.items():
            if key != "metadata":
                yield from _every_schema(value)
    elif isinstance(core, list | tuple):
        for item in core:
            yield from _every_schema(item)


def _may_repeat_keys(core: CoreSchema) -> bool:
    if core["type"] == "dict":
        return core.get("keys_schema", {}).get("type") != "str"
    if core["type"] in ("model", "dataclass", "typed-dict", "model-fields", "dataclass-args"):
        config = core.get("config", {})
        return "allow" in (core.get("extra_behavior"), config.get("extra_fields_behavior"))
    return core["type"] == "any"


# ---------------------------------------------------------------------------------------------
# The checker: the same schema, restated so that it looks at what is there and runs nothing of the
# user's. Instances are looked into, names are Python's own, validators and serializers are left out.


def _checking(core: CoreSchema) -> Any:
    kind: str = core["type"]
    if "serialization" in core:
        return _ANY | _ref(core)
    if kind in FUNCTIONS:
        inner = core.get("schema", _ANY)
        return _checking(inner) if _is_record(inner) else _ANY | _ref(core)
    restate = _RESTATED.get(kind)
    if restate is not None:
        return restate(core)
    return dict(core) if kind in _KEPT else _ANY | _ref(core)


_ANY: dict[str, Any] = {"type": "any"}
_KEPT = frozenset(
    {"none", "bool", "int", "str", "bytes", "uuid", "decimal", "literal", "enum", "definition-ref"}
    | {"complex", "timedelta", "time", "is-instance"}
)


def _ref(core: CoreSchema) -> dict[str, Any]:
    return {"ref": core["ref"]} if "ref" in core else {}


def _is_record(core: CoreSchema) -> bool:
    while core["type"] in FUNCTIONS and "schema" in core and "serialization" not in core:
        core = core["schema"]
    return core["type"] in ("model", "dataclass", "typed-dict", "definition-ref")


def _inner(*keys: str) -> Callable[[CoreSchema], dict[str, Any]]:
    def restate(core: CoreSchema) -> dict[str, Any]:
        made = dict(core)
        for key in keys:
            if key in made:
                value = made[key]
                made[key] = (
                    [_checking(item) for item in value]
                    if isinstance(value, list)
                    else _checking(value)
                )
        return made

    return restate


def _default(core: CoreSchema) -> Any:
    inner = _checking(core["schema"])
    return inner | _ref(core) if "ref" in core else inner


def _float(core: CoreSchema) -> dict[str, Any]:
    return dict(core) | {"allow_inf_nan": False}


def _dated(core: CoreSchema) -> dict[str, Any]:
    return {key: value for key, value in core.items() if key not in ("now_op", "now_utc_offset")}


def _union(core: CoreSchema) -> dict[str, Any]:
    choices = core["choices"]
    members = [*choices.values()] if isinstance(choices, Mapping) else choices
    plain = [item[0] if isinstance(item, tuple) else item for item in members]
    return {"type": "union", "choices": [_checking(item) for item in plain]} | _ref(core)


def _model(core: CoreSchema) -> dict[str, Any]:
    config = core.get("config", {})
    made = {
        "type": "model",
        "cls": core["cls"],
        "schema": _fields(core["schema"], config),
        "revalidate_instances": "always",
        "root_model": core.get("root_model", False),
    }
    return made | ({"config": _checking_config(config)} if config else {}) | _ref(core)


def _fields(core: CoreSchema, config: Mapping[str, Any]) -> Any:
    while core["type"] in FUNCTIONS and "schema" in core:
        core = core["schema"]
    if core["type"] != "model-fields":
        return _checking(core)
    fields = {
        name: {"type": "model-field", "schema": _value(item["schema"], config)}
        for name, item in core["fields"].items()
        if not item.get("serialization_exclude")  # what doesn't leave isn't checked
    }
    return {"type": "model-fields", "fields": fields, "extra_behavior": "ignore"}


def _value(core: CoreSchema, config: Mapping[str, Any]) -> Any:
    if core["type"] == "float" and config.get("ser_json_inf_nan") in ("strings", "constants"):
        return dict(core)
    return _checking(core)


def _dataclass(core: CoreSchema) -> Any:
    inner = core["schema"]
    while inner["type"] in FUNCTIONS and "schema" in inner:
        inner = inner["schema"]
    if inner["type"] != "dataclass-args":
        return _ANY | _ref(core)
    config = core.get("config", {})
    fields = [
        {
            "type": "dataclass-field",
            "name": item["name"],
            "schema": _value(item["schema"], config),
            "kw_only": True,
        }
        for item in inner["fields"]
        if not item.get("init_only") and not item.get("serialization_exclude")
    ]
    made = {
        "type": "dataclass",
        "cls": core["cls"],
        "fields": [item["name"] for item in fields],
        "slots": core.get("slots", False),
        "revalidate_instances": "always",
        "schema": {
            "type": "dataclass-args",
            "dataclass_name": inner["dataclass_name"],
            "fields": fields,
            "extra_behavior": "ignore",
        },
    }
    return made | ({"config": _checking_config(config)} if config else {}) | _ref(core)


def _typed_dict(core: CoreSchema) -> dict[str, Any]:
    config = core.get("config", {})
    fields = {
        name: {
            "type": "typed-dict-field",
            "schema": _value(item["schema"], config),
            "required": item.get("required", True),
        }
        for name, item in core["fields"].items()
    }
    made = {"type": "typed-dict", "fields": fields, "extra_behavior": "ignore"}
    return made | ({"config": _checking_config(config)} if config else {}) | _ref(core)


def _checking_config(config: Mapping[str, Any]) -> dict[str, Any]:
    dropped = ("extra_fields_behavior", "validate_by_alias", "validate_by_name", "from_attributes")
    return {key: value for key, value in config.items() if key not in dropped}


_RESTATED: Mapping[str, Callable[[CoreSchema], Any]] = {
    "definitions": _inner("schema", "definitions"),
    "nullable": _inner("schema"),
    "list": _inner("items_schema"),
    "set": _inner("items_schema"),
    "frozenset": _inner("items_schema"),
    "tuple": _inner("items_schema"),
    "dict": _inner("keys_schema", "values_schema"),
    "default": _default,
    "float": _float,
    "date": _dated,
    "datetime": _dated,
    "union": _union,
    "tagged-union": _union,
    "model": _model,
    "dataclass": _dataclass,
    "typed-dict": _typed_dict,
}
