"""JSON documents that can be shared without fear: dicts and lists that refuse to change."""

# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false
# Values of any type are walked here, and what `isinstance` finds in them stays unknown.

from __future__ import annotations

from typing import Any, NoReturn

__all__ = ["FrozenDict", "FrozenList", "freeze"]


def _refuse(*_: object, **__: object) -> NoReturn:
    raise TypeError("this document is shared and can't be changed; copy it with `copy.deepcopy`")


class FrozenDict(dict[str, Any]):
    """A dict that can be read, compared and written as JSON, and not changed."""

    __slots__ = ()
    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> dict[str, Any]:
        """Return a copy that can be changed."""
        return {key: thaw(value) for key, value in self.items()}

    def __reduce__(self) -> Any:
        return (freeze, (thaw(self),))


class FrozenList(list[Any]):
    """A list that can be read, compared and written as JSON, and not changed."""

    __slots__ = ()
    __setitem__ = __delitem__ = __iadd__ = __imul__ = _refuse
    append = clear = extend = insert = pop = remove = reverse = sort = _refuse

    def __deepcopy__(self, memo: dict[int, Any]) -> list[Any]:
        """Return a copy that can be changed."""
        return [thaw(value) for value in self]

    def __reduce__(self) -> Any:
        return (freeze, (thaw(self),))


def freeze(value: Any) -> Any:
    """Return a frozen copy of JSON values; what was given isn't touched."""
    if isinstance(value, dict):
        return FrozenDict({key: freeze(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        return FrozenList([freeze(item) for item in value])
    return value


def thaw(value: Any) -> Any:
    """Return a copy of JSON values that can be changed."""
    if isinstance(value, dict):
        return {key: thaw(item) for key, item in value.items()}
    if isinstance(value, list):
        return [thaw(item) for item in value]
    return value
