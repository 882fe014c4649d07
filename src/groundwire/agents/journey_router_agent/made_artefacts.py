"""The maps, calendar files and texts that were made, held against those that were asked for.

What was made of another plan than the one that is meant answers nothing, and what is not made is
told with the reason.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.agents.journey_requests.model import REPEATS, ArtefactKind, Artefacts
from groundwire.agents.journey_requests.outputs import SENT, outputs_of, refusals_of, rows
from groundwire.agents.journey_router_agent.carried_out import ARTEFACTS
from groundwire.agents.journey_router_agent.conversation import chosen_journeys, meant_journeys
from groundwire.agents.journey_router_agent.plan_lines import either
from groundwire.agents.journey_router_agent.route import at_hand, plan_index
from groundwire.agents.journey_router_agent.understanding import Row, Understood
from groundwire.agents.runtime.model import Answered

_NAMES: Mapping[ArtefactKind, str] = {
    "map": "map",
    "calendar": "calendar file",
    "text": "description",
}
_MADE_BY: Mapping[str, ArtefactKind] = {
    "draw_map_for_plan": "map",
    "create_ics_file_for_plan": "calendar",
    "get_computed_journey_plan": "text",
}
_WHICH = ("journey_id", "journey_index", "plan_index")


@dataclass(frozen=True, slots=True)
class CheckedArtefacts:
    """The artefacts that may be told.

    Attributes:
        outputs: those that were asked for.
        refused: why others were not made, in the words of their tools.
        missing: what was asked for and is not there, as sentences.
        not_counted: what was asked of them and is in no call, in words.
    """

    outputs: tuple[Row, ...] = ()
    refused: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    not_counted: tuple[str, ...] = ()


def checked_artefacts(
    asked: Understood, journeys: Sequence[Row], answers: Sequence[Answered]
) -> CheckedArtefacts:
    """Hold artefacts against what was asked.

    Args:
        asked: the request.
        journeys: the journeys of its trips.
        answers: what the agents have returned.
    """
    calls = [one for one in answers if one.tool == ARTEFACTS]
    made = [output for one in calls for output in outputs_of(one.data)]
    refused = tuple(why for one in calls for why in refusals_of(one.data))
    known = at_hand(asked, journeys)
    wanted = asked.request.artefacts
    if wanted is None:
        # The text of a plan changes nothing and says itself what it is of.
        texts = [one for one in made if _kind(one) == "text"]
        ours = {(one.get("journey_id"), one.get("journey_index")) for one in known}
        return CheckedArtefacts(
            tuple(one for one in texts if _which(one)[:2] in ours), refused if texts else ()
        )
    plans: dict[tuple[object, object, object], Row] = {
        (one.get("journey_id"), one.get("journey_index"), plan_index(wanted, one)): one
        for one in chosen_journeys(wanted, known)
        if plan_index(wanted, one) is not None
    }
    kept = [one for one in made if _which(one) in plans and _kind(one) in wanted.kinds]
    missing = tuple(_not_there(asked, wanted, known, bool(calls)))
    if not missing and not refused:
        missing = tuple(_not_made(wanted, plans, kept))
    return CheckedArtefacts(tuple(kept), refused, missing, tuple(_not_counted(wanted, kept)))


def _which(output: Row) -> tuple[object, object, object]:
    """The plan that an output was made of; indices that were not sent are the first."""
    sent: Row = output.get(SENT) or {}
    journey_id, journey, plan = (sent.get(name) for name in _WHICH)
    return journey_id, journey or 0, plan or 0


def _kind(output: Row) -> ArtefactKind | None:
    return _MADE_BY.get(str(output.get("tool")))


def _not_there(
    asked: Understood, wanted: Artefacts, known: Sequence[Row], called: bool
) -> Iterator[str]:
    """Yield what was wanted of journeys or plans that are not there."""
    if asked.asks or not known:
        return
    meant = meant_journeys(wanted, known)
    with_plans = [one for one in meant if rows(one, "plans")]
    files = either([_NAMES[kind] for kind in wanted.kinds])
    if any(one.get("unsettled") for one in meant):
        yield "What was asked for beside the plan can be made when the place is clear."
    elif not meant:
        ends = either([f"{one.get('from')} to {one.get('to')}" for one in known])
        yield f"Which journey is meant: {ends}?"
    elif wanted.plan is not None and with_plans and _no_such_plan(wanted, with_plans):
        counts = either([str(len(rows(one, "plans"))) for one in with_plans])
        yield f"There is no such plan: the journey has {counts}."
    else:
        for one in meant:
            if one not in with_plans:
                yield f"No {files} is made of the trip to {one.get('to')}, which is not planned."


def _no_such_plan(wanted: Artefacts, journeys: Sequence[Row]) -> bool:
    return all(plan_index(wanted, one) is None for one in journeys)


def _is_of_day(output: Row) -> bool:
    """Whether an output is of all trips of a day."""
    sent: Row = output.get(SENT) or {}
    return bool(sent.get("whole_day"))


def _not_made(
    wanted: Artefacts, plans: Mapping[tuple[object, object, object], Row], kept: Sequence[Row]
) -> Iterator[str]:
    made = {(_which(one), _kind(one)) for one in kept}
    # One of a whole day is of every journey with its handle.
    days = {(_which(one)[0], _kind(one)) for one in kept if _is_of_day(one)}
    for which, journey in plans.items():
        for kind in wanted.kinds:
            if (which, kind) not in made and (which[0], kind) not in days:
                ends = f"{journey.get('from')} to {journey.get('to')}"
                yield f"The {_NAMES[kind]} of {ends} is not made."


def _not_counted(wanted: Artefacts, kept: Sequence[Row]) -> Iterator[str]:
    """Yield what was asked of calendar files and maps and is in no call."""
    for output in kept:
        sent: Row = output.get(SENT) or {}
        if wanted.whole_day and _kind(output) != "text" and not _is_of_day(output):
            yield "one of the whole day"
        if _kind(output) == "calendar":
            if (
                wanted.alarm_minutes is not None
                and sent.get("alarm_minutes") != wanted.alarm_minutes
            ):
                yield f"a reminder {wanted.alarm_minutes} minutes before"
            if {name: sent[name] for name in REPEATS if sent.get(name)} != dict(wanted.repeats):
                yield "an entry that repeats"
            if wanted.per_leg and not sent.get("per_leg"):
                yield "one event for each leg"
