"""The same answer, or the view of it, and the same failures through every face."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import date, datetime
from decimal import Decimal
from typing import Any

import pytest
from pydantic import BaseModel, Field

import polyface as pf
from polyface.http import http_app
from tests.http.exchange import ask
from tests.http.service import record
from tests.matrix.faces import FACES, FULL, TOOL, Outcome, faces_of

pytestmark = pytest.mark.anyio


class Address(BaseModel):
    city: str
    street: str | None = None


class Person(BaseModel):
    id: int
    full_name: str = Field(alias="fullName")
    born: date | None = None
    seen: datetime | None = None
    worth: Decimal = Decimal(0)
    address: Address | None = None
    tags: list[str] = []


class Place(BaseModel):
    city: str


class Card(BaseModel):
    id: int
    full_name: str = Field(alias="fullName")
    address: Place | None


class Search(BaseModel):
    q: str = ""
    include: list[str] = ["heavy"]


class People(pf.Contract, prefix="people"):
    search = pf.get("/", desc="Search.", input=Search, output=list[Person])
    nothing = pf.post("/nothing", desc="Nothing.", input=Search)
    maybe = pf.post("/maybe", desc="Maybe.", input=Search, output=Person | None)


class Viewed(pf.Contract, prefix="people"):
    search = pf.with_tool_view(
        pf.get("/", desc="Search.", input=Search, output=list[Person]),
        output=list[Card],
        defaults={"include": []},
    )
    count = pf.with_tool_view(
        pf.post("/count", desc="Count.", input=Search, output=list[Person]),
        output=int,
        project=lambda full, call: len(full) + len(call.input.include),
        defaults={"include": []},
    )


ADA = {
    "id": 1, "fullName": "Ada", "seen": datetime(1842, 1, 1), "worth": Decimal("1.50"),
    "address": {"city": "London", "street": "St James", "zip": "undeclared"}, "secret": "undeclared",
}  # fmt: skip
FULL_ADA = {
    "id": 1, "fullName": "Ada", "born": None, "seen": "1842-01-01T00:00:00", "worth": "1.50",
    "address": {"city": "London", "street": "St James"}, "tags": [],
}  # fmt: skip
CARD = {"id": 1, "fullName": "Ada", "address": {"city": "London"}}


async def test_an_answer_is_the_same_through_every_face():
    rows: dict[str, tuple[Any, Any]] = {
        "mappings": ([ADA], [FULL_ADA]),
        "models": ([Person.model_validate(ADA)], [FULL_ADA]),
        "nothing found": ([], []),
    }
    for answer, told in rows.values():
        served = record(People, answers={"search": answer})
        async with faces_of(served) as faces:
            outcomes = await faces.all("search", {"q": "a"})
        assert {face: outcome.answer for face, outcome in outcomes.items()} == dict.fromkeys(
            FACES, told
        )


async def test_null_and_nothing_are_told_apart():
    served = record(People, answers={"maybe": None, "nothing": None})
    async with faces_of(served) as faces:
        maybe = await faces.all("maybe", {})
        nothing = await faces.all("nothing", {})
    assert {outcome.answer for outcome in maybe.values()} == {None}
    in_process = {face for face in FACES if face.startswith("in process")}
    assert {face: outcome.answer for face, outcome in nothing.items()} == {
        face: None if face in in_process else {"status": "ok"} for face in FACES
    }


async def test_a_view_cuts_tool_answers_and_fills_tool_arguments_only():
    served = record(Viewed, answers={"search": [ADA], "count": [ADA, ADA]})
    async with faces_of(served) as faces:
        for given, seen in [({}, None), ({"include": ["a", "b"]}, ["a", "b"])]:
            searched = await faces.all("search", given)
            counted = await faces.all("count", given)
            for face in FULL:
                assert (searched[face].answer, counted[face].answer) == ([FULL_ADA], [FULL_ADA] * 2)
                assert searched[face].calls[0][2].include == (seen or ["heavy"])
            for face in TOOL:
                assert (searched[face].answer, counted[face].answer) == (
                    [CARD],
                    2 + len(seen or []),
                )
                assert searched[face].calls[0][2].include == (seen or [])


async def test_http_answers_byte_for_byte_alike_with_a_view_and_without():
    class Plain(pf.Contract, prefix="people"):
        search = pf.get("/", desc="Search.", input=Search, output=list[Person])
        count = pf.post("/count", desc="Count.", input=Search, output=list[Person])

    answers = {"search": [ADA, Person.model_validate(ADA)], "count": [ADA]}
    plain, viewed = (record(item, answers=answers) for item in (Plain, Viewed))
    for method, target, body in [
        ("GET", "/people", b""),
        ("GET", "/people?include=a&q=%C3%A9", b""),
        ("GET", "/people?q=a&q=b", b""),
        ("POST", "/people/count", b"{}"),
        ("POST", "/people/count", b'{"include":1}'),
        ("POST", "/people/count", b"["),
        ("PUT", "/people", b"{}"),
        ("GET", "/openapi.json", b""),
    ]:
        one, other = [
            await ask(http_app(served.surface), method, target, body=body)
            for served in (plain, viewed)
        ]
        assert (one.status, one.headers, one.body) == (other.status, other.headers, other.body)
        assert plain.calls == viewed.calls


# --- failures --------------------------------------------------------------------------------


class RowMissing(Exception):
    pass


FAULTS: dict[str, tuple[Any, str]] = {
    "a typed error": (pf.not_found("Gone."), "NOT_FOUND"),
    "an error of the application's own": (pf.OperationError("LOCKED", "Locked."), "LOCKED"),
    "an exception that the surface translates": (RowMissing("row 7"), "NOT_FOUND"),
    "an exception": (RuntimeError("secret"), "INTERNAL_SERVER_ERROR"),
    "an answer that breaks its schema": ([{"id": "x"}], "INTERNAL_SERVER_ERROR"),
    "no answer where one is promised": (None, "INTERNAL_SERVER_ERROR"),
    "a generator": ((lambda call: (yield)), "INTERNAL_SERVER_ERROR"),
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_the_same_fault_has_the_same_code_through_every_face(fault: str):
    answer, code = FAULTS[fault]
    served = record(Viewed, answers={"search": answer}, errors={RowMissing: pf.not_found("Gone.")})
    async with faces_of(served) as faces:
        outcomes = await faces.all("search", {})
    assert {face: outcome.code for face, outcome in outcomes.items()} == dict.fromkeys(FACES, code)
    assert {len(outcome.calls) for outcome in outcomes.values()} == {1}


HOOKS: dict[str, dict[str, Any]] = {
    "authorize": {"authorize": pf.forbidden("Not you.")},
    "before": {"before": pf.forbidden("Not now.")},
    "identify": {"identify": pf.forbidden("Nobody.")},
}


@pytest.mark.parametrize("hook", HOOKS)
async def test_a_refusing_hook_refuses_through_every_face_before_the_handler(hook: str):
    ((name, error),) = HOOKS[hook].items()

    def refuse(call: Any) -> None:
        raise error

    hooks: dict[str, Any] = {name: refuse}
    served = record(Viewed, hooks=pf.Hooks(**hooks))
    async with faces_of(served) as faces:
        outcomes = await faces.all("search", {})
    assert set(outcomes.values()) == {Outcome(code="FORBIDDEN")}


async def test_a_context_is_opened_and_closed_around_each_call_through_every_face():
    steps: list[str] = []

    @asynccontextmanager
    async def context(call: pf.Call[Any, Any]) -> AsyncIterator[str]:
        steps.append("open")
        try:
            yield "context"
        except RuntimeError:
            steps.append("roll back")
            raise
        steps.append("close")

    def answer(call: pf.Call[Any, Any]) -> Any:
        steps.append(str(call.context))
        if call.input.q == "fail":
            raise RuntimeError("secret")
        return []

    served = record(People, answers={"search": answer}, context=context)
    async with faces_of(served) as faces:
        for face in FACES:
            steps.clear()
            await faces.call(face, "search", {"q": "fail"})
            assert (face, steps) == (face, ["open", "context", "roll back"])
            steps.clear()
            await faces.call(face, "search", {"q": ""})
            assert (face, steps) == (face, ["open", "context", "close"])


async def test_a_call_names_its_source():
    seen: list[str] = []

    def answer(call: pf.Call[Any, Any]) -> Any:
        seen.append(call.source)
        return []

    served = record(People, answers={"search": answer})
    async with faces_of(served) as faces:
        await faces.all("search", {})
    assert dict(zip(FACES, seen, strict=True)) == {
        "HTTP": "HTTP",
        "in process, full": "internal",
        "MCP": "MCP",
        "MCP handshake": "MCP",
        "AGENT": "AGENT",
        "in process, tool": "internal",
    }
