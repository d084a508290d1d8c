"""How a runtime tool's checked answer is shown to a model, beside the answer itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = ["Presentation", "Presenters"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """What a presenter adds to a result. The structured content and the error mark aren't its own.

    Args:
        content: MCP content blocks as JSON objects, `{"type": "text", "text": "..."}` for one, in
            place of the answer's text.
        meta: members of the result's `_meta`; polyface's own win over them.
    """

    content: Sequence[Mapping[str, Any]]
    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Presenters:
    """One presenter for each transport that shows the answer its own way.

    Args:
        mcp: called with the answer as JSON values and the `Call`, after the answer was checked. It
            is pure and synchronous; its failure is a server fault.
        agent: the same for agents; each provider gets the blocks that it has a form for.
    """

    mcp: Callable[[Any, Any], Presentation] | None = None
    agent: Callable[[Any, Any], Presentation] | None = None
