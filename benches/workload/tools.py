"""A surface of two hundred tools, each with schemas of its own."""

from functools import cache
from typing import Any

from pydantic import BaseModel, Field, create_model

import polyface as pf

TOOLS = 200
KINDS: tuple[Any, ...] = (int, str, float, bool, list[str], str | None, dict[str, int])


class Place(BaseModel):
    street: str = Field(max_length=100)
    city: str = Field(description="The city's name, in its own language.")


def _record(name: str, number: int, fields: int) -> Any:
    made: dict[str, Any] = {
        f"field_{index}": (
            KINDS[(index + number) % len(KINDS)],
            Field(description=f"What field {index} of tool {number} is for."),
        )
        for index in range(fields)
    }
    return create_model(f"{name}{number}", **made, place=(Place, ...))


async def _never(_: object) -> Any:
    raise AssertionError("a listing calls no tool")


@cache
def tool_surface() -> pf.Surface:
    """Build the surface: an argument object of nine fields, an answer of twenty-five."""
    endpoints = {
        f"tool_{number:03}": pf.post(
            f"/{number}",
            desc=f"Does what tool {number} is for, and says what came of it.",
            input=_record("Arguments", number, 8),
            output=_record("Answer", number, 24),
        )
        for number in range(TOOLS)
    }
    contract = pf.build_contract("Records", endpoints, prefix="records")
    service = pf.implement(contract)
    for key in endpoints:
        service.handler(getattr(contract, key))(_never)
    return pf.Surface(services=[service])


@cache
def tool_documents() -> list[dict[str, Any]]:
    """What is known of each tool, as plain Python objects."""
    return [
        {
            "name": f"tool_{number}",
            "description": f"Does what tool {number} is for, and says what came of it.",
            "input": _record("Arguments", number, 8).model_json_schema(),
            "output": _record("Answer", number, 24).model_json_schema(),
            "annotations": None,
        }
        for number in range(TOOLS)
    ]
