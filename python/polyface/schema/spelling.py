"""How pydantic's core schemas are spelled, as far as polyface knows.

A type, an option or a config that isn't listed here is one that only pydantic can run. Nothing is
ever ignored, so a later pydantic makes polyface slower, not wrong.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .shape import CoreSchema

# Keys that say nothing about which values are accepted or how they are written.
SILENT_KEYS = frozenset({"type", "ref", "metadata"})

# Config that changes neither a value that is accepted as it stands nor its bytes.
SILENT_CONFIG = frozenset(
    {
        "title",
        "extra_fields_behavior",
        "from_attributes",
        "validate_by_alias",
        "validate_by_name",
        "serialize_by_alias",
        "validate_assignment",
        "loc_by_alias",
        "hide_input_in_errors",
        "cache_strings",
    }
)

LEAF_KEYS: Mapping[str, frozenset[str]] = {
    "none": frozenset(),
    "bool": frozenset(),
    "int": frozenset({"ge", "gt", "le", "lt"}),
    "float": frozenset({"ge", "gt", "le", "lt", "allow_inf_nan"}),
    "str": frozenset({"min_length", "max_length"}),
    "uuid": frozenset(),
    "date": frozenset(),
    "time": frozenset({"microseconds_precision"}),
    "datetime": frozenset({"tz_constraint", "microseconds_precision"}),
    "decimal": frozenset(),
    "literal": frozenset({"expected"}),
    "enum": frozenset({"cls", "members", "sub_type"}),
}

FUNCTIONS: Mapping[str, str] = {
    "function-before": "a validator that runs before",
    "function-after": "a validator that runs after",
    "function-wrap": "a validator that wraps it",
    "function-plain": "a validator of its own",
}

FIELD_KEYS = frozenset(
    {
        "schema",
        "validation_alias",
        "serialization_alias",
        "serialization_exclude",
        "required",
        "name",
        "kw_only",
        "init",
        "init_only",
        "frozen",
    }
)
MODEL_KEYS = frozenset(
    {"cls", "schema", "config", "custom_init", "root_model", "generic_origin", "frozen"}
)
MODEL_FIELDS_KEYS = frozenset({"fields", "computed_fields", "model_name", "extra_behavior"})
DATACLASS_KEYS = frozenset(
    {"cls", "schema", "config", "fields", "frozen", "post_init", "slots", "cls_name"}
    | {"generic_origin"}
)
DATACLASS_ARGS_KEYS = frozenset(
    {"fields", "computed_fields", "dataclass_name", "collect_init_only", "extra_behavior"}
)
TYPED_DICT_KEYS = frozenset(
    {"cls", "cls_name", "fields", "computed_fields", "config", "extra_behavior", "total"}
)
DEFAULT_KEYS = frozenset(
    {"schema", "default", "default_factory", "default_factory_takes_data", "copy_default"}
)


def needs_siblings(core: CoreSchema) -> str | None:
    """What below sees the other fields, so that it can't run on its own."""
    return next((reason for item in walk_core(core) if (reason := _sees_record(item))), None)


def _sees_record(core: CoreSchema) -> str | None:
    function = core.get("function")
    if isinstance(function, Mapping) and function.get("type") == "with-info":
        return "a validator that sees the record"
    return "a serializer that sees the record" if core.get("is_field_serializer") else None


def walk_core(core: CoreSchema) -> Iterator[CoreSchema]:
    """Yield a core schema and all schemas written inside it, records' fields excepted.

    A record is a boundary: what its own fields need is settled when that record is read.
    """
    yield core
    if core["type"] in ("model", "dataclass", "typed-dict"):
        return
    for key, value in core.items():
        if key == "metadata":
            continue
        for item in _schemas_in(value):
            yield from walk_core(item)


def _schemas_in(value: object) -> Iterator[CoreSchema]:
    if isinstance(value, Mapping):
        if isinstance(value.get("type"), str):
            yield value
        else:
            for item in value.values():
                yield from _schemas_in(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _schemas_in(item)


def writes_constants(core: CoreSchema) -> bool:
    """Whether a model anywhere in a core schema writes NaN and infinity as bare tokens."""
    if core.get("config", {}).get("ser_json_inf_nan") == "constants":
        return True
    return any(
        writes_constants(item)
        for key, value in core.items()
        if key not in ("metadata", "config", "default", "serialization")
        for item in _schemas_in(value)
    )


def is_of_pydantic(function: object) -> bool:
    """Whether pydantic wrote a function of a core schema, which then does what its type says."""
    module: str = getattr(function, "__module__", None) or ""
    return module.partition(".")[0] == "pydantic"
