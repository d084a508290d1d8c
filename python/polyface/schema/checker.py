"""The checker of what leaves: a core schema restated so that it looks at what is there.

It runs nothing of the user's. Instances are looked into, names are Python's own, and what a custom
serializer writes is left to it. A validator of the user's is left out, and its result must still be
what the schema under it says, since that is what is advertised.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .shape import CoreSchema
from .spelling import FUNCTIONS, is_of_pydantic

__all__ = ["REST", "checking_schema"]


def checking_schema(core: CoreSchema) -> Any:
    """Restate a core schema for `SchemaValidator.validate_python(..., strict=True)`."""
    return _checking(core)


def _checking(core: CoreSchema) -> Any:
    kind: str = core["type"]
    if kind == "lax-or-strict":
        return _checking(core["strict_schema"]) | _ref(core)
    if kind == "json-or-python":
        return _checking(core["python_schema"]) | _ref(core)
    if "serialization" in core:
        return _serialized(core["serialization"]) | _ref(core)
    if kind in FUNCTIONS or kind == "json":
        return _timeless(_checking(core.get("schema", _ANY))) | _ref(core)
    restate = RESTATED.get(kind)
    if restate is not None:
        return restate(core)
    return dict(core) if kind in _KEPT else _ANY | _ref(core)


_ANY: dict[str, Any] = {"type": "any"}
_KEPT = frozenset(
    {"none", "bool", "int", "str", "bytes", "uuid", "decimal", "literal", "enum", "definition-ref"}
    | {"complex", "timedelta", "time", "is-instance"}
)

# What a serializer without code of its own may be told to write.
_SIMPLE = frozenset({"none", "int", "bool", "float", "str", "bytes"})


def _serialized(serializer: CoreSchema) -> dict[str, Any]:
    """What a serializer may be handed; the user's own are handed anything."""
    if serializer["type"] in _SIMPLE:
        return {"type": serializer["type"]}
    function = serializer.get("function")
    cls = getattr(function, "__self__", None)
    if isinstance(cls, type) and is_of_pydantic(function):  # a URL, say: written as its text
        return {"type": "is-instance", "cls": cls}
    return _ANY


def _ref(core: CoreSchema) -> dict[str, Any]:
    return {"ref": core["ref"]} if "ref" in core else {}


def _timeless(core: dict[str, Any]) -> dict[str, Any]:
    """Drop what no schema advertises: a validator may take a time zone away."""
    return {key: value for key, value in core.items() if key != "tz_constraint"}


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
    if "allow_inf_nan" in core:
        return dict(core) | {"allow_inf_nan": False}
    return dict(core) | {"allow_inf_nan": False, "metadata": _FINITE}


# Marks a float that is held to be finite only because JSON has no form for the others.
_FINITE = {"finite": "as JSON is"}


def _let_infinities(core: Any) -> None:
    """Take that back, in place, for what a record writes as its config says."""
    if isinstance(core, list):
        for item in core:
            _let_infinities(item)
    elif isinstance(core, dict) and core.get("type") not in ("model", "dataclass", "typed-dict"):
        if core.get("metadata") is _FINITE:
            del core["allow_inf_nan"]
        for key, value in core.items():
            if key != "metadata":
                _let_infinities(value)


def _dated(core: CoreSchema) -> dict[str, Any]:
    return {key: value for key, value in core.items() if key not in ("now_op", "now_utc_offset")}


def _union(core: CoreSchema) -> dict[str, Any]:
    choices = core["choices"]
    members = [*choices.values()] if isinstance(choices, Mapping) else choices
    plain = [item[0] if isinstance(item, tuple) else item for item in members]
    restated = [_checking(item) for item in plain]
    records = {item["cls"]: item for item in restated if item["type"] in ("model", "dataclass")}
    others = [item for item in restated if item.get("cls") not in records]
    if not records:
        return {"type": "union", "choices": restated} | _ref(core)
    # An instance is its own class's; a member that takes anything must not vouch for it.
    tags = {cls: cls.__name__ for cls in records}
    if len({*tags.values()}) != len(tags):
        tags = {cls: f"{cls.__module__}.{cls.__qualname__}#{id(cls)}" for cls in records}
    rest = {"type": "union", "choices": others or restated}

    def name_of(value: object) -> str:
        return next((tags[cls] for cls in type(value).__mro__ if cls in tags), REST)

    return {
        "type": "tagged-union",
        "choices": {tags[cls]: item for cls, item in records.items()} | {REST: rest},
        "discriminator": name_of,
    } | _ref(core)


# The choice of what no record's class is; no place of an answer is called so.
REST = "any other member"


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
    made = _checking(core)
    if config.get("ser_json_inf_nan") in ("strings", "constants"):
        _let_infinities(made)
    return made


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


RESTATED: Mapping[str, Callable[[CoreSchema], Any]] = {
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
