"""The fenced blocks of a Markdown file."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<info>.*)$")
NOT_RUN = re.compile(r"<!-- not run: \S.* -->")


@dataclass(frozen=True)
class Block:
    """One fenced block: where it stands, what it says, and whether it may stay unrun."""

    path: Path
    language: str
    text: str
    line: int
    is_exempt: bool


def read_blocks(path: Path) -> Iterator[Block]:
    """Yield the fenced blocks of a file, in order.

    A block is exempt when the last line with text above it is `<!-- not run: reason -->`.
    """
    lines = path.read_text("utf-8").splitlines()
    above = ""
    number = 0
    while number < len(lines):
        opening = FENCE.match(lines[number])
        if opening is None:
            above = lines[number].strip() or above
            number += 1
            continue
        closing = opening["indent"] + opening["fence"]
        end = next(
            (at for at in range(number + 1, len(lines)) if lines[at].rstrip() == closing), None
        )
        if end is None:
            message = f"{path.name}:{number + 1}: the block is never closed."
            raise ValueError(message)
        body = [line.removeprefix(opening["indent"]) for line in lines[number + 1 : end]]
        language = (opening["info"].split() or [""])[0]
        exempt = NOT_RUN.fullmatch(above) is not None
        yield Block(path, language, "\n".join(body) + "\n", number + 2, exempt)
        above = ""
        number = end + 1
