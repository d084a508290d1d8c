"""The law of an answer, the slow way: pydantic, the standard library and a JSON Schema validator.

Nothing here is shared with the library, so that a mistake has to be made twice to pass.
"""

import dataclasses
import json
import re
import warnings
from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from jsonschema import Draft202012Validator
from pydantic import BaseModel, RootModel, TypeAdapter, ValidationError
from pydantic.json_schema import PydanticJsonSchemaWarning

from tests.execution.twin_prune import follow, prune_by_schema


class Refusal(Exception):
    """No answer: the handler's broken promise."""


@lru_cache(maxsize=64)
def adapter_of(type_: Any) -> TypeAdapter[Any]:
    return TypeAdapter(type_)


@lru_cache(maxsize=64)
def advertised(type_: Any) -> dict[str, Any]:
    """The JSON Schema that says what leaves, less what JSON Schema can't say of floats."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", PydanticJsonSchemaWarning)
        schema = adapter_of(type_).json_schema(by_alias=True, mode="serialization")
    _forget(schema)
    return schema


@lru_cache(maxsize=64)
def validator_of(type_: Any) -> Draft202012Validator:
    return Draft202012Validator(advertised(type_))


def bare_json(type_: Any, value: object) -> bytes:
    """What pydantic alone answers; one of its warnings is a refusal."""
    adapter = adapter_of(type_)
    try:
        validated = adapter.validate_python(value, from_attributes=True)
        answer = adapter.dump_json(validated, by_alias=True, warnings="error")
        read, schema = json.loads(answer), advertised(type_)
        dumped = adapter.dump_python(validated, by_alias=True, warnings=False)
        _refuse_what_is_lost(dumped, read, schema, schema.get("$defs", {}))
    except Exception as error:  # whatever a validator or a serializer of the user's raises
        raise Refusal(str(error)) from error
    return answer


def full_json(type_: Any, value: object) -> bytes:
    """The full answer: pydantic's, if it satisfies the schema that is advertised for it."""
    answer = bare_json(type_, value)
    try:
        read = json.loads(answer, object_pairs_hook=_refuse_repeated_keys)
    except ValueError as error:
        raise Refusal(str(error)) from error
    fault = next(validator_of(type_).iter_errors(read), None)
    if fault is not None:
        raise Refusal(f"not what is advertised: {fault.json_path}: {fault.message}")
    return answer


def pruned_json(view: Any, answer: bytes) -> bytes:
    """The part of a full answer that a slice declares."""
    return prune_by_schema(answer, advertised(view))


def slice_holds(view: Any, pruned: bytes) -> bool:
    """Whether the slice reads its own text strictly and would write the same JSON value again."""
    adapter = adapter_of(view)
    try:
        read = adapter.validate_json(pruned, strict=True)
    except ValidationError:
        return False
    written = adapter.dump_json(read, by_alias=True, exclude_unset=True, warnings=False)
    schema = advertised(view)
    one, other = (_unordered(json.loads(text), schema, schema) for text in (pruned, written))
    return bool(_marked(one) == _marked(other))


def _unordered(value: Any, schema: Any, root: dict[str, Any]) -> Any:
    """Sort what is a set by its schema: its order says nothing."""
    schema = follow(schema, root.get("$defs", {}))
    schema = schema if isinstance(schema, dict) else {}
    if isinstance(value, list):
        places, rest = schema.get("prefixItems", ()), schema.get("items", True)
        items = [
            _unordered(item, places[index] if index < len(places) else rest, root)
            for index, item in enumerate(value)
        ]
        return sorted(items, key=json.dumps) if schema.get("uniqueItems") else items
    if isinstance(value, dict):
        declared, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        return {key: _unordered(item, declared.get(key, rest), root) for key, item in value.items()}
    return value


def is_advertised(type_: Any, answer: bytes) -> bool:
    """Whether a text satisfies the schema that is advertised for its type."""
    return bool(validator_of(type_).is_valid(json.loads(answer)))


def still_fits(type_: Any, value: object) -> bool:
    """Whether what instances hold now would pass strict validation if it were given as plain data.

    The class `Refusal` stands for what no type takes.
    """
    adapter = adapter_of(type_)
    try:
        validated = adapter.validate_python(value, from_attributes=True)
        adapter.validate_python(_plain(validated), strict=True, by_name=True, by_alias=False)
    except ValidationError:
        return False
    return True


@lru_cache(maxsize=64)
def has_default_of_another_type(type_: Any) -> bool:
    """Whether some default is `None` where the type doesn't say so."""
    return any(map(_is_wrong_default, _schemas(adapter_of(type_).core_schema)))


def _is_wrong_default(core: Any) -> bool:
    takes_none = ("nullable", "none", "any")
    return (
        core["type"] == "default"
        and core.get("default", 1) is None
        and core["schema"]["type"] not in takes_none
    )


def _schemas(core: Any) -> Any:
    if isinstance(core, Mapping):
        if isinstance(core.get("type"), str):
            yield core
        for key, value in core.items():
            if key != "metadata":
                yield from _schemas(value)
    elif isinstance(core, list | tuple):
        for item in core:
            yield from _schemas(item)


def _plain(value: Any) -> Any:
    if isinstance(value, RootModel):
        return _plain(value.root)
    if isinstance(value, BaseModel):
        if not vars(value).keys() >= type(value).model_fields.keys():
            return Refusal
        return {key: _plain(item) for key, item in vars(value).items()}
    if dataclasses.is_dataclass(value):
        return {item.name: _plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_plain(item) for item in value)
    return Refusal if isinstance(value, SimpleNamespace) else value


def _marked(value: Any) -> Any:
    """Tell `true` from `1`, which Python doesn't; `1` and `1.0` are one number in JSON."""
    if isinstance(value, dict):
        return {key: _marked(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_marked(item) for item in value]
    return (isinstance(value, bool), value)


def _refuse_what_is_lost(value: Any, written: Any, schema: Any, names: dict[str, Any]) -> None:
    """Refuse a number that became null where a number is advertised, and a key that isn't text."""
    schema = follow(schema, names)
    schema = schema if isinstance(schema, dict) else {}
    says = "type" in schema or "anyOf" in schema or "enum" in schema
    if isinstance(value, float) and written is None and says:
        raise Refusal("a number that JSON has no form for")
    if isinstance(value, list | tuple) and isinstance(written, list):
        places, rest = schema.get("prefixItems", ()), schema.get("items", True)
        for index, (one, other) in enumerate(zip(value, written, strict=False)):
            inner = places[index] if index < len(places) else rest
            _refuse_what_is_lost(one, other, inner, names)
    elif isinstance(value, Mapping) and isinstance(written, dict):
        declared, rest = schema.get("properties", {}), schema.get("additionalProperties", True)
        for (key, one), (name, other) in zip(value.items(), written.items(), strict=False):
            if isinstance(key, str) and re.search("[\ud800-\udfff]", key):
                raise Refusal("a key that can't be written")
            _refuse_what_is_lost(one, other, declared.get(name, rest), names)


def _refuse_repeated_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) != len(pairs):
        raise ValueError("a key is written twice")
    return dict(pairs)


def _forget(schema: Any) -> None:
    """Drop, in place, what is known to be wrong in pydantic's document.

    0.3 isn't a multiple of 0.1 to a validator; the keys of an enum of integers are text.
    """
    if isinstance(schema, dict):
        if isinstance(schema.get("multipleOf"), float):
            del schema["multipleOf"]
        schema.pop("propertyNames", None)
        for item in schema.values():
            _forget(item)
    elif isinstance(schema, list):
        for item in schema:
            _forget(item)
