"""Options of an answer: settings of the environment, wishes of a call, and what a model can do.

A table has the capabilities of each family of models, and careful defaults for what it does not
know. Whatever a model refuses is a failed request, so an unknown model is sent nothing that some
model refuses. Sources: the makers' own descriptions of the models of 2025 and 2026; forced tool
choice of the Claude 5 families was tried at the API.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Literal

from groundwire.config import AiSettings
from groundwire.errors import ConfigurationError

Thinking = Literal["none", "always", "adaptive", "budget"]

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""What `LLM_EFFORT` may be, from least to most."""

LEAST_BUDGET = 1_024
"""Tokens of the smallest thinking budget that is taken."""

# Thinking is counted as output: what it may take on top of the answer, by effort.
_ROOM = {"low": 4_000, "medium": 8_000, "high": 16_000, "xhigh": 32_000, "max": 64_000}

TEMPERATURE = "LLM_TEMPERATURE"
THINKING_BUDGET = "LLM_THINKING_BUDGET"
EFFORT = "LLM_EFFORT"


@dataclass(frozen=True, slots=True)
class Capabilities:
    """The capabilities of a model.

    Attributes:
        known: whether the table has it; what an unknown model takes is tried only where asked for.
        forced_tool: whether `tool_choice` may name a tool; else it is asked for in words.
        temperature: whether it takes a temperature.
        top_p: whether it takes top_p.
        thinking: `always` as the model's own default, `adaptive` where asked for, `budget` of a
            number of tokens, or `none`.
        efforts: values of its effort, from least to most; empty if it takes none.
        effort_with_tools: whether effort and tools go together.
        strict_tools: whether it can be held to a tool's schema.
        caching: whether parts of a request can be marked to be cached.
        completion_limit: name of the field that bounds a response.
    """

    known: bool = True
    forced_tool: bool = False
    temperature: bool = False
    top_p: bool = False
    thinking: Thinking = "none"
    efforts: tuple[str, ...] = ()
    effort_with_tools: bool = True
    strict_tools: bool = False
    caching: bool = False
    completion_limit: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"

    def effort(self, wanted: str) -> str | None:
        """The effort that comes closest to what is wanted, or None if the model takes none."""
        if wanted in self.efforts or not self.efforts:
            return wanted if self.efforts else None
        below = [one for one in EFFORTS[: EFFORTS.index(wanted)] if one in self.efforts]
        return below[-1] if below else self.efforts[0]

    def room(self, wanted: str, budget: int) -> int:
        """Tokens for thinking, on top of those of the answer.

        Args:
            wanted: the effort that was asked for, or empty.
            budget: the thinking budget in force, or 0.
        """
        if self.thinking == "budget":
            return budget
        return 0 if self.thinking == "none" else _ROOM.get(wanted, _ROOM["medium"])


_CLAUDE = Capabilities(caching=True, strict_tools=True, efforts=EFFORTS)
_CLAUDE_5 = replace(_CLAUDE, forced_tool=True, thinking="always")
_CLAUDE_5_UNFORCED = replace(_CLAUDE, thinking="always")
_CLAUDE_4_ADAPTIVE = replace(_CLAUDE, forced_tool=True, thinking="adaptive")
_CLAUDE_4_BUDGET = replace(
    _CLAUDE, forced_tool=True, temperature=True, top_p=True, thinking="budget", efforts=()
)

_CHAT = Capabilities(forced_tool=True, temperature=True, top_p=True)
_OPENAI_CHAT = replace(_CHAT, strict_tools=True, completion_limit="max_completion_tokens")
_REASONING = Capabilities(
    forced_tool=True,
    thinking="always",
    efforts=("low", "medium", "high"),
    strict_tools=True,
    completion_limit="max_completion_tokens",
)
_REASONING_WIDE = replace(_REASONING, efforts=("none", "low", "medium", "high", "xhigh"))

# By maker; the first pattern that is all of a name decides. Dates and `-latest` are cut off before.
_FAMILIES: dict[str, tuple[tuple[str, Capabilities], ...]] = {
    "anthropic": (
        (r"claude-(opus|sonnet)-5-5", _CLAUDE_5_UNFORCED),
        (r"claude-haiku-5-5", _CLAUDE_5),
        (r"claude-(fable|mythos)-5-[12]", _CLAUDE_5_UNFORCED),
        (r"claude-(opus|sonnet|fable)-5", _CLAUDE_5),
        (r"claude-mythos-5", _CLAUDE_5_UNFORCED),
        (r"claude-opus-4-[78]", _CLAUDE_4_ADAPTIVE),
        (r"claude-(opus|sonnet)-4-6", replace(_CLAUDE_4_ADAPTIVE, temperature=True, top_p=True)),
        (r"claude-(opus|sonnet|haiku)-4-5", _CLAUDE_4_BUDGET),
        (r"claude-(opus|sonnet)-4(-[01])?", replace(_CLAUDE_4_BUDGET, strict_tools=False)),
    ),
    "openai": (
        (r"o1-(mini|preview).*", replace(_REASONING, efforts=(), strict_tools=False)),
        (r"o\d(-.*)?", _REASONING),
        (r"gpt-(4.*|5(\.\d)?-chat.*)", _OPENAI_CHAT),
        (r"gpt-5\.[0-3](-.*)?", _REASONING_WIDE),
        # From 5.4 on chat completions take no effort but `none` beside tools.
        (r"gpt-5\.\d(-.*)?", replace(_REASONING_WIDE, effort_with_tools=False)),
        (r"gpt-5(-.*)?", _REASONING),
    ),
    "mistral": (
        (r"magistral-.*", replace(_CHAT, thinking="always")),
        (r"mistral-small|mistral-medium-3-5", replace(_CHAT, efforts=("none", "high"))),
        (r"(open-)?(mistral|ministral|mixtral|codestral|devstral|pixtral)-.*", _CHAT),
    ),
}

_UNKNOWN_CLAUDE = Capabilities(known=False, caching=True, efforts=EFFORTS)
_UNKNOWN = Capabilities(known=False, efforts=EFFORTS)
# Ollama takes and then passes over what a model does not have, a forced tool among it.
_OLLAMA = Capabilities(temperature=True, top_p=True, efforts=("none", "low", "medium", "high"))


def capabilities_of(provider: str, model: str) -> Capabilities:
    """Return the capabilities of a model.

    Args:
        provider: whose API it is asked through.
        model: its name there; the maker (`openai/`), size (`:8b`) and date do not matter.
    """
    name = model.lower().rsplit("/", 1)[-1].split(":", 1)[0]
    name = re.sub(r"(-latest|[-@]\d{8})$", "", name)
    if provider == "anthropic":
        return _family(("anthropic",), name) or _UNKNOWN_CLAUDE
    # The other servers offer models of several makers: the name says whose they are.
    found = _family(("openai", "mistral"), name)
    if provider == "ollama":
        return replace(_OLLAMA, thinking=found.thinking) if found else _OLLAMA
    return found or _UNKNOWN


def _family(makers: tuple[str, ...], name: str) -> Capabilities | None:
    for maker in makers:
        for pattern, capabilities in _FAMILIES[maker]:
            if re.fullmatch(pattern, name):
                return capabilities
    return None


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
