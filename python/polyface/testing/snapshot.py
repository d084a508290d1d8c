"""`assert_surface_snapshot`: what a surface promises, held by a file that is committed."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from ..surface.snapshot import surface_snapshot
from ..surface.surface import Surface
from .drift import describe_drift

__all__ = ["assert_surface_snapshot"]

VARIABLE = "POLYFACE_SNAPSHOT"
VERSIONS = ("snapshot_version", "digest_version")


def assert_surface_snapshot(
    surface: Surface[Any], path: str | os.PathLike[str], *, update: bool | None = None
) -> None:
    """Compare a surface with its snapshot; fail with what has changed and for whom it breaks.

    Only digests are kept, so a changed schema is told as breaking whatever the change is: a field
    that became optional, too.

    Args:
        surface: what is compared. Nothing of the user's runs.
        path: the snapshot, a JSON file to commit.
        update: whether the file is written instead; None asks the environment, in which
            `POLYFACE_SNAPSHOT=update` says so.

    Raises:
        AssertionError: the surface isn't the one in the file; there is no file; or another version
            of polyface wrote it, so that its digests can't be compared.

    Example:
        def test_the_surface_is_the_committed_one():
            assert_surface_snapshot(surface, "tests/surface.snapshot.json")
    """
    file = Path(path)
    current = surface_snapshot(surface)
    if os.environ.get(VARIABLE) == "update" if update is None else update:
        file.write_text(json.dumps(current, indent=2, ensure_ascii=False) + "\n", "utf-8")
        return
    if not file.exists():
        raise AssertionError(f"There is no snapshot at `{file}`. {_remedy('Write it')}")
    recorded = _read(file)
    _refuse_other_versions(recorded, current, file)
    if drift := describe_drift(recorded["operations"], current["operations"]):
        raise AssertionError(
            f"The surface isn't the one in `{file.name}`.\n\n{drift}\n\n"
            f"{_remedy('If that is meant, write it anew')}"
        )


def _read(file: Path) -> dict[str, Any]:
    try:
        recorded = json.loads(file.read_text("utf-8"))
        if isinstance(recorded["operations"], list):
            return dict(recorded)
    except (ValueError, KeyError, TypeError):
        pass
    raise AssertionError(f"`{file}` isn't a surface snapshot. {_remedy('Write it anew')}")


def _refuse_other_versions(recorded: dict[str, Any], current: dict[str, Any], file: Path) -> None:
    for name in VERSIONS:
        if recorded.get(name) != current[name]:
            raise AssertionError(
                f"`{file.name}` has the {name.replace('_', ' ')} {recorded.get(name)}, and this "
                f"polyface writes {current[name]}: the two can't be compared. Check out the commit "
                f"that the file was written at, see that it holds there with the polyface of that "
                f"time, then write it anew with this one: run the test with `{VARIABLE}=update`."
            )


def _remedy(what: str) -> str:
    return f"{what}: run the test with `{VARIABLE}=update`, or pass `update=True` once."
