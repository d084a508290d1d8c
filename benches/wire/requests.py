"""The rows over HTTP."""

import json
from collections.abc import Sequence
from functools import partial

from ..opponents import by_pydantic
from ..row import Aim, Effort, Outcome, Row, faster, within
from ..workload import rows
from .exchange import TOOL, get, rpc
from .http_sites import LIST, SMALL
from .turns import Check, Contest

CALL = rpc("tools/call", name=TOOL, arguments={"q": "a"})
TOOL_SITES = ("polyface", "polyface, guarded", "FastMCP", "MCPServer", "SDK low-level", "bare ASGI")


def _same(expected: bytes) -> Check:
    def check(body: bytes) -> None:
        assert body == expected, (body[:400], expected[:400])

    return check


def _result(expected: bytes) -> Check:
    """Check the structured answer of a result; before 2026-07-28 some wrap it, and some still do.

    Envelopes differ between servers (`_meta`, order of keys), so the answer is compared by the
    bytes of its own compact JSON.
    """

    def check(body: bytes) -> None:
        answer = json.loads(body)["result"]["structuredContent"]
        if isinstance(answer, dict) and answer.keys() == {"result"}:
            answer = answer["result"]
        found = json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode()
        assert found == expected, (found[:400], expected[:400])

    return check


def _tools(body: bytes) -> None:
    tools = json.loads(body)["result"]["tools"]
    assert len(tools) == len({tool["name"] for tool in tools}) == 200
    assert all(tool["inputSchema"] and tool["outputSchema"] for tool in tools)


def _list(effort: Effort) -> Outcome:
    check = _same(by_pydantic.whole(rows.rows(0)))
    names = ("polyface", "FastAPI", "Starlette + orjson", "bare ASGI")
    contest = Contest("list", names, get(LIST), check, many=64, count=128, rounds=4)
    return contest.measure(effort, [within(0.9, "Starlette + orjson"), faster(7, "FastAPI")])


def _small(effort: Effort) -> Outcome:
    check = _same(b'{"id":7,"name":"lamp","in_stock":true}')
    names = ("polyface", "FastAPI", "Starlette JSONResponse", "bare ASGI")
    contest = Contest("small", names, get(SMALL), check, many=32, count=1500, rounds=5)
    aims = [within(1.3, "Starlette JSONResponse"), faster(1.6, "FastAPI")]
    return contest.measure(effort, aims)


def _call(effort: Effort, *, kind: str, count: int, aims: Sequence[Aim]) -> Outcome:
    answer = rows.rows(0)
    card = kind == "card"
    body = by_pydantic.cards()["view of rows"](answer) if card else by_pydantic.whole(answer)
    contest = Contest(kind, TOOL_SITES, CALL, _result(body), many=64, count=count, rounds=3)
    return contest.measure(effort, aims)


def _listing(effort: Effort) -> Outcome:
    names = ("polyface", "SDK low-level", "bare ASGI")
    contest = Contest("tools", names, rpc("tools/list"), _tools, many=8, count=8, rounds=3)
    return contest.measure(effort, [within(1.5, "bare ASGI")])


def request_rows() -> list[Row]:
    """The rows of lists, small requests, tool calls and listings."""
    guarded = within(3, "bare ASGI", ours="polyface, guarded")
    card_aims = (within(3, "bare ASGI"), guarded, faster(15, "FastMCP"))
    return [
        Row("http-list", "GET list over loopback HTTP, full answer", _list),
        Row("http-small", "GET one small model by one parameter", _small),
        Row(
            "http-call-card",
            "tools/call over loopback HTTP, card answer",
            partial(_call, kind="card", count=96, aims=card_aims),
        ),
        Row(
            "http-call-full",
            "tools/call over loopback HTTP, full answer",
            partial(_call, kind="full", count=64, aims=[faster(30, "FastMCP")]),
        ),
        Row("http-tools", "tools/list over loopback HTTP, 200 tools", _listing),
    ]
