"""The clock, the time and the money of one run: checked before anything is called."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

from groundwire.agents.runtime.configuration import AgentConfig
from groundwire.agents.runtime.context import AgentContext
from groundwire.agents.runtime.errors import BudgetExceededFailure, TimeoutFailure
from groundwire.agents.runtime.inputs import Constraints


class Limits:
    """The budget that a run has left; the strictest of configuration, budget and request holds.

    Args:
        config: its timeout.
        context: its budget.
        constraints: what the request itself limits.
        clock: measures the time.
    """

    def __init__(
        self, config: AgentConfig, context: AgentContext, constraints: Constraints, clock: Clock
    ) -> None:
        times = [config.behavior.timeout_ms, context.budget.max_time_ms, constraints.max_time_ms]
        costs = [context.budget.max_cost_usd, constraints.max_cost_usd]
        self.max_time_ms = min(one for one in times if one is not None)
        self.max_cost_usd = min((one for one in costs if one is not None), default=None)
        self._clock = clock
        self._began = clock.monotonic()

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the run began."""
        return (self._clock.monotonic() - self._began) * 1e3

    @property
    def remaining_s(self) -> float:
        """Seconds that are left; 0 or less means none."""
        return (self.max_time_ms - self.elapsed_ms) / 1e3

    def is_timeout(self) -> bool:
        """Whether the time is over."""
        return self.elapsed_ms >= self.max_time_ms

    def check_time(self) -> None:
        """Go on only if time is left.

        Raises:
            TimeoutFailure: the time is over.
        """
        if self.is_timeout():
            raise self.timeout()

    def timeout(self) -> TimeoutFailure:
        """The failure of a run whose time is over."""
        return TimeoutFailure(
            "The time of this run is over: allow more time, or ask for less at once.",
            details={"max_time_ms": self.max_time_ms, "elapsed_ms": round(self.elapsed_ms)},
        )

    @contextmanager
    def within_time(self) -> Generator[None]:
        """Stop what runs inside at the deadline.

        Raises:
            TimeoutFailure: it was stopped.
        """
        self.check_time()
        with anyio.move_on_after(self.remaining_s) as scope:
            yield
        if scope.cancelled_caught:
            raise self.timeout()

    def check_cost(self, spent: float, dearest: float, *, priced: bool, free: bool) -> None:
        """Go on only if the next model call fits the budget, as far as that can be told.

        Args:
            spent: dollars up to here.
            dearest: dollars of the dearest response of this run: what the next may cost.
            priced: whether the price of every response up to here was known.
            free: whether responses of this model cost nothing.

        Raises:
            BudgetExceededFailure: it does not fit, or no price is known.
        """
        limit = self.max_cost_usd
        if limit is None or free:
            return
        if not priced:
            raise BudgetExceededFailure(
                "No price of this model is known, so its budget cannot be kept: name a model with "
                "a price, or ask without a cost budget.",
                details={"max_cost_usd": limit},
            )
        if spent >= limit or spent + dearest > limit:
            raise BudgetExceededFailure(
                "The cost budget of this run does not allow another answer of the model.",
                details={"max_cost_usd": limit, "spent_usd": round(spent, 6)},
            )


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Clock:
    """Where time comes from.

    Attributes:
        now: the moment, with its time zone.
        monotonic: seconds that only grow.
        sleep: waits some seconds.
    """

    now: Callable[[], datetime] = _now
    monotonic: Callable[[], float] = time.monotonic
    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
