"""How long rides, walks and whole trips are told to take, held against the recorded ones."""

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
    chains_of,
    places_of,
)
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Term

PLACE, BY = frozenset(("from", "to", "calls at")), frozenset(("line", "mode"))
# From a word to the figure or place that it is said of.
NEAR = 48
# From "1 hour" to its minutes.
_HOURS_AND = 5
JOINS = re.compile(
    r"(?:[,、/&+和及与\s]|\b(?:and|und|then|dann|at|in|am|an|the)\b)*", re.IGNORECASE
)
_WORDS_BETWEEN = re.compile(r"[^,;.:()（），；。：\d]*")
# From a walk to its length: "a walk of 4 minutes", "步行4分钟".
RIGHT_BEHIND = 12


class RideLengths:
    """Reads one draft against the lengths of recorded rides, walks and trips."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._text = draft.small
        self._chains = draft.known.once(chains_of)
        self._words = vocabulary("ride_details")
        self._in_all = vocabulary("journey_cues")["in_all"]

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
            behind = end + RIGHT_BEHIND
            if any(0 <= start - one <= _HOURS_AND for one in hours) or any(
                self._words["more"].search(self._text, *span)
                for span in ((before, start), (end, behind))
            ):
                continue
            last = min(context.passage.end, end + NEAR)
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
        far = len(gap) > RIGHT_BEHIND and self._words["without"].search(lead)
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
        near = (max(passage.start, start - NEAR), start, end, min(passage.end, end + NEAR))
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
        hits = [hit for hit in here.hits if self._kinds(hit) & BY]
        found = [
            hit
            for one, two in pairwise(hits)
            if JOINS.fullmatch(self._text, one.end, two.start)
            for hit in (one, two)
        ]
        return found if found and any(m.start() > found[0].start for m in said) else []

    def _of_rides(self, by: Sequence[Hit]) -> Iterator[Decimal]:
        """Yield how long the rides by some lines or modes take together."""
        for chain in self._chains:
            own = [r for r in chain.rides if any(r.has(hit.terms, *BY) for hit in by)]
            if all(any(r.has(hit.terms, *BY) for r in own) for hit in by):
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
        if len(first) < 2 or any(self._kinds(hit) & PLACE for hit in here.hits):
            return set()
        return {sum((fact.number or Decimal() for fact in first.values()), Decimal())}


def _kinds_of(known: Knowledge, terms: Sequence[Term]) -> frozenset[str]:
    """Return the properties of rides that a name may stand for."""
    places = known.once(places_of)
    return frozenset(key for term in terms for key in places.get(term, ()))
