"""A wrong node table is refused when the plan is built, by the index of the node."""

import pytest

from polyface import _core
from tests.core import nodes as n


def fields(*changed: object) -> n.NODE:
    return ("record", "typed_dict", None, [changed], "ignore")


WRONG: dict[str, list[object]] = {
    "no tuple": [n.INT, ["int"]],
    "empty tuple": [n.INT, ()],
    "unknown kind": [n.INT, ("integer", None)],
    "kind of another class": [n.INT, (1,)],
    "too few items": [n.INT, ("list", 0)],
    "too many items": [n.INT, ("list", 0, None, None, None)],
    "index past the end": [n.INT, ("list", 2, None, None)],
    "negative index": [n.INT, ("list", -1, None, None)],
    "index that is a bool": [n.INT, ("nullable", True)],
    "negative size": [n.INT, ("list", 0, -1, None)],
    "bound of another class": [n.INT, ("int", 1.5, None, None, None, None)],
    "bound that isn't a number": [n.INT, ("float", float("nan"), None, None, None, None)],
    "float bound that is an int": [n.INT, ("float", 1, None, None, None, None)],
    "fallback that can't be called": [n.INT, ("uuid", 1)],
    "unknown zone": [n.INT, ("datetime", "utc", None)],
    "literal of another class": [n.INT, ("literal", [1.5], None)],
    "literal with a surrogate": [n.INT, ("literal", ["\ud800"], None)],
    "enum without JSON": [n.INT, ("enum", int, [(1, b"{")], None)],
    "enum of no class": [n.INT, ("enum", 1, [], None)],
    "nullable of itself": [n.INT, ("nullable", 1)],
    "scalars with a container": [n.INT, ("scalars", [2]), ("list", 0, None, None)],
    "scalars with a constraint": [n.INT, ("scalars", [2]), ("str", 1, None, None)],
    "scalars of one class": [n.INT, ("scalars", [0, 0])],
    "scalars in a tuple": [n.INT, ("scalars", (0,))],
    "tagged child that is no record": [n.INT, ("tagged", "k", "k", {"a": 0})],
    "tag of another class": [n.INT, ("tagged", "k", "k", {1: 0})],
    "unknown carrier": [n.INT, ("record", "object", None, [], "ignore")],
    "model without a class": [n.INT, ("record", "model", None, [], "ignore")],
    "typed dict with a class": [n.INT, ("record", "typed_dict", dict, [], "ignore")],
    "extra that is allowed": [n.INT, ("record", "typed_dict", None, [], "allow")],
    "field of five": [n.INT, fields("a", ("a",), "a", 0, "required")],
    "names in a list": [n.INT, fields("a", ["a"], "a", 0, "required", True)],
    "absent of another word": [n.INT, fields("a", ("a",), "a", 0, "missing", True)],
    "absent that is no JSON": [n.INT, fields("a", ("a",), "a", 0, b"1 2", True)],
    "kept that is no bool": [n.INT, fields("a", ("a",), "a", 0, "required", 1)],
    "name with a surrogate": [n.INT, fields("a", ("a",), "\ud800", 0, "required", True)],
    "one attribute twice": [
        n.INT,
        ("record", "typed_dict", None, [n.field("a", 0), n.field("a", 0, writes="b")], "ignore"),
    ],
    "one written name twice": [
        n.INT,
        ("record", "typed_dict", None, [n.field("a", 0), n.field("b", 0, writes="a")], "ignore"),
    ],
    "opaque with one callable": [n.INT, ("opaque", None)],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_node_is_refused_by_its_index(name):
    with pytest.raises(ValueError, match=r"^Node 1\b"):
        _core.Plan(WRONG[name], 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("root", [1, 2**40])
def test_a_root_past_the_end_is_refused(root):
    with pytest.raises(ValueError, match="The root"):
        _core.Plan([n.INT], root)
    with pytest.raises(ValueError, match="The root"):
        _core.Keep([("all",)], root)


def test_names_are_few_and_pinned():
    assert sorted(name for name in dir(_core) if not name.startswith("_")) == [
        "CanonicalError", "Keep", "Plan", "canonical_json", "digest", "mcp_result",
    ]  # fmt: skip
    assert issubclass(_core.CanonicalError, ValueError)


@pytest.mark.parametrize("cls", [_core.Plan, _core.Keep])
def test_classes_are_frozen_and_refuse_subclasses(cls):
    with pytest.raises(TypeError):
        type("Sub", (cls,), {})
    with pytest.raises(AttributeError):
        cls([("all",) if cls is _core.Keep else n.INT], 0).extra = 1
