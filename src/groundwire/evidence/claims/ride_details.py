"""Details of a ride that a passage tells, held against the recorded rides.

How long one walks, at which of the stops one gets off, where a line ends, when a vehicle is at a
stop on the way, at which places one changes: each of these has figures and names that are recorded
of something else, so that none of them shows that it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.ride_lengths import (
    BY,
    JOINS,
    NEAR,
    PLACE,
    RIGHT_BEHIND,
    RideLengths,
)
from groundwire.evidence.claims.rides import (
    LINE_OF_PLAN,
    Chain,
    Ride,
    changes_of,
    of_option,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.language.ordinals import place_at

# Minutes that a time may be off where it is said to be rough; others have judged whether it is.
_ROUGHLY = 5
_LISTS = re.compile(
    r"\s*(?:[:：(（,]|\b(?:is|are|at|in|an|am|bei)\b|在)\s*(?:(?:at|in|an|am|bei)\s+)?(?:the\s+)?",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*[.;!)）。；！]|\s*$")
_BEFORE_PASSED = 24
_THEN_AT = re.compile(
    r"\s*(?:uhr\s*)?(?:at|in|an|am|past|through|durch|经过|途经|停靠|在)\s*(?:(?:the|der|dem)\s)?",
    re.IGNORECASE,
)
_AT_CLOCK = re.compile(r"\s*(?:(?:at|um|around|about|gegen|ca\.|\()\s*)?", re.IGNORECASE)
_UNTIL = re.compile(
    r"(?:\b(?:by|before|until|bis|vor|spätestens)|[到至])\s*(?:um\s*)?$", re.IGNORECASE
)
# A short name right behind "first", where it counts nothing: no "first 2 plans".
_BARE = re.compile(r"\s?(\w{1,3})\b(?!\s+(?:of|von|der|plans|options|trips|stops|ways|\w+en)\b)")
_CUES = (
    "numbered", "alights", "terminus", "last_stop", "line_starts", "line_ends", "platform",
    "first", "last", "next", "changes", "changes_to", "never", "once", "twice", "thrice",
)  # fmt: skip
# Between the line that one changes to and the place.
_AT_PLACE = re.compile(r"\s*(?:line\s+)?(?:at|in|am|an|bei)\s+(?:the\s+)?", re.IGNORECASE)
_DONE_AT = re.compile(r"(?:\b(?:at|in|am|an|bei)\s+(?:the\s+)?|在)$", re.IGNORECASE)
_CURRENCY = re.compile(r"[A-Z]{3}")
_END_OF_SENTENCE = re.compile("[;.。；]")


class RideDetails(RideLengths):
    """Reads one draft against the details of recorded rides."""

    def __init__(self, draft: DraftStatements) -> None:
        super().__init__(draft)
        self._rides = [ride for chain in self._chains for ride in chain.rides]
        self._told = any(chain.has_legs for chain in self._chains)
        self._is_cued = False

    def read(self, context: PassageContext, here: Here, found: Found) -> None:
        """Refuse what no recorded ride has, and take the words of what one has."""
        passage, rides, told = context.passage, self._rides, self._told
        if not rides or self._text[: passage.end].rstrip().endswith(("?", "？")):
            return
        span = passage.start, passage.end
        self._is_cued = _any_cue().search(self._text, *span) is not None
        lines = [term for hit in here.hits if "line" in self._kinds(hit) for term in hit.terms]
        own = [r for r in rides if r.has(lines, "line", "mode")] if told and lines else rides
        own = own or rides
        places = [hit for hit in here.hits if self._kinds(hit) & PLACE]
        for span, is_so in (
            *self._walks(context),
            *self._sums(context, here, found),
            *(self._numbered(context, places, own) if told else ()),
            *(self._termini(context, places, lines, own) if told else ()),
            *(self._passed(context, places, own) if told else ()),
            *(self._platforms(context, here, places, rides) if told else ()),
            *self._services(context, here),
            *self._changes(context, here),
            *self._changed_to(context, places, here),
            *self._priced(context, here),
            *self._often(context, here),
        ):
            if is_so:
                found.taken.append(span)
            else:
                text, one = self._draft.text[slice(*span)].strip(), self._chains[0]
                detail = f"the record has {one.said}"
                claim = Claim(text, "statement", "unsupported", one.evidence_id, detail, *span)
                found.claims.append(claim)

    # Stops and lines.

    def _numbered(
        self, context: PassageContext, places: Sequence[Hit], rides: Sequence[Ride]
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where a stop is numbered, and whether it is that of a ride."""
        several = len({chain.trip for chain in self._chains}) > 1
        stops = [ride.calls for ride in rides if ride.calls]
        for match in () if several else self._found("numbered", context):
            number = place_at(match[0])
            near = min(self._beside(match, places), key=lambda it: _apart(it, match), default=None)
            said = self._text[near.start : near.end].casefold() if near else ""
            if said and any(said in names for calls in stops for names in calls):
                told = (said in calls[number - 1] for calls in stops if len(calls) >= number)
                yield match.span(), any(told)
            elif near is None and any(self._found("alights", context)):
                yield match.span(), any(len(calls) == number for calls in stops)

    def _found(self, kind: str, context: PassageContext) -> Iterator[re.Match[str]]:
        passage = context.passage
        if not self._is_cued:
            return iter(())
        return self._words[kind].finditer(self._text, passage.start, passage.end)

    def _beside(self, match: re.Match[str], places: Sequence[Hit]) -> list[Hit]:
        """Return the places near some words, in the same sentence."""
        return [
            hit
            for hit in places
            if _apart(hit, match) <= NEAR
            and not _END_OF_SENTENCE.search(
                self._text, min(hit.end, match.end()), max(hit.start, match.start())
            )
        ]

    def _termini(
        self,
        context: PassageContext,
        places: Sequence[Hit],
        lines: Sequence[Term],
        rides: Sequence[Ride],
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where a line is said to begin or end at a place, and whether it goes there."""
        begin = context.passage.start
        for key in ("terminus", "last_stop"):
            for match in self._found(key, context):
                near = self._beside(match, places)
                behind = [hit for hit in near if hit.start >= match.end()] or near[-1:]
                of_trip = self._words["of_trip"].search(self._text, begin, match.end())
                if behind and not (of_trip and (key == "last_stop" or not lines)):
                    yield match.span(), any(ride.has(behind[0].terms, "towards") for ride in rides)
        for key in ("line_starts", "line_ends"):
            for match in self._found(key, context):
                led = self._draft.within(begin, match.start())[-1:]
                at = [hit for hit in places if hit.start == match.end()]
                is_line = led and self._kinds(led[0]) & BY
                if is_line and at and not self._text[led[0].end : match.start()].strip():
                    ends = key == "line_ends" and any(r.has(at[0].terms, "towards") for r in rides)
                    yield match.span(), ends

    def _passed(
        self, context: PassageContext, places: Sequence[Hit], rides: Sequence[Ride]
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where a vehicle is said to be at a stop at a time, and whether it is."""
        times, text = self._draft.known.facts.times, self._text
        for clock in context.clocks:
            start, end = clock.span
            led = _UNTIL.search(text, max(context.passage.start, start - RIGHT_BEHIND), start)
            if led or times.keys().isdisjoint(clock.minutes):
                continue
            behind = [
                h for h in places if h.start >= end and _THEN_AT.fullmatch(text, end, h.start)
            ]
            ahead = [
                h for h in places if h.end <= start and _AT_CLOCK.fullmatch(text, h.end, start)
            ]
            for hit in (*behind[:1], *filter(self._is_passed, ahead[-1:])):
                known = any(ride.has(hit.terms, *PLACE) for ride in rides)
                if known and not any(self._is_at(hit, clock.minutes, rides)):
                    yield (min(start, hit.start), max(end, hit.end)), False

    def _is_passed(self, hit: Hit) -> bool:
        """Whether words right before a place say that a vehicle passes it."""
        begin = max(0, hit.start - _BEFORE_PASSED)
        lead = self._text[begin : hit.start].rstrip().removesuffix(" the")
        return any(match.end() == len(lead) for match in self._words["passes"].finditer(lead))

    def _is_at(self, hit: Hit, minutes: Sequence[int], rides: Sequence[Ride]) -> Iterator[bool]:
        """Yield for the ends of rides and plans whether one is there at a time."""
        ends = [(ride, {ride.departs}, {ride.arrives}) for ride in rides]
        ends += [(chain.rides[0], chain.departs, set[int | None]()) for chain in self._chains]
        ends += [(chain.rides[-1], set[int | None](), chain.arrives) for chain in self._chains]
        for ride, departs, arrives in ends:
            for key, times in (("from", departs), ("to", arrives)):
                near = (
                    abs(one - at) <= _ROUGHLY for one in times if one is not None for at in minutes
                )
                yield ride.has(hit.terms, key) and any(near)

    def _platforms(
        self, context: PassageContext, here: Here, places: Sequence[Hit], rides: Sequence[Ride]
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where a platform is named, and whether what is named beside it leaves there."""
        for match in self._found("platform", context):
            lines = [hit for hit in here.hits if self._kinds(hit) & BY]
            if any(match[0].casefold() in text for text in self._draft.known.once(_small_texts)):
                continue  # an operator's directions speak of platforms, too
            number = match[0].strip("号站台").split()[-1].casefold()
            led = [hit for hit in lines if hit.end <= match.start()][-1:] or lines[:1]
            near = sorted(self._beside(match, places), key=lambda hit: _apart(hit, match))[:1]
            own = [ride for ride in rides if ride.first("platform").casefold() == number]
            yield (
                match.span(),
                any(
                    all(ride.has(hit.terms, *BY) for hit in led)
                    and all(ride.has(hit.terms, "from") for hit in near)
                    for ride in own
                ),
            )

    def _services(self, context: PassageContext, here: Here) -> Iterator[tuple[Span, bool]]:
        """Yield where a service is said to be the first, last or next, and no call asked for it."""
        known = self._draft.known
        said = [(k, m) for k in ("first", "last", "next") for m in self._found(k, context)]
        if not said:
            return
        clocks = (known.facts.times.get(at, ()) for one in context.clocks for at in one.minutes)
        ids = {fact.evidence_id for facts in clocks for fact in facts}
        asked = {str(r.arguments) for r in known.records if r.evidence_id in ids}
        orders = {kind for kind in ("First", "Last") if any(f"Trip{kind}" in it for it in asked)}
        lines = (
            {f.value.value for f in known.facts.all if f.value.name == LINE_OF_PLAN}
            if asked
            else ()
        )
        hits = {hit.start: hit for hit in here.hits if asked and self._kinds(hit) & BY}
        for kind, match in said:
            bare = _BARE.match(self._text, match.end())
            start = bare.start(1) if bare else match.end() + 1
            hit = hits.get(start) or hits.get(match.end())
            # "The first bus" may be the first of two that one rides.
            named = (bare and bare[1] in lines) or (hit and "line" in self._kinds(hit))
            alone = hit and not any(self._often_by(hit, chain) > 1 for chain in self._chains)
            one = kind != "next" and (named or alone)
            wrong = kind.title() not in orders and (orders or one)
            if (named or hit) and wrong:
                yield match.span(), False

    def _often_by(self, hit: Hit, chain: Chain) -> int:
        """Return how many rides of a plan go by what a name says."""
        return sum(ride.has(hit.terms, *BY) for ride in chain.rides)

    def _priced(self, context: PassageContext, here: Here) -> Iterator[tuple[Span, bool]]:
        """Yield where a price is said to be that of one ride of several: a price is of all."""
        priced = any(q.unit and _CURRENCY.fullmatch(q.unit) for q in context.quantities)
        for hit in here.hits if priced else ():
            end = context.passage.end
            begin = max(context.passage.start, hit.start - NEAR)
            is_ride = self._words["of_ride"].match(self._text, hit.end, end) or any(
                one.end() == hit.start
                for one in self._words["ride_by"].finditer(self._text, begin, hit.start)
            )
            if is_ride and self._kinds(hit) & BY and all(len(c.rides) > 1 for c in self._chains):
                yield (hit.start, hit.end), False

    # Places of change.

    def _is_led(self, place: Hit) -> bool:
        """Whether a word says that something is done at a place."""
        begin = max(0, place.start - RIGHT_BEHIND)
        return _DONE_AT.search(self._text, begin, place.start) is not None

    def _changed_to(
        self, context: PassageContext, places: Sequence[Hit], here: Here
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where one is said to change to what no ride behind the first goes by from there."""
        lines = [hit for hit in here.hits if self._kinds(hit) & BY]
        for match in self._found("changes_to", context):
            named = (h for h in lines if match.start() < h.start <= match.end() <= h.end)
            if (hit := next(named, None)) is None:
                continue
            first, last = context.clause(match.start())
            ahead = [one for one in places if one.end <= match.start()][-1:]
            ahead = [one for one in ahead if first <= one.start or self._is_led(one)]
            at = _AT_PLACE.match(self._text, hit.end, last)
            behind = [one for one in places if at and one.start == at.end()]
            where = behind or ahead
            told = [chain for chain in self._chains if chain.has_legs] or self._chains
            begins = (pair for chain in told for pair in pairwise(chain.rides))
            if not any(
                ride.has(hit.terms, *BY)
                and all(
                    ride.has(one.terms, "from") or before.has(one.terms, "to") or not ride.minutes
                    for one in where
                )
                for before, ride in begins
            ):
                yield (match.start(), hit.end), False

    def _changes(self, context: PassageContext, here: Here) -> Iterator[tuple[Span, bool]]:
        """Yield where places of change are listed of which some plan has not each."""
        known = self._draft.known
        orders = known.once(changes_of)
        for match in self._found("changes", context) if orders else ():
            lead = _LISTS.match(self._text, match.end())
            listed: list[Hit] = []
            at = lead.end() if lead else -1
            for hit in here.hits:
                if hit.start == at and self._kinds(hit) & PLACE:
                    listed.append(hit)
                    at = joint.end() if (joint := JOINS.match(self._text, hit.end)) else -1
            is_comma = lead is not None and lead[0].strip() == ","
            if listed and not (is_comma and not _ENDS.match(self._text, listed[-1].end)):
                changed = [{t.stated for t in hit.terms if t.slot == "object"} for hit in listed]
                option = context.items(match.start(), [match.start()], figure=False).option.number
                own = of_option(known, orders, option)
                is_so = any(all(number in stated for stated in changed) for number in own)
                yield (match.start(), listed[-1].end), is_so

    def _often(self, context: PassageContext, here: Here) -> Iterator[tuple[Span, bool]]:
        """Yield where one is said to change so often by some lines, and no plan by these does."""
        said = [
            (match.start(), match.end(), count)
            for count, kind in enumerate(("never", "once", "twice", "thrice"))
            for match in self._found(kind, context)
        ]
        said += [
            (quantity.span[0], quantity.span[1], int(quantity.value))
            for quantity in context.quantities
            if self._words["change_noun"].match(self._text, quantity.span[1])
        ]
        for start, end, count in said:
            option = context.items(start, [start], figure=False).option.number
            first, last = context.clause(start)
            near = [h for h in here.hits if first <= h.start < last and self._kinds(h) & BY]
            own = [
                chain
                for chain in self._chains
                if chain.changes is not None
                and (option or near or not count)
                and (not option or chain.option == option)
                and all(chain.goes_by(hit.terms) for hit in near)
            ]
            if own and all(chain.changes != count for chain in own):
                yield (start, end), False
            elif own and not count and all(chain.changes == 0 for chain in own):
                yield (start, end), True


@cache
def _any_cue() -> re.Pattern[str]:
    """Return a pattern that finds any word by which details are told that are looked for."""
    return re.compile("|".join(vocabulary("ride_details")[kind].pattern for kind in _CUES))


def _small_texts(known: Knowledge) -> frozenset[str]:
    """Return every recorded text in lower case."""
    return frozenset(text.casefold() for _, text in known.names.texts)


def _apart(hit: Hit, match: re.Match[str]) -> int:
    """Return how many characters stand between a name and some words."""
    return max(0, hit.start - match.end(), match.start() - hit.end)
