"""Details of rides that a passage tells, held against the recorded rides.

How long one walks, at which of the stops one gets off, where a line ends, at which places one
changes: each of these has figures and names that are recorded of something else, so that none of
them shows that it is so.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import pairwise

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Here, Hit
from groundwire.evidence.claims.rides import (
    DAY,
    LINE_OF_PLAN,
    Ride,
    chains_of,
    changes_of,
    of_option,
    places_of,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Term
from groundwire.language.ordinals import place_at

_PLACE, _BY = frozenset(("from", "to", "calls at")), frozenset(("line", "mode"))
# From a word to the figure or place that it is said of.
_NEAR = 48
# From "1 hour" to its minutes.
_HOURS_AND = 5
_JOINS = re.compile(
    r"(?:[,，、/&+和及与再在\s]|\b(?:and|und|then|dann|at|in|am|an|the)\b|然后)*", re.IGNORECASE
)
_WORDS_BETWEEN = re.compile(r"[^,;.:()（），；。：\d]*")
# From a walk to its length: "a walk of 4 minutes", "步行4分钟".
_RIGHT_BEHIND = 12
_LISTS = re.compile(
    r"\s*(?:[:：(（,，]|\b(?:is|are|at|in|an|am|bei)\b|在)\s*(?:\b(?:first|zuerst|erst)\s|先)?"
    r"(?:(?:at|in|an|am|bei)\s+|在)?(?:the\s+)?",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\s*[.;!)）。；！]|\s*$")
# A short name right behind "first", where it counts nothing: no "first 2 plans".
_BARE = re.compile(r"\s?(\w{1,3})\b(?!\s+(?:of|von|der|plans|options|trips|stops|ways|\w+en)\b)")
# Between the line that one changes to and the place.
_AT_PLACE = re.compile(r"\s*(?:line\s+)?(?:at|in|am|an|bei)\s+(?:the\s+)?", re.IGNORECASE)
_DONE_AT = re.compile(r"(?:\b(?:at|in|am|an|bei)\s+(?:the\s+)?|在)$", re.IGNORECASE)
_CURRENCY = re.compile(r"[A-Z]{3}")
_END_OF_SENTENCE = re.compile("[;.。；]")


class RideDetails:
    """Reads one draft against the details of recorded rides."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._text = draft.small
        self._chains = draft.known.once(chains_of)
        self._words = vocabulary("ride_details")
        self._in_all = vocabulary("journey_cues")["in_all"]
        self._rides = [ride for chain in self._chains for ride in chain.rides]
        self._told = any(chain.has_legs for chain in self._chains)

    def read(self, context: PassageContext, here: Here, found: Found) -> None:
        """Refuse what no recorded ride has, and take the words of what one has."""
        passage, rides, told = context.passage, self._rides, self._told
        is_read = (passage.start, passage.end) in found.runs and not found.claims
        if not rides or self._text[: passage.end].rstrip().endswith(("?", "？")):
            return
        lines = [term for hit in here.hits if "line" in self._kinds(hit) for term in hit.terms]
        own = [r for r in rides if r.has(lines, "line", "mode")] if told and lines else rides
        own = own or rides
        places = [hit for hit in here.hits if self._kinds(hit) & _PLACE]
        for span, is_so in (
            *self._walks(context),
            *self._sums(context, here, found),
            *(self._numbered(context, places, own) if told else ()),
            *(self._termini(context, places, lines, own) if told else ()),
            *(self._platforms(context, here, places, rides) if told else ()),
            *self._services(context, here),
            *(() if is_read else self._changes(context, here)),
            *(() if is_read else self._changed_to(context, places, here)),
            *self._priced(context, here),
            *(() if is_read else self._often(context, here)),
        ):
            if is_so:
                found.taken.append(span)
            else:
                one = self._chains[0]
                detail = f"the record has {one.said}"
                found.refuse(self._draft.text, span, one.evidence_id, detail, "unsupported")

    def _kinds(self, hit: Hit) -> frozenset[str]:
        return self._draft.of_name(_kinds_of, hit)

    # How long one walks or rides.

    def _walks(self, context: PassageContext) -> Iterator[tuple[Span, bool]]:
        """Yield where a length of time is said to be walked or ridden, and whether it is."""
        clocked = [clock.span for clock in context.clocks]
        hours = [q.span[1] for q in context.quantities if q.unit == "h"]
        begin = context.passage.start
        for quantity in context.quantities:
            start, end = quantity.span
            before, begin = begin, end
            if quantity.unit != "min" or any(a <= start < b for a, b in clocked):
                continue
            behind = end + _RIGHT_BEHIND
            if any(0 <= start - one <= _HOURS_AND for one in hours) or any(
                self._words["more"].search(self._text, *span)
                for span in ((before, start), (end, behind))
            ):
                continue
            last = min(context.passage.end, end + _NEAR)
            for kind in ("walked", "ridden"):
                if not self._is_said(kind, before, start, end, last):
                    continue
                single, sums = self._lengths(walked=kind == "walked")
                slack = 1 if quantity.bound == "about" else 0
                near = {one for one in single | sums if abs(one - quantity.value) <= slack}
                if (single or sums) and not near:
                    yield (start, end), False
                for match in self._in_all.finditer(self._text, before, last):
                    yield match.span(), bool(near & sums)

    def _is_said(self, kind: str, before: int, start: int, end: int, last: int) -> bool:
        """Whether words beside a length of time say that so long is walked or ridden."""
        if self._words[f"{kind}_behind"].match(self._text, end, last):
            return True
        led = [*self._words[kind].finditer(self._text, before, start)]
        if not led:
            return False
        gap = self._text[led[-1].end() : start]
        lead = self._text[before : led[-1].start()]
        far = len(gap) > _RIGHT_BEHIND and self._words["without"].search(lead)
        other = far or self._words["other"].search(gap)
        return _WORDS_BETWEEN.fullmatch(gap) is not None and not other

    def _lengths(self, *, walked: bool) -> tuple[set[Decimal], set[Decimal]]:
        """Return the minutes of each walk or ride, and those of all that the first plan has."""
        single, sums = set[Decimal](), set[Decimal]()
        trips = set[int]()
        for chain in () if walked else self._chains:
            # A plan without a change is one ride, also where its legs are not told.
            if chain.changes == 0 and len(chain.departs) == len(chain.arrives) == 1:
                single.add(Decimal((min(chain.arrives) - min(chain.departs)) % DAY))
            elif chain.changes and not chain.has_legs:
                single.add(Decimal(0))  # no ride takes as long as all
        for chain in (one for one in self._chains if one.has_legs):
            own = [ride.minutes for ride in chain.rides if ride.walked == walked and ride.minutes]
            (single if chain.trip in trips else sums).add(sum(own, Decimal()))
            single |= {*own}
            trips.add(chain.trip)
        told = [f for f in self._draft.known.facts.numbers() if f.value.name == "walking"]
        for fact in told if walked else ():
            first = fact.value.item is None or 1 in (fact.value.item.options or (1,))
            (sums if first else single).update(() if fact.number is None else (fact.number,))
        return single, sums

    def _sums(
        self, context: PassageContext, here: Here, found: Found
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where lengths of time are added up, and whether it is of what is spoken of.

        Those are the rides that are named right before or behind, or else the first plans of all
        trips, unless the passage is about one.
        """
        passage = context.passage
        lengths = [q for q in context.quantities if q.unit == "min"]
        if len(lengths) != 1:
            return
        said = [
            match
            for words in (self._words["together"], self._in_all)
            for match in words.finditer(self._text, passage.start, passage.end)
        ]
        if not said:
            return
        quantity = lengths[0]
        start, end = quantity.span
        near = (max(passage.start, start - _NEAR), start, end, min(passage.end, end + _NEAR))
        if any(self._is_said(kind, *near) for kind in ("walked", "ridden")):
            return
        by = self._joined(here, said)
        sums = set(self._of_rides(by)) if by else self._of_trips(context, here, start)
        if not sums:
            return
        is_so = quantity.value in sums
        yield said[0].span(), is_so
        if is_so:
            detail = f"the sum of the {'rides' if by else 'trips'}"
            found.counted = [
                replace(claim, status="derived", detail=detail, facts=())
                if claim.start == start
                else claim
                for claim in found.counted
            ]

    def _joined(self, here: Here, said: Sequence[re.Match[str]]) -> list[Hit]:
        """Return lines or modes that are named one behind the other beside words of a sum."""
        hits = [hit for hit in here.hits if self._kinds(hit) & _BY]
        found = [
            hit
            for one, two in pairwise(hits)
            if _JOINS.fullmatch(self._text, one.end, two.start)
            for hit in (one, two)
        ]
        return found if found and any(m.start() > found[0].start for m in said) else []

    def _of_rides(self, by: Sequence[Hit]) -> Iterator[Decimal]:
        """Yield how long the rides by some lines or modes take together."""
        for chain in self._chains:
            own = [r for r in chain.rides if any(r.has(hit.terms, *_BY) for hit in by)]
            if all(any(r.has(hit.terms, *_BY) for r in own) for hit in by):
                yield sum((ride.minutes or Decimal() for ride in own), Decimal())

    def _of_trips(self, context: PassageContext, here: Here, at: int) -> set[Decimal]:
        """Return how long the first plans of all trips take together; none where one is meant."""
        items = context.items(at, [at])
        first: dict[tuple[str, ...], Fact] = {}
        for fact in self._draft.known.facts.numbers():
            item = fact.value.item
            is_whole = fact.value.name == "duration" and item is not None and not item.pieces
            if item and is_whole and 1 in (item.options or (1,)) and items.allows(fact):
                first.setdefault(item.names, fact)
        if len(first) < 2 or any(self._kinds(hit) & _PLACE for hit in here.hits):
            return set()
        return {sum((fact.number or Decimal() for fact in first.values()), Decimal())}

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
        return self._words[kind].finditer(self._text, passage.start, passage.end)

    def _beside(self, match: re.Match[str], places: Sequence[Hit]) -> list[Hit]:
        """Return the places near some words, in the same sentence."""
        return [
            hit
            for hit in places
            if _apart(hit, match) <= _NEAR
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
                is_line = led and self._kinds(led[0]) & _BY
                if is_line and at and not self._text[led[0].end : match.start()].strip():
                    ends = key == "line_ends" and any(r.has(at[0].terms, "towards") for r in rides)
                    yield match.span(), ends

    def _platforms(
        self, context: PassageContext, here: Here, places: Sequence[Hit], rides: Sequence[Ride]
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where a platform is named, and whether what is named beside it leaves there."""
        for match in self._found("platform", context):
            lines = [hit for hit in here.hits if self._kinds(hit) & _BY]
            said = match[0].casefold()
            if any(said in text.casefold() for _, text in self._draft.known.names.texts):
                continue  # an operator's directions speak of platforms, too
            number = match[0].strip("号站台").split()[-1].casefold()
            led = [hit for hit in lines if hit.end <= match.start()][-1:] or lines[:1]
            near = sorted(self._beside(match, places), key=lambda hit: _apart(hit, match))[:1]
            own = [ride for ride in rides if ride.first("platform").casefold() == number]
            yield (
                match.span(),
                any(
                    all(ride.has(hit.terms, *_BY) for hit in led)
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
        hits = {hit.start: hit for hit in here.hits if asked and self._kinds(hit) & _BY}
        for kind, match in said:
            bare = _BARE.match(self._text, match.end())
            start = bare.start(1) if bare else match.end() + 1
            hit = hits.get(start) or hits.get(match.end())
            # "The first bus" may be the first of two that one rides.
            named = (bare and bare[1] in lines) or (hit and "line" in self._kinds(hit))
            ridden = [[r for r in c.rides if hit and r.has(hit.terms, *_BY)] for c in self._chains]
            alone = hit and all(len(rides) < 2 for rides in ridden)
            one = kind != "next" and (named or alone)
            wrong = kind.title() not in orders and (orders or one)
            if (named or hit) and wrong:
                yield match.span(), False

    def _priced(self, context: PassageContext, here: Here) -> Iterator[tuple[Span, bool]]:
        """Yield where a price is said to be that of one ride of several: a price is of all."""
        priced = any(q.unit and _CURRENCY.fullmatch(q.unit) for q in context.quantities)
        for hit in here.hits if priced else ():
            end = context.passage.end
            begin = max(context.passage.start, hit.start - _NEAR)
            is_ride = self._words["of_ride"].match(self._text, hit.end, end) or any(
                one.end() == hit.start
                for one in self._words["ride_by"].finditer(self._text, begin, hit.start)
            )
            if is_ride and self._kinds(hit) & _BY and all(len(c.rides) > 1 for c in self._chains):
                yield (hit.start, hit.end), False

    # Places of change.

    def _changed_to(
        self, context: PassageContext, places: Sequence[Hit], here: Here
    ) -> Iterator[tuple[Span, bool]]:
        """Yield where one is said to change to what no ride behind the first goes by from there."""
        lines = [hit for hit in here.hits if self._kinds(hit) & _BY]
        for match in self._found("changes_to", context):
            named = (h for h in lines if match.start() < h.start <= match.end() <= h.end)
            if (hit := next(named, None)) is None:
                continue
            first, last = context.clause(match.start())
            ahead = [one for one in places if one.end <= match.start()][-1:]
            ahead = [
                one
                for one in ahead
                if first <= one.start
                or _DONE_AT.search(self._text, max(0, one.start - _RIGHT_BEHIND), one.start)
            ]
            at = _AT_PLACE.match(self._text, hit.end, last)
            behind = [one for one in places if at and one.start == at.end()]
            where = behind or ahead
            told = [chain for chain in self._chains if chain.has_legs] or self._chains
            begins = (pair for chain in told for pair in pairwise(chain.rides))
            if not any(
                ride.has(hit.terms, *_BY)
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
                if hit.start == at and self._kinds(hit) & _PLACE:
                    listed.append(hit)
                    at = joint.end() if (joint := _JOINS.match(self._text, hit.end)) else -1
            is_comma = lead is not None and lead[0].strip() in (",", "，")
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
            near = [h for h in here.hits if first <= h.start < last and self._kinds(h) & _BY]
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


def _apart(hit: Hit, match: re.Match[str]) -> int:
    """Return how many characters stand between a name and some words."""
    return max(0, hit.start - match.end(), match.start() - hit.end)


def _kinds_of(known: Knowledge, terms: Sequence[Term]) -> frozenset[str]:
    """Return the properties of rides that a name may stand for."""
    places = known.once(places_of)
    return frozenset(key for term in terms for key in places.get(term, ()))
