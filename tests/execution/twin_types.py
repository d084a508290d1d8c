"""Random types of answers, random values for them, and random slices of them."""

# mypy: disable-error-code="valid-type,name-defined,misc"
# Types are made at run time here, where mypy can't follow.

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import Field

from tests.execution.twin_leaves import ANYTHING, SCALARS, Scalar

Choose = Callable[[Sequence[Any]], Any]
Mood = Literal["exact", "loose", "wild"]


@dataclass
class Making:
    """One value being made.

    Args:
        choose: picks one of a sequence.
        mood: `exact` values fit as they stand; `loose` ones may be coerced; `wild` ones may be wrong.
        tainted: whether an instance was given something that it wouldn't have been made with.
        undeclared: the paths of the undeclared keys given in dicts, in the order they were given.
        as_it_is: whether a slice kept something that only pydantic can read, as it is.
    """

    choose: Callable[[Sequence[Any]], Any]
    mood: Mood
    tainted: bool = False
    undeclared: list[str] = field(default_factory=list)
    as_it_is: bool = False

    def seldom(self, *, times_of_ten: int = 2) -> bool:
        return bool(self.choose(range(10)) < times_of_ten)


Make = Callable[[Making, str | None], Any]


@dataclass(frozen=True)
class Kind:
    """A type of answers and how to make values of it.

    Args:
        annotation: the type.
        make: makes a value at a path; a path of None is below an instance, where nothing is stripped.
        in_core: whether the Rust core writes exact values of it without asking pydantic.
        view: makes the annotation of a slice.
        seen: whether every undeclared key below it is seen: no plain union, no validator of its own.
    """

    annotation: Any
    make: Make
    in_core: bool
    view: Callable[[Making], Any]
    seen: bool = True


def random_kind(choose: Choose, depth: int) -> Kind:
    """Draw a type; at depth 0 a scalar."""
    if depth <= 0:
        return scalar(choose(SCALARS))
    maker = choose(MAKERS)
    return maker(choose, depth)  # type: ignore[no-any-return]


def scalar(one: Scalar) -> Kind:
    def make(making: Making, path: str | None) -> Any:
        if making.mood == "wild" and making.seldom(times_of_ten=1):
            return making.choose(ANYTHING)
        if one.exact and (making.mood == "exact" or not one.near or not making.seldom()):
            return making.choose(one.exact)
        return making.choose(one.near)

    def view(making: Making) -> Any:
        if making.seldom(times_of_ten=1):
            return making.choose([item.annotation for item in SCALARS])
        making.as_it_is = making.as_it_is or not one.in_core
        return making.choose([one.annotation, one.annotation, *one.widened])

    return Kind(one.annotation, make, one.in_core and bool(one.exact), view)


def optional(choose: Choose, depth: int) -> Kind:
    inner = random_kind(choose, depth - 1)

    def make(making: Making, path: str | None) -> Any:
        return None if making.seldom(times_of_ten=3) else inner.make(making, path)

    def view(making: Making) -> Any:
        narrow = making.seldom(times_of_ten=1)
        return inner.view(making) if narrow else _or_none(inner.view(making))

    return Kind(_or_none(inner.annotation), make, inner.in_core, view, inner.seen)


def _or_none(annotation: Any) -> Any:
    return (
        None
        if annotation is None
        else annotation | None
        if _joins(annotation)
        else None | annotation
    )


def _joins(annotation: Any) -> bool:
    return hasattr(type(annotation), "__or__")


def array(choose: Choose, depth: int) -> Kind:
    item = random_kind(choose, depth - 1)
    form = choose(["list", "list", "list", "tuple", "set", "frozenset", "bounded"])
    if form in ("set", "frozenset"):
        item = scalar(choose([one for one in SCALARS if one.annotation in HASHABLE]))
    wrap: dict[str, Callable[[Any], Any]] = {
        "list": lambda one: list[one],
        "tuple": lambda one: tuple[one, ...],
        "set": lambda one: set[one],
        "frozenset": lambda one: frozenset[one],
        "bounded": lambda one: Annotated[list[one], Field(min_length=1, max_length=3)],
    }
    exact: dict[str, Callable[[list[Any]], Any]] = {
        "list": list, "bounded": list, "tuple": tuple, "set": set, "frozenset": frozenset,
    }  # fmt: skip

    def make(making: Making, path: str | None) -> Any:
        least = 1 if form == "bounded" and making.mood == "exact" else 0
        below = None if path is None else f"{path}[]"
        items = [item.make(making, below) for _ in range(making.choose(range(least, 4)))]
        if making.mood == "exact" or form in ("set", "frozenset"):
            return exact[form](items) if _can_hash(items) or form not in HASHED else items
        return making.choose([list, list, tuple, deque, exact[form]])(items) if path else items

    in_core = item.in_core and form not in ("set", "frozenset")
    return Kind(
        wrap[form](item.annotation),
        make,
        in_core,
        lambda making: wrap[form](item.view(making)),
        item.seen,
    )


HASHED = ("set", "frozenset")
HASHABLE = (int, str, bool)


def _can_hash(items: list[Any]) -> bool:
    return all(getattr(item, "__hash__", None) and not isinstance(item, tuple) for item in items)


def places(choose: Choose, depth: int) -> Kind:
    items = [random_kind(choose, depth - 1) for _ in range(choose([1, 2]))]

    def make(making: Making, path: str | None) -> Any:
        below = None if path is None else f"{path}[]"
        made = [item.make(making, below) for item in items]
        return tuple(made) if making.mood == "exact" else making.choose([tuple, list])(made)

    return Kind(
        tuple[tuple(item.annotation for item in items)],
        make,
        all(item.in_core for item in items),
        lambda making: tuple[tuple(item.view(making) for item in items)],
        all(item.seen for item in items),
    )


def mapping(choose: Choose, depth: int) -> Kind:
    inner = random_kind(choose, depth - 1)
    key = choose([str, str, str, int])

    def make(making: Making, path: str | None) -> Any:
        below = None if path is None else f"{path}.*".removeprefix(".")
        keys = [making.choose(["a", "b", "ü", "", "1"] if key is str else [1, 2]) for _ in range(2)]
        if making.mood == "wild" and making.seldom(times_of_ten=1):
            keys.append(making.choose([3, "\ud800", None]))
        return {name: inner.make(making, below) for name in dict.fromkeys(keys)}

    return Kind(
        dict[key, inner.annotation],
        make,
        inner.in_core and key is str,
        lambda making: dict[key, inner.view(making)],
        inner.seen,
    )


# Filled by `twin_records`, whose records hold kinds from here.
MAKERS: list[Callable[[Choose, int], Kind]] = [optional, array, array, places, mapping]
