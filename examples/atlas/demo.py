"""The demonstration: real clients drive a real server, and every answer is compared.

It checks that the tool answers are the declared views of the HTTP answers, that every transport
gives the same ones, and that a card's query never loads a heavy column. It prints what it found;
what isn't as it should be is a `DemoError`.
"""

import json
import tempfile
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path

import anyio
import httpx2
from mcp import Client, StdioServerParameters
from mcp.client import Transport
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from mcp_types import TextContent

from atlas.errors import DemoError
from atlas.report import Measurement, format_queries, format_table, timed
from atlas.server_process import EXAMPLES, atlas_command, environment, serve
from atlas.steps import EVERY_COUNTRY, STEPS, Step

_MODERN = "2026-07-28"

_CALL_SECONDS = 30.0
_TOTAL_SECONDS = 120.0


async def over_the_wire() -> None:
    """Start a server and a stdio process, drive both, and print what came back.

    Raises:
        DemoError: Something isn't as it should be, or took too long.
    """
    try:
        with (
            tempfile.TemporaryDirectory(prefix="atlas-") as folder,
            anyio.fail_after(_TOTAL_SECONDS),
        ):
            await _drive(Path(folder))
    except* TimeoutError:
        raise DemoError(
            f"The demonstration wasn't over within {_TOTAL_SECONDS:.0f} seconds; "
            "try it again when the machine is less busy."
        ) from None
    except* (httpx2.TransportError, MCPError) as group:
        raise DemoError(
            f"A client lost its server ({group.exceptions[0]}); what the server wrote says why."
        ) from group


async def _drive(folder: Path) -> None:
    database, query_log = folder / "atlas.sqlite3", folder / "queries.log"
    options = ["--database", str(database)]
    async with AsyncExitStack() as stack:
        address = await stack.enter_async_context(serve([*options, "--query-log", str(query_log)]))
        # A proxy of the environment has no business on the loopback address.
        http = await stack.enter_async_context(
            httpx2.AsyncClient(base_url=address, timeout=_CALL_SECONDS, trust_env=False)
        )
        tools = {
            name: await stack.enter_async_context(client)
            for name, client in _tool_clients(http, f"{address}mcp", options).items()
        }
        print(f"The atlas answers at {address}, and its tools over")
        for name, client in tools.items():
            print(f"  {name} ({client.protocol_version})")
        print()
        print(format_table([await _compare(step, http, tools) for step in STEPS]))
        print(
            "\nA token is taken for four bytes. The times are medians as a client sees them: "
            "httpx2\nfor the full answer, the official MCP client for the tool answer, its own "
            "checks included.\nEvery tool answer was the declared view of the full one, and the "
            "same on every transport.\n"
        )
        await _show_queries(query_log, http, next(iter(tools.values())))


def _tool_clients(http: httpx2.AsyncClient, endpoint: str, options: list[str]) -> dict[str, Client]:
    stdio = StdioServerParameters(
        command=atlas_command("stdio")[0],
        args=[*atlas_command("stdio")[1:], *options],
        env=environment(),
        cwd=EXAMPLES,
    )
    return {
        "streamable HTTP": _client(streamable_http_client(endpoint, http_client=http), _MODERN),
        "streamable HTTP after a handshake": _client(
            streamable_http_client(endpoint, http_client=http), "legacy"
        ),
        "stdio": _client(stdio, _MODERN),
    }


def _client(transport: Transport | StdioServerParameters, mode: str) -> Client:
    return Client(transport, mode=mode, read_timeout_seconds=_CALL_SECONDS)


async def _compare(
    step: Step, http: httpx2.AsyncClient, tools: Mapping[str, Client]
) -> Measurement:
    """Call one operation in every way, compare the answers, and weigh them."""
    full, full_milliseconds = await timed(lambda: _fetch(http, step))
    answers: dict[str, str] = {}
    for name, client in tools.items():
        answers[name] = await _call_tool(client, step)
    first = next(iter(tools))
    for name, answer in answers.items():
        if answer != answers[first]:
            raise DemoError(f"`{step.tool}` answers differently over {first} and over {name}.")
    tool, tool_milliseconds = await timed(lambda: _call_tool(tools[first], step))
    if json.loads(tool) != step.expected(json.loads(full)):
        raise DemoError(f"The answer of `{step.tool}` isn't the view of the HTTP answer.")
    return Measurement(
        title=step.title,
        full_bytes=len(full),
        tool_bytes=len(tool.encode()),
        full_milliseconds=full_milliseconds,
        tool_milliseconds=tool_milliseconds,
    )


async def _fetch(http: httpx2.AsyncClient, step: Step) -> bytes:
    reads = step.method == "GET"
    response = await http.request(
        step.method,
        step.path,
        params=step.arguments if reads else None,
        json=None if reads else step.arguments,
    )
    if not response.is_success:
        raise DemoError(
            f"`{step.method} {step.path}` answered {response.status_code}: {response.text[:200]}"
        )
    return response.content


async def _call_tool(client: Client, step: Step) -> str:
    """Call a tool and return its text, which must say the same as its structured content."""
    result = await client.call_tool(step.tool, {**step.params, **step.arguments})
    (block,) = result.content
    if result.is_error or not isinstance(block, TextContent):
        raise DemoError(f"`{step.tool}` failed: {block}")
    told = json.loads(block.text)
    # Before 2026-07-28, what isn't an object is wrapped in one.
    if result.structured_content not in (told, {"result": told}):
        raise DemoError(f"The text and the structured content of `{step.tool}` differ.")
    return block.text


async def _show_queries(query_log: Path, http: httpx2.AsyncClient, tools: Client) -> None:
    """Show what one call of each kind made the server ask of the database."""
    log = anyio.Path(query_log)
    before = len(await log.read_bytes())
    await _fetch(http, EVERY_COUNTRY)
    between = len(await log.read_bytes())
    await _call_tool(tools, EVERY_COUNTRY)
    lines = await log.read_bytes()
    full, tool = lines[before:between].decode(), lines[between:].decode()
    print(format_queries(full.splitlines(), tool.splitlines()))
