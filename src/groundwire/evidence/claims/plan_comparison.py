"""Sentences about several plans of a trip, judged as a whole by the plans that are recorded.

A plan is called by its number, its place among the others ("the slowest"), its lines, or as one of
the others. What is said of it (how long it takes, how often one changes, by how much it is slower
than another) must be so of that plan. Only a sentence every word of which is known is judged.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.compared_plans import Plan, Trip, line_aliases, trips_of
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import END, Names, Word, may_state, names_of, words_in
from groundwire.evidence.claims.passage_statements import DraftStatements, Found
from groundwire.evidence.claims.plan_references import UnreadError
from groundwire.evidence.claims.plan_sentences import PlanSentence
from groundwire.evidence.claims.stop_sentences import lines_of_stops

_TRIPS = ("every_trip", "no_trip")
_JOINED = re.compile(r"[\s,、]{0,3}(?:(?:and|und|then|dann)\b|[和与及])?\s?(?:(?:the|die|der) )?")
# Words of these kinds tell a ride to an end of the trip; another ride follows behind them.
_ENDS_TWICE = re.compile(r"lines (?:from place )?to place (?:(?:then|and|change|by|take) )*lines\b")
_TWO = re.compile(r"\b(?:both|neither|two|beiden?)\b|两")
_THREE = re.compile(r"\b(?:three|drei)\b|三")


def _names(known: Knowledge) -> Sequence[Names]:
    """Return the lines and ends of every trip with several plans."""
    trips = known.once(trips_of)
    own = {line for trip in trips for plan in trip.plans for line in plan.lines}
    lines = own | {name for name, line in known.once(line_aliases).items() if line in own}
    ends = {end for trip in trips for end in trip.ends}
    others = frozenset[str]().union(*lines_of_stops(known).values()) - lines
    return (
        names_of("lines", lines, joined=True),
        names_of("stranger", others, joined=True),
        names_of("place", ends, ("from", "to", "of")),
    )


class PlanComparer:
    """Reads the sentences of one draft that set plans beside each other."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._trips = draft.known.once(trips_of)
        self._names = draft.known.once(_names)
        self._spoken: dict[int, list[Plan]] = {}

    def read(
        self, context: PassageContext, claims: Sequence[Claim], found: Found, option: int = 0
    ) -> None:
        """Judge a passage whose every word is known, in place of what its parts were judged by.

        Args:
            context: the passage.
            claims: its claims.
            found: what is found of it.
            option: the number of the plan whose legs were told of before, or 0.
        """
        passage, text = context.passage, self._draft.text
        proven = {c.start for c in claims if c.kind == "date" and c.status == "supported"}
        if not may_state(text, passage) or any(d.span[0] not in proven for d in context.dates):
            return
        days = [Word("glue", *date.span) for date in context.dates]
        words, unknown = words_in(
            context, "plan_comparison", self._names, [*context.clocks], given=days
        )
        if any(word.kind in _TRIPS for word in words):
            if not unknown:
                self._read_trips(context, words, claims, found)
            return
        trips = self._meant(words) if self._names_trip(context) else ()
        if len(trips) != 1:
            return
        least = [(w.start, w.end) for w in words if w.kind == "least"]
        kinds = [word.kind for word in words]
        among = ("number", "noun") in pairwise(kinds)  # "of the three plans the quickest"
        if least and not among and any(map(self._is_untold, trips[0].avoided)):
            found.foreign += least
            return
        if _ENDS_TWICE.search(" ".join(word.kind for word in words)):
            return  # "the X line to the end, then the Y line" tells where a ride ends
        times = {word.kind for word in words} & {"clock", "minutes"}
        for before, word in pairwise(words) if times else ():
            # "Leave at 17:45, by the Metropolitan line and the DLR" tells no plan with that one.
            joined = _JOINED.fullmatch(text, before.end, word.start)
            if joined and (before.kind, word.kind) == ("lines", "stranger"):
                found.foreign.append((word.start, word.end))
        spoken = [
            plan for start, plans in self._spoken.items() if start < passage.start for plan in plans
        ]
        # "All the others" are the others.
        called = self._draft.known.once(line_aliases)
        words = [
            replace(word, names=tuple(called.get(name, name) for name in word.names))
            if word.kind == "lines"
            else word
            for word, behind in pairwise([*words, END])
            if word.kind != "place" and (word.kind, behind.kind) != ("all", "others")
        ]
        told = [plan for plan in trips[0].plans if plan.number == option]
        sentence = PlanSentence(text, words, trips[0], spoken, told)
        try:
            outcome = sentence.holds()
        except UnreadError:
            outcome = None
        named = [plan for one in sentence.plans if not one.each for plan in one.meant]
        self._spoken[passage.start] = list(dict.fromkeys(named))
        if outcome is None or unknown or (outcome and found.is_untimely):
            return
        detail = f"{'so it is of the plans:' if outcome else 'the record has'} {_said(trips[0])}"
        evidence_id = trips[0].plans[0].fact.evidence_id
        found.judge_whole(passage, text, claims, outcome, evidence_id, detail)

    def _read_trips(
        self,
        context: PassageContext,
        words: Sequence[Word],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        """Judge what a passage says of every trip, or of none, by the first plan of each."""
        quantifier, *rest = words
        said = context.contexts.reading.small[quantifier.start : quantifier.end]
        count = 3 if _THREE.search(said) else 2 if _TWO.search(said) else len(self._trips)
        if quantifier.kind not in _TRIPS or count != len(self._trips) or count < 2:
            return
        if any(one.kind == "lines" for one in rest):
            return  # by plans that are not named a trip goes by other lines
        if quantifier.kind == "no_trip":
            if [one.kind for one in rest] != ["take", "change"]:
                return
            rest = [replace(rest[0], kind="none"), rest[1]]
        try:
            outcomes = [
                PlanSentence(self._draft.text, rest, replace(one, plans=one.plans[:1]), ()).holds()
                for one in self._trips
            ]
        except UnreadError:
            return
        if all(outcomes):
            detail = "; ".join(f"{one.name}: {_said(one)}" for one in self._trips)
            evidence_id = self._trips[0].plans[0].fact.evidence_id
            found.judge_whole(context.passage, self._draft.text, claims, True, evidence_id, detail)

    def _names_trip(self, context: PassageContext) -> bool:
        """Whether a passage can mean one trip: it names an end, unless there is just one trip."""
        passage = context.passage
        said = context.contexts.reading.small[passage.start : passage.end]
        return len(self._trips) == 1 or any(e in said for trip in self._trips for e in trip.ends)

    def _is_untold(self, line: Sequence[str]) -> bool:
        """Whether a draft names no line that was to be avoided: the quickest way may go by it."""
        return not any(name in self._draft.small for name in line)

    def _meant(self, words: Sequence[Word]) -> list[Trip]:
        """Return the trips that have all the ends that words name."""
        ends = {"from": 0, "of": 0, "depart": 0, "to": 1, "arrive": 1}
        meant = [*self._trips]
        for before, word, behind in zip([END, *words], words, [*words[1:], END], strict=False):
            if word.kind == "place":
                end = ends.get(before.kind, 0 if behind.kind == "to" else None)
                meant = [trip for trip in meant if end is not None and trip.ends[end] in word.names]
        return meant


def _said(trip: Trip) -> str:
    """Return the plans of a trip in short."""
    return "; ".join(
        f"plan {plan.number}: {plan.values['minutes']} minutes by {', '.join(plan.lines)}"
        for plan in trip.plans[:4]
    )
