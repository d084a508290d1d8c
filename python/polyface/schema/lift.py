"""Putting the definitions of several documents in one place, without one meaning two things."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .walk import POINTER, Document, referenced, schemas_in

__all__ = ["lift_definitions"]


def lift_definitions(parts: Iterable[tuple[str, Document]]) -> Document:
    """Take the definitions out of the parts, in place, and return them together.

    A name that means something else in an earlier part becomes `namespace__name` in the later one,
    and so does every definition that refers to such a name; all pointers follow.

    Args:
        parts: a namespace for each document: `params`, `extension`, `input`.
    """
    merged: Document = {}
    for namespace, part in parts:
        own: Document = part.pop("$defs", {})
        renamed = _new_names(own, merged, namespace)
        for node in [*schemas_in(part), *schemas_in(list(own.values()))]:
            _point(node, renamed)
        merged |= {renamed[name]: value for name, value in own.items()}
    return merged


def _new_names(own: Document, merged: Document, namespace: str) -> dict[str, str]:
    clashing = {name for name in own if name in merged and merged[name] != own[name]}
    references = {name: {referenced(node) for node in schemas_in(own[name])} for name in own}
    while True:
        reaching = {name for name in own if name in merged and references[name] & clashing}
        if reaching <= clashing:
            break
        clashing |= reaching
    renamed = {name: name for name in own}
    for name in clashing:
        fresh = f"{namespace}__{name}"
        while fresh in merged or fresh in own or fresh in renamed.values():
            fresh += "_"
        renamed[name] = fresh
    return renamed


def _point(node: Document, renamed: Mapping[str, str]) -> None:
    """Let a schema's reference, and what its discriminator maps to, follow the new names."""
    name = referenced(node)
    if name is not None and name in renamed:
        node["$ref"] = f"{POINTER}{renamed[name]}"
    discriminator = node.get("discriminator")
    mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
    if isinstance(mapping, dict):
        for value, pointer in mapping.items():
            target = str(pointer).removeprefix(POINTER)
            if target in renamed:
                mapping[value] = f"{POINTER}{renamed[target]}"
