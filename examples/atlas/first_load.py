"""The first start: the countries of the file become an SQLite file, whole or not at all."""

import glob
import os
import secrets
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError

from atlas.errors import DatabaseError, DataFileError
from atlas.models import CountryRecord
from atlas.rows import SCHEMA, row_from_record

DATA_FILE = Path(__file__).parent / "data" / "countries.json"

_RECORDS = TypeAdapter(Annotated[list[CountryRecord], Field(min_length=1)])

_ABANDONED_AFTER_SECONDS = 3600


def read_countries(data_file: Path) -> list[CountryRecord]:
    """Read and check the file of countries.

    Args:
        data_file: JSON in the shape of `world-countries` 5.1.

    Returns:
        The records, in the file's order.

    Raises:
        DataFileError: The file can't be read, or isn't a list of countries.
    """
    try:
        return _RECORDS.validate_json(data_file.read_bytes(), strict=True)
    except OSError as error:
        raise DataFileError(
            f"The data file `{data_file}` can't be read ({error.strerror}); "
            "name another one with `--data`."
        ) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise DataFileError(
            f"The data file `{data_file}` isn't a list of countries "
            f"({place}: {first['msg']}); name another one with `--data`."
        ) from error


def create_database(path: Path, data_file: Path) -> None:
    """Make the SQLite file, unless it appears in the meantime.

    It is built under another name, in one transaction, and published by a hard link, which fails
    where a file exists: a start that is killed leaves no half file under `path`, and of two starts
    at once the second takes the first one's file, notes and all, instead of replacing it.

    Args:
        path: Where the file shall be; its folder is made if it is missing.
        data_file: The countries.

    Raises:
        DataFileError: The countries can't be read; nothing is written.
        DatabaseError: The file can't be made there.
    """
    records = read_countries(data_file)
    building = path.with_name(f".{path.name}.{secrets.token_hex(8)}.building")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            _build(building, records)
            os.link(building, path)
        except FileExistsError:
            pass
        finally:
            building.unlink(missing_ok=True)
    except sqlite3.IntegrityError as error:
        raise DataFileError(
            f"The data file `{data_file}` holds a country twice ({error}); "
            "name another one with `--data`."
        ) from error
    except (OSError, sqlite3.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise DatabaseError(
            f"The database `{path}` can't be created ({reason}); "
            "choose another place with `--database`."
        ) from error


def remove_abandoned(path: Path) -> None:
    """Remove what killed first starts left behind; a younger file may still be in the making."""
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.building"):
        with suppress(FileNotFoundError):
            if time.time() - leftover.stat().st_mtime > _ABANDONED_AFTER_SECONDS:
                leftover.unlink()


def _build(path: Path, records: list[CountryRecord]) -> None:
    with closing(sqlite3.connect(path)) as connection:
        # Nobody else sees this file yet, so a rollback journal on disk would protect nothing.
        connection.execute("PRAGMA journal_mode = MEMORY")
        connection.executescript(f"BEGIN; {SCHEMA}")
        for record in records:
            row = row_from_record(record)
            places = ", ".join(f":{column}" for column in row)
            connection.execute(f"INSERT INTO country ({', '.join(row)}) VALUES ({places})", row)
        connection.commit()
