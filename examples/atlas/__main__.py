"""The command line: `python -m atlas serve`, `stdio` and `demo`.

What can't be done is one sentence on standard error and status 1. Each command imports only what it
needs, so that `demo --in-process` runs where no transport is installed.
"""

import argparse
import logging
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import anyio

from atlas.database import QUERY_LOG
from atlas.errors import AtlasError
from atlas.first_load import DATA_FILE

_INTERRUPTED = 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Args:
        arguments: The command line without the program's name; by default this process's own.

    Returns:
        The exit status.
    """
    options = _parser().parse_args(arguments)
    status = 0
    # A client that runs tasks of its own hands on what ends them as a group.
    try:
        options.run(options)
        sys.stdout.flush()
    except* AtlasError as group:
        print(f"atlas: {_first(group)}", file=sys.stderr)
        status = 1
    except* BrokenPipeError:
        # Whoever read the output has gone; without this Python would complain at its end again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except* KeyboardInterrupt:
        status = _INTERRUPTED
    return status


def _first(group: BaseExceptionGroup[AtlasError]) -> BaseException:
    error: BaseException = group
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="atlas", description="250 countries over HTTP and MCP.")
    commands = parser.add_subparsers(required=True, metavar="command")

    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--database",
        type=Path,
        default=Path("atlas.sqlite3"),
        help="the SQLite file, made at the first start (default: %(default)s)",
    )
    shared.add_argument(
        "--data",
        type=Path,
        default=DATA_FILE,
        help="the countries to make it from (default: those that come with the atlas)",
    )
    shared.add_argument("--query-log", type=Path, help="a file to append each query to")

    serve = commands.add_parser("serve", parents=[shared], help="serve HTTP and MCP on loopback")
    serve.add_argument(
        "--port", type=_port, default=8000, help="0 takes a free one (default: %(default)s)"
    )
    serve.set_defaults(run=_serve)

    stdio = commands.add_parser("stdio", parents=[shared], help="serve MCP on standard input")
    stdio.set_defaults(run=_stdio)

    demo = commands.add_parser("demo", help="start everything, drive it, compare and end")
    demo.add_argument(
        "--in-process", action="store_true", help="without processes, sockets or transports"
    )
    demo.set_defaults(run=_demo)
    return parser


def _serve(options: argparse.Namespace) -> None:
    from atlas import server

    _log_queries(options.query_log)
    server.serve(options.database, options.data, port=options.port)


def _stdio(options: argparse.Namespace) -> None:
    from atlas import server

    _log_queries(options.query_log)
    server.serve_stdio(options.database, options.data)


def _demo(options: argparse.Namespace) -> None:
    if options.in_process:
        from atlas import in_process

        anyio.run(in_process.run)
        return
    from atlas import demo

    # It ends the processes that it started, whether by Ctrl+C or by the usual request to end.
    signal.signal(signal.SIGTERM, _interrupt)
    anyio.run(demo.over_the_wire)


def _interrupt(_signal: int, _frame: object) -> None:
    signal.raise_signal(signal.SIGINT)


def _port(text: str) -> int:
    port = int(text)
    if not 0 <= port <= 65535:
        raise argparse.ArgumentTypeError(f"`{text}` isn't a port; ports go from 0 to 65535")
    return port


def _log_queries(file: Path | None) -> None:
    if file is None:
        return
    try:
        handler = logging.FileHandler(file, encoding="utf-8")
    except OSError as error:
        raise AtlasError(
            f"The query log `{file}` can't be written ({error.strerror}); "
            "choose another file with `--query-log`."
        ) from error
    QUERY_LOG.addHandler(handler)
    QUERY_LOG.setLevel(logging.INFO)
    QUERY_LOG.propagate = False


if __name__ == "__main__":
    sys.exit(main())
