"""The checker of what the user's own code writes: computed fields and serializers with a type.

pydantic advertises the type that such a function declares and takes its values on trust, bounds and
literals included. Here the written JSON is held to that type, at those places only.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .shape import CoreSchema, every_schema
from .spelling import FUNCTIONS

__all__ = ["written_schema"]


def written_schema(core: CoreSchema) -> Any:
    """Restate a core schema for `SchemaValidator.validate_json(..., strict=True)` of its JSON.

    Returns:
        None where no code of the user's declares what it writes.
    """
    return _place(core) if any(map(_declares, every_schema(core))) else None


def _declares(core: CoreSchema) -> bool:
    return bool(core.get("computed_fields")) or _declared(core) is not None


def _declared(core: CoreSchema) -> CoreSchema | None:
    """The type that a place's serializer says it writes."""
    serializer = core.get("serialization")
    returned = None if serializer is None else serializer.get("return_schema")
    return None if returned is None or returned["type"] == "any" else returned


_ANY: dict[str, Any] = {"type": "any"}


def _ref(core: CoreSchema) -> dict[str, Any]:
    return {"ref": core["ref"]} if "ref" in core else {}


def _place(core: CoreSchema) -> Any:
    """A place whose own value has been checked already; only what is inside may be declared."""
    return _restated(core, leaf=_any)


def _returned(core: CoreSchema) -> Any:
    """A place that a function of the user's wrote, all of it."""
    return _restated(core, leaf=_kept)


def _any(core: CoreSchema) -> Any:
    return _ANY | _ref(core)


def _kept(core: CoreSchema) -> Any:
    if core["type"] == "float":
        return dict(core) | {"allow_inf_nan": False}
    if core["type"] == "enum":
        values = [member.value for member in core["members"]]
        return {"type": "literal", "expected": values} if all(map(_plain, values)) else _any(core)
    return dict(core) if core["type"] in _LEAVES else _any(core)


# Whose JSON is what strict validation reads back, whatever the config says.
_LEAVES = frozenset({"none", "bool", "int", "str", "literal", "uuid", "date", "time", "datetime"})


def _plain(value: object) -> bool:
    return type(value) in (str, int, bool, type(None))


Leaf = Callable[[CoreSchema], Any]


def _restated(core: CoreSchema, leaf: Leaf) -> Any:
    kind: str = core["type"]
    if "serialization" in core:
        declared = _declared(core)
        if declared is None:
            return _any(core)
        optional = core["serialization"].get("when_used", "always").endswith("unless-none")
        made = _returned(declared)
        return ({"type": "nullable", "schema": made} if optional else made) | _ref(core)
    if kind == "lax-or-strict":
        return _restated(core["strict_schema"], leaf) | _ref(core)
    if kind == "json-or-python":
        return _any(core)  # a type of the library's or the user's, written as it says
    if kind in FUNCTIONS and "schema" in core:
        return _restated(core["schema"], leaf) | _ref(core)
    if kind == "default":
        return _restated(core["schema"], leaf) | _ref(core)
    restate = _STRUCTURES.get(kind)
    return leaf(core) if restate is None else restate(core, leaf)


def _inner(*keys: str) -> Callable[[CoreSchema, Leaf], Any]:
    def restate(core: CoreSchema, leaf: Leaf) -> Any:
        made = {"type": core["type"]} | _ref(core)
        for key in keys:
            if key in core:
                value = core[key]
                made[key] = (
                    [_restated(item, leaf) for item in value]
                    if isinstance(value, list)
                    else _restated(value, leaf)
                )
        return made

    return restate


def _items(core: CoreSchema, leaf: Leaf) -> Any:
    item = _restated(core["items_schema"], leaf) if "items_schema" in core else _ANY
    return {"type": "list", "items_schema": item} | _ref(core)


def _tuple(core: CoreSchema, leaf: Leaf) -> Any:
    made = _inner("items_schema")(core, leaf)
    if "variadic_item_index" in core:
        made["variadic_item_index"] = core["variadic_item_index"]
    return made


def _dictionary(core: CoreSchema, leaf: Leaf) -> Any:
    value = _restated(core["values_schema"], leaf) if "values_schema" in core else _ANY
    return {"type": "dict", "values_schema": value} | _ref(core)


def _union(core: CoreSchema, leaf: Leaf) -> Any:
    choices = core["choices"]
    members = [*choices.values()] if isinstance(choices, Mapping) else choices
    plain = [item[0] if isinstance(item, tuple) else item for item in members]
    return {"type": "union", "choices": [_restated(item, leaf) for item in plain]} | _ref(core)


def _definition(core: CoreSchema, _: Leaf) -> Any:
    return {"type": "definition-ref", "schema_ref": core["schema_ref"]}


def _record(core: CoreSchema, leaf: Leaf) -> Any:
    if any(name.startswith("ser_json") for name in core.get("config", ())):
        leaf = _any  # its leaves are written in a form of their own
    inner = core if core["type"] == "typed-dict" else core["schema"]
    while inner["type"] in FUNCTIONS and "schema" in inner:
        inner = inner["schema"]
    if core.get("root_model"):
        return _restated(inner, leaf) | _ref(core)
    named = inner.get("fields", ())
    pairs = named.items() if isinstance(named, Mapping) else [(one["name"], one) for one in named]
    fields = {
        item.get("serialization_alias", name): _field(_restated(item["schema"], leaf))
        for name, item in pairs
        if not item.get("serialization_exclude")
    }
    for item in inner.get("computed_fields", ()):
        name = item.get("alias", item["property_name"])
        fields[name] = _field(_returned(item["return_schema"]))
    return {"type": "typed-dict", "fields": fields, "extra_behavior": "ignore"} | _ref(core)


def _field(schema: Any) -> dict[str, Any]:
    return {"type": "typed-dict-field", "schema": schema, "required": False}


_STRUCTURES: Mapping[str, Callable[[CoreSchema, Leaf], Any]] = {
    "definitions": _inner("schema", "definitions"),
    "definition-ref": _definition,
    "nullable": _inner("schema"),
    "list": _items,
    "set": _items,
    "frozenset": _items,
    "tuple": _tuple,
    "dict": _dictionary,
    "union": _union,
    "tagged-union": _union,
    "model": _record,
    "dataclass": _record,
    "typed-dict": _record,
}
