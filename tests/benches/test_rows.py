"""One round of every row: what is measured must be the same work, and must still run."""

import pytest

pytest.importorskip("orjson", reason="the opponents are the group `benches`")
pytest.importorskip("msgspec", reason="the opponents are the group `benches`")
pytest.importorskip("fastapi", reason="the opponents are the group `benches`")

from benches.catalogue import all_rows
from benches.row import Effort, Row

ROWS = all_rows()


@pytest.mark.parametrize("row", ROWS, ids=[row.key for row in ROWS])
def test_all_contenders_answer_with_the_same_bytes(row: Row):
    outcome = row.measure(Effort(smoke=True, seed=1))
    assert any(name.split(",")[0] == "polyface" for name in outcome.samples)
    assert len(outcome.samples) >= 2
    assert all(sample.taken for sample in outcome.samples.values())


def test_no_two_rows_have_one_key():
    assert len({row.key for row in ROWS}) == len(ROWS) >= 30
