"""Schemas that nobody knew when the code was written: made from a seed, with rows that fit."""

import random
import string
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, create_model

ROWS = 200
Maker = Callable[[random.Random], Any]
LETTERS = string.ascii_letters + "äöüß東京ñé- "


def _text(rng: random.Random) -> str:
    return "".join(rng.choices(LETTERS, k=rng.randrange(4, 24)))


def _moment(rng: random.Random) -> datetime:
    return datetime.fromtimestamp(rng.randrange(10**9) + rng.randrange(1, 10**6) / 10**6, UTC)


LEAVES: dict[Any, Maker] = {
    int: lambda rng: rng.randrange(-(10**6), 10**9),
    float: lambda rng: rng.uniform(-1000, 1000),
    str: _text,
    bool: lambda rng: rng.random() < 0.5,
    UUID: lambda rng: UUID(int=rng.getrandbits(128)),
    date: lambda rng: date.fromordinal(rng.randrange(700_000, 740_000)),
    datetime: _moment,
    Decimal: lambda rng: Decimal(rng.randrange(10**6)) / 100,
    str | None: lambda rng: _text(rng) if rng.random() < 0.5 else None,
    int | None: lambda rng: rng.randrange(1000) if rng.random() < 0.5 else None,
    list[str]: lambda rng: [_text(rng) for _ in range(rng.randrange(4))],
    dict[str, int]: lambda rng: {_text(rng): rng.randrange(100) for _ in range(rng.randrange(3))},
    Literal["open", "closed"]: lambda rng: rng.choice(["open", "closed"]),
}


@dataclass(frozen=True, slots=True)
class Unknown:
    """One schema and its slice.

    Args:
        full: the model of a row.
        view: the model of what is kept of it.
        include: what is kept, as pydantic's `include=` has it.
        source: what is kept, as the source of a dict of `row`.
        makers: field → what makes its values.
        decimals: the fields that orjson can't write.
    """

    full: Any
    view: Any
    include: dict[str, Any]
    source: str
    makers: dict[str, Maker]
    decimals: tuple[str, ...]

    def rows(self, seed: int) -> list[dict[str, Any]]:
        """Make rows that nobody has touched."""
        rng = random.Random(seed)
        return [{name: make(rng) for name, make in self.makers.items()} for _ in range(ROWS)]

    def plain_rows(self, seed: int) -> list[dict[str, Any]]:
        """Make the same rows with their decimals as texts."""
        made = self.rows(seed)
        for row in made:
            for name in self.decimals:
                row[name] = str(row[name])
        return made


def unknown(seed: int) -> Unknown:
    """Make a schema of 8 to 30 fields, of which a fifth is kept; a record in it is cut, too."""
    rng = random.Random(seed)
    kinds = [rng.choice(list(LEAVES)) for _ in range(rng.randrange(7, 29))]
    names = [f"{rng.choice(string.ascii_lowercase)}_{number}" for number in range(len(kinds))]
    leaves = dict(zip(names, kinds, strict=True))
    inner = {f"in_{number}": rng.choice([int, str, bool, float]) for number in range(4)}
    record = _model("Inner", inner)
    full = _model("Unknown", leaves | {"inner": record})
    kept = sorted(rng.sample(names, max(1, len(names) // 5)), key=names.index)
    cut = [rng.choice(list(inner))]
    view_record = _model("InnerView", {name: inner[name] for name in cut})
    view = _model("View", {name: leaves[name] for name in kept} | {"inner": view_record})
    makers = {name: LEAVES[kind] for name, kind in leaves.items()}
    inner_makers = {name: LEAVES[kind] for name, kind in inner.items()}
    makers["inner"] = lambda rng: {name: make(rng) for name, make in inner_makers.items()}
    decimals = tuple(name for name in names if leaves[name] is Decimal)
    source = ", ".join(
        [
            *(f"{name!r}: {_read(name, decimals)}" for name in kept),
            f"'inner': {{{cut[0]!r}: row['inner'][{cut[0]!r}]}}",
        ]
    )
    include = {**dict.fromkeys(kept, True), "inner": set(cut)}
    return Unknown(full, view, include, f"{{{source}}}", makers, decimals)


def _read(name: str, decimals: tuple[str, ...]) -> str:
    return f"str(row[{name!r}])" if name in decimals else f"row[{name!r}]"


def _model(name: str, fields: dict[str, Any]) -> type[BaseModel]:
    made: Any = {key: (kind, ...) for key, kind in fields.items()}
    model: type[BaseModel] = create_model(name, **made)
    return model
