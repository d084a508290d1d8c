"""The kinds that only HTTP serves: raw and streamed answers, headers, raw and multipart bodies."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import httpx2
import pytest
from openapi_spec_validator import validate
from pydantic import BaseModel
from starlette.responses import PlainTextResponse

import polyface as pf
from polyface.http import http_app, openapi_document

pytestmark = pytest.mark.anyio


class Count(BaseModel):
    n: int


class Note(BaseModel):
    text: str
    tags: list[str] = []


class Kinds(pf.Contract, prefix="kinds"):
    table = pf.get("/table", desc="A table.", response=pf.RawResponse(content_type="text/csv"))
    own = pf.get("/own", desc="A response of its own.", response=pf.RawResponse())
    broken = pf.get("/broken", desc="Not a raw answer.", response=pf.RawResponse())
    lines = pf.get("/lines", desc="Lines.", input=Count, response=pf.Stream(item=Count))
    events = pf.get(
        "/events", desc="Events.", input=Count, response=pf.Stream(item=Count, framing="sse")
    )
    signed = pf.post("/signed", desc="Signed.", input=Count, output=Count, body=pf.RawBody())
    upload = pf.post(
        "/upload",
        desc="Upload.",
        input=Note,
        output=dict[str, Any],
        status=201,
        body=pf.Multipart(
            files={
                "document": pf.FilePart(max_bytes=10, content_types=("text/plain",)),
                "pictures": pf.FilePart(required=False, max_files=2),
            }
        ),
    )
    visit = pf.get(
        "/visit", desc="A visit.", output=Count, response=pf.ResponseMetadata(headers=("x-visit",))
    )
    exists = pf.head("/visit", desc="Whether there are visits.")
    accepted = pf.post("/accepted", desc="Accepted.", input=Count, output=Count, status=202)


class Probe:
    """What the handlers and the context went through."""

    def __init__(self) -> None:
        self.steps: list[str] = []

    @asynccontextmanager
    async def context(self, _: Any) -> AsyncIterator["Probe"]:
        self.steps.append("open")
        try:
            yield self
        finally:
            self.steps.append("close")


@pytest.fixture
def probe() -> Probe:
    return Probe()


@pytest.fixture
async def http(probe: Probe) -> AsyncIterator[httpx2.AsyncClient]:
    app = http_app(make_surface(probe))
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False)
    async with httpx2.AsyncClient(transport=transport, base_url="http://kinds.test") as client:
        yield client


def make_surface(probe: Probe) -> pf.Surface[Any]:
    kinds = pf.implement(Kinds)

    @kinds.handler(Kinds.table)
    def table(call: Any) -> Any:
        return "a,b\n1,2\n"

    @kinds.handler(Kinds.own)
    def own(call: Any) -> Any:
        return PlainTextResponse("mine", status_code=203)

    @kinds.handler(Kinds.broken)
    def broken(call: Any) -> Any:
        return {"secret": 1}

    @kinds.handler(Kinds.lines)
    async def lines(call: Any) -> Any:
        for number in range(call.input.n):
            probe.steps.append(f"item {number}")
            yield {"n": "wrong"} if number == 3 else {"n": number, "undeclared": True}

    @kinds.handler(Kinds.events)
    def events(call: Any) -> Iterator[Any]:
        if call.input.n == 0:
            raise pf.not_found("There are no events.")
        for number in range(call.input.n):
            yield Count(n=number)

    @kinds.handler(Kinds.signed)
    def signed(call: Any) -> Any:
        return {"n": len(call.body)}

    @kinds.handler(Kinds.upload)
    async def upload(call: Any) -> Any:
        probe.steps.append("upload")
        return {
            "text": call.input.text,
            "tags": call.input.tags,
            "document": (await call.files["document"][0].read()).decode(),
            "pictures": len(call.files["pictures"]),
        }

    @kinds.handler(Kinds.visit)
    def visit(call: Any) -> Any:
        call.response.add("x-visit", "7")
        call.response.set_cookie("seen", "yes", max_age_seconds=60)
        return {"n": 7}

    @kinds.handler(Kinds.exists)
    def exists(call: Any) -> Any:
        return None

    @kinds.handler(Kinds.accepted)
    def accepted(call: Any) -> Any:
        return call.input

    return pf.Surface([kinds], context=probe.context)


async def test_raw_text_is_sent_as_it_stands(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/table")
    assert (answer.status_code, answer.text) == (200, "a,b\n1,2\n")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"


async def test_a_response_object_is_sent_verbatim(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/own")
    assert (answer.status_code, answer.text) == (203, "mine")


async def test_a_raw_handler_that_returns_data_is_a_server_fault(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/broken")
    assert answer.status_code == 500
    assert answer.json()["error"]["code"] == "INTERNAL_SERVER_ERROR"
    assert "secret" not in answer.text


async def test_stream_items_are_checked_and_cut_before_each_is_sent(
    http: httpx2.AsyncClient,
) -> None:
    answer = await http.get("/kinds/lines?n=2")
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert answer.text == '{"n":0}\n{"n":1}\n'


async def test_the_context_stays_open_until_the_last_item(
    http: httpx2.AsyncClient, probe: Probe
) -> None:
    await http.get("/kinds/lines?n=2")
    assert probe.steps == ["open", "item 0", "item 1", "close"]


async def test_a_fault_midway_is_the_last_line_and_no_item(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/lines?n=9")
    lines = [json.loads(line) for line in answer.text.splitlines()]
    assert answer.status_code == 200
    assert lines[:3] == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert [line.get("error", {}).get("code") for line in lines[3:]] == ["INTERNAL_SERVER_ERROR"]


async def test_a_stream_that_fails_before_its_first_item_answers_with_the_status(
    http: httpx2.AsyncClient,
) -> None:
    answer = await http.get("/kinds/events?n=0")
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "NOT_FOUND")


async def test_an_empty_stream_is_a_complete_answer(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/lines?n=0")
    assert (answer.status_code, answer.text) == (200, "")


async def test_events_are_framed_as_server_sent_events(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/events?n=2")
    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text == 'data: {"n":0}\n\ndata: {"n":1}\n\n'


async def test_a_raw_body_stands_beside_the_parsed_one(http: httpx2.AsyncClient) -> None:
    body = b'{ "n" :  3 }'
    answer = await http.post(
        "/kinds/signed", content=body, headers={"content-type": "application/json"}
    )
    assert answer.json() == {"n": len(body)}


async def test_a_form_brings_text_for_the_input_and_files_for_the_handler(
    http: httpx2.AsyncClient,
) -> None:
    answer = await http.post(
        "/kinds/upload",
        data={"text": "00123", "tags": "one"},
        files=[
            ("document", ("a.txt", b"hello", "text/plain")),
            ("pictures", ("a.png", b"1", "image/png")),
            ("pictures", ("b.png", b"2", "image/png")),
        ],
    )
    assert answer.status_code == 201
    assert answer.json() == {
        "text": "00123",
        "tags": ["one"],
        "document": "hello",
        "pictures": 2,
    }


@pytest.mark.parametrize(
    ("files", "path", "code"),
    [
        ([], "document", "missing"),
        ([("document", ("a", b"hello world!", "text/plain"))], "document", "too_large"),
        ([("document", ("a", b"x", "image/png"))], "document", "content_type"),
        ([("document", ("a", b"x", "text/plain"))] * 2, "document", "too_many_files"),
        (
            [("document", ("a", b"x", "text/plain")), ("other", ("a", b"x", "text/plain"))],
            "other",
            "unexpected",
        ),
    ],
)
async def test_a_file_outside_its_limits_is_refused_before_the_handler(
    http: httpx2.AsyncClient, probe: Probe, files: Any, path: str, code: str
) -> None:
    padding = [("unused", (None, b""))] if not files else []
    answer = await http.post("/kinds/upload", data={"text": "t"}, files=files or padding)
    issues = answer.json()["error"]["details"]["issues"]
    assert answer.status_code == 400
    assert (path, code) in {(issue["path"], issue["code"]) for issue in issues}
    assert "upload" not in probe.steps


async def test_a_form_operation_refuses_json(http: httpx2.AsyncClient, probe: Probe) -> None:
    answer = await http.post("/kinds/upload", json={"text": "t"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert "upload" not in probe.steps


async def test_a_malformed_form_is_the_callers_fault(http: httpx2.AsyncClient) -> None:
    answer = await http.post(
        "/kinds/upload",
        content=b"nonsense",
        headers={"content-type": "multipart/form-data; boundary=x"},
    )
    assert answer.status_code == 400


async def test_a_form_that_is_too_long_is_refused_while_it_is_read(probe: Probe) -> None:
    surface = make_surface(probe)
    app = http_app(surface)
    most = surface.limits.max_body_bytes + 10 + 2 * 10 * 1024 * 1024
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://kinds.test") as client:
        files = [("document", ("a.txt", b"x" * (most + 1), "text/plain"))]
        answer = await client.post("/kinds/upload", data={"text": "t"}, files=files)
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "BODY_TOO_LARGE")


async def test_headers_and_cookies_of_the_handler_are_sent(http: httpx2.AsyncClient) -> None:
    answer = await http.get("/kinds/visit")
    assert answer.headers["x-visit"] == "7"
    assert answer.headers["set-cookie"] == (
        "seen=yes; Path=/; SameSite=Lax; Max-Age=60; Secure; HttpOnly"
    )


async def test_head_answers_without_a_body(http: httpx2.AsyncClient) -> None:
    answer = await http.head("/kinds/visit")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_a_declared_status_is_the_answers(http: httpx2.AsyncClient) -> None:
    answer = await http.post("/kinds/accepted", json={"n": 1})
    assert (answer.status_code, answer.json()) == (202, {"n": 1})


@pytest.mark.parametrize("value", ["1\r\nx-b: 2", "1\x00", " 1", "\u20ac"])
def test_a_header_that_would_break_out_is_refused(value: str) -> None:
    from polyface.operations.response import ResponseHeaders

    headers = ResponseHeaders(pf.ResponseMetadata(headers=("x-a",)), label="Kinds.visit")
    with pytest.raises(ValueError):
        headers.add("x-a", value)
    assert headers.items() == ()


@pytest.mark.parametrize("value", ["a;b", "a\nb", 'a"b', "ä"])
def test_a_cookie_that_would_break_out_is_refused(value: str) -> None:
    from polyface.operations.response import ResponseHeaders

    headers = ResponseHeaders(pf.ResponseMetadata(), label="Kinds.visit")
    with pytest.raises(ValueError):
        headers.set_cookie("name", value)
    assert headers.items() == ()


def test_the_document_says_what_each_kind_takes_and_answers(probe: Probe) -> None:
    document = openapi_document(make_surface(probe))
    validate(document)
    paths = document["paths"]
    assert set(paths["/kinds/table"]["get"]["responses"]["200"]["content"]) == {"text/csv"}
    lines = paths["/kinds/lines"]["get"]["responses"]["200"]["content"]["application/x-ndjson"]
    assert lines["x-item-schema"] == {"$ref": "#/components/schemas/Count"}
    form = paths["/kinds/upload"]["post"]["requestBody"]["content"]["multipart/form-data"]
    assert form["schema"]["required"] == ["text", "document"]
    assert form["encoding"]["document"] == {"contentType": "text/plain"}
    assert "201" in paths["/kinds/upload"]["post"]["responses"]
    assert "x-visit" in paths["/kinds/visit"]["get"]["responses"]["200"]["headers"]
    assert paths["/kinds/visit"]["head"]["responses"]["200"] == {
        "description": "Done; there is nothing to answer."
    }
