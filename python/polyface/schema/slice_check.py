"""The check of a slice that isn't proved: it must read what was kept, and write the same again.

A place where the slice has the full answer's own type was checked with the full answer, so anything
goes there.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError
from pydantic_core import SchemaSerializer, SchemaValidator

from .adapter import Schema
from .difference import first_difference
from .fit import same_shape
from .json_text import read_json
from .law import SliceError, path_text
from .shape import Array, CoreSchema, Dictionary, Nullable, Record, Shape, Tuple, unwrap
from .spelling import needs_siblings

__all__ = ["SliceCheck"]


class SliceCheck:
    """Whether JSON that a slice keeps is an answer of the slice.

    Args:
        view: the schema of the slice.
        full: the schema of the full answer that it is cut from; None checks every place.
    """

    def __init__(self, view: Schema[Any], full: Schema[Any] | None = None) -> None:
        self._shape = view.shape
        core: Any = None if full is None else _Relaxed(view).core_beside(full.shape)
        if core is None:
            self._reads: Any = view.adapter
            self._writes: Any = view.adapter.serializer
        else:  # not what the models keep ready: those check every place
            self._reads = SchemaValidator(core, _use_prebuilt=False)
            self._writes = SchemaSerializer(core, _use_prebuilt=False)

    def fault(self, pruned: bytes) -> SliceError | None:
        """Say why `pruned` isn't an answer of the slice, or return None.

        A slice never rewrites, so it holds only if its type reads the text strictly and would write
        the same JSON value again.
        """
        try:
            read = self._reads.validate_json(pruned, strict=True)
        except ValidationError as error:
            issue = error.errors(include_url=False, include_context=False, include_input=False)[0]
            return SliceError(path_text(issue["loc"]), issue["msg"])
        written = self._writes.to_json(read, by_alias=True, exclude_unset=True, warnings=False)
        path = first_difference(read_json(pruned), read_json(written), self._shape)
        if path is None:
            return None
        return SliceError(path, "the slice would rewrite this; use `project=`")


class _Relaxed:
    """One slice's core schema, restated so that the full answer's own types take anything."""

    def __init__(self, view: Schema[Any]) -> None:
        core: CoreSchema = view.core
        is_root = core["type"] == "definitions"
        self._view = view.shape
        self._root: CoreSchema = core["schema"] if is_root else core
        self._definitions: list[Any] = [*core["definitions"]] if is_root else []
        self._names: dict[tuple[int, int], str] = {}

    def core_beside(self, full: Shape) -> Any:
        """Restate the slice beside the full answer that it is cut from."""
        root = self._place(self._root, full, self._view)
        return {"type": "definitions", "schema": root, "definitions": self._definitions}

    def _place(self, core: CoreSchema, full: Shape, view: Shape) -> Any:
        if same_shape(full, view):
            return {"type": "any"}
        view = unwrap(view)
        full = unwrap(full)
        if not isinstance(view, Nullable) and isinstance(full, Nullable):
            full = unwrap(full.inner)
        if core["type"] == "definition-ref":
            if not isinstance(view, Record):
                return core
            core = view.core
        if core["type"] == "default":
            return {**core, "schema": self._place(core["schema"], full, view)}
        match view, full:
            case Nullable(), _ if core["type"] == "nullable":
                present = full.inner if isinstance(full, Nullable) else full
                return {**core, "schema": self._place(core["schema"], present, view.inner)}
            case Array(), Array() if "items_schema" in core and core["type"] == "tuple":
                return {
                    **core,
                    "items_schema": [self._place(core["items_schema"][0], full.item, view.item)],
                }
            case Array(), Array() if "items_schema" in core:
                return {
                    **core,
                    "items_schema": self._place(core["items_schema"], full.item, view.item),
                }
            case Tuple(), Tuple() if len(view.items) == len(full.items):
                places = zip(core["items_schema"], full.items, view.items, strict=True)
                return {**core, "items_schema": [self._place(*place) for place in places]}
            case Dictionary(), Dictionary() if "values_schema" in core:
                value = self._place(core["values_schema"], full.value, view.value)
                return {**core, "values_schema": value}
            case Record(), Record() if _only_fields(core):
                return self._record(core, full, view)
            case _:
                return core

    def _record(self, core: CoreSchema, full: Record, view: Record) -> Any:
        """A definition of its own for each pair: one slice's record may be cut from several."""
        pair = (id(full), id(view))
        name = self._names.get(pair)
        if name is None:
            name = self._names[pair] = f"slice:{len(self._names)}"
            known = {item.write_name: item.shape for item in full.fields}
            beside = {
                item.attribute: (known[item.write_name], item.shape)
                for item in view.fields
                if item.write_name in known
            }
            self._definitions.append({**self._with_fields(core, beside), "ref": name})
        return {"type": "definition-ref", "schema_ref": name}

    def _with_fields(self, core: CoreSchema, beside: Mapping[str, tuple[Shape, Shape]]) -> Any:
        if "schema" in core:
            return {**core, "schema": self._with_fields(core["schema"], beside)}
        fields = core["fields"]
        if isinstance(fields, Mapping):
            made: Any = {name: self._field(item, beside.get(name)) for name, item in fields.items()}
        else:
            made = [self._field(item, beside.get(item["name"])) for item in fields]
        return {**core, "fields": made}

    def _field(self, item: CoreSchema, pair: tuple[Shape, Shape] | None) -> Any:
        if pair is None:
            return item
        value = item["schema"]
        if value["type"] == "default":
            inner = {**value, "schema": self._place(value["schema"], *pair)}
        else:
            inner = self._place(value, *pair)
        return {**item, "schema": inner}


def _only_fields(core: CoreSchema) -> bool:
    """Whether no code of the user's sees a record's fields side by side, to find them untyped."""
    inner = core.get("schema", core)
    if "fields" not in inner or any(core.get(key) for key in ("custom_init", "post_init")):
        return False
    fields = inner["fields"]
    items = fields.values() if isinstance(fields, Mapping) else fields
    return not any(needs_siblings(item["schema"]) for item in items)
