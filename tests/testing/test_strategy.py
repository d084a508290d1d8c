"""Strategies draw what validation accepts, all of it that matters, and shrink."""

import datetime as dt
import json
import math
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, Phase, find, given, seed, settings
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    PlainValidator,
    TypeAdapter,
    create_model,
)

import polyface as pf
from polyface.schema.adapter import Schema
from polyface.testing import strategy_for
from polyface.testing.builder import Builder
from polyface.testing.override import Overrides
from polyface.testing.place import Place
from tests.fuzz import examples
from tests.testing.subjects import (
    CONSTRAINED,
    OTHERS,
    Address,
    Aliased,
    Box,
    Cat,
    Chain,
    Dog,
    Frozen,
    Item,
    Open,
    Own,
    Range,
    Strict,
    Tagged,
    Tree,
)

DRAWN = settings(
    max_examples=2000,
    database=None,
    derandomize=True,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
SHRUNK = settings(DRAWN, phases=[Phase.generate, Phase.shrink])


def run(strategy, check, count):
    """Run a check over drawn values, as a property test of its own."""

    def hold(value):
        check(value)

    examples(count)(given(strategy)(hold))()


# --- what is drawn is accepted ----------------------------------------------------------------


@pytest.mark.parametrize("type_", [*CONSTRAINED, *OTHERS], ids=str)
def test_every_python_value_is_accepted(type_: Any):
    adapter = TypeAdapter[Any](type_)
    seen = []

    def check(value):
        adapter.validate_python(value)
        seen.append(value)

    run(strategy_for(type_), check, 8)
    assert seen


@pytest.mark.parametrize("type_", [*CONSTRAINED, *OTHERS], ids=str)
def test_every_json_value_is_accepted_as_json(type_: Any):
    adapter = TypeAdapter[Any](type_)
    seen = []

    def check(value):
        adapter.validate_json(json.dumps(value, allow_nan=False))
        seen.append(value)

    run(strategy_for(type_, form="json"), check, 8)
    assert seen


@pytest.mark.parametrize("form", ["python", "json"])
@pytest.mark.parametrize("type_", CONSTRAINED, ids=str)
def test_what_the_schema_says_is_kept_to_by_construction(type_: Any, form):
    schema = Schema[Any](type_)
    builder = Builder(schema.core, schema.name, Overrides({}))
    run(builder.root(Place(form=form)), lambda value: None, 12)
    assert builder.sieves
    assert {repr(sieve): sieve.refused for sieve in builder.sieves if sieve.refused} == {}
    assert builder.sieves[-1].accepted >= 1


# --- what is drawn is all that matters --------------------------------------------------------

INTERESTING: dict[str, tuple[Any, Callable[[Any], bool]]] = {
    "an empty text": (str, lambda value: value == ""),
    "text outside ASCII": (str, lambda value: "é" in value),
    "an astral character": (str, lambda value: any(sign > "\uffff" for sign in value)),
    "right-to-left text": (
        str,
        lambda value: any(unicodedata.bidirectional(sign) in ("R", "AL") for sign in value),
    ),
    "a control character": (
        str,
        lambda value: any(unicodedata.category(sign) == "Cc" for sign in value),
    ),
    "an integer beyond 64 bits": (int, lambda value: value > 2**64),
    "an integer that no double holds": (int, lambda value: int(float(value)) != value),
    "a negative zero": (float, lambda value: value == 0 and math.copysign(1, value) < 0),
    "the smallest double": (float, lambda value: value == 5e-324),
    "the first day": (dt.date, lambda value: value == dt.date.min),
    "the last day": (dt.date, lambda value: value == dt.date.max),
    "the last moment": (dt.datetime, lambda value: value.replace(tzinfo=None) == dt.datetime.max),
    "an aware moment": (dt.datetime, lambda value: value.tzinfo is not None),
    "the longest duration": (dt.timedelta, lambda value: value == dt.timedelta.max),
    "a decimal with an exponent": (Decimal, lambda value: value == Decimal("1E+5")),
    "an empty list": (list[int], lambda value: value == []),
    "an empty mapping": (dict[str, int], lambda value: value == {}),
    "the lower bound": (Annotated[int, Field(ge=-77)], lambda value: value == -77),
    "the upper bound": (Annotated[float, Field(le=0.7)], lambda value: value == 0.7),
    "the least multiple": (Annotated[int, Field(ge=10, multiple_of=7)], lambda value: value == 14),
    "the longest text": (Annotated[str, Field(max_length=200)], lambda value: len(value) == 200),
    "the largest decimal": (
        Annotated[Decimal, Field(max_digits=4, decimal_places=1)],
        lambda value: value == Decimal("999.9"),
    ),
    "the longest list": (Annotated[list[int], Field(max_length=4)], lambda value: len(value) == 4),
    "a key left out": (Address, lambda value: "zip" not in value),
    "a key that is there": (Address, lambda value: "zip" in value),
    "a mapping": (Cat, lambda value: isinstance(value, dict)),
    "an instance": (Cat, lambda value: isinstance(value, Cat)),
    "a default left out": (Cat, lambda value: isinstance(value, dict) and "kind" not in value),
    "None": (int | None, lambda value: value is None),
    "the second member": (int | str, lambda value: isinstance(value, str)),
    "both members": (list[int | str], lambda value: {type(item) for item in value} == {int, str}),
    "an alias": (Aliased, lambda value: isinstance(value, dict) and "First" in value),
    "a name beside its alias": (
        Aliased,
        lambda value: isinstance(value, dict) and "first" in value,
    ),
    "an alias path": (Aliased, lambda value: isinstance(value, dict) and "pair" in value),
    "an undeclared key": (Open, lambda value: isinstance(value, dict) and len(value) == 2),
    "a tree of three levels": (
        Tree,
        lambda value: isinstance(value, Tree) and any(child.children for child in value.children),
    ),
    "a second discriminator": (
        Annotated[Cat | Dog, Field(discriminator="kind")],
        lambda value: isinstance(value, dict) and value["kind"] == "hound",
    ),
}


@pytest.mark.parametrize("what", INTERESTING)
def test_it_draws(what: str):
    type_, is_interesting = INTERESTING[what]
    found = find(strategy_for(type_), is_interesting, settings=DRAWN)
    assert is_interesting(found)


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_it_draws_what_json_has_no_number_for_as_python_values_only(number: float):
    found = find(strategy_for(float), lambda value: repr(value) == repr(number), settings=DRAWN)
    assert repr(found) == repr(number)
    run(strategy_for(float, form="json"), lambda value: json.dumps(value, allow_nan=False), 100)


SMALLEST = [
    (int, lambda value: value >= 7, 7),
    (list[int], lambda value: len(value) >= 2, [0, 0]),
    (Address, lambda value: True, {"city": ""}),
    (Tree, lambda value: isinstance(value, dict), {"value": 0}),
    (
        Tree,
        lambda value: isinstance(value, dict) and bool(value.get("children")),
        {"value": 0, "children": [{"value": 0}]},
    ),
    (Chain, lambda value: value["before"] is not None, {"before": {"before": None}}),
    (Box[Cat], lambda value: isinstance(value, dict), {"item": {"lives": 0}, "more": []}),
    (Range, lambda value: isinstance(value, dict) and value["high"] > 3, {"low": 0, "high": 4}),
    (str, lambda value: len(value) >= 1, "0"),
]


@pytest.mark.parametrize(("type_", "is_wanted", "smallest"), SMALLEST, ids=str)
def test_it_shrinks_to_a_small_example(type_: Any, is_wanted, smallest):
    assert find(strategy_for(type_), is_wanted, settings=SHRUNK) == smallest


def test_a_recursive_type_is_entered_four_times_at_most():
    def depth(value):
        return 0 if value is None else 1 + depth(value["before"])

    assert depth(find(strategy_for(Chain), lambda value: depth(value) == 4, settings=DRAWN)) == 4
    run(strategy_for(Chain), lambda value: depth(value) <= 4 or pytest.fail("too deep"), 100)


# --- overrides --------------------------------------------------------------------------------


class Money:
    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler):
        return handler.generate_schema(Annotated[Any, PlainValidator(cls.read)])

    @classmethod
    def read(cls, value: Any):
        if not isinstance(value, Money):
            raise ValueError("not money")
        return value


class Offer(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    price: Money
    title: str
    cat: Cat
    rows: list[Address] = Field(alias="Rows")
    pair: tuple[int, str] = (0, "")
    prices: dict[str, int] = {}


OVERRIDES = [
    ({"title": st.just("a")}, lambda offer: offer.title == "a"),
    ({Cat: st.just({"lives": 9})}, lambda offer: offer.cat.lives == 9),
    ({"cat.lives": st.just(8)}, lambda offer: offer.cat.lives == 8),
    (
        {Cat: st.just({"lives": 9}), "cat": st.just({"lives": 3})},
        lambda offer: offer.cat.lives == 3,
    ),
    ({"rows[].city": st.just("Ulm")}, lambda offer: {row["city"] for row in offer.rows} <= {"Ulm"}),
    (
        {"Rows[]": st.just({"city": "Ulm"})},
        lambda offer: all(row["city"] == "Ulm" for row in offer.rows),
    ),
    ({"pair[1]": st.just("x")}, lambda offer: offer.pair[1] == "x" or offer.pair == (0, "")),
    ({"prices.*": st.just(5)}, lambda offer: set(offer.prices.values()) <= {5}),
    ({list[Address]: st.just([])}, lambda offer: offer.rows == []),
]


@pytest.mark.parametrize(("overrides", "holds"), OVERRIDES, ids=lambda item: str(item)[:40])
def test_an_override_is_drawn_where_it_is_declared(overrides, holds):
    strategy = strategy_for(Offer, overrides={Money: st.builds(Money), **overrides})
    run(strategy, lambda value: holds(Offer.model_validate(value)) or pytest.fail(repr(value)), 30)


def test_an_override_holds_at_every_depth_of_a_recursive_type():
    def values(tree):
        return {tree.value}.union(*map(values, tree.children))

    strategy = strategy_for(Tree, overrides={int: st.just(4)})
    run(
        strategy,
        lambda value: values(Tree.model_validate(value)) == {4} or pytest.fail(repr(value)),
        30,
    )


def test_a_json_override_takes_the_place_of_json_values():
    strategy = strategy_for(Own, form="json", overrides={Own: st.just("own")})
    assert find(strategy, lambda value: True) == "own"


@pytest.mark.parametrize("key", ["titel", "cat.lifes", "rows.city", Frozen, list[int]], ids=str)
def test_an_override_that_is_no_part_of_the_type_is_refused(key: Any):
    with pytest.raises(pf.DeclarationError, match=r"override `.*` is no part of `Offer`"):
        strategy_for(Offer, overrides={Money: st.builds(Money), key: st.just(0)})


def test_a_path_that_cannot_be_read_is_refused():
    with pytest.raises(pf.DeclarationError, match=r"`rows\[x\]` isn't a path"):
        strategy_for(Offer, overrides={"rows[x]": st.just(0)})


# --- refusals ---------------------------------------------------------------------------------


def refuse(value: Any):
    raise ValueError("never")


@pytest.mark.parametrize("form", ["python", "json"])
@pytest.mark.parametrize(
    ("annotation", "what"),
    [
        (Annotated[str, AfterValidator(refuse)], "a validated part of `Hopeless`"),
        (Annotated[int, PlainValidator(refuse)], "a validator of its own in `Hopeless`"),
    ],
)
def test_a_hopeless_validator_is_named_with_the_remedy(annotation: Any, what: str, form):
    hopeless = create_model("Hopeless", field=(annotation, ...))
    with pytest.raises(pf.DeclarationError) as caught:
        find(strategy_for(hopeless, form=form), lambda value: True, settings=DRAWN)
    assert what in str(caught.value)
    assert "`overrides=`" in str(caught.value)


@pytest.mark.parametrize("number", range(6))
@pytest.mark.parametrize("form", ["python", "json"])
def test_a_test_of_a_hopeless_validator_ends_alike_however_it_is_seeded(form, number):
    hopeless = create_model("Hopeless", field=(Annotated[int, PlainValidator(refuse)], ...))

    @seed(number)
    @settings(DRAWN, derandomize=False)
    @given(strategy_for(hopeless, form=form))
    def test(value: Any) -> None:
        raise AssertionError("a value was made")

    with pytest.raises(pf.DeclarationError, match="a validator of its own in `Hopeless`"):
        test()


def test_a_validator_that_refuses_most_values_is_no_hopeless_one():
    seldom = Annotated[
        int, AfterValidator(lambda number: number if number % 5 == 0 else refuse(number))
    ]
    run(strategy_for(list[seldom]), lambda value: None, 50)


@pytest.mark.parametrize("type_", [type[int], tuple[int, Callable[[int], int]]], ids=str)
def test_a_type_without_json_values_is_refused(type_: Any):
    with pytest.raises(pf.DeclarationError, match="no value in the form `json`"):
        strategy_for(type_, form="json")
    run(strategy_for(type_), lambda value: None, 5)


def test_a_pattern_that_python_cannot_read_is_refused_with_the_remedy():
    unread = Annotated[str, Field(pattern=r"^\p{Greek}+$")]
    with pytest.raises(pf.DeclarationError, match=r"pattern `\^\\p\{Greek\}\+\$`.*`overrides=`"):
        strategy_for(unread)
    strategy = strategy_for(unread, overrides={unread: st.just("αβγ")})
    assert find(strategy, lambda value: True) == "αβγ"


def test_a_kind_of_schema_that_nobody_knows_is_refused_by_name():
    schema = {"type": "odd"}
    builder = Builder(schema, "Odd", Overrides({}))
    with pytest.raises(pf.DeclarationError, match=r"schema type `odd` in `Odd`.*`overrides=`"):
        builder.build(schema, Place(form="python"))


def test_what_is_no_type_is_refused():
    with pytest.raises(pf.DeclarationError, match="isn't a type that pydantic can check"):
        strategy_for(object())  # type: ignore[arg-type]  # the point


def test_a_strategy_is_told_by_the_name_of_its_type():
    assert repr(strategy_for(Strict)) == "accepted(`Strict`)"
    assert repr(strategy_for(list[Tagged])) == "accepted(`list[Tagged]`)"
    assert repr(strategy_for(Item)) == "accepted(`Item`)"
