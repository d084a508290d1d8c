"""Answer plans: the engine on its own."""

from __future__ import annotations

from typing_extensions import assert_type

import polyface as pf
from tests.typing.cases.people import Address, Other, Person, PersonCard

ada = Person(id=1, name="Ada", address=Address(city="London"))

plan = pf.AnswerPlan(list[Person], view=list[PersonCard])
assert_type(plan, pf.AnswerPlan[list[Person], list[PersonCard]])  # ok:plan with a view
full_plan: pf.AnswerPlan[Person | None, Person | None] = pf.AnswerPlan(
    Person | None
)  # ok:full plan
assert_type(plan.to_json([{"id": 1}], on_strip=print), bytes)  # ok:plan writes rows
plan.to_json([ada])  # ok:plan writes models
plan.to_json([Other(nope=True)])  # err:plan writes others
plan.to_json(ada)  # err:plan writes one for many
assert_type(plan.mcp_result([], meta={"a": 1}, content="text"), bytes)  # ok:plan writes a result
plan.mcp_result([Other(nope=True)])  # err:plan writes a result of others
plan.mcp_result([], content="none")  # err:unknown content
pf.AnswerPlan(list[Person], list[PersonCard])  # err:view by position
pf.AnswerPlan(3)  # err:plan of no type
