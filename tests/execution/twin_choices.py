"""Random unions, recursive and generic models, and root models."""

# mypy: disable-error-code="valid-type,name-defined,arg-type,maybe-unrecognized-str-typeform"
# Types are made at run time here, where mypy can't follow.

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, Field, RootModel, create_model

from tests.execution.twin_records import Part, model, slice_of
from tests.execution.twin_types import MAKERS, Choose, Kind, Making, random_kind

T = TypeVar("T")


class Box(BaseModel, Generic[T]):
    content: T
    weight: float = 1.5


def tagged(choose: Choose, depth: int) -> Kind:
    """Draw a union of two models whose text under one key tells them apart."""
    inner = [random_kind(choose, depth - 1) for _ in range(2)]
    alias = choose([None, None, "kindOf"])
    members = [_member(one.annotation, tag, alias) for one, tag in zip(inner, "ab", strict=True)]
    key = alias or "kind"

    def make(making: Making, path: str | None) -> Any:
        place = making.choose([0, 1])
        if making.mood == "wild" and making.choose(range(10)) == 0:
            return {key: making.choose(["c", 1, None])}
        content = f"{path}.content".removeprefix(".") if path is not None else None
        if making.mood == "exact" or making.seldom(times_of_ten=7):
            return {key: "ab"[place], "content": inner[place].make(making, content)}
        made = {key: "ab"[place], "content": inner[place].make(making, None)}
        try:
            instance = members[place].model_validate(made)
        except ValueError:
            return made
        if making.seldom():
            making.tainted = True
            instance.__dict__["kind"] = making.choose(["a", "b", 5])
        return instance

    def view(making: Making) -> Any:
        if making.seldom():
            return create_model("Tag", kind=(str, Field(alias=key)))
        views = [
            _member(one.view(making), tag, alias) for one, tag in zip(inner, "ab", strict=True)
        ]
        return Annotated[views[0] | views[1], Field(discriminator="kind")]

    kind = Annotated[members[0] | members[1], Field(discriminator="kind")]
    seen = all(one.seen for one in inner)
    return Kind(kind, make, all(one.in_core for one in inner), view, seen)


def _member(annotation: Any, tag: str, alias: str | None) -> Any:
    tag_field = (Literal[tag], Field(alias=alias) if alias else ...)
    return create_model(f"Member{tag}", kind=tag_field, content=(annotation, ...))


def union(choose: Choose, depth: int) -> Kind:
    """Draw a union that pydantic resolves in smart mode; its models have no wrong defaults."""

    def choose_right(some: Sequence[Any]) -> Any:
        return choose([one for one in some if one not in ("none", "list")])

    members = [model(choose_right, depth - 1), random_kind(choose, depth - 1)]

    def make(making: Making, path: str | None) -> Any:
        return making.choose(members).make(making, None)

    annotation = Annotated[
        members[0].annotation | Annotated[members[1].annotation, Field()], Field()
    ]
    return Kind(annotation, make, False, _keeping(annotation), False)


def recursive(choose: Choose, depth: int) -> Kind:
    """Draw a tree of models."""
    inner = random_kind(choose, depth - 1)
    cls: Any = create_model("Tree", value=(inner.annotation, ...), children=(list["Tree"], []))  # noqa: F821

    def make(making: Making, path: str | None, height: int = 2) -> Any:
        place = None if path is None else f"{path}.children[]".removeprefix(".")
        value = None if path is None else f"{path}.value".removeprefix(".")
        made: dict[str, Any] = {"value": inner.make(making, value)}
        if height and making.choose([True, False]):
            made["children"] = [
                make(making, place, height - 1) for _ in range(making.choose([1, 2]))
            ]
        return made

    def view(making: Making) -> Any:
        own = inner.view(making)
        return create_model("TreeSlice", value=(own, ...), children=(list["TreeSlice"], ...))  # noqa: F821

    return Kind(cls, make, inner.in_core, view, inner.seen)


def generic(choose: Choose, depth: int) -> Kind:
    """Draw a generic model, given as itself, as another of its kind, or as a dict."""
    inner = random_kind(choose, depth - 1)
    cls = Box[inner.annotation]

    def make(making: Making, path: str | None) -> Any:
        place = None if path is None else f"{path}.content".removeprefix(".")
        if making.mood == "exact" or making.seldom(times_of_ten=6):
            return {"content": inner.make(making, place), "weight": making.choose([1.5, 2.5])}
        making.tainted = True
        content = inner.make(making, None)
        return making.choose([Box, cls, Box[Any]] if path is not None else [cls]).model_construct(
            content=content, weight=1.5
        )

    part = Part("content", inner, "content", "content", ..., False, True, True)
    return Kind(
        cls, make, inner.in_core, lambda making: slice_of(making, [part], "BoxSlice"), inner.seen
    )


def root(choose: Choose, depth: int) -> Kind:
    """Draw a root model."""
    inner = random_kind(choose, depth - 1)
    cls = RootModel[inner.annotation]
    return Kind(cls, lambda making, path: inner.make(making, None), False, _keeping(cls), False)


def _keeping(annotation: Any) -> Callable[[Making], Any]:
    def view(making: Making) -> Any:
        making.as_it_is = True
        return annotation

    return view


MAKERS += [tagged, union, recursive, generic, root]
