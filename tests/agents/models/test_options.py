"""The table of what models take, and what is made of wishes by it."""

from __future__ import annotations

import pytest

from groundwire.agents.models.options import (
    EFFORT,
    EFFORTS,
    TEMPERATURE,
    THINKING_BUDGET,
    Options,
    capabilities_of,
)

UNFORCED = (
    "claude-opus-5-5",
    "claude-sonnet-5-5",
    "claude-fable-5-1",
    "claude-fable-5-2",
    "claude-mythos-5-1",
    "claude-mythos-5-2",
)
FORCED = (
    "claude-haiku-5-5",
    "claude-opus-5",
    "claude-opus-4-8",
    "claude-sonnet-5",
    "claude-fable-5",
)


@pytest.mark.parametrize("name", UNFORCED)
def test_models_that_refuse_a_forced_tool(name: str) -> None:
    can = capabilities_of("anthropic", name)
    assert not can.forced_tool
    assert can.strict_tools
    assert can.caching
    assert can.known


@pytest.mark.parametrize("name", FORCED)
def test_models_that_take_one(name: str) -> None:
    assert capabilities_of("anthropic", name).forced_tool


@pytest.mark.parametrize("name", [*UNFORCED, *FORCED])
def test_current_models_take_effort_and_no_sampling(name: str) -> None:
    can = capabilities_of("anthropic", name)
    assert not can.temperature
    assert not can.top_p
    assert can.thinking in ("always", "adaptive")
    assert can.efforts == EFFORTS


def test_dates_makers_and_sizes_do_not_matter() -> None:
    plain = capabilities_of("anthropic", "claude-haiku-4-5")
    assert capabilities_of("anthropic", "claude-haiku-4-5-20251001") == plain
    assert capabilities_of("anthropic", "Claude-Haiku-4-5-latest") == plain
    openai = capabilities_of("openai", "o4-mini")
    assert capabilities_of("copilot", "openai/o4-mini") == openai
    assert capabilities_of("openai", "o4-mini-2025-04-16") == openai


@pytest.mark.parametrize(
    ("provider", "name"),
    [
        ("anthropic", "claude-opus-9"),
        ("anthropic", "claude-opus-5-6"),
        ("openai", "brand-new"),
        ("mistral", "brand-new"),
        ("openai", "o"),
    ],
)
def test_nothing_is_taken_for_granted_of_unknown_models(provider: str, name: str) -> None:
    can = capabilities_of(provider, name)
    assert not can.known
    assert not (can.forced_tool or can.temperature or can.top_p or can.strict_tools)
    assert can.thinking == "none"


@pytest.mark.parametrize("name", ["o1", "o3", "o4-mini", "gpt-5", "gpt-5-mini", "gpt-5.2"])
def test_reasoning_models_of_openai(name: str) -> None:
    can = capabilities_of("openai", name)
    assert can.completion_limit == "max_completion_tokens"
    assert not can.temperature
    assert can.thinking == "always"
    assert "high" in can.efforts


def test_reasoning_models_of_mistral() -> None:
    can = capabilities_of("mistral", "magistral-small-2509")
    assert can.thinking == "always"
    assert can.temperature
    assert can.completion_limit == "max_tokens"


@pytest.mark.parametrize(
    ("name", "wanted", "sent"),
    [
        ("o4-mini", "max", "high"),
        ("o4-mini", "low", "low"),
        ("gpt-5.2", "max", "xhigh"),
        ("mistral-small-latest", "high", "high"),
        ("mistral-small-latest", "low", "none"),
        ("gpt-4.1", "high", None),
    ],
)
def test_an_effort_that_a_model_does_not_have_is_the_next_below(
    name: str, wanted: str, sent: str | None
) -> None:
    assert capabilities_of("openai", name).effort(wanted) == sent


def asked(*names: str, **values: object) -> Options:
    return Options(asked_for=frozenset(names), **values)  # pyright: ignore[reportArgumentType]


def test_wishes_that_cannot_act_are_told() -> None:
    wishes = asked(
        TEMPERATURE, THINKING_BUDGET, EFFORT, temperature=0.0, thinking_budget=2_000, effort="high"
    )
    opus, haiku, gpt, unknown = (
        wishes.without_effect(capabilities_of(provider, name))
        for provider, name in (
            ("anthropic", "claude-opus-5-5"),
            ("anthropic", "claude-haiku-4-5"),
            ("openai", "gpt-4.1"),
            ("openai", "brand-new"),
        )
    )
    assert opus == (TEMPERATURE, THINKING_BUDGET)
    # A model that thinks within a budget takes no temperature meanwhile.
    assert haiku == (TEMPERATURE, EFFORT)
    assert gpt == (THINKING_BUDGET, EFFORT)
    # What somebody asked for is tried with a model that nobody knows.
    assert unknown == (THINKING_BUDGET,)


def test_nothing_is_told_of_what_nobody_set() -> None:
    defaults = asked(temperature=0.7, top_p=0.9)
    assert defaults.without_effect(capabilities_of("anthropic", "claude-opus-5-5")) == ()
    no_budget = asked(THINKING_BUDGET, thinking_budget=0)
    assert no_budget.without_effect(capabilities_of("openai", "gpt-4.1")) == ()


def test_top_p_goes_before_a_temperature() -> None:
    suited = asked(temperature=0.7, top_p=0.9).suited(capabilities_of("openai", "gpt-4.1"))
    assert (suited.temperature, suited.top_p) == (None, 0.9)
