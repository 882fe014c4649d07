"""What the scripted model of every host asks for, one call after the other."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple


class Step(NamedTuple):
    """A tool call that the model asks for.

    Attributes:
        server: the id that the server has in the host's configuration.
        tool: the tool's own name; hosts put the server's id before it, each in its way.
        arguments: what the model sends.
    """

    server: str
    tool: str
    arguments: dict[str, object]


SERVERS = ("metrics", "journeys", "agents")
STEPS = {
    "value": Step(
        "metrics", "query_metric", {"metric": "population", "entity": "中国", "period": "2010"}
    ),
    # Nothing that is required is missing: some hosts refuse such a call themselves.
    "refusal": Step(
        "metrics",
        "query_metric",
        {"metric": "population", "entity": "中国", "period": "2010", "chanel": "TOTAL"},
    ),
    "journey": Step(
        "journeys",
        "compute_journey_plans",
        {
            "starting_point": "Kew Gardens",
            "destination": "Bank",
            "date": "next Monday",
            "time": "09:00",
        },
    ),
    "agent": Step(
        "agents", "metrics_agent", {"question": "What was the population of China in 2010?"}
    ),
}


def offered_as(step: Step, names: Iterable[str]) -> str | None:
    """The name that a host offers the step's tool under; None where it does not."""
    named = re.compile(rf"((mcp_+)?{step.server}_+)?{step.tool}")
    return next((name for name in names if named.fullmatch(name)), None)
