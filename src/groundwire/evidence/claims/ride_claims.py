"""Whether what a passage says of one ride or plan is so of one recorded ride or plan.

Each name and figure may be recorded, and the sentence still be wrong: the line of one leg with the
direction of another, the end of one trip with the time of the next. So the words of a passage are
read as frames: a line, where it is boarded and left, where it goes, when, and how long it takes.
Every frame must fit one leg, one run of legs or one whole plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.options import OTHERS
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here
from groundwire.evidence.claims.ride_frames import (
    Frame,
    Item,
    cues,
    fits_rides,
    is_of_trip,
    near,
    spans,
    stands_before,
)
from groundwire.evidence.claims.ride_items import (
    BEHIND,
    BREAK,
    CARRIES,
    NEAR,
    PARTED,
    TIMES,
    RideItems,
)
from groundwire.evidence.claims.rides import Chain, chains_of
from groundwire.evidence.claims.segments import Passage, Span

# A recorded text that is repeated in so many characters is quoted, and no name in it is told.
_SHORTEST_RUN = 40
_JOINED = re.compile(
    r"(?:\s*(?:[,、]|\b(?:and|then|the|und|dann|mit|der|die|by|lines?|linien?)\b|和|再|线))*\s*",
    re.IGNORECASE,
)
_WAY = re.compile(r"\s(?:to|nach|-|→)\s|到", re.IGNORECASE)
_PART_OF_WAY = re.compile(
    r"\b(?:on|auf|along|part|leg|teil|during|plan)\b|途中|其中|方案", re.IGNORECASE
)
# Between a trip and the lines that go all its way.
_LEADS_ON = re.compile(
    r"[\s*_]*(?:[:：,–—-][\s*_]*)?(?:(?:by|take|via|with|on|mit|per|über|乘坐?|坐)\s*)?"
    r"(?:(?:the|der|die|den)\s)?",
    re.IGNORECASE,
)
_GOES_TO = re.compile(r"\s*(?:(?:to|as far as|bis|nach)\b|[到至→])", re.IGNORECASE)
# Behind where one begins: a change at a place that has no known name.
_CHANGED_AT = re.compile("(?:出发)?[,，]?在[\u4e00-\u9fff]{2,8}?[换转]乘?")
_NO_LATER = re.compile(
    r"\b(?:no later than|not later than|spätestens(?: um)?)\s*$|(?:最晚|最迟)\D{0,4}$"
)
# So many characters before a time may name the place that it is of.
_TOLD_BEFORE = 300
_COLON, _SEMICOLON = re.compile("[:：]"), re.compile("[;；]")
_APART = re.compile(r"[,;.:，；。：]|\b(?:and|und)\b|[和及]", re.IGNORECASE)
_OF_TRIP = re.compile(
    r"\b(?:trip|journey|plan|route|fahrt|reise|verbindung)\s(?:to|from|nach|von)\s(?:the\s)?$",
    re.IGNORECASE,
)
# "..., which takes 14 minutes" is told of the last ride.
_OF_LAST = re.compile(r",\s*(?:which|that|die|der|das|was)\b", re.IGNORECASE)
_LONG = 54
_TRIP_TAKES = re.compile(
    r"\b(?:trip|journey|plan|option|route|way|connection|reise|verbindung|variante|weg)"
    r"\s(?:[^,;.:\d]{0,12}\s)?(?:takes?|taking|is|dauert|braucht|benötigt)\s[^,;.:\d]{0,20}$"
    r"|(?:方案|路线|行程|全程|旅程)[^，。；：\d]{0,10}$"
)
# "First take the Northern line" is of the first ride.
_FIRST = re.compile(r"(?:\b(?:first|zuerst|zunächst)\b,?|先)\s?[^,;.，；。]{0,14}$", re.IGNORECASE)
_SERVED = re.compile(r"\b(?:serv(?:ed|ice)|call(?:s|ed)|bedient|befahren)\b", re.IGNORECASE)
_CHANGED_TO = re.compile(r"\s(?:um(?:zu)?steigen|wechseln)\b", re.IGNORECASE)


def _trips(known: Knowledge) -> frozenset[int]:
    """Return the statements that tell of trips."""
    return frozenset(number for chain in known.once(chains_of) for number in chain.of_trip)


class RideReader(RideItems):
    """Reads one draft against the rides of recorded plans."""

    def __init__(self, draft: DraftStatements) -> None:
        super().__init__(draft)
        self._trips = draft.known.once(_trips)
        self.plan: tuple[int, int] | None = None
        self._told: list[Item] = []
        self._under: dict[Span, list[Frame]] = {}

    def read(
        self, passage: Passage, context: PassageContext, here: Here, found: Found
    ) -> list[bool]:
        """Judge what a passage says of rides; return for each frame whether it fits."""
        if not self._chains or self._draft.text[: passage.end].rstrip().endswith(("?", "？")):
            return []
        outcomes, text = list[bool](), self._draft.text
        before: tuple[Frame, set[tuple[int, int]]] | None = None
        frames = [*self._frames(passage, context, here, found)]
        self._bind(passage, frames)
        has_lines = any(frame.of("line") for frame in frames)
        told = [one for one in frames if one.of("from", "to", "minutes")]
        is_bare = len(told) == 1 and not has_lines
        changes = self._changes_told(passage, found) if is_bare else frozenset[Decimal]()
        for frame in frames:
            self._told += frame.of("from", "to", "here", "trip")
            frame.changes = changes
            frame.whole = frame.whole or self._tells_whole(frame)
            frame.is_then = self._tells_a_moment(frame)
            frame.walks = frame.implied is not None and self._is_walk(frame.items[0])
            before_it = [one for one in frames[: frames.index(frame)] if one.of("line")]
            begins = [one.start for one in frame.of("line")[:1] if not before_it]
            frame.is_first = any(_FIRST.search(text, max(0, at - NEAR), at) for at in begins)
            frame.sets_out = self._sets_out(frame)
            is_late, is_told = self._may_be_later(frame), self._is_of_what_was_told(frame)
            fits = self._fits(replace(frame, implied=None))
            if (
                is_late
                or not is_told
                or (not fits and self._is_no_way(frame))
                or (not has_lines and self._is_of_other_plan(frame, context))
            ):
                outcomes.append(False)
                found.is_untimely |= not is_told
                self._reject(frame, found, "by a plan that leaves later" if is_late else "")
                continue
            if frame.says_something:
                follows = self._fits(frame) if frame.implied else fits
                outcomes.append(bool(follows))
                if not follows:
                    self._reject(frame, found)
                    found.is_untimely |= frame.is_timed_way
                elif frame.is_row:
                    self._support(frame, found)
            steps = next(
                (s for at, s in self._under.items() if at[0] <= frame.start < at[1]), list[Frame]()
            )
            if steps and frame.of("from", "to") and not self._has_steps(frame, steps):
                outcomes.append(False)
                self._reject(frame, found)
            if before is not None and fits and self._is_before(before, frame, fits):
                outcomes.append(False)
                self._reject(Frame([*before[0].items, *frame.items]), found, "in another order")
            before = (frame, fits) if fits else None
        if has_lines:
            self.plan = self._told_of(frames)
        return outcomes

    def _bind(self, passage: Passage, frames: Sequence[Frame]) -> None:
        """Bind the ends that a passage tells to the line or place that was told before them.

        The line stands over an item, "1. Northern line" over "From: Morden"; the place is that of
        "from there".
        """
        over = next((one.span for one in passage.scopes if one.hard and not one.earlier), None)
        if passage.kind == "item" and over:
            lines = [h for h in self._draft.within(*over) if self._kind(h, ())[0] == "line"]
            for frame in frames:
                if len(lines) == 1 and {one.kind for one in frame.items} <= {"from", "to"}:
                    start, end, terms = lines[0]
                    frame.items.insert(0, Item("line", start, end, terms))
            self._under.setdefault(over, []).extend(one for one in frames if one.of("line"))
        named = [one for frame in frames[:1] for one in frame.items if one.kind != "minutes"]
        led = named and cues("from_there").search(self._draft.text, passage.start, named[0].start)
        if self._told and led and [one.kind for one in named] == ["to"]:
            frames[0].implied = replace(self._told[-1], sure=False)

    def _has_steps(self, frame: Frame, steps: Sequence[Frame]) -> bool:
        """Whether every step of a list is a ride of the way that its lead tells."""
        ways = self._fitting(frame)
        told = [rides for step in steps if (rides := self._fitting(step))]
        return not ways or all(
            any(
                chain is way and first <= at <= to <= last
                for chain, at, to in rides
                for way, first, last in ways
            )
            for rides in told
        )

    def _changes_told(self, passage: Passage, found: Found) -> frozenset[Decimal]:
        """Return how often one changes, as a passage says it; none where it does not."""
        facts = (fact for claim in found.counted for fact in claim.facts)
        told = {f.number for f in facts if f.value.name == "interchanges" and f.number is not None}
        words = vocabulary("ride_details")
        for count, kind in enumerate(("never", "once", "twice", "thrice")):
            if words[kind].search(self._draft.small, passage.start, passage.end):
                told.add(Decimal(count))
        return frozenset(told)

    def _told_of(self, frames: Sequence[Frame]) -> tuple[int, int] | None:
        """Return the trip and number of the one plan that has the legs of all frames, or None."""
        every = [
            {(chain.trip, chain.option) for chain, *_ in self._fitting(frame)}
            for frame in frames
            if frame.of("line")
        ]
        plans = set[tuple[int, int]].intersection(*every)
        return plans.pop() if len(plans) == 1 else None

    # Frames.

    def _frames(
        self, passage: Passage, context: PassageContext, here: Here, found: Found
    ) -> Iterator[Frame]:
        frame = Frame()
        lines: list[Item] = []
        for item in self._items(passage, context, here):
            if any(a <= item.start < b and b - a >= _SHORTEST_RUN for a, b in found.runs):
                continue  # the words of an operator, whatever they speak of
            lines += [item] if item.kind == "line" else []
            last = frame.items[-1] if frame.items else None
            if item.kind == "minutes" and len(lines) > 1:
                whole = Frame([*lines, item], whole=True)
                gap = self._draft.text[last.end : item.start] if last else ""
                apart = BREAK.search(gap) and not _OF_LAST.search(gap)
                if self._is_in_all(item) or (apart and self._fits(whole)):
                    yield whole
                    continue
            if last is not None and self._begins_anew(frame, last, item):
                yield frame
                frame = Frame(implied=self._goes_on_from(frame, last, item, passage))
            frame.items.append(item)
            before = self._draft.text[max(0, item.start - NEAR) : item.start]
            ends_trip = item.kind in ("from", "to") and _OF_TRIP.search(before) is not None
            takes = _TRIP_TAKES.search(self._draft.small, max(0, item.start - _LONG), item.start)
            ends_trip |= item.kind == "minutes" and not frame.of(*_UNTIMED) and takes is not None
            frame.is_of_trip = frame.is_of_trip or ends_trip
            frame.is_left = frame.is_left or cues("alights").search(before) is not None
        if frame.items:
            yield frame

    def _goes_on_from(self, frame: Frame, last: Item, item: Item, passage: Passage) -> Item | None:
        """Return the place at which the ride of the next frame begins, where it says none."""
        text = self._draft.text
        left = frame.of("to", "here")
        if left and item.kind == "departs":
            return replace(left[-1], sure=False)
        if left and cues("from_there").search(text, last.end, item.start):
            return replace(left[-1], sure=True)
        if self._walks_on(frame, item):
            return replace(left[-1], sure=False)
        if not left or item.kind != "line" or _COLON.search(text, last.end, item.start):
            return None
        led = any(one.search(text, last.end, item.start) for one in (_MEANWHILE, _FIRST))
        if led and self._ends_plan(frame):
            return None
        behind = min(passage.end, item.end + BEHIND)
        there = cues("change").search(text, last.end, item.start) or cues("there").search(
            text, item.end, behind
        )
        return replace(left[-1], sure=there is not None)

    def _walks_on(self, frame: Frame, item: Item) -> bool:
        """Whether one walks on from the end of a frame, beyond its way."""
        is_led = frame.of("to", "here") and self._is_walk(item)
        return bool(is_led) and not self._ends_plan(frame)

    def _ends_plan(self, frame: Frame) -> bool:
        """Whether a frame has told a plan to its end, if not one of a single ride."""
        return any(
            fits_rides(frame, chain, 0, len(chain.rides) - 1)
            for chain in self._chains
            if len(chain.rides) > 1 or not chain.has_legs
        )

    def _begins_anew(self, frame: Frame, last: Item, item: Item) -> bool:
        """Whether a part belongs to the next frame."""
        text, kind = self._draft.text, item.kind
        if (PARTED if self._walks_on(frame, item) else _SEMICOLON).search(
            text, last.end, item.start
        ):
            return True
        goes_on = kind in TIMES and _CHANGED_TO.match(text, last.end)
        if last.kind == "line" and (goes_on or CARRIES.match(text, last.end)):
            # "Auf die Fähre umsteigen, sie fährt um 11", "the B line gets you there in 5 minutes".
            return bool(not goes_on and frame.of(kind))
        told = frame.of("line", "to", "here", "minutes")
        if told and cues("change").search(text, last.end, item.start):
            # "Change at X to the Y line" is of the ride that begins there.
            return not (frame.of("here") and not frame.of("line") and kind == "line")
        if kind == "line" and _CHANGED_AT.fullmatch(text, last.end, item.start):
            return True
        if kind == "line":
            lines = frame.of("line")
            led = frame.is_timed_way or (frame.of("minutes") and not lines)
            sign = BREAK if frame.is_of_trip and last.kind == "minutes" else _COLON
            if led and sign.search(text, last.end, item.start):
                return True  # "leave Brixton at 9:30: take the Victoria line to Stockwell"
            if lines:
                return last.kind != "line" or not _JOINED.fullmatch(text, last.end, item.start)
            first = _FIRST.search(text, last.end, item.start)
            return bool(frame.of("to") and (first or _then(text, last.end, item.start)))
        if kind == "trip":
            # "The first trip is Brixton to Bank" names one trip twice.
            return bool(frame.items) and _APART.search(text, last.end, item.start) is not None
        if kind == "departs":  # "you arrive at Bank at 9:33 and leave again at 9:37"
            is_later = last.kind == "arrives" and last.numbers[0] < item.numbers[0]
            return is_later and bool(frame.of("to", "here"))
        if kind in ("clock", "here"):
            return kind == "clock" and len(frame.of("clock")) > 1
        if kind == "to" and last.kind in TIMES and frame.of("here"):
            return _APART.search(text, last.end, item.start) is not None
        ways = (text[one.start : one.end] for one in frame.of("trip"))
        return bool(frame.of(kind)) or (
            kind in ("from", "to") and any(_WAY.search(one) for one in ways)
        )

    def _tells_whole(self, frame: Frame) -> bool:
        """Whether lines stand beside a trip as those that go all its way: "A to B: the C line"."""
        lines, trips = frame.of("line"), frame.of("trip")
        if not lines or len(trips) != 1:
            return False
        text = self._draft.text
        if _WAY.search(text[trips[0].start : trips[0].end]) is None:
            return False
        if lines[-1].end <= trips[0].start:
            return not _PART_OF_WAY.search(text, lines[0].start, trips[0].start)
        gap = text[trips[0].end : lines[0].start]
        is_led = trips[0].end <= lines[0].start and _LEADS_ON.fullmatch(gap) is not None
        return is_led and not _GOES_TO.match(text, lines[-1].end)

    def _sets_out(self, frame: Frame) -> bool:
        """Whether the traveller leaves before a line is told: "leave A at 9 and take the B"."""
        lines, times = frame.of("line"), frame.of("departs", "clock")
        gap = (times[0].end, lines[0].start) if lines and times else (0, 0)
        if gap[0] >= gap[1]:
            return False
        led = any(one.end <= lines[0].start for one in frame.of("from"))
        is_apart = BREAK.search(self._draft.text, *gap) is not None
        return is_apart or (led and times[0].kind == "departs")

    def _tells_a_moment(self, frame: Frame) -> bool:
        """Whether the one time of a frame is that at its one place: nothing parts the two."""
        parts = frame.of("here", "clock", "departs", "arrives")
        if len(parts) != 2 or len(frame.of("here")) != 1 or frame.of("from", "to"):
            return False
        gap = self._draft.text[parts[0].end : parts[1].start]
        return _APART.search(gap) is None and not parts[1].slack

    # Judgement.

    def _is_no_way(self, frame: Frame) -> bool:
        """Whether one is said to go by some lines, and no plan has all of them."""
        lines, text = frame.of("line"), self._draft.text
        if len(lines) < 2 or len(lines) < len(frame.items):
            return False
        before = max(0, frame.start - 2 * NEAR)
        led = any(stands_before(cue, text, frame.start) for cue in ("aboard", "boards"))
        goes = led and not _SERVED.search(text, before, frame.start)
        goes = goes or CARRIES.match(text, frame.end) is not None
        return goes and not any(
            all(chain.goes_by(one.terms) for one in lines) for chain in self._chains
        )

    def _may_be_later(self, frame: Frame) -> bool:
        """Whether a time is told as the last to leave at, and another plan leaves later."""
        text = self._draft.text
        times = [
            one
            for one in frame.of("departs", "clock")
            if _NO_LATER.search(text, max(0, one.start - NEAR), one.start)
        ]
        trips = frame.of("trip")
        chains = [c for c in self._chains if all(is_of_trip(one, c, self._trips) for one in trips)]
        told = [
            (chain.trip, at)
            for chain in chains
            for one in times
            for at in chain.departs.intersection(one.numbers)
        ]
        return any(
            chain.trip == trip and min(chain.departs, default=at) > at
            for trip, at in told
            for chain in chains
        )

    def _is_of_what_was_told(self, frame: Frame) -> bool:
        """Whether a time beside no place is that of a plan, or of a ride whose place was named.

        "You arrive at 10:00" is not said of a stop on the way, unless that was spoken of.
        """
        time = frame.items[0]
        if len(frame.items) > 1 or time.kind not in ("departs", "arrives"):
            return True
        if self._times.isdisjoint(map(int, time.numbers)):
            return True
        key = {"departs": "from", "arrives": "to"}[time.kind]
        begin = max(0, time.start - _TOLD_BEFORE)
        told = [one for one in self._told if begin <= one.start < time.start]
        last = next((one for one in reversed(told) if one.kind == "to" and one.sure), None)
        at = (time.start - NEAR, time.end + BEHIND)
        if last and key == "to" and cues("there").search(self._draft.text, *at):
            # "Take the Jubilee line to Canary Wharf. You are there at 10:00."
            return bool(self._fits(Frame([last, time])))
        return any(
            near(time, getattr(chain, time.kind))
            or any(
                near(time, {getattr(ride, time.kind)}) and any(ride.has(p.terms, key) for p in told)
                for ride in chain.rides
            )
            for chain in self._chains
        )

    def _is_of_other_plan(self, frame: Frame, context: PassageContext) -> bool:
        """Whether times are those of another plan than the one that was told of before.

        "By the Northern and the Central line. You arrive at 18:41": by these lines one does.
        """
        span = context.passage.start, context.passage.end
        options = context.contexts.options
        if any(options.named_within(span)) or OTHERS.search(self._draft.text, *span):
            self.plan = None
        if self.plan is None or not frame.of("departs", "arrives", "minutes"):
            return False
        plans = {(chain.trip, chain.option) for chain, *_ in self._fitting(frame)}
        is_same_trip = self.plan[0] in {trip for trip, _ in plans}
        return self.plan[1] > 0 and is_same_trip and self.plan not in plans

    def _fits(self, frame: Frame) -> set[tuple[int, int]]:
        """Return where a frame fits: the trip and the first of the rides."""
        return {(chain.trip, first) for chain, first, _ in self._fitting(frame)}

    def _fitting(self, frame: Frame) -> list[tuple[Chain, int, int]]:
        """Return the plans that a frame fits, with the first and the last of the rides."""
        trips = frame.of("trip")
        chains = [c for c in self._chains if all(is_of_trip(one, c, self._trips) for one in trips)]
        if frame.of("line") and frame.of("departs", "arrives", "clock", "minutes"):
            # The times of a line are those of its legs, where a record tells them.
            plain = replace(frame, items=frame.of(*_UNTIMED), is_then=False)
            legs = [c for c in chains if c.has_legs and _is_in(plain, c)]
            chains = legs or chains
        return [
            (chain, first, last)
            for chain in chains
            for first, last in spans(chain)
            if fits_rides(frame, chain, first, last)
        ]

    def _is_before(
        self, before: tuple[Frame, set[tuple[int, int]]], frame: Frame, fits: set[tuple[int, int]]
    ) -> bool:
        """Whether a frame that is told as later is recorded as earlier than the one before."""
        told_so = _then(self._draft.text, before[0].end, frame.start, strictly=True)
        return told_so and max(fits) < min(before[1])

    def _support(self, frame: Frame, found: Found) -> None:
        """Take the time of a row as that of its leg, whatever the words above speak of."""
        start, chain = frame.start, next(iter(self._chains))
        found.counted = [
            replace(one, status="supported", evidence_id=chain.evidence_id, detail=chain.said)
            if one.start == start and one.status == "unsupported"
            else one
            for one in found.counted
        ]

    def _reject(self, frame: Frame, found: Found, why: str = "") -> None:
        start, end = frame.start, frame.end
        if any(one.status in _WRONG and start <= one.start < end for one in found.counted):
            return  # a name or figure of it is rejected already
        trips = [
            chain
            for chain in self._chains
            if any(is_of_trip(one, chain, self._trips) for one in frame.of("trip"))
            or not frame.of("trip")
        ]
        chain = next(iter(trips or self._chains))
        status = "contradicted" if why or frame.is_explicit else "unsupported"
        detail = f"the record has them {why}" if why else f"the record has {chain.said}"
        found.refuse(self._draft.text, (start, end), chain.evidence_id, detail, status)


# "From A to C, changing from the X to the Y line at B": it is told of a way that is told whole.
_MEANWHILE = re.compile(
    r"\b(?:changing|with (?:a|one) change|mit (?:einem )?umstieg)\b", re.IGNORECASE
)
_WRONG = ("unsupported", "contradicted")
_UNTIMED = ("line", "from", "to", "towards", "here", "trip")


def _is_in(frame: Frame, chain: Chain) -> bool:
    return any(fits_rides(frame, chain, first, last) for first, last in spans(chain))


def _then(text: str, start: int, end: int, *, strictly: bool = False) -> bool:
    """Whether a word between two parts says that the second comes after the first."""
    words = [match[0].lower() for match in cues("then").finditer(text, start, end)]
    return any(not strictly or one not in ("and", "und", "并") for one in words)
