"""What arguments look like to those who bring them: which keys an object has, what text stands for.

A path, a query and a command line bring text; a model's tool call brings JSON, sometimes as text.
Both are typed by the schema, here, and parsed by pydantic, once, afterwards.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from .kinds import REMEMBERED, SCALARS, places, takes
from .shape import (
    Array,
    Dictionary,
    Nullable,
    Record,
    Shape,
    Tagged,
    Tuple,
    Union,
    unwrap,
)

__all__ = [
    "ArgumentFault",
    "check_json",
    "is_nested_deeper",
    "is_object",
    "object_keys",
    "read_json_text",
    "type_text",
]


def is_object(shape: Shape) -> bool:
    """Whether every value of the shape is a JSON object."""
    match unwrap(shape):
        case Record() | Dictionary():
            return True
        case Tagged(choices=choices):
            return all(is_object(choice) for choice in choices.values())
        case Union(members=members):
            return all(is_object(member) for member in members)
        case _:
            return False


def object_keys(shape: Shape) -> set[str]:
    """The keys that an object of the shape is read by, as far as they are declared."""
    match unwrap(shape):
        case Record(fields=fields):
            return {name for item in fields for name in (*item.read_names, *item.path_roots)}
        case Tagged(choices=choices):
            return set().union(*(object_keys(choice) for choice in choices.values()))
        case Union(members=members):
            return set().union(*(object_keys(member) for member in members))
        case _:
            return set()


class ArgumentFault(ValueError):
    """An argument that is refused before any schema sees it.

    Args:
        path: its place, as `address.city`; empty for the arguments as a whole.
        reason: one sentence.
    """

    def __init__(self, path: str, reason: str) -> None:
        self.path = path
        self.reason = reason
        super().__init__(f"{path}: {reason}" if path else reason)


# --- text -------------------------------------------------------------------------------------

NUMBERS = frozenset({"integer", "number"})
JSON_INTEGER = re.compile(r"-?(0|[1-9][0-9]{0,4299})")
JSON_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,4299})(\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")


def type_text(shape: Shape, texts: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Type the texts of a path, a query or a command line by the schema that will parse them.

    Args:
        shape: an object's shape.
        texts: key → its texts in the order given.

    Returns:
        key → JSON value. A list field is a list even when it is given once; text becomes a number
        or a boolean where the schema takes one and no string; an object field reads JSON text.

    Raises:
        ArgumentFault: a key given twice for a field that takes one value.
    """
    fields, record = _fields_by_name(shape), unwrap(shape)
    other = record.value if isinstance(record, Dictionary) else None
    return {name: _typed(fields.get(name, other), name, values) for name, values in texts.items()}


@lru_cache(maxsize=REMEMBERED)
def _fields_by_name(shape: Shape) -> Mapping[str, Shape]:
    match unwrap(shape):
        case Record(fields=fields):
            return {name: item.shape for item in fields for name in item.read_names}
        case Tagged(choices=choices):
            members: Iterable[Shape] = choices.values()
        case Union(members=several):
            members = several
        case _:
            return {}
    merged: dict[str, Shape] = {}
    for member in members:
        for name, item in _fields_by_name(member).items():
            known = merged.get(name)
            merged[name] = item if known is None else Union({"type": "union"}, (known, item))
    return merged


def _typed(shape: Shape | None, name: str, values: Sequence[str]) -> Any:
    kinds = takes(shape)
    if "array" not in kinds and len(values) == 1:
        return _one(shape, values[0])
    if "array" in kinds and not kinds & (SCALARS - {"null"}):
        items = places(shape, len(values))
        return [_one(item, value) for item, value in zip(items, values, strict=True)]
    if len(values) == 1:
        return _one(shape, values[0])
    if "array" in kinds or shape is None:
        items = places(shape, len(values))
        return [_one(item, value) for item, value in zip(items, values, strict=True)]
    raise ArgumentFault(name, f"`{name}` takes one value and was given {len(values)} times.")


def _one(shape: Shape | None, text: str) -> Any:
    kinds = takes(shape)
    if "string" in kinds:
        return text
    if kinds & NUMBERS and JSON_INTEGER.fullmatch(text):
        return int(text)
    if kinds & NUMBERS and JSON_NUMBER.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else text
    if "boolean" in kinds and text in ("true", "false"):
        return text == "true"
    if kinds & {"object", "array"} and text[:1] in ("{", "["):
        return _json_or_text(text)
    return text


# --- JSON -------------------------------------------------------------------------------------


def check_json(value: object, *, max_depth: int) -> None:
    """Check that arguments handed over in process are JSON values.

    Raises:
        ArgumentFault: names the place of a value that JSON has no form for, of a number that isn't
            finite or has more than 4300 digits, of a lone surrogate, or of too deep a nesting.
    """
    _check_json(value, "", max_depth)


def _check_json(value: object, path: str, depth: int) -> None:
    if depth < 1 and isinstance(value, list | tuple | Mapping):
        raise ArgumentFault(path, "The arguments are nested too deeply.")
    match value:
        case None | bool():
            return
        case str():
            if not _is_text(value):
                raise ArgumentFault(path, "Text with a lone surrogate can't be sent as JSON.")
        case int():
            if abs(value) >= TOO_MANY_DIGITS:
                raise ArgumentFault(path, "A number has at most 4300 digits.")
        case float():
            if not math.isfinite(value):
                raise ArgumentFault(path, "A number must be finite.")
        case list() | tuple():
            for index, item in enumerate(value):
                _check_json(item, f"{path}[{index}]", depth - 1)
        case Mapping():
            for key, item in value.items():
                if not isinstance(key, str) or not _is_text(key):
                    raise ArgumentFault(path, f"The key {key!r} isn't text that JSON can hold.")
                _check_json(item, f"{path}.{key}".removeprefix("."), depth - 1)
        case _:
            kind = type(value).__name__
            raise ArgumentFault(path, f"A value of type `{kind}` isn't a JSON value.")


TOO_MANY_DIGITS = 10**4300
MAX_TEXT_DEPTH = 64


def is_nested_deeper(text: bytes, depth: int) -> bool:
    """Whether arrays and objects of a JSON text are nested deeper than `depth`.

    Nothing is said of malformed text. Cost: one look at the bytes, a few more where they hold more
    brackets than `depth`.
    """
    if text.count(b"[") + text.count(b"{") <= depth:
        return False
    brackets = JSON_STRING.sub(b"", text).translate(AS_ONE_PAIR, NO_BRACKETS)
    for _ in range(depth):
        brackets = brackets.replace(b"()", b"")
    return b"()" in brackets


# A text that never ends is matched to its end, so that no later quote starts the search anew.
JSON_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)
AS_ONE_PAIR = bytes.maketrans(b"[]{}", b"()()")
NO_BRACKETS = bytes(set(range(256)) - set(b"[]{}"))


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def read_json_text(shape: Shape, value: Any) -> Any:
    """Read text that holds JSON where a structure is wanted and no string is taken.

    Models write `"[1, 2]"` where a list is meant. Scalars are never read, nor anything under
    `Json[...]`, bytes or `Any`; what a text contained is not searched for further texts.
    """
    shape = _present(shape)
    if isinstance(value, str):
        kinds = takes(shape)
        structured = kinds & {"object", "array"} and not kinds & (SCALARS - {"null"})
        return _json_or_text(value) if structured else value
    match shape, value:
        case Record(fields=fields), dict():
            shapes = {name: item.shape for item in fields for name in item.read_names}
            return {
                key: read_json_text(shapes[key], item) if key in shapes else item
                for key, item in value.items()
            }
        case Array(item=item_shape), list():
            return [read_json_text(item_shape, item) for item in value]
        case Dictionary(value=value_shape), dict():
            return {key: read_json_text(value_shape, item) for key, item in value.items()}
        case Tuple(items=items), list() if len(items) == len(value):
            return [read_json_text(one, item) for one, item in zip(items, value, strict=True)]
        case Tagged(read_names=names, choices=choices), dict():
            tag: Any = next((value[name] for name in names if name in value), None)
            known = isinstance(tag, str) and tag in choices
            return read_json_text(choices[tag], value) if known else value
        case _:
            return value


def _present(shape: Shape) -> Shape:
    shape = unwrap(shape)
    return unwrap(shape.inner) if isinstance(shape, Nullable) else shape


def _json_or_text(text: str) -> Any:
    """The structure that a text holds; the text itself where it holds none."""
    try:
        read = json.loads(text)
        check_json(read, max_depth=MAX_TEXT_DEPTH)
    except (ValueError, RecursionError):
        return text
    return read if isinstance(read, dict | list) else text
