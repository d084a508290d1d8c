"""The demonstration without processes, sockets or transports: the invoker alone."""

import io
import json
import logging
import tempfile
from pathlib import Path
from typing import Any

import polyface as pf
from atlas.database import QUERY_LOG, open_database
from atlas.errors import DemoError
from atlas.report import Measurement, format_queries, format_table, timed
from atlas.steps import EVERY_COUNTRY, STEPS, Step
from atlas.surface import build_surface


async def run() -> None:
    """Invoke every operation for its full and its tool answer, compare and print them.

    Raises:
        DemoError: A tool answer isn't the declared view of the full one.
    """
    queries = io.StringIO()
    handler = logging.StreamHandler(queries)
    QUERY_LOG.addHandler(handler)
    QUERY_LOG.setLevel(logging.INFO)
    try:
        with tempfile.TemporaryDirectory(prefix="atlas-") as folder:
            surface = build_surface(open_database(Path(folder) / "atlas.sqlite3"))
            async with surface.running():
                await _drive(surface, queries)
    finally:
        QUERY_LOG.removeHandler(handler)


async def _drive(surface: pf.Surface, queries: io.StringIO) -> None:
    full = pf.tool_invoker(surface, transport="MCP", answer="full")
    tool = pf.tool_invoker(surface, transport="MCP", answer="tool")
    print("Every operation through the in-process invoker.\n")
    print(format_table([await _compare(step, full, tool) for step in STEPS]))
    print("\nA token is taken for four bytes. Every tool answer was the view of the full one.\n")
    queries.seek(0)
    queries.truncate()
    await _invoke(full, EVERY_COUNTRY)
    between = len(queries.getvalue().splitlines())
    await _invoke(tool, EVERY_COUNTRY)
    lines = queries.getvalue().splitlines()
    print(format_queries(lines[:between], lines[between:]))


async def _compare(step: Step, full: pf.ToolInvoker, tool: pf.ToolInvoker) -> Measurement:
    whole, full_milliseconds = await timed(lambda: _invoke(full, step))
    told, tool_milliseconds = await timed(lambda: _invoke(tool, step))
    if told != step.expected(whole):
        raise DemoError(f"The tool answer of `{step.tool}` isn't the view of its full answer.")
    return Measurement(
        title=step.title,
        full_bytes=_size(whole),
        tool_bytes=_size(told),
        full_milliseconds=full_milliseconds,
        tool_milliseconds=tool_milliseconds,
    )


async def _invoke(invoker: pf.ToolInvoker, step: Step) -> Any:
    return await invoker.invoke_or_raise(step.tool, {**step.params, **step.arguments})


def _size(answer: Any) -> int:
    return len(json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode())
