"""A surface's tools for agents: definitions in each provider's form, calls, and results."""

from .result import AgentCall, AgentResult
from .tools import AgentTools, agent_tools

__all__ = ["AgentCall", "AgentResult", "AgentTools", "agent_tools"]
