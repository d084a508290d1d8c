"""`get`, `post`, `put`, `patch`, `delete` and `head`: how an endpoint is written down.

What one line can know is refused on that line, so that the traceback is its address.
"""

# pyright: reportInvalidTypeVarUse=false
# A type variable with a default that occurs once is how an omitted argument becomes None.

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Concatenate, Protocol, TypedDict, Unpack, overload

from pydantic import BaseModel
from typing_extensions import ParamSpec, TypeForm, TypeVar

from ..errors import DeclarationError
from ..schema.adapter import Schema
from .check import CHECKS
from .endpoint import Endpoint, Method
from .error_set import ErrorDefinition
from .expose import Transport, read_expose
from .kind import AnswerKind, BodyKind, ResponseMetadata
from .path import read_path
from .tool import ToolOptions

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

__all__ = ["delete", "get", "head", "patch", "post", "put"]

P = TypeVar("P")
I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
FK = ParamSpec("FK")
DefaultOutput = TypeVar("DefaultOutput", default=None)
ModelInput = TypeVar("ModelInput", bound="BaseModel | DataclassInstance")
ModelParams = TypeVar("ModelParams", bound="BaseModel | DataclassInstance")


class EndpointOptions(TypedDict, total=False):
    """What every verb takes besides the schemas: the fields of `Endpoint` with these names."""

    expose: Sequence[Transport] | None
    scope: str | None
    meta: Mapping[str, Any] | None
    tool: ToolOptions | None
    timeout_seconds: float | None
    idempotent: bool
    summary: str | None
    tags: Sequence[str] | None
    deprecated: bool
    operation_id: str | None
    errors: Sequence[ErrorDefinition]
    status: int | None
    body: BodyKind | None
    key: str | None


class Verb(Protocol):
    """The signature of `get`, `post`, `put`, `patch`, `delete`.

    Args:
        path: the place under the contract's prefix; `""` is the contract's own address.
        desc: what it does, written for the model.
        params: a model that covers what the path captures.
        input: the arguments: query of GET, HEAD and DELETE, JSON body of the others.
        output: the full answer.
        response: how it answers over HTTP, if not with one JSON value.
        options: the other fields of `Endpoint`.
    """

    @overload
    def __call__(
        self,
        path: str,
        /,
        *,
        desc: str,
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[None, None, DefaultOutput, []]: ...

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a model is also a TypeForm; the first wins
        self,
        path: str,
        /,
        *,
        desc: str,
        input: Callable[FK, ModelInput],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[None, ModelInput, DefaultOutput, FK]: ...

    @overload
    def __call__(
        self,
        path: str,
        /,
        *,
        desc: str,
        input: TypeForm[I],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[None, I, DefaultOutput, [I]]: ...

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a model is also a TypeForm; the first wins
        self,
        path: str,
        /,
        *,
        desc: str,
        params: Callable[FK, ModelParams],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[ModelParams, None, DefaultOutput, FK]: ...

    @overload
    def __call__(
        self,
        path: str,
        /,
        *,
        desc: str,
        params: TypeForm[P],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[P, None, DefaultOutput, [P]]: ...

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a model is also a TypeForm; the first wins
        self,
        path: str,
        /,
        *,
        desc: str,
        params: TypeForm[P],
        input: Callable[FK, ModelInput],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[P, ModelInput, DefaultOutput, Concatenate[P, FK]]: ...

    @overload
    def __call__(
        self,
        path: str,
        /,
        *,
        desc: str,
        params: TypeForm[P],
        input: TypeForm[I],
        output: TypeForm[DefaultOutput] = ...,
        response: AnswerKind[DefaultOutput] | ResponseMetadata | None = ...,
        **options: Unpack[EndpointOptions],
    ) -> Endpoint[P, I, DefaultOutput, [P, I]]: ...


class _Verb:
    """Declare an operation of one HTTP method, as an attribute of a contract.

    Args:
        path: the place under the contract's prefix; `""` is the contract's own address.
        desc: what it does, written for the model, which chooses tools by it. Required.
        params: a model of what the path captures.
        input: the arguments: query of GET, HEAD and DELETE, JSON body of the others.
        output: the full answer; left out, the operation answers nothing.
        expose: transports it is reached by; by default HTTP, MCP and AGENT.
        scope: who may call it; by default the contract's.
        meta: values of the application's own, over the contract's.
        tool: what only a tool surface reads: `ToolOptions(name=..., annotations=..., ...)`.
        errors: errors from `define_errors` that it may answer with.
        status: the HTTP status of success; by default 200, or 204 without an output.
        response: `RawResponse`, `Stream` or `ResponseMetadata`; HTTP only.
        body: `RawBody` or `Multipart`; HTTP only.
        timeout_seconds: how long one call may take.
        idempotent: whether a second equal call changes nothing more.
        summary, tags, deprecated, operation_id: as OpenAPI has them.
        key: its name in the contract, where Python's own name is in the way.

    Returns:
        A frozen `Endpoint`.

    Raises:
        DeclarationError: on this line, naming the place and the remedy.

    Example:
        fetch = pf.get("/{person_id}", desc="One person.", params=PersonId, output=Person)
    """

    def __init__(self, method: Method) -> None:
        self._method: Method = method

    def __repr__(self) -> str:
        return f"<polyface.{self._method.lower()}>"

    def __call__(self, path: str, /, **options: Any) -> Endpoint[Any, Any, Any, ...]:
        place = f"`{self._method} {path or '/'}`"
        _refuse_unknown(options, place)
        template = read_path(path, place=place)
        desc = options.pop("desc", "")
        if isinstance(desc, str) and not desc.strip():
            raise DeclarationError(
                f"{place}: `desc` is empty; say what it does, because a model chooses tools by it."
            )
        schemas: dict[str, Any] = {
            name: _schema(options.pop(name, None), name, place) for name in SCHEMAS
        }
        tags = _listed(options.pop("tags", None), "tags", place)
        errors = _listed(options.pop("errors", ()), "errors", place)
        tool = options.pop("tool", None)
        expose = options.pop("expose", None)
        http_only = self._method == "HEAD" or bool({"response", "body"} & set(options))
        chosen: Sequence[Transport] | None = ("HTTP",) if expose is None and http_only else expose
        endpoint: Endpoint[Any, Any, Any, ...] = Endpoint(
            method=self._method,
            path=template,
            desc=desc,
            **schemas,
            expose=read_expose(chosen, place=place),
            tool=ToolOptions() if tool is None else tool,
            tags=tags,
            errors=errors or (),
            expose_is_default=expose is None,
            grouped_tool=tool is not None,
            **options,
        )
        for check in CHECKS:
            check(endpoint)
        return endpoint


if TYPE_CHECKING:
    get: Verb
    post: Verb
    put: Verb
    patch: Verb
    delete: Verb
    head: Verb
else:
    get, post, put, patch, delete, head = (
        _Verb(method) for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD")
    )

SCHEMAS = ("params", "input", "output")
# What a verb sets by itself.
DERIVED = frozenset({"method", "path", "owner", "attribute", "expose_is_default", "grouped_tool"})
OPTIONS = frozenset(Endpoint.__dataclass_fields__) - DERIVED
TOOL_KEYS = frozenset(ToolOptions.__dataclass_fields__)


def _refuse_unknown(options: Mapping[str, object], place: str) -> None:
    for name in options:
        if name in OPTIONS:
            continue
        if name in TOOL_KEYS:
            remedy = f"it belongs into the tool group: `tool=ToolOptions({name}=...)`."
            if name == "view":
                remedy = "declare it with `with_tool_view(...)`."
            raise DeclarationError(f"{place}: `{name}=` isn't an option of an endpoint; {remedy}")
        raise DeclarationError(
            f"{place}: `{name}=` isn't an option of an endpoint; "
            f"the options are {', '.join(sorted(OPTIONS))}."
        )


def _listed(value: Any, name: str, place: str) -> tuple[Any, ...] | None:
    if value is None:
        return None
    if not _is_list(value):
        raise DeclarationError(f"{place}: `{name}` is a list; write `{name}=[{value!r}]`.")
    return tuple(value)


def _is_list(value: object) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _schema(type_: Any, name: str, place: str) -> Schema[Any] | None:
    if type_ is None:
        return None
    try:
        return Schema(type_)
    except DeclarationError as error:
        raise DeclarationError(f"{place}: `{name}=`: {error}") from error.__cause__
