"""Reading a core schema into a `Shape`, once."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Flag
from typing import Any, Literal

from .shape import (
    Anything,
    Array,
    CoreSchema,
    Custom,
    Dictionary,
    Field,
    Leaf,
    LeafKind,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    Union,
)
from .spelling import (
    DATACLASS_ARGS_KEYS,
    DATACLASS_KEYS,
    DEFAULT_KEYS,
    FIELD_KEYS,
    FUNCTIONS,
    LEAF_KEYS,
    MODEL_FIELDS_KEYS,
    MODEL_KEYS,
    SILENT_CONFIG,
    SILENT_KEYS,
    TYPED_DICT_KEYS,
    needs_siblings,
)

__all__ = ["read_shape"]


def read_shape(core: CoreSchema) -> Shape:
    """Read the shape of a complete core schema.

    Cost: one walk; recursive types end at the record that is already being read.
    """
    return _Reader().read(core)


class _Reader:
    """One walk over one core schema; remembers the definitions and the records met so far."""

    def __init__(self) -> None:
        self._definitions: dict[str, CoreSchema] = {}
        self._seen: dict[str, Shape] = {}
        self._open: set[str] = set()

    def read(self, core: CoreSchema) -> Shape:
        kind: str = core["type"]
        if kind == "definitions":
            self._definitions.update({item["ref"]: item for item in core["definitions"]})
            return self.read(core["schema"])
        if kind == "definition-ref":
            ref: str = core["schema_ref"]
            if self._unlisted(core, {"schema_ref"}):
                return Custom(core, "a reference with options of its own")
            return self._seen.get(ref) or self._referred(core, ref)
        if "serialization" in core:
            return Custom(core, "a serializer of its own", self._structure_of(core))
        reader = _READERS.get(kind)
        if reader is None:
            return Custom(core, f"the schema type `{kind}`", self._structure_of(core))
        return reader(self, core)

    def _referred(self, core: CoreSchema, ref: str) -> Shape:
        """Read what a reference leads to; what contains itself through no record is pydantic's."""
        if ref in self._open:
            return Custom(core, "a type that contains itself without a record in between")
        self._open.add(ref)
        shape = self.read(self._definitions[ref])
        self._open.discard(ref)
        return shape

    def _structure_of(self, core: CoreSchema) -> Shape | None:
        """The shape inside a wrapper, for those who ask about structure only."""
        kind = core["type"]
        if kind in FUNCTIONS and kind != "function-plain" and "serialization" not in core:
            return self.read(core["schema"])
        return None

    def _unlisted(self, core: CoreSchema, listed: set[str] | frozenset[str]) -> str | None:
        extra = sorted(set(core) - SILENT_KEYS - listed)
        return f"the option `{extra[0]}`" if extra else None

    def leaf(self, core: CoreSchema) -> Shape:
        kind: LeafKind = core["type"]
        if reason := self._unlisted(core, LEAF_KEYS[kind]):
            return Custom(core, reason)
        if kind == "datetime" and isinstance(core.get("tz_constraint"), int):
            return Custom(core, "a fixed time zone offset")
        if kind == "enum" and issubclass(core["cls"], Flag):
            return Custom(core, "members that can be combined")
        options = {key: core[key] for key in LEAF_KEYS[kind] if key in core}
        return Leaf(core, kind, options)

    def anything(self, core: CoreSchema) -> Shape:
        return Anything(core)

    def nullable(self, core: CoreSchema) -> Shape:
        inner = self.read(core["schema"])
        if reason := self._unlisted(core, {"schema"}):
            return Custom(core, reason, inner)
        return Nullable(core, inner)

    def array(self, core: CoreSchema) -> Shape:
        kind: Literal["list", "set", "frozenset"] = core["type"]
        item = self.read(core["items_schema"]) if "items_schema" in core else _ANYTHING
        shape = Array(core, kind, item, core.get("min_length", 0), core.get("max_length"))
        reason = self._unlisted(core, {"items_schema", "min_length", "max_length"})
        return Custom(core, reason, shape) if reason else shape

    def tuple_(self, core: CoreSchema) -> Shape:
        items = tuple(self.read(item) for item in core["items_schema"])
        variadic = core.get("variadic_item_index")
        listed = {"items_schema", "variadic_item_index", "min_length", "max_length"}
        if variadic is None:
            shape: Shape = Tuple(core, items)
            listed -= {"min_length", "max_length"}
        elif len(items) == 1:
            lengths = core.get("min_length", 0), core.get("max_length")
            shape = Array(core, "tuple", items[0], *lengths)
        else:
            return Custom(core, "a tuple with a repeated middle")
        reason = self._unlisted(core, listed)
        return Custom(core, reason, shape) if reason else shape

    def dictionary(self, core: CoreSchema) -> Shape:
        key = self.read(core["keys_schema"]) if "keys_schema" in core else _ANYTHING
        value = self.read(core["values_schema"]) if "values_schema" in core else _ANYTHING
        shape = Dictionary(core, key, value, core.get("min_length", 0), core.get("max_length"))
        reason = self._unlisted(core, {"keys_schema", "values_schema", "min_length", "max_length"})
        return Custom(core, reason, shape) if reason else shape

    def union(self, core: CoreSchema) -> Shape:
        members = tuple(
            self.read(choice[0] if isinstance(choice, tuple) else choice)
            for choice in core["choices"]
        )
        shape = Union(core, members)
        reason = self._unlisted(core, {"choices"})
        return Custom(core, reason, shape) if reason else shape

    def tagged(self, core: CoreSchema) -> Shape:
        choices = {tag: self.read(choice) for tag, choice in core["choices"].items()}
        names = _discriminator_names(core["discriminator"])
        reason = self._unlisted(core, {"choices", "discriminator", "from_attributes", "strict"})
        if names is None or not all(isinstance(tag, str) for tag in choices):
            return Custom(core, "a discriminator that isn't text under one key")
        shape = Tagged(core, names, choices)
        if core.get("strict"):
            reason = reason or "the option `strict`"
        return Custom(core, reason, shape) if reason else shape

    def model(self, core: CoreSchema) -> Shape:
        inner = core["schema"]
        if core.get("root_model"):
            return Custom(core, "a root model", self.read(inner))
        wrapped = inner["type"] != "model-fields"
        while inner["type"] in FUNCTIONS and inner["type"] != "function-plain":
            inner = inner["schema"]
        if inner["type"] != "model-fields":
            return Custom(core, "a model without fields of its own")
        reason = (
            ("a model validator" if wrapped else None)
            or ("`__init__` of its own" if core.get("custom_init") else None)
            or self._unlisted(core, MODEL_KEYS)
            or self._unlisted(inner, MODEL_FIELDS_KEYS)
        )
        return self._record(core, inner, "model", [*inner["fields"].items()], reason)

    def dataclass(self, core: CoreSchema) -> Shape:
        inner = core["schema"]
        if inner["type"] != "dataclass-args":
            return Custom(core, "a dataclass validator")
        outside = [
            item for item in inner["fields"] if item.get("init_only") or not item.get("init", True)
        ]
        reason = (
            ("`__post_init__`" if core.get("post_init") else None)
            or ("a field outside `__init__`" if outside else None)
            or self._unlisted(core, DATACLASS_KEYS)
            or self._unlisted(inner, DATACLASS_ARGS_KEYS)
        )
        named = [(item["name"], item) for item in inner["fields"]]
        return self._record(core, inner, "dataclass", named, reason)

    def typed_dict(self, core: CoreSchema) -> Shape:
        reason = self._unlisted(core, TYPED_DICT_KEYS)
        return self._record(core, core, "typed_dict", [*core["fields"].items()], reason)

    def _record(
        self,
        core: CoreSchema,
        inner: CoreSchema,
        carrier: Literal["model", "dataclass", "typed_dict"],
        named: list[tuple[str, CoreSchema]],
        reason: str | None,
    ) -> Record:
        config = core.get("config", {})
        extra: Literal["ignore", "forbid", "allow"] = (
            inner.get("extra_behavior") or config.get("extra_fields_behavior") or "ignore"
        )
        record = Record(core, carrier, core.get("cls", dict), extra)
        if "ref" in core:
            self._seen[core["ref"]] = record
        telling = sorted(set(config) - SILENT_CONFIG)
        reason = (
            reason
            or (f"the config `{telling[0]}`" if telling else None)
            or ("a computed field" if inner.get("computed_fields") else None)
            or ("extra keys that are kept" if extra == "allow" else None)
        )
        for name, item in named:
            read, field_reason = self._field(name, item, config)
            record.fields.append(read)
            if field_reason:
                reason = reason or f"{field_reason} on the field `{name}`"
        for item in inner.get("computed_fields", ()):
            name = item.get("alias", item["property_name"])
            record.computed[name] = self.read(item["return_schema"])
        record.custom = reason
        return record

    def _field(
        self, name: str, core: CoreSchema, config: Mapping[str, Any]
    ) -> tuple[Field, str | None]:
        value = core["schema"]
        default = None
        reason = self._unlisted(core, FIELD_KEYS)
        if value["type"] == "default":
            default, value = value, value["schema"]
            reason = reason or self._unlisted(default, DEFAULT_KEYS)
        alias = core.get("validation_alias", name)
        has_path = not isinstance(alias, str)
        aliases = _alias_paths(alias)
        if has_path:
            reason = reason or "an alias with a path or choices"
        by_alias = config.get("validate_by_alias", True)
        names = [steps[0] for steps in aliases if len(steps) == 1] if by_alias else []
        roots = tuple(steps[0] for steps in aliases if len(steps) > 1)
        if config.get("validate_by_name") or not by_alias:
            names.append(name)
        required = core.get("required", default is None)
        written = (
            None if core.get("serialization_exclude") else core.get("serialization_alias", name)
        )
        reason = reason or needs_siblings(value)
        shape = self.read(value)
        read_names = tuple(dict.fromkeys(names)) or (name,)
        return (
            Field(name, read_names, written, shape, required, default, roots, has_path),
            reason,
        )


def _alias_paths(alias: Any) -> list[list[Any]]:
    """The paths that a field is read by: one for a name or an `AliasPath`, several for choices."""
    if isinstance(alias, str):
        return [[alias]]
    return [alias] if alias and isinstance(alias[0], str) else alias


def _discriminator_names(discriminator: object) -> tuple[str, ...] | None:
    """The keys of a discriminator; None for a function or a path of more than one step."""
    if isinstance(discriminator, str):
        return (discriminator,)
    if not isinstance(discriminator, list):
        return None
    names = tuple(path[0] for path in discriminator if len(path) == 1)
    plain = len(names) == len(discriminator) and all(isinstance(name, str) for name in names)
    return names if plain else None


_ANYTHING = Anything({"type": "any"})
_READERS: Mapping[str, Callable[[_Reader, CoreSchema], Shape]] = {
    **dict.fromkeys(LEAF_KEYS, _Reader.leaf),
    "any": _Reader.anything,
    "nullable": _Reader.nullable,
    "list": _Reader.array,
    "set": _Reader.array,
    "frozenset": _Reader.array,
    "tuple": _Reader.tuple_,
    "dict": _Reader.dictionary,
    "union": _Reader.union,
    "tagged-union": _Reader.tagged,
    "model": _Reader.model,
    "dataclass": _Reader.dataclass,
    "typed-dict": _Reader.typed_dict,
}
