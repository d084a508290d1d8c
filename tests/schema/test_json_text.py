"""What the engine writes is read back, whatever the size of its numbers."""

import pytest

from polyface.schema.json_text import read_json


@pytest.mark.parametrize("digits", [1, 4300, 4301, 20_000])
def test_a_whole_number_of_any_size_is_read_exactly(digits):
    whole = 10**digits - 1
    assert read_json(b'{"n":[-%s,1.5]}' % (b"9" * digits)) == {"n": [-whole, 1.5]}


def test_what_is_not_json_is_refused():
    with pytest.raises(ValueError, match="Expecting value"):
        read_json(b"[nan]")
