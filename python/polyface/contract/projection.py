"""What a projection is called with: the parsed input and where the call came from, nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar

__all__ = ["ProjectionCall"]

I_co = TypeVar("I_co", covariant=True)


@dataclass(frozen=True, slots=True)
class ProjectionCall(Generic[I_co]):
    """The call that a projection sees.

    Args:
        input: the parsed input, the view's defaults applied; None where the endpoint has no input.
        source: the transport's tag, `MCP` for one. polyface never branches on it.
    """

    input: I_co
    source: str
