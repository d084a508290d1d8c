"""What the tests of the example application share."""

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from atlas.database import QUERY_LOG, Database, open_database
from atlas.first_load import DATA_FILE
from atlas.repository import Repository


@pytest.fixture(scope="session")
def source() -> list[dict[str, Any]]:
    """The file of countries as plain JSON."""
    countries: list[dict[str, Any]] = json.loads(DATA_FILE.read_bytes())
    return countries


@pytest.fixture(scope="session")
def pristine(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a database right after its first start."""
    path = tmp_path_factory.mktemp("pristine") / "atlas.sqlite3"
    open_database(path).close()
    return path.read_bytes()


@pytest.fixture
def database_file(tmp_path: Path, pristine: bytes) -> Path:
    """A database file of this test's own."""
    path = tmp_path / "atlas.sqlite3"
    path.write_bytes(pristine)
    return path


@pytest.fixture
def database(database_file: Path) -> Iterator[Database]:
    """An open database of this test's own."""
    database = open_database(database_file)
    yield database
    database.close()


@pytest.fixture
def repository(database: Database) -> Repository:
    """The questions to that database."""
    return Repository(database)


@pytest.fixture
def queries(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """The query log of this test; `messages` has its lines."""
    caplog.set_level(logging.INFO, logger=QUERY_LOG.name)
    return caplog
