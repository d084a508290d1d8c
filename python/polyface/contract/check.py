"""What one endpoint may not say: each check is a function that raises one `DeclarationError`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeAlias

from ..errors import DeclarationError
from ..names import tool_name_fault
from ..schema.adapter import Schema
from ..schema.arguments import is_object, object_keys
from ..schema.kinds import takes
from ..schema.shape import Record, shape_text, unwrap
from .endpoint import QUERY_METHODS, Endpoint
from .error_set import ErrorDefinition
from .expose import TOOL_TRANSPORTS
from .kind import BodyKind, Multipart, RawBody, RawResponse, ResponseKind, Stream
from .tool import ToolOptions

__all__ = ["CHECKS", "check_key"]

AnyEndpoint: TypeAlias = Endpoint[Any, Any, Any, ...]


def _check_options(endpoint: AnyEndpoint) -> None:
    place = endpoint.place
    seconds = endpoint.timeout_seconds
    if seconds is not None and not (type(seconds) in (int, float) and seconds > 0):
        raise DeclarationError(f"{place}: `timeout_seconds` is a positive number of seconds.")
    if endpoint.scope is not None and not _is_word(endpoint.scope):
        raise DeclarationError(
            f"{place}: the scope `{endpoint.scope!r}` isn't a word; "
            f"leave it out for the contract's."
        )
    if endpoint.meta is not None and not isinstance(endpoint.meta, Mapping):
        raise DeclarationError(f"{place}: `meta=` maps names to values.")
    if endpoint.key is not None:
        check_key(endpoint.key, place)
    for name in ("idempotent", "deprecated"):
        if not isinstance(getattr(endpoint, name), bool):
            raise DeclarationError(f"{place}: `{name}=` is True or False.")
    for error in endpoint.errors:
        if not isinstance(error, ErrorDefinition):
            raise DeclarationError(
                f"{place}: `errors=` lists definitions from `define_errors(...)`, not `{error!r}`."
            )


def _check_texts(endpoint: AnyEndpoint) -> None:
    """What documents and listings print must be text that they can print."""
    place, tags = endpoint.place, endpoint.tags
    texts = {name: getattr(endpoint, name) for name in ("desc", "summary", "operation_id")}
    if tags is not None:
        texts |= {f"tags[{index}]": tag for index, tag in enumerate(tags)}
    for name, text in texts.items():
        if text is None:
            continue
        if not isinstance(text, str) or not text.strip():
            raise DeclarationError(f"{place}: `{name}` is text, not `{text!r}`.")
        if not text.isascii() and re.search("[\ud800-\udfff]", text):
            raise DeclarationError(
                f"{place}: `{name}` holds a lone surrogate, which UTF-8 has no form for."
            )


def check_key(key: object, place: str) -> None:
    """Refuse a key that no caller could write: it names the operation in documents and logs."""
    if not (isinstance(key, str) and re.fullmatch(r"[\w-]+", key)):
        raise DeclarationError(
            f"{place}: the key `{key!r}` isn't a word; write letters, digits, `_` and `-`."
        )


def _check_http_only(endpoint: AnyEndpoint) -> None:
    place, response, body = endpoint.place, endpoint.response, endpoint.body
    if response is not None and not isinstance(response, ResponseKind):
        raise DeclarationError(
            f"{place}: `response=` takes `RawResponse`, `Stream` or `ResponseMetadata`."
        )
    if body is not None and not isinstance(body, BodyKind):
        raise DeclarationError(f"{place}: `body=` takes `RawBody` or `Multipart`.")
    if not endpoint.is_http_only:
        return
    if isinstance(response, Stream):
        _check_item(response, place)
    kind = "HEAD" if endpoint.method == "HEAD" else f"`{type(response or body).__name__}`"
    if endpoint.grouped_tool:
        raise DeclarationError(f"{place}: {kind} can never be a tool; leave `tool=` out.")
    if endpoint.expose != ("HTTP",):
        raise DeclarationError(
            f'{place}: {kind} is served over HTTP only; write `expose=["HTTP"]`.'
        )
    if isinstance(response, RawResponse | Stream) and endpoint.output is not None:
        raise DeclarationError(f"{place}: {kind} answers without `output=`; leave it out.")
    if endpoint.method == "HEAD" and (endpoint.output is not None or body or response):
        raise DeclarationError(f"{place}: a HEAD answer has no body; leave `output=` out.")
    if body is not None and endpoint.method in QUERY_METHODS:
        raise DeclarationError(f"{place}: `{endpoint.method}` has no body; use `post`.")
    if isinstance(body, RawBody) and endpoint.input is None:
        raise DeclarationError(f"{place}: a raw body stands beside a parsed one; declare `input=`.")
    if isinstance(body, Multipart):
        _check_multipart(endpoint, body)


def _check_item(stream: Stream[Any], place: str) -> None:
    try:
        Schema(stream.item)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: `Stream(item=...)`: {error}") from error.__cause__


def _check_multipart(endpoint: AnyEndpoint, body: Multipart) -> None:
    place = endpoint.place
    if not body.files:
        raise DeclarationError(
            f"{place}: a multipart body needs a file field; name one in `files=`."
        )
    taken = object_keys(endpoint.input.shape) if endpoint.input is not None else set[str]()
    for name, part in body.files.items():
        if not name.isidentifier() or name in taken:
            raise DeclarationError(
                f"{place}: the file field `{name}` must be an identifier that "
                f"`input=` doesn't have."
            )
        if part.max_files < 1 or part.max_bytes < 1 or part.content_types == ():
            raise DeclarationError(
                f"{place}: the file field `{name}` takes nothing; its limits are positive numbers."
            )


def _check_status(endpoint: AnyEndpoint) -> None:
    status, place = endpoint.status, endpoint.place
    if status is None:
        return
    if not (isinstance(status, int) and 200 <= status <= 299):
        raise DeclarationError(f"{place}: `status=` is one of success, 200 to 299.")
    if status in (204, 205) and (endpoint.output is not None or endpoint.response is not None):
        raise DeclarationError(f"{place}: an answer with the status {status} has no body.")


def _check_params(endpoint: AnyEndpoint) -> None:
    captures, place = endpoint.path.captures, endpoint.place
    if endpoint.params is None:
        if captures:
            fields = "; ".join(f"{name}: str" for name in captures)
            raise DeclarationError(
                f"{place}: the path captures {_names(captures)}, but no `params=` is given; "
                f"declare a model with `{fields}` and pass it as `params=`."
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
        for name in set(item.read_names) & set(captures):
            if not takes(item.shape) & CONVERTED[captures[name]]:
                raise DeclarationError(
                    f"{place}: the path captures `{{{name}:{captures[name]}}}`, but "
                    f"`{endpoint.params.name}.{item.attribute}` is `{shape_text(item.shape)}`; "
                    f"change the convertor or the field."
                )
        if not set(item.read_names) & set(captures):
            raise DeclarationError(
                f"{place}: `{endpoint.params.name}.{item.attribute}` isn't captured by the path; "
                f"capture `{{{item.read_names[0]}}}` or move it to `input=`."
            )


# What a field may read of a text that a convertor lets through. Text is read by every text field.
CONVERTED = {
    "str": frozenset({"string", "integer", "number", "boolean", "null", "array", "object"}),
    "path": frozenset({"string"}),
    "int": frozenset({"string", "integer", "number"}),
    "float": frozenset({"string", "number"}),
    "uuid": frozenset({"string"}),
}


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
    name = endpoint.tool.name
    if name is not None and (fault := tool_name_fault(name)):
        raise DeclarationError(f"{place}: {fault}; change it in `tool=ToolOptions(name=...)`.")
    if endpoint.grouped_tool and not endpoint.tool_transports:
        raise DeclarationError(
            f"{place}: `tool=` is given, but it is exposed on no tool transport; "
            f"add one of {', '.join(TOOL_TRANSPORTS)} to `expose=`, or drop `tool=`."
        )


def _is_word(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


CHECKS: tuple[Callable[[AnyEndpoint], None], ...] = (
    _check_options,
    _check_texts,
    _check_http_only,
    _check_status,
    _check_params,
    _check_input,
    _check_tool,
)
