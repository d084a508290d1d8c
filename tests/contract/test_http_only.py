"""What an endpoint of an HTTP-only kind may not say."""

from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf


class Count(BaseModel):
    n: int


RAW = pf.RawResponse()
STREAM = pf.Stream(item=Count)
HEADERS = pf.ResponseMetadata()
FORM = pf.Multipart(files={"document": pf.FilePart()})


@pytest.mark.parametrize(
    "options",
    [
        {"response": RAW},
        {"response": STREAM},
        {"response": HEADERS, "output": Count},
        {"body": pf.RawBody(), "input": Count},
        {"body": FORM},
    ],
    ids=["raw", "stream", "headers", "raw body", "form"],
)
class TestEachKind:
    def test_it_is_exposed_over_http_only_without_being_asked(self, options: Any) -> None:
        assert pf.post("/x", desc="X.", **options).expose == ("HTTP",)

    def test_it_can_never_be_a_tool(self, options: Any) -> None:
        with pytest.raises(pf.DeclarationError, match=r"can never be a tool; leave `tool=` out\.$"):
            pf.post("/x", desc="X.", tool=pf.ToolOptions(name="x"), **options)

    def test_a_tool_transport_is_refused(self, options: Any) -> None:
        with pytest.raises(pf.DeclarationError, match=r"served over HTTP only; write `expose="):
            pf.post("/x", desc="X.", expose=["HTTP", "MCP"], **options)

    def test_a_tool_view_is_refused(self, options: Any) -> None:
        endpoint = pf.post("/x", desc="X.", **options)
        with pytest.raises(pf.DeclarationError, match="HTTP only and can't have a tool view"):
            pf.with_tool_view(endpoint, output=Count)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"response": RAW, "output": Count}, r"`RawResponse` answers without `output=`"),
        ({"response": STREAM, "output": Count}, r"`Stream` answers without `output=`"),
        ({"response": "text/csv"}, r"`response=` takes `RawResponse`, `Stream` or"),
        ({"body": "form"}, r"`body=` takes `RawBody` or `Multipart`"),
        ({"body": pf.RawBody()}, r"a raw body stands beside a parsed one; declare `input=`"),
        ({"body": pf.Multipart()}, r"a multipart body needs a file field"),
        (
            {"body": pf.Multipart(files={"n": pf.FilePart()}), "input": Count},
            r"the file field `n` must be an identifier that `input=` doesn't have",
        ),
        (
            {"body": pf.Multipart(files={"a b": pf.FilePart()})},
            r"the file field `a b` must be an identifier",
        ),
        (
            {"body": pf.Multipart(files={"d": pf.FilePart(max_bytes=0)})},
            r"the file field `d` takes nothing",
        ),
        ({"status": 404}, r"`status=` is one of success, 200 to 299"),
        ({"status": 204, "output": Count}, r"an answer with the status 204 has no body"),
    ],
)
def test_what_cannot_hold_is_refused_on_its_line(options: Any, message: str) -> None:
    with pytest.raises(pf.DeclarationError, match=r"`POST /x`: .*" + message):
        pf.post("/x", desc="X.", **options)


@pytest.mark.parametrize("options", [{"body": FORM}, {"body": pf.RawBody(), "input": Count}])
def test_a_method_without_a_body_refuses_one(options: Any) -> None:
    with pytest.raises(pf.DeclarationError, match=r"`GET` has no body; use `post`"):
        pf.get("/x", desc="X.", **options)


@pytest.mark.parametrize("options", [{"output": Count}, {"response": STREAM}])
def test_head_has_no_answer(options: Any) -> None:
    with pytest.raises(pf.DeclarationError, match=r"a HEAD answer has no body"):
        pf.head("/x", desc="X.", **options)


@pytest.mark.parametrize(
    ("headers", "message"),
    [
        ("x-total", r"`headers` is a list of names, not `'x-total'`"),
        ({"x-total": 1}, r"`headers` is a list of names"),
        (["x total"], r"`'x total'` isn't the name of a header"),
        (["x\r\ny"], r"isn't the name of a header"),
        ([1], r"`1` isn't the name of a header"),
        (["Content-Length"], r"the server sets `Content-Length`"),
        (["set-cookie"], r"call `call.response.set_cookie\(...\)`"),
    ],
)
def test_headers_that_no_handler_may_set_are_refused_where_they_are_declared(
    headers: Any, message: str
) -> None:
    with pytest.raises(pf.DeclarationError, match=message):
        pf.ResponseMetadata(headers=headers)
