"""The node table that the Rust core compiles an answer plan from, and the table of what is kept.

A table is plain data: tuples that name their children by index, so that a recursive type is an
index that points back. `docs/plan.md` has the meaning of each node; `rust/plan/node.rs` reads them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from .fit import same_shape
from .iterators import read_once_at_most
from .law import AnswerError, Law
from .shape import (
    Anything,
    Array,
    CoreSchema,
    Custom,
    Dictionary,
    Field,
    Leaf,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    Union,
    unwrap,
)

__all__ = ["KeepTable", "PlanTable", "Pruner", "keep_table", "plan_table"]

Node: TypeAlias = tuple[Any, ...]
KeepTable: TypeAlias = tuple[list[Node], int]
PlanTable: TypeAlias = tuple[list[Node], int]
Pruner: TypeAlias = Callable[[bytes], bytes]
MakePruner: TypeAlias = Callable[[KeepTable], Pruner]

PLAIN_FACTORIES: tuple[Any, ...] = (list, dict, set, str, int, tuple, frozenset, bool, float)


def plan_table(
    core: CoreSchema, full: Shape, view: Shape | None, make_pruner: MakePruner, law: Law
) -> PlanTable:
    """Build the table of an answer of `full`, cut to `view` where one is given.

    Args:
        core: the complete core schema that `full` was read from.
        full: the shape of the full answer.
        view: the shape of the slice; None keeps everything.
        make_pruner: compiles a keep table; what only pydantic can run is pruned by it.
        law: the law of the whole of `full`.
    """
    definitions = tuple(core["definitions"]) if core["type"] == "definitions" else ()
    builder = _PlanBuilder(definitions, make_pruner, full, law)
    root = builder.index(full, view)
    return builder.nodes, root


def keep_table(full: Shape | None, view: Shape) -> KeepTable:
    """Build the table of what a slice keeps of a JSON text.

    Args:
        full: the shape of the text, where it is known; a place where both are one type is kept
            whole.
        view: the shape of the slice.
    """
    builder = _KeepBuilder()
    root = builder.index(full, view)
    return builder.nodes, root


class _PlanBuilder:
    def __init__(
        self,
        definitions: tuple[CoreSchema, ...],
        make_pruner: MakePruner,
        root: Shape,
        law_of_root: Law,
    ) -> None:
        self._root, self._law_of_root = root, law_of_root
        self.nodes: list[Node] = []
        self._definitions = definitions
        self._make_pruner = make_pruner
        self._made: dict[tuple[int, int | None], int] = {}
        self._alive: list[Shape | None] = []  # keeps ids from being used again

    def index(self, full: Shape, view: Shape | None) -> int:
        """The place in the table of `full` cut to `view`, building it if it is new."""
        if view is not None and (isinstance(view, Anything) or same_shape(full, view)):
            view = None
        key = (id(full), None if view is None else id(view))
        if key not in self._made:
            self._made[key] = len(self.nodes)
            self._alive += [full, view]
            self.nodes.append(())
            self.nodes[self._made[key]] = self._node(full, view)
        return self._made[key]

    def _node(self, full: Shape, view: Shape | None) -> Node:
        inner = unwrap(view) if view is not None else None
        inner = inner.inner if isinstance(inner, Nullable) else inner
        inner = unwrap(inner) if inner is not None else None
        match full, inner:
            case Leaf(), _:
                return self._leaf(full) or self._opaque(full, view)
            case Nullable(), _:
                return ("nullable", self.index(full.inner, inner))
            case Array(kind="list" | "tuple"), None | Array():
                kind = "list" if full.kind == "list" else "tuple_of"
                item = self.index(full.item, inner.item if inner else None)
                return (kind, item, full.min_length, full.max_length)
            case Tuple(), None:
                return ("tuple", [self.index(item, None) for item in full.items])
            case Tuple(), Tuple() if len(inner.items) == len(full.items):
                pairs = zip(full.items, inner.items, strict=True)
                return ("tuple", [self.index(one, other) for one, other in pairs])
            case Dictionary(), None | Dictionary() if _plain_text(full.key):
                value = self.index(full.value, inner.value if inner else None)
                return ("dict", value, full.min_length, full.max_length)
            case Record(custom=None), None | Record():
                return self._record(full, inner)
            case Tagged(), None | Record():
                return self._tagged(full, inner) or self._opaque(full, view)
            case Tagged(), Tagged():
                return self._tagged(full, inner) or self._opaque(full, view)
            case Union(), None:
                return self._scalars(full) or self._opaque(full, view)
            case _:
                return self._opaque(full, view)

    def _leaf(self, leaf: Leaf) -> Node | None:
        options, fallback = leaf.options, self._law(leaf.core)
        match leaf.kind:
            case "none":
                return ("none",)
            case "int":
                return ("int", *(options.get(key) for key in BOUNDS), fallback)
            case "float":
                bounds = [_float_bound(options.get(key)) for key in BOUNDS]
                return ("float", *bounds, fallback)
            case "str":
                return ("str", options.get("min_length", 0), options.get("max_length"), fallback)
            case "datetime":
                return ("datetime", options.get("tz_constraint"), fallback)
            case "literal":
                expected = options["expected"]
                plain = all(type(value) in (str, int, bool, type(None)) for value in expected)
                return ("literal", list(expected), fallback) if plain else None
            case "enum":
                written = self._enum(leaf)
                return ("enum", options["cls"], written, fallback) if written else None
            case _:
                return (leaf.kind, fallback)

    def _enum(self, leaf: Leaf) -> list[tuple[Any, bytes]] | None:
        law = Law(leaf.core)
        try:
            return [(member, law.dump(member)) for member in leaf.options["members"]]
        except AnswerError:
            return None

    def _record(self, full: Record, view: Record | None) -> Node:
        kept = None if view is None else {item.write_name: item.shape for item in view.fields}
        fields: list[Any] = []
        for item in full.fields:
            name = item.write_name
            wanted = name is not None and (kept is None or name in kept)
            inner = kept[name] if wanted and kept is not None else None
            child = self.index(item.shape, inner)
            absent = self._absent(item, full)
            if inner is not None and isinstance(absent, bytes):
                absent = self._make_pruner(keep_table(item.shape, inner))(absent)
            written = item.attribute if name is None else name
            fields.append((item.attribute, item.read_names, written, child, absent, wanted))
        cls = None if full.carrier == "typed_dict" else full.cls
        return ("record", full.carrier, cls, fields, full.extra)

    def _absent(self, item: Field, record: Record) -> str | bytes:
        """What a dict without the field answers with: a word, or the default's JSON."""
        if item.default is None:
            return "required" if item.required else "skip"
        default = item.default
        if "default" in default:
            value = default["default"]
        elif default["default_factory"] in PLAIN_FACTORIES:
            value = default["default_factory"]()
        else:
            return "bail"  # a factory of the user's runs once for each answer, or not at all
        if item.write_name is None:
            return b"null"  # never written, so never wrong
        try:
            return Law(default["schema"], self._definitions).dump(value)
        except (AnswerError, KeyError):
            return "bail"

    def _tagged(self, full: Tagged, view: Shape | None) -> Node | None:
        if len(full.read_names) != 1:
            return None  # which of its names a dict is read by depends on the dict
        choices: dict[str, int] = {}
        names: set[tuple[str, str]] = set()
        for tag, choice in full.choices.items():
            if not isinstance(choice, Record) or choice.custom or choice.carrier == "typed_dict":
                return None
            inner = view.choices.get(tag) if isinstance(view, Tagged) else view
            if isinstance(view, Tagged) and inner is None:
                return None
            choices[tag] = self.index(choice, inner)
            names.update(
                (item.read_names[0], item.attribute)
                for item in choice.fields
                if full.read_names == item.read_names
            )
        if len(names) != 1:
            return None
        read_key, attribute = names.pop()
        return ("tagged", read_key, attribute, choices)

    def _scalars(self, full: Union) -> Node | None:
        kinds = [member.kind for member in full.members if isinstance(member, Leaf)]
        plain = all(isinstance(member, Leaf) and not member.options for member in full.members)
        if not plain or len(set(kinds)) != len(kinds) or not set(kinds) <= _SMART_LEAVES:
            return None
        return ("scalars", [self.index(member, None) for member in full.members])

    def _opaque(self, full: Shape, view: Shape | None) -> Node:
        law = self._law_of_root if full is self._root else self._law(full.core)
        ask, write = (read_once_at_most(full.core, run) for run in (law, law.dump))
        if view is None:
            return ("opaque", ask, write)
        prune = self._make_pruner(keep_table(full, view))
        return ("opaque", _pruned(ask, prune), _pruned(write, prune))

    def _law(self, core: CoreSchema) -> Law:
        return Law(core, self._definitions)


def _pruned(run: Callable[[object], bytes | None], prune: Pruner) -> Callable[[object], Any]:
    def ask(value: object) -> bytes | None:
        written = run(value)
        return None if written is None else prune(written)

    return ask


BOUNDS = ("ge", "gt", "le", "lt")


def _float_bound(bound: float | None) -> float | None:
    """A float's bound may be declared as an integer; no float lies between that and its float."""
    return None if bound is None else float(bound)


# Leaves whose exact Python type decides a smart union on the spot.
_SMART_LEAVES = frozenset({"none", "bool", "int", "float", "str"})


def _plain_text(key: Shape) -> bool:
    return isinstance(key, Leaf) and key.kind == "str" and not key.options


class _KeepBuilder:
    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self._made: dict[tuple[int, int], int] = {}

    def index(self, full: Shape | None, view: Shape) -> int:
        key = (id(full), id(view))
        if key not in self._made:
            self._made[key] = len(self.nodes)
            self.nodes.append(())
            self.nodes[self._made[key]] = self._node(full, view)
        return self._made[key]

    def _node(self, full: Shape | None, view: Shape) -> Node:
        if full is not None and same_shape(full, view):
            return ("all",)
        full = unwrap(full) if full is not None else None
        view = unwrap(view)
        if isinstance(full, Nullable):
            full = unwrap(full.inner)
        match view:
            case Nullable():
                return self._node(full, view.inner)
            case Array():
                return (
                    "array",
                    self.index(full.item if isinstance(full, Array) else None, view.item),
                )
            case Tuple():
                places = full.items if isinstance(full, Tuple) else (None,) * len(view.items)
                if len(places) != len(view.items):
                    places = (None,) * len(view.items)
                pairs = zip(places, view.items, strict=True)
                return ("tuple", [self.index(one, other) for one, other in pairs], None)
            case Dictionary():
                value = full.value if isinstance(full, Dictionary) else None
                return ("object", {}, self.index(value, view.value))
            case Record():
                known = {item.write_name: item.shape for item in _fields(full)}
                kept = {
                    item.write_name: self.index(known.get(item.write_name), item.shape)
                    for item in view.fields
                    if item.write_name is not None
                }
                return ("object", kept, None)
            case Tagged():
                choices: Mapping[str, Shape] = full.choices if isinstance(full, Tagged) else {}
                tags = {tag: self.index(choices.get(tag), one) for tag, one in view.choices.items()}
                key = view.write_name
                return ("all",) if key is None else ("tagged", key, tags)
            case Leaf() | Anything() | Union() | Custom():
                return ("all",)


def _fields(full: Shape | None) -> list[Field]:
    return full.fields if isinstance(full, Record) else []
