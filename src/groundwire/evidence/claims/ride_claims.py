"""Whether what a passage says of one ride or plan is so of one recorded ride or plan.

Each name and figure may be recorded, and the sentence still be wrong: the line of one leg with the
direction of another, the end of one trip with the time of the next. So the words of a passage are
read as frames: a line, where it is boarded and left, where it goes, when, and how long it takes.
Every frame must fit one leg, one run of legs or one whole plan.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.ride_frames import (
    ROUGH,
    THERE,
    Frame,
    Item,
    cues,
    event_of,
    fits_rides,
    is_of_trip,
    spans,
    stands_before,
)
from groundwire.evidence.claims.rides import allows_for_change, chains_of, names_at, places_of
from groundwire.evidence.claims.segments import Passage
from groundwire.evidence.claims.statement_index import Term

# So many characters before or behind a place or time may say its part.
_NEAR, _BEHIND = 18, 12
# How far behind a length of time a word may say that it compares, or is that of a change.
_COMPARED = (("later", _BEHIND), ("change", 2 * _BEHIND))
# A recorded text that is repeated in so many characters is quoted, and no name in it is told.
_SHORTEST_RUN = 40
# Minutes that a time may be off where it is said to be rough.
_ROUGHLY = 5
_JOINED = re.compile(
    r"(?:\s*(?:[,、]|\b(?:and|then|the|und|dann|mit|der|die|by|lines?|linien?)\b|和|再|线))*\s*",
    re.IGNORECASE,
)
_LEADS = re.compile(r"[^\S\n]*(?:(?:to|nach|bis|until)\b|→|->|[–—-]|到|至|往)", re.IGNORECASE)
_TOWARDS_BEHIND = re.compile(r"\s?(?:方向|方面|-?bound\b)", re.IGNORECASE)
_ORIGIN_BEHIND = re.compile(r"\s*(?:站?(?:出发|上车)|ab\b)")
_END_BEHIND = re.compile(r"\s*站?下车")
_HOURS_AND = re.compile(r"(?<![\s,])[\s,]*+(?:(?:and|und)\s*)?", re.IGNORECASE)
_WAY = re.compile(r"\s(?:to|nach|-|→)\s|到", re.IGNORECASE)
_PART_OF_WAY = re.compile(
    r"\b(?:on|auf|along|part|leg|teil|during|plan)\b|途中|其中|方案", re.IGNORECASE
)
_COLON = re.compile("[:：]")
_APART = re.compile(r"[,;.:，；。：]|\b(?:and|und)\b|[和及]", re.IGNORECASE)
_SAME = re.compile(r"(?:\b(?:and|und)|[和及])\s*$", re.IGNORECASE)
_BETWEEN = re.compile(r"(?:\bbetween|\bzwischen|在)\s*(?:the\s)?$", re.IGNORECASE)
# "After six stops on the Elizabeth line you are in": the ride ends there.
_AFTER = re.compile(
    r"\b(?:after|nach)\s(?:about\s|etwa\s)?[\w-]+\s(?:stops?|stations?|minutes?|minuten?|stationen|haltestellen)\b"
    r"[^.;!?]{0,60}$",
    re.IGNORECASE,
)
_LATER = re.compile(
    r"\b(?:stops?|stations?|minutes?|stationen|minuten)\s(?:later|später)\b[^.;!?]{0,30}$",
    re.IGNORECASE,
)
_WALKED = re.compile(r"\s(?:of\s(?:walking|walk)|on\sfoot|zu\sfuß|fußweg)\b", re.IGNORECASE)
# A name of one or more capitalised words behind a word that leads to a place.
_CAPITALS = re.compile(
    r"\b(?i:at|to|from|leave|reach|bis|nach|ab|von)\s(?:the\s|der\s|die\s|zum\s|zur\s)?"
    r"((?:[A-ZÄÖÜ][\w'’&]*\s){0,3}[A-ZÄÖÜ][\w'’&]*)",
)
_ENDS = (("from", "origin"), ("to", "destination"))
_VERBS = (("from", "boards"), ("to", "alights"))
_END_OF_SENTENCE = re.compile(r"[.;!?。；]")
_BREAK = re.compile(r"[,;.:，；。：]")
_OF_TRIP = re.compile(
    r"\b(?:trip|journey|plan|route|fahrt|reise|verbindung)\s(?:to|from|nach|von)\s(?:the\s)?$",
    re.IGNORECASE,
)
_CHANGED_TO = re.compile(r"\s(?:um(?:zu)?steigen|wechseln)\b", re.IGNORECASE)
_TO_CLOCK = re.compile(r"\s*(?:(?:to|bis|until)\b|[–—-]|至|到)\s*")


def _numbers(known: Knowledge) -> frozenset[int]:
    """Return the statements that tell of plans or of their trips."""
    chains = known.once(chains_of)
    return frozenset(n for chain in chains for n in (*chain.numbers, *chain.of_trip))


def _trips(known: Knowledge) -> frozenset[int]:
    """Return the statements that tell of trips."""
    return frozenset(number for chain in known.once(chains_of) for number in chain.of_trip)


def _ridden_lines(known: Knowledge) -> frozenset[str]:
    """Return the lines of all rides, as `_line` calls them."""
    places = known.once(places_of).items()
    return frozenset(
        _line(n) for term, keys in places if "line" in keys for n in names_at(known, term)
    )


def _line(name: str) -> str:
    """Return a name of a line in lower case, without "the" and "line"."""
    return name.casefold().removeprefix("the ").removesuffix(" line")


def _words_of_places(known: Knowledge) -> Mapping[str, Sequence[tuple[frozenset[str], Term]]]:
    """Return the words of the names of every place of a ride, with where it stands, by word."""
    found: dict[str, list[tuple[frozenset[str], Term]]] = {}
    for term, keys in known.once(places_of).items():
        for name in names_at(known, term) if keys & {"from", "to", "towards", "calls at"} else ():
            for word in (words := frozenset(name.casefold().split())):
                found.setdefault(word, []).append((words, term))
    return found


def _lines_of_stops(known: Knowledge) -> frozenset[Term]:
    """Return the places of statements that hold a line of a stop."""
    served = (
        (number, known.statements[number].statement) for number in known.by_kind.get("relation", ())
    )
    return frozenset(
        Term(number, "object", place)
        for number, one in served
        if one.predicate[:1] == ("line",)
        for place, _ in enumerate(one.objects)
    )


class RideReader:
    """Reads one draft against the rides of recorded plans."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._chains = draft.known.once(chains_of)
        self._numbers = draft.known.once(_numbers)
        self._trips = draft.known.once(_trips)
        self._places = draft.known.once(places_of)
        self._lines_of_stops = draft.known.once(_lines_of_stops)
        self._stated = self._numbers.union(term.stated for term in self._places)

    def read(
        self, passage: Passage, context: PassageContext, here: Here, found: Found
    ) -> list[bool]:
        """Judge what a passage says of rides; return for each frame whether it fits."""
        if not self._chains or self._draft.text[: passage.end].rstrip().endswith(("?", "？")):
            return []
        outcomes: list[bool] = []
        before: tuple[Frame, set[tuple[int, int]]] | None = None
        for frame in self._frames(passage, context, here, found):
            frame.whole = frame.whole or self._tells_whole(frame)
            frame.is_then = self._tells_a_moment(frame)
            fits = self._fits(replace(frame, implied=None))
            if frame.says_something:
                follows = self._fits(frame) if frame.implied else fits
                outcomes.append(bool(follows))
                if not follows:
                    self._reject(frame, found)
            if before is not None and fits and self._is_before(before, frame, fits):
                outcomes.append(False)
                self._reject(Frame([*before[0].items, *frame.items]), found, "in another order")
            before = (frame, fits) if fits else None
        return outcomes

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
                apart = last is not None and _BREAK.search(self._draft.text, last.end, item.start)
                if self._is_in_all(item) or (apart and self._fits(whole)):
                    yield whole
                    continue
            if last is not None and self._begins_anew(frame, last, item):
                yield frame
                frame = Frame(implied=self._goes_on_from(frame, last, item, passage))
            frame.items.append(item)
            before = self._draft.text[max(0, item.start - _NEAR) : item.start]
            ends_trip = item.kind in ("from", "to") and _OF_TRIP.search(before) is not None
            frame.is_of_trip = frame.is_of_trip or ends_trip
            frame.is_left = frame.is_left or cues("alights").search(before) is not None
        if frame.items:
            yield frame

    def _is_in_all(self, item: Item) -> bool:
        """Whether a length of time is said to be that of all rides: "18 minutes in all"."""
        in_all = vocabulary("journey_cues")["in_all"]
        return in_all.search(self._draft.small, item.start - _NEAR, item.end + _BEHIND) is not None

    def _goes_on_from(self, frame: Frame, last: Item, item: Item, passage: Passage) -> Item | None:
        """Return the place at which the ride of the next frame begins, where it says none."""
        text = self._draft.text
        left = frame.of("to", "here")
        if left and item.kind == "departs":
            return replace(left[-1], sure=False)
        if left and cues("from_there").search(text, last.end, item.start):
            return replace(left[-1], sure=True)
        if not left or item.kind != "line" or _COLON.search(text, last.end, item.start):
            return None
        behind = min(passage.end, item.end + _BEHIND)
        there = cues("change").search(text, last.end, item.start) or cues("there").search(
            text, item.end, behind
        )
        return replace(left[-1], sure=there is not None)

    def _begins_anew(self, frame: Frame, last: Item, item: Item) -> bool:
        """Whether a part belongs to the next frame."""
        text = self._draft.text
        kind = item.kind
        if re.search("[;；]", text[last.end : item.start]):
            return True
        if last.kind == "line" and kind in _TIMES and _CHANGED_TO.match(text, last.end):
            return False  # "auf die Fähre umsteigen, sie fährt um 11"
        if frame.of("line", "to", "here") and cues("change").search(text, last.end, item.start):
            # "Change at X to the Y line" is of the ride that begins there.
            return not (frame.of("here") and not frame.of("line") and kind == "line")
        if kind == "line":
            lines = frame.of("line")
            led = frame.is_timed_way or (frame.of("minutes") and not lines)
            if led and _COLON.search(text, last.end, item.start):
                return True  # "leave Brixton at 9:30: take the Victoria line to Stockwell"
            if lines:
                return last.kind != "line" or not _JOINED.fullmatch(text, last.end, item.start)
            return bool(frame.of("to")) and _then(text, last.end, item.start)
        if kind == "trip":
            # "The first trip is Brixton to Bank" names one trip twice.
            return bool(frame.items) and _APART.search(text, last.end, item.start) is not None
        if kind == "departs":  # "you arrive at Bank at 9:33 and leave again at 9:37"
            is_later = last.kind == "arrives" and last.numbers[0] < item.numbers[0]
            return is_later and bool(frame.of("to", "here"))
        if kind == "clock":
            return len(frame.of("clock")) > 1
        if kind == "here":
            return False
        ways = (text[one.start : one.end] for one in frame.of("trip"))
        return bool(frame.of(kind)) or (
            kind in ("from", "to") and any(_WAY.search(one) for one in ways)
        )

    def _items(self, passage: Passage, context: PassageContext, here: Here) -> Iterator[Item]:
        """Yield the names, times and lengths of a passage that rides may have, in order."""
        found: list[Item] = []
        places: list[Item] = []
        dates = [one.span for one in context.dates]
        for hit in () if here.terms.keys().isdisjoint(self._stated) else here.hits:
            kind, sure = self._kind(hit, places)
            if kind and not any(a <= hit.start < b for a, b in dates):
                found.append(Item(kind, hit.start, hit.end, hit.terms, sure=sure))
                places += found[-1:] if kind not in ("line", "trip") else []
        text = self._draft.text
        for clock in context.clocks:
            start, end = clock.span
            if self._is_of_another_kind(clock.minutes):
                continue
            kind = self._time_kind(start, end, passage, found)
            rough = ROUGH.search(text, max(0, start - _NEAR), start) is not None
            minutes = tuple(map(Decimal, clock.minutes))
            slack = _ROUGHLY if rough else 0
            found.append(Item(kind, start, end, (), minutes, slack, kind != "clock"))
        found += self._partly_named(passage, here)
        lengths = [*self._lengths(context, places)]
        if not any(one.kind == "line" for one in found):
            # "19 minutes by the Piccadilly line", which only serves a stop.
            found += [
                Item("line", hit.start, hit.end)
                for hit in here.hits
                if not self._lines_of_stops.isdisjoint(hit.terms)
                and _line(text[hit.start : hit.end]) not in self._draft.known.once(_ridden_lines)
                and (
                    stands_before("boards", text, hit.start)
                    or (lengths and stands_before("aboard", text, hit.start))
                )
            ]
        found += lengths
        yield from self._placed(sorted(found, key=lambda one: one.start))

    def _partly_named(self, passage: Passage, here: Here) -> Iterator[Item]:
        """Yield the places that are called by a part of their name: "get off at Greenwich"."""
        text = self._draft.text
        places = self._draft.known.once(_words_of_places)
        for match in _CAPITALS.finditer(text, passage.start, passage.end):
            start, end = match.span(1)
            words = frozenset(match[1].casefold().split())
            terms = tuple(term for own, term in places.get(min(words), ()) if words < own)
            beside = (hit for hit in here.hits if hit.start < end and start < hit.end)
            if terms and any(self._is_of_plan(term) for hit in beside for term in hit.terms):
                continue
            kind = next((k for k, cue in _ENDS if stands_before(cue, text, start)), "here")
            if terms:
                yield Item(kind, start, end, terms, sure=kind != "here")

    def _is_of_plan(self, term: Term) -> bool:
        return term in self._places or term.stated in self._numbers

    def _boarded(self, items: Sequence[Item]) -> Iterator[Item]:
        """Yield items; a place at which one boards a line is where its ride begins.

        "At A you take the DLR", "leave the DLR at A": the verb stands before the line.
        """
        text = self._draft.text
        for number, item in enumerate(items):
            beside = items[max(0, number - 1) : number + 2]
            lines = [
                one
                for one in beside
                if one.kind == "line"
                # "Catch A at X and change to B": one boards A there.
                and not (one.start > item.end and cues("change").search(text, item.end, one.start))
            ]
            line = lines[0] if len(lines) == 1 else None
            if item.kind == "here" and (
                _AFTER.search(text, 0, item.start) or _LATER.search(text, 0, item.start)
            ):
                item = replace(item, kind="to")
            elif item.kind == "here" and line is not None:
                ahead = item.start < line.start
                start = item.end if ahead else max(0, line.start - _NEAR)
                gap = text[min(item.end, line.end) : max(item.start, line.start)]
                is_led = ahead or stands_before("here", text, item.start)
                said = (
                    text[start : line.start] if is_led and (ahead or not _BREAK.search(gap)) else ""
                )
                said = "" if _END_OF_SENTENCE.search(said) or cues("change").search(gap) else said
                kind = next((k for k, cue in _VERBS if cues(cue).search(said)), "here")
                item = replace(item, kind=kind)
            yield item

    def _placed(self, items: Sequence[Item]) -> Iterator[Item]:
        """Yield items; a place right behind a departure or arrival is where that is."""
        last = Item("", 0, 0)
        for item in self._boarded(items):
            end = {"departs": "from", "arrives": "to"}.get(last.kind)
            gap = (last.end, item.start)
            if end and item.kind == "here" and THERE.fullmatch(self._draft.text, *gap):
                item = replace(item, kind=end)
            yield item
            last = item

    def _is_of_another_kind(self, minutes: Sequence[int]) -> bool:
        """Whether a time is recorded as one of something else, such as of works on a line."""
        facts = [f for at in minutes for f in self._draft.known.facts.times.get(at, ())]
        names = {fact.value.name for fact in facts}
        return bool(names) and names.isdisjoint(("departure", "arrival"))

    def _lengths(self, context: PassageContext, places: Sequence[Item]) -> Iterator[Item]:
        """Yield how many minutes a passage says that something takes."""
        text = self._draft.text
        clocked = [clock.span for clock in context.clocks]
        hours = {one.span[1]: one for one in context.quantities if one.unit == "h"}
        for quantity in context.quantities:
            start, end = quantity.span
            if quantity.unit != "min" or any(a <= start < b for a, b in clocked):
                continue
            if any(cues(cue).search(text, end, end + far) for cue, far in _COMPARED):
                continue  # it compares, or is how long a change takes
            if _WALKED.match(text, end) and not places:
                continue  # the walks of a whole plan
            allowed = cues("allow").search(text, max(0, start - _NEAR), end + _BEHIND)
            allowed = allowed or cues("change").search(text, context.passage.start, start)
            place = places[-1] if places else Item("", 0, 0)
            if allowed and allows_for_change(
                self._draft.known, text[place.start : place.end], quantity.value
            ):
                continue
            minutes = quantity.value
            for stop, hour in hours.items():
                if _HOURS_AND.fullmatch(text, stop, start):
                    start, minutes = hour.span[0], minutes + 60 * hour.value
            slack = 1 if quantity.bound == "about" else 0
            yield Item("minutes", start, end, (), (minutes,), slack)

    def _kind(self, hit: Hit, places: Sequence[Item]) -> tuple[str, bool]:
        """Return which part of a frame a name is, and whether a word says so."""
        text = self._draft.text
        keys = {key for term in hit.terms for key in self._places.get(term, ())}
        if any(term.slot == "subject" and term.stated in self._numbers for term in hit.terms):
            return "trip", True
        if keys & {"line", "mode"} and not keys & {"from", "to", "towards", "calls at"}:
            return "line", True
        if not keys & {"from", "to", "towards", "calls at"} or self._is_word(hit):
            return "", False
        if stands_before("towards", text, hit.start) or _TOWARDS_BEHIND.match(text, hit.end):
            return "towards", True
        if _END_BEHIND.match(text, hit.end):
            return "to", True
        if _LEADS.match(text, hit.end) or _ORIGIN_BEHIND.match(text, hit.end):
            return "from", True
        for kind, cue in (("from", "origin"), ("to", "destination"), ("here", "here")):
            if stands_before(cue, text, hit.start):
                return kind, kind != "here"
        if (
            places
            and _BETWEEN.search(text, 0, places[-1].start)
            and _SAME.search(text, max(0, hit.start - _NEAR), hit.start)
        ):
            return "to", True
        if places and _SAME.search(text, max(0, hit.start - _NEAR), hit.start):
            return places[-1].kind, places[-1].sure
        return "here", False

    def _is_word(self, hit: Hit) -> bool:
        """Whether a stop called "Change" or "Market" is not named, but the word stands there."""
        own = self._draft.text[hit.start : hit.end]
        return own.isascii() and own.islower() and not self._draft.text.islower()

    def _time_kind(self, start: int, end: int, passage: Passage, items: Sequence[Item]) -> str:
        """Return whether a time is that of a departure or an arrival, as far as a word says so."""
        text = self._draft.text
        own = [one for one in items if one.end <= start]
        if (
            own
            and own[-1].kind in ("departs", "clock")
            and _TO_CLOCK.fullmatch(text, own[-1].end, start)
        ):
            return "arrives"
        begin = max([passage.start, *(one.end for one in own if one.kind in _TIMES)])
        event = event_of(text, (start, end), (begin, passage.end))
        return {"departure": "departs", "arrival": "arrives"}.get(event, "clock")

    def _tells_whole(self, frame: Frame) -> bool:
        """Whether lines stand before a trip as those that go all its way."""
        lines, trips = frame.of("line"), frame.of("trip")
        if not lines or len(trips) != 1 or lines[-1].end > trips[0].start:
            return False
        text = self._draft.text
        is_way = _WAY.search(text[trips[0].start : trips[0].end]) is not None
        return is_way and not _PART_OF_WAY.search(text, lines[0].start, trips[0].start)

    def _tells_a_moment(self, frame: Frame) -> bool:
        """Whether the one time of a frame is that at its one place: nothing parts the two."""
        parts = frame.of("here", "clock", "departs", "arrives")
        if len(parts) != 2 or len(frame.of("here")) != 1 or frame.of("from", "to", "line"):
            return False
        gap = self._draft.text[parts[0].end : parts[1].start]
        return _APART.search(gap) is None and not parts[1].slack

    # Judgement.

    def _fits(self, frame: Frame) -> set[tuple[int, int]]:
        """Return where a frame fits: the trip and the first of the rides."""
        trips = frame.of("trip")
        chains = [c for c in self._chains if all(is_of_trip(one, c, self._trips) for one in trips)]
        return {
            (chain.trip, first)
            for chain in chains
            for first, last in spans(chain)
            if fits_rides(frame, chain, first, last)
        }

    def _is_before(
        self, before: tuple[Frame, set[tuple[int, int]]], frame: Frame, fits: set[tuple[int, int]]
    ) -> bool:
        """Whether a frame that is told as later is recorded as earlier than the one before."""
        told_so = _then(self._draft.text, before[0].end, frame.start, strictly=True)
        return told_so and max(fits) < min(before[1])

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
        text = self._draft.text[start:end]
        found.claims.append(Claim(text, "statement", status, chain.evidence_id, detail, start, end))


_WRONG = ("unsupported", "contradicted")
_TIMES = ("departs", "arrives", "clock")


def _then(text: str, start: int, end: int, *, strictly: bool = False) -> bool:
    """Whether a word between two parts says that the second comes after the first."""
    words = [match[0].lower() for match in cues("then").finditer(text, start, end)]
    return any(not strictly or one not in ("and", "und", "并") for one in words)
