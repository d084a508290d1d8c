"""A contract: named endpoints under one prefix, as a class whose namespace is theirs alone.

What polyface needs of a contract is read with `contract_of`, never through an attribute, so that
`get`, `list`, `prefix` and any other word can name an endpoint.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from ..errors import DeclarationError
from .endpoint import Endpoint
from .path import join_path
from .policy import ContractPolicy, apply_policy, policy_faults
from .view import is_declared_view

__all__ = ["Contract", "ContractInfo", "contract_of"]

AnyEndpoint: TypeAlias = Endpoint[Any, Any, Any, ...]


@dataclass(frozen=True, eq=False, kw_only=True)
class ContractInfo:
    """What a contract class declares.

    Args:
        name: the class's name.
        prefix: the first part of every path, without slashes around it; may be empty.
        scope: who may call an endpoint that names no scope of its own; None is `public`.
        meta: values of the application's own, under each endpoint's.
        endpoints: key → bound endpoint, in the order of declaration.
    """

    name: str
    prefix: str
    scope: str | None
    meta: Mapping[str, Any] | None
    endpoints: Mapping[str, AnyEndpoint]


if TYPE_CHECKING:
    # A checker checks the keywords of a class only if its metaclass is `type`.
    _ContractType = type
else:

    class _ContractType(type):
        """Makes a contract's endpoints constants: another value under their name is refused."""

        def __setattr__(cls, name: str, value: object) -> None:
            if name in cls.__dict__ and isinstance(cls.__dict__[name], Endpoint):
                raise DeclarationError(
                    f"`{cls.__name__}.{name}` is an endpoint and can't be replaced."
                )
            super().__setattr__(name, value)


class Contract(metaclass=_ContractType):
    """Declare endpoints as class attributes of a subclass.

    Args:
        prefix: the first part of every path and of derived tool names, `people` for one.
        scope: who may call an endpoint that names no scope of its own; by default `public`.
        meta: values of the application's own that every endpoint starts from.
        policy: makes the class a base for contracts, which all follow the policy.

    Raises:
        DeclarationError: when the class is made, with every fault at once.

    Example:
        class People(pf.Contract, prefix="people"):
            fetch = pf.get("/{person_id}", desc="One person.", params=PersonId, output=Person)
    """

    __polyface__: ContractInfo
    __policy__: ContractPolicy = ContractPolicy()

    def __init_subclass__(
        cls,
        *,
        prefix: str | None = None,
        scope: str | None = None,
        meta: Mapping[str, Any] | None = None,
        policy: ContractPolicy | None = None,
    ) -> None:
        inherited = _policy_of(cls)
        if policy is not None:
            _refuse_full_base(cls, prefix)
            type.__setattr__(cls, "__policy__", policy)
            return
        bound: dict[str, AnyEndpoint] = {}
        faults = [*_prefix_faults(cls.__name__, prefix)]
        for attribute, value in [*vars(cls).items()]:
            if isinstance(value, Endpoint):
                declared: AnyEndpoint = value  # pyright: ignore[reportUnknownVariableType]  # of any types
                key = declared.key or attribute
                if key in bound:
                    faults.append(f"`{cls.__name__}`: two endpoints have the key `{key}`.")
                endpoint = replace(
                    apply_policy(inherited, declared),
                    owner=cls.__name__,
                    key=key,
                    attribute=attribute,
                )
                bound[key] = endpoint
                type.__setattr__(cls, attribute, endpoint)
            elif not attribute.startswith("__"):
                faults.append(
                    f"`{cls.__name__}.{attribute}` isn't an endpoint; "
                    f"a contract's namespace holds endpoints only."
                )
        if not bound and not faults:
            faults.append(
                f"`{cls.__name__}` has no endpoint; declare one, such as "
                f'`list_ = get("", desc="...")`, or give a base for contracts its `policy=`.'
            )
        faults += _option_faults(cls.__name__, scope, meta)
        faults += _endpoint_faults(prefix if isinstance(prefix, str) else "", bound)
        faults += policy_faults(inherited, cls.__name__, scope, bound.values())
        if faults:
            raise DeclarationError(faults)
        cls.__polyface__ = ContractInfo(
            name=cls.__name__, prefix=prefix or "", scope=scope, meta=meta, endpoints=bound
        )

    def __init__(self) -> None:
        raise DeclarationError(
            f"`{type(self).__name__}` is a declaration; bind handlers with `implement(...)`."
        )


def contract_of(contract: type[Contract]) -> ContractInfo:
    """Return what a contract class declares.

    Raises:
        DeclarationError: the object isn't a contract.
    """
    info = getattr(contract, "__polyface__", None)
    if not isinstance(info, ContractInfo):
        raise DeclarationError(f"`{contract!r}` isn't a contract; subclass `polyface.Contract`.")
    return info


def _policy_of(cls: type[Contract]) -> ContractPolicy:
    """The policy that a contract inherits; its one base is `Contract` or a policy's base."""
    if len(cls.__bases__) != 1 or "__polyface__" in cls.__bases__[0].__dict__:
        raise DeclarationError(
            f"`{cls.__name__}`: a contract doesn't inherit endpoints; "
            f"declare all of them in one class."
        )
    policy: ContractPolicy = cls.__policy__
    return policy


def _refuse_full_base(cls: type[Contract], prefix: str | None) -> None:
    if prefix is not None or any(isinstance(value, Endpoint) for value in vars(cls).values()):
        raise DeclarationError(
            f"`{cls.__name__}`: a class with a `policy` is a base for contracts; "
            f"declare the prefix and the endpoints in a class that derives from it."
        )


def _prefix_faults(name: str, prefix: str | None) -> Iterator[str]:
    if prefix is None:
        yield f'`{name}`: the prefix is missing; write `class {name}(Contract, prefix="...")`.'
    elif not isinstance(prefix, str) or not re.fullmatch(
        r"((?!\.{1,2}(/|$))[A-Za-z0-9._~-]+(/(?!\.{1,2}(/|$))[A-Za-z0-9._~-]+)*)?", prefix
    ):
        yield (
            f"`{name}`: the prefix `{prefix}` isn't path segments without slashes around them, "
            f"such as `people` or `admin/people`."
        )


def _option_faults(name: str, scope: object, meta: object) -> Iterator[str]:
    if scope is not None and not (isinstance(scope, str) and scope.strip()):
        yield f"`{name}`: the scope `{scope!r}` isn't a word; leave it out for `public`."
    if meta is not None and not isinstance(meta, Mapping):
        yield f"`{name}`: `meta=` maps names to values, and `{meta!r}` doesn't."


def _endpoint_faults(prefix: str, endpoints: Mapping[str, AnyEndpoint]) -> Iterator[str]:
    paths: dict[tuple[str, str], AnyEndpoint] = {}
    names: dict[tuple[str, str], AnyEndpoint] = {}
    for endpoint in endpoints.values():
        pattern = re.sub(r"\{[^:}]+", "{", join_path(prefix, endpoint.path.text))
        other = endpoint
        if "HTTP" in endpoint.expose:
            other = paths.setdefault((endpoint.method, pattern), endpoint)
        if other is not endpoint:
            yield (
                f"{endpoint.place} and {other.place} are both "
                f"`{endpoint.method} {join_path(prefix, endpoint.path.text)}`; change one path."
            )
        yield from _tool_faults(endpoint, names)


def _tool_faults(endpoint: AnyEndpoint, names: dict[tuple[str, str], AnyEndpoint]) -> Iterator[str]:
    view, name = endpoint.tool.view, endpoint.tool.name
    if view is not None and not is_declared_view(view):
        yield f"{endpoint.place}: its view isn't declared with `with_tool_view(...)`."
    if name is None:
        return
    for transport in endpoint.tool_transports:
        other = names.setdefault((transport, name), endpoint)
        if other is not endpoint:
            yield (
                f"{endpoint.place} and {other.place} both name the tool `{name}` on {transport}; "
                f"rename one."
            )
            return
