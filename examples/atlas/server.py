"""Serving: HTTP and MCP on a loopback port, or MCP on standard input and output."""

import errno
import socket
from pathlib import Path

import anyio
import uvicorn

from atlas.application import build_application
from atlas.database import open_database
from atlas.errors import PortError
from atlas.surface import build_surface
from polyface.mcp import mcp_server

# Anyone who reaches the port may write notes, so it isn't for other machines.
HOST = "127.0.0.1"


def serve(database_file: Path, data_file: Path, *, port: int) -> None:
    """Serve HTTP and MCP until the process is told to end.

    The address ends the first line that is printed, once connections are accepted.

    Args:
        database_file: The SQLite file, made if there is none.
        data_file: The countries, for the first start.
        port: The loopback port; 0 takes a free one.

    Raises:
        PortError: The port can't be listened on; the database isn't touched.
        DatabaseError: The SQLite file can't be used.
        DataFileError: It has to be made, and the countries can't be read.
    """
    with listen(port) as listener:
        app = build_application(build_surface(open_database(database_file, data_file)))
        print(f"The atlas is at http://{HOST}:{listener.getsockname()[1]}/")
        print(f"Its database is `{database_file.absolute()}`; Ctrl+C ends it.", flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def serve_stdio(database_file: Path, data_file: Path) -> None:
    """Serve MCP on standard input and output until the input ends.

    Args:
        database_file: The SQLite file, made if there is none.
        data_file: The countries, for the first start.

    Raises:
        DatabaseError: The SQLite file can't be used.
        DataFileError: It has to be made, and the countries can't be read.
    """
    surface = build_surface(open_database(database_file, data_file))
    anyio.run(mcp_server(surface, name="atlas", version="1").run_stdio)


def listen(port: int) -> socket.socket:
    """Open a loopback port before anything else is done, so that a taken one costs nothing.

    Raises:
        PortError: The port can't be listened on.
    """
    # Named, because asyncio turns Nagle's delay off only for sockets that say they are TCP: without
    # it each small answer waits 40 ms for the acknowledgement of its headers.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = "is in use" if error.errno == errno.EADDRINUSE else f"fails ({error.strerror})"
        raise PortError(
            f"Port {port} on {HOST} {reason}; choose another one with `--port`, or a free one "
            "with `--port 0`."
        ) from error
    return listener
