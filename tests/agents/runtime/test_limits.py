"""Time and money of a run."""

from __future__ import annotations

from typing import Any

import pytest
from agent_bench import Time, context

from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.contract import Constraints
from groundwire.agents.runtime.errors import BudgetExceededFailure, TimeoutFailure
from groundwire.agents.runtime.run import Limits


def limits(time: Time, budget: dict[str, Any] | None = None, **constraints: Any) -> Limits:
    return Limits(
        AgentConfig(), context(budget=budget or {}), Constraints(**constraints), time.clock()
    )


def test_the_strictest_limit_holds() -> None:
    time = Time()
    assert limits(time).max_time_ms == 30_000
    assert limits(time, {"max_time_ms": 60_000}).max_time_ms == 30_000
    assert limits(time, {"max_time_ms": 9_000}, max_time_ms=8_000).max_time_ms == 8_000
    assert limits(time).max_cost_usd is None
    assert limits(time, {"max_cost_usd": 2}, max_cost_usd=3).max_cost_usd == 2


def test_is_timeout_compares_elapsed_time_with_the_limit() -> None:
    time = Time()
    found = limits(time, {"max_time_ms": 1_000})
    time.seconds += 0.5
    assert not found.is_timeout()
    assert found.remaining_s == pytest.approx(0.5)
    found.check_time()
    time.seconds += 0.5
    assert found.is_timeout()
    with pytest.raises(TimeoutFailure) as failure:
        found.check_time()
    assert failure.value.details == {"max_time_ms": 1_000, "elapsed_ms": 1_000}


@pytest.mark.parametrize(
    ("spent", "dearest", "fits"),
    [(0, 0, True), (0.5, 0.5, True), (0.6, 0.5, False), (1.0, 0, False)],
)
def test_check_cost_reckons_with_the_dearest_response(
    spent: float, dearest: float, fits: bool
) -> None:
    found = limits(Time(), {"max_cost_usd": 1})
    if fits:
        found.check_cost(spent, dearest, priced=True, free=False)
        return
    with pytest.raises(BudgetExceededFailure) as failure:
        found.check_cost(spent, dearest, priced=True, free=False)
    assert failure.value.details == {"max_cost_usd": 1, "spent_usd": spent}
