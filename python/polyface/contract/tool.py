"""What only a tool surface reads of an endpoint: one group, so that none of it leaks into HTTP."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..errors import DeclarationError
from ..schema.adapter import Schema
from ..schema.fit import Finding

__all__ = ["McpOptions", "ToolAnnotations", "ToolOptions", "ToolView", "UiResource"]


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
class UiResource:
    """An MCP App that shows the tool's answer to people.

    Args:
        resource_uri: the `ui://` address of the app's resource.
        visibility: who may call the tool: `model`, `app` or both.
    """

    resource_uri: str
    visibility: tuple[Literal["model", "app"], ...] = ("model", "app")

    def __post_init__(self) -> None:
        """Refuse an address or a visibility that no client understands."""
        if not self.resource_uri.startswith("ui://"):
            raise DeclarationError(
                f"`UiResource`: the address `{self.resource_uri}` must start with `ui://`."
            )
        if not self.visibility or not set(self.visibility) <= {"model", "app"}:
            raise DeclarationError("`UiResource`: `visibility` names `model`, `app` or both.")


@dataclass(frozen=True, slots=True, kw_only=True)
class McpOptions:
    """What only MCP reads of a tool.

    Args:
        meta: members of the tool's `_meta` in a listing; polyface's own win over them.
    """

    meta: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOptions:
    """The tool group of an endpoint.

    Args:
        name: the tool's name, verbatim; by default it is derived from prefix and key.
        view: set by `with_tool_view`.
        ui: the app that shows its answer to people.
        annotations: hints for the model's side.
        mcp: what only MCP reads.
    """

    name: str | None = None
    view: ToolView | None = None
    ui: UiResource | None = None
    annotations: ToolAnnotations | None = None
    mcp: McpOptions | None = None
