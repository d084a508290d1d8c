"""What a report and an envelope add to an answer, and what a digest of a surface takes."""

import hashlib
import json
from functools import partial
from typing import Any

import orjson

import polyface as pf
from polyface._core import mcp_result

from ..measure import compare
from ..opponents import by_hand, by_pydantic
from ..row import Contender, Effort, Outcome, Row, within
from ..workload import rows
from ..workload.people import Card, Person
from ..workload.tools import tool_documents
from .answers import COMPLETE, DECLARED, plan


def _report(effort: Effort, *, undeclared: int, share: float) -> Outcome:
    answer, make = plan(list[Person], list[Card]), rows.undeclared(undeclared)
    heard: list[Any] = []

    def reported(value: Any) -> bytes:
        return answer.to_json(value, on_strip=heard.append)

    def walked(value: Any) -> bytes:
        by_pydantic.undeclared(value, DECLARED)
        return answer.to_json(value)

    reported(make(0))
    found = {entry.path: [entry.count, entry.first_index] for entry in heard[0]} if heard else {}
    assert found == by_pydantic.undeclared(make(0), DECLARED)
    assert len(found) == undeclared
    contenders = [
        Contender("polyface", reported, make),
        Contender("without a report", answer.to_json, make),
        Contender("a walk in Python", walked, make),
    ]
    return compare(contenders, [within(share, "without a report")], effort)


def _loads_and_dumps(body: bytes) -> bytes:
    result = {
        "content": [{"type": "text", "text": body.decode()}],
        "structuredContent": json.loads(body),
        "resultType": "complete",
    }
    return json.dumps(result, ensure_ascii=False, separators=(",", ":")).encode()


def _envelope(effort: Effort, *, body: bytes) -> Outcome:
    def fresh(_: int) -> bytes:
        return bytes(bytearray(body))

    ours = partial(mcp_result, structured="bare", text=True, members=COMPLETE)
    contenders = [
        Contender("polyface", ours, fresh),
        Contender("orjson fragment", by_hand.result, fresh),
        Contender("loads and json.dumps", _loads_and_dumps, fresh),
    ]
    note = f"{len(body):,} bytes"
    return compare(contenders, [within(0.1, "orjson fragment")], effort, notes=[note])


def _with_orjson(value: object) -> str:
    text = orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:16]


def _with_json(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _digest(effort: Effort) -> Outcome:
    runs = {"polyface": pf.digest, "orjson": _with_orjson, "json.dumps": _with_json}
    contenders = [
        Contender(name, run, lambda _: tool_documents(), str.encode) for name, run in runs.items()
    ]
    note = f"{len(pf.canonical_json(tool_documents())):,} bytes of canonical JSON"
    return compare(contenders, [within(0.6, "orjson")], effort, notes=[note])


def addition_rows() -> list[Row]:
    """The rows of reports, envelopes and digests."""
    made = [
        Row(
            f"strip-{count}",
            f"strip report on, {count or 'no'} undeclared keys a row ÷ off",
            partial(_report, undeclared=count, share=1.05 if count else 1.01),
        )
        for count in (0, 1, 3, 100)
    ]
    card, full = plan(list[Person], list[Card]), plan(list[Person])
    made += [
        Row(
            f"envelope-{name}",
            f"MCP result around ready JSON, {name}",
            partial(_enveloped, answer=answer),
        )
        for name, answer in (("card", card), ("full", full))
    ]
    made.append(Row("digest", "digest of a 200-tool surface, no memo", _digest))
    return made


def _enveloped(effort: Effort, *, answer: pf.AnswerPlan[Any, Any]) -> Outcome:
    return _envelope(effort, body=answer.to_json(rows.rows(1)))
