"""The countries as the file really has them, and what the operations answer.

Everything that leaves is a `TypedDict`, because a heavy part that wasn't asked for must be
*absent*: `{}` already says that a country has none of it, and a null would blur the two.
The keys are the file's own.
"""

from typing import Annotated, Literal, NotRequired, TypeAlias

from pydantic import AwareDatetime, Field
from typing_extensions import TypedDict

Region = Literal["Africa", "Americas", "Antarctic", "Asia", "Europe", "Oceania"]

Part = Literal["translations", "nativeNames", "demonyms"]
"""The heavy parts of a country, loaded only when they are asked for."""

# Not just `float`: most areas and half of the coordinates are written as integers, and stay so.
Number: TypeAlias = int | float


class LocalName(TypedDict):
    """A country's name in one language."""

    official: str
    common: str


class Demonym(TypedDict):
    """What the people of a country are called in one language."""

    f: str
    m: str


class Currency(TypedDict):
    """A currency in use."""

    name: str
    symbol: str


class DialingCode(TypedDict):
    """The international dialing prefix: a root and what may follow it."""

    root: str
    suffixes: list[str]


NativeNames = Annotated[dict[str, LocalName], Field(description="By ISO 639-3 language code.")]
Translations = Annotated[dict[str, LocalName], Field(description="By ISO 639-3 language code.")]
Demonyms = Annotated[dict[str, Demonym], Field(description="By ISO 639-3 language code.")]


class RecordName(TypedDict):
    """A country's name in the file."""

    common: str
    official: str
    native: NativeNames


class Name(TypedDict):
    """A country's name; `native` is there only if it was asked for."""

    common: str
    official: str
    native: NotRequired[NativeNames]


class Facts(TypedDict):
    """What is known of each country, without the heavy parts."""

    tld: Annotated[list[str], Field(description="Internet top-level domains.")]
    cca2: Annotated[str, Field(description="ISO 3166-1 alpha-2.")]
    ccn3: Annotated[str, Field(description="ISO 3166-1 numeric; empty if there is none.")]
    cca3: Annotated[str, Field(description="ISO 3166-1 alpha-3, the key of a country.")]
    cioc: Annotated[str, Field(description="The Olympic committee's code; empty if there is none.")]
    independent: Annotated[bool | None, Field(description="Null where it is disputed.")]
    status: Annotated[
        Literal["officially-assigned", "user-assigned"], Field(description="Of the ISO code.")
    ]
    unMember: bool
    unRegionalGroup: Annotated[str, Field(description="Empty outside the United Nations.")]
    currencies: Annotated[dict[str, Currency], Field(description="By ISO 4217 code.")]
    idd: DialingCode
    capital: Annotated[list[str], Field(description="None, one or several.")]
    altSpellings: list[str]
    region: Region
    subregion: Annotated[str, Field(description="Empty for the Antarctic.")]
    languages: Annotated[dict[str, str], Field(description="Names by ISO 639-3 code.")]
    latlng: Annotated[tuple[Number, Number], Field(description="Latitude, longitude in degrees.")]
    landlocked: bool
    borders: Annotated[list[str], Field(description="The neighbours' `cca3`.")]
    area: Annotated[Number, Field(description="In km²; -1 where it is unknown.")]
    flag: Annotated[str, Field(description="As an emoji.")]


class CountryRecord(Facts):
    """A country in the file: every part is there."""

    name: RecordName
    translations: Translations
    demonyms: Demonyms


class Note(TypedDict):
    """What somebody wrote about a country."""

    code: Annotated[str, Field(description="The country's `cca3`.")]
    text: str
    updatedAt: AwareDatetime


class Country(Facts):
    """A country as HTTP answers it, with the heavy parts that were asked for."""

    name: Name
    translations: NotRequired[Translations]
    demonyms: NotRequired[Demonyms]
    note: Note | None


class CountryPage(TypedDict):
    """Some of the countries that match."""

    total: Annotated[int, Field(description="How many match, on this page and beyond it.")]
    limit: int
    offset: int
    items: list[Country]


class CardName(TypedDict):
    """A country's name on a card."""

    common: str
    native: NotRequired[NativeNames]


class CountryCard(TypedDict):
    """A country as a model lists it: five fields, and the heavy parts that it asked for."""

    name: CardName
    cca3: str
    capital: list[str]
    region: Region
    flag: str
    translations: NotRequired[Translations]
    demonyms: NotRequired[Demonyms]


class CardPage(TypedDict):
    """Some of the countries that match, as cards."""

    total: int
    limit: int
    offset: int
    items: list[CountryCard]


class Neighbour(TypedDict):
    """A neighbouring country as a model reads it."""

    code: str
    name: str
    capital: Annotated[str, Field(description="Joined with commas; empty if there is none.")]
