"""What one endpoint may not say: each check is a function that raises one `DeclarationError`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

from ..errors import DeclarationError
from ..schema.arguments import is_object, object_keys
from ..schema.shape import Record, unwrap
from .endpoint import QUERY_METHODS, Endpoint
from .error_set import ErrorDefinition
from .expose import TOOL_TRANSPORTS
from .tool import ToolOptions

__all__ = ["CHECKS"]

AnyEndpoint: TypeAlias = Endpoint[Any, Any, Any, ...]


def _check_kind(endpoint: AnyEndpoint) -> None:
    place = endpoint.place
    seconds = endpoint.timeout_seconds
    if seconds is not None and not (isinstance(seconds, int | float) and seconds > 0):
        raise DeclarationError(f"{place}: `timeout_seconds` is a positive number of seconds.")
    for error in endpoint.errors:
        if not isinstance(error, ErrorDefinition):
            raise DeclarationError(
                f"{place}: `errors=` lists definitions from `define_errors(...)`, not `{error!r}`."
            )
    if endpoint.method != "HEAD":
        return
    if endpoint.output is not None:
        raise DeclarationError(f"{place}: a HEAD answer has no body; leave `output=` out.")
    if endpoint.expose != ("HTTP",):
        raise DeclarationError(f'{place}: HEAD can\'t be a tool; write `expose=["HTTP"]`.')


def _check_params(endpoint: AnyEndpoint) -> None:
    captures, place = endpoint.path.captures, endpoint.place
    if endpoint.params is None:
        if captures:
            fields = "; ".join(f"{name}: str" for name in captures)
            raise DeclarationError(
                f"{place}: the path captures {_names(captures)}, but no `params=` is given; declare "
                f"a model with `{fields}` and pass it as `params=`."
            )
        return
    record = unwrap(endpoint.params.shape)
    if not isinstance(record, Record):
        raise DeclarationError(f"{place}: `params=` must be a model, not `{endpoint.params.name}`.")
    read = {name for item in record.fields for name in item.read_names}
    if missing := [name for name in captures if name not in read]:
        raise DeclarationError(
            f"{place}: the path captures {_names(missing)}, which "
            f"`{endpoint.params.name}` doesn't declare; add the field or rename the capture."
        )
    for item in record.fields:
        if item.required and not set(item.read_names) & set(captures):
            raise DeclarationError(
                f"{place}: `{endpoint.params.name}.{item.attribute}` is required, but the path "
                f"doesn't capture it; capture `{{{item.read_names[0]}}}` or move it to `input=`."
            )


def _check_input(endpoint: AnyEndpoint) -> None:
    if endpoint.input is None:
        return
    place, shape = endpoint.place, endpoint.input.shape
    if not is_object(shape):
        if endpoint.tool_transports:
            raise DeclarationError(
                f"{place}: a tool's arguments are a JSON object, but `input=` is "
                f'`{endpoint.input.name}`; wrap it in a model, or write `expose=["HTTP"]`.'
            )
        if endpoint.method in QUERY_METHODS:
            raise DeclarationError(
                f"{place}: a query has keys, but `input=` is `{endpoint.input.name}`; "
                f"wrap it in a model, or use `post`."
            )
    if endpoint.params is not None:
        shared = sorted(object_keys(shape) & object_keys(endpoint.params.shape))
        if shared:
            raise DeclarationError(
                f"{place}: `params=` and `input=` both read {_names(shared)}; "
                f"a tool's caller gives both in one object, so rename one."
            )


def _check_tool(endpoint: AnyEndpoint) -> None:
    place = endpoint.place
    if not isinstance(endpoint.tool, ToolOptions):
        raise DeclarationError(f"{place}: `tool=` takes `ToolOptions(...)`.")
    if endpoint.tool.view is not None:
        raise DeclarationError(f"{place}: a view is declared with `with_tool_view(...)` only.")
    if endpoint.grouped_tool and not endpoint.tool_transports:
        raise DeclarationError(
            f"{place}: `tool=` is given, but it is exposed on no tool transport; "
            f"add one of {', '.join(TOOL_TRANSPORTS)} to `expose=`, or drop `tool=`."
        )


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


CHECKS: tuple[Callable[..., None], ...] = (_check_kind, _check_params, _check_input, _check_tool)
