"""Strategies of lists, sets, tuples and mappings within their lengths."""

from __future__ import annotations

import collections
import json
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from hypothesis import strategies as st

from ..schema.shape import CoreSchema
from .place import Place
from .sieve import Values

__all__ = ["Build", "arrays", "mappings", "named_tuples", "tuples"]

Build: TypeAlias = Callable[[CoreSchema, Place], Values]

ANY: CoreSchema = {"type": "any"}
CONTAINERS: Mapping[str, Callable[[Iterable[Any]], Any]] = {
    "list": list,
    "generator": list,
    "deque": collections.deque,
    "set": set,
    "frozenset": frozenset,
}
MAPPINGS: Mapping[str, Callable[[dict[Any, Any]], Any]] = {
    "dict": dict,
    "ordered-dict": collections.OrderedDict,
    "counter": collections.Counter,
}


def arrays(build: Build, core: CoreSchema, place: Place) -> Values:
    """Lists, sets, deques and iterables; JSON writes them all as arrays."""
    kind: str = core["type"]
    unique = kind in ("set", "frozenset")
    inside = place.enter_collection("[]")
    if unique:
        inside = replace(inside, instances=True)
    items = build(core.get("items_schema", ANY), inside)
    least, most = core.get("min_length", 0), core.get("max_length")
    if items.is_empty:
        return _emptiest(least, list if place.form == "json" else partial(CONTAINERS[kind], ()))
    size = _most(least, most, place)
    if unique:
        key = json.dumps if place.form == "json" else _itself
        items = items if place.form == "json" else items.filter(_is_hashable)
        made = st.lists(items, unique_by=key, min_size=least, max_size=size)
    else:
        made = st.lists(items, min_size=least, max_size=size)
    return made if place.form == "json" else made.map(CONTAINERS[kind])


def tuples(build: Build, core: CoreSchema, place: Place) -> Values:
    """Tuples, a repeated place among them or not; JSON writes them as arrays."""
    repeated = core.get("variadic_item_index")
    parts: list[Values] = []
    for index, item in enumerate(core["items_schema"]):
        if index != repeated:
            parts.append(st.tuples(build(item, place.step(f"[{index}]"))))
            continue
        fixed = len(core["items_schema"]) - 1
        least = max(core.get("min_length", 0) - fixed, 0)
        most = core["max_length"] - fixed if core.get("max_length") is not None else None
        values = build(item, place.enter_collection("[]", f"[{index}]"))
        size = _most(least, most, place)
        parts.append(
            _emptiest(least, tuple)
            if values.is_empty
            else st.lists(values, min_size=least, max_size=size).map(tuple)
        )
    joined = st.tuples(*parts).map(lambda groups: tuple(item for group in groups for item in group))
    return joined if place.form == "python" else joined.map(list)


def named_tuples(build: Build, core: CoreSchema, place: Place) -> Values:
    """Named tuples; JSON writes them as arrays."""
    cls = core["cls"]
    values = [build(field["schema"], place.step(field["name"])) for field in core["fields"]]
    made = st.tuples(*values)
    return made.map(lambda items: cls(*items)) if place.form == "python" else made.map(list)


def mappings(build: Build, core: CoreSchema, place: Place) -> Values:
    """Mappings whose keys are data; JSON writes their keys as text."""
    kind: str = core["type"]
    inside = place.enter_collection("*")
    keys = build(core.get("keys_schema", ANY), replace(inside, instances=True, pending=()))
    values = build(core.get("values_schema", ANY), inside)
    least, most = core.get("min_length", 0), core.get("max_length")
    if place.form == "json":
        keys = keys.filter(_is_key).map(_key_text)
    else:
        keys = keys.filter(_is_hashable)
    if place.reserved:
        keys = keys.filter(lambda key: key not in place.reserved)
    if keys.is_empty or values.is_empty:
        return _emptiest(least, dict)
    made = st.dictionaries(keys, values, min_size=least, max_size=_most(least, most, place))
    return made if place.form == "json" else made.map(MAPPINGS[kind])


def _most(least: int, most: int | None, place: Place) -> int:
    wanted = least + place.spread
    return wanted if most is None else min(most, wanted)


def _emptiest(least: int, make: Callable[[], Any]) -> Values:
    return st.nothing() if least else st.builds(make)


def _itself(value: Any) -> Any:
    return value


def _is_hashable(value: Any) -> bool:
    try:
        hash(value)
    except TypeError:
        return False
    return isinstance(value, Hashable)


def _is_key(value: Any) -> bool:
    return isinstance(value, str | int | float)


def _key_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)
