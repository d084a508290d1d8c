"""The strip report in plain Python: a walk of a node table over dicts, for values that the plan accepts."""

from collections.abc import Iterator, Sequence
from typing import Any


def walk(
    nodes: Sequence[tuple], index: int, value: Any, path: str, row: int | None
) -> Iterator[tuple[str, int | None]]:
    kind, *parts = nodes[index]
    if value is None:
        return
    if kind == "nullable":
        yield from walk(nodes, parts[0], value, path, row)
    elif kind == "tagged" and type(value) is dict:
        yield from walk(nodes, parts[2][value[parts[0]]], value, path, row)
    elif kind in ("list", "tuple_of", "tuple"):
        for number, item in enumerate(value):
            child = parts[0][number] if kind == "tuple" else parts[0]
            yield from walk(nodes, child, item, path + "[]", number if row is None else row)
    elif kind == "dict":
        for item in value.values():
            yield from walk(nodes, parts[0], item, f"{path}.*" if path else "*", row)
    elif kind == "record" and type(value) is dict:
        yield from walk_record(nodes, parts[2], value, path, row)


def walk_record(
    nodes: Sequence[tuple], fields: list[tuple], value: dict, path: str, row: int | None
) -> Iterator[tuple[str, int | None]]:
    prefix = f"{path}." if path else ""
    read = {field[0]: next((name for name in field[1] if name in value), None) for field in fields}
    for key in value:
        if key is None or key not in read.values():
            yield prefix + (str.__str__(key) if isinstance(key, str) else f"[{key}]"), row
    for field in fields:
        name = read[field[0]]
        if name is not None:
            yield from walk(nodes, field[3], value[name], prefix + name, row)


def report(nodes: Sequence[tuple], root: int, value: Any) -> list[tuple[str, int, int | None]]:
    entries: dict[str, list] = {}
    for path, row in walk(nodes, root, value, "", None):
        entries.setdefault(path, [0, row])[0] += 1
    return [(path, count, row) for path, (count, row) in entries.items()]
