"""The SQLite file: made once and whole, never overwritten, and refused in one sentence."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from atlas import first_load
from atlas.database import connect, open_database
from atlas.errors import DatabaseBusyError, DatabaseError, DataFileError
from atlas.repository import Repository

EXAMPLES = Path(first_load.__file__).parents[1]
NO_DATA = Path("no-such-file.json")


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_first_start_makes_one_file_and_its_folder(tmp_path: Path) -> None:
    path = tmp_path / "new" / "odd name?#%&.sqlite3"
    database = open_database(path)
    ((count,),) = database.query("SELECT count(*) FROM country")
    database.close()
    assert count == 250
    assert names(path.parent) == [path.name]


def test_second_start_does_no_work(database_file: Path, pristine: bytes) -> None:
    before = database_file.stat().st_mtime_ns
    open_database(database_file, NO_DATA).close()
    assert database_file.stat().st_mtime_ns == before
    assert database_file.read_bytes() == pristine
    assert names(database_file.parent) == [database_file.name]


@pytest.mark.parametrize("moment", ["first_load.row_from_record", "first_load.os.link"])
def test_killed_first_start_leaves_nothing_that_a_second_one_trips_over(
    tmp_path: Path, moment: str
) -> None:
    path = tmp_path / "atlas.sqlite3"
    code = (
        "import os, signal, sys; from pathlib import Path\n"
        "from atlas import database, first_load\n"
        f"{moment} = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "database.open_database(Path(sys.argv[1]))"
    )
    done = subprocess.run([sys.executable, "-c", code, path], cwd=EXAMPLES, timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not path.exists()
    (leftover,) = tmp_path.iterdir()

    open_database(path).close()
    assert sorted([path, leftover]) == sorted(tmp_path.iterdir())
    os.utime(leftover, (0, 0))
    open_database(path).close()
    assert names(tmp_path) == [path.name]


def test_start_that_loses_the_race_keeps_the_winner_s_notes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pristine: bytes
) -> None:
    path = tmp_path / "atlas.sqlite3"
    link = os.link

    def link_after_the_winner(source: Path, target: Path) -> None:
        path.write_bytes(pristine)
        winner = open_database(path)
        Repository(winner).write_note("FRA", "first")
        winner.close()
        link(source, target)

    monkeypatch.setattr(os, "link", link_after_the_winner)
    loser = open_database(path)
    country = Repository(loser).find("FRA", include=[])
    loser.close()
    assert country is not None
    assert country["note"]["text"] == "first"
    assert names(tmp_path) == [path.name]


def test_first_starts_at_once_agree_on_one_file(tmp_path: Path) -> None:
    path = tmp_path / "atlas.sqlite3"
    code = (
        "import sys; from pathlib import Path\n"
        "from atlas.database import open_database; from atlas.repository import Repository\n"
        "sys.stdin.readline()\n"
        "database = open_database(Path(sys.argv[1]))\n"
        "Repository(database).write_note(sys.argv[2], 'mine'); database.close()"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", code, path, key], cwd=EXAMPLES, stdin=subprocess.PIPE, text=True
        )
        for key in ("FRA", "DEU", "ITA")
    ]
    for process in processes:
        process.communicate("go\n", timeout=60)
    assert [process.returncode for process in processes] == [0, 0, 0]
    database = open_database(path)
    notes = database.query("SELECT cca3 FROM note ORDER BY cca3")
    database.close()
    assert [row["cca3"] for row in notes] == ["DEU", "FRA", "ITA"]
    assert names(tmp_path) == [path.name]


def other_application(pristine: bytes, folder: Path) -> bytes:
    path = folder / "other"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE country (cca3)")
    return path.read_bytes()


def newer_version(pristine: bytes, folder: Path) -> bytes:
    path = folder / "newer"
    path.write_bytes(pristine)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    return path.read_bytes()


DAMAGED = {
    "garbage": lambda pristine, _: b"This is not a database. " * 100,
    "truncated": lambda pristine, _: pristine[: len(pristine) // 2],
    "holed": lambda pristine, _: pristine[:8192] + bytes(65536) + pristine[8192 + 65536 :],
    "broken JSON": lambda pristine, _: pristine.replace(b'"Allemagne"', b'"Allemagne ', 1),
}
FOREIGN = {
    "empty": (lambda pristine, _: b"", "isn't an atlas database"),
    "another application's": (other_application, "isn't an atlas database"),
    "newer": (newer_version, "has version 99"),
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_file_is_reported_and_kept(
    database_file: Path, pristine: bytes, tmp_path: Path, damage: str
) -> None:
    damaged = DAMAGED[damage](pristine, tmp_path)
    assert damaged != pristine
    database_file.write_bytes(damaged)
    with pytest.raises(DatabaseError) as caught:
        open_database(database_file)
    sentence = str(caught.value)
    assert sentence.startswith(f"The database `{database_file}` is damaged (")
    assert "move it away" in sentence
    assert "\n" not in sentence
    assert database_file.read_bytes() == damaged


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_file_is_reported_and_kept(
    database_file: Path, pristine: bytes, tmp_path: Path, kind: str
) -> None:
    make, reason = FOREIGN[kind]
    foreign = make(pristine, tmp_path)
    database_file.write_bytes(foreign)
    with pytest.raises(DatabaseError, match=reason) as caught:
        open_database(database_file)
    assert "`--database`" in str(caught.value)
    assert database_file.read_bytes() == foreign


def test_folder_in_place_of_the_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(DatabaseError, match="can't be opened"):
        open_database(tmp_path)


def test_file_in_place_of_the_folder_is_reported(tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("kept")
    with pytest.raises(DatabaseError, match="choose another"):
        open_database(blocker / "atlas.sqlite3")
    assert blocker.read_text() == "kept"


def test_file_under_another_s_lock_is_reported(
    database_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atlas.database._BUSY_TIMEOUT_SECONDS", 0.0)
    with closing(connect(database_file)) as holder:
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(DatabaseError, match="database is locked"):
            open_database(database_file)


def test_query_under_another_s_lock_changes_nothing(
    database_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("atlas.database._BUSY_TIMEOUT_SECONDS", 0.0)
    database = open_database(database_file)
    with closing(connect(database_file)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseBusyError):
            Repository(database).write_note("FRA", "too early")
        assert Repository(database).find("FRA", include=[]) is not None
    assert database.query("SELECT * FROM note") == []
    database.close()


def without_area(source: list[dict[str, Any]]) -> bytes:
    return json.dumps([{k: value for k, value in source[0].items() if k != "area"}]).encode()


def changed(source: list[dict[str, Any]], **fields: object) -> bytes:
    return json.dumps([{**source[0], **fields}]).encode()


UNREADABLE: dict[str, tuple[Callable[[list[dict[str, Any]]], bytes], str]] = {
    "not JSON": (lambda _: b"[{", "the file: Invalid JSON"),
    "not UTF-8": (lambda _: b'["\xff"]', "the file: Invalid JSON"),
    "not a list": (lambda _: b"{}", "the file: Input should be a valid array"),
    "no country": (lambda _: b"[]", "the file: List should have at least 1 item"),
    "a field missing": (without_area, "0.area: Field required"),
    "text for a number": (lambda source: changed(source, area="180"), "0.area.int: Input should"),
    "an unknown region": (
        lambda source: changed(source, region="Atlantis"),
        "0.region: Input should be 'Africa'",
    ),
    "a country twice": (
        lambda source: json.dumps([source[0]] * 2).encode(),
        "holds a country twice",
    ),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_unreadable_data_file_is_reported_and_nothing_is_made(
    tmp_path: Path, source: list[dict[str, Any]], kind: str
) -> None:
    make, reason = UNREADABLE[kind]
    data_file = tmp_path / "countries.json"
    data_file.write_bytes(make(source))
    with pytest.raises(DataFileError) as caught:
        open_database(tmp_path / "atlas.sqlite3", data_file)
    sentence = str(caught.value)
    assert str(data_file) in sentence
    assert reason in sentence
    assert "`--data`" in sentence
    assert "\n" not in sentence
    assert names(tmp_path) == ["countries.json"]


@pytest.mark.parametrize("data_file", ["missing.json", "."])
def test_data_file_that_is_none_is_reported(tmp_path: Path, data_file: str) -> None:
    with pytest.raises(DataFileError, match=r"can't be read \("):
        open_database(tmp_path / "atlas.sqlite3", tmp_path / data_file)
    assert names(tmp_path) == []
