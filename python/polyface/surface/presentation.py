"""How a surface shows its tools to models, and what it does about what providers refuse."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import get_args

from ..errors import DeclarationError
from ..schema.provider import PROVIDER_RULES, Policy, ProviderFinding, ProviderRule
from .document import ToolDocument

__all__ = ["PresentationOptions"]

logger = logging.getLogger("polyface")


@dataclass(frozen=True, slots=True, kw_only=True)
class PresentationOptions:
    """Choices of a surface, alike for all of its mounts, manifests and digests.

    Args:
        flatten_unions: whether a discriminated union in a tool's arguments is shown as one object.
            What is accepted stays as it is.
        provider_rules: rule → what is done about a tool that breaks it on MCP or AGENT: `throw`
            refuses the mount, `warn` logs, `skip` leaves the tool out. A rule that isn't named has
            its default: `throw` for `untyped_array` and `duplicate_option`, `warn` for `root_union`
            and `unknown_format`.

    Raises:
        DeclarationError: a rule or a policy that there isn't.
    """

    flatten_unions: bool = False
    provider_rules: Mapping[ProviderRule, Policy] = field(
        default_factory=dict[ProviderRule, Policy]
    )

    def __post_init__(self) -> None:
        """Refuse what wouldn't be honoured, and keep a copy that nobody else changes."""
        object.__setattr__(self, "provider_rules", dict(self.provider_rules))
        faults = [
            f"`provider_rules` names `{rule}`; the rules are {', '.join(PROVIDER_RULES)}."
            for rule in self.provider_rules
            if rule not in PROVIDER_RULES
        ]
        faults += [
            f"`provider_rules` sets `{rule}` to `{policy}`; it takes {', '.join(get_args(Policy))}."
            for rule, policy in self.provider_rules.items()
            if policy not in get_args(Policy)
        ]
        if faults:
            raise DeclarationError(faults)

    def policy_of(self, finding: ProviderFinding) -> Policy:
        """What is done about a finding."""
        return self.provider_rules.get(finding.rule, PROVIDER_RULES[finding.rule].policy)

    def faults(self, documents: Iterable[ToolDocument]) -> list[str]:
        """Say what refuses a mount, one sentence for each finding."""
        return self._told(documents, "throw")

    def warn(self, documents: Iterable[ToolDocument]) -> None:
        """Log what is only warned of, all of it as one report."""
        if told := self._told(documents, "warn"):
            logger.warning(
                "some providers of models refuse a tool list for these:\n%s",
                "\n".join(f"- {text}" for text in told),
            )

    def is_shown(self, document: ToolDocument) -> bool:
        """Whether no rule leaves the tool out."""
        return all(self.policy_of(finding) != "skip" for finding in document.findings)

    def _told(self, documents: Iterable[ToolDocument], policy: Policy) -> list[str]:
        return [
            f"`{document.operation.label}` (tool `{document.name}`), {finding}."
            for document in documents
            for finding in document.findings
            if self.policy_of(finding) == policy
        ]
