"""A lifespan: a function whose result is entered when a mount starts, and left when it stops."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager

from ..errors import DeclarationError

__all__ = ["refuse_entered"]


def refuse_entered(lifespan: object, given: str) -> None:
    """Refuse the result of a lifespan where the function itself is taken.

    Args:
        lifespan: what the caller passed; None is no lifespan.
        given: what the function is called with, for the message.

    Raises:
        DeclarationError: it has been called already, or can't be called.
    """
    if lifespan is None:
        return
    kind = type(lifespan).__name__
    # What `asynccontextmanager` makes is callable, too: it is a decorator.
    if isinstance(lifespan, AbstractAsyncContextManager) or not callable(lifespan):
        raise DeclarationError(
            f"`lifespan=` takes a function of the {given}, not `{kind}`; "
            f"write its name without calling it, as `lifespan=server.running`."
        )
