"""What an import costs a process that has imported nothing yet."""

import subprocess
import sys
from collections.abc import Mapping
from functools import partial

from ..row import Effort, Outcome, Row, Sample, Verdict

BUDGET = 30  # milliseconds above pydantic
PYDANTIC = "from pydantic import BaseModel, TypeAdapter"
PAIR = {"polyface": "import polyface", "pydantic": PYDANTIC}
OTHERS = {
    "FastAPI": "import fastapi",
    "mcp": "import mcp",
    "FastMCP": "import fastmcp",
}
CODE = """import sys, time
start = time.process_time()
{}
took = time.process_time() - start
print(took * 1000, *[name for name in ("starlette", "mcp", "httpx2") if name in sys.modules])"""


def _milliseconds(statement: str) -> tuple[float, list[str]]:
    command = [sys.executable, "-c", CODE.format(statement)]
    ran = subprocess.run(command, capture_output=True, check=True, text=True)
    took, *loaded = ran.stdout.split()
    return float(took), loaded


def _in_turns(statements: Mapping[str, str], rounds: int) -> dict[str, Sample]:
    taken: dict[str, list[float]] = {name: [] for name in statements}
    for _ in range(rounds):
        for name, statement in statements.items():
            taken[name].append(_milliseconds(statement)[0])
    return {name: Sample(tuple(each), "ms CPU") for name, each in taken.items()}


def _measure(effort: Effort, *, rounds: int) -> Outcome:
    assert _milliseconds(PAIR["polyface"])[1] == [], "`import polyface` imports a transport"
    samples = _in_turns(PAIR, effort.rounds(rounds))
    if not effort.smoke:
        samples |= _in_turns(OTHERS, 3)
    above = samples["polyface"].median - samples["pydantic"].median
    goal = f"≤ pydantic + {BUDGET} ms"
    return Outcome(samples, (Verdict(goal, above, above <= BUDGET, unit="ms more"),))


def import_rows() -> list[Row]:
    """The row of the import."""
    return [Row("import", f"`import polyface` beside `{PYDANTIC}`", partial(_measure, rounds=15))]
