"""Whole plans, against pydantic itself: over every carrier, every container, and values that nearly fit."""

import dataclasses
import json
from collections.abc import Callable
from random import Random
from typing import Annotated, Any, Literal, NotRequired

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from polyface import _core
from tests.core import nodes as n
from tests.core import twin_prune, twin_strip
from tests.core.test_leaves import REFUSED, law


class Address(BaseModel):
    street: str
    zip: str | None = None


@dataclasses.dataclass
class Point:
    x: int
    y: float


@dataclasses.dataclass(slots=True)
class Slotted:
    label: str
    points: list[Point]


class Options(TypedDict):
    limit: int
    sort: NotRequired[str]


class Cat(BaseModel):
    kind: Literal["cat", "lion"] = Field(alias="Kind")
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"] = Field(alias="Kind")
    name: str


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Person(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=True)
    name: str
    age: int = Field(alias="Age")
    address: Address | None
    points: tuple[Point, ...] = ()
    slotted: Slotted
    options: Options
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    scores: dict[str, float]
    pair: tuple[int, str]
    strict: Strict
    friends: list["Person"] = []


NODES: list[n.NODE] = [
    ("list", 1, None, None),
    n.record(
        "model", Person,
        n.field("name", 2), n.field("age", 3, reads=("Age", "age"), writes="Age"), n.field("address", 4),
        n.field("points", 6, absent=b"[]"), n.field("slotted", 8), n.field("options", 10), n.field("pet", 11),
        n.field("scores", 14), n.field("pair", 16), n.field("strict", 17), n.field("friends", 0, absent=b"[]"),
    ),
    n.STR,
    n.INT,
    ("nullable", 5),
    n.record("model", Address, n.field("street", 2), n.field("zip", 18, absent=b"null")),
    ("tuple_of", 7, None, None),
    n.record("dataclass", Point, n.field("x", 3), n.field("y", 15)),
    n.record("dataclass", Slotted, n.field("label", 2), n.field("points", 9)),
    ("list", 7, None, None),
    n.record("typed_dict", None, n.field("limit", 3), n.field("sort", 2, absent="skip")),
    ("tagged", "Kind", "kind", {"cat": 12, "lion": 12, "dog": 13}),
    n.record("model", Cat, n.field("kind", 19, reads=("Kind",), writes="Kind"), n.field("lives", 3)),
    n.record("model", Dog, n.field("kind", 20, reads=("Kind",), writes="Kind"), n.field("name", 2)),
    ("dict", 15, None, None),
    n.FLOAT,
    ("tuple", [3, 2]),
    n.record("model", Strict, n.field("a", 3), extra="forbid"),
    ("nullable", 2),
    ("literal", ["cat", "lion"], None),
    ("literal", ["dog"], None),
]  # fmt: skip
LAW = TypeAdapter(list[Person])
FULL = _core.Plan(NODES, 0)
KEPT = {"name", "address", "pet", "scores", "strict"}


def drop(node: n.NODE, kept: set[str]) -> n.NODE:
    fields = [(*field[:5], field[0] in kept) for field in node[3]]
    return (*node[:3], fields, node[4])


CARD_NODES = [NODES[0], drop(NODES[1], KEPT), *NODES[2:5], drop(NODES[5], {"street"}), *NODES[6:]]
CARD = _core.Plan(CARD_NODES, 0)
KEEP: list[n.NODE] = [
    ("array", 1),
    ("object", {"name": 2, "address": 3, "pet": 2, "scores": 2, "strict": 2}, None),
    ("all",),
    ("object", {"street": 2}, None),
]

WRONG: list[Any] = [None, "1", 1, 1.5, True, [], {}, "\ud800", float("nan")]
SEEDS = st.integers(0, 2**32).map(Random)


class Maker:
    """Random values that fit or nearly fit. Faster by far than composed strategies, for values of this size."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.wrong_share = random.choice([0, 0, 0.01])

    def sometimes(self, value: object) -> Any:
        return self.random.choice(WRONG) if self.random.random() < self.wrong_share else value

    def text(self) -> Any:
        return self.sometimes(
            "".join(self.random.choices('ab"é中😀\n', k=self.random.randrange(4)))
        )

    def integer(self) -> Any:
        return self.sometimes(self.random.choice([0, 1, -3, 2**70, self.random.randrange(10**6)]))

    def number(self) -> Any:
        return self.sometimes(self.random.choice([self.random.uniform(-9, 9), 3, -0.0, 1e300]))

    def several(self, make: Callable[[], Any], most: int = 2) -> list[Any]:
        return [make() for _ in range(self.random.randint(0, most))]

    def mapping(self, optional: dict[str, Any] | None = None, /, **required: Any) -> dict[str, Any]:
        """A dict with its keys in any order, some optional ones absent, and undeclared ones now and then."""
        items = list(required.items())
        items += [item for item in (optional or {}).items() if self.random.random() < 0.6]
        if self.random.random() < 0.2:
            items += [(self.random.choice(["extra", "".join(["ot", "her"])]), 0)]
        if self.random.random() < 0.5:
            self.random.shuffle(items)
        return dict(items)

    def address(self) -> Any:
        if self.random.random() < 0.2:
            return self.random.choice([None, Address(street="s")])
        return self.mapping({"zip": self.random.choice([None, self.text()])}, street=self.text())

    def point(self) -> Any:
        made = self.mapping(x=self.integer(), y=self.number())
        return Point(made["x"], made["y"]) if self.random.random() < 0.3 else made

    def slotted(self) -> Any:
        made = self.mapping(label=self.text(), points=self.several(self.point))
        return Slotted(made["label"], made["points"]) if self.random.random() < 0.3 else made

    def pet(self) -> Any:
        kind = self.random.choice(["cat", "lion", "dog"])
        if self.random.random() < 0.2:
            return Cat(Kind="cat", lives=9) if kind != "dog" else Dog(Kind="dog", name="Rex")
        rest = {"name": self.text()} if kind == "dog" else {"lives": self.integer()}
        return self.mapping(Kind=self.sometimes(kind), **rest)

    def person(self, depth: int = 1) -> Any:
        friends = self.several(lambda: self.person(depth - 1)) if depth else []
        made = self.mapping(
            {"points": self.random.choice([list, tuple])(self.several(self.point)), "friends": friends},
            name=self.text(), address=self.address(), slotted=self.slotted(), pet=self.pet(), strict=Strict(a=1) if depth else {"a": self.integer()},
            options=self.mapping({"sort": self.text()}, limit=self.integer()), scores={str(self.text()): self.number() for _ in range(2)},
            pair=self.random.choice([list, tuple])([self.integer(), self.text()]),
        )  # fmt: skip
        return made | {self.random.choice(["Age", "age"]): self.integer()}

    def rows(self) -> list[Any]:
        return self.several(self.person, 3)


def instances(rows: list[Any]) -> list[Any] | None:
    try:
        return LAW.validate_python(rows)
    except ValueError:
        return None


@settings(max_examples=400)
@given(SEEDS)
def test_what_a_plan_writes_is_pydantics(random):
    rows = Maker(random).rows()
    expected = law(LAW, rows)
    full, card = FULL.write(rows), CARD.write(rows)
    assert full in (None, expected)
    assert (full is None) == (card is None)
    if full is not None:
        assert card == twin_prune.prune(KEEP, 0, full)


@settings(max_examples=400)
@given(SEEDS)
def test_what_a_plan_reports_is_the_twins(random):
    rows = Maker(random).rows()
    for plan, nodes in ((FULL, NODES), (CARD, CARD_NODES)):
        reported = plan.write_reporting(rows)
        assert (reported and reported[0]) == plan.write(rows)
        if reported is not None:
            assert reported[1] == twin_strip.report(nodes, 0, rows)


@settings(max_examples=300)
@given(SEEDS)
def test_instances_are_written_as_pydantic_serialises_them(random):
    rows = Maker(random).rows()
    people = instances(rows)
    if people is None:
        return
    for person in people:
        if random.random() < 0.3:
            items = list(person.__dict__.items())
            random.shuffle(items)
            person.__dict__.clear()
            person.__dict__.update(items)
        if random.random() < 0.2:
            person.name = random.choice([1, None, "x"])
        if random.random() < 0.1:
            del person.__dict__["age"]
        if random.random() < 0.2:
            person.__dict__["cached"] = object()
    written = FULL.write(people)
    if written is not None:
        assert written == law(LAW, people)
        assert FULL.write_reporting(people) == (written, [])


def valid(**changes: Any) -> dict[str, Any]:
    whole = {
        "name": "Ada", "Age": 36, "address": {"street": "A", "zip": "1"}, "points": [{"x": 1, "y": 2}], "slotted": Slotted("l", [Point(1, 2.0)]),
        "options": {"limit": 1}, "pet": {"Kind": "dog", "name": "Rex"}, "scores": {"a": 1.0}, "pair": (1, "a"), "strict": {"a": 1},
    }  # fmt: skip
    return whole | changes


class Key(str):
    __slots__ = ()


@pytest.mark.parametrize(
    "changes",
    [
        {}, {"extra": 1}, {Key("extra"): 1}, {5: 1, None: 2}, {"before": 0, 5: 1, "after": 2}, {"age": 3}, {"points": ({"x": 1, "y": 2.5},)}, {"pair": [1, "b"]},
        {"friends": [valid(), valid(extra=1)]}, {"pet": Cat(Kind="lion", lives=9)}, {"address": Address(street="S")},
        {"scores": {"": 1, '"': 2.5}}, {"slotted": {"label": "x", "points": [Point(1, 2.0), {"x": 2, "y": 1.0}]}},
    ],
    ids=range(13),
)  # fmt: skip
def test_a_plan_is_certain_of_values_that_fit(changes):
    row = valid(**{key: value for key, value in changes.items() if type(key) is str}) | changes
    assert FULL.write([row]) == law(LAW, [row])
    assert FULL.write((row,)) == law(LAW, (row,))
    reported = FULL.write_reporting([row])
    assert reported is not None
    assert reported[1] == twin_strip.report(NODES, 0, [row])


class SubPerson(Person):
    more: int = 0


@dataclasses.dataclass
class SubPoint(Point):
    z: int = 0


@pytest.mark.parametrize(
    "row",
    [
        1, None, [], "row", {}, valid(name=Key("a")), valid(Age=True), valid(Age="3"), valid(strict={"a": 1, "b": 2}), valid(pet={"Kind": "fish", "name": ""}),
        valid(pet={"name": ""}), valid(pet={"Kind": Key("dog"), "name": ""}), valid(scores={1: 1.0}), valid(scores={Key("a"): 1.0}), valid(pair=(1, "a", 2)),
        valid(points=[SubPoint(1, 2.0)]), valid(points={1}), valid(options=Slotted("", [])), valid(scores={"\ud800": 1.0}), valid(strict={"a": 1, 5: 2}),
        SubPerson.model_construct(**valid()), Person.model_construct(name="x"), valid(pet=Dog.model_construct(kind="cat", name="x")),
    ],
    ids=range(23),
)  # fmt: skip
def test_a_plan_bails_on_values_that_nearly_fit(row):
    assert FULL.write([row]) is None
    assert CARD.write([row]) is None
    assert FULL.write_reporting([row]) is None


def test_a_leaf_that_is_not_exact_goes_to_its_fallback_in_input_mode_only():
    asked: list[object] = []

    def fallback(value: object) -> bytes | None:
        asked.append(value)
        return json.dumps(int(value)).encode() if isinstance(value, str) else None

    nodes = [n.record("model", Strict, n.field("a", 1)), ("int", None, None, None, None, fallback)]
    plan = _core.Plan(nodes, 0)
    assert [plan.write(value) for value in ({"a": "7"}, {"a": 7}, {"a": None})] == [
        b'{"a":7}',
        b'{"a":7}',
        None,
    ]
    assert plan.write(Strict.model_construct(a="7")) is None
    assert asked == ["7", None]


def test_an_opaque_node_asks_by_mode_and_bails_without_a_callable():
    nodes = [
        n.record("model", Strict, n.field("a", 1)),
        ("opaque", lambda _: b'"input"', lambda _: b'"instance"'),
    ]
    plan = _core.Plan(nodes, 0)
    assert [plan.write({"a": 1}), plan.write(Strict(a=1))] == [
        b'{"a":"input"}',
        b'{"a":"instance"}',
    ]
    silent = _core.Plan([nodes[0], ("opaque", None, None)], 0)
    assert [silent.write({"a": 1}), silent.write(Strict(a=1))] == [None, None]


@pytest.mark.parametrize("answer", [None, "text", b"", bytearray(b"1"), 1])
def test_an_answer_that_is_no_json_bytes_bails(answer):
    assert _core.Plan([("opaque", lambda _: answer, None)], 0).write(1) is None


def test_an_exception_of_a_callable_bails_but_an_interrupt_is_raised():
    def fail(error: type[BaseException]) -> bytes:
        raise error

    failures: list[type[BaseException]] = [ValueError, RecursionError, MemoryError, StopIteration]
    for error in failures:
        assert (
            _core.Plan([("opaque", lambda _, error=error: fail(error), None)], 0).write(1) is None
        )
    interrupts: list[type[BaseException]] = [KeyboardInterrupt, SystemExit, GeneratorExit]
    for error in interrupts:
        with pytest.raises(error):
            _core.Plan(
                [("list", 1, None, None), ("opaque", lambda _, error=error: fail(error), None)], 0
            ).write([1])


@pytest.mark.parametrize(("size", "is_certain"), [(1, False), (2, True), (3, True), (4, False)])
def test_sizes_of_containers_are_bounds(size, is_certain):
    for kind, value in (
        ("list", [1] * size),
        ("tuple_of", (1,) * size),
        ("dict", {str(number): 1 for number in range(size)}),
    ):
        assert (_core.Plan([(kind, 1, 2, 3), n.INT], 0).write(value) is not None) == is_certain


def test_depth_is_bounded_exactly_and_a_cycle_bails():
    plan = _core.Plan([("list", 1, None, None), ("nullable", 0)], 0)
    value: list[Any] = []
    for _ in range(127):
        value = [value]
    assert plan.write(value) == b"[" * 128 + b"]" * 128
    assert plan.write([value]) is None
    value[:] = [value]
    assert plan.write(value) is None


def test_a_record_of_typed_dicts_inside_an_instance_keeps_its_own_order():
    class Holder(BaseModel):
        options: Options

    nodes = [
        n.record("model", Holder, n.field("options", 1)),
        n.record("typed_dict", None, n.field("limit", 2), n.field("sort", 3, absent="skip")),
        n.INT,
        n.STR,
    ]
    plan = _core.Plan(nodes, 0)
    fitting: list[dict[Any, Any]] = [
        {"sort": "a", "limit": 1},
        {"limit": 1},
        {"limit": 1, "other": 2},
    ]
    for options in fitting:
        holder = Holder.model_construct(options=options)
        assert plan.write(holder) == law(TypeAdapter(Holder), holder) != REFUSED
    failing: list[dict[Any, Any]] = [{"sort": "a"}, {"limit": 1, 5: 2}, {"limit": 1.5}]
    for options in failing:
        assert plan.write(Holder.model_construct(options=options)) is None


def test_two_fields_that_read_one_name_both_get_its_value():
    class Twice(BaseModel):
        a: int = Field(validation_alias="x")
        b: int = Field(validation_alias="x")

    plan = _core.Plan(
        [
            n.record("model", Twice, n.field("a", 1, reads=("x",)), n.field("b", 1, reads=("x",))),
            n.INT,
        ],
        0,
    )
    assert plan.write({"x": 1}) == law(TypeAdapter(Twice), {"x": 1}) == b'{"a":1,"b":1}'
    assert plan.write_reporting({"x": 1, "y": 2}) == (b'{"a":1,"b":1}', [("y", 1, None)])


def test_the_second_of_two_names_is_reported():
    row = valid(age=3)
    reported = FULL.write_reporting([row, row])
    assert reported is not None
    assert reported[1] == [("[].age", 2, 0)]


def test_paths_fold_indexes_and_stars_stand_for_keys():
    leaf = n.record("typed_dict", None)
    plan = _core.Plan(
        [
            n.record("typed_dict", None, n.field("m", 1)),
            ("dict", 2, None, None),
            ("list", 3, None, None),
            leaf,
        ],
        0,
    )
    value = {"m": {"k": [{}, {"z": 1}], "l": [{"z": 2, "y": 3}]}, "w": 0}
    assert plan.write_reporting(value) == (
        b'{"m":{"k":[{},{}],"l":[{}]}}',
        [("w", 1, None), ("m.*[].z", 2, 1), ("m.*[].y", 1, 0)],
    )


def test_many_rows_with_keys_of_their_own_are_found_by_text():
    nodes = [("list", 1, None, None), n.record("typed_dict", None, n.field("key", 2)), n.INT]
    rows = [{"".join(["k", "ey"]): number, f"other{number}": 1} for number in range(6000)]
    reported = _core.Plan(nodes, 0).write_reporting(rows)
    assert reported is not None
    assert (
        reported[0]
        == json.dumps([{"key": number} for number in range(6000)], separators=(",", ":")).encode()
    )
    assert reported[1] == [(f"[].other{number}", 1, number) for number in range(6000)]


def test_a_row_with_one_absent_and_one_undeclared_key_is_reported():
    plan = _core.Plan(
        [n.record("typed_dict", None, n.field("a", 1, absent="skip"), n.field("b", 1)), n.INT], 0
    )
    assert plan.write_reporting({"b": 1, "c": 2}) == (b'{"b":1}', [("c", 1, None)])


def test_an_instance_that_carries_the_tag_of_another_class_bails():
    cat = n.record("model", Cat, n.field("kind", 3), n.field("lives", 4))
    dog = n.record("model", Dog, n.field("kind", 3), n.field("name", 3))
    plan = _core.Plan([("tagged", "Kind", "kind", {"cat": 1, "dog": 2}), cat, dog, n.STR, n.INT], 0)
    assert plan.write(Dog.model_construct(kind="dog", name="x")) == b'{"kind":"dog","name":"x"}'
    assert plan.write(Dog.model_construct(kind="cat", name="x")) is None
