"""The application as a process of its own, started on a free port and ended for certain."""

import os
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
from anyio.abc import Process
from anyio.streams.buffered import BufferedByteReceiveStream

from atlas.errors import DemoError

EXAMPLES = Path(__file__).parents[1]
"""Where `python -m atlas` finds the package."""

_START_SECONDS = 30
_STOP_SECONDS = 10


@asynccontextmanager
async def serve(options: Sequence[str]) -> AsyncGenerator[str]:
    """Run `python -m atlas serve` on a free loopback port.

    Args:
        options: More options of the command, with absolute paths.

    Yields:
        The address of the first page, with a slash at its end, once the port is open.

    Raises:
        DemoError: The process ends, or stays silent, before it names its address.
    """
    process = await anyio.open_process(
        [*atlas_command("serve"), "--port", "0", *options],
        stdin=None,
        stderr=None,
        cwd=EXAMPLES,
        env=environment(),
    )
    try:
        yield await _read_address(process)
    finally:
        with anyio.CancelScope(shield=True):
            await _stop(process)


def atlas_command(command: str) -> list[str]:
    """Name the command line that runs a command of this package with this Python."""
    return [sys.executable, "-m", "atlas", command]


def environment() -> dict[str, str]:
    """Give a child everything of this process's environment, its Python path included."""
    return {**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1"}


async def _read_address(process: Process) -> str:
    assert process.stdout is not None
    try:
        with anyio.fail_after(_START_SECONDS):
            line = await BufferedByteReceiveStream(process.stdout).receive_until(b"\n", 4096)
    except TimeoutError:
        raise DemoError(
            f"The server named no address within {_START_SECONDS} seconds; "
            "start it with `python -m atlas serve` to see why."
        ) from None
    except (anyio.IncompleteRead, anyio.DelimiterNotFound):
        raise DemoError(
            "The server ended before it named its address; what it wrote above says why."
        ) from None
    return line.decode().split()[-1]


async def _stop(process: Process) -> None:
    if process.returncode is None:
        process.terminate()
    with anyio.move_on_after(_STOP_SECONDS):
        await process.wait()
    if process.returncode is None:
        process.kill()
    await process.aclose()
