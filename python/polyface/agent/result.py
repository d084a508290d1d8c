"""What a model asked for, and what it is told, in each provider's form."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import OperationError
from ..schema.json_text import read_json

__all__ = ["AgentCall", "AgentResult"]

# A call that succeeded without an answer: an empty text reads like a failure to a model.
NOTHING = '{"status":"ok"}'


@dataclass(frozen=True, slots=True)
class AgentCall:
    """One call that a model asked for. Handlers and hooks see it as `call.request`.

    Args:
        name: the tool's name.
        arguments: JSON values, or the JSON text that the provider handed over; empty is none.
        tool_call_id: the provider's own name of the call.
    """

    name: str
    arguments: Mapping[str, Any] | str | bytes | None = None
    tool_call_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResult:
    """How a call ended, for a model to read.

    Args:
        call: what was asked for.
        body: the answer's JSON; None for an operation without an output, and where it failed.
        error: why it failed; None where it didn't.
        content: the blocks of the tool's presenter, in MCP's form; None where it has none.
    """

    call: AgentCall
    body: bytes | None = None
    error: OperationError | None = None
    content: Sequence[Mapping[str, Any]] | None = None

    @property
    def ok(self) -> bool:
        """Whether the call succeeded."""
        return self.error is None

    @property
    def text(self) -> str:
        """The answer as JSON text, or the error envelope: what the model can act on."""
        if self.error is not None:
            return self.error.to_json().decode()
        return NOTHING if self.body is None else self.body.decode()

    @property
    def answer(self) -> Any:
        """The answer's JSON value; None for an operation without an output.

        Raises:
            OperationError: the call failed.
        """
        if self.error is not None:
            raise self.error
        return None if self.body is None else read_json(self.body)

    def openai_chat(self) -> dict[str, Any]:
        """Return the message of OpenAI's Chat Completions. Its content is text alone."""
        texts = [block for block in self._blocks() if block["type"] == "text"]
        content = [{"type": "text", "text": block["text"]} for block in texts]
        told: Any = content if self.content is not None and content else self.text
        return {"role": "tool", "tool_call_id": self._id(), "content": told}

    def openai_responses(self) -> dict[str, Any]:
        """Return the input item of OpenAI's Responses."""
        output: Any = self.text
        if self.content is not None:
            output = _converted(self._blocks(), RESPONSES_BLOCKS) or output
        return {"type": "function_call_output", "call_id": self._id(), "output": output}

    def anthropic(self) -> dict[str, Any]:
        """Return the content block of Anthropic's Messages, for a message of the user's."""
        content: Any = self.text
        if self.content is not None:
            content = _converted(self._blocks(), ANTHROPIC_BLOCKS) or content
        told = {"type": "tool_result", "tool_use_id": self._id(), "content": content}
        return told if self.ok else {**told, "is_error": True}

    def gemini(self) -> dict[str, Any]:
        """Return the `functionResponse` of Gemini; an answer stands under `output`."""
        if self.error is not None:
            response: dict[str, Any] = {"error": self.error.envelope()["error"]}
        else:
            response = {"output": {"status": "ok"} if self.body is None else read_json(self.body)}
        named = {"name": self.call.name, "response": response}
        return named if self.call.tool_call_id is None else {"id": self.call.tool_call_id, **named}

    def _blocks(self) -> Sequence[Mapping[str, Any]]:
        return self.content or ()

    def _id(self) -> str:
        if self.call.tool_call_id is None:
            raise ValueError(
                f"the result of `{self.call.name}` has no identifier; "
                f"pass the provider's as `tool_call_id=`."
            )
        return self.call.tool_call_id


Block = Callable[[Mapping[str, Any]], dict[str, Any]]

RESPONSES_BLOCKS: Mapping[str, Block] = {
    "text": lambda block: {"type": "input_text", "text": block["text"]},
    "image": lambda block: {
        "type": "input_image",
        "image_url": f"data:{block['mimeType']};base64,{block['data']}",
    },
}
ANTHROPIC_BLOCKS: Mapping[str, Block] = {
    "text": lambda block: {"type": "text", "text": block["text"]},
    "image": lambda block: {
        "type": "image",
        "source": {"type": "base64", "media_type": block["mimeType"], "data": block["data"]},
    },
}


def _converted(
    blocks: Sequence[Mapping[str, Any]], table: Mapping[str, Block]
) -> list[dict[str, Any]]:
    """The blocks that a provider has a form for."""
    return [table[block["type"]](block) for block in blocks if block["type"] in table]
