"""The sentences of the router on what the planner returned.

A trip whose place is not clear is told as a row of plans under one line, one plan for each place.
What the planner notes and assumes of several trips is told once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from groundwire.agents.journey_requests.model import Limit, Question
from groundwire.agents.journey_requests.not_held import OF_NEXT
from groundwire.agents.journey_requests.subagents import SENT, Row, rows, texts
from groundwire.agents.journey_requests.words import mode_named
from groundwire.journeys.conditions import told
from groundwire.journeys.lines.names import LINES
from groundwire.journeys.network.model import DIFFER, LEFT_OUT
from groundwire.journeys.telling import NOT_KNOWN
from groundwire.journeys.wording import count, day, listed
from groundwire.safe_text import safe_name
from groundwire.vocabulary import fold

_MOST_NAMED = 6
# Notes on estimates that the answer of each journey gives in its own words.
_SAID_OF_EACH = ("Times are estimates", "The embedded network does not know")
_CAVEAT = re.compile(rf" (?:(?:{NOT_KNOWN}|{DIFFER}|{LEFT_OUT})[^.]*|Times are estimates)\.")
# The name of an option, in what the planner notes.
_NO_ADJUSTMENT = ", or leave adjustment out"
_ADJUSTMENT = re.compile(r"\badjustment\b")
_OF_A_LINE = re.compile(
    r"“[^”]+” is not taken into account: say “only by (?:the )?(?P<line>[^”]+)” for that\."
)
_NUMBERED = frozenset(("tram", "train", "metro", "ferry", "funicular", "coach"))
# Minutes on foot that nobody takes for a way within a station.
_FAR = 10
_LINES = frozenset(line.name for line in LINES if line.mode in ("tube", "overground"))


def either(names: Sequence[str]) -> str:
    """Names to choose from: "a, b or c"."""
    return listed(names, last="or")


def asked_places(options: Sequence[Row]) -> Iterator[str]:
    """A question for each name that may mean several places."""
    for raw in dict.fromkeys(str(one.get("raw", "")) for one in options):
        names = list(dict.fromkeys(_told_apart(options, raw).values()))
        yield f"Which place is meant by “{raw}”: {either(names[:_MOST_NAMED])}?"


def _told_apart(options: Sequence[Row], raw: str) -> dict[str, str]:
    """The names of the options for some words, by value; alike names with what they differ by."""
    of_raw = [one for one in options if str(one.get("raw", "")) == raw]
    names = [str(one.get("name", "")) for one in of_raw]
    return {
        str(one.get("value", name)): f"{name} ({one['detail']})"
        if names.count(name) > 1 and one.get("detail")
        else name
        for one, name in zip(of_raw, names, strict=True)
    }


def caveats_once(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, with what several of them say of estimates on one line below them."""
    kept = list(lines)
    said = Counter(one for line in kept for one in _CAVEAT.findall(line))
    repeated = [one for one, times in said.items() if times > 1]
    for line in kept:
        yield _CAVEAT.sub(lambda match: "" if match[0] in repeated else match[0], line)
    if repeated:
        yield "".join(repeated).strip()


def trip_lines(output: Row) -> Iterator[str]:
    """The plans of a trip, and what they run into."""
    options, journeys = rows(output, "options"), rows(output, "journeys")
    if not options:
        yield str(output.get("answer", "")).strip().replace(_NO_ADJUSTMENT, "")
    else:
        yield from _for_each_place(options, journeys)
        yield from _conditions(journeys)
    for journey in journeys:
        first = next(iter(rows(journey, "plans")), Row())
        for trouble in rows(first, "disruptions"):
            way = f" {trouble['alternative']}" if trouble.get("alternative") else ""
            yield f"Mind: {trouble['line']}: {trouble['reason']}{way}"


def _conditions(journeys: Sequence[Row]) -> Iterator[str]:
    """Sentences on the conditions that the first plans of the trips keep to, or not."""
    for journey in journeys:
        if said := conditions_told(journey):
            yield said


def conditions_told(journey: Row) -> str:
    """Say of the conditions of a journey whether its first plan keeps to them."""
    plans = rows(journey, "plans")
    if not plans:
        return ""
    return told(
        [_Condition(one["asked"], one["standing"]) for one in rows(journey, "conditions")],
        [(one["stop"], one.get("step_free")) for one in rows(journey, "step_free_stops")],
        journey["source"],
        step_free=plans[0].get("step_free"),
    )


class _Condition(NamedTuple):
    """A condition in words, and whether a plan keeps to it."""

    asked: str
    standing: str


def beside(outputs: Sequence[Row]) -> Iterator[str]:
    """Yield what the planner noted, assumed and read otherwise, of all trips, each of it once."""
    said: set[str] = set()
    for output in outputs:
        for note in texts(output, "notes"):
            # Why TfL gave no answer is one matter, whatever the seconds that it still takes.
            subject = note.partition(":")[0] if note.startswith("TfL ") else note
            if not rows(output, "options") and note in str(output.get("answer")):
                continue
            if subject not in said and not note.startswith(_SAID_OF_EACH):
                said.add(subject)
                yield _ADJUSTMENT.sub("the first or last service of a day", note)
    assumed = [one.rstrip(".") for output in outputs for one in texts(output, "assumptions")]
    if assumed:
        yield f"Assumed: {'; '.join(dict.fromkeys(assumed))}."
    for one in (one for output in outputs for one in rows(output, "corrections")):
        if one.get("how") not in ("named", "code") and not _same(one):
            yield f"“{one['raw']}” was read as {one['resolved']}."


def recounted(journeys: Sequence[Row]) -> Iterator[str]:
    """Every plan of the journeys at hand: when, how long, by what, with how many changes."""
    for journey in journeys:
        plans = rows(journey, "plans")
        if not plans:
            continue
        when = datetime.fromisoformat(str(plans[0]["start"])).date()
        estimated = ", by estimate" if journey.get("source") == "offline_estimate" else ""
        yield f"{journey['from']} to {journey['to']} on {day(when, when)}{estimated}:"
        for number, plan in enumerate(plans, 1):
            changes = plan.get("interchanges")
            told = count(changes, "change") if changes else "No change"
            more = f" {told}." if isinstance(changes, int) else ""
            pence = plan.get("fare_pence")
            fare = f" £{pence / 100:.2f}." if isinstance(pence, int) else ""
            yield f"- plan {number}: {_clause(plan)}{more}{fare}"


def of_plans(asked: Sequence[str], journeys: Sequence[Row]) -> Iterator[str]:
    """Answer what is asked of the first plan of each journey: its stops, its changes."""
    for journey in journeys if asked else ():
        for plan in rows(journey, "plans")[:1]:
            ends = f"{journey['from']} to {journey['to']} by the first plan"
            changes, stops = plan.get("interchanges"), plan.get("stops")
            said: list[str] = []
            if "stops" in asked:
                begun = f"not counting {journey['from']}"
                known = isinstance(stops, int)
                said.append(f"{count(stops, 'stop')}, {begun}" if known else "stops are not known")
            if isinstance(changes, int):
                said.append(count(changes, "change") if changes else "without a change")
            if "minutes" in asked and isinstance(plan.get("duration_minutes"), int):
                said.append(count(plan["duration_minutes"], "minute"))
            yield f"{ends}: {'; '.join(said)}."


def on_foot(trips: Sequence[Mapping[str, Any]], journeys: Sequence[Row]) -> Iterator[str]:
    """Say how far one walks to or from a line that was asked for alone, where that is far."""
    for journey in journeys:
        at = int(journey.get("trip") or 0) - 1
        plans = rows(journey, "plans")[:1] if 0 <= at < len(trips) else []
        minutes = int(plans[0].get("walking_minutes") or 0) if plans else 0
        if minutes >= _FAR and texts(plans[0], "lines") and trips[at].get("only_lines"):
            ends = f"{journey['from']} to {journey['to']}"
            yield f"{ends}: {count(minutes, 'minute')} of the first plan are on foot."


def by_lines(notes: Sequence[str], journeys: Sequence[Row]) -> Iterator[str]:
    """Yield the notes; of a line that was asked for beside others, which plan goes by it."""
    estimated = any(one.get("source") == "offline_estimate" for one in journeys)
    for note in (one for one in notes if one != OF_NEXT or estimated):
        said = _OF_A_LINE.fullmatch(note)
        goes = list(_going_by(said["line"], journeys)) if said is not None else []
        yield from goes or [note]


def _going_by(said: str, journeys: Sequence[Row]) -> Iterator[str]:
    """Say for each journey which of its plans goes by a line, best from where it begins."""
    asked = fold(said.lower().removesuffix(" line"))
    for journey in journeys:
        found: list[tuple[int, int, str, str]] = []
        for number, plan in enumerate(rows(journey, "plans"), 1):
            lines = texts(plan, "lines")
            names = [fold(one.removesuffix(" line")) for one in lines]
            if asked in names:
                at = names.index(asked)
                found.append((at > 0, number, lines[at], lines[0]))
        if not found:
            continue
        later, number, line, first = min(found)
        ends = f"{journey['from']} to {journey['to']}"
        beside = f", but {_named(first, numbered=False)} comes first" if later else ""
        yield f"{ends}: plan {number} goes by {_named(line, numbered=False)}, as asked{beside}."


def of_lines(questions: Sequence[Question], outputs: Sequence[Row]) -> Iterator[str]:
    """Say of each stop whether the line, or any line of the mode, calls that was asked about."""
    for question in questions:
        asked, name = _service_asked(question.of_line)
        if not asked:
            continue
        why = bool(question.without_timetable)  # "why does it not call at Bank?"
        stops = _stops_found(question, outputs)
        at = [str(one["name"]) for one in stops if asked & set(texts(one, "lines"))]
        if at:
            yield f"{'The' if why else 'Yes: the'} {name} calls at {listed(at)}."
        elif stops:
            names = either([str(one["name"]) for one in stops])
            yield f"{'The' if why else 'No: the'} {name} does not call at {names}."
        elif any(one.get("tool") == question.tool for one in outputs):
            place = safe_name(str(question.arguments.get("query", "")))
            yield f"No stop of the {name} that is known here is called “{place}”."


def _service_asked(words: str) -> tuple[frozenset[str], str]:
    """Return the ids of the lines that are asked about, a mode's too, and how they are called."""
    bare = words[:-5] if words.lower().endswith(" line") else words
    said = fold(bare)
    asked = next((one for one in LINES if said in map(fold, (one.name, *one.aliases))), None)
    if asked is not None:
        return frozenset({asked.id}), asked.full_name
    mode = mode_named(bare) if bare else ""
    return frozenset(one.id for one in LINES if one.mode == mode), bare


def of_steps(questions: Sequence[Question], outputs: Sequence[Row]) -> Iterator[str]:
    """Say of each stop that was asked about whether it is step-free, as far as that is known."""
    for question in questions:
        if not question.of_steps:
            continue
        for stop in _stops_found(question, outputs):
            known = stop.get("step_free")
            if known is None:
                yield (
                    f"{stop['name']}: whether it is step-free is not known here; ask the operator "
                    "before you rely on it."
                )
            else:
                yield f"{stop['name']}: {'' if known else 'not '}step-free by the feed."


def _stops_found(question: Question, outputs: Sequence[Row]) -> list[Row]:
    """Return the stops that were found for a question; of its very name, where there are such."""
    name = str(question.arguments.get("query", ""))
    made = [one for one in outputs if one.get("tool") == question.tool]
    found = [stop for one in made if _sent(one).get("query") == name for stop in rows(one, "stops")]
    return [one for one in found if fold(str(one["name"])) == fold(name)] or found


def _sent(output: Row) -> Row:
    """The arguments that were sent to the tool of an output."""
    sent: Row = output.get(SENT) or {}
    return sent


def in_time(limit: Limit | None, journeys: Sequence[Row]) -> Iterator[str]:
    """Say whether the quickest plan of each journey takes as few minutes as were asked for."""
    for journey in journeys if limit is not None else ():
        took = [int(plan["duration_minutes"]) for plan in rows(journey, "plans")]
        if limit is not None and took:
            kept = min(took) < limit.most + (not limit.below)
            told = "within" if kept else "not within"
            ends = f"{journey['from']} to {journey['to']}"
            quickest = count(min(took), "minute")
            yield (
                f"{ends}: the quickest plan takes {quickest}, {told} the {limit.most} asked for "
                f"(“{limit.words}”)."
            )


def of_changes(limit: Limit | None, journeys: Sequence[Row]) -> Iterator[str]:
    """Say which plan of each journey has as few changes as were asked for, or that none has."""
    for journey in journeys if limit is not None else ():
        changes = [plan.get("interchanges") for plan in rows(journey, "plans")]
        known = [one for one in changes if isinstance(one, int)]
        if limit is None or not known:
            continue
        fits = [at for at, one in enumerate(changes, 1) if one in known and one <= limit.most]
        ends = f"{journey['from']} to {journey['to']}"
        asked = f"the {limit.most} asked for (“{limit.words}”)"
        least = count(min(known), "change") if min(known) else "no change"
        if fits:
            yield f"{ends}: plan {fits[0]} has {least}, within {asked}."
        else:
            yield f"{ends}: no plan was found within {asked}; the fewest is {least}."


def has_fares(journeys: Sequence[Row]) -> bool:
    """Whether the fare of any plan is known."""
    plans = (plan for journey in journeys for plan in rows(journey, "plans"))
    return any(isinstance(plan.get("fare_pence"), int) for plan in plans)


def _for_each_place(options: Sequence[Row], journeys: Sequence[Row]) -> Iterator[str]:
    """The first plan of a trip for each place that may be meant."""
    planned = {at: one for at, one in enumerate(journeys) if rows(one, "plans")}
    key, lead = _open_end(str(options[0].get("raw", "")), list(planned.values()))
    if lead:
        yield lead
    # Journeys stand in the order of their options: alike ones are told apart as these are.
    apart = list(_told_apart(options, str(options[0].get("raw", ""))).values())
    for number, journey in planned.items():
        name = str(journey[key]) if key else f"{journey['from']} to {journey['to']}"
        alike = [
            one for one in journeys if (one["from"], one["to"]) == (journey["from"], journey["to"])
        ]
        if not key and len(alike) > 1 and len(apart) == len(journeys):
            name = f"{name}, {apart[number]}"
        yield f"{'- ' if lead else ''}{name}: {_first_plan(journey)}"
    failed: dict[str, list[str]] = {}
    for journey in journeys:
        if not rows(journey, "plans"):
            why = str(journey.get("error") or "no plan was found.")
            # The seconds to wait differ from one place to the next, the matter does not.
            names = failed.setdefault(why.partition(":")[0], [why])
            names.append(f"{journey.get('from')} to {journey.get('to')}")
    for why, *names in failed.values():
        yield f"{listed(list(dict.fromkeys(names)))}: {why}"


def _open_end(raw: str, journeys: Sequence[Row]) -> tuple[str, str]:
    """Which end of journeys is not clear, and the line above them; neither if that is not plain."""
    if len(journeys) < 2:
        return "", ""
    starts, ends = ({str(one[key]) for one in journeys} for key in ("from", "to"))
    when = datetime.fromisoformat(str(rows(journeys[0], "plans")[0]["start"])).date()
    on = f"on {day(when, when)}"
    estimated = ", by estimate" if journeys[0].get("source") == "offline_estimate" else ""
    if len(starts) == 1 and len(ends) == len(journeys):
        return "to", f"{starts.pop()} to {raw} {on}, the first plan to each{estimated}:"
    if len(ends) == 1 and len(starts) == len(journeys):
        return "from", f"{raw} to {ends.pop()} {on}, the first plan from each{estimated}:"
    return "", ""


def _first_plan(journey: Row) -> str:
    """The first plan of a journey in one clause."""
    return _clause(rows(journey, "plans")[0])


def _clause(plan: Row) -> str:
    """A plan in one clause."""
    numbered = not _NUMBERED.isdisjoint(texts(plan, "modes"))
    lines = [_named(line, numbered=numbered) for line in dict.fromkeys(texts(plan, "lines"))]
    by = f", by {listed(lines)}" if lines else ""
    return (
        f"leaves at {_clock(plan['start'])}, arrives at {_clock(plan['arrival'])} "
        f"({plan['duration_minutes']} minutes){by}."
    )


def _named(line: str, *, numbered: bool) -> str:
    """A line as it stands in a sentence: "the Victoria line", "the DLR", "bus 73".

    Where vehicles other than buses have numbers, a number does not tell which it is.
    """
    if line in _LINES and not line.endswith("line"):
        return f"the {line} line"
    if any(letter.isdigit() for letter in line):
        return f"the {line}" if numbered else f"bus {line}"
    return f"the {line}" if line == "DLR" or line.endswith("line") else line


def _same(correction: Row) -> bool:
    """Whether a correction only leaves out an article or a mark."""
    raw = str(correction.get("raw", "")).lower().removeprefix("the ")
    return fold(raw) == fold(str(correction.get("resolved", "")))


def _clock(moment: object) -> str:
    return str(moment)[11:16]
