"""How two snapshots of a surface differ: which fields, from what to what, and whom it breaks."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# JSON values are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

__all__ = ["Change", "describe_drift", "find_changes"]

Audience: TypeAlias = Literal["models", "HTTP clients"]
Row: TypeAlias = Mapping[str, Any]

MODELS: frozenset[Audience] = frozenset({"models"})
HTTP_CLIENTS: frozenset[Audience] = frozenset({"HTTP clients"})
BOTH = MODELS | HTTP_CLIENTS
NEITHER: frozenset[Audience] = frozenset()

# A row's field → whom a change of it breaks, as far as the operation reached them before. Of a
# schema only a change of its `contract` breaks anybody; `output` is for models, too, where no view
# answers them.
BROKEN_BY: Mapping[str, frozenset[Audience]] = {
    "scope": BOTH,
    "http": HTTP_CLIENTS,
    "tool_name": MODELS,
    "description": NEITHER,
    "annotations": NEITHER,
    "params": HTTP_CLIENTS,
    "input": HTTP_CLIENTS,
    "output": HTTP_CLIENTS,
    "errors": BOTH,
    "tool_input": MODELS,
    "tool_view": MODELS,
}
TOOL_FIELDS = frozenset({"tool_name", "tool_input", "annotations"})


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one operation that isn't what it was.

    Args:
        field: its name in the row; `operation` for one that came or went.
        before: what the snapshot has.
        after: what the surface has.
        breaks: who is broken by it.
    """

    field: str
    before: Any
    after: Any
    breaks: frozenset[Audience]

    def __str__(self) -> str:
        audience = " and ".join(sorted(self.breaks)) or "neither models nor HTTP clients"
        return "\n".join([f"  {self.field}: breaking for {audience}", *self._values()])

    def _values(self) -> Iterator[str]:
        before, after = self.before, self.after
        if _is_digests(before) and _is_digests(after):
            for name in ("wire", "contract"):
                yield f"    {name:<8} {_moved(before[name], after[name])}"
        else:
            yield f"    {_moved(_told(before), _told(after))}"


def describe_drift(recorded: Sequence[Row], current: Sequence[Row]) -> str:
    """Tell every difference, one paragraph for each operation; empty where there is none."""
    before, after = _by_identity(recorded), _by_identity(current)
    paragraphs: list[str] = []
    for identity in sorted(before.keys() | after.keys()):
        if changes := find_changes(before.get(identity), after.get(identity)):
            service, operation, kind = identity
            head = f"{service}.{operation} ({kind})"
            paragraphs.append("\n".join([head, *map(str, changes)]))
    return "\n\n".join(paragraphs)


def find_changes(before: Row | None, after: Row | None) -> list[Change]:
    """Return the changes from one row to the other; None stands for an operation that isn't."""
    if before is None:
        return [] if after is None else [Change("operation", "absent", "added", NEITHER)]
    reached = _audiences(before["transports"])
    if after is None:
        return [Change("operation", "present", "removed", reached)]
    changes = [
        Change(name, old, new, broken & reached)
        for name, broken in BROKEN_BY.items()
        for old, new in [(before.get(name), after.get(name))]
        if old != new and not _came_or_went(name, before, after)
        for broken in [_broken(name, broken, before, after)]
    ]
    lost = [item for item in before["transports"] if item not in after["transports"]]
    if before["transports"] != after["transports"]:
        old, new = before["transports"], after["transports"]
        changes.insert(0, Change("transports", old, new, _audiences(lost)))
    return changes


def _broken(name: str, broken: frozenset[Audience], before: Row, after: Row) -> frozenset[Audience]:
    old: Any = before.get(name)
    new: Any = after.get(name)
    if _is_digests(old) and _is_digests(new) and old["contract"] == new["contract"]:
        return NEITHER
    if name == "output" and not (_own_answer(before) and _own_answer(after)):
        return broken | MODELS
    if name == "errors" and all(old.get(code, digest) == digest for code, digest in new.items()):
        return NEITHER  # a code more or less: callers branch on those that they know
    if name == "tool_view" and old and new and _same_contract(old, new):
        return NEITHER
    return broken


def _came_or_went(name: str, before: Row, after: Row) -> bool:
    """Whether a field differs only because the operation's transports do, which is told already."""
    if name == "http":
        return not (before.get("http") and after.get("http"))
    return name in TOOL_FIELDS and not (before.get("tool_name") and after.get("tool_name"))


def _own_answer(row: Row) -> bool:
    """Whether models are answered by a schema of the view's own."""
    view = row.get("tool_view")
    return view is not None and view["output"] is not None


def _same_contract(before: Row, after: Row) -> bool:
    """Whether two views differ in the wording of their answer only."""
    old, new = before["output"] or {}, after["output"] or {}
    others = ("defaults", "project")
    return old.get("contract") == new.get("contract") and all(
        before[name] == after[name] for name in others
    )


def _audiences(transports: Sequence[str]) -> frozenset[Audience]:
    http = HTTP_CLIENTS if "HTTP" in transports else NEITHER
    return http | (MODELS if set(transports) - {"HTTP"} else NEITHER)


def _by_identity(rows: Sequence[Row]) -> dict[tuple[str, str, str], Row]:
    return {(row["service"], row["operation"], row["kind"]): row for row in rows}


def _is_digests(value: Any) -> bool:
    return isinstance(value, Mapping) and set(value) == {"wire", "contract"}


def _moved(before: str, after: str) -> str:
    return f"{before} (unchanged)" if before == after else f"{before} → {after}"


def _told(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_told(item)}" for name, item in value.items()) or "none"
    if isinstance(value, list):
        return ", ".join(map(_told, value)) or "none"
    return str(value)
