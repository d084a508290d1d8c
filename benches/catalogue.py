"""All rows, in the order of the table."""

from .engine.additions import addition_rows
from .engine.answers import answer_rows
from .engine.collector import collector_rows
from .engine.imports import import_rows
from .engine.peak import peak_rows
from .engine.scale import scale_rows
from .engine.unknown import unknown_rows
from .row import Row
from .wire.requests import request_rows


def all_rows() -> list[Row]:
    """Every row, each with a key of its own."""
    return [
        *answer_rows(),
        *addition_rows(),
        *collector_rows(),
        *scale_rows(),
        *unknown_rows(),
        *request_rows(),
        *peak_rows(),
        *import_rows(),
    ]
