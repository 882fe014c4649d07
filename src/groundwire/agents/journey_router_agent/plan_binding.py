"""Whether a draft gives one plan the figures of another.

Every figure of a draft may have been answered and the sentence still be false: "plan 1 takes 48
minutes and leaves at 10:00", where 10:00 is when plan 2 leaves. So the figures that are said of one
plan have to be those of one plan. What is said of no plan by name may be of several trips, one plan
of each; or it lists one kind of figure of many ("you can leave at 9:00, 9:10 or 9:20").
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from groundwire.agents.journey_requests.outputs import rows

Kind = Literal["start", "arrival", "duration_minutes"]
Row = Mapping[str, Any]
KINDS: tuple[Kind, ...] = ("start", "arrival", "duration_minutes")

_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_NOUN = r"(?:plan|option|alternative|choice|route|one)"
_MENTION = re.compile(
    rf"\b(?:{_NOUN}\s+(?:number\s+|no\.?\s*|#)?(?P<number>\d)(?![\d:.]\d)|"
    rf"(?P<ordinal>{'|'.join(_ORDINALS)})\s+(?:{_NOUN}|(?=takes|leaves|arrives|is\b)))\b",
    re.IGNORECASE,
)
_TRIP = re.compile(rf"\b(?P<ordinal>{'|'.join(_ORDINALS)})\s+(?:trip|journey)\b", re.IGNORECASE)
_FIGURE = re.compile(
    r"(?<![\d:.])(?:(?P<hour>\d{1,2})[:.](?P<minute>[0-5]\d)(?:\s*(?P<half>[ap])\.?m\b)?|"
    r"(?P<minutes>\d{1,3})[\s-]*min(?:ute)?s?\b)",
    re.IGNORECASE,
)
# What a time is said to be by the words right before it.
_SAID: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("start", re.compile(r"\b(?:leav\w*|depart\w*|sets?\s+off|starts?)\s+(?:\w+\s+){0,3}$", re.I)),
    ("arrival", re.compile(r"\b(?:arriv\w*|reach\w*|there)\s+(?:\w+\s+){0,3}$", re.I)),
)


@dataclass(frozen=True, slots=True)
class _Figure:
    """A figure of a draft: which figures of plans it may be."""

    raw: str
    value: str
    kinds: tuple[Kind, ...]
    bound: bool


@dataclass(frozen=True, slots=True)
class _Group:
    """Figures that are said of one plan, or of none by name; `trip` where a trip is named."""

    plan: int | None
    trip: int | None
    figures: list[_Figure]


def mixed(draft: str, journeys: Sequence[Row], asked: str = "") -> Iterator[str]:
    """The figures of a draft that are not those of the plan that they are said of.

    Args:
        draft: the text.
        journeys: the journeys with the plans that were answered.
        asked: the request; a time of it may be repeated where nothing says that it is a plan's.
    """
    known = [[_figures_of(plan) for plan in rows(journey, "plans")] for journey in journeys]
    if sum(map(len, known)) < 2:
        return
    answered = {(kind, value) for plans in known for plan in plans for kind, value in plan}
    spoken = {one.value for one in _read(asked)}
    plan: int | None = None
    for sentence in _SENTENCE.split(draft):
        groups, plan = _groups(sentence, journeys, plan)
        for group in groups:
            judged = [
                one
                for one in group.figures
                if any((kind, one.value) in answered for kind in one.kinds)
                and (one.bound or one.value not in spoken)
            ]
            if not _agrees(group, judged, known):
                yield " ".join(one.raw for one in judged)


def unnumbered(draft: str, journeys: Sequence[Row]) -> str:
    """A draft without the numbers by which it calls plans that there are: they are no figures."""
    most = max((len(rows(journey, "plans")) for journey in journeys), default=0)

    def bare(match: re.Match[str]) -> str:
        if not match["number"] or not 1 <= int(match["number"]) <= most:
            return match[0]
        return match[0].replace(match["number"], " ")

    return _MENTION.sub(bare, draft)


def _figures_of(plan: Row) -> frozenset[tuple[Kind, str]]:
    found: set[tuple[Kind, str]] = set()
    for kind in KINDS:
        value = plan.get(kind)
        if value is not None:
            found.add((kind, str(value) if kind == "duration_minutes" else str(value)[11:16]))
    return frozenset(found)


def _read(text: str) -> list[_Figure]:
    """The clock times and minutes of a text."""
    return [_figure(text, match) for match in _FIGURE.finditer(text)]


def _figure(text: str, match: re.Match[str]) -> _Figure:
    if match["minutes"]:
        return _Figure(match[0], match["minutes"].lstrip("0"), ("duration_minutes",), bound=False)
    hour, half = int(match["hour"]), (match["half"] or "").lower()
    if half:
        hour = hour % 12 + (12 if half == "p" else 0)
    before = text[: match.start()]
    said: tuple[Kind, ...] = tuple(kind for kind, pattern in _SAID if pattern.search(before))
    kinds: tuple[Kind, ...] = said or ("start", "arrival")
    return _Figure(match[0], f"{hour:02d}:{match['minute']}", kinds, bound=bool(said))


def _groups(
    sentence: str, journeys: Sequence[Row], plan: int | None
) -> tuple[list[_Group], int | None]:
    """The figures of a sentence by the plan that was named last before them."""
    named = [(match.start(), _number(match)) for match in _MENTION.finditer(sentence)]
    trip = _trip(sentence, journeys)
    groups: list[_Group] = []
    for match in _FIGURE.finditer(sentence):
        before = [number for at, number in named if at < match.start()]
        of = before[-1] if before else named[0][1] if named else plan
        if not groups or groups[-1].plan != of:
            groups.append(_Group(of, trip, []))
        groups[-1].figures.append(_figure(sentence, match))
    return groups, named[-1][1] if named else plan


def _number(match: re.Match[str]) -> int:
    """The index of the plan that is named; people count from 1."""
    if match["number"]:
        return max(int(match["number"]) - 1, 0)
    return _ORDINALS.index(match["ordinal"].lower())


def _trip(sentence: str, journeys: Sequence[Row]) -> int | None:
    """The one trip that a sentence names, or None."""
    lowered = sentence.lower()
    found = {
        number
        for number, one in enumerate(journeys)
        if f"{one.get('from')} to {one.get('to')}".lower() in lowered
    }
    found |= {_ORDINALS.index(one["ordinal"].lower()) for one in _TRIP.finditer(sentence)}
    return found.pop() if len(found) == 1 else None


def _agrees(
    group: _Group,
    figures: Sequence[_Figure],
    known: Sequence[Sequence[frozenset[tuple[Kind, str]]]],
) -> bool:
    """Whether some plans, one of each trip, have the figures; or they are a list of one kind."""
    trips = [known[group.trip]] if group.trip is not None and group.trip < len(known) else known
    if group.plan is not None:
        trips = [plans[group.plan : group.plan + 1] for plans in trips]
    elif any(
        all((kind, one.value) in set().union(*plans) for one in figures)
        for kind in KINDS
        if all(kind in one.kinds for one in figures)
        for plans in trips
    ):
        return True
    return _covered(frozenset(figures), trips)


def _covered(
    figures: frozenset[_Figure], trips: Sequence[Sequence[frozenset[tuple[Kind, str]]]]
) -> bool:
    """Whether one plan of each trip can be chosen so that every figure is one of theirs."""
    if not figures:
        return True
    if not trips:
        return False
    first, *others = trips
    for plan in (frozenset[tuple[Kind, str]](), *first):
        left = frozenset(
            one for one in figures if not any((kind, one.value) in plan for kind in one.kinds)
        )
        if (left != figures or not plan) and _covered(left, others):
            return True
    return False
