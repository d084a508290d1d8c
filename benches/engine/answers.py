"""From a handler's rows to bytes: the whole call, the slice, and the full answer."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any

import polyface as pf
from polyface._core import mcp_result

from ..measure import compare
from ..opponents import by_hand, by_msgspec, by_pydantic
from ..row import Contender, Effort, Outcome, Row, faster, within
from ..workload import rows
from ..workload.people import Card, Person, PersonData

Run = Callable[[Any], bytes]
Make = Callable[[int], Any]

# Two opponents stop where what they lack would begin: the hand-written slice checks nothing and
# reports nothing, whatever the row asks.
COMPLETE = b'"resultType":"complete"'
DECLARED = by_pydantic.declared(Person)


@cache
def plan(output: Any, view: Any = None) -> pf.AnswerPlan[Any, Any]:
    return pf.AnswerPlan(output) if view is None else pf.AnswerPlan(output, view=view)


def _ignore(_: object) -> None:
    """Hear a report."""


def whole_call(answer: pf.AnswerPlan[Any, Any], *, report: bool) -> Run:
    """Check, slice, check the view, write, report and write the MCP result."""

    def run(value: Any) -> bytes:
        body = answer.to_json(value, on_strip=_ignore if report else None)
        return mcp_result(body, structured="bare", text=True, members=COMPLETE)

    return run


def _reported(run: Run, names: Any) -> Run:
    def reported(value: Any) -> bytes:
        by_pydantic.undeclared(value, names)
        return by_hand.result(run(value))

    return reported


def _wrapped(run: Run) -> Run:
    return lambda value: by_hand.result(run(value))


def variants(group: str, runs: Mapping[str, Run], make: Make) -> list[Contender]:
    return [Contender(f"{group}, {name}", run, make) for name, run in runs.items()]


def _whole(effort: Effort, *, make: Make, report: bool, pydantic: float, hand: float) -> Outcome:
    wrap = partial(_reported, names=DECLARED) if report else _wrapped
    contenders = [
        Contender("polyface", whole_call(plan(list[Person], list[Card]), report=report), make),
        *variants("pydantic", {k: wrap(run) for k, run in by_pydantic.cards().items()}, make),
        *variants("by hand", {k: _wrapped(run) for k, run in by_hand.cards().items()}, make),
    ]
    return compare(contenders, [faster(pydantic, "pydantic"), within(hand, "by hand")], effort)


def _sliced(effort: Effort, *, make: Make, goals: bool) -> Outcome:
    contenders = [
        Contender("polyface", plan(list[Person], list[Card]).to_json, make),
        *variants("pydantic", by_pydantic.cards(), make),
        *variants("msgspec", by_msgspec.cards(), make),
    ]
    aims = [faster(18, "pydantic"), faster(4, "msgspec")] if goals else []
    return compare(contenders, aims, effort)


def _objects(
    effort: Effort, *, make: Make, schema: Any, pydantic: Mapping[str, Run], factor: float
) -> Outcome:
    contenders = [
        Contender("polyface", plan(schema, list[Card]).to_json, make),
        *variants("pydantic", pydantic, make),
        *variants("by hand", by_hand.cards_of_objects(), make),
    ]
    return compare(contenders, [faster(factor, "pydantic")], effort)


def _full(effort: Effort, *, make: Make) -> Outcome:
    contenders = [
        Contender("polyface", plan(list[Person]).to_json, make),
        Contender("pydantic", by_pydantic.whole, make),
        Contender("msgspec", by_msgspec.whole, make),
        Contender("orjson", by_hand.whole, rows.with_text_decimals(make)),
    ]
    return compare(contenders, [faster(9, "pydantic"), within(0.7, "orjson")], effort)


def _texts(effort: Effort, *, full: bool) -> Outcome:
    """Everything that isn't a number is a text, so the plan parses what pydantic would parse."""
    ours = plan(list[Person]) if full else plan(list[Person], list[Card])
    theirs = {"all": by_pydantic.whole} if full else by_pydantic.cards()
    contenders = [
        Contender("polyface", ours.to_json, rows.text_rows),
        *variants("pydantic", theirs, rows.text_rows),
    ]
    return compare(contenders, [faster(6, "pydantic")], effort)


@cache
def _warm(make: Make) -> Any:
    return make(1)


KEYS: Sequence[tuple[str, str, Make]] = (
    ("interned", "keys as literals", rows.rows),
    ("json", "keys as json.loads makes them", rows.json_rows),
    ("sqlite", "keys as sqlite3 gives them", rows.sqlite_rows),
)


def answer_rows() -> list[Row]:
    """Every row about one answer of people."""
    made = [
        Row(
            f"whole-{key}",
            f"whole call with the report, dict rows, {words}",
            partial(_whole, make=make, report=True, pydantic=25, hand=0.6),
        )
        for key, words, make in KEYS
    ]
    made += [
        Row(
            f"silent-{key}",
            f"whole call without the report, dict rows, {words}",
            partial(_whole, make=make, report=False, pydantic=13, hand=0.6),
        )
        for key, words, make in KEYS
    ]
    made.append(
        Row(
            "dirty",
            "whole call, shuffled keys, absent optionals, undeclared keys at three levels",
            partial(_whole, make=rows.dirty_rows, report=True, pydantic=15, hand=1.7),
        )
    )
    made += [
        Row(
            "slice-warm",
            "check + slice + JSON, warm dict rows",
            partial(_sliced, make=lambda _: _warm(rows.rows), goals=True),
        ),
        Row(
            "slice-fresh",
            "check + slice + JSON, fresh dict rows",
            partial(_sliced, make=rows.rows, goals=False),
        ),
        Row(
            "instances",
            "pydantic instances, emitted leaves checked → sliced JSON",
            partial(
                _objects,
                make=rows.instances,
                schema=list[Person],
                pydantic=by_pydantic.cards_of_instances(),
                factor=20,
            ),
        ),
    ]
    attributes = {"from_attributes": by_pydantic.cards_of_attributes}
    made += [
        Row(
            f"dataclasses-{key}",
            f"dataclasses → checked, sliced JSON; the schema is a {key}",
            partial(
                _objects, make=rows.dataclass_rows, schema=schema, pydantic=attributes, factor=15
            ),
        )
        for key, schema in (("model", list[Person]), ("dataclass", list[PersonData]))
    ]
    made += [
        Row(f"full-{key}", f"dict rows → checked full JSON, {words}", partial(_full, make=make))
        for key, words, make in KEYS
    ]
    made += [
        Row("text-card", "text leaves, as sqlite3 gives them → card", partial(_texts, full=False)),
        Row("text-full", "text leaves, as sqlite3 gives them → full", partial(_texts, full=True)),
    ]
    return made
