"""What a refusal says, word for word."""

from collections.abc import Callable
from typing import Any

import pytest

import polyface as pf


def faults_of(declare: Callable[[], Any]) -> list[str]:
    """Run a declaration that is refused; return its faults."""
    with pytest.raises(pf.DeclarationError) as refused:
        declare()
    assert str(refused.value) == "\n".join(refused.value.faults)
    return list(refused.value.faults)
