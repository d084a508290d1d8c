"""How long the digest of a prepared surface takes, beside orjson and json with SHA-256.

Two hundred tools with a schema of twenty-five fields for arguments and answer, as plain Python
objects, without a memo. orjson is measured where it is installed. `--smoke` runs one round, so that
the gate can see that it still runs.
"""

import hashlib
import json
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from pydantic import BaseModel, Field, create_model

import polyface as pf
from polyface.schema.normal import normalised

TOOLS = 200
KINDS = [int, str, float, bool, list[str], str | None, dict[str, int]]


class Address(BaseModel):
    street: str = Field(max_length=100)
    city: str = Field(description="The city's name, in its own language.")


def record(number: int) -> Any:
    fields: dict[str, Any] = {
        f"field_{index}": (
            KINDS[(index + number) % len(KINDS)],
            Field(description=f"What field {index} of tool {number} is for."),
        )
        for index in range(24)
    }
    return create_model(f"Record{number}", **fields, address=(Address, ...))


def surface_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for number in range(TOOLS):
        document = record(number).model_json_schema()
        rows.append(
            {
                "name": f"tool_{number}",
                "description": "Does something.",
                "input": document,
                "output": {"type": "array", "items": document},
                "annotations": None,
            }
        )
    return rows


def with_json(value: object) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def with_orjson() -> Callable[[object], str] | None:
    try:
        orjson: Any = import_module("orjson")
    except ModuleNotFoundError:
        return None
    return lambda value: hashlib.sha256(
        orjson.dumps(value, option=orjson.OPT_SORT_KEYS)
    ).hexdigest()[:16]


def main(rounds: int) -> None:
    rows = surface_rows()
    print(f"{len(pf.canonical_json(rows))} bytes of canonical JSON")
    runs: dict[str, Callable[[object], str]] = {"polyface.digest": pf.digest}
    if (orjson := with_orjson()) is not None:
        runs["orjson, sorted, and SHA-256"] = orjson
    runs["json.dumps, sorted, and SHA-256"] = with_json
    assert len({run(rows) for run in runs.values()}) == 1  # keys and numbers of ASCII, all alike
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():  # in turns, so that other work falls on all
            started = time.perf_counter()
            run(rows)
            times[name].append(time.perf_counter() - started)
    ours = statistics.median(times["polyface.digest"])
    for name, taken in times.items():
        median = statistics.median(taken)
        print(f"{name:40}{median * 1e6:10.1f} µs{ours / median:8.2f} ours / it")
    started = time.perf_counter()
    for row in rows:
        pf.digest(normalised(row["input"]))
    print(
        f"{'200 contract digests, normal form':40}{(time.perf_counter() - started) * 1e6:10.1f} µs"
    )


if __name__ == "__main__":
    main(1 if "--smoke" in sys.argv else 100)
