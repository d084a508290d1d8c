"""A listener for stripped keys that writes to a log: each path once, so that it can stay on."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable

from .hooks import StripReport

__all__ = ["log_output_strip"]

MAX_PATHS = 1000


def log_output_strip(
    logger: logging.Logger | None = None, *, level: int = logging.WARNING
) -> Callable[[StripReport], None]:
    """Make a listener for `Hooks(on_output_strip=...)` that logs each stripped path once.

    A path is one operation's, whatever the transport; what the handler sent and what a projection
    did are two. After 1000 paths one last line says that no more are logged: keys can be data, and
    then there is no end to them.

    Args:
        logger: where to log; by default `polyface.strip`.
        level: how severe a line is.

    Example:
        surface = pf.Surface([people], hooks=pf.Hooks(on_output_strip=pf.log_output_strip()))
    """
    target = logging.getLogger("polyface.strip") if logger is None else logger
    seen: set[tuple[str, str, str]] = set()
    lock = threading.Lock()

    def listen(report: StripReport) -> None:
        for entry in report.entries:
            place = report.operation.label, report.origin, entry.path
            with lock:
                if place in seen or len(seen) > MAX_PATHS:
                    continue
                seen.add(place)
                is_last = len(seen) > MAX_PATHS
            if is_last:
                target.log(level, "more than %d stripped paths; no more are logged", MAX_PATHS)
                continue
            target.log(
                level,
                "%s: the answer's schema removed `%s`, which the %s sent "
                "(%d in this answer%s); declare it, or don't send it",
                report.operation.label,
                entry.path,
                report.origin,
                entry.count,
                "" if entry.first_index is None else f", first at index {entry.first_index}",
            )

    return listen
