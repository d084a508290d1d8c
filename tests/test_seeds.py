"""The ledger names tests that exist, and every row has one or says which part it waits for."""

import ast
import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
LEDGER = FOLDER / "seeds.md"
TEST = re.compile(r"`([\w/]+\.py)(?:::(\w+))?`")
PARTS = {
    "agent",
    "command line",
    "elicitation",
    "present",
    "proxy",
    "snapshot",
    "stamp",
}


@cache
def functions_of(path: Path) -> set[str]:
    """Name the test functions of a file."""
    tree = ast.parse(path.read_text("utf-8"))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in ast.walk(tree) if isinstance(node, kinds)}


def rows_of_ledger() -> list[tuple[str, str]]:
    """Read each `(claim, held by)` of the ledger's tables."""
    rows = [
        line.strip("| \n").split(" | ", 1)
        for line in LEDGER.read_text("utf-8").splitlines()
        if line.startswith("| ")
    ]
    return [(claim, held) for claim, held in rows if held != "held by"]


def test_every_test_that_the_ledger_names_exists():
    named = TEST.findall(LEDGER.read_text("utf-8"))
    assert len(named) >= 90
    missing = [
        f"{path}::{test}"
        for path, test in named
        if path != "test_seeds.py"
        and not ((FOLDER / path).exists() and (not test or test in functions_of(FOLDER / path)))
    ]
    assert missing == []


def test_every_claim_is_held_or_says_what_it_waits_for():
    rows = rows_of_ledger()
    assert len(rows) >= 75
    for claim, held in rows:
        parts = set(re.findall(r"\*\*([\w ]+)\*\*", held))
        assert parts <= PARTS, claim
        assert parts or TEST.search(held), claim


def test_no_claim_stands_in_a_table_twice():
    claims = [claim for claim, _ in rows_of_ledger()]
    assert sorted({claim for claim in claims if claims.count(claim) > 1}) == []
