"""Strategies of models, dataclasses and TypedDicts, as mappings and as instances."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownLambdaType=false
# Core schemas are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

from ..schema.shape import CoreSchema
from ..schema.spelling import FUNCTIONS, walk_core
from .collection import Build
from .known import scalars
from .place import Place
from .sieve import Values
from .text import CHARACTERS

__all__ = ["Member", "asks_for_record", "fields_of", "members", "records"]

ROOTS: Mapping[str, str] = {
    "model": "model-fields",
    "dataclass": "dataclass-args",
    "typed-dict": "typed-dict",
}
FREE = ("", "__extra__", "é", "😀", "a.b", "constructor")


@dataclass(frozen=True, slots=True)
class Member:
    """One field as it is read.

    Args:
        name: its Python name.
        paths: where its value may stand: a key, or keys and indexes.
        written: the key that it is written under.
        core: the schema of its value.
        required: whether it must be there.
    """

    name: str
    paths: tuple[tuple[str | int, ...], ...]
    written: str
    core: CoreSchema
    required: bool

    @property
    def names(self) -> tuple[str, ...]:
        """Every name that a path of the caller's may call it by."""
        keys = (str(path[0]) for path in self.paths if len(path) == 1)
        return tuple(dict.fromkeys([self.name, *keys]))


def fields_of(core: CoreSchema) -> CoreSchema | None:
    """Return the schema that lists a record's fields; None where it has none of its own."""
    wanted, inner = ROOTS[core["type"]], core if core["type"] == "typed-dict" else core["schema"]
    while inner["type"] in FUNCTIONS and "schema" in inner:
        inner = inner["schema"]
    return inner if inner["type"] == wanted else None


def members(core: CoreSchema) -> Iterator[Member]:
    """Yield the fields that a mapping may give."""
    fields = fields_of(core)
    if fields is None:
        return
    config = core.get("config", {})
    listed = fields["fields"]
    pairs = listed.items() if isinstance(listed, Mapping) else ((f["name"], f) for f in listed)
    for name, field in pairs:
        if field.get("init", True) is False:
            continue
        defaulted = field["schema"]["type"] == "default"
        required = field.get("required", fields.get("total", True) and not defaulted)
        paths = tuple(_paths(name, field, config))
        written = field.get("serialization_alias", name)
        yield Member(name, paths, written, field["schema"], required)


def _paths(
    name: str, field: CoreSchema, config: Mapping[str, Any]
) -> Iterator[tuple[str | int, ...]]:
    alias = field.get("validation_alias", name)
    if config.get("validate_by_alias", True):
        if isinstance(alias, str):
            yield (alias,)
        else:
            yield from (tuple(path) for path in (alias if isinstance(alias[0], list) else [alias]))
    if alias != name and (
        config.get("validate_by_name") or not config.get("validate_by_alias", True)
    ):
        yield (name,)


def records(build: Build, core: CoreSchema, place: Place, private: frozenset[str]) -> Values:
    """Mappings of a record, under the names that it is read by.

    Args:
        build: builds the values of a field.
        core: the record.
        place: where it is.
        private: fields whose values should be recognisable.
    """
    tags, inside = place.tags, replace(place, instances=False, in_record=True)
    # A TypedDict without a config of its own obeys the one around it; the others never do.
    inside = inside.with_config(core.get("config", None if core["type"] == "typed-dict" else {}))
    required: dict[int, Values] = {}
    optional: dict[int, Values] = {}
    places: list[tuple[tuple[str | int, ...], ...]] = []
    for index, member in enumerate(members(core)):
        down = inside.step(*member.names)
        if private.intersection(member.names):
            down = replace(down, private=True)
        values = build(member.core, down)
        tagged = [path for path in member.paths if path[0] in tags]
        paths = tuple(tagged) or member.paths
        places.append(paths)
        named = st.tuples(st.sampled_from(paths), values)
        if member.required or tagged:
            required[index] = named
        elif not values.is_empty:
            optional[index] = named
    made = st.fixed_dictionaries(required, optional=optional).map(_assembled)
    extras = _extras(build, core, inside, {str(path[0]) for paths in places for path in paths})
    return made if extras is None else st.builds(lambda one, more: {**more, **one}, made, extras)


def _assembled(given: Mapping[int, tuple[tuple[str | int, ...], Any]]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for path, value in (given[index] for index in sorted(given)):
        _put(made, path, value)
    return made


def _put(target: Any, path: tuple[str | int, ...], value: Any) -> None:
    """Put a value where an alias path looks for it, and wherever a list lacks one before it."""
    step, below = path[0], path[1:]
    if type(target) is not _container(step):
        return
    if isinstance(step, int):
        target.extend([value] * (step + 1 - len(target)))
    if not below:
        target[step] = value
        return
    kind = _container(below[0])
    known = target[step] if isinstance(step, int) or step in target else None
    if type(known) is not kind:
        target[step] = known = kind()
    _put(known, below, value)


def _container(step: str | int) -> type[Any]:
    return list if isinstance(step, int) else dict


def _extras(build: Build, core: CoreSchema, inside: Place, known: set[str]) -> Values | None:
    """Keys that nobody has declared, where the record keeps them."""
    fields = fields_of(core) or {}
    behavior = fields.get("extra_behavior") or core.get("config", {}).get("extra_fields_behavior")
    if behavior != "allow":
        return None
    schema = fields.get("extras_schema")
    values = scalars(inside) if schema is None else build(schema, inside.step("*"))
    own = {member.name for member in members(core)} | known | inside.reserved
    free = [name for name in FREE if name and name not in own]
    keys = st.sampled_from(free) | st.text(CHARACTERS, min_size=1, max_size=4)
    return st.dictionaries(keys.filter(lambda key: key not in own), values, max_size=2)


def asks_for_record(core: CoreSchema) -> bool:
    """Whether only the whole record can say if its fields are accepted."""
    fields = fields_of(core)
    wrapped = core["type"] != "typed-dict" and core["schema"] is not fields
    if wrapped or core.get("custom_init") or core.get("post_init"):
        return True
    return any(
        len(member.paths) > 1
        or any(len(path) > 1 for path in member.paths)
        or any(_sees_record(item) for item in walk_core(member.core))
        for member in members(core)
    )


def _sees_record(core: CoreSchema) -> bool:
    function = core.get("function")
    return isinstance(function, Mapping) and function.get("type") == "with-info"
