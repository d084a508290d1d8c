"""The questions that the operations ask of the database."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from atlas.database import Database
from atlas.models import Part, Region
from atlas.rows import columns, country_from_row, note_from_row
from atlas.search import words

_NOTE_COLUMNS = "note.text AS note_text, note.updated_at AS note_updated_at"


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Repository:
    """The countries and the notes on them.

    Every method that takes `include` selects those heavy columns and no others, and answers rows
    as the operations' types describe them.

    Args:
        database: The open SQLite file.
        clock: What time it is, with a time zone.
    """

    database: Database
    clock: Callable[[], datetime] = _now

    def search(
        self,
        *,
        region: Region | None,
        text: str,
        limit: int,
        offset: int,
        include: Collection[Part],
    ) -> tuple[int, list[dict[str, Any]]]:
        """Find countries, in the order of their names.

        Args:
            region: Only there; everywhere if it is None.
            text: Words that must all occur in a country's names or capitals; `%` and `_` mean
                themselves, case and accents don't matter.
            limit: How many at most.
            offset: How many to skip.
            include: The heavy parts to load.

        Returns:
            How many match in all, and the countries of this page.
        """
        where, values = _matches(region, text)
        ((total,),) = self.database.query(f"SELECT count(*) FROM country WHERE {where}", values)
        rows = self.database.query(
            f"""
            SELECT {_select(include)} FROM country LEFT JOIN note USING (cca3)
            WHERE {where} ORDER BY sort_key, cca3 LIMIT :limit OFFSET :offset
            """,
            {**values, "limit": limit, "offset": offset},
        )
        return total, [country_from_row(row, include) for row in rows]

    def find(self, code: str, *, include: Collection[Part]) -> dict[str, Any] | None:
        """Find one country by its two-letter, three-letter or numeric code; None if unknown."""
        rows = self.database.query(
            f"""
            SELECT {_select(include)} FROM country LEFT JOIN note USING (cca3)
            WHERE {_code_column(code)} = :code
            """,
            {"code": code.upper()},
        )
        return country_from_row(rows[0], include) if rows else None

    def neighbours(self, code: str) -> list[dict[str, Any]] | None:
        """List the countries that this one's record names as neighbours; None if it is unknown.

        The records don't always agree: Sri Lanka's names India, and India's doesn't name it.
        """
        key = self._key(code)
        if key is None:
            return None
        rows = self.database.query(
            f"""
            SELECT {_select(())}
            FROM json_each((SELECT borders FROM country WHERE cca3 = :key)) AS border
            JOIN country ON cca3 = border.value LEFT JOIN note USING (cca3) ORDER BY border.key
            """,
            {"key": key},
        )
        return [country_from_row(row, ()) for row in rows]

    def write_note(self, code: str, text: str) -> dict[str, Any] | None:
        """Write or replace the note on a country; None if the country is unknown.

        Writing the text that is already there changes nothing, not even the time.
        """
        key = self._key(code)
        if key is None:
            return None
        (row,) = self.database.query(
            """
            INSERT INTO note (cca3, text, updated_at) VALUES (:key, :text, :now)
            ON CONFLICT (cca3) DO UPDATE SET
                text = excluded.text,
                updated_at = iif(text = excluded.text, updated_at, excluded.updated_at)
            RETURNING cca3, text AS note_text, updated_at AS note_updated_at
            """,
            {"key": key, "text": text, "now": self.clock().astimezone(UTC).isoformat()},
        )
        return note_from_row(row)

    def _key(self, code: str) -> str | None:
        rows = self.database.query(
            f"SELECT cca3 FROM country WHERE {_code_column(code)} = :code", {"code": code.upper()}
        )
        return rows[0]["cca3"] if rows else None


def _matches(region: Region | None, text: str) -> tuple[str, dict[str, Any]]:
    """Write the condition of a search: its SQL, which holds no value, and the bound values."""
    conditions = ["TRUE"]
    values: dict[str, Any] = {}
    if region is not None:
        conditions.append("region = :region")
        values["region"] = region
    for index, word in enumerate(words(text)):
        # `instr` rather than LIKE, in which `%` and `_` would be wildcards.
        conditions.append(f"instr(search_text, :word_{index}) > 0")
        values[f"word_{index}"] = word
    return " AND ".join(conditions), values


def _select(include: Collection[Part]) -> str:
    return f"{', '.join(columns(include))}, {_NOTE_COLUMNS}"


def _code_column(code: str) -> str:
    if code.isdigit():
        return "ccn3"
    return "cca2" if len(code) == 2 else "cca3"
