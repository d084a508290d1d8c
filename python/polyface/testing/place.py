"""Where a strategy is being built: what its surroundings ask of the values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

__all__ = ["Form", "Place"]

Form: TypeAlias = Literal["python", "json"]
Steps: TypeAlias = tuple[str, ...]

# Config of a record that its leaves obey → the leaf's own option.
LEAF_CONFIG: Mapping[str, str] = {
    "allow_inf_nan": "allow_inf_nan",
    "str_max_length": "max_length",
    "str_min_length": "min_length",
    "str_strip_whitespace": "strip_whitespace",
    "str_to_lower": "to_lower",
    "str_to_upper": "to_upper",
    "val_json_bytes": "val_json_bytes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A place in the type. Places that are equal build equal strategies, so it is a key.

    Args:
        form: Python values or JSON values.
        finite: whether NaN and infinities stay out, because no JSON answer can hold them.
        reserved: keys that data may not have, because they are looked for as names of fields.
        nesting: how many collections are around it; the more, the smaller the next one.
        budget: how many more times a recursive type may be entered.
        config: what the nearest record's config says about leaves.
        instances: whether a record must be an instance, because a mapping couldn't be hashed.
        in_record: whether a validator around it may ask for the record that it is in.
        private: whether scalars should be recognisable wherever they turn up.
        tags: discriminators that must be present in the record here.
        pending: overrides that are declared for this place or below: their steps and their index.
    """

    form: Form
    finite: bool = False
    reserved: frozenset[str] = frozenset()
    nesting: int = 0
    budget: int = 4
    config: tuple[tuple[str, Any], ...] = ()
    instances: bool = False
    in_record: bool = False
    private: bool = False
    tags: frozenset[str] = frozenset()
    pending: tuple[tuple[Steps, int], ...] = ()

    def step(self, *names: str) -> Place:
        """Go one step down, along any of the names that the step may be called by."""
        pending = tuple(
            (steps[1:], index) for steps, index in self.pending if steps and steps[0] in names
        )
        return replace(self, pending=pending, tags=frozenset())

    def enter_collection(self, *names: str) -> Place:
        """Go into a collection's items."""
        return replace(self.step(*names), nesting=min(self.nesting + 1, 3))

    def enter_recursion(self) -> Place | None:
        """Enter a recursive type once more; None when it has been entered often enough."""
        return replace(self, budget=self.budget - 1) if self.budget else None

    def with_config(self, config: Mapping[str, Any] | None) -> Place:
        """Take over a record's config, in place of the one around it."""
        if config is None:
            return self
        kept = {own: config[name] for name, own in LEAF_CONFIG.items() if name in config}
        return replace(self, config=tuple(sorted(kept.items())))

    def with_tags(self, tags: Iterable[str]) -> Place:
        """Ask the record here for more discriminators."""
        return replace(self, tags=self.tags | frozenset(tags))

    def options(self, core: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options of a leaf: its own, and those that the record's config gives it."""
        return {**dict(self.config), **core}

    @property
    def spread(self) -> int:
        """How many items more than its least a collection here may have."""
        return (8, 4, 2, 1)[self.nesting]
