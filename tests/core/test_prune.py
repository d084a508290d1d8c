"""Pruning JSON text, held to the twin byte for byte."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyface import _core
from tests.core import twin_prune

NODES = [
    ("object", {"a": 1, "b": 2, "ü": 3, 't"': 4, "k": 5}, None),
    ("all",),
    ("array", 0),
    ("tuple", [1, 0], None),
    ("tagged", "k", {"x": 0, "y": 6}),
    ("object", {"a": 0}, 1),
    ("object", {}, None),
    ("tuple", [2], 4),
]
ROOTS = range(len(NODES))
KEYS = st.sampled_from(["a", "b", "ü", 't"', "k", "z", "", "😀"])
LEAVES: st.SearchStrategy[Any] = st.sampled_from(
    [None, True, 1, -0.5e-7, "x", "y", 'q"\\\n', "é😀", [], {}]
)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5)
)
SPACES = st.sampled_from([(",", ":"), (", ", ": "), (" ,\n", "\t: ")])


def run(nodes, root, text):
    try:
        return _core.Keep(nodes, root).prune(text)
    except ValueError:
        return ValueError


def run_twin(nodes, root, text):
    try:
        return twin_prune.prune(nodes, root, text)
    except (ValueError, RecursionError):
        return ValueError


@given(VALUES, st.sampled_from(ROOTS), SPACES, st.booleans())
def test_pruned_text_is_the_twins(value, root, separators, ascii_only):
    text = json.dumps(value, ensure_ascii=ascii_only, separators=separators).encode()
    assert run(NODES, root, text) == run_twin(NODES, root, text)


@given(VALUES, st.sampled_from(ROOTS), st.data())
def test_damaged_text_is_refused_or_pruned_as_by_the_twin(value, root, data):
    text = json.dumps(value)
    at = data.draw(st.integers(0, len(text)))
    damage = data.draw(
        st.sampled_from(["", '"', ",", "}", "[", "0", "\\", "\x00", " ", "e", "\\ud800"])
    )
    cut = data.draw(st.integers(0, 2))
    damaged = (text[:at] + damage + text[at + cut :]).encode()
    assert run(NODES, root, damaged) == run_twin(NODES, root, damaged)


@given(VALUES, SPACES)
def test_text_of_which_all_is_kept_comes_back_as_the_same_object(value, separators):
    text = json.dumps(value, separators=separators).encode()
    assert _core.Keep([("all",)], 0).prune(text) is text


def test_numbers_escapes_and_order_stay():
    text = b'{"z":0, "b":1.50E+3,"a":"\\u0041\\/" ,"\\u0061":1}'
    assert run(NODES, 0, text) == b'{"b":1.50E+3,"a":"\\u0041\\/","\\u0061":1}'


def test_keys_are_compared_by_their_text():
    nodes = [("object", {'\b\f\n\r\t"\\/é😀': 1}, None), ("all",)]
    text = rb'{"\b\f\n\r\t\"\\\/\u00e9\ud83d\ude00":1,"\ud83d":2}'
    assert run(nodes, 0, text) == text[:-12] + b"}" == run_twin(nodes, 0, text)


def test_the_last_of_several_tags_counts():
    nodes = [
        ("tagged", "k", {"x": 1, "y": 2}),
        ("object", {"a": 3}, None),
        ("object", {"b": 3}, None),
        ("all",),
    ]
    assert run(nodes, 0, b'{"k":"x","a":1,"b":2,"k":"y"}') == b'{"b":2}'


def test_an_unknown_tag_keeps_the_object_whole():
    text = b'{"k":"other","z":1}'
    assert run(NODES, 4, text) == text


@pytest.mark.parametrize(
    "text", [b"", b"[1,]", b'{"a" 1}', b'"\xff"', b"[1] 2", b"nul", b'{"z":tru}', b"-", b'"\\u12"']
)
def test_malformed_text_is_refused(text):
    with pytest.raises(ValueError, match="isn't JSON at byte"):
        _core.Keep(NODES, 0).prune(text)


@pytest.mark.parametrize("root", [1, 2, 8])
def test_depth_is_bounded_exactly(root):
    nodes = [*NODES, ("array", 8)]
    deepest = b"[" * 256 + b"]" * 256
    assert run(nodes, root, deepest) == deepest
    with pytest.raises(ValueError, match="nested too deep"):
        _core.Keep(nodes, root).prune(b"[" + deepest + b"]")
    with pytest.raises(ValueError, match="nested too deep"):
        _core.Keep(nodes, root).prune(b"[" * 1_000_000)


@pytest.mark.parametrize(
    "node",
    [
        ("all", 1),
        ("object", {"a": 9}, None),
        ("object", {1: 0}, None),
        ("array", -1),
        ("tuple", (0,), None),
        ("x",),
        (),
        ("tagged", "k", {"x": 0}),
    ],
)
def test_a_wrong_node_is_refused_by_its_index(node):
    nodes = [("tagged", "k", {}) if node[:1] == ("tagged",) else ("all",), node]
    with pytest.raises(ValueError, match="Node 1"):
        _core.Keep(nodes, 0)
