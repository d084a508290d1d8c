"""From a type's core schema to a strategy of its values.

`schema.shape` tells what the answer plan must know and calls the rest custom. Here the rest
matters: alias paths, the structure under a serializer, what a validator is wrapped around. So this
walks the core schema itself; a kind of schema that isn't in `KINDS` is refused by name.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportPrivateUsage=false
# Core schemas are walked here, and what `isinstance` finds in them stays unknown;
# the table of kinds names the methods of the class above it.

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from hypothesis import strategies as st

from ..errors import DeclarationError
from ..schema.part import Part
from ..schema.shape import CoreSchema
from ..schema.spelling import FUNCTIONS
from .collection import arrays, mappings, named_tuples, tuples
from .cycle import loops
from .known import known_function, known_instance
from .override import Overrides
from .place import Place
from .record import asks_for_record, fields_of, records
from .scalar import LEAVES, anything
from .sieve import Sieve, Values, fits_copy, fits_or_not

__all__ = ["Builder"]

# Options of a leaf that say nothing about which values it takes.
SILENT = frozenset({"type", "metadata", "ref", "serialization", "strict", "cls", "members"})
REMEDY = "give the type or the field a strategy in `overrides=`."


class Builder:
    """One walk over one type.

    Args:
        core: the complete core schema.
        name: how messages name the type.
        overrides: strategies of the caller's own.
        private: names of fields whose values should be recognisable wherever they turn up.

    Attributes:
        sieves: what the strategies are sifted by, in the order of the walk.
    """

    def __init__(
        self,
        core: CoreSchema,
        name: str,
        overrides: Overrides,
        private: frozenset[str] = frozenset(),
    ) -> None:
        self.sieves: list[Sieve] = []
        self._core = core
        self._name = name
        self._overrides = overrides
        self._private = private
        listed = core["definitions"] if core["type"] == "definitions" else ()
        self._definitions: dict[str, CoreSchema] = {item["ref"]: item for item in listed}
        self._loops = frozenset(loops(self._definitions))
        self._made: dict[tuple[int, Place], Values] = {}
        self._alive: list[CoreSchema] = []  # keeps ids from being used again

    def root(self, place: Place) -> Values:
        """Build the strategy of the whole type; every value has passed its validation."""
        start = replace(place, pending=self._overrides.paths)
        inner = self._core["schema"] if self._core["type"] == "definitions" else self._core
        return self._sifted(self._core, self.build(inner, start), start, f"`{self._name}`")

    def build(self, core: CoreSchema, place: Place) -> Values:
        """Build the strategy of one schema; equal places share one."""
        key = (id(core), place)
        if key not in self._made:
            self._alive.append(core)
            self._made[key] = self._build(core, place)
        return self._made[key]

    def _build(self, core: CoreSchema, place: Place) -> Values:
        overridden = self._overrides.find(core, place)
        if overridden is not None:
            return overridden
        kind: str = core["type"]
        if kind in LEAVES:
            return self._leaf(core, place)
        maker = KINDS.get(kind)
        if maker is None:
            raise DeclarationError(
                f"No strategy is known for the schema type `{kind}` in `{self._name}`; {REMEDY}"
            )
        return maker(self, core, place)

    def _sifted(
        self,
        core: CoreSchema,
        values: Values,
        place: Place,
        what: str,
        *,
        guessed: bool = False,
    ) -> Values:
        """Keep what pydantic accepts for a schema."""
        part = Part(core, [*self._definitions.values()])
        fits = part.fits_json if place.form == "json" else fits_copy(part)
        sieve = Sieve(values, fits_or_not(fits) if guessed else fits, what, REMEDY)
        self.sieves.append(sieve)
        return sieve.strategy

    # --- scalars ------------------------------------------------------------------------------

    def _leaf(self, core: CoreSchema, place: Place) -> Values:
        options = place.options(core)
        values = LEAVES[core["type"]](options, place)
        constrained = set(options) - SILENT - {"val_json_bytes", "allow_inf_nan", "expected"}
        if not constrained or core["type"] == "bytes":
            return values
        whole = {key: item for key, item in options.items() if key != "val_json_bytes"}
        return self._sifted(whole, values, place, f"a constrained `{core['type']}`")

    def _anything(self, _core: CoreSchema, place: Place) -> Values:
        return anything(place)

    def _instance(self, core: CoreSchema, place: Place) -> Values:
        cls = core["cls"]
        known = known_instance(cls, place)
        if known is not None:
            return known
        return st.nothing() if place.form == "json" else st.from_type(cls)

    def _subclass(self, core: CoreSchema, place: Place) -> Values:
        return st.nothing() if place.form == "json" else st.just(core["cls"])

    def _callable(self, _core: CoreSchema, place: Place) -> Values:
        return st.nothing() if place.form == "json" else st.just(repr)

    # --- structure ----------------------------------------------------------------------------

    def _reference(self, core: CoreSchema, place: Place) -> Values:
        inside: Place | None = place
        if core["schema_ref"] in self._loops:
            inside = place.enter_recursion()
        if inside is None:
            return st.nothing()
        return self.build(self._definitions[core["schema_ref"]], inside)

    def _nullable(self, core: CoreSchema, place: Place) -> Values:
        return st.none() | self.build(core["schema"], place)

    def _inner(self, core: CoreSchema, place: Place) -> Values:
        return self.build(core["schema"], place)

    def _array(self, core: CoreSchema, place: Place) -> Values:
        values = arrays(self.build, core, place)
        unsure = core["type"] in ("set", "frozenset") and core.get("min_length")
        return self._sifted(core, values, place, "a set") if unsure else values

    def _tuple(self, core: CoreSchema, place: Place) -> Values:
        return tuples(self.build, core, place)

    def _named_tuple(self, core: CoreSchema, place: Place) -> Values:
        return named_tuples(self.build, core, place)

    def _mapping(self, core: CoreSchema, place: Place) -> Values:
        values = mappings(self.build, core, place)
        if core.get("keys_schema", {}).get("type") == "str":
            return values
        return self._sifted(core, values, place, "a mapping")

    def _union(self, core: CoreSchema, place: Place) -> Values:
        choices = [item[0] if isinstance(item, tuple) else item for item in core["choices"]]
        made = [
            self.build(choice, place)
            for choice in choices
            if not self._is_only_recognised(choice, place) or len(choices) == 1
        ]
        return st.one_of(made)

    def _is_only_recognised(self, core: CoreSchema, place: Place) -> bool:
        """Whether a schema takes only instances of a class that nobody knows how to make."""
        core = _branch(core, place)
        return core["type"] == "is-instance" and known_instance(core["cls"], place) is None

    def _tagged(self, core: CoreSchema, place: Place) -> Values:
        discriminator = core["discriminator"]
        simple = isinstance(discriminator, str)
        paths = discriminator if isinstance(discriminator, list) else []
        tags = {discriminator} if simple else {path[0] for path in paths}
        choices = core["choices"]
        distinct = {
            id(choice): choice for choice in choices.values() if isinstance(choice, Mapping)
        }
        inside = place.with_tags(tags)
        values = st.one_of([self.build(choice, inside) for choice in distinct.values()])
        if simple:
            return values
        # A function that chooses the member may not expect that its tag is left out.
        return self._sifted(core, values, place, "a discriminated union", guessed=True)

    def _record(self, core: CoreSchema, place: Place) -> Values:
        if core.get("root_model"):
            return self._with_instances(core, self.build(core["schema"], place), place)
        if fields_of(core) is None:
            return self._guessed(core, place)
        values = records(self.build, core, place, self._private)
        if asks_for_record(core):
            values = self._sifted(core, values, place, f"`{core['cls'].__name__}`")
        return self._with_instances(core, values, place)

    def _with_instances(self, core: CoreSchema, values: Values, place: Place) -> Values:
        if place.form == "json" or core["type"] == "typed-dict":
            return values
        instances = values.map(Part(core, [*self._definitions.values()]).make)
        strict = core.get("strict", core.get("config", {}).get("strict"))
        return instances if strict or place.instances else values | instances

    # --- wrappers -----------------------------------------------------------------------------

    def _function(self, core: CoreSchema, place: Place) -> Values:
        known = known_function(core["function"].get("function"), place)
        values = self.build(core["schema"], place) if known is None else known
        if core["function"]["type"] == "with-info" and place.in_record:
            return values  # the record's own sieve decides, which knows the other fields
        return self._sifted(core, values, place, f"a validated part of `{self._name}`")

    def _guessed(self, core: CoreSchema, place: Place) -> Values:
        """What a validator of its own may take: anybody's guess, and the validator's word."""
        known = known_function(core.get("function", {}).get("function"), place)
        hint = core.get("metadata", {}).get("pydantic_js_input_core_schema")
        if known is not None:
            values = known
        elif hint is not None:
            values = self.build(hint, place)
        else:
            values = anything(place)
        what = f"a validator of its own in `{self._name}`"
        return self._sifted(core, values, place, what, guessed=known is None)

    def _lax_or_strict(self, core: CoreSchema, place: Place) -> Values:
        recognised = _branch(core["strict_schema"], replace(place, form="python"))
        if recognised["type"] == "is-instance":
            known = known_instance(recognised["cls"], place)
            if known is not None:
                return known
        return self.build(core["lax_schema"], place)

    def _branched(self, core: CoreSchema, place: Place) -> Values:
        return self.build(_branch(core, place), place)

    def _chain(self, core: CoreSchema, place: Place) -> Values:
        steps = list(core["steps"])
        while len(steps) > 1 and steps[0]["type"] in ("is-instance", "any"):
            steps.pop(0)
        return self._sifted(core, self.build(steps[0], place), place, "a chain of validators")

    def _json_text(self, core: CoreSchema, place: Place) -> Values:
        inner = self.build(core.get("schema", {"type": "any"}), replace(place, form="json"))
        return inner.map(json.dumps)


Maker: TypeAlias = Callable[[Builder, CoreSchema, Place], Values]
KINDS: Mapping[str, Maker] = {
    "any": Builder._anything,
    "is-instance": Builder._instance,
    "is-subclass": Builder._subclass,
    "callable": Builder._callable,
    "definition-ref": Builder._reference,
    "nullable": Builder._nullable,
    "default": Builder._inner,
    "custom-error": Builder._inner,
    "model-field": Builder._inner,
    **dict.fromkeys(["list", "set", "frozenset", "deque", "generator"], Builder._array),
    "tuple": Builder._tuple,
    "named-tuple": Builder._named_tuple,
    **dict.fromkeys(["dict", "ordered-dict", "counter"], Builder._mapping),
    "union": Builder._union,
    "tagged-union": Builder._tagged,
    **dict.fromkeys(["model", "dataclass", "typed-dict"], Builder._record),
    **dict.fromkeys([kind for kind in FUNCTIONS if kind != "function-plain"], Builder._function),
    "function-plain": Builder._guessed,
    "lax-or-strict": Builder._lax_or_strict,
    "json-or-python": Builder._branched,
    "chain": Builder._chain,
    "json": Builder._json_text,
}


def _branch(core: CoreSchema, place: Place) -> CoreSchema:
    while core["type"] == "json-or-python":
        core = core["json_schema" if place.form == "json" else "python_schema"]
    return core
