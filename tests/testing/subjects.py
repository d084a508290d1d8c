"""Types of every kind that pydantic takes."""

import collections
import dataclasses
import datetime as dt
import enum
import ipaddress
import pathlib
import re
import uuid
import zoneinfo
from collections.abc import Hashable, Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Generic, Literal, NamedTuple, NotRequired, Optional, TypeVar

from pydantic import (
    UUID1,
    UUID4,
    UUID7,
    AfterValidator,
    AliasChoices,
    AliasPath,
    AmqpDsn,
    AnyUrl,
    AwareDatetime,
    Base64Bytes,
    Base64Str,
    BaseModel,
    BeforeValidator,
    ByteSize,
    ConfigDict,
    DirectoryPath,
    Discriminator,
    Field,
    FileUrl,
    FutureDatetime,
    HttpUrl,
    ImportString,
    Json,
    JsonValue,
    NaiveDatetime,
    PastDate,
    PlainSerializer,
    PlainValidator,
    PostgresDsn,
    RedisDsn,
    RootModel,
    Secret,
    SecretBytes,
    SecretStr,
    StringConstraints,
    Tag,
    WrapValidator,
    condecimal,
    field_validator,
    model_validator,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from typing_extensions import TypedDict

T = TypeVar("T")


class Color(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class Mixed(enum.Enum):
    ONE = 1
    TEXT = "text"


class Point(NamedTuple):
    x: int
    y: float = 0.0


class Address(TypedDict):
    city: str
    zip: NotRequired[str]


class Tagged(BaseModel):
    size: int = Field(ge=3, le=9)
    tags: set[str] = Field(min_length=2)


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []
    parent: Optional["Tree"] = None


class Chain(TypedDict):
    before: "Chain | None"


class Aliased(BaseModel):
    model_config = ConfigDict(validate_by_name=True, extra="forbid")
    first: int = Field(alias="First")
    second: int = Field(0, validation_alias=AliasChoices("Second", AliasPath("pair", 0)))
    third: int = Field(validation_alias=AliasPath("pair", 1))


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    known: int


@dataclasses.dataclass
class Item:
    price: Annotated[Decimal, Field(max_digits=6, decimal_places=2)]
    parts: list[Tagged] = dataclasses.field(default_factory=list)
    made: str = dataclasses.field(default="", init=False)


@pydantic_dataclass
class Checked:
    low: int

    def __post_init__(self):
        if self.low % 2:
            raise ValueError("odd")


class Strict(BaseModel):
    model_config = ConfigDict(strict=True)
    day: dt.date
    key: uuid.UUID
    places: tuple[int, ...]
    bag: frozenset[int]
    kind: Mixed
    share: float
    tagged: Tagged
    item: Item
    amount: Decimal
    raw: bytes


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)
    number: int


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    lives: int


class Dog(BaseModel):
    kind: Literal["dog", "hound"]
    age: Annotated[int, Field(ge=0)]


class Range(BaseModel):
    low: int = Field(ge=0, le=20)
    high: int = Field(ge=0, le=20)

    @model_validator(mode="after")
    def is_in_order(self):
        if self.low > self.high:
            raise ValueError("low is above high")
        return self


class Paired(BaseModel):
    low: int = Field(ge=0, le=5)
    high: int = Field(ge=0, le=5)

    @field_validator("high")
    @classmethod
    def is_above(cls, high, info):
        if high < info.data["low"]:
            raise ValueError("high is below low")
        return high


class Configured(BaseModel):
    model_config = ConfigDict(
        str_max_length=3, str_to_lower=True, val_json_bytes="base64", allow_inf_nan=False
    )
    text: str
    raw: bytes
    share: float
    address: Address


class Box(BaseModel, Generic[T]):
    item: T
    more: list[T]


class Written(BaseModel):
    numbers: Annotated[list[int], PlainSerializer(len)]


class Codes(RootModel[list[int]]):
    pass


class Own:
    """A class that only its own validator knows."""

    def __init__(self, text):
        self.text = text

    @classmethod
    def __get_pydantic_core_schema__(cls, source, handler):
        return handler.generate_schema(Annotated[str, AfterValidator(cls)])


def is_even(number):
    if number % 2:
        raise ValueError("odd")
    return number


CONSTRAINED: list[Any] = [
    Annotated[int, Field(ge=3, lt=10)],
    Annotated[int, Field(gt=3, multiple_of=7)],
    Annotated[int, Field(gt=2**70, lt=2**70 + 2)],
    Annotated[float, Field(gt=0, le=1)],
    Annotated[float, Field(multiple_of=0.5)],
    Annotated[float, Field(allow_inf_nan=False)],
    Annotated[Decimal, Field(max_digits=5, decimal_places=2)],
    Annotated[Decimal, Field(ge=Decimal("0.05"), lt=3, decimal_places=2)],
    Annotated[Decimal, Field(max_digits=3)],
    condecimal(multiple_of=Decimal("0.25")),
    Annotated[Decimal, Field(gt=0)],
    Annotated[str, Field(min_length=2, max_length=5)],
    Annotated[str, Field(pattern=r"^[a-z]{2,3}\d$")],
    Annotated[bytes, Field(min_length=1, max_length=3)],
    Annotated[dt.date, Field(gt=dt.date(2000, 1, 1), le=dt.date(2000, 1, 5))],
    Annotated[dt.datetime, Field(ge=dt.datetime(2000, 1, 1, tzinfo=dt.UTC))],
    Annotated[dt.datetime, Field(lt=dt.datetime(2000, 1, 1))],
    Annotated[dt.time, Field(gt=dt.time(5))],
    Annotated[dt.timedelta, Field(gt=dt.timedelta(0))],
    AwareDatetime,
    NaiveDatetime,
    PastDate,
    FutureDatetime,
    UUID1,
    UUID4,
    UUID7,
    Annotated[list[int], Field(min_length=2, max_length=3)],
    Annotated[set[int], Field(min_length=3)],
    Annotated[dict[str, int], Field(min_length=1)],
    Address,
    Tagged,
    Tree,
    Box[Annotated[int, Field(le=3)]],
    Annotated[Cat | Dog, Field(discriminator="kind")],
    Strict,
    Item,
]
"""Types that say in their schema what they accept, so that no value is ever drawn in vain."""

OTHERS: list[Any] = [
    None,
    bool,
    int,
    float,
    str,
    bytes,
    complex,
    Decimal,
    Fraction,
    dt.date,
    dt.datetime,
    dt.time,
    dt.timedelta,
    uuid.UUID,
    Color,
    Mixed,
    Literal["a", 1, True, None],
    Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, to_upper=True)],
    list[int],
    list,
    set[int],
    frozenset[Color],
    set[Frozen],
    tuple[int, str],
    tuple[int, ...],
    tuple[int, *tuple[str, ...]],
    dict[str, int],
    dict[int, str],
    dict[dt.date, float],
    dict[uuid.UUID, Cat],
    collections.deque[int],
    collections.Counter[str],
    collections.OrderedDict[str, int],
    collections.defaultdict[str, int],
    Annotated[Sequence[int], Field(min_length=2)],
    Iterable[int],
    Mapping[str, int],
    Point,
    Chain,
    list[Tree],
    Aliased,
    Open,
    Checked,
    Range,
    Paired,
    Configured,
    Written,
    Codes,
    Box[Cat],
    Own,
    int | str,
    Codes | Cat | None,
    Annotated[
        Annotated[Cat, Tag("c")] | Annotated[Dog, Tag("d")],
        Discriminator(
            lambda value: (
                "c" if (value["kind"] if isinstance(value, dict) else value.kind) == "cat" else "d"
            )
        ),
    ],
    Any,
    object,
    Hashable,
    JsonValue,
    Json[list[int]],
    pathlib.Path,
    pathlib.PurePosixPath,
    DirectoryPath,
    ipaddress.IPv4Address,
    ipaddress.IPv6Address,
    ipaddress.IPv4Interface,
    ipaddress.IPv6Network,
    re.Pattern[str],
    zoneinfo.ZoneInfo,
    SecretStr,
    SecretBytes,
    Secret[int],
    ByteSize,
    Base64Str,
    Base64Bytes,
    AnyUrl,
    HttpUrl,
    FileUrl,
    PostgresDsn,
    RedisDsn,
    AmqpDsn,
    ImportString,
    Annotated[int, AfterValidator(is_even)],
    Annotated[str, BeforeValidator(lambda value: value.strip())],
    Annotated[int, WrapValidator(lambda value, handler: handler(value) + 1)],
    Annotated[int, PlainValidator(int)],
]
