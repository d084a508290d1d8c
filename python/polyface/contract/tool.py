"""What only a tool surface reads of an endpoint: one group, so that none of it leaks into HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..schema.adapter import Schema
from ..schema.fit import Finding

__all__ = ["ToolAnnotations", "ToolOptions", "ToolView"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """Hints for the model's side; None says nothing.

    Args:
        title: a name for people.
        read_only: the operation changes nothing.
        destructive: what it changes may be lost.
        idempotent: a second equal call changes nothing more.
        open_world: it reaches beyond the application.
    """

    title: str | None = None
    read_only: bool | None = None
    destructive: bool | None = None
    idempotent: bool | None = None
    open_world: bool | None = None


@dataclass(frozen=True, slots=True, eq=False)
class ToolView:
    """The endpoint's answer on the tool surface. Made by `with_tool_view`, and by nothing else.

    Args:
        defaults: wire name → JSON value for arguments that a tool's caller doesn't give.
        output: the schema of the tool's answer; None keeps the full schema.
        project: derives the answer; None slices.
        findings: what the proof that a slice fits left open; empty when it is proved.
    """

    defaults: Mapping[str, Any]
    output: Schema[Any] | None
    project: Callable[[Any, Any], Any] | None
    findings: tuple[Finding, ...]
    mark: object = field(default=None, init=False, repr=False)

    @property
    def proved(self) -> bool:
        """Whether every full answer is known to fit, so that a call needn't check it again."""
        return self.project is None and not self.findings


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """The tool group of an endpoint.

    Args:
        name: the tool's name, verbatim; by default it is derived from prefix and key.
        view: set by `with_tool_view`.
        annotations: hints for the model's side.
    """

    name: str | None = None
    view: ToolView | None = None
    annotations: ToolAnnotations | None = None
