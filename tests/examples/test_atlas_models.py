"""The models hold the file of countries as it really is, and the tables lose nothing of it."""

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

from atlas.first_load import DATA_FILE, read_countries
from atlas.models import Country, CountryCard, CountryRecord, Region
from atlas.repository import Repository
from atlas.rows import PART_COLUMNS


def exact(value: object) -> str:
    """Write JSON so that `180` and `180.0`, and `True` and `1`, differ."""
    return json.dumps(value, sort_keys=True)


def test_file_has_the_250_countries_and_their_quirks(source: list[dict[str, Any]]) -> None:
    by_code = {country["cca3"]: country for country in source}
    assert len(by_code) == 250
    assert type(by_code["ABW"]["area"]) is int
    assert type(by_code["VAT"]["area"]) is float
    assert by_code["ATA"]["name"]["native"] == {}
    assert by_code["ATA"]["currencies"] == {}
    assert by_code["ATA"]["capital"] == []
    assert len(by_code["ZAF"]["capital"]) == 3
    assert any(country["independent"] is None for country in source)


def test_every_record_survives_the_model(source: list[dict[str, Any]]) -> None:
    records = TypeAdapter(list[CountryRecord])
    written = json.loads(records.dump_json(read_countries(DATA_FILE)))
    assert [exact(country) for country in written] == [exact(country) for country in source]


def test_every_record_survives_the_database(
    source: list[dict[str, Any]], repository: Repository
) -> None:
    total, rows = repository.search(
        region=None, text="", limit=250, offset=0, include=list(PART_COLUMNS)
    )
    answered = {row["cca3"]: exact(row) for row in rows}
    assert total == 250
    assert answered == {record["cca3"]: exact({**record, "note": None}) for record in source}


def test_every_row_is_a_country_and_a_card(repository: Repository) -> None:
    for include in ([], list(PART_COLUMNS)):
        _, rows = repository.search(region=None, text="", limit=250, offset=0, include=include)
        full = TypeAdapter(list[Country])
        assert json.loads(full.dump_json(full.validate_python(rows))) == rows
        assert len(TypeAdapter(list[CountryCard]).validate_python(rows)) == 250


def test_regions_of_the_type_are_those_of_the_file(source: list[dict[str, Any]]) -> None:
    schema = TypeAdapter(Region).json_schema()
    assert set(schema["enum"]) == {country["region"] for country in source}


@pytest.mark.parametrize("part", list(PART_COLUMNS))
def test_part_that_is_not_asked_for_is_absent(repository: Repository, part: str) -> None:
    others = [other for other in PART_COLUMNS if other != part]
    country = repository.find("ATA", include=others)
    assert country is not None
    present = {"nativeNames": "native" in country["name"], **dict.fromkeys(country, True)}
    assert not present.get(part, False)
    assert all(present.get(other) for other in others)
