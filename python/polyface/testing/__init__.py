"""What tests of an application need: strategies, laws of views, overridden surfaces."""

from ..errors import MissingExtraError

try:
    import hypothesis as _hypothesis  # noqa: F401  # pyright: ignore[reportUnusedImport]
except ModuleNotFoundError as error:
    raise MissingExtraError("testing", "hypothesis") from error

from .snapshot import assert_surface_snapshot
from .strategy import strategy_for
from .surface import overridden
from .view import check_tool_view

__all__ = ["assert_surface_snapshot", "check_tool_view", "overridden", "strategy_for"]
