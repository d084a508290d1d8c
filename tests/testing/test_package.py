"""What the package says of itself: its examples, its extra."""

import inspect
import subprocess
import sys
import textwrap
from collections.abc import Callable
from typing import Any

import pytest

from polyface.testing import check_tool_view, overridden, strategy_for


@pytest.mark.parametrize("function", [check_tool_view, overridden, strategy_for])
def test_its_example_is_a_test_that_passes(function: Callable[..., Any]):
    documented = inspect.getdoc(function) or ""
    _, found, example = documented.partition("\nExample:\n")
    assert found
    namespace: dict[str, Any] = {"__name__": "example"}
    exec(textwrap.dedent(example), namespace)
    tests = [value for key, value in namespace.items() if key.startswith("test_")]
    assert len(tests) == 1
    tests[0]()


def test_without_hypothesis_one_sentence_names_the_extra():
    program = "import sys; sys.modules['hypothesis'] = None; import polyface.testing"
    finished = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    assert finished.returncode == 1
    assert finished.stderr.strip().splitlines()[-1] == (
        "polyface.errors.MissingExtraError: `polyface.testing` needs the package `hypothesis`; "
        "install it with `pip install 'polyface[testing]'`."
    )
