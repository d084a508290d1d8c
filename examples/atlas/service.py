"""How the atlas keeps its promises: a handler for each operation.

The handlers are ordinary functions, which polyface runs in threads: SQLite blocks, and never for
long.
"""

from typing import Any

import polyface as pf
from atlas.contract import Countries, CountryCode, GetCountry, ListCountries, NewNote
from atlas.repository import Repository

countries = pf.implement(Countries, context=Repository)


@countries.handler(Countries.list_)
def list_countries(call: pf.Call[None, ListCountries, Repository]) -> dict[str, Any]:
    """Answer a page of the countries that match."""
    wanted = call.input
    total, items = call.context.search(
        region=wanted.region,
        text=wanted.q,
        limit=wanted.limit,
        offset=wanted.offset,
        include=wanted.include,
    )
    return {"total": total, "limit": wanted.limit, "offset": wanted.offset, "items": items}


@countries.handler(Countries.get)
def get_country(call: pf.Call[CountryCode, GetCountry, Repository]) -> dict[str, Any]:
    """Answer one country."""
    country = call.context.find(call.params.code, include=call.input.include)
    if country is None:
        raise _unknown(call.params.code)
    return country


@countries.handler(Countries.neighbours)
def list_neighbours(call: pf.Call[CountryCode, None, Repository]) -> list[dict[str, Any]]:
    """Answer a country's neighbours in the order of its record."""
    neighbours = call.context.neighbours(call.params.code)
    if neighbours is None:
        raise _unknown(call.params.code)
    return neighbours


@countries.handler(Countries.annotate)
def annotate_country(call: pf.Call[CountryCode, NewNote, Repository]) -> dict[str, Any]:
    """Write a note and answer it as it is kept."""
    note = call.context.write_note(call.params.code, call.input.text)
    if note is None:
        raise _unknown(call.params.code)
    return note


def _unknown(code: str) -> pf.OperationError:
    return pf.not_found(f"No country has the code `{code}`.", code=code)
