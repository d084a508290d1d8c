"""Values of another kind than an option takes, refused where they are given."""

from collections.abc import Callable
from typing import Any

import pytest
from pydantic import BaseModel

import polyface as pf
from polyface.http import http_app
from polyface.mcp import mcp_server


class Thing(BaseModel):
    id: int


class Things(pf.Contract, prefix="things"):
    list_ = pf.get("", key="list", desc="All.", output=list[Thing])


def make_service() -> pf.Service[Any]:
    service = pf.implement(Things)
    service.handler(Things.list_)(lambda call: [])
    return service


SERVICE: Any = make_service()
SURFACE = pf.Surface([SERVICE])
ANYTHING: Any = 3
NO_HOOKS: Any = {}


def server(**options: Any) -> Any:
    return mcp_server(SURFACE, name="things", version="1", **options)


@pytest.mark.parametrize(
    ("declare", "message"),
    [
        (lambda: pf.Surface(SERVICE), r"write `Surface\(\[service\]\)`"),
        (lambda: pf.Surface([SERVICE, SERVICE]), r"`Service\(Things\)` is listed twice"),
        (lambda: pf.Surface([SERVICE], hooks=NO_HOOKS), r"`hooks=` takes `Hooks\(\.\.\.\)`"),
        (lambda: pf.Surface([SERVICE], context=ANYTHING), r"`context=` is a function of the call"),
        (lambda: http_app(SURFACE, prefix="/{x}"), r"`prefix=` captures nothing"),
        (lambda: http_app(SURFACE, prefix=ANYTHING), r"segments such as `/v1`, not `3`"),
        (lambda: http_app(SURFACE, prefix="/.."), r"the path `/\.\.` has the segment"),
        (lambda: http_app(SURFACE, openapi_path="/things"), r"serves `/things` itself; choose"),
        (lambda: http_app(SURFACE, openapi_path="/{x}"), r"`openapi_path=` captures nothing"),
        (lambda: http_app(SURFACE, title=ANYTHING), r"`title=` is text, not `3`"),
        (lambda: http_app(SURFACE, version=""), r"`version=` is text, not `''`"),
        (lambda: http_app(SERVICE), r"a mount takes a `Surface`, not `Service\(Things\)`"),
        (lambda: pf.tool_invoker(SERVICE, transport="MCP"), r"a mount takes a `Surface`"),
        (lambda: mcp_server(SERVICE, name="a", version="1"), r"a mount takes a `Surface`, not"),
        (lambda: server(content="xx"), r"`content=` is `both`, `structured` or `text`, not `xx`"),
        (lambda: server(allowed_hosts="a.example"), r"write `allowed_hosts=\['a\.example'\]`"),
        (lambda: server(allowed_hosts={"https://b.example"}), r"names `https://b.example`; write"),
        (lambda: server(allowed_hosts=iter(["http://c.example"])), r"names `http://c.example`"),
        (lambda: server(allowed_hosts=[3]), r"`allowed_hosts=` holds text, not `3`"),
        (lambda: server(allowed_origins={None}), r"`allowed_origins=` holds text, not `None`"),
        (lambda: server(allowed_hosts=["https://a.example"]), r"without a scheme"),
        (lambda: server(allowed_hosts=["*"]), r"what a `Host` header holds"),
        (lambda: server(allowed_origins="https://a.example"), r"`allowed_origins=` is a list"),
        (lambda: server().route("mcp"), r"the MCP path `mcp` must start with `/`"),
        (lambda: pf.Stream(item=Thing, framing=ANYTHING), r"`framing` is `ndjson` or `sse`, not"),
        (lambda: pf.OperationError("oops"), r"`oops` isn't an error code; write it as `PERSON_"),
    ],
)
def test_it_is_refused_with_the_remedy(declare: Callable[[], Any], message: str) -> None:
    with pytest.raises(pf.DeclarationError, match=message):
        declare()


@pytest.mark.parametrize("output", ["Thing", "T", "Any", list["Thing"], dict[str, "Thing"]])
def test_a_type_in_text_is_refused_and_never_looked_up(output: Any) -> None:
    with pytest.raises(pf.DeclarationError, match=r"names a type in text, .* without quotes"):
        pf.get("", desc="All.", output=output)
    with pytest.raises(pf.DeclarationError, match=r"without quotes"):
        pf.AnswerPlan(output)


def test_a_missing_handler_is_named_as_it_can_be_typed() -> None:
    with pytest.raises(pf.DeclarationError, match=r"@service.handler\(Things.list_\)"):
        pf.Surface([pf.implement(Things)])


@pytest.mark.parametrize(
    ("project", "message"),
    [
        (lambda full: full, r"a projection takes the full answer and the call; `<lambda>` can't"),
        (list, r"a projection takes the full answer and the call"),
    ],
)
def test_a_projection_that_cannot_be_called_is_refused(project: Any, message: str) -> None:
    endpoint = pf.get("", desc="All.", output=list[Thing])
    with pytest.raises(pf.DeclarationError, match=message):
        pf.with_tool_view(endpoint, project=project)


async def later(full: Any, call: Any) -> Any:
    return full


async def one_by_one(full: Any, call: Any) -> Any:
    yield full


class Later:
    async def __call__(self, full: Any, call: Any) -> Any:
        return full


@pytest.mark.parametrize("project", [later, one_by_one, Later()])
def test_an_async_projection_is_refused_when_it_is_declared(project: Any) -> None:
    endpoint: Any = pf.get("", desc="All.", output=list[Thing])
    with pytest.raises(pf.DeclarationError) as refused:
        pf.with_tool_view(endpoint, project=project)
    assert str(refused.value) == (
        "`GET /`: a projection is synchronous; what it waits for belongs into the full answer."
    )


def test_details_that_json_cannot_hold_are_left_out_one_by_one() -> None:
    error = pf.OperationError(
        "NO_SUCH_THING", details={"x": object(), "id": 3, "nan": float("nan")}
    )
    assert error.to_json() == (
        b'{"error":{"code":"NO_SUCH_THING","message":"NO_SUCH_THING","details":{"id":3},'
        b'"retryable":false}}'
    )
