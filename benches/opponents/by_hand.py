"""What a user writes by hand with orjson: nothing is checked, and nothing could be left out."""

from collections.abc import Callable
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter, itemgetter
from typing import Any
from uuid import UUID

import orjson

Run = Callable[[Any], bytes]

UTC_Z = orjson.OPT_UTC_Z
Values = int | str | float | None | UUID | date | datetime | Decimal


def cards() -> dict[str, Run]:
    """Slice dicts and write them."""
    top, city = itemgetter("id", "name", "born", "address"), itemgetter("city")

    def written_out(rows: Any) -> bytes:
        return orjson.dumps(
            [
                {
                    "id": row["id"],
                    "name": row["name"],
                    "born": row["born"],
                    "address": {"city": row["address"]["city"]},
                }
                for row in rows
            ]
        )

    def with_getters(rows: Any) -> bytes:
        return orjson.dumps(
            [
                {"id": one, "name": name, "born": born, "address": {"city": city(address)}}
                for one, name, born, address in map(top, rows)
            ]
        )

    return {"written out": written_out, "itemgetter": with_getters}


def cards_of_objects() -> dict[str, Run]:
    """Slice objects by their attributes and write them."""
    top = attrgetter("id", "name", "born", "address.city")

    def written_out(people: Any) -> bytes:
        return orjson.dumps(
            [
                {
                    "id": one.id,
                    "name": one.name,
                    "born": one.born,
                    "address": {"city": one.address.city},
                }
                for one in people
            ]
        )

    def with_getters(people: Any) -> bytes:
        return orjson.dumps(
            [
                {"id": id_, "name": name, "born": born, "address": {"city": city}}
                for id_, name, born, city in map(top, people)
            ]
        )

    return {"written out": written_out, "attrgetter": with_getters}


def whole(rows: Any) -> bytes:
    """Write rows as they are; Decimals are texts already, for orjson writes none."""
    return orjson.dumps(rows, option=UTC_Z)


def result(body: bytes) -> bytes:
    """Put JSON that is there into an MCP result, without reading it again."""
    return orjson.dumps(
        {
            "content": [{"type": "text", "text": body.decode()}],
            "structuredContent": orjson.Fragment(body),
            "resultType": "complete",
        }
    )
