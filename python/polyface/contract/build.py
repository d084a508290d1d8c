"""Contracts made at run time from data, with the checks of those written as classes."""

from __future__ import annotations

import keyword
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pydantic import create_model

from ..errors import DeclarationError
from . import verb
from .check import check_key
from .contract import Contract
from .endpoint import Endpoint
from .path import read_path

__all__ = ["build_contract"]

AnyEndpoint: TypeAlias = Endpoint[Any, Any, Any, ...]

VERBS = {
    name.upper(): getattr(verb, name) for name in ("get", "head", "post", "put", "patch", "delete")
}


def build_contract(
    name: str,
    endpoints: Mapping[str, AnyEndpoint | Mapping[str, Any]],
    *,
    base: type[Contract] = Contract,
    **options: Any,
) -> type[Contract]:
    """Make a contract class from data.

    Args:
        name: the class's name, which messages show.
        endpoints: key → an endpoint, or a mapping with `method`, `path` and the options of a verb.
            Such a mapping may leave `params` out: what its path captures is then required text.
        base: the application's own base class, for its policy.
        options: `prefix`, `scope` and `meta`, as for a contract class.

    Raises:
        DeclarationError: the same faults, in the same words, as a contract class.
    """
    made: dict[str, AnyEndpoint] = {}
    faults: list[str] = []
    for index, (key, described) in enumerate(endpoints.items()):
        try:
            made[_attribute(key, index)] = _endpoint(name, key, described)
        except DeclarationError as error:
            faults += error.faults
    if faults:
        raise DeclarationError(faults)
    metaclass: Any = type(base)
    contract: type[Contract] = metaclass(name, (base,), dict(made), **options)
    return contract


def _attribute(key: str, index: int) -> str:
    """The class attribute of an endpoint: its key, where Python lets that be one."""
    is_name = key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("_")
    return key if is_name else f"endpoint_{index}"


def _endpoint(name: str, key: str, described: AnyEndpoint | Mapping[str, Any]) -> AnyEndpoint:
    check_key(key, f"`{name}`")
    if isinstance(described, Endpoint):
        return replace(described, key=key)
    given = {**described, "key": key}
    method, path = str(given.pop("method", "")), given.pop("path", None)
    place = f"`{name}.{key}`"
    if method not in VERBS:
        raise DeclarationError(f"{place}: `method` is one of {', '.join(VERBS)}, not `{method}`.")
    if not isinstance(path, str):
        raise DeclarationError(f"{place}: `path` is missing; give the place under the prefix.")
    captures = read_path(path, place=place).captures
    if captures and given.get("params") is None:
        fields: dict[str, Any] = dict.fromkeys(captures, (str, ...))
        given["params"] = create_model(f"{key.title()}Params", **fields)
    made: AnyEndpoint = VERBS[method](path, **given)
    return made
