"""Tokens, money and tools of a run."""

from __future__ import annotations

import pytest

from groundwire.agents.runtime.contract import Action, ReasoningStep
from groundwire.agents.runtime.model import ModelResponse, Usage
from groundwire.agents.runtime.run import Account, tools_used


def step(number: int, tool: str | None) -> ReasoningStep:
    action = Action(tool=tool, input={}) if tool else None
    return ReasoningStep(step=number, thought="t", action=action, timestamp="2026-11-21T12:00:00Z")


def test_extract_tools_used_keeps_the_order_of_first_use() -> None:
    trace = [step(1, "b"), step(2, None), step(3, "a"), step(4, "b")]
    assert tools_used(trace) == ("b", "a")


def test_extract_token_usage_sums_all_model_calls() -> None:
    account = Account()
    account.add(ModelResponse(usage=Usage(100, 10, cache_read=50, cache_write=7)), free=True)
    account.add(ModelResponse(usage=Usage(1, 2)), free=True)
    assert account.token_usage().model_dump() == {
        "prompt_tokens": 158,
        "completion_tokens": 12,
        "total_tokens": 170,
    }


def test_calculate_cost_adds_response_by_response() -> None:
    account = Account()
    account.add(ModelResponse(cost_usd=0.25), free=False)
    account.add(ModelResponse(cost_usd=0.5), free=False)
    assert (account.cost_usd, account.dearest_usd, account.priced) == (0.75, 0.5, True)
    account.add(ModelResponse(cost_usd=None), free=False)
    assert not account.priced


def test_an_agent_called_as_a_tool_counts() -> None:
    account = Account()
    account.add_called_agent(
        {
            "metadata": {
                "estimated_cost_usd": 0.125,
                "token_usage": {"prompt_tokens": 5, "completion_tokens": 3},
            }
        }
    )
    account.add_called_agent({"answer": "x"})
    assert account.cost_usd == pytest.approx(0.125)
    assert account.token_usage().total_tokens == 8
