"""What the questions to the database answer."""

import re
import sqlite3
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from atlas.database import Database, open_database
from atlas.models import Part
from atlas.repository import Repository
from atlas.rows import PART_COLUMNS


def codes(rows: Iterable[dict[str, Any]]) -> list[str]:
    return [row["cca3"] for row in rows]


def page(repository: Repository, limit: int, offset: int) -> tuple[int, list[str]]:
    total, rows = repository.search(
        region="Europe", text="", limit=limit, offset=offset, include=[]
    )
    return total, codes(rows)


def test_pages_follow_each_other_and_tell_the_total(repository: Repository) -> None:
    pages = [page(repository, 20, offset) for offset in (0, 20, 40, 60)]
    assert [total for total, _ in pages] == [53] * 4
    assert [len(found) for _, found in pages] == [20, 20, 13, 0]
    assert [code for _, found in pages for code in found] == page(repository, 250, 0)[1]


def test_countries_come_in_the_order_of_their_folded_names(repository: Repository) -> None:
    _, rows = repository.search(region=None, text="", limit=3, offset=0, include=[])
    assert codes(rows) == ["AFG", "ALA", "ALB"]


def test_region_and_text_narrow_together(repository: Repository) -> None:
    _, rows = repository.search(region="Africa", text="guinea", limit=250, offset=0, include=[])
    assert sorted(codes(rows)) == ["GIN", "GNB", "GNQ"]


@pytest.mark.parametrize("code", ["DE", "de", "DEU", "dEu", "276"])
def test_country_is_found_by_each_of_its_codes(repository: Repository, code: str) -> None:
    country = repository.find(code, include=[])
    assert country is not None
    assert country["cca3"] == "DEU"


@pytest.mark.parametrize("code", ["XX", "ZZZ", "999", "00", "", "'--"])
def test_unknown_code_finds_nothing_and_writes_nothing(
    repository: Repository, code: str, database: Database
) -> None:
    assert repository.find(code, include=[]) is None
    assert repository.neighbours(code) is None
    assert repository.write_note(code, "text") is None
    assert database.query("SELECT * FROM note") == []


def test_neighbours_keep_the_record_s_order(
    repository: Repository, source: list[dict[str, Any]]
) -> None:
    for record in source:
        assert codes(repository.neighbours(record["cca3"]) or []) == record["borders"]


def test_island_has_no_neighbours(repository: Repository) -> None:
    assert repository.neighbours("ISL") == []


def test_note_is_part_of_its_country_everywhere(repository: Repository) -> None:
    note = repository.write_note("fr", "Croissants; 'quoted' – 日本 \U0001f950")
    _, found = repository.search(region=None, text="france", limit=1, offset=0, include=[])
    fetched = repository.find("FRA", include=[])
    beside = repository.neighbours("AND")
    assert fetched is not None
    assert beside is not None
    assert note is not None
    assert note["code"] == "FRA"
    assert [found[0]["note"], fetched["note"], beside[0]["note"]] == [note] * 3


def test_note_time_is_in_utc_and_moves_only_with_the_text(database: Database) -> None:
    times = [datetime(2026, 1, day, 12, tzinfo=timezone(timedelta(hours=2))) for day in (1, 2, 3)]
    repository = Repository(database, clock=lambda: times.pop(0))
    first = repository.write_note("FRA", "one")
    again = repository.write_note("FRA", "one")
    other = repository.write_note("FRA", "two")
    assert first == again
    assert first is not None
    assert other is not None
    assert datetime.fromisoformat(first["updatedAt"]) == datetime(2026, 1, 1, 10, tzinfo=UTC)
    assert other["updatedAt"] == "2026-01-03T10:00:00+00:00"


def test_notes_survive_a_restart(database_file: Path) -> None:
    first = open_database(database_file)
    note = Repository(first).write_note("FRA", "kept")
    first.close()
    second = open_database(database_file)
    country = Repository(second).find("FRA", include=[])
    second.close()
    assert country is not None
    assert country["note"] == note


def test_notes_of_many_threads_all_arrive(database: Database) -> None:
    repository = Repository(database)
    keys = repository.search(region="Europe", text="", limit=40, offset=0, include=[])[1]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda key: repository.write_note(key, "from a thread"), codes(keys)))
    assert len(database.query("SELECT * FROM note")) == 40


@pytest.mark.parametrize("include", [[], ["demonyms"], list(PART_COLUMNS)])
def test_query_log_names_the_heavy_columns_that_were_asked_for_only(
    repository: Repository, queries: pytest.LogCaptureFixture, include: list[Part]
) -> None:
    repository.search(region="Asia", text="japan", limit=50, offset=0, include=include)
    logged = set(re.findall(r"\w+", " ".join(queries.messages)))
    wanted = {PART_COLUMNS[part] for part in include}
    assert len(queries.messages) == 2
    assert logged & set(PART_COLUMNS.values()) == wanted
    assert "japan" not in logged


def test_sqlite_itself_reads_no_heavy_column_for_a_card(
    repository: Repository, queries: pytest.LogCaptureFixture, database_file: Path
) -> None:
    repository.search(region="Asia", text="japan", limit=50, offset=0, include=[])
    repository.neighbours("FRA")
    statements = [message.split(", ", 2)[2] for message in queries.messages]
    read: set[str | None] = set()

    def authorize(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ and table == "country":
            read.add(column)
        return sqlite3.SQLITE_OK

    connection = sqlite3.connect(database_file)
    connection.set_authorizer(authorize)
    for statement in statements:
        parameters = dict.fromkeys(re.findall(r":(\w+)", statement), 1)
        connection.execute(f"EXPLAIN {statement}", parameters)
    connection.close()
    assert len(statements) == 4
    assert {"name_common", "search_text", "borders"} <= read
    assert not read & set(PART_COLUMNS.values())
