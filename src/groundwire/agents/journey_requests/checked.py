"""Choice of the planner's answers that may be told to the question, and of what else to say.

A plan between other places than the request names is not told. One that leaves a wish out or adds
one is told with what differs. Where the rules cannot read a request, a plan is told only if the
request names its ends, and that the rest could not be checked is told with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from pydantic import JsonValue

from groundwire.agents.journey_requests.binding import (
    Asked,
    Bound,
    Planned,
    bound_trips,
    planned_trips,
    unread_trips,
)
from groundwire.agents.journey_requests.model import Question
from groundwire.agents.journey_requests.names import is_same_place
from groundwire.agents.journey_requests.subagents import PLAN, REFUSED, SENT, Row, rows, texts
from groundwire.journeys.wording import listed
from groundwire.vocabulary import fold

UNCHECKED = (
    "The request could not be read by rules, so whether the times and wishes of the plan are those "
    "that are meant has not been checked."
)
_NAMED_LINES = ("lines", "modes")
_SHOWN = ("get_computed_journey", "get_computed_journey_plan")


@dataclass(frozen=True, slots=True)
class Checked:
    """The answers that may be told, and what is to be said beside them.

    Attributes:
        told: the answers of the planner's tools that may be told, and their refusals, in order.
        trips: what was planned, by the number of the trip that was asked for.
        missing: numbers of the trips that were asked for and not planned.
        not_counted: what was asked and is in no call, in words.
        lines: what is to be said beside the answers.
    """

    told: tuple[Row, ...] = ()
    trips: Mapping[int, Planned] = field(default_factory=dict[int, Planned])
    missing: tuple[int, ...] = ()
    not_counted: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()

    @property
    def outputs(self) -> list[Row]:
        """The answers that may be told."""
        return [one for one in self.told if REFUSED not in one]

    @property
    def refused(self) -> list[str]:
        """The refusals that may be told."""
        return [str(one[REFUSED]) for one in self.told if REFUSED in one]


def checked(asked: Asked, questions: Sequence[Question], outputs: Sequence[Row]) -> Checked:
    """Hold the answers of the planner's tools against what was asked.

    Args:
        asked: the trips that were asked for.
        questions: what was asked of the network.
        outputs: what the tools answered, each with what was sent; a refusal has `refused`.
    """
    planned = planned_trips(outputs)
    if asked.trips or asked.declined:
        bound = bound_trips(asked, planned)
        told = [one.planned for one in bound.trips]
        trips = {one.number: one.planned for one in bound.trips}
        dropped = [word for one in bound.trips for word in _of_trip(asked, one.number, one.dropped)]
        dropped += [f"a stay of {asked.stays[number]} minutes" for number in bound.unstayed]
        lines = list(_differences(asked, bound))
    else:
        told, others = unread_trips(asked.text, planned)
        bound = Bound(unasked=tuple(others))
        trips = dict(enumerate(told))
        dropped, lines = [], [UNCHECKED] if told else []
    # Of a trip without plans the ends are what a model made of the request, and are not repeated.
    unasked = dict.fromkeys(one.ends for one in bound.unasked if _has_plans(one))
    if unasked:
        lines.append(f"A plan from {listed(list(unasked))} was not asked for, so it is not told.")
    others, unanswered = _answered(asked, questions, outputs)
    kept = sorted((*_plans(outputs, told), *others), key=lambda one: one[0])
    return Checked(
        tuple(one for _, one in kept),
        trips,
        bound.missing,
        (*dropped, *unanswered),
        tuple(lines),
    )


def _has_plans(trip: Planned) -> bool:
    return any(one.get("plans") for one in trip.journeys)


def _of_trip(asked: Asked, number: int, words: Sequence[str]) -> list[str]:
    """Name the trip beside words that were said of one trip among several."""
    if len(asked.trips) == 1:
        return list(words)
    return [f"{one} (the trip to {asked.trips[number].get('destination')})" for one in words]


def _differences(asked: Asked, bound: Bound) -> Iterator[str]:
    added = [word for one in bound.trips for word in _of_trip(asked, one.number, one.added)]
    if added:
        told = listed(list(dict.fromkeys(added)))
        yield f"Planned so, though the request does not say it: {told}."


def _plans(outputs: Sequence[Row], told: Sequence[Planned]) -> Iterator[tuple[int, Row]]:
    """The answers of the planner with those of their trips that may be told."""
    for position, output in enumerate(outputs):
        if output.get("tool") != PLAN:
            continue
        trips = [one for one in told if one.output is output]
        if len(trips) == len(planned_trips([output])):
            yield position, output
        elif trips:
            journeys = [journey for one in trips for journey in one.journeys]
            sentences = [_sentence(journey) for journey in journeys]
            yield position, {**output, "journeys": journeys, "answer": " ".join(sentences)}


def _sentence(journey: Row) -> str:
    ends = f"{journey.get('from')} to {journey.get('to')}"
    plans = rows(journey, "plans")
    if not plans:
        return f"{ends}: no plan."
    start, arrival = (str(plans[0][key])[11:16] for key in ("start", "arrival"))
    estimated = " by estimate" if journey.get("source") == "offline_estimate" else ""
    return f"{ends}: the first plan leaves at {start} and arrives at {arrival}{estimated}."


def _answered(
    asked: Asked, questions: Sequence[Question], outputs: Sequence[Row]
) -> tuple[list[tuple[int, Row]], list[str]]:
    """The other answers that may be told, and the questions that none of them answers."""
    others = [(at, one) for at, one in enumerate(outputs) if one.get("tool") != PLAN]
    unanswered = [
        _in_words(one)
        for one in questions
        if not any(_answers(one, output) for _, output in others)
    ]
    return [(at, one) for at, one in others if _may_be_told(asked, questions, one)], unanswered


def _may_be_told(asked: Asked, questions: Sequence[Question], output: Row) -> bool:
    if output.get("tool") in _SHOWN:
        return not asked.trips and str(output.get("journey_id")) in asked.text
    # Where nothing was asked of the network, an answer is true of what it names.
    return not questions or any(_answers(one, output) for one in questions)


def _answers(question: Question, output: Row) -> bool:
    """Whether an answer is one to a question: of its stop, or of all its lines."""
    sent = cast("Row", output.get(SENT) or {})
    if output.get("tool") != question.tool:
        return False
    asked = question.arguments
    if question.tool == "get_line_status":
        meant = {_line(one) for name in _NAMED_LINES for one in texts(asked, name)}
        given = {_line(one) for name in _NAMED_LINES for one in texts(sent, name)}
        same_day = str(asked.get("date", "")) == str(sent.get("date", ""))
        return same_day and (not given or (bool(meant) and meant <= given))
    key = "stop" if question.tool == "get_arrivals" else "query"
    same = is_same_place(str(asked.get(key, "")), str(sent.get(key, "")))
    lines = {_line(one) for one in texts(asked, "lines")}
    same = same and str(asked.get("when", "")) == str(sent.get("when", ""))
    return same and lines == {_line(one) for one in texts(sent, "lines")}


def _line(name: str) -> str:
    return fold(name.casefold().removesuffix("s").removesuffix(" line"))


def _in_words(question: Question) -> str:
    """A question in words."""
    of: dict[str, JsonValue] = dict(question.arguments)
    named = listed([*texts(of, "lines"), *texts(of, "modes")]) or "all lines"
    return {
        "get_line_status": f"how {named} run",
        "get_arrivals": f"the next services at {of.get('stop')}",
        "find_stops": f"stops called {of.get('query')}",
    }[question.tool]
