"""`with_tool_view`: the one way to declare that a tool's answer differs from the HTTP answer.

A view has `output` (a slice), `project` (a reshape within the full schema), or both (a reshape with
a schema of its own), and may have `defaults` for arguments that a tool's caller doesn't give.
"""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, overload

from pydantic import ValidationError
from typing_extensions import ParamSpec, TypeForm, TypeVar

from ..errors import DeclarationError
from ..schema.adapter import Schema
from ..schema.arguments import ArgumentFault, check_json, object_keys
from ..schema.fit import Finding, fit
from ..schema.shape import Record, unwrap
from .endpoint import Endpoint
from .expose import TOOL_TRANSPORTS
from .projection import ProjectionCall
from .tool import ToolView

__all__ = ["is_declared_view", "with_tool_view"]

P = TypeVar("P")
I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
O = TypeVar("O")  # noqa: E741
V = TypeVar("V", default=Any)
FK = ParamSpec("FK", default=...)  # open where the types of an endpoint are not known

# Known to this module alone, so that a view which it didn't build can be told from one it did.
_MARK = object()
_UNSET: Any = object()
MAX_DEFAULT_DEPTH = 64


@overload
def with_tool_view(
    endpoint: Endpoint[P, I, O, FK],
    /,
    *,
    output: TypeForm[V],
    project: Callable[[O, ProjectionCall[I]], V],
    defaults: Mapping[str, Any] = ...,
) -> Endpoint[P, I, O, FK]: ...
@overload
def with_tool_view(
    endpoint: Endpoint[P, I, O, FK],
    /,
    *,
    output: TypeForm[V],
    defaults: Mapping[str, Any] = ...,
) -> Endpoint[P, I, O, FK]: ...
@overload
def with_tool_view(
    endpoint: Endpoint[P, I, O, FK],
    /,
    *,
    project: Callable[[O, ProjectionCall[I]], O],
    defaults: Mapping[str, Any] = ...,
) -> Endpoint[P, I, O, FK]: ...
def with_tool_view(
    endpoint: Endpoint[Any, Any, Any, FK],
    /,
    *,
    output: Any = _UNSET,
    project: Callable[[Any, Any], Any] | None = None,
    defaults: Mapping[str, Any] | None = None,
) -> Endpoint[Any, Any, Any, FK]:
    """Give an endpoint another answer on its tool surfaces; HTTP keeps the full one.

    Args:
        endpoint: what a verb returned; it must have an `output` and a tool transport.
        output: the schema of the tool's answer. Alone it is a slice: it keeps, byte for byte, the
            keys that it declares, and it must be able to hold every full answer.
        project: a pure function `(full, call) -> view`, where `call` has `input` and `source`. Type
            checkers check its parameters; a wrong return is seen by mypy and at run time.
        defaults: wire name → JSON value for arguments that the caller leaves out. They are merged
            before the one parse, copied for each call, and advertised.

    Returns:
        A new endpoint; the one given isn't changed.

    Raises:
        DeclarationError: the view can't mean anything, or some full answer doesn't fit the slice;
            the message names the path and both types.
    """
    if not isinstance(endpoint, Endpoint):
        raise DeclarationError(
            f"`with_tool_view` takes an endpoint, such as `get(...)` returns, not `{endpoint!r}`."
        )
    place = endpoint.place
    _refuse_hopeless(endpoint, place)
    if output is _UNSET and project is None:
        kept = endpoint.output.name if endpoint.output else "..."
        raise DeclarationError(
            f"{place}: a view declares `output=` or `project=`; "
            f"to keep the full answer, write `output={kept}`."
        )
    if project is not None and not callable(project):
        raise DeclarationError(f"{place}: `project=` must be a function `(full, call) -> view`.")
    if project is not None:
        _check_projection(project, place)
    schema = None if output is _UNSET else _view_schema(output, place)
    view = ToolView(
        defaults=_read_defaults(endpoint, defaults, place),
        output=schema,
        project=project,
        findings=() if project is not None else _prove(endpoint, schema, place),
    )
    object.__setattr__(view, "mark", _MARK)
    return replace(endpoint, tool=replace(endpoint.tool, view=view))


def _check_projection(project: Callable[[Any, Any], Any], place: str) -> None:
    called = getattr(project, "__call__", None)  # noqa: B004  # its __call__ may be async
    if any(
        inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function)
        for function in (project, called)
    ):
        raise DeclarationError(
            f"{place}: a projection is synchronous; what it waits for belongs into the full answer."
        )
    try:
        inspect.signature(project).bind(None, None)
    except TypeError as error:
        raise DeclarationError(
            f"{place}: a projection takes the full answer and the call; "
            f"`{getattr(project, '__name__', project)}` can't be called so ({error})."
        ) from None
    except ValueError:
        return  # a builtin without a signature: it is called and fails by itself


def is_declared_view(view: object) -> bool:
    """Whether `view` was made by `with_tool_view`."""
    return isinstance(view, ToolView) and view.mark is _MARK


def _refuse_hopeless(endpoint: Endpoint[Any, Any, Any, ...], place: str) -> None:
    if endpoint.tool.view is not None:
        raise DeclarationError(f"{place}: it already has a tool view; declare one view.")
    if endpoint.is_http_only:
        raise DeclarationError(f"{place}: it is served over HTTP only and can't have a tool view.")
    if not endpoint.tool_transports:
        raise DeclarationError(
            f"{place}: a tool view needs a tool transport; "
            f"add one of {', '.join(TOOL_TRANSPORTS)} to `expose=`."
        )
    if endpoint.output is None:
        raise DeclarationError(f"{place}: a tool view needs a full answer; declare `output=`.")


def _view_schema(output: Any, place: str) -> Schema[Any]:
    try:
        return Schema(output)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: the view's `output=`: {error}") from error.__cause__


def _prove(
    endpoint: Endpoint[Any, Any, Any, ...], view: Schema[Any] | None, place: str
) -> tuple[Finding, ...]:
    if view is None or endpoint.output is None:
        return ()
    findings = fit(endpoint.output.shape, view.shape)
    refused = [finding for finding in findings if finding.verdict == "refused"]
    if refused:
        listed = "; ".join(str(finding) for finding in refused)
        raise DeclarationError(
            f"{place}: `{endpoint.output.name}` can't be sliced to `{view.name}`: {listed}. "
            f"Change the slice, or derive the answer with `project=`."
        )
    return findings


def _read_defaults(
    endpoint: Endpoint[Any, Any, Any, ...], defaults: Mapping[str, Any] | None, place: str
) -> Mapping[str, Any]:
    """Check the defaults and return a copy of our own, so that nothing of the caller's is kept."""
    if defaults is None:
        return {}
    if not isinstance(defaults, Mapping):
        raise DeclarationError(f"{place}: `defaults=` maps argument names to JSON values.")
    if not defaults:
        return {}
    record = unwrap(endpoint.input.shape) if endpoint.input is not None else None
    if not isinstance(record, Record):
        raise DeclarationError(
            f"{place}: `defaults=` needs an `input=` with declared keys to give defaults to."
        )
    params = endpoint.params
    path_keys: set[str] = object_keys(params.shape) if params is not None else set()
    for key, value in defaults.items():
        _check_default(record, key, value, path_keys, place)
    _check_together(endpoint, record, defaults, place)
    return copy.deepcopy(dict(defaults))


def _check_default(
    record: Record, key: object, value: object, path_keys: set[str], place: str
) -> None:
    if key in path_keys:
        raise DeclarationError(
            f"{place}: the default `{key}` is a path parameter, which every caller gives."
        )
    known = {name: item for item in record.fields for name in item.read_names[:1]}
    field = known.get(key) if isinstance(key, str) else None
    if field is None:
        raise DeclarationError(
            f"{place}: the default `{key}` isn't an argument of `{record.cls.__name__}`; "
            f"its arguments are {', '.join(sorted(known))}."
        )
    if field.has_alias_path:
        raise DeclarationError(
            f"{place}: `{key}` is read by an alias path; it can't have a default."
        )
    try:
        check_json(value, max_depth=MAX_DEFAULT_DEPTH)
    except ArgumentFault as fault:
        raise DeclarationError(f"{place}: the default of `{key}`: {fault.reason}") from None


def _check_together(
    endpoint: Endpoint[Any, Any, Any, ...],
    record: Record,
    defaults: Mapping[str, Any],
    place: str,
) -> None:
    """Parse the defaults as the input would; what is merely missing is for the caller to give."""
    assert endpoint.input is not None
    try:
        endpoint.input.parse_json(json.dumps(dict(defaults), allow_nan=False).encode())
    except ValidationError as error:
        for issue in error.errors(include_url=False, include_input=False):
            if issue["type"] == "missing" and len(issue["loc"]) == 1:
                continue
            where = ".".join(str(step) for step in issue["loc"]) or record.cls.__name__
            raise DeclarationError(
                f"{place}: the default of `{where}` is refused by the input: {issue['msg']}."
            ) from None
