"""How long the core's plan takes for one answer, beside pydantic and beside code written by hand.

Two hundred records of twenty-five fields go in as fresh dicts; the JSON of six fields comes out.
`--smoke` runs one round, so that the gate can see that the bench still runs.
"""

import gc
import json
import random
import statistics
import sys
import time
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import cast
from uuid import UUID

from pydantic import BaseModel, TypeAdapter

from polyface import _core

Rows = list[dict[str, object]]
ROWS = 200
WORDS = [
    "ada",
    "grace",
    "linus",
    "margaret",
    "söderström",
    "東京",
    "naïve",
    "édouard",
    "kurt",
    "alan",
    "barbara",
]


class Address(BaseModel):
    street: str
    city: str
    postcode: str
    country: str


class Person(BaseModel):
    id: UUID
    name: str
    email: str
    phone: str | None
    age: int
    height: float
    active: bool
    born: date
    created: datetime
    updated: datetime
    balance: Decimal
    address: Address
    tags: list[str]
    bio: str
    company: str
    title: str
    website: str
    nickname: str | None
    language: str
    score: int
    rating: float
    verified: bool
    notes: str | None
    manager: UUID
    visits: int


class Card(BaseModel):
    id: UUID
    name: str
    email: str
    age: int
    born: date
    tags: list[str]


KEPT = tuple(Card.model_fields)
NOTHING = None
INT = ("int", None, None, None, None, None)
STR = ("str", None, None, None)
LEAVES: dict[str, int] = {
    "uuid": 4,
    "str": 5,
    "text?": 6,
    "int": 7,
    "float": 8,
    "bool": 9,
    "date": 10,
    "datetime": 11,
    "decimal": 12,
}
KINDS = {
    **dict.fromkeys(["id", "manager"], "uuid"),
    **dict.fromkeys(["phone", "nickname", "notes"], "text?"),
    **dict.fromkeys(["age", "score", "visits"], "int"),
    **dict.fromkeys(["height", "rating"], "float"),
    **dict.fromkeys(["active", "verified"], "bool"),
    **dict.fromkeys(["created", "updated"], "datetime"),
    "born": "date",
    "balance": "decimal",
}


def nodes(kept: tuple[str, ...] = KEPT) -> list[tuple[object, ...]]:
    """The node table of `list[Person]`, of which only `kept` is written."""

    def field(name: str, child: int, is_kept: bool) -> tuple[object, ...]:
        return (name, (name,), name, child, "required", is_kept)

    def child(name: str) -> int:
        return {"address": 2, "tags": 3}.get(name) or LEAVES[KINDS.get(name, "str")]

    people = [field(name, child(name), name in kept) for name in Person.model_fields]
    address = [field(name, LEAVES["str"], True) for name in Address.model_fields]
    return [
        ("list", 1, None, None),
        ("record", "model", Person, people, "ignore"),
        ("record", "model", Address, address, "ignore"),
        ("list", LEAVES["str"], None, None),
        ("uuid", NOTHING),
        STR,
        ("nullable", LEAVES["str"]),
        INT,
        ("float", None, None, None, None, None),
        ("bool", NOTHING),
        ("date", NOTHING),
        ("datetime", None, NOTHING),
        ("decimal", NOTHING),
    ]


def person(rng: random.Random) -> dict[str, object]:
    def words(count: int) -> str:
        return " ".join(rng.choice(WORDS) for _ in range(count))

    moment = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(
        seconds=rng.randrange(10**8), microseconds=rng.randrange(10**6)
    )
    return {
        "id": UUID(int=rng.getrandbits(128)),
        "name": words(2),
        "email": f"person{rng.randrange(10**6)}@example.com",
        "phone": f"+49 {rng.randrange(10**9)}" if rng.random() < 0.5 else None,
        "age": rng.randrange(18, 90),
        "height": round(rng.uniform(1.5, 2.1), 2),
        "active": rng.random() < 0.5,
        "born": date(1940, 1, 1) + timedelta(days=rng.randrange(25_000)),
        "created": moment,
        "updated": moment + timedelta(seconds=rng.randrange(10**6)),
        "balance": Decimal(rng.randrange(10**7)) / 100,
        "address": {
            "street": words(2) + " 5",
            "city": words(1),
            "postcode": str(rng.randrange(10**5)),
            "country": "DE",
        },
        "tags": [rng.choice(WORDS) for _ in range(3)],
        "bio": words(12),
        "company": words(2),
        "title": words(2),
        "website": f"https://example.com/{rng.randrange(10**6)}",
        "nickname": words(1) if rng.random() < 0.5 else None,
        "language": "de",
        "score": rng.randrange(10**6),
        "rating": rng.random() * 5,
        "verified": rng.random() < 0.5,
        "notes": words(5) if rng.random() < 0.3 else None,
        "manager": UUID(int=rng.getrandbits(128)),
        "visits": rng.randrange(1000),
    }


def answer(seed: int) -> list[dict[str, object]]:
    rng = random.Random(seed)
    return [person(rng) for _ in range(ROWS)]


def dirty(rows: list[dict[str, object]], undeclared: int = 1) -> list[dict[str, object]]:
    return [{**row, **{f"extra{number}": number for number in range(undeclared)}} for row in rows]


def shuffled(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    rng = random.Random(7)
    return [dict(rng.sample(list(row.items()), len(row))) for row in rows]


def by_hand(rows: list[dict[str, object]]) -> bytes:
    """What a user would write: slice, convert, dump; nothing is checked."""
    cards = [
        {
            "id": str(row["id"]),
            "name": row["name"],
            "email": row["email"],
            "age": row["age"],
            "born": row["born"].isoformat(),  # type: ignore[attr-defined]
            "tags": row["tags"],
        }
        for row in rows
    ]
    return json.dumps(cards, ensure_ascii=False, separators=(",", ":")).encode()


def median_microseconds(run: Callable[[object], object], pool: list[object]) -> float:
    """Each value is used once: a server never sees the same rows twice."""
    times = []
    for value in pool:
        start = time.perf_counter_ns()
        run(value)
        times.append(time.perf_counter_ns() - start)
    return statistics.median(times) / 1000


def main(rounds: int) -> None:
    full_plan = _core.Plan(nodes(tuple(Person.model_fields)), 0)
    card_plan = _core.Plan(nodes(), 0)
    adapter = TypeAdapter(list[Person])
    include = {"__all__": set(KEPT)}

    def law(rows: object) -> bytes:
        return adapter.dump_json(adapter.validate_python(rows, from_attributes=True), by_alias=True)

    def sliced(rows: object) -> bytes:
        return adapter.dump_json(
            adapter.validate_python(rows, from_attributes=True), by_alias=True, include=include
        )

    sample = answer(0)
    models = adapter.validate_python(sample)
    assert full_plan.write(sample) == full_plan.write(models) == law(sample)
    assert card_plan.write(sample) == by_hand(sample) == sliced(sample)
    assert json.loads(card_plan.write(shuffled(dirty(sample))) or b"") == json.loads(
        by_hand(sample)
    )

    def pool(make: Callable[[int], object], count: int) -> list[object]:
        return [make(seed) for seed in range(1, count + 1)]

    few = max(1, rounds // 10)
    table: list[tuple[str, Callable[[object], object], Callable[[int], object], int]] = [
        ("card: plan", card_plan.write, answer, rounds),
        ("card: plan, reporting", card_plan.write_reporting, answer, rounds),
        (
            "card: plan, keys not interned",
            card_plan.write,
            lambda seed: rekeyed(answer(seed)),
            rounds,
        ),
        ("card: plan, shuffled keys", card_plan.write, lambda seed: shuffled(answer(seed)), rounds),
        ("card: plan, 1 undeclared", card_plan.write, lambda seed: dirty(answer(seed)), rounds),
        (
            "card: plan, 1 undeclared, reporting",
            card_plan.write_reporting,
            lambda seed: dirty(answer(seed)),
            rounds,
        ),
        ("card: plan, 3 undeclared", card_plan.write, lambda seed: dirty(answer(seed), 3), rounds),
        (
            "card: plan, 3 undeclared, reporting",
            card_plan.write_reporting,
            lambda seed: dirty(answer(seed), 3),
            rounds,
        ),
        ("card: plan, 100 undeclared", card_plan.write, lambda seed: dirty(answer(seed), 100), few),
        (
            "card: plan, 100 undeclared, reporting",
            card_plan.write_reporting,
            lambda seed: dirty(answer(seed), 100),
            few,
        ),
        (
            "card: plan, model instances",
            card_plan.write,
            lambda seed: adapter.validate_python(answer(seed)),
            few,
        ),
        (
            "card: by hand with json, unchecked",
            lambda rows: by_hand(cast("Rows", rows)),
            answer,
            rounds,
        ),
        ("card: pydantic", sliced, answer, few),
        ("full: plan", full_plan.write, answer, rounds),
        ("full: pydantic", law, answer, few),
    ]
    gc.disable()
    for name, run, make, count in table:
        print(f"{name:42} {median_microseconds(run, pool(make, count)):9.1f} µs")
        gc.collect()
    full = law(sample)
    card = by_hand(sample)

    def wrap(body: object) -> bytes:
        assert isinstance(body, bytes)
        return _core.mcp_result(body, structured="wrapped", text=True, members=b"")

    for name, body in [("card", card), ("full", full)]:
        label = f"envelope: {name}, {len(body)} bytes"
        print(f"{label:42} {median_microseconds(wrap, [body] * rounds):9.1f} µs")
    keep = _core.Keep([("array", 1), ("object", dict.fromkeys(KEPT, 2), None), ("all",)], 0)
    print(f"{'prune: full to card':42} {median_microseconds(keep.prune, [full] * rounds):9.1f} µs")  # type: ignore[arg-type]
    surface = [{"name": f"tool{n}", "schema": Person.model_json_schema()} for n in range(ROWS)]
    print(
        f"{'digest: 200 schemas':42} {median_microseconds(_core.digest, [surface] * few):9.1f} µs"
    )


def rekeyed(rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The same rows with keys as a JSON parser makes them: shared by the rows, not interned."""
    keys = {key: "".join(list(key)) for key in rows[0]}
    return [{keys[key]: value for key, value in row.items()} for row in rows]


if __name__ == "__main__":
    main(rounds=1 if "--smoke" in sys.argv else 300)
