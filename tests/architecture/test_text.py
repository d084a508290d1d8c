"""What no file of the tree may hold, and how long a file may be."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.tree import PACKAGE, ROOT, walk_files

LONGEST = 320


def join_parts(*parts: str) -> str:
    """Join the parts of a word, so that this file doesn't hold what it looks for."""
    return "".join(parts)


MACHINE_FOLDERS = [
    join_parts("ro", "ot"),
    join_parts("wo", "rk", "/(?:main|shared)"),
    join_parts("ho", "me", r"/\w+"),
    join_parts("Us", "ers", r"/\w+"),
    join_parts("tm", "p"),
    join_parts("op", "t", r"/\w+"),
]
REFUSED = {
    "a path of one machine": rf"(?<![\w./}}>:])/(?:{'|'.join(MACHINE_FOLDERS)})/",
    "a path of one Windows machine": r"\b[A-Z]:\\+" + join_parts("Us", "ers"),
    "the host of a package registry": "|".join(
        [
            join_parts("py", "pi", r"\.org"),
            join_parts("python", "hosted"),
            join_parts("crates", r"\.io"),
            join_parts("registry", r"\.npm"),
        ]
    ),
    "a word of the tooling that wrote it": "|".join(
        [
            join_parts("cla", "ude"),
            join_parts("co", "pilot"),
            join_parts("sub-?", "agent"),
            join_parts("co-", "authored", "-by"),
            join_parts("generated ", "(?:by|with) (?:an? )?(?:ai|llm|assistant)"),
            join_parts("as an ", "ai", r"\b"),
            join_parts("language ", "model said"),
            join_parts("shared/", "(?:DESIGN|STYLE|reference|seeds)"),
        ]
    ),
}
# Cargo writes its lock file and names its registry there; the countries are somebody else's words.
NOT_OURS = {"Cargo.lock", "countries.json"}


def walk_texts() -> Iterator[tuple[Path, str]]:
    """Yield each text file that a person wrote, with its text."""
    for path in walk_files():
        if path.name not in NOT_OURS:
            yield path.relative_to(ROOT), path.read_text("utf-8")


@pytest.mark.parametrize("what", REFUSED)
def test_no_file_holds(what: str):
    texts = dict(walk_texts())
    assert len(texts) >= 60
    assert {Path("README.md"), Path("Makefile"), Path("pyproject.toml")} <= set(texts)
    pattern = re.compile(REFUSED[what], re.IGNORECASE)
    offenders = [
        f"{path}:{number}: {line.strip()}"
        for path, text in texts.items()
        for number, line in enumerate(text.splitlines(), start=1)
        if pattern.search(line)
    ]
    assert not offenders, "\n".join(["", *offenders])


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("a path of one machine", "open('/{}/x.json')".format(join_parts("ro", "ot"))),
        ("a path of one machine", "cd /{}/ada/polyface".format(join_parts("ho", "me"))),
        ("a path of one Windows machine", r"C:\{}\ada".format(join_parts("Us", "ers"))),
        ("the host of a package registry", "index = {}".format(join_parts("py", "pi", ".org"))),
        ("a word of the tooling that wrote it", join_parts("sub", "agent")),
    ],
)
def test_a_line_that_would_be_refused_is_found(what: str, line: str):
    assert re.search(REFUSED[what], line, re.IGNORECASE)


@pytest.mark.parametrize("line", ["GET /v1/home/ada/x", "{base}/tmp/x", "https://x.example/opt/a/"])
def test_a_path_of_an_address_is_none_of_a_machine(line: str):
    assert re.search(REFUSED["a path of one machine"], line) is None


def test_no_source_file_is_too_long():
    sources = [
        path
        for folder in (PACKAGE, ROOT / "rust")
        for path in walk_files(folder)
        if path.suffix in {".py", ".pyi", ".rs"}
    ]
    assert len(sources) >= 40
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in sources}
    offenders = [
        f"{path.relative_to(ROOT)}: {length} lines, {length - LONGEST} too many"
        for path, length in lengths.items()
        if length > LONGEST
    ]
    assert not offenders, "\n".join(["", *offenders])
