"""Short ways to write nodes of a plan's table."""

from typing import Any

NODE = tuple[Any, ...]
NONE: NODE = ("none",)
BOOL: NODE = ("bool", None)
INT: NODE = ("int", None, None, None, None, None)
FLOAT: NODE = ("float", None, None, None, None, None)
STR: NODE = ("str", None, None, None)
UUID: NODE = ("uuid", None)
DATE: NODE = ("date", None)
TIME: NODE = ("time", None)
DECIMAL: NODE = ("decimal", None)
DATETIME: NODE = ("datetime", None, None)


def field(
    name: str,
    child: int,
    *,
    absent: str | bytes = "required",
    kept: bool = True,
    reads: tuple[str, ...] = (),
    writes: str = "",
) -> NODE:
    return (name, reads or (name,), writes or name, child, absent, kept)


def record(carrier: str, cls: type | None, *fields: NODE, extra: str = "ignore") -> NODE:
    return ("record", carrier, cls, list(fields), extra)
