"""Calling a surface's tools in process, without a protocol in between."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from .contract.expose import Transport
from .errors import DeclarationError, OperationError
from .execution.arrival import Answer, ToolArrival
from .schema.json_text import read_json
from .surface.collect import Tool, collect_tools
from .surface.surface import Surface

__all__ = ["InvokeResult", "ToolInvoker", "tool_invoker"]


@dataclass(frozen=True, slots=True)
class InvokeResult:
    """How an invocation ended: `answer` as JSON values, or `error`.

    Args:
        answer: the answer's JSON value; None where it failed or has no answer.
        error: why it failed; None where it didn't.
    """

    answer: Any
    error: OperationError | None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None


class ToolInvoker:
    """Runs the tools of one transport by name.

    Made by `tool_invoker`; safe to share and to nest.
    """

    def __init__(
        self, surface: Surface[Any], tools: Mapping[str, Tool], *, source: str, identity: Any
    ) -> None:
        self._surface = surface
        self._tools = tools
        self._source = source
        self._identity = identity

    def __repr__(self) -> str:
        return f"ToolInvoker({', '.join(self.names)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, sorted."""
        return tuple(sorted(self._tools))

    async def invoke(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, identity: Any = None
    ) -> InvokeResult:
        """Run one tool; a failed call is a result with an error.

        Args:
            name: the tool's name.
            arguments: JSON values, params and input side by side.
            identity: who calls; None is the invoker's own.
        """
        try:
            return InvokeResult(
                await self.invoke_or_raise(name, arguments, identity=identity), None
            )
        except OperationError as error:
            return InvokeResult(None, error)

    async def invoke_or_raise(
        self, name: str, arguments: Mapping[str, Any] | None = None, *, identity: Any = None
    ) -> Any:
        """Run one tool and return the answer's JSON value.

        Args:
            name: the tool's name.
            arguments: JSON values, params and input side by side.
            identity: who calls; None is the invoker's own.

        Raises:
            OperationError: the call failed; `NOT_FOUND` for an unknown name, with the known ones.
        """
        tool = self._tools.get(name)
        if tool is None:
            raise OperationError(
                "NOT_FOUND",
                f"There is no tool `{name}`; the tools are {', '.join(self.names)}.",
                details={"tools": list(self.names)},
            )
        arrival = ToolArrival(
            source=self._source,
            # Copied, so that no hook changes what belongs to the caller.
            arguments=dict(arguments) if isinstance(arguments, Mapping) else arguments,
            identity=self._identity if identity is None else identity,
        )
        async with self._surface.running():
            answer: Answer = await tool.runner.run(arrival)
            await answer.sent()
        return None if answer.body is None else read_json(answer.body)


def tool_invoker(
    surface: Surface[Any],
    *,
    transport: Transport,
    answer: Literal["full", "tool"] = "full",
    source: str = "internal",
    identity: Any = None,
) -> ToolInvoker:
    """Compile an invoker of the tools that a transport exposes.

    Args:
        surface: what to call.
        transport: whose exposure applies; there is no mode that exposes everything.
        answer: `full`, because code is calling, or `tool`: what a model would get.
        source: the tag that handlers see as `call.source`.
        identity: who calls; None asks `Hooks.identify` on each call.

    Raises:
        DeclarationError: illegal or repeated names; a transport or an answer that there isn't.
    """
    if answer not in ("full", "tool"):
        raise DeclarationError(f'`answer={answer!r}`: it is "full" or "tool".')
    tools = collect_tools(surface, transport, tool_surface=answer == "tool")
    return ToolInvoker(
        surface, {tool.name: tool for tool in tools}, source=source, identity=identity
    )
