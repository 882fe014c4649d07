"""What responses cost."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from groundwire.agents.models.costs import cost_of
from groundwire.agents.runtime.model import Usage

AUTUMN = datetime(2026, 11, 21, tzinfo=UTC)


def dollars(usage: Usage, model: str, provider: str = "anthropic", **options: str):
    return cost_of(usage, model, provider, at=AUTUMN, **options)


@pytest.mark.parametrize(
    ("model", "tokens_in", "tokens_out"),
    [("claude-opus-5-5", 4, 20), ("claude-opus-4-8", 5, 25), ("claude-sonnet-5-5", 2, 10)],
)
def test_prices_of_a_million_tokens(model: str, tokens_in: float, tokens_out: float) -> None:
    assert dollars(Usage(prompt=1_000_000), model) == pytest.approx(tokens_in)
    assert dollars(Usage(completion=1_000_000), model) == pytest.approx(tokens_out)


def test_a_long_prompt_falls_into_another_tier_so_sums_are_not_priced() -> None:
    one = dollars(Usage(prompt=60_000), "claude-haiku-5-5")
    both = dollars(Usage(prompt=120_000), "claude-haiku-5-5")
    assert one is not None
    assert both is not None
    assert both > 2 * one


def test_cached_tokens_have_prices_of_their_own() -> None:
    plain = dollars(Usage(prompt=10_000), "claude-opus-5-5")
    read = dollars(Usage(cache_read=10_000), "claude-opus-5-5")
    written = dollars(Usage(cache_write=10_000), "claude-opus-5-5")
    assert plain is not None
    assert read is not None
    assert written is not None
    assert 0 < read < plain < written


def test_an_unknown_model_is_told_once_and_costs_nobody_knows_what(
    agent_logs: pytest.LogCaptureFixture,
) -> None:
    assert dollars(Usage(prompt=10), "no-such-model-1") is None
    assert dollars(Usage(prompt=10), "no-such-model-1") is None
    assert [r.getMessage().count("no-such-model-1") for r in agent_logs.records] == [1]


def test_the_address_says_whose_prices_hold_before_the_provider_does() -> None:
    usage = Usage(prompt=1_000)
    at_mistral = dollars(
        usage, "mistral-small-latest", "openai", base_url="https://api.mistral.ai/v1"
    )
    assert at_mistral
    # An address that nobody knows has the provider's.
    assert dollars(usage, "o3", "openai", base_url="https://gateway.example.org/v1") == dollars(
        usage, "o3", "openai"
    )
