"""Arguments that an application adds to every tool, beside those of the operation."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportPrivateUsage=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown. A call is
# filled in by the stages; a handler can only read it.

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any, TypeAlias

from typing_extensions import TypeForm, TypeVar

from ..errors import DeclarationError
from ..operations.call import Call
from ..operations.operation import Operation
from ..schema.adapter import Schema
from ..schema.arguments import is_object, object_keys, read_json_text
from .arguments import checked_arguments, parse
from .function import settle

__all__ = ["Extension", "extend"]

A = TypeVar("A")
AnyCall: TypeAlias = Call[Any, Any, Any]


def _always(_: Operation) -> bool:
    return True


class Extension:
    """Extra arguments of a surface's contract tools on MCP and agents; never on the command line.

    Args:
        arguments: an object's type; its keys are taken out of a tool's arguments and parsed once.
        resolve: `(arguments, call)` → what handlers and hooks see as `call.extension`; may be
            async. It runs before everything else of a call and may refuse it by raising.
        applies: which operations have it; by default all.

    Raises:
        DeclarationError: `arguments` isn't an object's type.
    """

    def __init__(
        self,
        *,
        arguments: TypeForm[A],
        resolve: Callable[[A, AnyCall], Any],
        applies: Callable[[Operation], bool] = _always,
    ) -> None:
        self.schema: Schema[Any] = Schema(arguments)
        if not is_object(self.schema.shape) or not object_keys(self.schema.shape):
            raise DeclarationError(
                f"an extension's `arguments=` is an object with declared keys, "
                f"not `{self.schema.name}`; use a model."
            )
        self.resolve = resolve
        self.applies = applies

    def __repr__(self) -> str:
        return f"Extension({self.schema.name})"

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys that are the extension's."""
        return frozenset(object_keys(self.schema.shape))


async def extend(
    extension: Extension | None, call: AnyCall, arguments: Any, *, max_depth: int
) -> Any:
    """Resolve the extension of one call and return the arguments without its keys.

    Raises:
        OperationError: `VALIDATION_ERROR`, or whatever `resolve` raises.
    """
    if extension is None or not isinstance(arguments, Mapping):
        return arguments
    own = {key: value for key, value in arguments.items() if key in extension.keys}
    own = read_json_text(extension.schema.shape, checked_arguments(own, max_depth=max_depth))
    parsed = parse(extension.schema, own, what="input")
    call._extension = await settle(extension.resolve(parsed, call))
    return without_extension(extension, arguments)


def without_extension(extension: Extension | None, arguments: Any) -> Any:
    """Drop an extension's keys; a hook's replacement can't resolve it a second time."""
    if extension is None or not isinstance(arguments, Mapping):
        return arguments
    return {key: value for key, value in arguments.items() if key not in extension.keys}
