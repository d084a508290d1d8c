"""Measure the rows of the table: `python -m benches`, or some of them with `--only`."""

import argparse
import random
import time
from pathlib import Path

from .catalogue import all_rows
from .row import Effort, Outcome, Row
from .table import announce, show, summarise, write

FILE = Path("target/bench.json")


def chosen_rows(words: list[str]) -> list[Row]:
    """The rows whose key holds one of the words; all without words."""
    rows = [row for row in all_rows() if not words or any(word in row.key for word in words)]
    if not rows:
        raise SystemExit(f"No row's key holds {' or '.join(words)}; `--list` shows them.")
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benches", description=__doc__)
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="rows by their key")
    parser.add_argument("--list", action="store_true", help="list the rows")
    parser.add_argument("--smoke", action="store_true", help="one round each, for the answers")
    parser.add_argument(
        "--json", type=Path, default=FILE, metavar="FILE", help="default: %(default)s"
    )
    parser.add_argument(
        "--seed", type=int, help="of the random schemas; default: another each time"
    )
    given = parser.parse_args()
    rows = chosen_rows(given.only)
    if given.list:
        print("\n".join(f"{row.key:24}{row.title}" for row in rows))
        return
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    effort = Effort(smoke=given.smoke, seed=seed)
    outcomes: dict[Row, Outcome] = {}
    started = time.monotonic()
    for number, row in enumerate(rows, start=1):
        announce(row, number, len(rows))
        outcome = row.measure(effort)
        outcomes[row] = outcome.unjudged() if effort.smoke else outcome
        show(outcomes[row])
    summarise(outcomes, time.monotonic() - started)
    if not effort.smoke:
        write(outcomes, given.json, seed=seed)
        print(f"written to {given.json}")


if __name__ == "__main__":
    main()
