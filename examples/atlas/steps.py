"""What the demonstration asks for, and what a tool must answer, worked out by hand."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

HEAVY_PARTS = ("translations", "demonyms")


@dataclass(frozen=True)
class Step:
    """One operation with the arguments of one call.

    Args:
        title: What the table calls it.
        method: The HTTP method.
        path: The HTTP path with its params filled in.
        tool: The tool's name.
        expected: Makes the tool's answer of the full one, without polyface.
        params: What the path captures; a tool takes them as arguments.
        arguments: The input.
    """

    title: str
    method: str
    path: str
    tool: str
    expected: Callable[[Any], Any]
    params: Mapping[str, str] = field(default_factory=dict[str, str])
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])


def card_page(page: dict[str, Any]) -> dict[str, Any]:
    """Cut a page of countries to cards."""
    return {**page, "items": [_card(country) for country in page["items"]]}


def light_country(country: dict[str, Any]) -> dict[str, Any]:
    """Take the heavy parts out of a country."""
    light = {key: value for key, value in country.items() if key not in HEAVY_PARTS}
    name = {key: value for key, value in country["name"].items() if key != "native"}
    return {**light, "name": name}


def neighbours(full: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Make the short list of a list of countries."""
    return [
        {
            "code": country["cca3"],
            "name": country["name"]["common"],
            "capital": ", ".join(country["capital"]),
        }
        for country in full
    ]


def same(full: Any) -> Any:
    """Answer everyone alike."""
    return full


def _card(country: dict[str, Any]) -> dict[str, Any]:
    card = {key: country[key] for key in ("cca3", "capital", "region", "flag")}
    return {**card, "name": {"common": country["name"]["common"]}}


EVERY_COUNTRY = Step(
    title="list, all 250 countries",
    method="GET",
    path="/v1/countries",
    tool="list_countries",
    expected=card_page,
    arguments={"limit": 250},
)

STEPS = (
    EVERY_COUNTRY,
    Step(
        title="list, 60 countries",
        method="GET",
        path="/v1/countries",
        tool="list_countries",
        expected=card_page,
        arguments={"limit": 60},
    ),
    Step(
        title="list, Europe, 'land'",
        method="GET",
        path="/v1/countries",
        tool="list_countries",
        expected=card_page,
        arguments={"region": "Europe", "q": "land"},
    ),
    Step(
        title="one country",
        method="GET",
        path="/v1/countries/DEU",
        tool="get_country",
        expected=light_country,
        params={"code": "DEU"},
    ),
    Step(
        title="neighbours",
        method="GET",
        path="/v1/countries/DEU/neighbours",
        tool="list_neighbours",
        expected=neighbours,
        params={"code": "DEU"},
    ),
    Step(
        title="write a note",
        method="PUT",
        path="/v1/countries/DEU/note",
        tool="annotate_country",
        expected=same,
        params={"code": "DEU"},
        arguments={"text": "Nine neighbours, more than any other country of the Union."},
    ),
)
