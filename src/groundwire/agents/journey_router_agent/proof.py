"""Whether a draft says anything of journeys that no agent had answered.

Three checks, and all have to be passed. What is said of one plan has to be of that plan
(`plan_binding`). The check of the evidence room judges figures and times by
what their sentence says they are: a departure that is told as the arrival is contradicted. The
other is closed: every figure, number word, path and name has to stand in the answers, however the
sentence is built; of names, those that the user wrote may be repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from groundwire.agents.journey_requests.driving import Answered, Task
from groundwire.agents.journey_requests.outputs import outputs_of, refusals_of, rows, texts
from groundwire.agents.journey_router_agent.plan_binding import mixed, unnumbered
from groundwire.agents.journey_router_agent.route import planned
from groundwire.agents.runtime.formatting import compact
from groundwire.agents.runtime.plain_prose import unknown_words
from groundwire.evidence.check import check
from groundwire.evidence.records import Draft, Item, Record, Value

_MOMENT = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})?")
_FIGURE = re.compile(r"\d+(?:[:.,]\d+)*")
_PATH = re.compile(r"(?:(?<!\w)\w+://|urn:|/|[A-Za-z]:\\)[^\s<>\"')\]}]+")
_HANDLE = re.compile(r"\b(?:ev|jny|run|cur|[a-z]{1,4})_[\w-]{8,}")
_NAME = re.compile(r"\b[A-ZÀ-Þ][\w’'À-ÿ-]*")
# fmt: off
_WORDS = {
    "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14",
    "fifteen": "15", "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19",
    "twenty": "20", "thirty": "30", "forty": "40", "fifty": "50", "sixty": "60", "hundred": "100",
    "half": "30", "quarter": "15", "dozen": "12",
}
# fmt: on
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_WORDS)})\b", re.IGNORECASE)
# Words that sentences about journeys begin with, and names that are no claim about one.
_PLAIN_WORDS = """
a about after all also an and any are arrive arrives arrival assumed at be before both but by can
change changes check could day depart departs departure directions do each either estimated
estimates finally first for from go good have head here hello hi home how i if in instead into is
it its journey journeys keep kept last leave leaves let live london map maybe me mind my next no
not note now of ok okay on once one only option options or other our place plan planned plans
please sorry start starts sure take taken takes thanks that the then there these they this those
tfl time times to today tomorrow trip trips walk was we what when where which who will with work
would yes you your calendar file text tube bus train line lines station stop preferences saved
another otherwise alternatively second third since however because upon during allow expect around
between every few many several step total walking getting arriving leaving taking using remember
enjoy great perfect certainly welcome safe each allow your
monday tuesday wednesday thursday friday saturday sunday noted unfortunately currently
"""
_PLAIN = frozenset(_PLAIN_WORDS.split())


def invented(draft: str, task: Task, answers: Sequence[Answered], told: str) -> tuple[str, ...]:
    """What a draft states that was not answered, in its own words; none where it may pass.

    Args:
        draft: the text.
        task: what was asked.
        answers: what the agents returned.
        told: the answer that the answers themselves make.
    """
    known = "\n".join([*_texts(answers), re.sub("“[^“”]*”", " ", told)])
    plain = _MOMENT.sub(r"\1 \2", known)
    journeys = planned(answers)
    wrong = list(mixed(draft, journeys, task.text))
    draft = unnumbered(draft, journeys)
    wrong += _closed(draft, plain, task.text)
    record = _record(answers)
    if record.draft.values:
        wrong += [
            claim.text
            for claim in check(draft, [record]).claims
            if claim.status == "contradicted"
            or (claim.status == "unsupported" and claim.kind in ("number", "time", "iri"))
        ]
    return tuple(dict.fromkeys(wrong))


def _closed(draft: str, known: str, asked: str) -> Iterator[str]:
    """Figures, number words, paths and names that stand in no answer."""
    # The digits of random handles, and of paths that hold them, are no figures of a journey.
    told = _PATH.sub(" ", _HANDLE.sub(" ", known))
    figures = {_digits(one) for one in _FIGURE.findall(told)}
    paths = _PATH.findall(draft)
    yield from (one for one in paths if one.rstrip(".,;:") not in known)
    rest = _PATH.sub(" ", draft)
    yield from (one for one in _FIGURE.findall(rest) if _digits(one) not in figures)
    words = {word.lower() for word in _NUMBER_WORD.findall(known)}
    for word in _NUMBER_WORD.findall(rest):
        if word.lower() not in words and _WORDS[word.lower()] not in figures:
            yield word
    names = {word.lower() for word in re.findall(r"[\w’'À-ÿ-]+", f"{known} {asked}")}
    for name in _NAME.findall(rest):
        plain = name.lower().removesuffix("'s").removesuffix("’s")
        if plain not in names and plain not in _PLAIN and name.lower() not in names:
            yield name
    # A name that is written small, or in another script, is a name.
    yield from (
        word for word in unknown_words(rest, f"{known} {asked}") if word.lower() not in _PLAIN
    )


def _digits(figure: str) -> str:
    head, _, tail = figure.replace(",", "").replace(".", ":").partition(":")
    return f"{head.lstrip('0') or '0'}:{tail}" if tail else head.lstrip("0") or "0"


def _texts(answers: Sequence[Answered]) -> Iterator[str]:
    for one in answers:
        for output in outputs_of(one.data):
            yield compact(output)
        yield from refusals_of(one.data)


def _record(answers: Sequence[Answered]) -> Record:
    """What was answered, as a record that a draft can be checked against."""
    journeys = planned(answers)
    values = [
        replace(value, item=_item(number, journey, len(journeys)))
        for number, journey in enumerate(journeys)
        for value in _values(journey)
    ]
    return Record(
        evidence_id="ev_of_this_run",
        sequence=1,
        owner="local",
        tool="journey_planner_agent",
        arguments={},
        created="1970-01-01T00:00:00.000Z",
        draft=Draft(values=tuple(dict.fromkeys(values))),
        payload_hash=None,
        payload_size=None,
        payload_cut=False,
        previous_hash="",
        hash="",
    )


def _item(number: int, journey: Mapping[str, Any], count: int) -> Item:
    """A trip as sentences call it: by its ends, and where there are several by its order."""
    start, end = journey.get("from"), journey.get("to")
    ordinals = [_ORDINALS[number]] if count > 1 and number < len(_ORDINALS) else []
    words = [f"{ordinal} {noun}" for ordinal in ordinals for noun in ("trip", "journey")]
    return Item((f"{start} to {end}", f"{start} - {end}", *words))


def _values(journey: Mapping[str, Any]) -> Iterator[Value]:
    for key in ("from", "to", "via"):
        if journey.get(key):
            yield Value(key, str(journey[key]), "name")
    plans = rows(journey, "plans")
    for label, count in (("plans", len(plans)), ("other plans", len(plans) - 1)):
        if count > 0:
            yield Value(label, str(count), labels=(label, label.removesuffix("s")))
    for plan in plans:
        yield from _plan(plan)


def _plan(plan: Mapping[str, Any]) -> Iterator[Value]:
    for key, labels in (
        ("start", ("leave", "leaves", "leaving", "depart", "departs", "set off")),
        ("arrival", ("arrive", "arrives", "arriving", "reach", "get there", "be there")),
    ):
        found = _MOMENT.match(str(plan.get(key, "")))
        if found is not None:
            yield Value(key, found[2], "time", labels=labels)
            yield Value(f"{key} day", found[1], "date")
    minutes = (("duration_minutes", ("takes", "journey time")), ("walking_minutes", ("on foot",)))
    for key, labels in minutes:
        if isinstance(plan.get(key), int):
            yield Value(key, str(plan[key]), unit="min", labels=labels)
    if isinstance(plan.get("interchanges"), int):
        yield Value("interchanges", str(plan["interchanges"]), labels=("changes", "change"))
    for line in texts(plan, "lines"):
        yield Value("line", line, "name")
