"""What `mcp_result` does, with `json.dumps` for the one thing that needs escapes."""

import json


def mcp_result(answer: bytes, *, structured: str | None, text: bool, members: bytes) -> bytes:
    parts = [b'"content":[]']
    if text:
        block = json.dumps(answer.decode(), ensure_ascii=False).encode()
        parts = [b'"content":[{"type":"text","text":' + block + b"}]"]
    if structured == "bare":
        parts.append(b'"structuredContent":' + answer)
    if structured == "wrapped":
        parts.append(b'"structuredContent":{"result":' + answer + b"}")
    if members:
        parts.append(members)
    return b"{" + b",".join(parts) + b"}"
