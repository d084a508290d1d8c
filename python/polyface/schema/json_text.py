"""Reading back the JSON that the engine wrote, whose integers may have any number of digits."""

from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

__all__ = ["read_json"]


def read_json(text: bytes) -> Any:
    """Return the value of a JSON text of our own.

    Python bounds the digits that `int` reads, against texts from outside; an answer that left is
    none of those.
    """
    try:
        return json.loads(text)
    except ValueError:
        return json.loads(text, parse_int=_whole)


def _whole(digits: str) -> int:
    return int(Decimal(digits))
