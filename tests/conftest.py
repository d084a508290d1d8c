"""What every test of the tree runs with."""

import pytest

from tests.fuzz import register_profiles

register_profiles()


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of async tests."""
    return "asyncio"
