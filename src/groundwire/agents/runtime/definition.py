"""Definition of an agent: a folder with its prompt, configuration and code.

<name>/agent.toml    name, version, title, role, capabilities, the tool that hosts are offered, and
                     the configuration
<name>/prompt.md     the system prompt, with its version in front
<name>/rules.py      build_rules() -> Model: the model that needs no key
<name>/guard.py      build_guard() -> Guard
<name>/briefing.py   optional: build_briefing() -> Brief
<name>/changes.py    optional: allows(change) -> str | None; without it nothing may be changed
<name>/procedure.py  in the place of these four: PROCEDURE, from which they are made

What the files beside rules.py define may stand in rules.py as well.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Protocol, cast

from pydantic import Field, JsonValue

from groundwire.agents.folders import FILE, folders, found
from groundwire.agents.offers import Offer
from groundwire.agents.runtime.actions import Toolbox
from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.contract import (
    AgentContext,
    AgentInput,
    Allows,
    Change,
    Frozen,
    Guard,
    Verdict,
    nothing_allowed,
)
from groundwire.agents.runtime.evidence_guard import EvidenceGuard
from groundwire.agents.runtime.model import Model
from groundwire.config import read_toml, validated
from groundwire.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Briefing:
    """The material that is made ready before the first round.

    Attributes:
        values: what the prompt's template may use beside the usual.
        verdict: the answer, where none of it needs a model; else None.
        notes: assumptions and caveats.
        question: the question as it is to be read from here on; empty where it stays.
    """

    values: Mapping[str, Any] = field(default_factory=dict[str, Any])
    verdict: Verdict | None = None
    notes: tuple[str, ...] = ()
    question: str = ""


Brief = Callable[[AgentInput, AgentContext, Toolbox], Awaitable[Briefing]]


@dataclass(frozen=True, slots=True)
class AgentDefinition:
    """An agent.

    Attributes:
        name: its name, also as a tool.
        version: semantic version of the definition.
        role: how its prompt calls it: "an analyst who ...".
        prompt: name of its prompt in the store.
        guard: makes its final answers.
        rules: makes the model that needs no key, or None.
        title: name for people.
        capabilities: what it can do, one line each.
        config: its own defaults.
        input_model: what it is asked.
        tool_examples: arguments of good calls, by tool.
        briefing: what is made ready before the first round, or None.
        allows: whether a call that changes something may be made.
        splits_requests: whether its rules answer the requests of a question one by one, where they
            do not answer the question at once.
    """

    name: str
    version: str
    role: str
    prompt: str
    guard: Guard = field(default_factory=EvidenceGuard)
    rules: Callable[[], Model] | None = None
    title: str = ""
    capabilities: tuple[str, ...] = ()
    config: AgentConfig = field(default_factory=AgentConfig)
    input_model: type[AgentInput] = AgentInput
    tool_examples: Mapping[str, Mapping[str, JsonValue]] = field(
        default_factory=dict[str, "Mapping[str, JsonValue]"]
    )
    briefing: Brief | None = None
    allows: Allows = nothing_allowed
    splits_requests: bool = False


class Procedural(Protocol):
    """An agent that defines its guard, rules, briefing, allowed changes and input at once."""

    @property
    def input_model(self) -> type[AgentInput]:
        """The input of the agent."""
        ...

    def guard(self) -> Guard:
        """Return what makes its final answers."""
        ...

    def rules(self) -> Model:
        """Return the model that needs no key."""
        ...

    async def brief(self, asked: AgentInput, context: AgentContext, toolbox: Toolbox) -> Briefing:
        """Make ready what the first round needs."""
        ...

    def allows(self, change: Change) -> str | None:
        """Return why a change is not made, or None where it may be."""
        ...


class _File(Frozen):
    """The content of agent.toml."""

    name: str = Field(pattern=r"[a-z][a-z0-9_]{0,31}")
    version: str = Field(pattern=r"\d+\.\d+\.\d+")
    title: str
    role: str
    capabilities: tuple[str, ...] = ()
    offer: Offer | None = None
    llm: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    behavior: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    enabled_tools: tuple[str, ...] = ()
    splits_requests: bool = False
    prompts: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    tracing: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    tool_examples: dict[str, dict[str, JsonValue]] = Field(
        default_factory=dict[str, dict[str, JsonValue]]
    )


def load_definition(name: str) -> AgentDefinition:
    """Read the definition of an agent.

    Raises:
        ConfigurationError: the agent is unknown, or its file is not valid.
    """
    known = folders()
    if name not in known:
        raise ConfigurationError(
            f"There is no agent {name!r}; agents are: {', '.join(known) or 'none'}."
        )
    path = known[name] / FILE
    file = validated(_File, read_toml(path, "agent", "reinstall groundwire"), str(path), "agent")
    if file.name != name:
        raise ConfigurationError(
            f"The agent of {path} is called {file.name!r}, and its folder {name}: name both alike."
        )
    config = AgentConfig().merged(
        file.model_dump(include={"llm", "behavior", "enabled_tools", "prompts", "tracing"})
    )
    base = AgentDefinition(
        name=file.name,
        version=file.version,
        role=file.role,
        prompt=name,
        title=file.title,
        capabilities=file.capabilities,
        config=config,
        tool_examples=file.tool_examples,
        splits_requests=file.splits_requests,
    )
    procedure = cast("Procedural | None", found(name, "procedure", "PROCEDURE"))
    if procedure is not None:
        return replace(
            base,
            guard=procedure.guard(),
            rules=procedure.rules,
            input_model=procedure.input_model,
            briefing=procedure.brief,
            allows=procedure.allows,
        )
    guard = _made(name, "guard", "build_guard")
    briefing = _made(name, "briefing", "build_briefing")
    rules = _defined(name, "rules", "build_rules")
    allows = _defined(name, "changes", "allows")
    return replace(
        base,
        guard=cast("Guard", guard) if guard else EvidenceGuard(),
        rules=cast("Callable[[], Model]", rules) if rules else None,
        briefing=cast("Brief", briefing) if briefing else None,
        allows=cast("Allows", allows) if allows else nothing_allowed,
    )


def _made(name: str, module: str, attribute: str) -> object | None:
    make = cast("Callable[[], object] | None", _defined(name, module, attribute))
    return None if make is None else make()


def _defined(name: str, module: str, attribute: str) -> object | None:
    """Return a part of an agent from the module of that part, or from its rules."""
    return found(name, module, attribute) or found(name, "rules", attribute)
