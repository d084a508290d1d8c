"""What a surface is made of: its operations in mount order, checked together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from types import NoneType
from typing import Any, get_args

from ..errors import DeclarationError
from ..execution.hooks import Hooks
from ..operations.implement import Service, service_operations
from ..operations.operation import Operation
from ..operations.runtime_tool import RuntimeTool
from ..schema.adapter import type_name
from ..schema.spelling import writes_constants

__all__ = ["read_operations", "refuse_contextless", "refuse_unguarded"]


def read_operations(
    services: Iterable[Service[Any]],
    runtime_tools: Iterable[RuntimeTool[Any, Any]],
    hooks: Hooks,
) -> tuple[Operation, ...]:
    """Return the operations: services in order, endpoints as declared, then runtime tools.

    Raises:
        DeclarationError: every fault at once.
    """
    faults: list[str] = []
    operations: list[Operation] = []
    seen: set[int] = set()
    for service in services:
        if id(service) in seen:
            faults.append(f"`{service!r}` is listed twice.")
            continue
        seen.add(id(service))
        if not isinstance(service, Service):
            faults.append(f"`{service!r}` isn't a service; make one with `implement(...)`.")
            continue
        try:
            operations += service_operations(service)
        except DeclarationError as error:
            faults += error.faults
    for tool in runtime_tools:
        if isinstance(tool, RuntimeTool):
            operations.append(tool.operation)
        else:
            faults.append(f"`{tool!r}` isn't a runtime tool; decorate it with `runtime_tool(...)`.")
    faults += [*_repeated(operations), *_same_identity(operations), *_unguarded(operations, hooks)]
    faults += _unwritable(operations)
    if faults:
        raise DeclarationError(faults)
    return tuple(operations)


def refuse_contextless(services: Iterable[object], context: object) -> None:
    """Raise `DeclarationError` for services that name a context where there is none to get."""
    if context is not None:
        return
    faults: list[str] = []
    for service in services:
        if not isinstance(service, Service):
            continue
        wanted = service._context  # pyright: ignore[reportPrivateUsage]  # read here alone
        if wanted not in (None, object, Any) and NoneType not in get_args(wanted):
            faults.append(
                f"`{service!r}` names the context `{type_name(wanted)}`, but the surface has no "
                f"`context=`; give the function that makes one for each call."
            )
    if faults:
        raise DeclarationError(faults)


def _unwritable(operations: list[Operation]) -> Iterator[str]:
    """Yield the answers whose schema writes `NaN` as a token, which no JSON reader has to read."""
    for operation in operations:
        view = operation.view.output if operation.view is not None else None
        for schema in (operation.output, view):
            if schema is not None and writes_constants(schema.core):
                yield (
                    f"`{operation.label}`: `{schema.name}` writes NaN and infinity as tokens that "
                    f'aren\'t JSON; set `ser_json_inf_nan` to "null" or "strings".'
                )


def refuse_unguarded(operations: Iterable[Operation], hooks: Hooks) -> None:
    """Raise `DeclarationError` if hooks leave an operation without the guard that it asks for."""
    faults = [*_unguarded(operations, hooks)]
    if faults:
        raise DeclarationError(faults)


def _same_identity(operations: list[Operation]) -> Iterator[str]:
    seen: set[tuple[str, str]] = set()
    for operation in operations:
        if operation.kind != "runtime":
            continue
        if (operation.service, operation.key) in seen:
            yield f"two runtime tools have the identity `{operation.label}`; change one."
        seen.add((operation.service, operation.key))


def _repeated(operations: list[Operation]) -> list[str]:
    faults: list[str] = []
    matched: dict[tuple[str, str], Operation] = {}
    documented: dict[tuple[str, str], Operation] = {}
    identifiers: dict[str, Operation] = {}
    for operation in operations:
        if "HTTP" not in operation.expose:
            continue
        # Names don't tell two paths apart for a router, nor convertors for a reader of the
        # document.
        for seen, spelling in ((matched, r"{[^:}]+"), (documented, r"(?<=\w):[a-z]+(?=})")):
            path = re.sub(spelling, "", operation.path)
            other = seen.setdefault((operation.method, path), operation)
            if other is not operation:
                where = f"`{operation.method} {operation.path}`"
                faults.append(
                    f"`{operation.label}` and `{other.label}` are both {where}; change one path."
                )
                break
        other = identifiers.setdefault(operation.operation_id, operation)
        if other is not operation:
            faults.append(
                f"`{operation.label}` and `{other.label}` both have the operation identifier "
                f"`{operation.operation_id}`; give one `operation_id=`."
            )
    return faults


def _unguarded(operations: Iterable[Operation], hooks: Hooks) -> Iterator[str]:
    for operation in operations:
        if hooks.authorize is None and operation.scope != "public":
            yield (
                f"`{operation.label}` has the scope `{operation.scope}`, but the surface has no "
                f'`Hooks(authorize=...)`; add one, or declare `scope="public"`.'
            )
        if (
            hooks.authorize is not None
            and operation.kind == "runtime"
            and operation.scope_is_default
        ):
            yield (
                f"the runtime tool `{operation.label}` names no scope, but the surface is guarded; "
                f'name one, `scope="public"` if it is for everyone.'
            )
