"""A surface's tools as an agent loop uses them: define, call, tell."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal, TypeAlias

import anyio

from ..errors import DeclarationError, OperationError
from ..execution.arrival import Answer, ToolArrival
from ..operations.presenter import Presentation
from ..schema.frozen import FrozenDict
from ..surface.collect import Tool, collect_tools
from ..surface.surface import Surface
from . import definition
from .result import AgentCall, AgentResult
from .strict import StrictFault, strict_document, without_nulls

__all__ = ["AgentTools", "agent_tools"]

Strictness: TypeAlias = Literal["auto"] | bool


def agent_tools(
    surface: Surface[Any], *, strict: Strictness = False, identity: Any = None
) -> AgentTools:
    """Prepare the tools that a surface exposes to agents.

    Args:
        surface: whose operations with `AGENT` in `expose=`; views apply.
        strict: whether OpenAI's definitions ask for strict arguments: `"auto"` where the schema
            allows it, True everywhere, False nowhere. Where they do, `null` for an argument that
            has no `null` means that it wasn't supplied, since strict models can't leave one out.
        identity: who calls; None asks `Hooks.identify` on each call.

    Raises:
        DeclarationError: illegal or repeated names; what a provider refuses; `strict=True` and a
            schema that can't be, each with its path; another value of `strict=`.
    """
    if strict not in ("auto", True, False):
        raise DeclarationError(f'`strict=` is `"auto"`, True or False, not `{strict!r}`.')
    return AgentTools(surface, collect_tools(surface, "AGENT"), strict=strict, identity=identity)


class AgentTools:
    """Tools of one surface for agents. Made by `agent_tools`; safe to share."""

    def __init__(
        self, surface: Surface[Any], tools: Sequence[Tool], *, strict: Strictness, identity: Any
    ) -> None:
        self._surface = surface
        self._tools = {tool.name: tool for tool in tools}
        self._strict = _strict_documents(tools, strict)
        self._identity = identity

    def __repr__(self) -> str:
        return f"AgentTools({', '.join(self._tools)})"

    @property
    def names(self) -> tuple[str, ...]:
        """The tools' names, in mount order."""
        return tuple(self._tools)

    def description_of(self, name: str) -> str:
        """What a model chooses the tool by. Raises `KeyError` for an unknown name."""
        return self._tools[name].description

    def input_schema_of(self, name: str) -> FrozenDict:
        """The tool's arguments as JSON Schema, the very document that the manifest shows; frozen.

        Raises `KeyError` for an unknown name.
        """
        return self._tools[name].input_schema

    def openai_chat(self) -> list[dict[str, Any]]:
        """Return the `tools` of OpenAI's Chat Completions."""
        return self._defined(
            lambda tool: definition.openai_chat(tool, strict=self._strict.get(tool.name))
        )

    def openai_responses(self) -> list[dict[str, Any]]:
        """Return the `tools` of OpenAI's Responses."""
        return self._defined(
            lambda tool: definition.openai_responses(tool, strict=self._strict.get(tool.name))
        )

    def anthropic(self) -> list[dict[str, Any]]:
        """Return the `tools` of Anthropic's Messages."""
        return self._defined(definition.anthropic)

    def gemini(self) -> list[dict[str, Any]]:
        """Return the `tools` of Gemini: one entry that declares every function."""
        return [{"function_declarations": self._defined(definition.gemini)}]

    def _defined(self, define: Callable[[Tool], dict[str, Any]]) -> list[dict[str, Any]]:
        return [define(tool) for tool in self._tools.values()]

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None]:
        """Keep the surface's lifespan open over several calls; without it each call opens it."""
        async with self._surface.running():
            yield

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | bytes | None = None,
        *,
        tool_call_id: str | None = None,
        identity: Any = None,
    ) -> AgentResult:
        """Run one tool. A failed call is a result whose text says what to change.

        Args:
            name: the tool's name, as the model wrote it.
            arguments: JSON values, or the JSON text that the provider handed over.
            tool_call_id: the provider's own name of the call, for the result's message.
            identity: who calls; None is that of the tools.
        """
        return await self._run(AgentCall(name, arguments, tool_call_id), identity)

    async def call_batch(
        self, calls: Iterable[AgentCall], *, max_concurrency: int = 8, identity: Any = None
    ) -> list[AgentResult]:
        """Run the calls of one turn side by side. One that fails leaves the others alone.

        Args:
            calls: what the model asked for.
            max_concurrency: how many run at once.
            identity: who calls; None is that of the tools.

        Returns:
            One result for each call, in the order of the calls.

        Raises:
            ValueError: `max_concurrency` below one.
        """
        if max_concurrency < 1:
            raise ValueError(f"`max_concurrency` is at least 1, not {max_concurrency}")
        asked = list(calls)
        results: dict[int, AgentResult] = {}
        limiter = anyio.CapacityLimiter(max_concurrency)

        async def run(index: int, call: AgentCall) -> None:
            async with limiter:
                results[index] = await self._run(call, identity)

        async with self.running(), anyio.create_task_group() as tasks:
            for index, call in enumerate(asked):
                tasks.start_soon(run, index, call)
        return [results[index] for index in range(len(asked))]

    async def _run(self, call: AgentCall, identity: Any) -> AgentResult:
        try:
            tool = self._tool(call.name)
            arrival = ToolArrival(
                source="AGENT",
                arguments=self._arguments(tool, call.arguments),
                identity=self._identity if identity is None else identity,
                request=call,
                present=_presenter(tool),
            )
            async with self._surface.running():
                answer: Answer = await tool.runner.run(arrival)
                await answer.sent()
        except OperationError as error:
            return AgentResult(call=call, error=error)
        shown = answer.presentation
        return AgentResult(
            call=call, body=answer.body, content=None if shown is None else shown.content
        )

    def _tool(self, name: str) -> Tool:
        tool = self._tools.get(name)
        if tool is None:
            raise OperationError(
                "NOT_FOUND",
                f"There is no tool `{name}`; the tools are {', '.join(self._tools)}.",
                details={"tools": [*self._tools]},
            )
        return tool

    def _arguments(self, tool: Tool, given: Any) -> Any:
        if isinstance(given, str | bytes):
            try:
                given = json.loads(given) if given.strip() else {}
            except (ValueError, RecursionError) as error:
                raise OperationError(
                    "BAD_REQUEST",
                    f"The arguments of `{tool.name}` aren't JSON; send one JSON object.",
                    details={"tool": tool.name},
                ) from error
        given = {} if given is None else given
        return without_nulls(given, tool.input_schema) if tool.name in self._strict else given


def _strict_documents(tools: Sequence[Tool], strict: Strictness) -> dict[str, dict[str, Any]]:
    """The strict input schema of each tool that has one and is to use it, by name."""
    made: dict[str, dict[str, Any]] = {}
    faults: list[str] = []
    for tool in tools if strict is not False else ():
        try:
            made[tool.name] = strict_document(tool.input_schema)
        except StrictFault as fault:
            faults.append(
                f"`{tool.operation.label}`: the tool `{tool.name}` can't be strict: {fault}; "
                f'change the schema, or write `strict="auto"`.'
            )
    if faults and strict is True:
        raise DeclarationError(faults)
    return made


def _presenter(tool: Tool) -> Callable[[Any, Any], Presentation] | None:
    present = tool.operation.present
    return None if present is None else present.agent
