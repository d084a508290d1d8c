"""One application in a process of its own, under the one uvicorn configuration of all."""

import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import Any

import uvicorn

from .exchange import HOST
from .sites import build_site

ROOT = Path(__file__).parents[2]


class Served:
    """A server process. Leaving the block ends it."""

    def __init__(self, site: str) -> None:
        self.site = site
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, site],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.port = 0

    def __enter__(self) -> "Served":
        self.port = self._read()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()  # the server stops when nobody holds its input any more
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def fill(self, count: int) -> None:
        """Let the server make answers for the requests that come next."""
        self._ask("fill", count)

    def cpu_microseconds(self) -> float:
        """The processor time that the server has taken so far."""
        return self._ask("cpu", 0) / 1000

    def _ask(self, what: str, count: int) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([what, count]) + "\n")
        self._process.stdin.flush()
        return self._read()

    def _read(self) -> int:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the server of `{self.site}` has ended")
        return int(json.loads(line))


def configure(app: Any) -> uvicorn.Config:
    """The configuration that every contender runs in."""
    return uvicorn.Config(
        app,
        loop="uvloop",
        http="httptools",
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
    )


def main(site: str) -> None:
    """Serve a site on a free port, and answer on standard output what the input asks."""
    app, pool = build_site(site)
    server = uvicorn.Server(configure(app))
    listening = socket.socket()
    listening.bind((HOST, 0))
    listening.listen(2048)

    def answer() -> None:
        for line in sys.stdin:
            what, count = json.loads(line)
            if what == "fill":
                pool.fill(count)
            print(time.process_time_ns(), flush=True)
        server.should_exit = True

    print(listening.getsockname()[1], flush=True)
    threading.Thread(target=answer, daemon=True).start()
    server.run(sockets=[listening])


if __name__ == "__main__":
    main(sys.argv[1])
