"""Every block of the README runs.

The `python` blocks of a file run in order and share one namespace, as a reader reads them. A block
may `await` at its top level; all of a file's blocks share one event loop. Line numbers in a
traceback are those of the Markdown file. A shell block holds commands of the Makefile, or says
above itself why it doesn't run: `<!-- not run: reason -->`.
"""

import ast
import asyncio
import inspect
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.readme.blocks import Block, read_blocks

ROOT = Path(__file__).parents[2]
SHELL = {"sh", "bash", "shell", "console"}
RUN_IN_ORDER = ["README.md", "docs/guide.md"]
WITH_COMMANDS = ["README.md", "CONTRIBUTING.md"]


def run_block(block: Block, namespace: dict[str, object], runner: asyncio.Runner) -> None:
    """Run one block in a namespace; on the loop only when it awaits."""
    source = "\n" * (block.line - 1) + block.text
    code = compile(source, str(block.path), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    answer = eval(code, namespace)
    if inspect.iscoroutine(answer):
        runner.run(answer)


def run_blocks(blocks: list[Block], name: str) -> None:
    """Run blocks as one module, so that annotations and pickles find their names."""
    module = ModuleType(name)
    sys.modules[name] = module
    try:
        with asyncio.Runner() as runner:
            for block in blocks:
                run_block(block, module.__dict__, runner)
    finally:
        del sys.modules[name]


def list_targets() -> set[str]:
    """List the targets that the Makefile shows."""
    printed = subprocess.run(
        ["make", "--no-print-directory", "help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return set(re.findall(r"^  make (\S+)", printed, flags=re.MULTILINE))


@pytest.mark.parametrize("document", RUN_IN_ORDER)
def test_python_blocks_run_in_order(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    blocks = [block for block in read_blocks(ROOT / document) if block.language == "python"]
    assert len(blocks) >= 1
    assert [block.line for block in blocks if block.is_exempt] == []
    monkeypatch.chdir(tmp_path)
    run_blocks(blocks, "readme")


@pytest.mark.parametrize("document", RUN_IN_ORDER)
def test_every_block_names_its_language(document: str):
    blocks = list(read_blocks(ROOT / document))
    assert [block.line for block in blocks if not block.language] == []
    assert [block.line for block in blocks if block.language in {"py", "python3", "pycon"}] == []


@pytest.mark.parametrize("document", WITH_COMMANDS)
def test_commands_are_targets_of_the_makefile(document: str):
    blocks = [block for block in read_blocks(ROOT / document) if block.language in SHELL]
    commands = [
        (block.line + offset, line.removeprefix("$ "))
        for block in blocks
        if not block.is_exempt
        for offset, line in enumerate(block.text.splitlines())
        if line.strip() and (block.language != "console" or line.startswith("$ "))
    ]
    targets = list_targets()
    assert len(targets) >= 10
    assert len(commands) >= 1
    strange = [
        f"{document}:{line}: {command}"
        for line, command in commands
        if not (words := command.split("#")[0].split())
        or words[0] != "make"
        or not {word for word in words[1:] if "=" not in word} <= targets
    ]
    assert strange == []


def test_a_failing_block_names_its_line_of_the_file(tmp_path: Path):
    path = tmp_path / "page.md"
    path.write_text("# Page\n\n```python\nn = 1\n```\n\n```python\nraise ValueError(n)\n```\n")
    with pytest.raises(ValueError, match="1") as caught:
        run_blocks(list(read_blocks(path)), "page")
    last = caught.traceback[-1]
    assert (last.path, last.lineno + 1) == (path, 8)


def test_a_block_may_await_and_later_blocks_see_what_it_made(tmp_path: Path):
    path = tmp_path / "page.md"
    path.write_text(
        "```python\nimport asyncio\nawait asyncio.sleep(0)\nmade = 1\n```\n"
        "\n<!-- not run: it is another machine's -->\n\n```sh\nreboot\n```\n"
        "\n```python\nassert made == 1\nasyncio.run(asyncio.sleep(0))\n```\n"
    )
    blocks = list(read_blocks(path))
    assert [(block.language, block.line, block.is_exempt) for block in blocks] == [
        ("python", 2, False),
        ("sh", 10, True),
        ("python", 14, False),
    ]
    run_blocks([block for block in blocks if block.language == "python"], "page")


def test_a_block_that_is_never_closed_is_refused(tmp_path: Path):
    path = tmp_path / "page.md"
    path.write_text("# Page\n\n```python\nvalue = 1\n")
    with pytest.raises(ValueError, match=r"page\.md:3: the block is never closed\."):
        list(read_blocks(path))
