"""From a seed to raw columns, and from raw columns to values that nobody has touched yet.

Texts are kept as bytes and decoded for each answer: a server never sees the same objects twice,
and an object that has been written once is faster the second time.
"""

import random
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from typing import Any
from uuid import UUID

PEOPLE = 200
SEED = 20_261_201
KINDS_OF_ANSWERS = 8  # how many different answers there are; their objects are always new

Recipe = tuple[Any, ...]

FIRST = [
    "Ada",
    "Grace",
    "Linus",
    "Margaret",
    "Édouard",
    "Søren",
    "Naïma",
    "東京",
    "Kurt",
    "Alan",
    "Barbara",
    "Zoë",
    "Łukasz",
]
LAST = [
    "Lovelace",
    "Hopper",
    "Söderström",
    "Hamilton",
    "Lemaître",
    "Gödel",
    "Turing",
    "Liskov",
    "Ōyama",
    "Núñez",
]
CITIES = [
    "London",
    "Zürich",
    "København",
    "大阪",
    "Kraków",
    "Porto",
    "Reykjavík",
    "Graz",
    "Oslo",
    "Lyon",
]
WORDS = [
    "likes",
    "maps",
    "and",
    "rivers",
    "café",
    "in",
    "winter",
    "walks",
    "slowly",
    "reads",
    "näturlich",
    "本",
    "often",
    "sings",
]
LANGUAGES = ["de", "en", "fr", "ja", "pl", "da"]


def _text(rng: random.Random, words: list[str], count: int) -> bytes:
    return " ".join(rng.choice(words) for _ in range(count)).encode()


def _maybe(rng: random.Random, share: float, text: bytes) -> bytes | None:
    return text if rng.random() < share else None


def _recipe(rng: random.Random) -> Recipe:
    created = 1_577_836_800 + rng.randrange(10**8) + rng.randrange(1, 10**6) / 10**6
    return (
        rng.randrange(10**5, 10**6),
        rng.getrandbits(128),
        _text(rng, FIRST, 1) + b" " + _text(rng, LAST, 1),
        b"person%d@example.com" % rng.randrange(10**6),
        _maybe(rng, 0.5, b"+49 %d" % rng.randrange(10**9)),
        rng.randrange(18, 90),
        round(rng.uniform(1.5, 2.1), 2),
        rng.random() < 0.5,
        rng.randrange(708_000, 733_000),
        created,
        created + rng.randrange(10**6),
        b"%d.%02d" % (rng.randrange(10**5), rng.randrange(100)),
        _text(rng, WORDS, 1) + b" %d" % rng.randrange(200),
        _text(rng, CITIES, 1),
        b"%05d" % rng.randrange(10**5),
        round(rng.uniform(-90, 90), 5),
        round(rng.uniform(-180, 180), 5),
        tuple(_text(rng, WORDS, 1) for _ in range(3)),
        _text(rng, WORDS, 4),
        _text(rng, LAST, 1) + b" GmbH",
        _text(rng, WORDS, 1),
        b"https://a.example/%d" % rng.randrange(10**6),
        _maybe(rng, 0.5, _text(rng, FIRST, 1)),
        _text(rng, LANGUAGES, 1),
        rng.randrange(10**6),
        rng.random() * 5,
        rng.random() < 0.5,
        _maybe(rng, 0.3, _text(rng, WORDS, 5)),
        rng.getrandbits(128),
    )


@cache
def recipes(kind: int, count: int) -> list[Recipe]:
    """The raw columns of `count` people."""
    rng = random.Random(SEED + kind)
    return [_recipe(rng) for _ in range(count)]


def _decoded(text: bytes | None) -> str | None:
    return None if text is None else text.decode()


def values(raw: Recipe) -> Iterator[Any]:
    """Make the values of one person, in the order of the fields; the address comes as three lists.

    The address is the 13th value: `[street, city, postcode, [latitude, longitude]]`.
    """
    id_, uid, name, email, phone, age, height, active, born, created, updated, balance = raw[:12]
    street, city, postcode, latitude, longitude, tags, *rest = raw[12:]
    bio, company, title, website, nickname, language, score, rating, verified, notes, by = rest
    yield from (id_, UUID(int=uid), name.decode(), email.decode(), _decoded(phone), age, height)
    yield from (active, date.fromordinal(born), datetime.fromtimestamp(created, UTC))
    yield from (datetime.fromtimestamp(updated, UTC), Decimal(balance.decode()))
    yield [street.decode(), city.decode(), postcode.decode(), [latitude, longitude]]
    yield [tag.decode() for tag in tags]
    yield from (bio.decode(), company.decode(), title.decode(), website.decode())
    yield from (_decoded(nickname), language.decode(), score, rating, verified, _decoded(notes))
    yield UUID(int=by)
