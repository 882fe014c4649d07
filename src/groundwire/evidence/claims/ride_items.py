"""The names, times and lengths of a passage that rides may have, each with its part in a ride."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import DraftStatements, Here, Hit
from groundwire.evidence.claims.ride_frames import (
    ROUGH,
    THERE,
    Item,
    cues,
    event_of,
    stands_before,
)
from groundwire.evidence.claims.rides import (
    allows_for_change,
    chains_of,
    line_of,
    names_at,
    places_of,
)
from groundwire.evidence.claims.segments import Passage
from groundwire.evidence.claims.statement_index import Term

# So many characters before or behind a place or time may say its part.
NEAR, BEHIND = 18, 12
# How far behind a length of time a word may say that it compares, or is that of a change.
_COMPARED = (("later", BEHIND), ("change", 2 * BEHIND))
# Minutes that a time may be off where it is said to be rough.
_ROUGHLY = 5
# Before a stop between two ends: "from A via B to C".
_VIA = re.compile(r"(?:\b(?:via|über|through)\s|[途]?经过?)\s*$", re.IGNORECASE)
_LEADS = re.compile(r"[^\S\n]*(?:(?:to|nach|bis|until)\b|→|->|[–—-]|到|至|往)", re.IGNORECASE)
_TOWARDS_BEHIND = re.compile(r"\s?(?:方向|方面|-?bound\b)", re.IGNORECASE)
_ORIGIN_BEHIND = re.compile(r"\s*(?:站?(?:出发|上车)|ab\b)")
_END_BEHIND = re.compile(r"\s*站?下车")
_HOURS_AND = re.compile(r"(?<![\s,])[\s,]*+(?:(?:and|und)\s*)?", re.IGNORECASE)
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
_LETTERS = r"(?:[^\W\u3400-\u9fff]|['’&])"
_CAPITALS = re.compile(
    r"(?:\b(?i:at|to|from|leave|reach|bis|nach|ab|von)\s(?:the\s|der\s|die\s|zum\s|zur\s)?"
    r"|[到至从往] ?)"
    rf"((?:[A-ZÄÖÜ]{_LETTERS}*\s){{0,3}}[A-ZÄÖÜ]{_LETTERS}*)",
)
_MEASURED = re.compile(
    r"[0-9]+ ?(?:k?m|(?:kilo)?met(?:re|er)s?|minutes?|minuten?|米|公里|分钟)(?![a-z])"
)
CARRIES = re.compile(
    r"(?:\slines?|线)?\s?(?:(?:gets?|takes?|brings?|carries) (?:you|one)(?: there)?\b"
    r"|可以?到达?|带您"
    r"|(?:runs?|goes|go)(?: straight| direct(?:ly)?| through| right| all the way){0,2} (?=to\b)"
    r"|bringt (?:dich|sie|einen)\b)",
    re.IGNORECASE,
)
"""Behind a line that is said to carry one: "the Victoria line takes you to Pimlico"."""
_ENDS = (("from", "origin"), ("to", "destination"))
_VERBS = (("from", "boards"), ("to", "alights"))
_END_OF_SENTENCE = re.compile(r"[.;!?。；]")
BREAK = re.compile(r"[,;.:，；。：]")
_TO_CLOCK = re.compile(r"\s*(?:(?:to|bis|until)\b|[–—-]|至|到)\s*")
_LINE_BEHIND = re.compile(r"\s(?:line|linie)\b|\s?线(?!路)", re.IGNORECASE)
PARTED = re.compile(r"[,;.:，；。：]|\b(?:and|und)\b|[并再]|换乘", re.IGNORECASE)
_WALKS = ("walk", "walk_behind")
TIMES = ("departs", "arrives", "clock")


def _numbers(known: Knowledge) -> frozenset[int]:
    """Return the statements that tell of plans or of their trips."""
    chains = known.once(chains_of)
    return frozenset(n for chain in chains for n in (*chain.numbers, *chain.of_trip))


def _ridden_lines(known: Knowledge) -> frozenset[str]:
    """Return the lines of all rides, as `line_of` calls them."""
    places = known.once(places_of).items()
    return frozenset(
        line_of(n) for term, keys in places if "line" in keys for n in names_at(known, term)
    )


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


def _recorded_times(known: Knowledge) -> frozenset[int]:
    """Return the times at which a plan or a ride of one begins or ends."""
    chains = known.once(chains_of)
    times = {at for chain in chains for at in (*chain.departs, *chain.arrives)}
    rides = (ride for chain in chains for ride in chain.rides)
    return frozenset(times | {at for one in rides for at in (one.departs, one.arrives) if at})


class RideItems:
    """Finds the parts of rides in the passages of one draft."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._chains = draft.known.once(chains_of)
        self._numbers = draft.known.once(_numbers)
        self._places = draft.known.once(places_of)
        self._times = draft.known.once(_recorded_times)
        self._lines_of_stops = draft.known.once(_lines_of_stops)
        self._stated = self._numbers.union(term.stated for term in self._places)

    def _items(self, passage: Passage, context: PassageContext, here: Here) -> Iterator[Item]:
        """Yield the names, times and lengths of a passage that rides may have, in order."""
        found: list[Item] = []
        places: list[Item] = []
        dates = [one.span for one in context.dates]
        for hit in () if here.terms.keys().isdisjoint(self._stated) else here.hits:
            kind, sure = self._kind(hit, places)
            if _MEASURED.match(self._draft.text, hit.start):
                continue  # "Bath Road for 81 metres" is no bus 81
            if kind and not any(a <= hit.start < b for a, b in dates):
                # A stop told as a line fits no recorded line: "the Brixton line".
                named = ("line", ()) if kind == "stranger" else (kind, hit.terms)
                found.append(Item(named[0], hit.start, hit.end, named[1], sure=sure))
                places += found[-1:] if found[-1].kind not in ("line", "trip") else []
        text = self._draft.text
        for clock in context.clocks:
            start, end = clock.span
            if self._is_of_another_kind(clock.minutes):
                continue
            kind = self._time_kind(start, end, passage, found)
            rough = ROUGH.search(text, max(0, start - NEAR), start) is not None
            minutes = tuple(map(Decimal, clock.minutes))
            # "About 18:03" of a recorded 18:03 is that time, and none near it.
            slack = _ROUGHLY if rough and self._times.isdisjoint(clock.minutes) else 0
            found.append(Item(kind, start, end, (), minutes, slack, kind != "clock"))
        found += self._partly_named(passage, here)
        lengths = [*self._lengths(context, places)]
        if not any(one.kind == "line" for one in found):
            # "19 minutes by the Piccadilly line", which only serves a stop.
            found += [
                Item("line", hit.start, hit.end)
                for hit in here.hits
                if not self._lines_of_stops.isdisjoint(hit.terms)
                and line_of(text[hit.start : hit.end]) not in self._draft.known.once(_ridden_lines)
                and (
                    stands_before("boards", text, hit.start)
                    or CARRIES.match(text, hit.end)
                    or ((lengths or found) and stands_before("aboard", text, hit.start))
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
            own = tuple(one for one in terms if not self._is_tail(match[1], one))
            beside = (hit for hit in here.hits if hit.start < end and start < hit.end)
            if terms and any(self._is_of_plan(term) for hit in beside for term in hit.terms):
                continue
            kind = next((k for k, cue in _ENDS if stands_before(cue, text, start)), "here")
            if terms:
                yield Item(kind, start, end, own, sure=kind != "here")

    def _is_tail(self, said: str, term: Term) -> bool:
        """Whether words end the name of a place that the draft has in full elsewhere."""
        names = names_at(self._draft.known, term)
        is_full = any(term in hit.terms for hit in self._draft.hits)
        return is_full and not any(name.casefold().startswith(said.casefold()) for name in names)

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
                start = item.end if ahead else max(0, line.start - NEAR)
                gap = text[min(item.end, line.end) : max(item.start, line.start)]
                is_led = ahead or stands_before("here", text, item.start)
                said = (
                    text[start : line.start] if is_led and (ahead or not BREAK.search(gap)) else ""
                )
                said = "" if _END_OF_SENTENCE.search(said) or cues("change").search(gap) else said
                kind = next((k for k, cue in _VERBS if cues(cue).search(said)), "here")
                item = replace(item, kind=kind)
            yield item

    def _placed(self, items: Sequence[Item]) -> Iterator[Item]:
        """Yield items; a place right behind a departure or arrival is where that is."""
        text, ends = self._draft.text, {"departs": "from", "arrives": "to"}
        last = none = Item("", 0, 0)
        found = [*self._boarded(items)]
        for at, item in enumerate(found):
            behind, after = [*found[at + 1 : at + 3], none, none][:2]
            if item.kind == "here":
                end, gap = ends.get(behind.kind, ""), text[item.end : behind.start]
                beside = text[behind.end : after.start]
                is_other = after.kind in ("here", *ends.values()) and not PARTED.search(beside)
                if end and not is_other and not PARTED.search(gap):
                    item = replace(item, kind=end)  # "in Bank trifft man um 8:18 Uhr ein"
                elif last.kind in ends and THERE.fullmatch(text, last.end, item.start):
                    item = replace(item, kind=ends[last.kind])
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
            stop = BREAK.search(text, end, end + 2 * BEHIND)
            last = stop.start() if stop else end + 2 * BEHIND
            if any(cues(cue).search(text, end, min(last, end + far)) for cue, far in _COMPARED):
                continue  # it compares, or is how long a change takes
            if _WALKED.match(text, end) and not places:
                continue  # the walks of a whole plan
            allowed = cues("allow").search(text, max(0, start - NEAR), end + BEHIND)
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
        is_place = bool(keys & {"from", "to", "towards", "calls at"})
        if is_place and _LINE_BEHIND.match(text, hit.end):
            return ("line" if "line" in keys else "stranger"), True
        if keys & {"line", "mode"} and not is_place:
            return "line", True
        if not is_place or self._is_word(hit):
            return "", False
        if stands_before("towards", text, hit.start) or _TOWARDS_BEHIND.match(text, hit.end):
            return "towards", True
        if _END_BEHIND.match(text, hit.end):
            return "to", True
        if _VIA.search(text, max(0, hit.start - NEAR), hit.start):
            return "here", True
        if _LEADS.match(text, hit.end) or _ORIGIN_BEHIND.match(text, hit.end):
            return "from", True
        for kind, cue in (("from", "origin"), ("to", "destination"), ("here", "here")):
            if stands_before(cue, text, hit.start):
                return kind, kind != "here"
        if places and _SAME.search(text, max(0, hit.start - NEAR), hit.start):
            is_between = _BETWEEN.search(text, 0, places[-1].start)
            return ("to", True) if is_between else (places[-1].kind, places[-1].sure)
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
        begin = max([passage.start, *(one.end for one in own if one.kind in TIMES)])
        event = event_of(text, (start, end), (begin, passage.end))
        return {"departure": "departs", "arrival": "arrives"}.get(event, "clock")

    def _is_in_all(self, item: Item) -> bool:
        """Whether a length of time is said to be that of all rides: "18 minutes in all"."""
        in_all = vocabulary("journey_cues")["in_all"]
        return in_all.search(self._draft.small, item.start - NEAR, item.end + BEHIND) is not None

    def _is_walk(self, item: Item) -> bool:
        """Whether a part tells of a walk: "walk", "a 3-minute walk", "gehen Sie 6 Minuten"."""
        text = self._draft.text
        if item.kind != "minutes":
            said = (cues(one).fullmatch(text, item.start, item.end) for one in _WALKS)
            return item.kind == "line" and any(said)
        behind = item.end + (text[item.end : item.end + 1] in (" ", "-"))
        walks = cues("walk_behind").match(text, behind) is not None
        return walks or stands_before("walk", text, item.start)
