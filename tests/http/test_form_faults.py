"""Forms that a caller cut off or spelled wrongly: each is refused, and no handler runs."""

from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app
from tests.execution.calls import surface_of
from tests.http.exchange import ask

pytestmark = pytest.mark.anyio


class Note(BaseModel):
    text: str = ""


PART = b'--x\r\ncontent-disposition: form-data; name="%s"%s\r\n\r\n%s\r\n'
FILE = PART % (b"file", b'; filename="a.txt"', b"hello")
TEXT = PART % (b"text", b"", b"one")
END = b"--x--\r\n"


def uploading(ran: list[Any]) -> Any:
    def handler(call: Any) -> None:
        ran.append((call.input.text, [file.filename for file in call.files["file"]]))

    endpoint = pf.post(
        "",
        desc="Upload.",
        input=Note,
        body=pf.Multipart(files={"file": pf.FilePart(required=False)}),
    )
    return http_app(surface_of(endpoint, handler))


async def send(app: Any, *chunks: bytes, kind: str = "multipart/form-data; boundary=x") -> Any:
    return await ask(app, "POST", "/things", body=chunks, headers={"content-type": kind})


FAULTS: dict[str, tuple[bytes, str, str]] = {
    "no closing boundary": (TEXT + FILE, "multipart/form-data; boundary=x", "BAD_REQUEST"),
    "cut inside a part": (TEXT + FILE[:-6], "multipart/form-data; boundary=x", "BAD_REQUEST"),
    "nothing at all": (b"", "multipart/form-data; boundary=x", "BAD_REQUEST"),
    "no boundary": (TEXT + END, "multipart/form-data", "BAD_REQUEST"),
    "another boundary": (TEXT + END, "multipart/form-data; boundary=y", "BAD_REQUEST"),
    "a charset that reads nothing": (
        TEXT + END,
        "multipart/form-data; boundary=x; charset=undefined",
        "BAD_REQUEST",
    ),
    "text where a file belongs": (
        PART % (b"file", b"", b"hello") + END,
        "multipart/form-data; boundary=x",
        "VALIDATION_ERROR",
    ),
}


@pytest.mark.parametrize("case", FAULTS)
async def test_a_form_that_can_not_be_read_is_refused_and_nothing_runs(case):
    body, kind, code = FAULTS[case]
    ran: list[Any] = []
    reply = await send(uploading(ran), body, kind=kind)
    assert (reply.status, reply.code, ran) == (400, code, [])


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
async def test_a_whole_form_is_read_however_it_is_cut_into_chunks(size):
    body = TEXT + FILE + END + b"an epilogue"
    chunks = [body[at : at + size] for at in range(0, len(body), size)]
    ran: list[Any] = []
    reply = await send(uploading(ran), *chunks)
    assert (reply.status, ran) == (204, [("one", ["a.txt"])])
