"""Bodies: what is read of one, and what is refused before it does anything."""

from functools import cache
from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

import polyface as pf
from tests.http.exchange import ask
from tests.http.service import Recorded, record

pytestmark = pytest.mark.anyio


class Note(BaseModel):
    model_config = ConfigDict(strict=True)
    text: str
    stars: int = 0
    weight: float = 0.0
    extra: Any = None


class Optional(BaseModel):
    text: str = "none"


class Loose(BaseModel):
    weight: float
    weights: list[float | None] = []
    # Names that mean something in pydantic's own descriptions of a schema.
    default: float = 0.0
    config: float = 0.0


class Notes(pf.Contract, prefix="notes"):
    add = pf.post("/", desc="Add.", input=Note, output=bool)
    put = pf.put("/", desc="Put.", input=Optional, output=bool)
    patch = pf.patch("/", desc="Patch.", input=dict[str, Any], output=bool)
    weigh = pf.post("/weigh", desc="Weigh.", input=Loose, output=bool)
    many = pf.post("/many", desc="Many.", input=list[Note], output=bool, expose=["HTTP"])
    ping = pf.post("/ping", desc="Take nothing.", output=bool)
    wipe = pf.delete("/", desc="Wipe.", input=Optional)


@cache
def served_with(**limits: int) -> Recorded:
    answers = dict.fromkeys(["add", "put", "patch", "weigh", "many", "ping"], True)
    return record(Notes, answers=answers, limits=pf.Limits(**limits))


def notes(**limits: int) -> Recorded:
    return served_with(**limits).anew()


READ: dict[str, tuple[str, str, bytes, Any]] = {
    "an object": ("POST", "/notes", b'{"text":"a","stars":2}', Note(text="a", stars=2)),
    "white space around": ("POST", "/notes", b' \r\n{"text" : "a"}\t', Note(text="a")),
    "non-ASCII text": ("POST", "/notes", '{"text":"é🦀"}'.encode(), Note(text="é🦀")),
    "escaped text": ("POST", "/notes", b'{"text":"\\ud83e\\udd80"}', Note(text="🦀")),
    "a whole number for a float": (
        "POST",
        "/notes",
        b'{"text":"a","weight":1}',
        Note(text="a", weight=1.0),
    ),
    "a number too small to be told from zero": (
        "POST",
        "/notes",
        b'{"text":"a","weight":1e-999}',
        Note(text="a"),
    ),
    "a large integer": (
        "POST",
        "/notes",
        b'{"text":"","stars":' + b"9" * 4300 + b"}",
        Note(text="", stars=10**4300 - 1),
    ),
    "one key twice, the last wins": ("POST", "/notes", b'{"text":"a","text":"b"}', Note(text="b")),
    "words of odd numbers as text": (
        "POST",
        "/notes",
        b'{"text":"NaN -Infinity 1e999"}',
        Note(text="NaN -Infinity 1e999"),
    ),
    "keys that mean something elsewhere": (
        "POST",
        "/notes",
        b'{"text":"a","__proto__":{},"__class__":1}',
        Note(text="a"),
    ),
    "nothing, where nothing is required": ("PUT", "/notes", b"", Optional()),
    "an empty object": ("PUT", "/notes", b"{}", Optional()),
    "a mapping": ("PATCH", "/notes", b'{"a":[1,null]}', {"a": [1, None]}),
    "a list, where only HTTP serves it": (
        "POST",
        "/notes/many",
        b'[{"text":"a"}]',
        [Note(text="a")],
    ),
    "nothing, where nothing is taken": ("POST", "/notes/ping", b"", None),
    "an empty object, where nothing is taken": ("POST", "/notes/ping", b"{}", None),
    "a body of a method that has none": (
        "DELETE",
        "/notes?text=a",
        b'{"text":"b"}',
        Optional(text="a"),
    ),
}


@pytest.mark.parametrize("case", READ)
async def test_a_body_is_read_as_json(case: str):
    method, target, body, given = READ[case]
    served = notes()
    reply = await ask(served.app, method, target, body=body)
    assert reply.status in (200, 204), reply.body
    assert served.inputs == [given]


@pytest.mark.parametrize(
    "kind",
    [
        "application/json",
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/merge-patch+json",
    ],
)
async def test_a_json_media_type_is_taken(kind: str):
    served = notes()
    reply = await ask(
        served.app, "POST", "/notes", body=b'{"text":"a"}', headers={"content-type": kind}
    )
    assert reply.status == 200


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "", "json"]
)
async def test_another_media_type_is_415(kind: str):
    served = notes()
    reply = await ask(
        served.app, "POST", "/notes", body=b'{"text":"a"}', headers={"content-type": kind}
    )
    assert (reply.status, reply.code) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert served.calls == []


def nested(depth: int) -> bytes:
    return b'{"text":"a","extra":' + b"[" * (depth - 1) + b"]" * (depth - 1) + b"}"


MALFORMED: dict[str, bytes] = {
    "cut off": b'{"text":"a"',
    "two values": b'{"text":"a"}{}',
    "no JSON": b"text=a",
    "a trailing comma": b'{"text":"a",}',
    "single quotes": b"{'text':'a'}",
    "a comment": b'{"text":"a"/**/}',
    "only white space": b"  ",
    "a byte order mark": b'\xef\xbb\xbf{"text":"a"}',
    "UTF-16": '{"text":"a"}'.encode("utf-16"),
    "bytes that aren't UTF-8": b'{"text":"\xe9"}',
    "a lone surrogate": b'{"text":"\\ud800"}',
    "a raw control character": b'{"text":"a\x00"}',
    "a list": b"[]",
    "null": b"null",
    "a text": b'"text"',
    "nothing, where something is required": b"",
    "a number for a text": b'{"text":1}',
    "null for a text": b'{"text":null}',
    "NaN": b'{"text":"a","weight":NaN}',
    "Infinity": b'{"text":"a","weight":-Infinity}',
    "a number too large for a float": b'{"text":"a","weight":1e999}',
    "the same in digits": b'{"text":"a","weight":' + b"9" * 400 + b"}",
    "NaN where anything goes": b'{"text":"a","extra":[NaN]}',
    "infinity where anything goes": b'{"text":"a","extra":{"a":-1e400}}',
    "an integer of too many digits": b'{"text":"a","stars":' + b"9" * 4301 + b"}",
    "too deep": nested(65),
    "much too deep": nested(100_000),
    "brackets that never close": b'{"text":"a","extra":' + b"[" * 100_000,
}


@pytest.mark.parametrize("case", MALFORMED)
async def test_a_body_that_does_not_fit_is_refused(case: str):
    served = notes()
    reply = await ask(served.app, "POST", "/notes", body=MALFORMED[case])
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert reply.json["error"]["details"]["issues"]
    assert served.calls == []


async def test_the_depth_of_a_body_is_bounded_where_the_limit_says():
    for limit in (2, 64):
        served = notes(max_depth=limit)
        assert (await ask(served.app, "POST", "/notes", body=nested(limit))).status == 200
        assert (await ask(served.app, "POST", "/notes", body=nested(limit + 1))).status == 400
        brackets = b'{"text":"' + b"[{" * 100 + b'\\"[[[","extra":[]}'
        assert (await ask(served.app, "PUT", "/notes", body=brackets)).status == 200


@pytest.mark.parametrize("value", ['"NaN"', '"inf"', '"-Infinity"', '"1e999"', "1e999", "NaN"])
@pytest.mark.parametrize("key", ["weight", "weights", "default", "config"])
async def test_a_number_that_is_not_finite_is_refused_however_it_is_written(key: str, value: str):
    served = notes()
    given = f'{{"weight":1,"{key}":{f"[{value}]" if key == "weights" else value}}}'
    reply = await ask(served.app, "POST", "/notes/weigh", body=given.encode())
    assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
    assert served.calls == []


async def test_a_body_for_an_operation_that_takes_none_is_refused():
    for body in (b'{"a":1}', b"[]", b"1", b"{"):
        served = notes()
        reply = await ask(served.app, "POST", "/notes/ping", body=body)
        assert (reply.status, reply.code) == (400, "VALIDATION_ERROR")
        assert served.calls == []


# --- size ------------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["101", "99999999999999999999"])
async def test_a_body_that_says_it_is_too_large_is_not_read(said: str):
    served = notes(max_body_bytes=100)
    reply = await ask(served.app, "POST", "/notes", body=b"x", headers={"content-length": said})
    assert (reply.status, reply.code, reply.chunks_read) == (413, "BODY_TOO_LARGE", 0)
    assert served.calls == []


@pytest.mark.parametrize(
    "said", [{}, {"content-length": "10"}, {"content-length": "-1"}, {"content-length": "x"}]
)
async def test_a_body_that_grows_too_large_is_not_read_to_its_end(said: dict[str, str]):
    served = notes(max_body_bytes=100)
    reply = await ask(served.app, "POST", "/notes", body=[b" " * 40] * 1000, headers=said)
    assert (reply.status, reply.code, reply.chunks_read) == (413, "BODY_TOO_LARGE", 3)
    assert served.calls == []


async def test_a_body_of_just_the_limit_is_read():
    body = b'{"text":"' + b"a" * 89 + b'"}'
    served = notes(max_body_bytes=len(body))
    assert (await ask(served.app, "POST", "/notes", body=[body[:50], body[50:]])).status == 200
    assert (await ask(served.app, "POST", "/notes", body=[body, b" "])).status == 413
    assert len(served.calls) == 1


async def test_a_body_that_ends_too_early_reaches_no_handler():
    served = notes()
    reply = await ask(served.app, "PUT", "/notes", body=b"{}", ends=False)
    assert (reply.status, reply.code) == (400, "BAD_REQUEST")
    assert served.calls == []


async def test_a_refused_caller_costs_no_reading():
    def refuse(_: Any) -> None:
        raise pf.forbidden("Not you.")

    served = record(Notes, hooks=pf.Hooks(authorize=refuse))
    reply = await ask(served.app, "POST", "/notes", body=[b"x" * 1000] * 100)
    assert (reply.status, reply.code, reply.chunks_read) == (403, "FORBIDDEN", 0)
    assert served.calls == []
