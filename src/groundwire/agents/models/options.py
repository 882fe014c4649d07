"""Options of an answer: settings of the environment, wishes of a call, and what a model can do."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from groundwire.agents.models.capabilities import EFFORTS, LEAST_BUDGET, Capabilities
from groundwire.config import AiSettings
from groundwire.errors import ConfigurationError

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


PROVIDERS = (
    "rules",
    "anthropic",
    "openai",
    "ollama",
    "mistral",
    "copilot",
    "claude-cli",
    "vibe-cli",
)
"""What `AI_PROVIDER` may be."""

MAX_AGENT_STEPS = 3
"""Rounds of the ontology agent where `LLM_MAX_AGENT_STEPS` is not set."""

_MOST_STEPS = 1_000
_MOST_THINKING = 128_000


@dataclass(frozen=True, slots=True)
class Wishes:
    """The settings that are wanted.

    Attributes:
        provider: one of `PROVIDERS`.
        effort: one of `EFFORTS`, or empty.
        temperature: 0 to 1, or None where nobody said.
        thinking_budget: tokens, or 0.
        max_agent_steps: rounds of the ontology agent.
        asked_for: the variables that are set.
    """

    provider: str = "rules"
    effort: str = ""
    temperature: float | None = None
    thinking_budget: int = 0
    max_agent_steps: int = MAX_AGENT_STEPS
    asked_for: frozenset[str] = frozenset()


def wishes_of(ai: AiSettings) -> Wishes:
    """Read what the environment says.

    Raises:
        ConfigurationError: a variable holds something else than it may; the message names what.
    """
    set_to = {
        EFFORT: ai.effort,
        TEMPERATURE: ai.temperature,
        THINKING_BUDGET: ai.thinking_budget,
    }
    budget = _number("LLM_THINKING_BUDGET", ai.thinking_budget, 0, _MOST_THINKING)
    steps = _number("LLM_MAX_AGENT_STEPS", ai.max_agent_steps, 1, _MOST_STEPS)
    return Wishes(
        provider=_one_of("AI_PROVIDER", ai.provider, PROVIDERS) or "rules",
        effort=_one_of(EFFORT, ai.effort, EFFORTS),
        temperature=_temperature(ai.temperature),
        thinking_budget=budget or 0,
        max_agent_steps=MAX_AGENT_STEPS if steps is None else steps,
        asked_for=frozenset(name for name, value in set_to.items() if value),
    )


def _one_of(variable: str, value: str, allowed: tuple[str, ...]) -> str:
    wanted = value.strip().lower().replace("_", "-")
    if wanted and wanted not in allowed:
        raise ConfigurationError(
            f"{variable}={value[:40]!r} is unknown: set it to one of {', '.join(allowed)}."
        )
    return wanted


def _number(variable: str, value: str, least: int, most: int) -> int | None:
    if not value:
        return None
    if not (value.isascii() and value.isdigit()) or not least <= int(value[:12]) <= most:
        raise ConfigurationError(
            f"{variable}={value[:40]!r} is no whole number from {least} to {most}."
        )
    return int(value)


def _temperature(value: str) -> float | None:
    if not value:
        return None
    try:
        number = float(value)
    except ValueError:
        number = -1.0
    if not 0.0 <= number <= 1.0:
        raise ConfigurationError(f"{TEMPERATURE}={value[:40]!r} is no number from 0 to 1.")
    return number
