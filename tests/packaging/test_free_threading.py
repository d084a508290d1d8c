"""A free-threaded interpreter is refused when the core is built, not when it crashes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def check_core(*flags: str) -> subprocess.CompletedProcess[str]:
    """Check the core with more compiler flags; only the last crate is compiled for it."""
    return subprocess.run(
        ["cargo", "rustc", "--quiet", "--lib", "--profile", "check", "--", *flags],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"CARGO_TERM_COLOR": "never"},
    )


@pytest.mark.skipif(shutil.which("cargo") is None, reason="a Rust toolchain builds the core")
def test_a_free_threaded_build_stops_with_one_sentence():
    refused = check_core("--cfg", "Py_GIL_DISABLED")
    assert refused.returncode != 0
    assert "polyface needs the global interpreter lock" in refused.stderr


@pytest.mark.skipif(shutil.which("cargo") is None, reason="a Rust toolchain builds the core")
def test_the_same_build_without_the_flag_passes():
    accepted = check_core("--cfg", "polyface_no_such_flag")
    assert (accepted.returncode, accepted.stderr) == (0, "")
