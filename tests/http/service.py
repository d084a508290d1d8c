"""Services whose handlers answer from a table and remember what they were called with."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from starlette.applications import Starlette

import polyface as pf
from polyface.contract.contract import contract_of
from polyface.http import http_app


@dataclass
class Recorded:
    """A surface, and the calls that reached a handler: `(endpoint's key, params, input)`."""

    surface: pf.Surface[Any]
    calls: list[tuple[str, Any, Any]] = field(default_factory=list)

    @cached_property
    def app(self) -> Starlette:
        return http_app(self.surface)

    def anew(self) -> "Recorded":
        """Forget the calls, so that the next test counts its own."""
        self.calls.clear()
        return self

    @property
    def inputs(self) -> list[Any]:
        return [given for _, _, given in self.calls]


def record(
    *contracts: type[pf.Contract], answers: Mapping[str, Any] | None = None, **options: Any
) -> Recorded:
    """Serve contracts with handlers that answer from a table.

    Args:
        contracts: whose endpoints.
        answers: endpoint's key → the answer, a function of the call, or an exception to raise.
        options: the surface's.
    """
    calls: list[tuple[str, Any, Any]] = []
    services = []
    for contract in contracts:
        service = pf.implement(contract)
        for key, endpoint in contract_of(contract).endpoints.items():
            service.handler(endpoint)(_handler(key, (answers or {}).get(key), calls))
        services.append(service)
    return Recorded(pf.Surface(services, **options), calls)


def _handler(key: str, answer: Any, calls: list[tuple[str, Any, Any]]) -> Callable[..., Any]:
    async def handle(call: pf.Call[Any, Any]) -> Any:
        calls.append((key, call.params, call.input))
        if isinstance(answer, BaseException):
            raise answer
        made = answer(call) if callable(answer) else answer
        return await made if inspect.isawaitable(made) else made

    return handle
