"""The MCP result around ready JSON, held to the twin."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from polyface import _core
from tests.core import twin_envelope

TEXT = st.text(st.characters(exclude_categories=["Cs"])) | st.text(
    st.sampled_from('"\\a\n\x00\x1f/é'), max_size=80
)
ANSWERS = TEXT.map(lambda text: json.dumps(text, ensure_ascii=False).encode())
MEMBERS = st.sampled_from([b"", b'"isError":false', b'"_meta":{"a":1},"isError":true'])


@given(ANSWERS, st.sampled_from([None, "bare", "wrapped"]), st.booleans(), MEMBERS)
def test_the_result_is_the_twins(answer, structured, text, members):
    ours = _core.mcp_result(answer, structured=structured, text=text, members=members)
    assert ours == twin_envelope.mcp_result(
        answer, structured=structured, text=text, members=members
    )
    parsed = json.loads(ours)
    assert parsed["content"] == ([{"type": "text", "text": answer.decode()}] if text else [])
    assert (
        parsed.get("structuredContent")
        == {None: None, "bare": json.loads(answer), "wrapped": {"result": json.loads(answer)}}[
            structured
        ]
    )


@pytest.mark.parametrize("length", range(40))
def test_a_character_that_needs_an_escape_is_found_at_every_place(length):
    for character in '"\\\n\x01':
        for place in range(length):
            answer = ("a" * place + character + "a" * (length - place)).encode()
            ours = _core.mcp_result(answer, structured=None, text=True, members=b"")
            assert ours == twin_envelope.mcp_result(answer, structured=None, text=True, members=b"")


def test_another_structure_is_refused():
    with pytest.raises(ValueError, match="`structured` is `bare`, `wrapped` or None"):
        _core.mcp_result(b"1", structured="other", text=True, members=b"")  # type: ignore[arg-type]
