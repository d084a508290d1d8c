"""Tool definitions in the form of each provider of models."""

from __future__ import annotations

import copy
from typing import Any, TypeAlias

from ..surface.collect import Tool

__all__ = ["anthropic", "gemini", "openai_chat", "openai_responses"]

Definition: TypeAlias = dict[str, Any]


def openai_chat(tool: Tool, *, strict: Definition | None) -> Definition:
    """Define a tool for OpenAI's Chat Completions; `strict` is its strict input schema, if any."""
    return {"type": "function", "function": _function(tool, strict)}


def openai_responses(tool: Tool, *, strict: Definition | None) -> Definition:
    """Define a tool for OpenAI's Responses; `strict` is its strict input schema, if any."""
    return {"type": "function", **_function(tool, strict)}


def anthropic(tool: Tool) -> Definition:
    """Define a tool for Anthropic's Messages."""
    return {
        "name": tool.name,
        "description": tool.description,
        "input_schema": copy.deepcopy(tool.input_schema),
    }


def gemini(tool: Tool) -> Definition:
    """Define a function for Gemini; JSON Schema stands in `parameters_json_schema` there."""
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters_json_schema": copy.deepcopy(tool.input_schema),
    }


def _function(tool: Tool, strict: Definition | None) -> Definition:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": copy.deepcopy(tool.input_schema if strict is None else strict),
        "strict": strict is not None,
    }
