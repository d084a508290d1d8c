"""Documents that are shared: they read as dicts and lists, and refuse to change."""

import copy
import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyface.schema.digest import canonical_json
from polyface.schema.frozen import FrozenDict, FrozenList, freeze, thaw

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(JSON)
def test_a_frozen_document_is_equal_written_alike_and_thaws_to_what_it_was(value):
    frozen = freeze(value)
    assert frozen == value
    assert json.dumps(frozen) == json.dumps(value)
    assert thaw(frozen) == copy.deepcopy(frozen) == value
    assert pickle.loads(pickle.dumps(frozen)) == value


def test_canonical_json_takes_it():
    assert canonical_json(freeze({"b": [1, {"a": 2}]})) == b'{"b":[1,{"a":2}]}'


MAPPING: dict[str, Any] = {
    "d['a'] = 1": lambda d: d.__setitem__("a", 1),
    "del d['a']": lambda d: d.__delitem__("a"),
    "d |= {}": lambda d: d.__ior__({}),
    "clear": lambda d: d.clear(),
    "pop": lambda d: d.pop("a"),
    "popitem": lambda d: d.popitem(),
    "setdefault": lambda d: d.setdefault("b", 1),
    "update": lambda d: d.update(b=1),
}
LIST: dict[str, Any] = {
    "l[0] = 1": lambda items: items.__setitem__(0, 1),
    "del l[0]": lambda items: items.__delitem__(0),
    "l += []": lambda items: items.__iadd__([1]),
    "l *= 2": lambda items: items.__imul__(2),
    "append": lambda items: items.append(1),
    "clear": lambda items: items.clear(),
    "extend": lambda items: items.extend([1]),
    "insert": lambda items: items.insert(0, 1),
    "pop": lambda items: items.pop(),
    "remove": lambda items: items.remove(1),
    "reverse": lambda items: items.reverse(),
    "sort": lambda items: items.sort(),
}


@pytest.mark.parametrize(
    "change",
    [*MAPPING.values(), *LIST.values()],
    ids=[*(f"dict {name}" for name in MAPPING), *(f"list {name}" for name in LIST)],
)
def test_every_way_to_change_one_is_refused(change):
    frozen = freeze({"a": 1}) if change in MAPPING.values() else freeze([1, 2])
    with pytest.raises(TypeError, match=r"copy it with `copy\.deepcopy`"):
        change(frozen)
    assert frozen in ({"a": 1}, [1, 2])


@pytest.mark.parametrize(("kind", "base"), [(FrozenDict, dict), (FrozenList, list)])
def test_no_method_that_changes_was_forgotten(kind, base):
    reading = {
        "copy", "count", "fromkeys", "get", "index", "items", "keys", "values",
    }  # fmt: skip
    public = {name for name in dir(base) if not name.startswith("_")}
    assert public - reading == {name for name in vars(kind) if not name.startswith("_")}


def test_nothing_of_what_was_given_is_kept():
    inner = [1]
    given_value: dict[str, Any] = {"a": inner, "b": (1, 2)}
    frozen = freeze(given_value)
    inner.append(2)
    given_value["c"] = 1
    assert frozen == {"a": [1], "b": [1, 2]}


def test_a_deep_copy_can_be_changed_at_every_level():
    changed = copy.deepcopy(freeze({"a": [{"b": 1}]}))
    changed["a"][0]["b"] = 2
    changed["a"].append(3)
    assert changed == {"a": [{"b": 2}, 3]}
