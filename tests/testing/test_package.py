"""What the package says of itself: its names, its examples, its extra."""

import inspect
import subprocess
import sys
import textwrap
from typing import Any

import polyface.testing


def test_every_public_name_has_an_example_that_runs():
    ran = []
    for name in polyface.testing.__all__:
        documented = inspect.getdoc(getattr(polyface.testing, name)) or ""
        _, found, example = documented.partition("\nExample:\n")
        assert found, name
        namespace: dict[str, Any] = {"__name__": "example"}
        exec(textwrap.dedent(example), namespace)
        tests = [value for key, value in namespace.items() if key.startswith("test_")]
        for test in tests:
            test()
        ran += tests
    assert len(ran) == len(polyface.testing.__all__)


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


def test_hypothesis_is_the_only_further_package_that_it_loads():
    program = (
        "import sys, polyface.testing; "
        "print([name for name in ('pytest', 'starlette', 'mcp', 'click') if name in sys.modules])"
    )
    printed = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    ).stdout
    if "'pytest'" not in printed:  # Hypothesis may look for pytest where it is installed
        assert printed.strip() == "[]"
