"""What `AnswerPlan.mcp_result` writes, and what it refuses to write."""

import json
import math
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf

VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28")


class Card(BaseModel):
    id: int


PLAN = pf.AnswerPlan(list[Card])
ROWS = [{"id": 1, "extra": 2}]


@pytest.mark.parametrize("version", VERSIONS)
def test_an_answer_is_told_as_its_protocol_version_has_it(version):
    told = json.loads(PLAN.mcp_result(ROWS, protocol_version=version))
    assert json.loads(told["content"][0]["text"]) == [{"id": 1}]
    structured = {"2025-06-18": {"result": [{"id": 1}]}, "2025-11-25": {"result": [{"id": 1}]}}
    structured["2026-07-28"] = [{"id": 1}]  # type: ignore[assignment]  # any value from there on
    assert told.get("structuredContent") == structured.get(version)
    assert told.get("resultType") == ("complete" if version == "2026-07-28" else None)


WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "a version": ({"protocol_version": "2027-01-01"}, ValueError, "not `2027-01-01`"),
    "no version": ({"protocol_version": ""}, ValueError, "is one of 2024-11-05"),
    "a content": ({"content": "none"}, ValueError, "is one of both, structured, text, not `none`"),
    "a NaN in meta": ({"meta": {"a": [math.nan]}}, ValueError, "not JSON compliant"),
    "an object in meta": ({"meta": {"a": object()}}, TypeError, "not JSON serializable"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_no_client_could_read_is_refused(case):
    options, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        PLAN.mcp_result(ROWS, **options)
