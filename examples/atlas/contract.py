"""What the atlas promises: four operations, and what a model reads of each."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

import polyface as pf
from atlas.models import CardPage, Country, CountryPage, Neighbour, Note, Part, Region

MAX_PAGE = 250

EVERYWHERE: tuple[pf.Transport, ...] = ("HTTP", "MCP", "AGENT", "CLI")
"""The command line is never implied; without `expose=` an operation has the first three."""

Include = Annotated[
    list[Part],
    Field(
        default=["translations", "nativeNames", "demonyms"],
        description="The heavy parts to load; without it, HTTP loads them all and a tool none.",
    ),
]


class Arguments(BaseModel):
    """An unknown argument is refused, so that a misspelt filter isn't silently no filter."""

    model_config = ConfigDict(extra="forbid")


class ListCountries(Arguments):
    """Which countries, which part of them, and how much of each."""

    region: Region | None = Field(default=None, description="Only countries of this region.")
    q: str = Field(
        default="",
        max_length=100,
        description="Words that must all occur in a country's names or capitals, in any language "
        "spoken there; case and accents don't matter.",
    )
    limit: int = Field(default=50, ge=1, le=MAX_PAGE, description="How many at most.")
    offset: int = Field(default=0, ge=0, le=2**31 - 1, description="How many to skip.")
    include: Include


class GetCountry(Arguments):
    """How much of one country."""

    include: Include


class NewNote(Arguments):
    """What to write about a country."""

    text: Annotated[
        str, StringConstraints(strip_whitespace=True, min_length=1, max_length=2000)
    ] = Field(description="Replaces the note that is there.")


class CountryCode(BaseModel):
    """A country by one of its ISO 3166-1 codes."""

    code: str = Field(
        pattern=r"^([A-Za-z]{2,3}|[0-9]{3})$",
        description="Two letters, three letters or three digits: `DE`, `DEU` or `276`.",
    )


def summarize(full: list[Country], _call: object) -> list[Neighbour]:
    """Make of each full country the three things that tell a neighbour."""
    return [
        {
            "code": country["cca3"],
            "name": country["name"]["common"],
            "capital": ", ".join(country["capital"]),
        }
        for country in full
    ]


class Countries(pf.Contract, prefix="countries"):
    """The countries of the world, and notes on them."""

    # A slice: a model gets cards, and its calls load no heavy part unless they ask for one.
    list_ = pf.with_tool_view(
        pf.get(
            "",
            key="list",
            desc="List countries by name, filtered by region and text, a page at a time.",
            input=ListCountries,
            output=CountryPage,
            expose=EVERYWHERE,
        ),
        output=CardPage,
        defaults={"include": []},
    )

    # The whole record for everyone, of which a tool loads less.
    get = pf.with_tool_view(
        pf.get(
            "/{code}",
            desc="Get one country by its code, with the note on it.",
            params=CountryCode,
            input=GetCountry,
            output=Country,
            expose=EVERYWHERE,
        ),
        output=Country,
        defaults={"include": []},
    )

    # A reshape: what a slice can't say, a projection can.
    neighbours = pf.with_tool_view(
        pf.get(
            "/{code}/neighbours",
            desc="List the countries that share a land border with this one.",
            params=CountryCode,
            output=list[Country],
            expose=EVERYWHERE,
            tool=pf.ToolOptions(name="list_neighbours"),
        ),
        output=list[Neighbour],
        project=summarize,
    )

    # The same answer for everyone.
    annotate = pf.put(
        "/{code}/note",
        desc="Write the note on a country, in place of the one that is there.",
        params=CountryCode,
        input=NewNote,
        output=Note,
        expose=EVERYWHERE,
        idempotent=True,
        tool=pf.ToolOptions(annotations=pf.ToolAnnotations(destructive=True, idempotent=True)),
    )
