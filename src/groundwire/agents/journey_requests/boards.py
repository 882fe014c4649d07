"""Questions for the board of a stop: at another time, or the first and last services of a day."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.model import THERE, Question, QuestionTool, TripAsked

WHENS: Mapping[QuestionTool, str] = {"get_line_status": "date", "get_arrivals": "when"}
"""What a tool calls the time that a question is about."""
_EDGES = {"TripFirst": "first", "TripLast": "last"}
_OF_A_BOARD = frozenset({"adjustment", "mode", "only_lines", "date", "time", "time_is"})


def first_or_last(trip: TripAsked) -> Question | None:
    """The question for the first or last services at a stop that a trip without an end is."""
    said = trip.wishes
    edge = _EDGES.get(str(said.get("adjustment")))
    if not edge or not said.keys() <= _OF_A_BOARD or trip.starting_point in ("", THERE):
        return None
    when = [str(said[name]) for name in ("time", "date") if said.get(name)]
    lines: list[JsonValue] = []
    for name in ("only_lines", "mode"):
        lines += cast("list[JsonValue]", said.get(name, []))
    arguments: dict[str, JsonValue] = {"stop": trip.starting_point, "when": " ".join((edge, *when))}
    return Question("get_arrivals", {**arguments, **({"lines": lines} if lines else {})})
