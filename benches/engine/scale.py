"""Whether the promise holds for more rows, and for rows that somebody else wrote."""

from functools import partial
from typing import Any

from pydantic import TypeAdapter

from ..measure import assert_alike, take_turns
from ..opponents import by_pydantic
from ..row import Contender, Effort, Outcome, Row, Sample, Verdict, best
from ..workload import rows
from ..workload.countries import country_page, page_schemas
from ..workload.people import Card, Person
from ..workload.recipe import PEOPLE
from .answers import plan, variants

TIMES = (1, 10, 100)
GROWTH = 1.15
SHARE = 0.9
PAGE = {
    "total": True,
    "limit": True,
    "offset": True,
    "items": {
        "__all__": {
            **dict.fromkeys(
                ("cca3", "capital", "region", "flag", "translations", "demonyms"), True
            ),
            "name": {"common", "native"},
        }
    },
}


def _people(seed: int, *, times: int) -> rows.Rows:
    return rows.rows(seed if times < TIMES[-1] else 0, PEOPLE * times)


def _scale(effort: Effort) -> Outcome:
    """Measure ours and pydantic at each size, smallest first, so that none finds warm rows."""
    times = TIMES[:2] if effort.smoke else TIMES
    ours, theirs = plan(list[Person], list[Card]).to_json, by_pydantic.cards()["include"]
    contenders = [
        Contender(f"{name}, × {factor}", run, partial(_people, times=factor))
        for factor in times
        for name, run in (("polyface", ours), ("pydantic", theirs))
    ]
    for first in range(0, len(contenders), 2):
        assert_alike(contenders[first : first + 2], seed=1)
    measured = take_turns(contenders, effort.rounds(10), 40, batch=1)
    samples = {
        name: Sample(tuple(each / PEOPLE / factor for each in measured[name].taken), "µs a row")
        for factor in times
        for name in (f"polyface, × {factor}", f"pydantic, × {factor}")
    }
    base = samples["polyface, × 1"].median
    verdicts = tuple(
        Verdict(f"a row at × {factor} ≤ {GROWTH} × one at × 1", ratio, ratio <= GROWTH)
        for factor in times[1:]
        for ratio in [samples[f"polyface, × {factor}"].median / base]
    )
    return Outcome(samples, verdicts)


def _countries(effort: Effort) -> Outcome:
    full, card = page_schemas()
    # The other variants write a country's keys in the card's order, which a slice doesn't.
    included = by_pydantic.cards(TypeAdapter(full), TypeAdapter(card), PAGE)["include"]
    contenders = [
        Contender("polyface", plan(full, card).to_json, country_page),
        Contender("pydantic", included, country_page),
    ]
    people = [
        Contender("polyface", plan(list[Person], list[Card]).to_json, rows.rows),
        *variants("pydantic", by_pydantic.cards(), rows.rows),
    ]
    assert_alike(contenders, seed=1)
    samples = take_turns(contenders, effort.rounds(40), 6, batch=2)
    at_one = take_turns(people, effort.rounds(60))
    ratio, expected = (
        best(each, "pydantic") / best(each, "polyface") for each in (samples, at_one)
    )
    goal = f"≥ {SHARE} × the ratio of people ({expected:.1f})"
    return Outcome(samples, (Verdict(goal, ratio, ratio >= SHARE * expected),))


def scale_rows() -> list[Row]:
    """The rows of more people, and of countries."""
    title = "check + slice + JSON of 200, 2,000 and 20,000 people"
    countries: Any = "check + slice + JSON of the countries file"
    return [Row("scale", title, _scale), Row("countries", countries, _countries)]
