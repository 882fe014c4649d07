"""Wishes beside an answer, and which of them a model can carry out or its server refuses."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from groundwire.agents.models.capabilities import LEAST_BUDGET, Capabilities

TEMPERATURE = "LLM_TEMPERATURE"
THINKING_BUDGET = "LLM_THINKING_BUDGET"
EFFORT = "LLM_EFFORT"


@dataclass(frozen=True, slots=True)
class Options:
    """How a model is sampled.

    Attributes:
        max_tokens: most tokens of an answer; what a model thinks comes on top.
        temperature: 0 to 1, or None for the model's own.
        top_p: 0 to 1, or None for the model's own; goes before a temperature.
        effort: one of `EFFORTS`, or empty for the model's own.
        thinking_budget: tokens for thinking, or 0.
        asked_for: the variables that somebody set, which are tried with unknown models too.
    """

    max_tokens: int = 2_000
    temperature: float | None = None
    top_p: float | None = None
    effort: str = ""
    thinking_budget: int = 0
    asked_for: frozenset[str] = frozenset()

    def suited(self, capabilities: Capabilities) -> Options:
        """Return the options that a model takes; the rest is left out."""
        budget = self.thinking_budget if capabilities.thinking == "budget" else 0
        tried = not capabilities.known and TEMPERATURE in self.asked_for
        # Sampling and a thinking budget exclude each other, and so do the two ways of sampling.
        sampled = not budget
        top_p = self.top_p if sampled and capabilities.top_p else None
        takes_temperature = sampled and top_p is None and (capabilities.temperature or tried)
        return Options(
            max_tokens=self.max_tokens,
            temperature=self.temperature if takes_temperature else None,
            top_p=top_p,
            effort=(capabilities.effort(self.effort) or "") if self.effort else "",
            thinking_budget=max(budget, LEAST_BUDGET) if budget else 0,
            asked_for=self.asked_for,
        )

    def without_effect(self, capabilities: Capabilities) -> tuple[str, ...]:
        """The variables that somebody set and that cannot act on this model."""
        suited = self.suited(capabilities)
        acts = {
            TEMPERATURE: suited.temperature is not None,
            THINKING_BUDGET: suited.thinking_budget > 0 or self.thinking_budget == 0,
            # Agents have tools.
            EFFORT: bool(suited.effort) and capabilities.effort_with_tools,
        }
        return tuple(name for name, does in acts.items() if name in self.asked_for and not does)


# Words of refusals by what they are about, the most telling first.
_WORDS: dict[str, tuple[str, ...]] = {
    "tool_choice": ("tool_choice", "tool choice"),
    "strict": ("strict", "too complex", "schema is too large", "grammar"),
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "thinking": ("thinking",),
    # Ollama speaks of thinking where it was asked for effort.
    "effort": ("effort", "output_config", "thinking"),
    "caching": ("cache_control",),
    "stream_options": ("stream_options",),
    "completion_limit": ("max_completion_tokens", "'max_tokens'", '"max_tokens"'),
}
FEATURES = frozenset(_WORDS)
"""What can be given up."""

REFUSING = frozenset({400, 422})
"""Statuses by which a server refuses what it was sent."""


class GivenUp:
    """The options that one server has refused; remembered as long as its model is used."""

    def __init__(self) -> None:
        self._features: set[str] = set()

    def __contains__(self, feature: str) -> bool:
        return feature in self._features

    def learn(self, message: str, sent: Collection[str]) -> bool:
        """Give up what a refusal is about; whether there was anything to give up.

        Args:
            message: what the server said.
            sent: the features that the request used.
        """
        said = message.lower()
        for feature, words in _WORDS.items():
            if feature in sent and feature not in self and any(word in said for word in words):
                self._features.add(feature)
                return True
        return False
