"""Settings of the models from the environment, checked only by whoever starts agents."""

from __future__ import annotations

from dataclasses import dataclass

from groundwire.agents.models.capabilities import EFFORTS
from groundwire.agents.models.options import EFFORT, TEMPERATURE, THINKING_BUDGET
from groundwire.config import AiSettings
from groundwire.errors import ConfigurationError

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
