"""How tools and answers are told on each protocol version.

Through 2025-11-25 a tool's output schema and its structured content are JSON objects; one schema
that isn't makes clients drop the whole listing. There, an answer that isn't an object is told as
`{"result": ...}`. From 2026-07-28 on an answer stays as it is, unless it may be `null`, which the
SDK can't send as structured content. The text is the bare answer on every version.
"""

from __future__ import annotations

import json
from typing import Any, Literal, TypeAlias

from mcp import types
from mcp_types.version import MODERN_PROTOCOL_VERSIONS, is_version_at_least
from pydantic import TypeAdapter

from ..errors import OperationError
from ..execution.arrival import Answer
from ..execution.function import abandon
from ..operations.presenter import Presentation
from ..schema.walk import resolve_root
from ..surface.collect import Tool
from ..surface.document import annotations_document
from ..surface.stamp import CatalogStamp

__all__ = ["Content", "answer_result", "error_result", "listed_tool"]

Content: TypeAlias = Literal["both", "structured", "text"]
Document: TypeAlias = dict[str, Any]

STRUCTURED_SINCE = "2025-06-18"

# A call that succeeded without an answer: an empty content list reads like a failure to a model.
NOTHING = b'{"status":"ok"}'


def listed_tool(tool: Tool, *, version: str, content: Content, stamp: CatalogStamp) -> types.Tool:
    """Tell a tool as `tools/list` of one protocol version does."""
    output = None
    if tool.output_schema is not None and _policy(content, version) != "text":
        output = _output_document(tool, version)
    hints = annotations_document(tool.operation)
    return types.Tool(
        name=tool.name,
        title=tool.operation.summary,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=output,
        annotations=types.ToolAnnotations.model_validate(hints) if hints else None,
        _meta=_listed_meta(tool) | stamp.meta(),
    )


def _listed_meta(tool: Tool) -> dict[str, Any]:
    mcp, ui = tool.operation.mcp, tool.operation.ui
    meta = dict(mcp.meta) if mcp is not None and mcp.meta is not None else {}
    if ui is not None:
        meta["ui"] = {"resourceUri": ui.resource_uri, "visibility": list(ui.visibility)}
        meta["ui/resourceUri"] = ui.resource_uri  # what readers of the first draft look for
    return meta


def answer_result(
    tool: Tool, answer: Answer, *, version: str, content: Content, stamp: CatalogStamp
) -> types.CallToolResult:
    """Tell an answer as `tools/call` of one protocol version does."""
    body, meta = answer.body, stamp.meta()
    if body is None:
        return types.CallToolResult(content=[_text(NOTHING)], _meta=meta)
    content = _policy(content, version)
    blocks: list[types.ContentBlock] = [_text(body)] if content != "structured" else []
    if answer.presentation is not None:
        blocks = _presented(answer.presentation)
        meta = {**(answer.presentation.meta or {}), **meta}
    if content == "text" or tool.output_schema is None:
        return types.CallToolResult(content=blocks, _meta=meta)
    value = json.loads(body)
    structured = {"result": value} if _is_wrapped(tool, version) else value
    return types.CallToolResult(content=blocks, structured_content=structured, _meta=meta)


def error_result(error: OperationError, *, stamp: CatalogStamp) -> types.CallToolResult:
    """Tell a failed call: the error envelope as text, marked as an error."""
    return types.CallToolResult(content=[_text(error.to_json())], is_error=True, _meta=stamp.meta())


def read_presentation(presentation: object) -> Presentation:
    """Check what a presenter returned, as the wire would.

    Raises:
        TypeError: not a presentation.
        pydantic.ValidationError: a content block that MCP doesn't have.
    """
    if not isinstance(presentation, Presentation):
        abandon(presentation)
        raise TypeError(
            f"a presenter returns a `Presentation`, not `{type(presentation).__name__}`"
        )
    _presented(presentation)
    return presentation


def _presented(presentation: Presentation) -> list[types.ContentBlock]:
    return _BLOCKS.validate_python([dict(block) for block in presentation.content])


_BLOCKS: TypeAdapter[list[types.ContentBlock]] = TypeAdapter(list[types.ContentBlock])


def _policy(content: Content, version: str) -> Content:
    """What an answer consists of: text alone where the version has no structured content."""
    return content if is_version_at_least(version, STRUCTURED_SINCE) else "text"


def _text(text: bytes) -> types.TextContent:
    return types.TextContent(type="text", text=text.decode())


def _is_wrapped(tool: Tool, version: str) -> bool:
    if version in MODERN_PROTOCOL_VERSIONS:
        return tool.may_answer_null
    return not tool.answers_an_object


def _output_document(tool: Tool, version: str) -> Document:
    document: Document = tool.output_schema or {}
    if _is_wrapped(tool, version):
        definitions = document.get("$defs")
        bare = {key: value for key, value in document.items() if key != "$defs"}
        wrapped: Document = {
            "type": "object",
            "properties": {"result": bare},
            "required": ["result"],
        }
        return wrapped | ({"$defs": definitions} if definitions else {})
    if version in MODERN_PROTOCOL_VERSIONS:
        return document
    return {"type": "object", **resolve_root(document)}
