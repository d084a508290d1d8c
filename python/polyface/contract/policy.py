"""Rules that one application gives all its contracts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from .endpoint import Endpoint

__all__ = ["ContractPolicy", "apply_policy"]

AnyEndpoint: TypeAlias = Endpoint[Any, Any, Any, ...]


@dataclass(frozen=True, kw_only=True)
class ContractPolicy:
    """What every contract of an application must say.

    Args:
        exposure: `explicit` serves an endpoint that names no `expose` over HTTP only, so that a
            forgotten line exposes no tool; `default` is what a contract without a policy does.
        scopes: the scopes there are; each contract or endpoint must then name one. None asks
            nothing.

    Example:
        class AppContract(pf.Contract, policy=pf.ContractPolicy(exposure="explicit")): ...

        class People(AppContract, prefix="people"): ...
    """

    exposure: Literal["default", "explicit"] = "default"
    scopes: tuple[str, ...] | None = None


def apply_policy(policy: ContractPolicy, endpoint: AnyEndpoint) -> AnyEndpoint:
    """Return the endpoint as the policy has it, before anything reads it."""
    if policy.exposure == "explicit" and endpoint.expose_is_default:
        return replace(endpoint, expose=("HTTP",))
    return endpoint


def policy_faults(
    policy: ContractPolicy, name: str, scope: str | None, endpoints: Iterable[AnyEndpoint]
) -> Iterator[str]:
    """Yield what a contract says against its policy, a sentence each."""
    for endpoint in endpoints:
        has_options = endpoint.grouped_tool or endpoint.tool.view is not None
        if has_options and not endpoint.tool_transports:
            yield (
                f"{endpoint.place}: it has tool options, but the policy serves it over HTTP only; "
                f'name its transports, as `expose=["HTTP", "MCP"]`.'
            )
        if policy.scopes is None:
            continue
        chosen = endpoint.scope if endpoint.scope is not None else scope
        known = ", ".join(f"`{item}`" for item in policy.scopes)
        if chosen is None:
            yield f"{endpoint.place}: the policy wants a scope; name one of {known} on `{name}`."
        elif chosen not in policy.scopes:
            yield f"{endpoint.place}: the scope `{chosen}` isn't one of {known}."
