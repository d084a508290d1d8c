"""Values that run code while they are read: nothing may crash, and no reference may get lost."""

import dataclasses
import gc
import sys
import threading
import uuid
import weakref
from typing import Any

import pytest
from pydantic import BaseModel

from polyface import _core
from tests.core import nodes as n


class Model(BaseModel):
    a: Any = None
    b: Any = None
    c: Any = None


FIELDS = (n.field("a", 1), n.field("b", 1), n.field("c", 2))


def plan(fallback: Any, cls: type | None = Model) -> _core.Plan:
    """Two leaves with a fallback, and a plain string after them."""
    carrier = "typed_dict" if cls is None else "model" if cls is Model else "dataclass"
    return _core.Plan([n.record(carrier, cls, *FIELDS), ("opaque", fallback, fallback), n.STR], 0)


def fresh() -> str:
    return "".join(["long enough to own ", "its memory ", str(len(FIELDS))])


@pytest.mark.parametrize(
    "change",
    [
        dict.clear,
        lambda whole: whole.update({f"k{number}": fresh() for number in range(100)}),
        lambda whole: whole.pop("c"),
    ],
    ids=["clear", "grow", "shrink"],
)
@pytest.mark.parametrize("as_model", [False, True])
def test_a_callable_that_changes_the_record_reads_what_was_there(change, as_model):
    whole: dict[str, Any] = {"a": [fresh()], "b": [fresh()], "c": fresh()}
    value = Model.model_construct(**whole) if as_model else whole
    target = value.__dict__ if as_model else whole
    seen: list[object] = []

    def ask(item: list[str]) -> bytes:
        if not seen:
            change(target)
            gc.collect()
        seen.append(item)
        return b"1"

    assert plan(ask).write(value) == f'{{"a":1,"b":1,"c":"{fresh()}"}}'.encode()
    assert seen == [[fresh()], [fresh()]]


@pytest.mark.parametrize(
    "change",
    [list.clear, lambda items: items.append(1), lambda items: items.pop()],
    ids=["clear", "append", "pop"],
)
def test_a_list_that_changes_length_bails(change):
    items: list[Any] = [[number] for number in range(50)]

    def ask(item: object) -> bytes:
        change(items)
        return b"1"

    assert _core.Plan([("list", 1, None, None), ("opaque", ask, None)], 0).write(items) is None


def test_a_dict_of_free_keys_that_is_cleared_reads_what_was_there():
    whole = {fresh() + str(number): [number] for number in range(20)}

    def ask(item: object) -> bytes:
        whole.clear()
        gc.collect()
        return b"1"

    written = _core.Plan([("dict", 1, None, None), ("opaque", ask, None)], 0).write(whole)
    assert written is not None
    assert written.count(b":1") == 20


class Clearing(str):
    """A key whose comparison empties the dict that it is in."""

    __slots__ = ("whole",)
    whole: dict[Any, Any]

    def __hash__(self) -> int:
        return str.__hash__(self)

    def __eq__(self, other: object) -> bool:
        self.whole.clear()
        return False


def test_a_key_whose_comparison_clears_the_dict_does_no_harm():
    key = Clearing("a")
    key.whole = {key: 1, "b": fresh(), "c": fresh()}
    reporting = plan(None, None)
    assert reporting.write_reporting(key.whole) is None


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_a_key_that_cannot_be_compared_bails_or_interrupts(error):
    class Raising(str):
        __slots__ = ()
        __hash__ = str.__hash__

        def __eq__(self, other: object) -> bool:
            raise error

    value = {Raising("a"): 1}
    if error is ValueError:
        assert plan(None, None).write(value) is None
    else:
        with pytest.raises(KeyboardInterrupt):
            plan(None, None).write(value)


@dataclasses.dataclass
class Lazy:
    a: Any
    b: Any
    c: Any

    def __getattribute__(self, name: str) -> Any:
        if name == "a":
            self.__dict__.clear()
            gc.collect()
            return []
        return object.__getattribute__(self, name)


def test_an_attribute_that_removes_the_others_bails():
    assert plan(lambda _: b"1", Lazy).write(Lazy([], [], fresh())) is None


class Dying:
    """Empties a container when it is freed."""

    def __init__(self, target: dict[str, Any]) -> None:
        self.target = target

    def __del__(self) -> None:
        self.target.clear()


def test_a_finalizer_that_clears_the_record_does_no_harm():
    whole: dict[str, Any] = {"c": fresh()}
    whole["a"] = Dying(whole)
    whole["b"] = [fresh()]

    def ask(item: object) -> bytes:
        whole.pop("a", None)
        del item
        gc.collect()
        return b"1"

    assert plan(ask).write(whole) == f'{{"a":1,"b":1,"c":"{fresh()}"}}'.encode()


def test_a_uuid_class_with_another_attribute_runs_it_safely(monkeypatch):
    whole: dict[str, Any] = {"a": 1, "b": 2, "c": fresh()}
    identifier = uuid.UUID(int=7)
    whole["a"] = identifier

    def clear(self: uuid.UUID) -> int:
        whole.clear()
        gc.collect()
        return 9

    nodes = [
        n.record("typed_dict", None, n.field("a", 1, kept=False), n.field("c", 2)),
        n.UUID,
        n.STR,
    ]
    compiled = _core.Plan(nodes, 0)
    monkeypatch.setattr(uuid.UUID, "int", property(clear))
    assert compiled.write(whole) == f'{{"c":"{fresh()}"}}'.encode()
    assert whole == {}


def test_another_thread_may_change_rows_while_a_callable_waits():
    rows: list[dict[str, Any]] = [{"a": [], "b": [], "c": fresh()} for _ in range(200)]
    entered, changed = threading.Event(), threading.Event()

    def ask(item: object) -> bytes:
        entered.set()
        assert changed.wait(10)
        return b"1"

    def change() -> None:
        assert entered.wait(10)
        for row in rows:
            row.clear()
        rows.clear()
        gc.collect()
        changed.set()

    thread = threading.Thread(target=change)
    thread.start()
    record = n.record("typed_dict", None, *FIELDS)
    written = _core.Plan([("list", 3, None, None), ("opaque", ask, None), n.STR, record], 0).write(
        rows
    )
    thread.join()
    assert written is None


def test_a_plan_may_be_run_by_its_own_callable():
    compiled: list[_core.Plan] = []
    compiled.append(
        plan(lambda item: compiled[0].write(item) if isinstance(item, dict) else b"1", None)
    )
    inner = {"a": 1, "b": 2, "c": "in"}
    assert (
        compiled[0].write({"a": inner, "b": inner, "c": "out"})
        == b'{"a":{"a":1,"b":1,"c":"in"},"b":{"a":1,"b":1,"c":"in"},"c":"out"}'
    )


def references(value: object) -> list[object]:
    """Every object below a value, itself included."""
    found = [value]
    for item in found:
        if isinstance(item, dict):
            found += [*item.keys(), *item.values()]
        elif isinstance(item, list | tuple):
            found += item
        elif isinstance(item, Model):
            found.append(item.__dict__)
    return found


@pytest.mark.parametrize("outcome", ["written", "bailed", "raised"])
def test_no_reference_is_kept_or_lost(outcome):
    def ask(item: object) -> bytes | None:
        if item == "stop":
            if outcome == "raised":
                raise KeyboardInterrupt
            return None
        return b"1"

    last = "last" if outcome == "written" else "stop"
    compiled = _core.Plan(
        [("list", 3, None, None), ("opaque", ask, ask), n.STR, n.record("model", Model, *FIELDS)], 0
    )
    rows = [
        {"".join(["a"]): object(), "b": [fresh()], "c": fresh(), fresh(): 1},
        {"c": fresh(), "b": object(), "a": fresh()},
        Model.model_construct(a=object(), b=fresh(), c=fresh()),
        {"a": object(), "b": last, "c": fresh()},
    ]
    objects = references(rows)
    before = [sys.getrefcount(item) for item in objects]
    for _ in range(50):
        for run in (compiled.write, compiled.write_reporting):
            if outcome == "raised":
                with pytest.raises(KeyboardInterrupt):
                    run(rows)
            else:
                assert (run(rows) is None) == (outcome == "bailed")
    slack = 20
    assert [
        after - known
        for item, known in zip(objects, before, strict=True)
        if (after := sys.getrefcount(item)) - known > slack
    ] == []
    assert all(
        sys.getrefcount(item) >= known - slack for item, known in zip(objects, before, strict=True)
    )


@pytest.mark.parametrize(
    "node",
    [
        ("dict", 1, None, None),
        ("list", 1, None, None),
        ("tuple", [1, 1]),
        ("tuple_of", 1, None, None),
    ],
    ids=["dict", "list", "tuple", "tuple_of"],
)
@pytest.mark.parametrize("last", ["text", "\ud800"], ids=["written", "bailed"])
def test_no_reference_to_an_item_is_kept_or_lost(node, last):
    items = [fresh(), last + fresh()]
    value: object = items
    if node[0] == "dict":
        value = {fresh() + item: item for item in items}
    elif node[0] != "list":
        value = tuple(items)
    compiled = _core.Plan([node, n.STR], 0)
    objects = references(value)
    before = [sys.getrefcount(item) for item in objects]
    for _ in range(50):
        assert (compiled.write(value) is None) == (last != "text")
    assert [sys.getrefcount(item) for item in objects] == before


def test_no_memory_is_kept_from_call_to_call():
    compiled = _core.Plan(
        [("list", 1, None, None), n.record("typed_dict", None, n.field("a", 2)), n.STR], 0
    )
    gc.collect()
    compiled.write_reporting([{"a": fresh(), fresh(): 1}])
    before = sys.getallocatedblocks()
    for _ in range(200):
        compiled.write_reporting([{"a": fresh(), fresh() + str(number): 1} for number in range(20)])
    assert sys.getallocatedblocks() - before < 100


def test_rows_make_no_objects_for_the_collector():
    compiled = _core.Plan(
        [
            ("list", 1, None, None),
            n.record("typed_dict", None, n.field("a", 2), n.field("b", 3)),
            n.STR,
            n.UUID,
        ],
        0,
    )
    rows = [{"a": fresh(), "b": uuid.UUID(int=number), "c": 1} for number in range(5000)]
    gc.collect()
    gc.disable()
    try:
        before = gc.get_count()[0]
        assert compiled.write(rows) is not None
        assert gc.get_count()[0] - before < 20
    finally:
        gc.enable()


def test_a_plan_in_a_cycle_with_its_callable_is_collected():
    class Owner:
        def ask(self, item: object) -> bytes:
            return b"1"

    owner = Owner()
    owner.plan = _core.Plan([("opaque", owner.ask, None)], 0)  # type: ignore[attr-defined]
    watched = weakref.ref(owner)
    del owner
    gc.collect()
    assert watched() is None
