"""Configuration: defaults, checks, and partial overrides."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.errors import ConfigurationError


def test_the_defaults_are_those_of_the_specification() -> None:
    config = AgentConfig()
    assert (config.llm.temperature, config.llm.max_tokens, config.llm.top_p) == (0.7, 2000, None)
    behavior = config.behavior
    assert (behavior.max_iterations, behavior.timeout_ms, behavior.retry_attempts) == (
        10,
        30_000,
        3,
    )
    assert (config.prompts.system_prompt_version, config.prompts.few_shot_examples) == (
        "1.0.0",
        True,
    )
    assert (config.tracing.enabled, config.tracing.sample_rate) == (True, 1.0)


def test_a_configuration_cannot_be_changed() -> None:
    config = AgentConfig()
    with pytest.raises(ValueError, match="frozen"):
        config.llm.temperature = 0.1  # type: ignore[misc]


def test_merged_replaces_what_is_named_and_keeps_the_rest() -> None:
    config = AgentConfig(enabled_tools=("a", "b")).merged(
        {"behavior": {"max_iterations": 3}, "llm": {"model": "claude-opus-5-5"}}
    )
    assert config.behavior.max_iterations == 3
    assert config.behavior.timeout_ms == 30_000
    assert config.llm.model == "claude-opus-5-5"
    assert config.enabled_tools == ("a", "b")
    assert config.merged({"enabled_tools": ["a"]}).enabled_tools == ("a",)


@pytest.mark.parametrize(
    ("overrides", "told"),
    [
        ({"llm": {"temperature": 2}}, "llm.temperature"),
        ({"llm": {"top_p": -1}}, "llm.top_p"),
        ({"llm": {"max_tokens": 0}}, "llm.max_tokens"),
        ({"behavior": {"max_iterations": 0}}, "behavior.max_iterations"),
        ({"behavior": {"timeout_ms": -5}}, "behavior.timeout_ms"),
        ({"behavior": {"retry_attempts": -1}}, "behavior.retry_attempts"),
        ({"tracing": {"sample_rate": 1.5}}, "tracing.sample_rate"),
        ({"prompts": {"system_prompt_version": "one"}}, "three numbers"),
        ({"colour": "red"}, "colour"),
        ({"behavior": {"forced_tool": "x"}}, "the tool x"),
        ({"behavior": {"final_tools": ["y"]}}, "the tool y"),
    ],
)
def test_a_wrong_configuration_is_refused_with_its_place(
    overrides: dict[str, Any], told: str
) -> None:
    with pytest.raises(ConfigurationError, match=told):
        AgentConfig().merged(overrides)
