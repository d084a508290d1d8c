"""What a strip report costs: the same call with a listener and without, beside a walk in Python.

Two hundred fresh records go through a tool's runner, and through the answer's plan alone: clean
ones, and ones with undeclared keys. `--smoke` runs one round, so that the gate can see that it
still runs.
"""

import asyncio
import gc
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

import polyface as pf
from polyface.schema.adapter import Schema
from polyface.schema.strip import undeclared_keys

ROWS = 200


class Address(BaseModel):
    street: str
    city: str


class Record(BaseModel):
    id: int
    name: str
    email: str | None
    age: int
    active: bool
    tags: list[str]
    address: Address


class Card(BaseModel):
    id: int
    name: str


class Nothing(BaseModel):
    pass


def rows(undeclared: int) -> list[dict[str, Any]]:
    extra = {f"extra_{index}": index for index in range(undeclared)}
    return [
        {
            "id": index,
            "name": f"Person {index}",
            "email": None,
            "age": index % 90,
            "active": True,
            "tags": ["a", "b"],
            "address": {"street": "Main", "city": "Rome"},
        }
        | extra
        for index in range(ROWS)
    ]


def ignore(_: object) -> None:
    """Hear a report."""


def invoker(hooks: pf.Hooks, answers: list[Any]) -> pf.ToolInvoker:
    endpoint = pf.with_tool_view(
        pf.post("", desc="List.", input=Nothing, output=list[Record]), output=list[Card]
    )
    contract = pf.build_contract("Records", {"list": endpoint}, prefix="records")
    service = pf.implement(contract)
    for name, bound in vars(contract).items():
        if isinstance(bound, pf.Endpoint):

            async def handle(_: object) -> Any:
                return answers.pop()

            service.handler(getattr(contract, name))(handle)
    return pf.tool_invoker(pf.Surface([service], hooks=hooks), transport="MCP", answer="tool")


def median(run: Callable[[Any], Any], pool: list[Any]) -> float:
    times: list[float] = []
    for value in pool:
        started = time.perf_counter()
        run(value)
        times.append(time.perf_counter() - started)
    return statistics.median(times) * 1e6


def median_pair(
    one: Callable[[Any], Any], other: Callable[[Any], Any], undeclared: int, rounds: int
) -> tuple[float, float]:
    """Take turns, so that whatever else the machine does falls on both."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for run, kept in ((one, times[0]), (other, times[1])):
            kept.append(median(run, [rows(undeclared)]))
    return statistics.median(times[0]), statistics.median(times[1])


async def median_call(hooks: tuple[pf.Hooks, pf.Hooks], undeclared: int, rounds: int) -> Any:
    times: tuple[list[float], list[float]] = ([], [])
    answers: list[Any] = []
    invokers = [invoker(item, answers) for item in hooks]
    for _ in range(rounds):
        for made, kept in zip(invokers, times, strict=True):
            answers.append(rows(undeclared))
            started = time.perf_counter()
            await made.invoke_or_raise("list_records")
            kept.append(time.perf_counter() - started)
    return [statistics.median(kept) * 1e6 for kept in times]


def main(rounds: int) -> None:
    plan = pf.AnswerPlan(list[Record], view=list[Card])
    shape = Schema(list[Record]).shape
    heard: list[Any] = []
    plan.to_json(rows(1), on_strip=heard.append)
    assert heard == [undeclared_keys(shape, rows(1))] == [(pf.StripEntry("[].extra_0", 200, 0),)]
    plan.to_json(rows(0), on_strip=heard.append)
    assert len(heard) == 1

    gc.disable()
    print(f"{'undeclared keys a row':28}{'silent':>10}{'heard':>10}{'ratio':>8}{'a walk adds':>14}")
    for undeclared in (0, 1, 3, 100):
        silent, listened = median_pair(
            plan.to_json, lambda value: plan.to_json(value, on_strip=ignore), undeclared, rounds
        )
        pool = [rows(undeclared) for _ in range(max(1, rounds // 10))]
        walk = median(lambda value: undeclared_keys(shape, value), pool)
        label = f"plan, {undeclared}"
        print(f"{label:28}{silent:10.1f}{listened:10.1f}{listened / silent:8.3f}{walk:14.1f}")
        gc.collect()
    for undeclared in (0, 3):
        hooks = pf.Hooks(), pf.Hooks(on_output_strip=ignore)
        silent, listened = asyncio.run(median_call(hooks, undeclared, rounds))
        label = f"tool call, {undeclared}"
        print(f"{label:28}{silent:10.1f}{listened:10.1f}{listened / silent:8.3f}")
        gc.collect()


if __name__ == "__main__":
    main(1 if "--smoke" in sys.argv else 400)
