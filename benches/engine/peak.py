"""How much memory an answer of 20,000 rows needs above its rows, in a process of its own."""

import ctypes
import gc
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from ..row import Effort, Outcome, Row, Sample, Verdict

ROWS = 20_000
ROOT = Path(__file__).parents[2]
CONTENDERS = ("polyface", "pydantic", "msgspec", "by hand")
STATUS = Path("/proc/self/status")
CLEAR = Path("/proc/self/clear_refs")
MEGABYTE = 1_000_000


def _contender(name: str) -> Callable[[Any], bytes]:
    """Import nothing that the contender doesn't need."""
    from ..opponents import by_hand  # noqa: PLC0415

    if name == "by hand":
        return lambda value: by_hand.result(by_hand.cards()["written out"](value))
    if name == "msgspec":
        from ..opponents import by_msgspec  # noqa: PLC0415

        return lambda value: by_hand.result(by_msgspec.cards()["built"](value))
    from ..opponents import by_pydantic  # noqa: PLC0415
    from ..workload.people import Card, Person  # noqa: PLC0415

    if name == "polyface":
        from .answers import plan, whole_call  # noqa: PLC0415

        return whole_call(plan(list[Person], list[Card]), report=True)
    names, run = by_pydantic.declared(Person), by_pydantic.cards()["include"]

    def reported(value: Any) -> bytes:
        by_pydantic.undeclared(value, names)
        return by_hand.result(run(value))

    return reported


def _peak() -> int:
    found = re.search(r"VmHWM:\s+(\d+) kB", STATUS.read_text())
    assert found is not None
    return int(found[1]) * 1024


def main(name: str, count: int) -> None:
    """Print the step of the peak and the answer's length and hash."""
    from ..workload.rows import rows  # noqa: PLC0415

    run = _contender(name)
    run(rows(1, 10))
    value = rows(0, count)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    CLEAR.write_text("5")  # sets the peak back to what is used now
    before = _peak()
    answer = run(value)
    step = _peak() - before
    told = {"step": step, "bytes": len(answer), "hash": hashlib.sha256(answer).hexdigest()}
    print(json.dumps(told))


def _told(name: str, count: int) -> dict[str, Any]:
    command = [sys.executable, "-m", __name__, name, str(count)]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, check=False, text=True)
    if ran.returncode:
        raise RuntimeError(f"measuring the memory of `{name}` failed:\n{ran.stderr}")
    told: dict[str, Any] = json.loads(ran.stdout)
    return told


def _measure(effort: Effort, *, count: int) -> Outcome:
    if not CLEAR.exists():
        return Outcome({}, (), ("only Linux tells the peak of a process",))
    told = {name: _told(name, 200 if effort.smoke else count) for name in CONTENDERS}
    assert len({each["hash"] for each in told.values()}) == 1, "the answers differ"
    samples = {name: Sample((each["step"] / MEGABYTE,), unit="MB") for name, each in told.items()}
    returned = told["polyface"]["bytes"]
    step, most = told["polyface"]["step"], 1.5 * returned + MEGABYTE
    goal = f"≤ 1.5 × the {returned / MEGABYTE:.1f} MB returned + 1 MB"
    verdict = Verdict(goal, step / MEGABYTE, step <= most, unit="MB")
    return Outcome(samples, (verdict,))


def peak_rows() -> list[Row]:
    """The row of memory."""
    title = "peak memory above 20,000 rows → card JSON with report and result"
    return [Row("memory", title, partial(_measure, count=ROWS))]


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
