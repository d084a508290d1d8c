"""What tests of an application need: strategies, laws of views, overridden surfaces."""

from ..errors import MissingExtraError

try:
    import hypothesis as _hypothesis  # noqa: F401  # asked for here, so that one sentence refuses
except ModuleNotFoundError as error:
    raise MissingExtraError("testing", "hypothesis") from error

from .strategy import strategy_for
from .surface import overridden
from .view import check_tool_view

__all__ = ["check_tool_view", "overridden", "strategy_for"]
