"""What one caller or one handler may not do to the others."""

import asyncio
import dataclasses
import enum
import json
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Annotated, Any, Literal

import anyio
import pytest
from pydantic import AfterValidator, BaseModel, ConfigDict

import polyface as pf
from polyface.execution.issues import invalid_arguments, issues_of
from polyface.http.route import _below
from polyface.operations.response import ResponseHeaders
from polyface.schema.adapter import Schema
from polyface.schema.arguments import is_nested_deeper
from tests.execution.calls import ask_http, call_tool, post, surface_of

pytestmark = pytest.mark.anyio


class Things(BaseModel):
    items: list[int | bool]


class Panic(BaseException):
    """What a panic of an extension module is: no `Exception`."""


def test_a_text_of_escaped_quotes_that_never_ends_is_read_once() -> None:
    # Searched anew from every quote, a quarter of a megabyte would take hours.
    text = b'"' + b'\\"' * 131_072
    assert is_nested_deeper(b"[" * 65 + text, 64) is False  # nothing is said of malformed text
    assert is_nested_deeper(b"[" * 65 + text + b'"' + b"]" * 65, 64) is True


def test_many_wrong_items_of_a_union_are_told_in_linear_time() -> None:
    given = json.dumps({"items": [""] * 20_000}).encode()
    with pytest.raises(ValueError) as refused:
        Schema[Any](Things).parse_json(given)
    error: Any = refused.value
    told = invalid_arguments(issues_of(error, given))
    assert len(told.details["issues"]) == 20
    assert told.details["issues"][0]["path"] == "items[0]"


def test_a_long_path_is_decoded_once_below_a_root() -> None:
    path = "/%41" * 65_536
    assert _below("/api", path) == path
    assert _below("/A/A", path) == path.removeprefix("/%41/%41")
    assert _below("/api", "/api") == ""
    assert _below("/a b", "/a%20b/c") == "/c"


@pytest.mark.parametrize(
    "error",
    [Panic("secret"), SystemExit(3), BaseExceptionGroup("secret", [Panic("secret")])],
    ids=["panic", "exit", "group"],
)
async def test_what_is_no_exception_is_a_fault_of_this_call_only(error: BaseException) -> None:
    failures: list[str] = []

    def handler(call: Any) -> Any:
        raise error

    async def asynchronous(call: Any) -> Any:
        raise error

    hooks = pf.Hooks(on_error=lambda _, told: failures.append(told.code))
    for function in (handler, asynchronous):
        surface = surface_of(post(output=int), function, hooks=hooks)
        reply = await ask_http(surface, "POST", "/things")
        assert (reply.status, reply.code) == (500, "INTERNAL_SERVER_ERROR")
        assert b"secret" not in reply.body
    assert failures == ["INTERNAL_SERVER_ERROR"] * 2


async def test_an_interrupt_ends_the_program() -> None:
    async def handler(call: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await call_tool(surface_of(post(output=int), handler))


def test_a_surface_serves_two_event_loops_at_once() -> None:
    together = threading.Barrier(2)
    started: list[int] = []

    def handler(call: Any) -> Any:
        started.append(1)
        return 1

    surface = surface_of(post(output=int), handler, limits=pf.Limits(max_threads=1))
    answers: list[Any] = []

    async def many() -> None:
        await anyio.to_thread.run_sync(together.wait)
        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(one)

    async def one() -> None:
        answers.append(await call_tool(surface))

    threads = [threading.Thread(target=lambda: asyncio.run(many())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert answers == [1] * 40


@pytest.mark.parametrize("name", pf.Hooks.__dataclass_fields__)
def test_a_hook_that_is_no_function_is_refused(name: str) -> None:
    options: Any = {name: 3}
    with pytest.raises(pf.DeclarationError, match=rf"`Hooks\({name}=...\)` takes a function"):
        pf.Hooks(**options)


@pytest.mark.parametrize("value", [" x", "x ", "€", "a\tb"])
def test_a_header_value_that_cannot_be_sent_is_refused_when_it_is_added(value: str) -> None:
    headers = ResponseHeaders(pf.ResponseMetadata(headers=("x-thing",)), label="Things.do")
    with pytest.raises(ValueError, match="isn't one that a header can have"):
        headers.add("x-thing", value)
    assert headers.items() == ()


async def test_an_infinity_of_many_digits_is_refused_over_http() -> None:
    class Loose(BaseModel):
        x: Any

    ran: list[int] = []

    def handler(call: Any) -> int:
        ran.append(1)
        return 1

    surface = surface_of(post(input=Loose, output=int), handler)
    body = b'{"x": 1' + b"0" * 250 + b"e99}"
    reply = await ask_http(surface, "POST", "/things", body)
    assert (reply.status, reply.code, ran) == (400, "VALIDATION_ERROR", [])


async def test_a_sync_handler_that_is_late_is_told_as_late() -> None:
    release = threading.Event()

    def handler(call: Any) -> int:
        release.wait(0.2)  # longer than the call may take, and nobody sets it
        return 1

    surface = surface_of(post(output=int, timeout_seconds=0.01), handler)
    reply = await ask_http(surface, "POST", "/things")
    assert (reply.status, reply.code) == (408, "REQUEST_TIMEOUT")


def test_a_combination_of_flags_is_not_taken_for_one_of_its_members() -> None:
    class Access(enum.IntFlag):
        READ = 1
        WRITE = 2

    class Full(BaseModel):
        access: Access

    class Card(BaseModel):
        access: Literal[1, 2]

    assert pf.AnswerPlan(Full).to_json({"access": 3}) == b'{"access":3}'
    plan = pf.AnswerPlan(Full, view=Card)
    assert plan.to_json({"access": 1}) == b'{"access":1}'
    with pytest.raises(pf.AnswerError, match="access"):
        plan.to_json({"access": 3})


class Node(BaseModel):
    kids: list["Node"] = []


@dataclasses.dataclass
class Pair:
    a: int
    b: int = 1


def cyclic() -> dict[str, Any]:
    node: dict[str, Any] = {"unheard": 1}
    node["kids"] = [node]
    return node


def without_a_field() -> Pair:
    pair = Pair(1)
    del pair.a
    return pair


UNREADABLE: dict[str, tuple[Any, Any, str]] = {
    "a value inside itself": (Node, cyclic(), "cyclic reference"),
    "a value inside itself below anything": (dict[str, Any], cyclic(), "Circular reference"),
    "an instance without its field": (Pair, without_a_field(), "AttributeError"),
}


@pytest.mark.parametrize("listens", [False, True], ids=["unheard", "with a listener"])
@pytest.mark.parametrize("case", UNREADABLE)
def test_a_value_that_can_not_be_read_is_a_broken_promise_and_reports_nothing(case, listens):
    type_, value, message = UNREADABLE[case]
    heard: list[Any] = []
    with pytest.raises(pf.AnswerError, match=message):
        pf.AnswerPlan(type_).to_json(value, on_strip=heard.append if listens else None)
    assert heard == []


class Growing(dict[str, Any]):
    """It has another key each time that it is looked through."""

    def __iter__(self) -> Any:
        for key in [*super().__iter__()]:
            self[f"more{len(self)}"] = 1
            yield key
        raise RuntimeError("dictionary changed size during iteration")


def test_a_mapping_that_changes_under_the_report_is_a_broken_promise():
    class Odd(BaseModel):
        model_config = ConfigDict(title="Odd")
        a: int
        b: Annotated[int, AfterValidator(lambda value: value)] = 1

    with pytest.raises(pf.AnswerError, match="RuntimeError"):
        pf.AnswerPlan(Odd).to_json(MappingProxyType(Growing(a=1)), on_strip=print)


def test_threads_share_one_plan_and_each_gets_its_own_answer():
    plan = pf.AnswerPlan(list[Node])
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:

        def write(count: int) -> set[bytes]:
            rows = [{"kids": [{"kids": []} for _ in range(count)], "unheard": count}]
            heard: list[Any] = []
            made = {plan.to_json(rows, on_strip=heard.append) for _ in range(200)}
            assert {entries[0].path for entries in heard} == {"[].unheard"}
            return made

        with ThreadPoolExecutor(8) as pool:
            answers = [*pool.map(write, range(8))]
    finally:
        sys.setswitchinterval(interval)
    kids = [b",".join([b'{"kids":[]}'] * count) for count in range(8)]
    assert answers == [{b'[{"kids":[' + inner + b"]}]"} for inner in kids]
