"""What a refusal says, word for word."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

import polyface as pf


def faults_of(declare: Callable[[], Any]) -> list[str]:
    """Run a declaration that is refused; return its faults."""
    with pytest.raises(pf.DeclarationError) as refused:
        declare()
    assert str(refused.value) == "\n".join(refused.value.faults)
    return list(refused.value.faults)


def rows(table: Mapping[str, tuple[Any, ...]]) -> list[Any]:
    """Make the rows of a table into cases, each with its name."""
    return [pytest.param(*row, id=name.replace(" ", "-")) for name, row in table.items()]
