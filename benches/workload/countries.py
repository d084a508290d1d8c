"""The countries of the example: deep dicts with names in every script."""

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

ATLAS = Path(__file__).parents[2] / "examples"


@cache
def page_schemas() -> tuple[Any, Any]:
    """The example's schemas of a page of countries, and of a page of cards."""
    if str(ATLAS) not in sys.path:
        sys.path.append(str(ATLAS))  # the example is an application, not a package to install
    from atlas.models import CardPage, CountryPage  # noqa: PLC0415

    return CountryPage, CardPage


@cache
def _text() -> str:
    path = ATLAS / "atlas" / "data" / "countries.json"
    return path.read_text("utf-8")


def country_page(_: int) -> dict[str, Any]:
    """Read all countries anew and put them on one page."""
    items = [{**record, "note": None} for record in json.loads(_text())]
    return {"total": len(items), "limit": len(items), "offset": 0, "items": items}
