"""Expressions of time in a sentence: pieces that stand together, and the words that lead to them.

"by 6 pm tomorrow" is a cue, a clock and a day; "by 10, then at five" is two expressions. A number
alone is an hour only where a word leads to it and nothing follows that it could count.

A piece (a clock, day, part of a day, duration or cue) is
found by its form and says what it means before any clock: "half past five" is half past an hour
that nobody has placed in the day yet. What has the form of a time and cannot be one (25:00, 31
February) is a piece that says so, with the nearest that can.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cache

from groundwire.journeys.itinerary import TimeIs
from groundwire.journeys.times.days import (
    CLOCK_RULES,
    DAY_RULES,
    FROM_NOW_RULES,
    LONE_RULES,
    NEAR_RULES,
    PART_RULES,
)
from groundwire.journeys.times.pieces import (
    AFTER_AN_HOUR,
    ARRIVING,
    CUES,
    HOUR_CUES,
    ROUGH_CUES,
    After,
    Ahead,
    Clock,
    Cue,
    Day,
    Impossible,
    Mark,
    Meaning,
    Part,
    Rule,
    any_of,
)
from groundwire.quantities import plain


def _cue(match: re.Match[str]) -> Meaning:
    return Cue(" ".join(match[0].lower().split()))


# In the order in which forms that begin at one place are tried.
_RULES: tuple[Rule, ...] = (
    *DAY_RULES,
    *CLOCK_RULES,
    *NEAR_RULES,
    *PART_RULES,
    *FROM_NOW_RULES,
    Rule("cue", any_of(CUES), _cue),
    *LONE_RULES,
)
_ISH_ENDING = re.compile(r"(?<=[\dmnetrx])-?ish\b", re.IGNORECASE)
_GROUP = re.compile(r"\(\?P<[a-z]+>")
_BEFORE = r"(?<![0-9A-Za-z_])(?<![0-9][.:/-])(?<!')"
_AFTER = r"(?![0-9A-Za-z_])(?![:/][0-9])(?!\.[0-9])"


@cache
def _patterns() -> tuple[re.Pattern[str], dict[str, tuple[re.Pattern[str], Rule]]]:
    """One pattern that finds every piece by name, and each one's own that tells its groups."""
    flags = re.IGNORECASE | re.ASCII
    anywhere = "|".join(
        f"(?P<{rule.name}>{_GROUP.sub('(?:', rule.pattern).replace('(?P=sep)', '[/.-]')})"
        for rule in _RULES
    )
    own = {rule.name: (re.compile(f"(?:{rule.pattern}){_AFTER}", flags), rule) for rule in _RULES}
    # What begins no piece is passed over at once.
    return re.compile(f"(?=[0-9a-z]){_BEFORE}(?:{anywhere}){_AFTER}", flags), own


def _find_marks(text: str) -> list[Mark]:
    """The pieces of a text, in order and without overlap."""
    folded = plain(text).replace("\uff1a", ":")
    # "4ish", "noon-ish": about then.
    folded = _ISH_ENDING.sub(lambda match: " " * len(match[0]), folded)
    pattern, own = _patterns()
    found: list[Mark] = []
    for match in pattern.finditer(folded):
        form, rule = own[str(match.lastgroup)]
        again = form.match(folded, match.start())
        meaning = rule.build(again) if again is not None else None
        if again is not None and meaning is not None:
            ish = _ISH_ENDING.match(text, again.end())
            found.append(Mark(again.start(), ish.end() if ish else again.end(), meaning))
    return found


_JOINT = re.compile(r"[\s,]*(?:\s(?:of|the|in)\s+)?", re.IGNORECASE)
_TOUCHING = re.compile(r"\s+")
_NEXT_WORD = re.compile(r"\s+([A-Za-z']+)")
_ENDS = re.compile(r"\s*(?:[.,;:!?)\]\u2013\u2014-]|$)|\s+[-&]")
# Where another clause begins, what was said of arriving is over.
_CLAUSE = re.compile(r"[,;.!?]|\b(?:then|and|but)\b", re.IGNORECASE)
# "When must I set off to be at Bank at 9?" asks for one time and gives the other.
_ASKS_DEPARTURE = re.compile(
    r"\b(?:when|what\s+time|how\s+(?:early|late|soon))\b[^,;.!?]*\b(?:leave|depart|set\s+(?:off|out)"
    r"|start|head\s+(?:off|out))\b",
    re.IGNORECASE,
)
_LEAVING = re.compile(r"\b(?:leav\w*|depart\w*|set(?:ting)? off|start\w*)\b", re.IGNORECASE)
# A part of the day alone is meant as a time only where a word leads to it.
_LEADING = re.compile(
    r"^(?:in\s+the|this|(?:the\s+)?(?:early|late|mid|end|first)|tonight)\b", re.IGNORECASE
)

_EVENT_CUES = frozenset({"starts at", "begins at"})
_OWN_START = re.compile(r"\b(?:trip|journey|day|commute|travel)\s*$", re.IGNORECASE)
_TRIP_AHEAD = re.compile(
    r"\s+(?:[A-Z][\w'’.-]*(?<!\bStreet)(?<!\bRoad)(?<!\bLane)(?<!\bAvenue)(?<!\bPlace)\s+){1,4}"
    r"(?:to\s|->|→)"
)
_MEALS = frozenset({"lunch", "lunchtime"})
_FOR_MEAL = re.compile(r"\bfor\s+lunch(?:time)?$", re.IGNORECASE)
_ISH = re.compile(r"ish\b", re.IGNORECASE)
_TOWARDS = re.compile(r"\bto\b", re.IGNORECASE)

Slot = str


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression of time as it stands in a text.

    Attributes:
        span: where it stands with the words that lead to it, end exclusive.
        raw: as it was written.
        clock, day, part, after, exact: what it is made of.
        ahead: minutes before that time which are meant: "10 minutes before 9"; below 0 after it.
        impossible: why it is none, where it cannot be.
        time_is: what its words say of it, or None.
        cue: the word that says so.
        rough: whether it was called approximate.
        clock_raw: the clock as it was written.
        borrowed: whether its day was said of another time of the sentence.
    """

    span: tuple[int, int]
    raw: str
    clock: Clock | None = None
    day: Day | None = None
    part: Part | None = None
    after: After | None = None
    exact: datetime | None = None
    ahead: int = 0
    impossible: tuple[Impossible, ...] = ()
    time_is: TimeIs | None = None
    cue: str = ""
    rough: bool = False
    clock_raw: str = ""
    borrowed: bool = False


@dataclass(slots=True)
class _Chain:
    """Pieces that are being put together."""

    text: str
    start: int = 0
    end: int = 0
    slots: dict[Slot, Mark] = field(default_factory=dict[Slot, Mark])
    cues: list[str] = field(default_factory=list[str])

    def takes(self, mark: Mark) -> bool:
        """Whether a piece has its place here; what is counted stands first, or alone."""
        slot = _slot(mark)
        if slot in ("after", "ahead", "exact") or not {"after", "exact"}.isdisjoint(self.slots):
            return not self.slots
        return slot not in self.slots

    def add(self, cues: list[Mark], mark: Mark) -> None:
        if not self.slots:
            self.start = cues[0].start if cues else mark.start
        self.cues += [cue.meaning.word for cue in cues if isinstance(cue.meaning, Cue)]
        self.slots[_slot(mark)] = mark
        self.end = mark.end


def find_expressions(text: str, *, whole: bool = False) -> list[Expression]:
    """The expressions of time of a text, in order and without overlap.

    Args:
        text: a sentence, or several.
        whole: whether the text is an expression and nothing else, so that a number alone is an
            hour.
    """
    marks = _meant(text, _find_marks(text), whole=whole)
    found: list[Expression] = []
    chain, cues = _Chain(text), list[Mark]()
    end: int | None = None

    def finish() -> None:
        # "10 minutes before the show" names no time.
        if chain.slots.keys() - {"ahead"}:
            expression = _expression(chain, found[-1].span[1] if found else 0)
            if whole or _is_time(expression, text):
                found.append(expression)

    for index, mark in enumerate(marks):
        if end is not None and not _joined(text, end, mark, marks[index + 1 :]):
            finish()
            chain, cues = _Chain(text), []
        end = mark.end
        if isinstance(mark.meaning, Cue):
            cues.append(mark)
            continue
        if not chain.takes(mark):
            finish()
            chain = _Chain(text)
        chain.add(cues, mark)
        cues = []
    finish()
    return found


def _joined(text: str, end: int, mark: Mark, following: list[Mark]) -> bool:
    """Whether a piece belongs to the one before it.

    "at 10, lunch at 1" begins anew with lunch, and "at 8, in the evening at 6" with the evening;
    "for lunch, back at 3" and "for lunch, at 3 to Bank" with the hour.
    """
    if _JOINT.fullmatch(text, end, mark.start) is None:
        return False
    if "," in text[end : mark.start] and _FOR_MEAL.search(text, max(end - 16, 0), end):
        return False
    if not isinstance(mark.meaning, Part) or "," not in text[end : mark.start]:
        return True
    clock = next((one for one in following if not isinstance(one.meaning, Cue)), None)
    gap = text[mark.end : following[0].start] if following else ","
    leads = clock is not None and isinstance(clock.meaning, Clock) and not gap.strip()
    return mark.meaning.name not in _MEALS and not leads


def _slot(mark: Mark) -> Slot:
    match mark.meaning:
        case Impossible(slot=slot):
            return slot
        case Clock():
            return "clock"
        case Day():
            return "day"
        case After():
            return "after"
        case Ahead():
            return "ahead"
        case datetime():
            return "exact"
        case _:
            return "part"


def _meant(text: str, marks: list[Mark], *, whole: bool) -> list[Mark]:
    """The pieces without the numbers that are none."""
    kept: list[Mark] = []
    for index, mark in enumerate(marks):
        meaning = mark.meaning
        if isinstance(meaning, Impossible) and meaning.lone and not whole:
            continue
        if isinstance(meaning, Clock) and meaning.lone and not whole:
            following = marks[index + 1] if index + 1 < len(marks) else None
            if not _is_hour(text, mark, kept[-1] if kept else None, following):
                continue
        kept.append(mark)
    return kept


def _is_hour(text: str, mark: Mark, before: Mark | None, following: Mark | None) -> bool:
    """Whether a number is an hour: a cue right before it, and nothing that it counts after it."""
    led = (
        before is not None
        and (
            isinstance(before.meaning, Ahead)
            or (isinstance(before.meaning, Cue) and before.meaning.word in HOUR_CUES)
        )
        and _TOUCHING.fullmatch(text, before.end, mark.start) is not None
    )
    if following is not None and isinstance(following.meaning, Day | Part):
        joined = _JOINT.fullmatch(text, mark.end, following.start) is not None
        if joined and (led or not text[: mark.start].strip()):
            return True
    # "tomorrow 0915", "tomorrow 9"
    dated = before is not None and isinstance(before.meaning, Day) and mark.end - mark.start == 4
    if before is not None and isinstance(before.meaning, Day) and before.meaning.shift is not None:
        dated |= _ENDS.match(text, mark.end) is not None
    if not (led or dated):
        return False
    if _ENDS.match(text, mark.end) is not None:
        return True
    word = _NEXT_WORD.match(text, mark.end)
    if word is not None and word[1] in AFTER_AN_HOUR:
        return True
    # "at 8 Oval to Bank" is an hour and a trip, "at 10 Downing Street" an address, and "from One
    # New Change" a place.
    at = before is not None and isinstance(before.meaning, Cue) and before.meaning.word == "at"
    return at and text[mark.start].isdigit() and _TRIP_AHEAD.match(text, mark.end) is not None


def _is_time(expression: Expression, text: str) -> bool:
    """Whether a part of the day that stands alone is meant as a time ("Morning Lane" is not)."""
    others = (expression.clock, expression.day, expression.after, expression.exact)
    if expression.part is None or any(other is not None for other in others):
        return True
    word = _NEXT_WORD.match(text, expression.span[1])
    if expression.raw.split()[-1][0].isupper() and word is not None and word[1][0].isupper():
        return False
    # "morning trip"
    if word is not None and word[1].lower() in ("trip", "journey", "commute"):
        return True
    # "night bus", "evening peak"
    return bool(expression.cue) or _LEADING.match(expression.raw) is not None


def _expression(chain: _Chain, floor: int) -> Expression:
    """Return what a chain of pieces says; `floor` is where the expression before it ends."""
    made = Expression(
        (chain.start, chain.end),
        chain.text[chain.start : chain.end],
        rough=not ROUGH_CUES.isdisjoint(chain.cues)
        or _ISH.search(chain.text[chain.start : chain.end]) is not None,
    )
    impossible: list[Impossible] = []
    for mark in chain.slots.values():
        match mark.meaning:
            case Clock() as clock:
                made = replace(made, clock=clock, clock_raw=chain.text[mark.start : mark.end])
            case Day() as day:
                made = replace(made, day=day)
            case Part() as part:
                made = replace(made, part=part)
            case After() as after:
                made = replace(made, after=after)
            case Ahead(minutes=minutes):
                made = replace(made, ahead=minutes)
            case datetime() as exact:
                made = replace(made, exact=exact)
            case Impossible() as problem:
                impossible.append(problem)
            case _:
                pass
    time_is, cue = _direction(chain, floor)
    return replace(made, impossible=tuple(impossible), time_is=time_is, cue=cue)


def _direction(chain: _Chain, floor: int) -> tuple[TimeIs | None, str]:
    """Whether one departs or arrives then, by the words before and within."""
    for cue in chain.cues:
        said = CUES[cue]
        if cue in _EVENT_CUES and _OWN_START.search(chain.text[: chain.start]):
            said = "departing"
        if said is not None:
            return said, cue
    inside = chain.text[chain.start : chain.end].lower()
    if inside.startswith("within"):
        return "arriving", "within"
    clause = _CLAUSE.split(plain(chain.text[floor : chain.start]))[-1]
    arriving = max((hit.start() for hit in ARRIVING.finditer(clause)), default=-1)
    leaving = max((hit.start() for hit in _LEAVING.finditer(clause)), default=-1)
    if "for" in chain.cues and "clock" in chain.slots:
        return "arriving", "for"
    if _ASKS_DEPARTURE.search(clause) and _TOWARDS.search(clause):
        return "arriving", "when"
    if arriving > leaving:
        return "arriving", ARRIVING.findall(clause)[-1].lower()
    if leaving > arriving:
        return "departing", _LEAVING.findall(clause)[-1].lower()
    cue = next(iter(chain.cues), "")
    return ("departing", cue) if "at" in chain.cues else (None, cue)
