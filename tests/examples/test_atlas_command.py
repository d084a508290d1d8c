"""The command line: what it starts, and how it ends when it can't."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from atlas.__main__ import main
from atlas.database import open_database
from atlas.repository import Repository
from atlas.server_process import EXAMPLES, atlas_command, environment

pytestmark = pytest.mark.slow

SECONDS = 180


def run_atlas(*arguments: object) -> "subprocess.CompletedProcess[str]":
    """Run a command of the atlas to its end."""
    command, *rest = map(str, arguments)
    return subprocess.run(
        [*atlas_command(command), *rest],
        cwd=EXAMPLES,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=SECONDS,
        check=False,
    )


@contextmanager
def serving(*options: object) -> Iterator[tuple["subprocess.Popen[str]", str]]:
    """Serve on a free port for the time of a test."""
    process = subprocess.Popen(
        [*atlas_command("serve"), "--port", "0", *map(str, options)],
        cwd=EXAMPLES,
        env=environment(),
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def assert_refused(done: "subprocess.CompletedProcess[str]", *fragments: str) -> None:
    """Check for a non-zero status and exactly one sentence that says all of this."""
    assert done.returncode == 1
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("atlas: ")
    assert line.endswith(".")
    for fragment in fragments:
        assert fragment in line


def test_port_in_use_is_refused_before_the_database_is_made(tmp_path: Path) -> None:
    path = tmp_path / "atlas.sqlite3"
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        port = holder.getsockname()[1]
        done = run_atlas("serve", "--port", port, "--database", path)
    assert_refused(done, f"Port {port} on 127.0.0.1 is in use", "`--port`")
    assert not path.exists()


def test_damaged_database_is_refused_and_kept(database_file: Path) -> None:
    damaged = database_file.read_bytes()[:100_000]
    database_file.write_bytes(damaged)
    done = run_atlas("serve", "--port", 0, "--database", database_file)
    assert_refused(done, f"`{database_file}` is damaged", "move it away")
    assert database_file.read_bytes() == damaged


def test_unreadable_data_file_is_refused(tmp_path: Path) -> None:
    data = tmp_path / "countries.json"
    data.write_bytes(b"\x00")
    path = tmp_path / "atlas.sqlite3"
    done = run_atlas("stdio", "--database", path, "--data", data)
    assert_refused(done, f"`{data}` isn't a list of countries", "`--data`")
    assert not path.exists()


def test_query_log_that_can_t_be_written_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "atlas.sqlite3"
    status = main(["serve", "--database", str(path), "--query-log", str(tmp_path)])
    assert status == 1
    assert f"The query log `{tmp_path}` can't be written" in capsys.readouterr().err
    assert not path.exists()


@pytest.mark.parametrize("port", ["65536", "-1", "http"])
def test_port_that_is_none_is_a_usage_error(capsys: pytest.CaptureFixture[str], port: str) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["serve", "--port", port])
    assert ended.value.code == 2
    assert "--port" in capsys.readouterr().err


def test_note_survives_the_server_s_end(tmp_path: Path) -> None:
    path = tmp_path / "atlas.sqlite3"
    with serving("--database", path) as (process, address):
        answer = httpx2.put(f"{address}v1/countries/FRA/note", json={"text": "kept"})
        assert answer.status_code == 200
        process.terminate()
        process.wait(timeout=SECONDS)
    database = open_database(path)
    country = Repository(database).find("FRA", include=[])
    database.close()
    assert country is not None
    assert country["note"]["text"] == "kept"


def test_two_servers_share_one_database(tmp_path: Path) -> None:
    path = tmp_path / "atlas.sqlite3"
    with serving("--database", path) as (_, one), serving("--database", path) as (_, other):
        httpx2.put(f"{one}v1/countries/FRA/note", json={"text": "from one"})
        country = httpx2.get(f"{other}v1/countries/FRA").json()
    assert country["note"]["text"] == "from one"


def test_interrupted_server_ends_without_a_traceback(database_file: Path) -> None:
    process = subprocess.Popen(
        [*atlas_command("serve"), "--port", "0", "--database", str(database_file)],
        cwd=EXAMPLES,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "Traceback" not in errors


def test_stdio_ends_with_its_input(database_file: Path) -> None:
    done = run_atlas("stdio", "--database", database_file)
    assert (done.returncode, done.stdout) == (0, "")


def test_demonstration_ends_by_itself_with_status_0() -> None:
    done = run_atlas("demo")
    assert (done.returncode, done.stderr) == (0, "")
    assert "list, all 250 countries" in done.stdout
    assert "The same list as cards loads none of them:" in done.stdout


def test_in_process_demonstration_needs_no_transport() -> None:
    code = (
        "import sys\n"
        "for name in ('mcp', 'starlette', 'uvicorn', 'httpx2'):\n"
        "    sys.modules[name] = None\n"
        "from atlas.__main__ import main\n"
        "sys.exit(main(['demo', '--in-process']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES,
        env=dict(os.environ),
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "list, all 250 countries" in done.stdout
