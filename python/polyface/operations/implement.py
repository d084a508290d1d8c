"""`implement`: handlers for the endpoints of a contract."""

# pyright: reportPrivateUsage=false
# What a service holds is read by `service_operations`; its users register handlers and no more.

from __future__ import annotations

import inspect
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeAlias, overload

from typing_extensions import TypeForm, TypeVar

from ..contract.contract import Contract, ContractInfo, contract_of
from ..contract.endpoint import Endpoint
from ..errors import DeclarationError
from .call import Call
from .operation import Operation, operation_of

__all__ = ["Rows", "Service", "implement"]

P = TypeVar("P")
I = TypeVar("I")  # noqa: E741  # the letters of Endpoint[P, I, O, K]
O = TypeVar("O")  # noqa: E741
C = TypeVar("C")
C_contra = TypeVar("C_contra", contravariant=True, default=object)

Rows: TypeAlias = Mapping[str, Any] | Sequence[Mapping[str, Any]]
"""What a database returns: a mapping or a sequence of them, checked at run time."""
R = TypeVar("R", bound=Rows)


class HandlerDecorator(Protocol[P, I, O, C]):
    """Registers a handler that returns the output's type, rows or `Any`; hands it back."""

    @overload
    def __call__(
        self, function: Callable[[Call[P, I, C]], O], /
    ) -> Callable[[Call[P, I, C]], O]: ...
    @overload
    def __call__(
        self, function: Callable[[Call[P, I, C]], Coroutine[Any, Any, O]], /
    ) -> Callable[[Call[P, I, C]], Coroutine[Any, Any, O]]: ...
    @overload
    def __call__(
        self, function: Callable[[Call[P, I, C]], R], /
    ) -> Callable[[Call[P, I, C]], R]: ...
    @overload
    def __call__(
        self, function: Callable[[Call[P, I, C]], Coroutine[Any, Any, R]], /
    ) -> Callable[[Call[P, I, C]], Coroutine[Any, Any, R]]: ...


class Service(Generic[C_contra]):
    """A contract and its handlers. Made by `implement`.

    Its type says which context its handlers need: `Service[object]` needs none, so it goes together
    with services that need one.
    """

    def __init__(self, contract: ContractInfo, context: Any = None) -> None:
        self._contract = contract
        self._context = context
        self._handlers: dict[str, Callable[[Any], Any]] = {}

    def __repr__(self) -> str:
        return f"Service({self._contract.name})"

    def handler(self, endpoint: Endpoint[P, I, O, ...], /) -> HandlerDecorator[P, I, O, C_contra]:
        """Register the handler of one endpoint.

        The handler is a function of one argument, the call; sync ones run in a bounded thread pool.

        Raises:
            DeclarationError: the endpoint isn't of this contract or has a handler, or the function
                doesn't take exactly one argument.
        """
        if not isinstance(endpoint, Endpoint):
            raise DeclarationError(
                f"`handler` takes an endpoint: write "
                f"`@service.handler({self._contract.name}.<name>)`."
            )
        key = endpoint.key or ""
        if self._contract.endpoints.get(key) is not endpoint:
            raise DeclarationError(
                f"{endpoint.place} isn't an endpoint of `{self._contract.name}`; "
                f"pass it as `{self._contract.name}.<name>`."
            )
        if key in self._handlers:
            raise DeclarationError(f"{endpoint.place} has a handler already.")

        def register(function: Callable[[Any], Any]) -> Any:
            check_handler(function, endpoint.place)
            self._handlers[key] = function
            return function

        return register


@overload
def implement(contract: type[Contract]) -> Service[object]: ...
@overload
def implement(contract: type[Contract], *, context: TypeForm[C]) -> Service[C]: ...
def implement(contract: type[Contract], *, context: Any = None) -> Service[Any]:
    """Start a service of a contract; register handlers with `service.handler`.

    Args:
        contract: the contract class.
        context: the type of `call.context`, for type checkers. The surface's factory makes the
            value, and a surface without one is refused.
    """
    return Service(contract_of(contract), context)


def service_operations(service: Service[Any]) -> tuple[Operation, ...]:
    """Return the operations of a service in the order of declaration.

    Raises:
        DeclarationError: endpoints without a handler, all of them at once.
    """
    contract, handlers = service._contract, service._handlers
    missing = [endpoint for key, endpoint in contract.endpoints.items() if key not in handlers]
    if missing:
        raise DeclarationError(
            [
                f"{endpoint.place} has no handler; register one with "
                f"`@service.handler({contract.name}.{endpoint.attribute})`."
                for endpoint in missing
            ]
        )
    return tuple(
        operation_of(contract, endpoint, handlers[key])
        for key, endpoint in contract.endpoints.items()
    )


def check_handler(function: Callable[[Any], Any], place: str) -> None:
    """Refuse what can't be called with the call alone."""
    if not callable(function):
        raise DeclarationError(f"{place}: a handler is a function of one argument, the call.")
    try:
        inspect.signature(function).bind(None)
    except TypeError as error:
        raise DeclarationError(
            f"{place}: a handler takes one argument, the call; "
            f"`{getattr(function, '__name__', function)}` can't be called so ({error})."
        ) from None
    except ValueError:
        return  # a builtin without a signature: it is called and fails by itself
