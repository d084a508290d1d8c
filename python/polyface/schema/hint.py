"""Words on a key of a flattened union: when it is used, and what its branches say of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Use", "describe"]


@dataclass(frozen=True)
class Use:
    """How one branch uses a key.

    Args:
        values: the discriminator's texts that mean the branch.
        description: what the branch says of the key.
        required: whether the key must be given.
    """

    values: tuple[str, ...]
    description: str | None
    required: bool


def describe(discriminator: str, uses: Sequence[Use], *, everywhere: bool) -> str:
    """Say what a key is for, and with which of the discriminator's texts it goes.

    A description that all branches share is said once; others are said of their own branch only.

    Args:
        discriminator: the property that tells the branches apart.
        uses: one for each branch that has the key.
        everywhere: whether every branch of the union has it.
    """
    sentences: list[str] = []
    described = {use.description for use in uses}
    if len(described) == 1:
        sentences += [_sentence(text) for text in described if text]
    else:
        sentences += [
            f"For {_listed([use])}: {_sentence(use.description)}" for use in uses if use.description
        ]
    if hint := _hint(discriminator, uses, everywhere):
        sentences.append(hint)
    return " ".join(sentences)


def _hint(discriminator: str, uses: Sequence[Use], everywhere: bool) -> str:
    requiring = [use for use in uses if use.required]
    if everywhere:
        if len(requiring) in (0, len(uses)):
            return ""
        return f"Required when `{discriminator}` is {_listed(requiring)}, optional otherwise."
    only = f"Only when `{discriminator}` is {_listed(uses)}"
    if len(requiring) == len(uses):
        return f"{only}, and required there."
    if requiring:
        return f"{only}; required when it is {_listed(requiring)}."
    return f"{only}, and optional there."


def _sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def _listed(uses: Sequence[Use]) -> str:
    return " or ".join(f"`{value}`" for use in uses for value in use.values)
