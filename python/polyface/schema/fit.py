"""Whether every valid full answer, cut to what a slice declares, is an answer of the slice.

Python's checkers can't prove it, so it is proved when the view is declared. Each place gets one of
three verdicts: it fits; it is *refused*, because some full answer doesn't fit; or it is *undecided*
(a validator of the user's, say), and then the slice is checked on each call.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Literal

from .counterexample import tried
from .implication import bounds_fit, leaf_fits
from .shape import (
    Anything,
    Array,
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
    shape_text,
)

__all__ = ["Finding", "fit", "same_shape"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One place of a slice that isn't proved.

    Args:
        verdict: `refused` or `undecided`.
        path: the place, as `[].address.city`; empty for the whole answer.
        reason: one clause, with both types where there are two.
    """

    verdict: Literal["refused", "undecided"]
    path: str
    reason: str

    def __str__(self) -> str:
        """Write it as a line of a report."""
        return f"`{self.path}`: {self.reason}" if self.path else self.reason


def fit(full: Shape, view: Shape) -> tuple[Finding, ...]:
    """Prove that every full answer fits the slice; return what couldn't be proved, in order.

    An empty result is a proof. Cost: one walk over both, at declaration.
    """
    return tuple(_Walk().visit(full, view, ""))


def same_shape(full: Shape, view: Shape) -> bool:
    """Whether both are one and the same type, so that what the full schema checked stands."""
    if full is view:
        return True
    if isinstance(full, Record) and isinstance(view, Record):
        same = full.carrier == view.carrier and full.cls is view.cls
        # A TypedDict and a plain dataclass take over the config of the model around them.
        return same and _same(full.core.get("config"), view.core.get("config"))
    if isinstance(full, Record) or isinstance(view, Record):
        return False
    return type(full) is type(view) and _same(full.core, view.core)


def _same(one: object, other: object) -> bool:
    """Whether two parts of core schemas say the same; metadata and titles say nothing here."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        keys = (one.keys() | other.keys()) - {"metadata", "title"}
        return all(key in one and key in other and _same(one[key], other[key]) for key in keys)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, FunctionType) and isinstance(other, FunctionType):
        # Pydantic makes some functions anew for each schema; the same code over the same values is
        # one.
        cells = [[cell.cell_contents for cell in f.__closure__ or ()] for f in (one, other)]
        settings = [(f.__code__, f.__defaults__, f.__kwdefaults__) for f in (one, other)]
        return one is other or (settings[0] == settings[1] and cells[0] == cells[1])
    return type(one) is type(other) and bool(one == other)


class _Walk:
    """One proof.

    Pairs of records already being compared are assumed to fit, as induction allows.
    """

    def __init__(self) -> None:
        self._met: set[tuple[int, int]] = set()

    def visit(self, full: Shape, view: Shape, path: str) -> Iterator[Finding]:
        if same_shape(full, view) or isinstance(view, Anything):
            return
        if (id(full), id(view)) in self._met:
            return
        self._met.add((id(full), id(view)))
        match full, view:
            case _, Custom():
                yield from self._custom_view(full, view, path)
            case Custom(), _:
                yield Finding("undecided", path, f"{full.reason} may change `{shape_text(full)}`")
                if full.inner is not None:
                    yield from self._only_refused_fields(full.inner, view, path)
            case Nullable(), Nullable():
                yield from self.visit(full.inner, view.inner, path)
            case _, Nullable():
                if not (isinstance(full, Leaf) and full.kind == "none"):
                    yield from self.visit(full, view.inner, path)
            case Union(), _:
                for member in full.members:
                    yield from self.visit(member, view, path)
            case _, Union():
                yield from self._union_view(full, view, path)
            case Leaf(), Leaf():
                if not leaf_fits(full, view):
                    yield from self._tried(full, view, path)
            case Array(), Array():
                yield from self._array(full, view, path)
            case Tuple(), Tuple() if len(full.items) == len(view.items):
                for index, (one, other) in enumerate(zip(full.items, view.items, strict=True)):
                    yield from self.visit(one, other, f"{path}[{index}]")
            case Tuple(), Array(kind="list" | "tuple") if _length_fits(full, view):
                for index, one in enumerate(full.items):
                    yield from self.visit(one, view.item, f"{path}[{index}]")
            case Dictionary(), Dictionary():
                yield from self._dictionary(full, view, path)
            case Record(), Record():
                yield from self._record(full, view, path)
            case Tagged(), Tagged():
                yield from self._tagged(full, view, path)
            case Tagged(), Record():
                for choice in full.choices.values():
                    yield from self.visit(choice, view, path)
            case _:
                yield _refused(full, view, path)

    def _custom_view(self, full: Shape, view: Custom, path: str) -> Iterator[Finding]:
        if "serializer" in view.reason:
            yield Finding(
                "refused", path, f"`{shape_text(view)}` has {view.reason}; use `project=`"
            )
            return
        yield Finding("undecided", path, f"`{shape_text(view)}` has {view.reason}")
        if view.inner is not None:
            yield from self._only_refused_fields(full, view.inner, path)

    def _only_refused_fields(self, full: Shape, view: Shape, path: str) -> Iterator[Finding]:
        """Below something undecided, a field that doesn't exist is still refused."""
        for finding in self.visit(full, view, path):
            if finding.verdict == "refused" and "has no" not in finding.reason:
                yield Finding("undecided", finding.path, finding.reason)
            else:
                yield finding

    def _union_view(self, full: Shape, view: Union, path: str) -> Iterator[Finding]:
        if any(isinstance(member, Record) for member in view.members):
            reason = f"which keys of `{shape_text(view)}` are kept can't be told; use `project=`"
            yield Finding("refused", path, reason)
        elif any(same_shape(full, member) for member in view.members):
            return
        elif any(self._may_fit(full, member, path) for member in view.members):
            yield Finding("undecided", path, f"`{shape_text(full)}` in `{shape_text(view)}`")
        elif isinstance(full, Leaf) and all(isinstance(one, Leaf) for one in view.members):
            yield from self._tried(full, view, path)
        else:
            yield _refused(full, view, path)

    def _may_fit(self, full: Shape, view: Shape, path: str) -> bool:
        return all(finding.verdict != "refused" for finding in self.visit(full, view, path))

    def _tried(self, full: Leaf, view: Leaf | Union, path: str) -> Iterator[Finding]:
        """What no rule proves is tried: what is refused has a value that shows why."""
        match tried(full, view):
            case "refused":
                yield _refused(full, view, path)
            case "undecided":
                reason = f"`{shape_text(full)}` in `{shape_text(view)}`"
                yield Finding("undecided", path, reason)
            case "fits":
                return

    def _array(self, full: Array, view: Array, path: str) -> Iterator[Finding]:
        unique = {"set", "frozenset"}
        if view.kind in unique and full.kind not in unique:
            yield Finding("undecided", path, f"`{shape_text(full)}` may repeat an item")
        if not bounds_fit((full.min_length, full.max_length), (view.min_length, view.max_length)):
            yield Finding("refused", path, "a list of a length that the slice doesn't take")
        yield from self.visit(full.item, view.item, f"{path}[]")

    def _dictionary(self, full: Dictionary, view: Dictionary, path: str) -> Iterator[Finding]:
        lengths = (full.min_length, full.max_length), (view.min_length, view.max_length)
        if not bounds_fit(*lengths):
            yield Finding("refused", path, "an object of a size that the slice doesn't take")
        if not same_shape(full.key, view.key):
            plain = isinstance(view.key, Leaf) and view.key.kind == "str" and not view.key.options
            if not plain:
                reason = f"keys `{shape_text(full.key)}` in `{shape_text(view.key)}`"
                yield Finding("undecided", path, reason)
        yield from self.visit(full.value, view.value, f"{path}.*")

    def _record(self, full: Record, view: Record, path: str) -> Iterator[Finding]:
        yield from _slice_type_findings(view, path)
        if full.custom and full.custom not in ("a computed field", "extra keys that are kept"):
            yield Finding("undecided", path, f"`{shape_text(full)}` has {full.custom}")
        written = {item.write_name: item for item in full.fields if item.write_name is not None}
        for item in view.fields:
            name = item.write_name or item.attribute
            place = f"{path}.{name}".removeprefix(".")
            source = written.get(name)
            if source is not None:
                if _may_be_absent(source, full) and item.required:
                    yield Finding("refused", place, "may be absent from the full answer")
                yield from self.visit(source.shape, item.shape, place)
            elif name in full.computed:
                yield Finding("undecided", place, "a computed field of the full answer")
            elif full.extra == "allow":
                yield Finding("undecided", place, "an extra key of the full answer, if it is there")
            else:
                yield Finding("refused", place, f"`{shape_text(full)}` has no such field")

    def _tagged(self, full: Tagged, view: Tagged, path: str) -> Iterator[Finding]:
        for tag, choice in full.choices.items():
            other = view.choices.get(tag)
            if other is None:
                reason = f"`{shape_text(choice)}` (`{tag}`) has no member in the slice"
                yield Finding("refused", path, reason)
            else:
                yield from self.visit(choice, other, path)


def _length_fits(full: Tuple, view: Array) -> bool:
    length = len(full.items)
    return bounds_fit((length, length), (view.min_length, view.max_length))


def _refused(full: Shape, view: Shape, path: str) -> Finding:
    return Finding("refused", path, f"`{shape_text(full)}` does not fit `{shape_text(view)}`")


def _slice_type_findings(view: Record, path: str) -> Iterator[Finding]:
    """What no slice type may have, because a slice keeps bytes and computes nothing."""
    if view.computed:
        name = next(iter(view.computed))
        yield Finding("refused", path, f"`{shape_text(view)}` computes `{name}`; use `project=`")
    for item in view.fields:
        place = f"{path}.{item.attribute}".removeprefix(".")
        if item.write_name is None:
            yield Finding("refused", place, "a slice can't exclude a field; use `project=`")
        elif item.read_names[:1] != (item.write_name,):
            reason = f"read as `{item.read_names[0]}` and written as `{item.write_name}`"
            yield Finding("refused", place, f"{reason}; use `project=`")
    if view.custom and view.custom not in ("a computed field", "extra keys that are kept"):
        reason = f"`{shape_text(view)}` has {view.custom}"
        if "serializer" in view.custom or "`serialization" in view.custom:
            yield Finding("refused", path, f"{reason}; use `project=`")
        else:
            yield Finding("undecided", path, reason)


def _may_be_absent(item: Field, record: Record) -> bool:
    return record.carrier == "typed_dict" and not item.required and item.default is None
