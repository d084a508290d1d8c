"""How parsed text and a tool's values become the JSON that the one parse reads."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyface.execution.arguments import write_arguments

TEXTS = st.text(st.characters(codec="utf-8"))
FINITE = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FINITE | TEXTS
VALUES = st.recursive(SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner))


@given(st.dictionaries(TEXTS, st.integers() | TEXTS) | st.dictionaries(TEXTS, VALUES))
def test_the_text_of_arguments_is_their_compact_json(arguments: dict[str, Any]):
    text = write_arguments(arguments)
    assert text == json.dumps(arguments, ensure_ascii=False, separators=(",", ":")).encode()


class Name(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "told otherwise"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(True, b'{"a":true}', id="a boolean is no integer"),
        pytest.param(-0, b'{"a":0}', id="zero"),
        pytest.param(10**400, b'{"a":1' + b"0" * 400 + b"}", id="all digits"),
        pytest.param(Name("x"), b'{"a":"x"}', id="a subclass by its stored text"),
        pytest.param(
            '"\\\x00\x7f\u2028', '{"a":"\\"\\\\\\u0000\x7f\u2028"}'.encode(), id="escapes"
        ),
    ],
)
def test_a_value_is_written_as_json_writes_it(value, text: bytes):
    assert write_arguments({"a": value}) == text


def test_no_arguments_are_an_empty_object():
    assert write_arguments({}) == b"{}"


def test_a_lone_surrogate_has_no_text():
    with pytest.raises(UnicodeEncodeError):
        write_arguments({"a": "\ud800"})
