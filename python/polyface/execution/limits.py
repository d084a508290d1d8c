"""How much one caller may ask for."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import DeclarationError

__all__ = ["Limits"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds of one surface, alike on every transport.

    Args:
        max_body_bytes: how long a request's body may be; more is refused while it is read.
        max_depth: how deeply arguments may be nested.
        max_threads: how many sync handlers run at once.
    """

    max_body_bytes: int = 1024 * 1024
    max_depth: int = 64
    max_threads: int = 40

    def __post_init__(self) -> None:
        """Refuse a bound that bounds nothing."""
        for name in self.__dataclass_fields__:
            value = getattr(self, name)
            if type(value) is not int or value < 1:
                raise DeclarationError(
                    f"`Limits({name}={value!r})`: a limit is a positive integer."
                )
