"""What a surface refuses because its answers couldn't be read as JSON."""

from typing import Any

import pytest
from pydantic import BaseModel, ConfigDict

import polyface as pf


class Ratio(BaseModel):
    model_config = ConfigDict(ser_json_inf_nan="constants")
    value: float


class Holder(BaseModel):
    ratios: list[Ratio | None] = []


def make_service(output: Any) -> pf.Service[Any]:
    class Ratios(pf.Contract, prefix="ratios"):
        fetch = pf.get("/", desc="A ratio.", output=output)

    service = pf.implement(Ratios)
    service.handler(Ratios.fetch)(lambda call: None)
    return service


@pytest.mark.parametrize("output", [Ratio, list[Ratio], Holder, dict[str, Ratio]])
def test_tokens_that_are_not_json_are_refused_on_a_served_surface(output: Any) -> None:
    with pytest.raises(pf.DeclarationError, match=r"`Ratios.fetch`: .* aren't JSON; set `ser_json"):
        pf.Surface([make_service(output)])


def test_a_plan_on_its_own_may_write_them() -> None:
    assert pf.AnswerPlan(Ratio).to_json({"value": float("nan")}) == b'{"value":NaN}'


@pytest.mark.parametrize("way", ["null", "strings"])
def test_the_other_ways_of_writing_them_are_served(way: Any) -> None:
    class Quiet(BaseModel):
        model_config = ConfigDict(ser_json_inf_nan=way)
        value: float

    assert pf.Surface([make_service(Quiet)]).operations[0].label == "Ratios.fetch"


def test_an_answer_that_may_be_null_is_wrapped_in_a_result_of_any_version() -> None:
    plan = pf.AnswerPlan(Holder | None)
    for version in ("2025-06-18", "2026-07-28"):
        told = plan.mcp_result(None, protocol_version=version)
        assert b'"structuredContent":{"result":null}' in told
