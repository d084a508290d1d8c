"""The catalog stamp: which tools a caller is looking at, on every listing and every result.

A session lists tools, lives for hours, and calls a tool that has changed. The stamp on the refusal
tells it that its list is old.
"""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..schema.digest import digest
from .document import ToolDocument, annotations_document

__all__ = ["STAMP_KEY", "CatalogStamp", "catalog_stamp", "read_catalog_stamp"]

STAMP_KEY = "polyface/catalog"


@dataclass(frozen=True, slots=True)
class CatalogStamp:
    """Which tools there are.

    Args:
        digest: 16 hexadecimal digits over every tool's name, description, arguments, answer and
            annotations; independent of the protocol version and of the order of tools.
        tools: how many there are.
    """

    digest: str
    tools: int

    def meta(self) -> dict[str, Any]:
        """The stamp as a member of an MCP `_meta`."""
        return {STAMP_KEY: {"digest": self.digest, "tools": self.tools}}


def catalog_stamp(documents: Iterable[ToolDocument]) -> CatalogStamp:
    """Make the stamp of some tools."""
    rows = [
        {
            "name": document.name,
            "description": document.description,
            "input": document.input_schema,
            "output": document.output_schema,
            "annotations": annotations_document(document.operation) or None,
        }
        for document in documents
    ]
    return CatalogStamp(digest(sorted(rows, key=lambda row: str(row["name"]))), len(rows))


def read_catalog_stamp(meta: object) -> CatalogStamp | None:
    """Read a stamp from an MCP `_meta`; None for one that is missing or malformed."""
    stamp = meta.get(STAMP_KEY) if isinstance(meta, Mapping) else None
    if not isinstance(stamp, Mapping):
        return None
    found, tools = stamp.get("digest"), stamp.get("tools")
    if not isinstance(found, str) or not found or type(tools) is not int or tools < 0:
        return None
    return CatalogStamp(found, tools)
