"""OpenTelemetry metrics of runs, by the names of the semantic conventions for generative AI.

Tokens and the time of a run have names there (`gen_ai.client.token.usage`,
`gen_ai.client.operation.duration`); the others are the project's own. They are made only where the
SDK is installed, since nothing else could export them.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from groundwire.agents.runtime.output import AgentOutput

if TYPE_CHECKING:
    from opentelemetry.metrics import Counter, Histogram

METER = "groundwire.agents"
DURATION = "gen_ai.client.operation.duration"
TOKENS = "gen_ai.client.token.usage"
RUNS = "groundwire.agent.runs"
ERRORS = "groundwire.agent.errors"
STEPS = "groundwire.agent.steps"
COST = "groundwire.agent.cost"


class Meters:
    """The instruments of all agents, of the meter provider that is set."""

    def __init__(self) -> None:
        from opentelemetry import metrics

        meter = metrics.get_meter(METER)
        self._duration: Histogram = meter.create_histogram(DURATION, "s", "Time of a run.")
        self._tokens: Histogram = meter.create_histogram(TOKENS, "{token}", "Tokens of a run.")
        self._runs: Counter = meter.create_counter(RUNS, "{run}", "Runs that have ended.")
        self._errors: Counter = meter.create_counter(ERRORS, "{run}", "Runs without an answer.")
        self._steps: Counter = meter.create_counter(STEPS, "{step}", "Steps of runs.")
        self._cost: Counter = meter.create_counter(COST, "USD", "Cost of model calls.")

    def record(self, agent: str, model: str, output: AgentOutput) -> None:
        """Count a run that has ended."""
        taken = output.metadata
        of = {
            "gen_ai.operation.name": "invoke_agent",
            "gen_ai.agent.name": agent,
            "gen_ai.request.model": model,
        }
        code = {} if output.error is None else {"error.type": output.error.code}
        self._runs.add(1, of | code)
        self._duration.record(taken.execution_time_ms / 1e3, of | code)
        self._steps.add(len(output.reasoning.steps), of)
        self._cost.add(taken.estimated_cost_usd, of)
        if code:
            self._errors.add(1, of | code)
        for kind, count in (
            ("input", taken.token_usage.prompt_tokens),
            ("output", taken.token_usage.completion_tokens),
        ):
            self._tokens.record(count, of | {"gen_ai.token.type": kind})


@cache
def meters() -> Meters | None:
    """The instruments of this process; None without the SDK."""
    return Meters() if find_spec("opentelemetry.sdk") is not None else None


def measured(agent: str, model: str, output: AgentOutput) -> None:
    """Count a run that has ended, where somebody may read it."""
    if (found := meters()) is not None:
        found.record(agent, model, output)
