"""How a country becomes a row, and a row a country.

The facts have columns of their own; lists and maps are JSON text. The heavy parts come last, so
that SQLite doesn't even read past the facts' pages for a row whose heavy columns aren't selected.
"""

import json
from collections.abc import Collection
from sqlite3 import Row
from typing import Any

from atlas.models import CountryRecord, Part
from atlas.search import fold

APPLICATION_ID = 0x41544C53
"""Written into the file's header ("ATLS"), so that another application's file is recognised."""

SCHEMA_VERSION = 1

SCHEMA = f"""
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};

CREATE TABLE country (
    cca3              TEXT PRIMARY KEY,
    cca2              TEXT NOT NULL UNIQUE,
    ccn3              TEXT NOT NULL,
    cioc              TEXT NOT NULL,
    name_common       TEXT NOT NULL,
    name_official     TEXT NOT NULL,
    independent       INTEGER,
    status            TEXT NOT NULL,
    un_member         INTEGER NOT NULL,
    un_regional_group TEXT NOT NULL,
    region            TEXT NOT NULL,
    subregion         TEXT NOT NULL,
    latitude          NUMERIC NOT NULL,
    longitude         NUMERIC NOT NULL,
    landlocked        INTEGER NOT NULL,
    area              NUMERIC NOT NULL,
    flag              TEXT NOT NULL,
    idd_root          TEXT NOT NULL,
    idd_suffixes      TEXT NOT NULL CHECK (json_valid(idd_suffixes)),
    tld               TEXT NOT NULL CHECK (json_valid(tld)),
    capital           TEXT NOT NULL CHECK (json_valid(capital)),
    alt_spellings     TEXT NOT NULL CHECK (json_valid(alt_spellings)),
    borders           TEXT NOT NULL CHECK (json_valid(borders)),
    currencies        TEXT NOT NULL CHECK (json_valid(currencies)),
    languages         TEXT NOT NULL CHECK (json_valid(languages)),
    sort_key          TEXT NOT NULL,
    search_text       TEXT NOT NULL,
    native_names      TEXT NOT NULL CHECK (json_valid(native_names)),
    demonyms          TEXT NOT NULL CHECK (json_valid(demonyms)),
    translations      TEXT NOT NULL CHECK (json_valid(translations))
);
CREATE UNIQUE INDEX country_ccn3 ON country (ccn3) WHERE ccn3 <> '';
CREATE INDEX country_order ON country (sort_key, cca3);

CREATE TABLE note (
    cca3       TEXT PRIMARY KEY REFERENCES country (cca3),
    text       TEXT NOT NULL,
    updated_at TEXT NOT NULL
);
"""

FACT_COLUMNS = (
    *("cca3", "cca2", "ccn3", "cioc", "name_common", "name_official", "independent", "status"),
    *("un_member", "un_regional_group", "region", "subregion", "latitude", "longitude"),
    *("landlocked", "area", "flag", "idd_root", "idd_suffixes", "tld", "capital"),
    *("alt_spellings", "borders", "currencies", "languages"),
)

PART_COLUMNS: dict[Part, str] = {
    "translations": "translations",
    "nativeNames": "native_names",
    "demonyms": "demonyms",
}


def columns(include: Collection[Part]) -> tuple[str, ...]:
    """Name the columns of `country` that an answer with these heavy parts needs, and no others."""
    return (*FACT_COLUMNS, *(PART_COLUMNS[part] for part in PART_COLUMNS if part in include))


def row_from_record(record: CountryRecord) -> dict[str, Any]:
    """Turn a country of the file into the values of a row, by column."""
    name = record["name"]
    latitude, longitude = record["latlng"]
    return {
        "cca3": record["cca3"],
        "cca2": record["cca2"],
        "ccn3": record["ccn3"],
        "cioc": record["cioc"],
        "name_common": name["common"],
        "name_official": name["official"],
        "independent": record["independent"],
        "status": record["status"],
        "un_member": record["unMember"],
        "un_regional_group": record["unRegionalGroup"],
        "region": record["region"],
        "subregion": record["subregion"],
        "latitude": latitude,
        "longitude": longitude,
        "landlocked": record["landlocked"],
        "area": record["area"],
        "flag": record["flag"],
        "idd_root": record["idd"]["root"],
        "idd_suffixes": _json(record["idd"]["suffixes"]),
        "tld": _json(record["tld"]),
        "capital": _json(record["capital"]),
        "alt_spellings": _json(record["altSpellings"]),
        "borders": _json(record["borders"]),
        "currencies": _json(record["currencies"]),
        "languages": _json(record["languages"]),
        "sort_key": fold(name["common"]),
        "search_text": _search_text(record),
        "native_names": _json(name["native"]),
        "demonyms": _json(record["demonyms"]),
        "translations": _json(record["translations"]),
    }


def country_from_row(row: Row, include: Collection[Part]) -> dict[str, Any]:
    """Turn a row with the columns of `columns(include)` and the note's into an answer's country."""
    name: dict[str, Any] = {"common": row["name_common"], "official": row["name_official"]}
    country: dict[str, Any] = {
        "name": name,
        "tld": json.loads(row["tld"]),
        "cca2": row["cca2"],
        "ccn3": row["ccn3"],
        "cca3": row["cca3"],
        "cioc": row["cioc"],
        "independent": None if row["independent"] is None else bool(row["independent"]),
        "status": row["status"],
        "unMember": bool(row["un_member"]),
        "unRegionalGroup": row["un_regional_group"],
        "currencies": json.loads(row["currencies"]),
        "idd": {"root": row["idd_root"], "suffixes": json.loads(row["idd_suffixes"])},
        "capital": json.loads(row["capital"]),
        "altSpellings": json.loads(row["alt_spellings"]),
        "region": row["region"],
        "subregion": row["subregion"],
        "languages": json.loads(row["languages"]),
        "latlng": [row["latitude"], row["longitude"]],
        "landlocked": bool(row["landlocked"]),
        "borders": json.loads(row["borders"]),
        "area": row["area"],
        "flag": row["flag"],
        "note": None if row["note_text"] is None else note_from_row(row),
    }
    if "nativeNames" in include:
        name["native"] = json.loads(row["native_names"])
    if "translations" in include:
        country["translations"] = json.loads(row["translations"])
    if "demonyms" in include:
        country["demonyms"] = json.loads(row["demonyms"])
    return country


def note_from_row(row: Row) -> dict[str, Any]:
    """Turn a row with a note's columns into the note of an answer."""
    return {"code": row["cca3"], "text": row["note_text"], "updatedAt": row["note_updated_at"]}


def _search_text(record: CountryRecord) -> str:
    """Put each name that a search looks in on a line of its own, so that no word spans two."""
    name = record["name"]
    texts = [name["common"], name["official"], *record["altSpellings"], *record["capital"]]
    for native in name["native"].values():
        texts += native["common"], native["official"]
    return "\n".join(dict.fromkeys(map(fold, texts)))


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
