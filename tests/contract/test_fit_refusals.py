"""What `with_tool_view` says of a slice that can't hold every full answer. The proof has its own tests."""

from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, Generic, Literal, NotRequired, TypeVar

import pytest
from pydantic import BaseModel, ConfigDict, Field, computed_field, create_model, field_validator
from typing_extensions import TypedDict

import polyface as pf
from tests.contract.faults import faults_of, rows

T = TypeVar("T")


def model(name: str, **fields: Any) -> type[BaseModel]:
    """Make a model of required fields; a pair gives a field its default."""
    wanted: dict[str, Any] = {
        key: value if isinstance(value, tuple) else (value, ...) for key, value in fields.items()
    }
    return create_model(name, **wanted)


class Tree(BaseModel):
    name: str
    note: str = ""
    children: list["Tree"] = []


class TreeCard(BaseModel):
    name: str
    children: list["TreeCard"] = []


class TreeOfNumbers(BaseModel):
    name: int
    children: list["TreeOfNumbers"] = []


class Box(BaseModel, Generic[T]):
    item: T
    label: str = ""


class BoxCard(BaseModel, Generic[T]):
    item: T


class Partial(TypedDict):
    a: int
    b: NotRequired[int]


class Whole(TypedDict):
    b: int


class StillPartial(TypedDict):
    b: NotRequired[int]


class Cat(BaseModel):
    kind: Literal["cat"]
    name: str
    lives: int


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str
    barks: bool


class CatCard(BaseModel):
    kind: Literal["cat"]
    lives: int


class DogCard(BaseModel):
    kind: Literal["dog"]
    name: str


class CatOfText(BaseModel):
    kind: Literal["cat"]
    lives: str


class Named(BaseModel):
    name: str


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
PetCard = Annotated[CatCard | DogCard, Field(discriminator="kind")]
PetOfText = Annotated[CatOfText | DogCard, Field(discriminator="kind")]
CatsOnly = Annotated[CatCard | Named, Field()]


class Aliased(BaseModel):
    from_: str = Field(alias="from")
    x: int


class AliasedCard(BaseModel):
    from_: str = Field(alias="from")


class Bare(BaseModel):
    from_: str


class TwoNames(BaseModel):
    x: int = Field(validation_alias="in_x", serialization_alias="x")


class Computing(BaseModel):
    x: int

    @computed_field  # type: ignore[prop-decorator]  # as pydantic's documentation has it
    @property
    def y(self) -> int:
        return self.x


class Excluding(BaseModel):
    x: int = Field(exclude=True)
    z: int


class Validated(BaseModel):
    x: int

    @field_validator("x")
    @classmethod
    def keep(cls, x: int) -> int:
        return x


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


@dataclass
class Point:
    x: int
    y: int


@dataclass
class Abscissa:
    x: int


class Colour(Enum):
    RED = "red"


X: Any = model("X", x=int)
TALL = Annotated[int, Field(ge=2)]
SHORT = Annotated[str, Field(max_length=3)]

FITS: dict[str, tuple[Any, Any]] = {
    "fewer fields": (Point, Abscissa),
    "a wider type": (model("F", a=str), model("V", a=str | None)),
    "a wider bound": (model("F", a=TALL), model("V", a=Annotated[int, Field(ge=1)])),
    "a default in the full answer": (model("F", a=(int, 3)), model("V", a=int)),
    "an absent key in an optional one": (Partial, StillPartial),
    "the same alias": (Aliased, AliasedCard),
    "a recursive model": (Tree, TreeCard),
    "a generic model": (Box[int], BoxCard[int]),
    "a discriminated union member by member": (list[Pet], list[PetCard]),
    "what all members share": (Pet, Named),
    "an object with data keys": (dict[str, Tree], dict[str, TreeCard]),
    "a model of a dataclass": (Point, model("V", x=int, y=int)),
    "a text enum in text": (model("F", c=Colour), model("V", c=str)),
    "a literal in a larger one": (model("F", c=Literal["a"]), model("V", c=Literal["a", "b"])),
    "anything": (model("F", a=int), model("V", a=Any)),
    "the whole answer": (list[Computing], list[Computing]),
}

REFUSED: dict[str, tuple[Any, Any, str]] = {
    "a missing field": (model("F", a=int), model("V", b=int), "`b`: `F` has no such field"),
    "a missing field with a default": (
        model("F", a=int),
        model("V", b=(int, 1)),
        "`b`: `F` has no such field",
    ),
    "a field that may be absent": (Partial, Whole, "`b`: may be absent from the full answer"),
    "a nullable field": (
        model("F", a=str | None),
        model("V", a=str),
        "`a`: `str | None` does not fit `str`",
    ),
    "a deep nullable field": (
        list[model("F", address=model("A", city=str | None))],  # type: ignore[misc]
        list[model("V", address=model("B", city=str))],  # type: ignore[misc]
        "`[].address.city`: `str | None` does not fit `str`",
    ),
    "a narrower bound": (
        model("F", a=Annotated[int, Field(ge=0)]),
        model("V", a=Annotated[int, Field(ge=1)]),
        "`a`: `int(ge=0)` does not fit `int(ge=1)`",
    ),
    "a shorter text": (
        model("F", a=str),
        model("V", a=SHORT),
        "`a`: `str` does not fit `str(max_length=3)`",
    ),
    "a list in an object": (list[X], X, "`list[X]` does not fit `X`"),
    "an object in a list": (X, list[X], "`X` does not fit `list[X]`"),
    "a list in a scalar": (
        model("F", a=list[int]),
        model("V", a=int),
        "`a`: `list[int]` does not fit `int`",
    ),
    "a union in one member": (
        model("F", a=int | str),
        model("V", a=int),
        "`a`: `str` does not fit `int`",
    ),
    "an alias under the Python name": (Aliased, Bare, "`from_`: `Aliased` has no such field"),
    "a recursive model of another type": (
        list[Tree],
        list[TreeOfNumbers],
        "`[].name`: `str` does not fit `int`",
    ),
    "a generic model of another type": (
        Box[int],
        BoxCard[str],
        "`item`: `int` does not fit `str`",
    ),
    "a member of another type": (Pet, PetOfText, "`lives`: `int` does not fit `str`"),
    "a member for all": (
        Pet,
        CatCard,
        "`kind`: `Literal['dog']` does not fit `Literal['cat']`; `lives`: `Dog` has no such field",
    ),
    "data keys with a missing field": (
        dict[str, X],
        dict[str, model("V", y=int)],  # type: ignore[misc]
        "`*.y`: `X` has no such field",
    ),
    "a tuple of another type": (
        model("F", t=tuple[int, str]),
        model("V", t=tuple[int, int]),
        "`t[1]`: `str` does not fit `int`",
    ),
    "anything in a type": (model("F", a=Any), model("V", a=int), "`a`: `Any` does not fit `int`"),
    "a literal in a smaller one": (
        model("F", c=Literal["a", "b"]),
        model("V", c=Literal["a"]),
        "`c`: `Literal['a', 'b']` does not fit `Literal['a']`",
    ),
    "text in an enum": (
        model("F", c=str),
        model("V", c=Colour),
        "`c`: `str` does not fit `Colour`",
    ),
    "a boolean in a number": (
        model("F", a=bool),
        model("V", a=int),
        "`a`: `bool` does not fit `int`",
    ),
    "a slice that computes": (X, Computing, "`Computing` computes `y`; use `project=`"),
    "a slice that excludes": (
        model("F", x=int, z=int),
        Excluding,
        "`x`: a slice can't exclude a field; use `project=`",
    ),
    "a slice with two names": (
        X,
        TwoNames,
        "`x`: read as `in_x` and written as `x`; use `project=`",
    ),
    "a field that never leaves": (Excluding, X, "`x`: `Excluding` has no such field"),
}

UNDECIDED: dict[str, tuple[Any, Any, str]] = {
    "a validator in the full answer": (
        Validated,
        X,
        "`x`: the schema type `function-after` may change `int`",
    ),
    "a validator in the slice": (X, Validated, "`x`: `int` has the schema type `function-after`"),
    "a computed field": (
        Computing,
        model("V", y=int),
        "`y`: a computed field of the full answer",
    ),
    "an extra key": (
        Open,
        model("V", b=int),
        "`b`: an extra key of the full answer, if it is there",
    ),
    "a list in a set": (
        model("F", t=list[int]),
        model("V", t=set[int]),
        "`t`: `list[int]` may repeat an item",
    ),
}


def sliced(full: Any, view: Any) -> Any:
    return pf.with_tool_view(pf.get("", desc="Sliced.", output=full), output=view)


@pytest.mark.parametrize(("full", "view"), rows(FITS))
def test_a_slice_that_every_full_answer_fits_is_proved(full, view):
    assert sliced(full, view).tool.view.findings == ()


@pytest.mark.parametrize(("full", "view", "said"), rows(REFUSED))
def test_a_slice_that_some_full_answer_doesnt_fit_is_refused_with_path_and_types(full, view, said):
    [fault] = faults_of(lambda: sliced(full, view))
    start, middle = fault.split(" can't be sliced to ")
    assert start.startswith("`GET /`: `")
    assert f"`: {said}. Change the slice, or derive the answer with `project=`." in middle


@pytest.mark.parametrize(("full", "view", "said"), rows(UNDECIDED))
def test_what_cant_be_decided_is_said_and_left_to_each_call(full, view, said):
    made = sliced(full, view).tool.view
    assert [str(finding) for finding in made.findings] == [said]
    assert not made.proved


def test_a_refusal_names_both_types_as_they_are_written():
    [fault] = faults_of(lambda: sliced(list[Pet] | None, PetOfText))
    assert fault.startswith(
        "`GET /`: `list[Cat | Dog] | None` can't be sliced to `CatOfText | DogCard`: "
    )


def test_every_place_that_doesnt_fit_is_told_at_once():
    [fault] = faults_of(
        lambda: sliced(model("F", a=str, b=str, c=str), model("V", a=int, b=str, c=bool, d=int))
    )
    assert fault == (
        "`GET /`: `F` can't be sliced to `V`: `a`: `str` does not fit `int`; "
        "`c`: `str` does not fit `bool`; `d`: `F` has no such field. "
        "Change the slice, or derive the answer with `project=`."
    )
