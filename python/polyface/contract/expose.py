"""The ways in which an operation can be reached, and which of them an endpoint chooses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias, get_args

from ..errors import DeclarationError

__all__ = ["DEFAULT_EXPOSE", "TOOL_TRANSPORTS", "TRANSPORTS", "Transport", "read_expose"]

Transport: TypeAlias = Literal["HTTP", "MCP", "AGENT", "CLI"]

TRANSPORTS: tuple[Transport, ...] = get_args(Transport)
TOOL_TRANSPORTS: tuple[Transport, ...] = ("MCP", "AGENT", "CLI")
DEFAULT_EXPOSE: tuple[Transport, ...] = ("HTTP", "MCP", "AGENT")
"""What an endpoint that says nothing is exposed on. A command line is always asked for by name."""


def read_expose(expose: Iterable[Transport] | None, *, place: str) -> tuple[Transport, ...]:
    """Return the chosen transports in their fixed order.

    Raises:
        DeclarationError: a bare string, an unknown or repeated transport, or none at all.
    """
    if expose is None:
        return DEFAULT_EXPOSE
    if isinstance(expose, str):
        raise DeclarationError(f"{place}: `expose` is a list; write `expose=[{expose!r}]`.")
    chosen = list(expose)
    for transport in chosen:
        if transport not in TRANSPORTS:
            raise DeclarationError(
                f"{place}: `expose` names `{transport}`; it takes {', '.join(TRANSPORTS)}."
            )
    if not chosen or len(set(chosen)) != len(chosen):
        raise DeclarationError(f"{place}: `expose` names each transport once, and at least one.")
    return tuple(transport for transport in TRANSPORTS if transport in chosen)
