"""How an agent is set up; checked when it is made, unchangeable afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Self, cast

from pydantic import Field, ValidationError, field_validator, model_validator

from groundwire.agents.runtime.contract import Frozen
from groundwire.errors import ConfigurationError
from groundwire.problems import phrase

RULES = "rules"
_VERSION = re.compile(r"(?<!\d)\d+\.\d+\.\d+")


class LLMConfig(Frozen):
    """The model and how it is sampled, where a model still takes that.

    Attributes:
        model: its name; `rules` is the agent's own rule-based model.
        temperature: 0 to 1.
        max_tokens: most tokens of one response.
        top_p: 0 to 1, or None for the model's own.
    """

    model: str = Field(default=RULES, min_length=1)
    temperature: float = Field(default=0.7, ge=0, le=1)
    max_tokens: int = Field(default=2000, ge=1)
    top_p: float | None = Field(default=None, ge=0, le=1)


class BehaviorConfig(Frozen):
    """The limits of the loop.

    Attributes:
        max_iterations: rounds of the loop.
        timeout_ms: milliseconds of the whole run.
        retry_attempts: how often a model call is tried again, and a tool call that may be.
        max_observation_characters: what a model is shown of one tool answer.
        forced_tool: the tool that the first answer has to call, or None.
        final_tools: tools whose answer is the agent's own: one that found something ends the run.
    """

    max_iterations: int = Field(default=10, ge=1, le=1_000)
    timeout_ms: int = Field(default=30_000, ge=1)
    retry_attempts: int = Field(default=3, ge=0, le=10)
    max_observation_characters: int = Field(default=8_000, ge=200)
    forced_tool: str | None = None
    final_tools: tuple[str, ...] = ()


class PromptsConfig(Frozen):
    """Which prompt is used.

    Attributes:
        system_prompt_version: version of the template in the prompt store.
        few_shot_examples: whether it shows examples.
    """

    system_prompt_version: str = "1.0.0"
    few_shot_examples: bool = True

    @field_validator("system_prompt_version")
    @classmethod
    def _semantic(cls, value: str) -> str:
        if not _VERSION.fullmatch(value):
            raise ValueError("a version has three numbers, such as 1.0.0")
        return value


class TracingConfig(Frozen):
    """The reports on runs outside of their output.

    Attributes:
        enabled: whether runs make spans.
        sample_rate: share of the runs that do, 0 to 1.
        private: whether texts of users stay out of logs and spans.
    """

    enabled: bool = True
    sample_rate: float = Field(default=1.0, ge=0, le=1)
    private: bool = False


class AgentConfig(Frozen):
    """Everything that can be set of an agent."""

    llm: LLMConfig = LLMConfig()
    behavior: BehaviorConfig = BehaviorConfig()
    enabled_tools: tuple[str, ...] = ()
    prompts: PromptsConfig = PromptsConfig()
    tracing: TracingConfig = TracingConfig()

    @model_validator(mode="after")
    def _named_tools_are_enabled(self) -> Self:
        named = (self.behavior.forced_tool, *self.behavior.final_tools)
        for name in named:
            if name is not None and name not in self.enabled_tools:
                raise ValueError(f"behavior names the tool {name}, not one of enabled_tools")
        return self

    @classmethod
    def checked(cls, tree: Mapping[str, Any]) -> Self:
        """A configuration from its tree.

        Raises:
            ConfigurationError: it is not valid; the message names the places, and no value.
        """
        try:
            return cls.model_validate(tree)
        except ValidationError as error:
            raise ConfigurationError(
                f"The configuration of the agent is not valid: {_told(error)}."
            ) from error

    def merged(self, overrides: Mapping[str, Any]) -> Self:
        """This configuration with some of its values replaced; what is not named stays.

        Args:
            overrides: a partial tree, such as `{"behavior": {"max_iterations": 3}}`.

        Raises:
            ConfigurationError: the result is not valid.
        """
        return self.checked(_overlaid(self.model_dump(), overrides))


def _overlaid(tree: Mapping[str, Any], overrides: Mapping[str, Any]) -> dict[str, Any]:
    """`tree` with the leaves of `overrides` in their places."""
    merged = dict(tree)
    for key, value in overrides.items():
        below = merged.get(key)
        if isinstance(value, Frozen):
            value = value.model_dump(exclude_unset=True)
        if isinstance(below, dict) and isinstance(value, Mapping):
            merged[key] = _overlaid(cast("dict[str, Any]", below), cast("Mapping[str, Any]", value))
        else:
            merged[key] = value
    return merged


def _told(error: ValidationError) -> str:
    problems = error.errors(include_url=False, include_input=False)
    return "; ".join(
        f"{'.'.join(map(str, problem['loc'])) or 'configuration'}: {phrase(problem)}"
        for problem in problems[:5]
    )
