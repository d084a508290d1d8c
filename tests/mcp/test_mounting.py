"""Where an MCP server is served, and whom it lets in."""

import sys
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from pydantic import BaseModel
from starlette.applications import Starlette

import polyface as pf
from polyface.http import http_app
from polyface.mcp import mcp_server
from tests.http.exchange import ask
from tests.http.service import Recorded, record
from tests.mcp.wire import HANDSHAKE, MODERN, VERSIONS, connected, text_of

pytestmark = pytest.mark.anyio


class Card(BaseModel):
    id: int


class Given(BaseModel):
    text: str = ""


class Cards(pf.Contract, prefix="cards"):
    list = pf.get("/", desc="All.", input=Given, output=list[Card])


def cards(**options: Any) -> Recorded:
    return record(Cards, answers={"list": [Card(id=1)]}, **options)


def serve(recorded: Recorded, **options: Any) -> Starlette:
    return mcp_server(recorded.surface, name="cards", version="1", **options).asgi()


# --- who is let in ---------------------------------------------------------------------------


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example"}, 421),
        ({"host": "localhost.evil.example:80"}, 421),
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://localhost:3000"}, 200),
        ({"host": "[::1]:8000"}, 200),
        ({"host": "localhost"}, 200),
        ({"host": "127.0.0.1", "origin": "http://localhost"}, 200),
        ({"host": "localhost.evil.example"}, 421),
    ],
)
async def test_a_host_or_origin_that_is_not_ours_is_refused(
    headers: dict[str, str], status: int, version: str
):
    served = cards()
    async with connected(serve(served), version) as client:
        message = client.envelope("tools/call", {"name": "list_cards", "arguments": {}})
        answer = await client.post(message, headers=headers)
    assert answer.status_code == status
    assert len(served.calls) == (status == 200)


@pytest.mark.parametrize("version", VERSIONS)
async def test_the_hosts_that_are_named_are_served_and_no_others(version: str):
    served = cards()
    app = serve(served, allowed_hosts=["api.example.com"], allowed_origins=["https://example.com"])
    transport = httpx2.ASGITransport(app=app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://api.example.com") as http,
    ):
        from tests.mcp.wire import Wire

        client = Wire(http, version, "/mcp")
        await client.connect()
        message = client.envelope("tools/call", {"name": "list_cards", "arguments": {}})
        for headers, status in [
            ({"origin": "https://example.com"}, 200),
            ({"origin": "http://localhost:1"}, 403),
            ({"host": "127.0.0.1:8000"}, 421),
        ]:
            assert (await client.post(message, headers=headers)).status_code == status
    assert len(served.calls) == 1


@pytest.mark.parametrize("version", VERSIONS)
async def test_a_body_over_the_limit_is_refused(version: str):
    served = cards(limits=pf.Limits(max_body_bytes=2000))
    async with connected(serve(served), version) as client:
        for size, status in [(100, 200), (5000, 413)]:
            arguments = {"text": "x" * size}
            message = client.envelope("tools/call", {"name": "list_cards", "arguments": arguments})
            assert (await client.post(message)).status_code == status
    assert len(served.calls) == 1


BROKEN: dict[str, tuple[bytes, int]] = {
    "no JSON": (b"{", 400),
    "a batch": (b"[]", 400),
    "no request": (b'{"jsonrpc":"2.0","id":1}', 400),
    "bytes that aren't UTF-8": (b'{"jsonrpc":"2.0","id":1,"method":"\xe9"}', 400),
    "brackets without end": (b"[" * 100_000, 400),
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("case", BROKEN)
async def test_what_is_no_request_gets_an_error_and_reaches_no_handler(case: str, version: str):
    body, status = BROKEN[case]
    served = cards()
    async with connected(serve(served), version) as client:
        headers = client.headers({"method": "tools/call", "params": {"name": "list_cards"}})
        answer = await client.http.post("/mcp", content=body, headers=headers)
        assert text_of(await client.call("list_cards")) == [{"id": 1}]
    assert answer.status_code == status
    assert b"Traceback" not in answer.content
    assert len(served.calls) == 1


# --- lifespans -------------------------------------------------------------------------------


async def test_a_server_that_is_not_running_is_503():
    app = serve(cards())
    for _ in range(2):
        reply = await ask(app, "POST", "/mcp", body=b"{}", headers={"host": "localhost:80"})
        assert (reply.status, reply.body) == (503, b"The MCP server isn't running.")
        async with connected(app, *MODERN) as client:
            assert text_of(await client.call("list_cards")) == [{"id": 1}]


@pytest.mark.parametrize("version", VERSIONS)
async def test_an_application_can_be_started_again_and_the_surface_with_it(version: str):
    steps: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        steps.append("start")
        yield
        steps.append("stop")

    app = serve(cards(lifespan=lifespan))
    for _ in range(2):
        async with connected(app, version) as client:
            assert text_of(await client.call("list_cards")) == [{"id": 1}]
    assert steps == ["start", "stop"] * 2


async def test_http_and_two_servers_in_one_application_share_the_surfaces_lifespan():
    steps: list[str] = []

    @asynccontextmanager
    async def lifespan(_: Any) -> AsyncIterator[None]:
        steps.append("start")
        yield
        steps.append("stop")

    served = cards(lifespan=lifespan)
    one = mcp_server(served.surface, name="one", version="1")
    two = mcp_server(served.surface, name="two", version="1", content="text")

    @asynccontextmanager
    async def both(_: Starlette) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(one.running())
            await stack.enter_async_context(two.running())
            yield

    app = http_app(served.surface, routes=[one.route("/one"), two.route("/two/mcp")], lifespan=both)
    async with connected(app, *VERSIONS, path="/one") as clients:
        for client in clients:
            assert text_of(await client.call("list_cards")) == [{"id": 1}]
        modern = clients[-1]
        assert "structuredContent" in await modern.call("list_cards")
        modern.path = "/two/mcp"
        assert "structuredContent" not in await modern.call("list_cards")
        assert (await ask(app, "GET", "/cards")).json == [{"id": 1}]
        assert steps == ["start"]
    assert steps == ["start", "stop"]


async def test_a_server_that_runs_already_refuses_to_run_twice():
    server = mcp_server(cards().surface, name="cards", version="1")
    async with server.running():
        with pytest.raises(RuntimeError, match="running already"):
            async with server.running():
                pytest.fail("it ran twice")


async def test_handshake_clients_can_be_served_without_sessions():
    async with connected(serve(cards(), stateless=True), *HANDSHAKE) as clients:
        for client in clients:
            assert client.session is None
            assert text_of(await client.call("list_cards")) == [{"id": 1}]


def test_a_server_without_a_tool_is_refused():
    class Web(pf.Contract, prefix="web"):
        list = pf.get("/", desc="All.", output=str, expose=["HTTP"])

    with pytest.raises(pf.DeclarationError, match='add "MCP"'):
        mcp_server(record(Web).surface, name="web", version="1")


# --- real clients ----------------------------------------------------------------------------


@asynccontextmanager
async def listening(app: Starlette) -> AsyncIterator[int]:
    """Serve on a free port of the loopback."""
    config = uvicorn.Config(app, host="127.0.0.1", port=0, log_level="critical", ws="none")
    server = uvicorn.Server(config)
    started = anyio.Event()
    startup = server.startup

    async def tell(*arguments: Any, **options: Any) -> None:
        await startup(*arguments, **options)
        started.set()

    server.startup = tell  # type: ignore[method-assign]
    async with anyio.create_task_group() as group:
        group.start_soon(server._serve)
        await started.wait()
        try:
            yield server.servers[0].sockets[0].getsockname()[1]
        finally:
            server.should_exit = True


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_official_client_calls_over_a_socket(mode: str):
    with anyio.fail_after(20):
        async with (
            listening(serve(cards())) as port,
            Client(f"http://127.0.0.1:{port}/mcp", mode=mode) as client,
        ):
            listed = await client.list_tools()
            result = await client.call_tool("list_cards", {"text": "a"})
    assert [tool.name for tool in listed.tools] == ["list_cards"]
    assert result.structured_content in ([{"id": 1}], {"result": [{"id": 1}]})
    assert result.content[0].text == '[{"id":1}]'  # type: ignore[union-attr]


STDIO = """
import anyio
import polyface as pf
from polyface.mcp import mcp_server
from tests.mcp.test_mounting import Cards

cards = pf.implement(Cards)

@cards.handler(Cards.list)
def everyone(call):
    if call.input.text == "fail":
        raise RuntimeError("sesame-7f3a")
    return [{"id": len(call.identity)}]

anyio.run(lambda: mcp_server(pf.Surface([cards]), name="cards", version="1").run_stdio(identity="ada"))
"""


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_official_client_calls_over_stdio(mode: str, tmp_path: Path):
    script = tmp_path / "server.py"
    script.write_text(STDIO)
    root = str(Path(__file__).parents[2])
    command = StdioServerParameters(
        command=sys.executable, args=[str(script)], env={"PYTHONPATH": root}, cwd=root
    )
    with anyio.fail_after(30), (tmp_path / "log").open("w") as log:
        async with Client(stdio_client(command, errlog=log), mode=mode) as client:
            listed = await client.list_tools()
            result = await client.call_tool("list_cards", {})
            failed = await client.call_tool("list_cards", {"text": "fail"})
    assert [tool.name for tool in listed.tools] == ["list_cards"]
    assert result.structured_content in ([{"id": 3}], {"result": [{"id": 3}]})
    assert failed.is_error is True
    assert "INTERNAL_SERVER_ERROR" in failed.content[0].text  # type: ignore[union-attr]
    assert "sesame" not in failed.content[0].text  # type: ignore[union-attr]
