"""The SQLite file: opened with care, used by many threads, every query logged."""

import logging
import shlex
import sqlite3
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from atlas.errors import DatabaseBusyError, DatabaseError
from atlas.first_load import DATA_FILE, create_database, remove_abandoned
from atlas.rows import APPLICATION_ID, SCHEMA_VERSION

QUERY_LOG = logging.getLogger("atlas.queries")
"""One line for each statement: its time, how many rows came, and its text without the values."""

# The first that can answer what an upsert wrote.
_OLDEST_SQLITE = (3, 35, 0)

_BUSY_TIMEOUT_SECONDS = 5.0


class Database:
    """An open SQLite file.

    Each use takes a connection of its own and gives it back, so that the threads of the handlers
    don't wait for each other.

    Args:
        path: An existing file, already checked; `open_database` does both.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._idle: list[sqlite3.Connection] = []
        self._is_closed = False

    def query(self, sql: str, values: Mapping[str, Any] | None = None) -> list[sqlite3.Row]:
        """Run one statement in a transaction of its own and return its rows.

        Args:
            sql: The statement, with named parameters (`:region`).
            values: The parameters; they are bound, and not logged.

        Returns:
            The rows, readable by column name.

        Raises:
            DatabaseBusyError: Another process held the file for too long; nothing was changed.
            sqlite3.Error: The file is full, read-only or damaged.
        """
        started = time.perf_counter()
        try:
            with self._connection() as connection, connection:
                rows = connection.execute(sql, values or {}).fetchall()
        except sqlite3.OperationalError as error:
            if _primary_code(error) == sqlite3.SQLITE_BUSY:
                raise DatabaseBusyError from error
            raise
        milliseconds = (time.perf_counter() - started) * 1000
        QUERY_LOG.info("%.1f ms, rows: %d, %s", milliseconds, len(rows), " ".join(sql.split()))
        return rows

    def close(self) -> None:
        """Close every connection; one in use is closed when it comes back."""
        self._is_closed = True
        while self._idle:
            self._idle.pop().close()

    @contextmanager
    def _connection(self) -> Generator[sqlite3.Connection]:
        # A list's `pop` and `append` are atomic, so two threads never hold the same connection.
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = connect(self.path)
        try:
            yield connection
        finally:
            if self._is_closed:
                connection.close()
            else:
                self._idle.append(connection)


def open_database(path: Path, data_file: Path = DATA_FILE) -> Database:
    """Open the SQLite file, making it from the countries if there is none.

    A file that exists is checked and otherwise left alone: it may hold notes.

    Args:
        path: The SQLite file.
        data_file: The countries, read only if there is no SQLite file yet.

    Returns:
        The database; whoever opens it closes it.

    Raises:
        DataFileError: There is no SQLite file yet, and the countries can't be read.
        DatabaseError: The file can't be made or opened, is damaged or isn't an atlas, or SQLite
            is too old.
    """
    if sqlite3.sqlite_version_info < _OLDEST_SQLITE:
        raise DatabaseError(
            f"This Python has SQLite {sqlite3.sqlite_version}, and the atlas needs 3.35; "
            "use a newer one."
        )
    try:
        if not path.exists():
            create_database(path, data_file)
        remove_abandoned(path)
        with closing(connect(path)) as connection:
            _check(connection, path)
    except (OSError, sqlite3.Error) as error:
        if _primary_code(error) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            raise _damaged(path, str(error)) from error
        raise DatabaseError(
            f"The database `{path}` can't be opened ({error}); "
            "see to its permissions, or choose another one with `--database`."
        ) from error
    return Database(path)


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection that never creates a file and may move between threads."""
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=rw",
        uri=True,
        timeout=_BUSY_TIMEOUT_SECONDS,
        check_same_thread=False,
    )
    connection.row_factory = sqlite3.Row
    connection.execute("PRAGMA foreign_keys = ON")
    return connection


def _check(connection: sqlite3.Connection, path: Path) -> None:
    ((application_id,),) = connection.execute("PRAGMA application_id")
    ((version,),) = connection.execute("PRAGMA user_version")
    if application_id != APPLICATION_ID:
        raise DatabaseError(
            f"The file `{path}` isn't an atlas database and was left as it is; "
            "choose another one with `--database`."
        )
    if version != SCHEMA_VERSION:
        raise DatabaseError(
            f"The database `{path}` has version {version} of the tables, and this atlas reads "
            f"version {SCHEMA_VERSION}; choose another one with `--database`."
        )
    ((verdict,),) = connection.execute("PRAGMA quick_check(1)")
    if verdict != "ok":
        raise _damaged(path, verdict.splitlines()[-1])


def _primary_code(error: Exception) -> int:
    """Return SQLite's code without its extension, the low byte; 0 for another module's error."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def _damaged(path: Path, reason: str) -> DatabaseError:
    return DatabaseError(
        f"The database `{path}` is damaged ({reason}) and was left as it is; move it away to start "
        f"afresh, and get its notes out with `sqlite3 {shlex.quote(str(path))} .recover`."
    )
