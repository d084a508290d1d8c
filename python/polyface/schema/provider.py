"""What the providers of models refuse in a tool's arguments, although it is valid JSON Schema.

A provider refuses the whole request for one such tool, so that a model loses all of its tools.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .digest import canonical_json
from .walk import DATA_KEYWORDS, MAP_KEYWORDS, Document

__all__ = ["PROVIDER_RULES", "Policy", "ProviderFinding", "ProviderRule", "provider_findings"]

ProviderRule: TypeAlias = Literal[
    "untyped_array", "root_union", "unknown_format", "duplicate_option"
]
Policy: TypeAlias = Literal["throw", "warn", "skip"]

# The formats that JSON Schema 2020-12 defines and that are known everywhere.
PORTABLE_FORMATS = frozenset(
    {
        "date", "time", "date-time", "duration", "uri", "uri-reference", "uri-template", "email",
        "hostname", "ipv4", "ipv6", "regex", "uuid", "json-pointer", "relative-json-pointer",
    }
)  # fmt: skip
UNIONS = ("anyOf", "oneOf", "allOf")


@dataclass(frozen=True, slots=True)
class ProviderFinding:
    """One place in a tool's arguments that a provider refuses.

    Args:
        rule: the rule that it breaks.
        path: its place, `rows[].tags` for one; empty for the arguments as a whole.
        text: what is wrong, and the remedy.
    """

    rule: ProviderRule
    path: str
    text: str

    def __str__(self) -> str:
        where = f"`{self.path}`" if self.path else "the arguments"
        return f"{where}: {self.text} (`{self.rule}`)"


@dataclass(frozen=True, slots=True)
class _Rule:
    """One row of the table.

    Args:
        policy: what is done about it where nobody says.
        fault: says what is wrong with a schema, or None; told whether it is the root.
    """

    policy: Policy
    fault: Callable[[Document, bool], str | None]


def _untyped_array(node: Document, _: bool) -> str | None:
    types = node.get("type")
    is_array = types == "array" or (isinstance(types, list) and "array" in types)
    if is_array and "items" not in node and "prefixItems" not in node:
        return "an array doesn't say what its items are; give it an item type"
    return None


def _root_union(node: Document, is_root: bool) -> str | None:
    if is_root and (words := [word for word in UNIONS if word in node]):
        return (
            f"the root is a union (`{words[0]}`); set `flatten_unions=True`, or wrap it in a model"
        )
    return None


def _unknown_format(node: Document, _: bool) -> str | None:
    name = node.get("format")
    if isinstance(name, str) and name not in PORTABLE_FORMATS:
        return f"the format `{name}` isn't one of JSON Schema's; take it out of the field's schema"
    return None


def _duplicate_option(node: Document, _: bool) -> str | None:
    options = node.get("enum")
    if not isinstance(options, list):
        return None
    written = [canonical_json(option) for option in options]
    again = [text for text in dict.fromkeys(written) if written.count(text) > 1]
    if again:
        return f"the option `{again[0].decode()}` is listed twice; list it once"
    return None


PROVIDER_RULES: Mapping[ProviderRule, _Rule] = {
    "untyped_array": _Rule("throw", _untyped_array),
    "root_union": _Rule("warn", _root_union),
    "unknown_format": _Rule("warn", _unknown_format),
    "duplicate_option": _Rule("throw", _duplicate_option),
}
"""Each rule with what is done about it by default; `docs/decisions/0009` has the reasons."""


def provider_findings(document: Document) -> tuple[ProviderFinding, ...]:
    """Return every place in an arguments document that breaks a rule of the table."""
    return tuple(
        ProviderFinding(rule, path, text)
        for path, node, is_root in _places(document, "", True)
        for rule, row in PROVIDER_RULES.items()
        if (text := row.fault(node, is_root)) is not None
    )


def _places(node: Any, path: str, is_root: bool) -> Iterator[tuple[str, Document, bool]]:
    """Yield every schema with its place; what stands in a definition is `$defs.Name...`."""
    if isinstance(node, list):
        for item in node:
            yield from _places(item, path, False)
    if not isinstance(node, dict):
        return
    yield path, node, is_root
    for key, value in node.items():
        if key in MAP_KEYWORDS and isinstance(value, dict):
            stem = f"{path}.$defs".removeprefix(".") if key == "$defs" else path
            for name, item in value.items():
                yield from _places(item, f"{stem}.{name}".removeprefix("."), False)
        elif key not in DATA_KEYWORDS:
            step = {"items": "[]", "additionalProperties": ".*"}.get(key, "")
            yield from _places(value, f"{path}{step}".removeprefix("."), False)
