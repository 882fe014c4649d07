"""Capabilities of each family of models: a table, and careful defaults for what it does not know.

Whatever a model refuses is a failed request, so an unknown model is sent nothing that some model
refuses. Sources: the makers' own descriptions of the models of 2025 and 2026; forced tool choice of
the Claude 5 families was tried at the API.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

Thinking = Literal["none", "always", "adaptive", "budget"]

EFFORTS = ("low", "medium", "high", "xhigh", "max")
"""What `LLM_EFFORT` may be, from least to most."""

LEAST_BUDGET = 1_024
"""Tokens of the smallest thinking budget that is taken."""

# Thinking is counted as output: what it may take on top of the answer, by effort.
_ROOM = {"low": 4_000, "medium": 8_000, "high": 16_000, "xhigh": 32_000, "max": 64_000}


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
