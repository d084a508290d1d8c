"""The proof that a slice fits: what it proves holds, and what it refuses has a full answer against it."""

from enum import Enum
from typing import Annotated, Any, Literal, NotRequired

import pytest
from pydantic import BaseModel, ConfigDict, Field, computed_field, create_model, field_serializer
from typing_extensions import TypedDict

from polyface.errors import DeclarationError
from polyface.execution.answer import AnswerPlan
from polyface.schema.adapter import Schema
from polyface.schema.fit import fit, same_shape
from tests.execution.twin_answer import Refusal, adapter_of, full_json, pruned_json, slice_holds
from tests.execution.twin_leaves import ANYTHING, SCALARS, Scalar

LEAVES = [one for one in SCALARS if one.annotation not in (None, Any)]


def name_of(one: Scalar) -> str:
    return f"{SCALARS.index(one)}-{getattr(one.annotation, '__name__', 'annotated')}"


def answers_of(type_: Any, one: Scalar) -> list[bytes]:
    made = []
    for value in [*one.exact, *one.near, *ANYTHING]:
        try:
            made.append(full_json(type_, {"x": value}))
        except Refusal:
            continue
    return made


@pytest.mark.parametrize("one", LEAVES, ids=name_of)
def test_a_leaf_is_proved_or_refused_as_its_values_say(one):
    full = create_model("Full", x=(one.annotation, ...))
    answers = answers_of(full, one)
    assert answers
    for other in LEAVES:
        view = create_model("View", x=(other.annotation, ...))
        adapter_of(view)
        holds = [slice_holds(view, pruned_json(view, answer)) for answer in answers]
        findings = fit(Schema(full).shape, Schema(view).shape)
        said = f"{one.annotation} as {other.annotation}: {[*map(str, findings)]}"
        if not findings:
            assert all(holds) or not other.in_core, said
        refused = [finding for finding in findings if finding.verdict == "refused"]
        if refused and not any("project=" in finding.reason for finding in refused):
            assert not all(holds), said


class Inner(BaseModel):
    city: str | None
    zip: int = 1


class InnerCard(BaseModel):
    city: str | None


class NarrowCard(BaseModel):
    city: str


class Full(BaseModel):
    a: int
    inner: Inner
    rows: list[Inner]
    by_name: dict[str, Inner]
    maybe: Inner | None = None
    pair: tuple[int, Inner]


class Loose(TypedDict):
    a: NotRequired[int]


class Renamed(BaseModel):
    a: int = Field(validation_alias="a", serialization_alias="b")


class Computing(BaseModel):
    a: int

    @computed_field
    def b(self) -> int:
        return 1


class Writing(BaseModel):
    a: int

    @field_serializer("a")
    def write(self, value: int) -> str:
        return str(value)


class Excluding(BaseModel):
    a: int
    inner: InnerCard = Field(exclude=True)


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    tail: bool


class CatCard(BaseModel):
    kind: Literal["cat"]


class KindCard(BaseModel):
    kind: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


def card(**fields: Any) -> Any:
    make: Any = create_model
    return make("Card", **{name: (type_, ...) for name, type_ in fields.items()})


@pytest.mark.parametrize(
    ("full", "view", "refusals"),
    [
        (Full, card(a=int), []),
        (Full, card(a=int | None), []),
        (Full, card(a=str), ["`a`: `int` does not fit `str`"]),
        (Full, card(b=int), ["`b`: `Full` has no such field"]),
        (Full, card(inner=InnerCard, rows=list[InnerCard]), []),
        (Full, card(inner=NarrowCard), ["`inner.city`: `str | None` does not fit `str`"]),
        (Full, card(rows=list[NarrowCard]), ["`rows[].city`: `str | None` does not fit `str`"]),
        (Full, card(by_name=dict[str, NarrowCard]), ["`by_name.*.city`: `str | None` does not fit `str`"]),
        (Full, card(pair=tuple[int, NarrowCard]), ["`pair[1].city`: `str | None` does not fit `str`"]),
        (Full, card(maybe=InnerCard), ["`maybe`: `Inner | None` does not fit `InnerCard`"]),
        (Full, card(maybe=InnerCard | None), []),
        (Full, card(rows=Annotated[list[InnerCard], Field(max_length=3)]), ["`rows`: a list of a length that the slice doesn't take"]),
        (Loose, card(a=int), ["`a`: may be absent from the full answer"]),
        (Loose, Loose, []),
        (Full, Renamed, ["`a`: read as `a` and written as `b`; use `project=`", "`b`: `Full` has no such field"]),
        (Full, Computing, ["`Computing` computes `b`; use `project=`"]),
        (Full, Writing, ["`Writing` has a serializer that sees the record on the field `a`; use `project=`", "`a`: `int` has a serializer of its own; use `project=`"]),
        (Full, Excluding, ["`inner`: a slice can't exclude a field; use `project=`"]),
        (Full, list[Full], ["`Full` does not fit `list[Full]`"]),
        (list[Full], Full, ["`list[Full]` does not fit `Full`"]),
        (Pet, KindCard, []),
        (Pet, CatCard, ["`kind`: `Literal['dog']` does not fit `Literal['cat']`"]),
        (Pet, Cat, ["`kind`: `Literal['dog']` does not fit `Literal['cat']`", "`lives`: `Dog` has no such field"]),
        (Full, card(inner=InnerCard | NarrowCard), ["`inner`: which keys of `InnerCard | NarrowCard` are kept can't be told; use `project=`"]),
    ],
)  # fmt: skip
def test_a_slice_is_refused_with_the_place_and_both_types(full, view, refusals):
    findings = fit(Schema(full).shape, Schema(view).shape)
    assert [str(finding) for finding in findings if finding.verdict == "refused"] == refusals
    if refusals:
        with pytest.raises(DeclarationError) as caught:
            AnswerPlan(full, view=view)
        assert refusals[0] in str(caught.value)
    else:
        AnswerPlan(full, view=view)


def test_a_recursive_slice_of_a_recursive_answer_is_proved():
    tree: Any = create_model("Tree", a=(int, ...), b=(int, ...), below=(list["Tree"], []))  # type: ignore[maybe-unrecognized-str-typeform,name-defined]  # noqa: F821
    part: Any = create_model("Part", a=(int, ...), below=(list["Part"], ...))  # type: ignore[maybe-unrecognized-str-typeform,name-defined]  # noqa: F821
    assert fit(Schema(tree).shape, Schema(part).shape) == ()
    plan = AnswerPlan(tree, view=part)
    value = {"a": 1, "b": 2, "below": [{"a": 3, "b": 4}]}
    assert plan.to_json(value) == b'{"a":1,"below":[{"a":3,"below":[]}]}'


@pytest.mark.parametrize("one", SCALARS, ids=name_of)
def test_a_type_is_its_own_slice(one):
    """Pydantic makes parts of a schema anew each time; that doesn't make another type of it."""
    view = create_model("View", x=(one.annotation, ...))
    assert same_shape(Schema(one.annotation).shape, Schema(one.annotation).shape)
    assert (
        fit(Schema(create_model("Full", x=(one.annotation, ...))).shape, Schema(view).shape) == ()
    )


def test_a_typed_dict_under_another_config_is_another_type():
    class Row(TypedDict):
        name: str

    class Shouting(BaseModel):
        model_config = ConfigDict(str_to_upper=True)
        row: Row

    class Plain(BaseModel):
        row: Row

    full, view = Schema(Plain).shape, Schema(Shouting).shape
    assert [finding.verdict for finding in fit(full, view)][:1] == ["undecided"]


Level2 = Enum("Level2", {"LOW": 1, "HIGH": 2})

# What no rule proves: a closed type is tried whole, another is checked on each call.
TRIED: dict[str, tuple[Any, Any, str | None]] = {
    "every literal is of some member": (Literal["a", 1], int | str, None),
    "one literal is of no member": (Literal["a", None], int | str, "refused"),
    "every member is a number": (Level2, float, None),
    "a small integer is a number": (Annotated[int, Field(ge=0, le=9)], float, "undecided"),
    "a large integer isn't": (int, float, "refused"),
    "above nothing is from one": (
        Annotated[int, Field(gt=0)],
        Annotated[int, Field(ge=1)],
        "undecided",
    ),
    "from nothing isn't": (Annotated[int, Field(ge=0)], Annotated[int, Field(ge=1)], "refused"),
    "a length beyond trying": (
        Annotated[str, Field(min_length=10**9)],
        Annotated[str, Field(min_length=10**9 + 1)],
        "undecided",
    ),
}


@pytest.mark.parametrize("case", TRIED)
def test_what_no_rule_proves_is_tried(case):
    full, view, verdict = TRIED[case]
    shapes = (Schema(create_model("One", x=(one, ...))).shape for one in (full, view))
    found = {finding.verdict for finding in fit(*shapes)}
    assert found == ({verdict} if verdict else set())


def test_what_is_undecided_is_checked_on_each_call():
    class Full(BaseModel):
        n: Annotated[int, Field(gt=0)]

    class Card(BaseModel):
        n: Annotated[int, Field(ge=1)]

    plan = AnswerPlan(Full, view=Card)
    assert not plan._proved
    assert plan.to_json({"n": 8}) == b'{"n":8}'
