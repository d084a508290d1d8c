"""Random records: models of every configuration, dataclasses, TypedDicts, and values that carry them."""

# mypy: disable-error-code="type-var,attr-defined,operator"
# Types are made at run time here, where mypy can't follow.

import dataclasses
from collections.abc import Sequence
from types import MappingProxyType, SimpleNamespace
from typing import Any, NotRequired

import pydantic.dataclasses
from pydantic import (
    AliasChoices,
    AliasPath,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
)
from typing_extensions import TypedDict

from tests.execution.twin_bases import BASES, CONFIGS
from tests.execution.twin_leaves import ANYTHING
from tests.execution.twin_types import MAKERS, Choose, Kind, Making, random_kind

NAMES = ("id", "name", "from_", "größe", "rows", "value")


@dataclasses.dataclass(frozen=True)
class Part:
    """One field of a random record.

    Args:
        name: the attribute.
        read: the key that values are given under.
        write: the key it is written under; None when it is excluded.
        optional: whether it may be left out; `plain` when what stands in for it is a plain value.
    """

    name: str
    kind: Kind
    read: str
    write: str | None
    field: Any
    optional: bool
    plain: bool
    in_core: bool


def model(choose: Choose, depth: int) -> Kind:
    """Draw a model; its slices are models or TypedDicts of some of its fields, or itself."""
    parts = _parts(choose, depth, aliases=True)
    base, base_in_core = choose(BASES)
    config, config_in_core = choose(CONFIGS)
    if not config.get("validate_by_alias", True):
        parts = [dataclasses.replace(part, read=part.name) for part in parts]
    cls = _model_of(f"Model{depth}", parts, base, config)
    return _record(cls, parts, base_in_core and config_in_core)


def dataclass(choose: Choose, depth: int) -> Kind:
    """Draw a dataclass of the standard library or of pydantic, with or without slots."""
    parts = sorted(_parts(choose, depth, aliases=False), key=lambda part: part.optional)
    fields = [(part.name, part.kind.annotation, part.field) for part in parts]
    cls: Any = dataclasses.make_dataclass(f"Data{depth}", fields, slots=choose([True, False]))
    if choose([True, False]):
        cls = pydantic.dataclasses.dataclass(cls)
    return _record(cls, parts, True)


def typed_dict(choose: Choose, depth: int) -> Kind:
    """Draw a TypedDict, some keys of which may be absent."""
    drawn = _parts(choose, depth, aliases=False)
    parts = [dataclasses.replace(part, plain=True) for part in drawn]
    annotations = {
        part.name: NotRequired[part.kind.annotation] if part.optional else part.kind.annotation
        for part in parts
    }
    return _record(TypedDict(f"Row{depth}", annotations), parts, True)


def _parts(choose: Choose, depth: int, *, aliases: bool) -> list[Part]:
    parts = []
    for name in NAMES[: choose(range(5))]:
        kind = random_kind(choose, depth - 1)
        style = choose(["", "", "", "alias", "read", "write", "choices", "path"]) if aliases else ""
        options, read, write = _alias(style, name)
        default = choose(["", "", "", "none", "value", "list", "factory"])
        if default == "none" and not kind.seen:
            default = ""  # a wrong default that a union with a custom member can't be told from
        options |= _default(choose, default, kind, aliases=aliases)
        if aliases and choose(range(12)) == 0:
            options["exclude"], write = True, None
        annotated = Field(**options) if aliases else _plain_field(options)
        plain = default == "list" or (default != "factory" and (aliases or default != "value"))
        in_core = kind.in_core and style not in ("choices", "path")
        parts.append(Part(name, kind, read, write, annotated, bool(default), plain, in_core))
    return parts


def _alias(style: str, name: str) -> tuple[dict[str, Any], str, str | None]:
    """Options of the field, the key it is read by, the key it is written under."""
    match style:
        case "alias":
            return {"alias": f"{name}-both"}, f"{name}-both", f"{name}-both"
        case "read":
            return {"validation_alias": f"{name}In"}, f"{name}In", name
        case "write":
            return {"serialization_alias": f"{name}Out"}, name, f"{name}Out"
        case "choices":
            return {"validation_alias": AliasChoices(f"{name}1", name)}, f"{name}1", name
        case "path":
            return {"validation_alias": AliasPath(f"{name}Path")}, f"{name}Path", name
        case _:
            return {}, name, name


def _default(choose: Choose, default: str, kind: Kind, *, aliases: bool) -> dict[str, Any]:
    match default:
        case "none":
            return {"default": None}
        case "value":
            made = kind.make(Making(choose, "exact"), None)
            return {"default": made} if aliases else {"default_factory": lambda: made}
        case "list":
            return {"default_factory": list}
        case "factory":
            return {
                "default_factory": lambda: kind.make(Making(lambda some: some[0], "exact"), None)
            }
        case _:
            return {}


def _plain_field(options: dict[str, Any]) -> Any:
    return dataclasses.field(**options)


def _model_of(name: str, parts: Sequence[Part], base: type[BaseModel], config: ConfigDict) -> Any:
    fields: dict[str, Any] = {part.name: (part.kind.annotation, part.field) for part in parts}
    named = type(f"{base.__name__}Base", (base,), {"model_config": config, "__module__": __name__})
    return create_model(name, __base__=named, **fields)


def _record(cls: Any, parts: Sequence[Part], in_core: bool) -> Kind:
    seen = all(part.kind.seen for part in parts) and in_core
    exact = in_core and all(part.in_core for part in parts)

    def make(making: Making, path: str | None) -> Any:
        return Carrier(cls, parts, making).make(path)

    def view(making: Making) -> Any:
        if making.seldom():
            same_names = all(part.read == part.write for part in parts)
            making.as_it_is = making.as_it_is or not exact or not same_names
            return cls
        return slice_of(making, parts)

    return Kind(cls, make, exact, view, seen)


def slice_of(making: Making, parts: Sequence[Part], name: str = "Slice", **more: Any) -> Any:
    """Draw a slice type of a record: a model or a TypedDict of some of what it writes."""
    kept = [part for part in parts if part.write and making.choose([True, True, False])]
    if not more and making.seldom(times_of_ten=3):
        required = {part.write: part.kind.view(making) for part in kept if not part.optional}
        return TypedDict(
            name, required | {p.write: NotRequired[p.kind.view(making)] for p in kept if p.optional}
        )
    fields: dict[str, Any] = dict(more)
    for index, part in enumerate(kept):
        options: dict[str, Any] = {"alias": part.write}
        if making.seldom(times_of_ten=1):
            options["default"] = None
        fields[f"kept_{index}"] = (part.kind.view(making), Field(**options))
    if making.choose(range(25)) == 0:
        fields["unheard_of"] = (int, ...)
    config = making.choose([ConfigDict(), ConfigDict(), ConfigDict(extra="forbid")])
    return create_model(name, __config__=config, **fields)


@dataclasses.dataclass
class Carrier:
    """Makes one value of a record, carried by one of the things that handlers return."""

    cls: Any
    parts: Sequence[Part]
    making: Making

    def make(self, path: str | None) -> Any:
        making = self.making
        if making.mood == "exact":
            return self._dict(path)
        carrier = making.choose(["dict"] * 6 + ["instance"] * 3 + ["proxy", "object", "junk"])
        if carrier == "dict":
            return self._shaken(self._dict(path), path)
        if carrier == "junk":
            return making.choose(ANYTHING) if making.mood == "wild" else self._dict(path)
        if carrier == "proxy":
            return MappingProxyType(self._dict(path))
        if not isinstance(self.cls, type) or issubclass(self.cls, dict):
            return self._dict(path)
        given = self._dict(None)
        if carrier == "object":
            return SimpleNamespace(**given)
        return self._instance(given)

    def _dict(self, path: str | None) -> dict[str, Any]:
        making = self.making
        made = {}
        for part in self.parts:
            if part.optional and making.seldom() and (part.plain or making.mood != "exact"):
                continue
            if making.mood == "wild" and making.choose(range(25)) == 0:
                continue
            below = None if path is None else f"{path}.{part.read}".removeprefix(".")
            made[part.read] = part.kind.make(making, below)
        return made

    def _shaken(self, made: dict[str, Any], path: str | None) -> dict[str, Any]:
        making = self.making
        if making.seldom(times_of_ten=3):
            made = dict(reversed(made.items()))
        if making.seldom(times_of_ten=3):
            for name in making.choose([["note"], ["note", "größer"]]):
                made[name] = making.choose(ANYTHING)
                if path is not None:
                    making.undeclared.append(f"{path}.{name}".removeprefix("."))
        return made

    def _instance(self, given: dict[str, Any]) -> Any:
        making = self.making
        if dataclasses.is_dataclass(self.cls):
            making.tainted = making.tainted or making.mood != "exact"
            try:
                return self.cls(**given)
            except (ValidationError, TypeError):
                return given
        cls = self.cls
        if making.seldom():
            cls = create_model("Sub", __base__=cls, more=(int, 1))
        if making.choose(range(8)) == 0:
            making.tainted = True
            names = {part.read: part.name for part in self.parts}
            return cls.model_construct(None, **{names[key]: item for key, item in given.items()})
        try:
            made = cls.model_validate(given)
        except (ValidationError, AttributeError):
            making.tainted = True  # what is undeclared in it wasn't noted
            return given
        if self.parts and making.seldom():
            making.tainted = True
            name = making.choose(self.parts).name
            made.__dict__.pop(name, None)
            if making.choose(range(8)):
                made.__dict__[name] = making.choose(ANYTHING)
        return made


MAKERS += [model, model, model, dataclass, typed_dict]
