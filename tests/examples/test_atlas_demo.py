"""The demonstration notices what isn't as it should be."""

import dataclasses
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from atlas import in_process
from atlas.errors import DemoError
from atlas.report import Measurement, estimate_tokens, format_queries, format_table
from atlas.server_process import EXAMPLES, atlas_command, environment, serve
from atlas.steps import STEPS, Step, same

SECONDS = 180

CARDS = "SELECT name_common FROM country"
FULL = "SELECT name_common, native_names, demonyms, translations FROM country"


def test_tokens_are_a_quarter_of_the_bytes_rounded_up() -> None:
    assert [estimate_tokens(size) for size in (0, 1, 4, 5)] == [0, 1, 1, 2]


def test_table_has_a_line_for_each_operation_and_its_ratio() -> None:
    table = format_table([Measurement("list", 1000, 100, 2.5, 1.25)])
    assert table.splitlines()[-1].split() == [
        "list",
        "1,000",
        "250",
        "100",
        "25",
        "10.0x",
        "2.5",
        "1.2",
    ]


def test_queries_of_a_card_without_heavy_columns_are_shown() -> None:
    shown = format_queries([FULL], [CARDS])
    assert FULL in shown
    assert CARDS in shown


@pytest.mark.parametrize(
    ("full", "tool"),
    [([FULL], [FULL]), ([CARDS], [CARDS]), ([FULL], []), ([], [CARDS]), ([FULL], [CARDS, FULL])],
)
def test_query_that_loads_the_wrong_columns_is_noticed(full: list[str], tool: list[str]) -> None:
    with pytest.raises(DemoError, match="query log"):
        format_queries(full, tool)


@pytest.mark.anyio
@pytest.mark.parametrize("step", STEPS[:1], ids=lambda step: step.title)
async def test_tool_answer_that_is_not_the_view_is_noticed(
    monkeypatch: pytest.MonkeyPatch, step: Step
) -> None:
    wrong = dataclasses.replace(step, expected=same)
    monkeypatch.setattr(in_process, "STEPS", (wrong,))
    with pytest.raises(DemoError, match="isn't the view"):
        await in_process.run()


def test_difference_over_the_wire_is_one_sentence_and_status_1() -> None:
    code = (
        "import dataclasses, sys\n"
        "from atlas import demo, steps\n"
        "from atlas.__main__ import main\n"
        "demo.STEPS = (dataclasses.replace(steps.STEPS[-2], expected=steps.same),)\n"
        "sys.exit(main(['demo']))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=EXAMPLES,
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    sentence = "atlas: The answer of `list_neighbours` isn't the view of the HTTP answer.\n"
    assert (done.returncode, done.stderr) == (1, sentence)


@pytest.mark.parametrize("option", [["--in-process"], []])
def test_demonstration_whose_reader_has_gone_ends_quietly(option: list[str]) -> None:
    with subprocess.Popen(
        [*atlas_command("demo"), *option],
        cwd=EXAMPLES,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        errors = process.stderr.read()
    assert (process.returncode, errors) == (1, "")


@pytest.mark.anyio
async def test_server_that_can_t_start_is_noticed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(DemoError, match="ended before it named its address"):
        async with serve(["--database", str(tmp_path)]):
            pytest.fail("there is no server")
    assert capfd.readouterr().err.startswith("atlas: The database")


def test_terminated_demonstration_ends_what_it_started(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [*atlas_command("demo")],
        cwd=EXAMPLES,
        env={**environment(), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGTERM)
    # Children that live on would hold the pipe open.
    _, errors = process.communicate(timeout=SECONDS)
    assert process.returncode == 130
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []
