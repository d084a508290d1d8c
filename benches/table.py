"""The table as it is printed while it grows, and as a file."""

import json
import platform
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .row import Outcome, Row, Verdict

WIDTH = 44


def announce(row: Row, number: int, of: int) -> None:
    """Say which row is being measured and how many remain."""
    print(f"\n[{number}/{of}] {row.key}: {row.title}", flush=True)


def show(outcome: Outcome) -> None:
    """Print what a row measured."""
    for name, sample in outcome.samples.items():
        tail = f"  p99 {_number(sample.p99):>9}" if len(sample.taken) >= 20 else ""
        print(f"    {name:{WIDTH}}{_number(sample.median):>10} {sample.unit}{tail}")
    for verdict in outcome.verdicts:
        print(f"    {_verdict(verdict)}")
    for note in outcome.notes:
        print(f"    ({note})")
    sys.stdout.flush()


def _verdict(verdict: Verdict) -> str:
    word = "met" if verdict.met else "NOT MET"
    value = f"{verdict.value:.3g} {verdict.unit}"
    return f"  goal {verdict.goal:{WIDTH - 7}}{value:>10}  {word}"


def _number(value: float) -> str:
    return f"{value:,.1f}" if value < 10_000 else f"{value:,.0f}"


def summarise(outcomes: Mapping[Row, Outcome], seconds: float) -> None:
    """Print how many goals are met, and those that aren't."""
    verdicts = [(row, each) for row, outcome in outcomes.items() for each in outcome.verdicts]
    missed = [(row, each) for row, each in verdicts if not each.met]
    met = len(verdicts) - len(missed)
    print(f"\n{met} of {len(verdicts)} goals met; {len(outcomes)} rows in {seconds:.0f} s")
    for row, verdict in missed:
        print(f"  {row.key:24}{verdict.goal:32}{verdict.value:8.3g} {verdict.unit}")


def write(outcomes: Mapping[Row, Outcome], path: Path, *, seed: int) -> None:
    """Write everything that was measured as JSON, which the printed table rounds."""
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "seed": seed,
        "rows": {row.key: _document(row, outcome) for row, outcome in outcomes.items()},
    }
    path.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _document(row: Row, outcome: Outcome) -> dict[str, Any]:
    return {
        "title": row.title,
        "samples": {
            name: {
                "unit": sample.unit,
                "median": sample.median,
                "mean": sample.mean,
                "p99": sample.p99,
                "times": len(sample.taken),
                "making_the_input": sample.made,
            }
            for name, sample in outcome.samples.items()
        },
        "goals": [
            {"goal": each.goal, "value": each.value, "unit": each.unit, "met": each.met}
            for each in outcome.verdicts
        ],
        "notes": list(outcome.notes),
    }
