"""Showing a discriminated union as one object, for models that read unions badly.

A flat document takes everything that the union takes and more: it says which keys there are and,
in words, when each is used. What refuses a wrong combination is the contract's own parse.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .digest import canonical_json
from .hint import Use, describe
from .join import ANNOTATIONS, join, text_options
from .walk import (
    DATA_KEYWORDS,
    MAP_KEYWORDS,
    POINTER,
    Document,
    referenced,
    resolved,
    used_definitions,
)

__all__ = ["flatten_unions"]

# What a branch may say; one that says more stays in its union.
BRANCH_KEYWORDS = ANNOTATIONS | {"type", "properties", "required", "additionalProperties"}
MAX_NESTED_UNIONS = 16


def flatten_unions(document: Document) -> Document:
    """Return a document whose discriminated unions are objects; all else stays as it is.

    A union is rewritten where it is a `oneOf` of two or more objects that share a required property
    with texts that tell them apart. One that contains itself becomes a definition.
    """
    definitions: Document = document.get("$defs", {})
    run = _Flattening(definitions)
    root: Document = run.rewrite({key: value for key, value in document.items() if key != "$defs"})
    rewritten = {name: run.rewrite(value) for name, value in definitions.items()}
    used = used_definitions(root, rewritten | run.named)
    return root | ({"$defs": used} if used else {})


@dataclass(frozen=True)
class _Branch:
    """One object of a union: the discriminator's texts that mean it, and what it says."""

    values: tuple[str, ...]
    document: Document

    @property
    def properties(self) -> Document:
        found: Document = self.document["properties"]
        return found

    def use_of(self, name: str) -> Use:
        described = self.properties[name].get("description")
        return Use(self.values, described, name in self.document.get("required", []))


class _Flattening:
    """One document on its way. `named` has the definitions that were made for recursive unions."""

    def __init__(self, definitions: Mapping[str, Any]) -> None:
        self.named: Document = {}
        self._definitions = definitions
        self._unfinished: dict[bytes, str] = {}
        self._recursive: set[bytes] = set()
        self._finished: dict[bytes, Document] = {}

    def rewrite(self, node: Any) -> Any:
        if isinstance(node, list):
            return [self.rewrite(item) for item in node]
        if not isinstance(node, dict):
            return node
        if "oneOf" in node and (flat := self._flat(node)) is not None:
            return flat
        made: Document = {}
        for key, value in node.items():
            if key in MAP_KEYWORDS and isinstance(value, dict):
                made[key] = {name: self.rewrite(item) for name, item in value.items()}
            else:
                made[key] = value if key in DATA_KEYWORDS else self.rewrite(value)
        return made

    def _flat(self, union: Document) -> Document | None:
        annotations = {key: value for key, value in union.items() if key in ANNOTATIONS}
        if set(union) - ANNOTATIONS - {"oneOf", "discriminator"}:
            return None
        key = canonical_json(union["oneOf"])
        if key in self._unfinished:
            self._recursive.add(key)
            return {"$ref": f"{POINTER}{self._unfinished[key]}"} | annotations
        if key not in self._finished:
            discriminated = self._discriminated(union)
            if discriminated is None:
                return None
            self._unfinished[key] = self._fresh_name(union)
            flat = self._one_object(*discriminated)
            name = self._unfinished.pop(key)
            if key in self._recursive:
                self.named[name] = flat
                flat = {"$ref": f"{POINTER}{name}"}
            self._finished[key] = flat
        return copy.deepcopy(self._finished[key]) | annotations

    def _discriminated(self, union: Document) -> tuple[str, list[_Branch]] | None:
        """Find the property that tells the members apart; None where there is none."""
        members = list(self._members(union, 0))
        if len(members) < 2 or not all(map(_is_plain_object, members)):
            return None
        named = union.get("discriminator", {}).get("propertyName")
        for name in dict.fromkeys(key for member in members for key in member["properties"]):
            # A parser needs the tag that it is told of, whether the member requires it or not.
            required = all(name in member.get("required", []) for member in members)
            if name != named and not (named is None and required):
                continue
            options = [self._options(member, name) for member in members]
            texts = [text for found in options for text in found]
            if all(options) and len(set(texts)) == len(texts):
                pairs = zip(options, members, strict=True)
                return name, [_Branch(tuple(found), member) for found, member in pairs]
        return None

    def _members(self, union: Document, depth: int) -> Iterator[Document]:
        """The members of a union, those of a union within it by the same property included."""
        for member in union["oneOf"]:
            target = resolved(member, self._definitions)
            inner = "oneOf" in target and depth < MAX_NESTED_UNIONS
            if inner and _tag_of(target) == _tag_of(union):
                yield from self._members(target, depth + 1)
            else:
                yield target

    def _options(self, member: Document, name: str) -> list[str]:
        schema = member["properties"].get(name)
        return text_options(resolved(schema, self._definitions)) if schema is not None else []

    def _one_object(self, discriminator: str, branches: list[_Branch]) -> Document:
        texts = [text for branch in branches for text in branch.values]
        tag: Document = {"type": "string", "enum": texts}
        described = {branch.properties[discriminator].get("description") for branch in branches}
        if len(described) == 1 and None not in described:
            tag["description"] = described.pop()
        names = dict.fromkeys(name for branch in branches for name in branch.properties)
        properties = {discriminator: tag} | {
            name: self._property(name, discriminator, branches)
            for name in names
            if name != discriminator
        }
        required = [
            name
            for name in names
            if name != discriminator
            and all(name in branch.document.get("required", []) for branch in branches)
        ]
        flat: Document = {
            "type": "object",
            "properties": properties,
            "required": [discriminator, *required],
        }
        if all(branch.document.get("additionalProperties") is False for branch in branches):
            flat["additionalProperties"] = False
        return flat

    def _property(self, name: str, discriminator: str, branches: list[_Branch]) -> Document:
        declaring = [branch for branch in branches if name in branch.properties]
        schemas = [branch.properties[name] for branch in declaring]
        # A branch that keeps undeclared keys takes this one, too, with a meaning of its own.
        others = [
            branch.document.get("additionalProperties", False)
            for branch in branches
            if name not in branch.properties
        ]
        schemas += [other if isinstance(other, dict) else {} for other in others if other]
        made: Document = self.rewrite(join(schemas, self._definitions))
        uses = [branch.use_of(name) for branch in declaring]
        if text := describe(discriminator, uses, everywhere=len(declaring) == len(branches)):
            made["description"] = text
        defaults = {canonical_json(schema.get("default", _NONE)) for schema in schemas}
        # Filled in by a client, the default of one branch would be sent to all.
        if len(declaring) == len(branches) and len(defaults) == 1 and "default" in schemas[0]:
            made["default"] = copy.deepcopy(schemas[0]["default"])
        return made

    def _fresh_name(self, union: Document) -> str:
        names = [referenced(member) for member in union["oneOf"]]
        name = "_or_".join(found or "Object" for found in names)[:60]
        taken = {*self._definitions, *self.named, *self._unfinished.values()}
        while name in taken:
            name += "_"
        return name


_NONE = "no default"


def _tag_of(union: Document) -> str | None:
    tag = union.get("discriminator", {}).get("propertyName")
    return tag if isinstance(tag, str) else None


def _is_plain_object(member: Document) -> bool:
    return (
        member.get("type") == "object"
        and isinstance(member.get("properties"), dict)
        and set(member) <= BRANCH_KEYWORDS
    )
