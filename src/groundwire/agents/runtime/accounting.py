"""Accounting of a run: tokens, money and tools, counted one response and one call at a time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from pydantic import JsonValue

from groundwire.agents.runtime.model import ModelResponse
from groundwire.agents.runtime.output import ReasoningStep, TokenUsage


@dataclass(slots=True)
class Account:
    """The sums of one run.

    Attributes:
        prompt_tokens: of all model calls, cached ones among them.
        completion_tokens: of all model calls.
        cost_usd: of all responses whose price is known, and of agents that were called as tools.
        dearest_usd: of one response.
        priced: whether the price of every response is known.
    """

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float = 0.0
    dearest_usd: float = 0.0
    priced: bool = True

    def add(self, response: ModelResponse, *, free: bool) -> None:
        """Count one response; prices go by tier, so each is priced by itself."""
        usage = response.usage
        self.prompt_tokens += usage.prompt + usage.cache_read + usage.cache_write
        self.completion_tokens += usage.completion
        if response.cost_usd is not None:
            self.cost_usd += response.cost_usd
            self.dearest_usd = max(self.dearest_usd, response.cost_usd)
        elif not free:
            self.priced = False

    def add_called_agent(self, data: Mapping[str, JsonValue]) -> None:
        """Count what an agent took that was called as a tool, by the metadata of its output."""
        metadata = data.get("metadata")
        if not isinstance(metadata, dict):
            return
        cost, usage = metadata.get("estimated_cost_usd"), metadata.get("token_usage")
        if isinstance(cost, int | float):
            self.cost_usd += cost
        if isinstance(usage, dict):
            self.prompt_tokens += _count(usage.get("prompt_tokens"))
            self.completion_tokens += _count(usage.get("completion_tokens"))

    def token_usage(self) -> TokenUsage:
        """Tokens of all model calls."""
        return TokenUsage(
            prompt_tokens=self.prompt_tokens,
            completion_tokens=self.completion_tokens,
            total_tokens=self.prompt_tokens + self.completion_tokens,
        )


def tools_used(steps: Iterable[ReasoningStep]) -> tuple[str, ...]:
    """Names of the tools that the trace called, each once, first use first."""
    return tuple(dict.fromkeys(step.action.tool for step in steps if step.action))


def _count(value: JsonValue) -> int:
    return value if isinstance(value, int) else 0
