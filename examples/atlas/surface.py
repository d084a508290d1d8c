"""The surface of the atlas: its one service over one open database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import polyface as pf
from atlas.database import Database
from atlas.errors import DatabaseBusyError
from atlas.repository import Repository
from atlas.service import countries

_BUSY = pf.OperationError(
    "DATABASE_BUSY",
    "Somebody else is writing; try again in a moment.",
    status=503,
    retryable=True,
)


def build_surface(database: Database) -> pf.Surface:
    """Put the service over a database, which is closed when the last mount shuts down."""
    repository = Repository(database)

    @asynccontextmanager
    async def close_database(_surface: pf.Surface) -> AsyncGenerator[None]:
        try:
            yield
        finally:
            database.close()

    return pf.Surface(
        services=[countries],
        context=lambda _call: repository,
        lifespan=close_database,
        errors={DatabaseBusyError: _BUSY},
    )
