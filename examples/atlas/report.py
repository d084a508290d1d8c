"""What the demonstration prints: a table of sizes and times, and the queries behind it."""

import re
import statistics
import textwrap
import time
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from atlas.errors import DemoError
from atlas.rows import PART_COLUMNS

T = TypeVar("T")

_REPEATS = 5

_BYTES_PER_TOKEN = 4

_GROUPS = f"{'':24}{'full answer':>19}{'tool answer':>19}{'':>8}{'time in ms':>17}"
_COLUMNS = (
    f"{'operation':24}{'bytes':>10}{'tokens':>9}{'bytes':>10}{'tokens':>9}{'ratio':>8}"
    f"{'full':>9}{'tool':>8}"
)


@dataclass(frozen=True)
class Measurement:
    """One line of the table.

    Args:
        title: The operation.
        full_bytes: The size of the full answer's JSON.
        tool_bytes: The size of the tool answer's JSON, as a model reads it.
        full_milliseconds: How long the full answer took, seen from the caller.
        tool_milliseconds: How long the tool answer took, seen from the caller.
    """

    title: str
    full_bytes: int
    tool_bytes: int
    full_milliseconds: float
    tool_milliseconds: float


def estimate_tokens(size_bytes: int) -> int:
    """Estimate the tokens of a JSON text by the rule of thumb of four bytes each."""
    return -(-size_bytes // _BYTES_PER_TOKEN)


def format_table(measurements: Iterable[Measurement]) -> str:
    """Write the table, one operation a line, in at most 100 columns."""
    return "\n".join([_GROUPS, _COLUMNS, "-" * len(_COLUMNS), *map(_line, measurements)])


async def timed(call: Callable[[], Awaitable[T]]) -> tuple[T, float]:
    """Make a call once to warm up and a few times for the clock.

    Returns:
        The last answer and the median time in milliseconds.
    """
    answer = await call()
    milliseconds: list[float] = []
    for _ in range(_REPEATS):
        started = time.perf_counter()
        answer = await call()
        milliseconds.append((time.perf_counter() - started) * 1000)
    return answer, statistics.median(milliseconds)


def format_queries(full: Iterable[str], tool: Iterable[str]) -> str:
    """Write the queries of one list, as HTTP and as a tool ask for it.

    Args:
        full: The lines of the query log that a full list wrote.
        tool: Those that the same list wrote as cards.

    Raises:
        DemoError: The full list doesn't load every heavy column, or the cards load one.
    """
    heavy = set(PART_COLUMNS.values())
    lines: list[str] = []
    for title, queries, loaded in (
        (f"The full list loads the heavy columns ({', '.join(sorted(heavy))}):", [*full], heavy),
        ("The same list as cards loads none of them:", [*tool], set[str]()),
    ):
        lines.append(title)
        lines += (_wrap(query) for query in queries)
        if heavy & set(re.findall(r"\w+", " ".join(queries))) != loaded or not queries:
            raise DemoError("The query log shows other heavy columns than were asked for.")
    return "\n".join(lines)


def _wrap(query: str) -> str:
    return textwrap.fill(query, 96, initial_indent="  ", subsequent_indent="      ")


def _line(row: Measurement) -> str:
    full_tokens, tool_tokens = estimate_tokens(row.full_bytes), estimate_tokens(row.tool_bytes)
    return (
        f"{row.title:24}{row.full_bytes:>10,}{full_tokens:>9,}{row.tool_bytes:>10,}"
        f"{tool_tokens:>9,}{row.full_bytes / row.tool_bytes:>7.1f}x"
        f"{row.full_milliseconds:>9.1f}{row.tool_milliseconds:>8.1f}"
    )
