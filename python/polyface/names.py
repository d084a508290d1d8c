"""How an operation's tool name is derived, and which names are legal.

The rule is the strictest of the providers that read tool lists, so that a name which passes here
works everywhere; one illegal name makes a provider refuse the whole list.
"""

from __future__ import annotations

import re

__all__ = ["TOOL_NAME_PATTERN", "derive_tool_name", "tool_name_fault"]

TOOL_NAME_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")

# Words that end in `s` and have no other singular.
UNCOUNTABLE = frozenset(
    {"analytics", "status", "stats", "settings", "media", "progress", "news"},
)
VERBS = frozenset({"get", "create", "update", "delete"})


def derive_tool_name(prefix: str, key: str) -> str:
    """Derive the tool name of the endpoint `key` of the contract at `prefix`.

    `list` of `people` is `list_people`, `get` is `get_person`-like (`get_people` has no `s` to
    lose), `create` of `orders` is `create_order`, and `findByCity` of `shops` is
    `find_by_city_shop`.
    """
    service = re.sub(r"[^A-Za-z0-9_]", "_", prefix)
    method = re.sub(r"[^A-Za-z0-9_-]", "_", key)
    if method == "list":
        return f"list_{service}".removeprefix("_")
    if method not in VERBS:
        method = re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", method).lower()
    return f"{method}_{_singular(service)}".removeprefix("_")


def tool_name_fault(name: str, *, prefix: str | None = None) -> str | None:
    """Say why `name` can't be a tool's name, or return None.

    Args:
        name: the explicit or derived name.
        prefix: the contract's prefix when the name was derived from it. A prefix without a letter
            or digit gives every such contract the same meaningless name.
    """
    if prefix is not None and not re.search(r"[A-Za-z0-9]", prefix):
        return (
            f"the name `{name}` is derived from the prefix `{prefix}`, which has no letter or digit"
        )
    if not (isinstance(name, str) and TOOL_NAME_PATTERN.fullmatch(name)):
        return f"the name `{name}` doesn't match `[A-Za-z0-9_-]{{1,64}}`"
    return None


def _singular(service: str) -> str:
    head, separator, last = service.rpartition("_")
    if last.lower() in UNCOUNTABLE:
        return service
    if last.endswith("ies"):
        last = last[:-3] + "y"
    elif last.endswith("s") and not last.endswith("ss"):
        last = last[:-1]
    return head + separator + last
