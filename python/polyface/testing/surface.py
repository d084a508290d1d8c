"""`overridden`: a surface with another context, another caller or other hooks, for tests."""

from __future__ import annotations

from typing import Any

from typing_extensions import TypeVar

from ..execution.context import ContextFactory
from ..execution.hooks import Hooks
from ..execution.runner import UNSET
from ..surface.surface import Surface

__all__ = ["overridden"]

C = TypeVar("C", default=Any)


def overridden(
    surface: Surface[C],
    /,
    *,
    context: ContextFactory[C] | None = UNSET,
    identity: Any = UNSET,
    hooks: Hooks = UNSET,
) -> Surface[C]:
    """Copy a surface for tests; what isn't named stays as it is, and so does the original.

    Args:
        surface: what to copy.
        context: a factory in place of the surface's; None gives every call no context.
        identity: who calls, on every transport and whatever it brings; None is nobody known.
        hooks: hooks in place of the surface's.

    Raises:
        DeclarationError: the hooks have no `authorize`, and an operation has a scope.

    Example:
        import polyface as pf
        from polyface.testing import overridden

        surface = pf.Surface(context=lambda call: "the database")

        def test_a_surface_of_tests_needs_no_database():
            assert overridden(surface, context=lambda call: {}, identity="ada") is not surface
    """
    return surface.overridden(context=context, identity=identity, hooks=hooks)
