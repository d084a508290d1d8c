"""Values that can be read only once: iterators, and objects that may hand one out.

The core's pass may give up after a part of the answer was handed to pydantic, and then the whole is
read again. A part that would be used up by the first reading must not be handed over.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping

from pydantic import BaseModel

from .shape import CoreSchema
from .spelling import LEAF_KEYS

__all__ = ["read_once_at_most"]

# Schemas that read one value and never iterate over it.
SCALARS = frozenset({*LEAF_KEYS, "bytes", "timedelta", "url", "multi-host-url", "is-instance"})
RECORDS = frozenset({"model", "dataclass", "typed-dict", "definition-ref"})
WRAPPERS = frozenset({"nullable", "default", "union", "lax-or-strict", "json-or-python", "chain"})


def read_once_at_most(
    core: CoreSchema, run: Callable[[object], bytes]
) -> Callable[[object], bytes | None]:
    """Wrap what asks pydantic so that it declines, with None, a value it might use up."""
    kinds = {item["type"] for item in _schemas(core)}
    if kinds <= SCALARS | WRAPPERS:
        return run
    reads_attributes = bool(kinds & RECORDS)
    holds_generators = "generator" in kinds

    def ask(value: object) -> bytes | None:
        again = _can_be_read_again(value, reads_attributes, holds_generators)
        return run(value) if again else None

    return ask


def _can_be_read_again(value: object, reads_attributes: bool, holds_generators: bool) -> bool:
    if value is None or isinstance(value, str | int | float | bytes):
        return True
    if isinstance(value, Mapping):
        items: Iterable[object] = value.values()
    elif isinstance(value, list | tuple | set | frozenset | deque):
        items = value
    elif isinstance(value, Iterator):
        return False
    elif isinstance(value, BaseModel) or dataclasses.is_dataclass(value):
        return not holds_generators
    else:
        return not reads_attributes or not hasattr(value, "__dict__")
    return all(_can_be_read_again(item, reads_attributes, holds_generators) for item in items)


def _schemas(part: object) -> Iterator[CoreSchema]:
    if isinstance(part, Mapping):
        if isinstance(part.get("type"), str):
            yield part
        for key, value in part.items():
            if key not in ("metadata", "config", "serialization", "function"):
                yield from _schemas(value)
    elif isinstance(part, list | tuple):
        for item in part:
            yield from _schemas(item)
