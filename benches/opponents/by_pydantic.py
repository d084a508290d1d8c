"""What a user of pydantic writes: every way that makes the same bytes of the same rows."""

from collections.abc import Callable, Collection
from typing import Any

from pydantic import TypeAdapter

from ..workload.people import Card, Person

Run = Callable[[Any], bytes]
CARD: Any = {"__all__": {"id": True, "name": True, "born": True, "address": {"city"}}}

full: TypeAdapter[list[Person]] = TypeAdapter(list[Person])
view: TypeAdapter[list[Card]] = TypeAdapter(list[Card])


def cards(
    given: TypeAdapter[Any] = full, shown: TypeAdapter[Any] = view, include: Any = CARD
) -> dict[str, Run]:
    """Check rows against the full schema, and write what the card keeps."""

    def included(rows: Any) -> bytes:
        return given.dump_json(given.validate_python(rows), include=include)

    def viewed(rows: Any) -> bytes:
        people = given.validate_python(rows)
        return shown.dump_json(shown.validate_python(people, from_attributes=True))

    def twice(rows: Any) -> bytes:
        given.validate_python(rows)
        return shown.dump_json(shown.validate_python(rows))

    return {"include": included, "view of models": viewed, "view of rows": twice}


def cards_of_instances() -> dict[str, Run]:
    """Write cards of models, trusted as pydantic trusts them."""

    def viewed(people: Any) -> bytes:
        return view.dump_json(view.validate_python(people, from_attributes=True))

    return {"include": lambda people: full.dump_json(people, include=CARD), "view": viewed}


def cards_of_attributes(people: Any) -> bytes:
    """Check objects by their attributes, and write cards."""
    return full.dump_json(full.validate_python(people, from_attributes=True), include=CARD)


def whole(rows: Any) -> bytes:
    """Check rows and write all of them."""
    return full.dump_json(full.validate_python(rows))


Names = tuple[frozenset[str], dict[str, Any]]


def declared(model: Any) -> Names:
    """The names of a model's fields, and those of the models inside it."""
    inside = {
        name: declared(item.annotation)
        for name, item in model.model_fields.items()
        if hasattr(item.annotation, "model_fields")
    }
    return frozenset(model.model_fields), inside


def undeclared(rows: Collection[Any], names: Names, path: str = "[]") -> dict[str, list[int]]:
    """Walk rows for keys that no schema has: path → count, first index.

    A level whose keys are all declared costs one comparison of sets.
    """
    found: dict[str, list[int]] = {}
    _walk(rows, names, path, found)
    return found


def _walk(rows: Collection[Any], names: Names, path: str, found: dict[str, list[int]]) -> None:
    known, inside = names
    for index, row in enumerate(rows):
        if not row.keys() <= known:
            for key in row.keys() - known:
                found.setdefault(f"{path}.{key}", [0, index])[0] += 1
    for key, inner in inside.items():
        _walk([row[key] for row in rows], inner, f"{path}.{key}", found)
