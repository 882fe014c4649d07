"""Which plans of a trip are first or alone in something: "the most stops", "leaves earliest"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal

from groundwire.evidence.claims.compared_plans import WISHES, Met, Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import Word
from groundwire.evidence.claims.plan_references import COUNTED, PlanReferences, UnreadError

TIMES = {"depart": "departs", "arrive": "arrives"}
"""By the verb before a time, what of a plan it is."""

_IT_HAS = re.compile(
    r"(?:^|[.!?。]\s*)(?:it|that|this|that one|this one|es|sie|diese[rs]?)(?: also| auch)*"
    r" (?:has|makes|hat)(?: also| auch)*(?: the| die)? ?$",
    re.IGNORECASE,
)


class PlanRanks(PlanReferences):
    """Reads the words that set plans above or apart from all others of the trip."""

    def __init__(
        self, text: str, words: Sequence[Word], trip: Trip, spoken: Sequence[Plan]
    ) -> None:
        super().__init__(text, words, trip, spoken)
        self._wishes: list[tuple[str, Met]] = []
        self._verb = ""
        self._apart: int | None = None

    def _wish(self) -> None:
        self._wishes.append(WISHES[self._peek().kind])
        self._at += 1

    def _most_of_all(self) -> None:
        """Plans have the most or the fewest changes or stops, told before them or behind."""
        few, noun = self._peek().kind == "few", self._peek(1).kind
        is_behind = noun in COUNTED
        self._counting = COUNTED[noun] if is_behind else self._counting
        self._last = noun if is_behind else self._peek().kind
        pointed = self._subject is None and _IT_HAS.search(self._text, 0, self._peek().start)
        if pointed and self._spoken:
            self._subject = self._focus = Plans([*self._spoken[-1:]])
            self.plans.append(self._subject)
        self._at += 1 + is_behind
        if self._subject is None and self._peek().kind == "noun":  # 停站最少的方案
            self._meant(self._trip.extreme(self._counting, least=few))
            return
        self._rank(self._counting, least=few)
        if self._take("of"):
            self._of_all()

    def _meant(self, best: Sequence[Plan]) -> None:
        """Plans are called by what they have the most or the fewest of."""
        if not best or not self._trip.is_complete:
            raise UnreadError("noun")
        self._at += 1
        found = Plans([*best])
        self.plans.append(found)
        self._mean(found)
        self._focus, self._last = found, "plans"

    def _at_ends(self) -> None:
        """Plans leave or arrive earliest or latest; the verb stands before or behind."""
        word = self._peek()
        ahead = [self._peek(place).kind for place in (1, 2, 3)]
        verb = next((kind for kind in (self._verb, *ahead) if kind in TIMES), "")
        if not verb:
            raise UnreadError(word.kind)
        self._at += 1
        if self._subject is None and self._take(verb):
            self._verb = verb
        self._rank(TIMES[verb], least=word.kind == "early")
        self._last = word.kind

    def _rank(self, what: str, *, least: bool) -> None:
        """Plans, or those that are told of next, have the least or the most of something."""
        best = self._trip.extreme(what, least=least) if what else []
        if not best or not self._trip.is_complete:
            raise UnreadError(what)
        if self._subject is not None:
            self._outcomes.append(best == self._subject.plans)
            return
        pick = min if least else max
        self._wishes.append((what, lambda own, every: set(own) == {pick(every)}))

    def _against(self) -> None:
        """The other plans have so many of what was counted: "18, against 13 and 9"."""
        self._last = "against"
        self._at += 1
        told: list[Decimal] = []
        while self._counting and (figure := self._take("number")):
            told.append(figure.number)
        if told:
            own = self._subject.plans if self._subject else []
            others = [one.values.get(self._counting) for one in self._trip.plans if one not in own]
            known = [one for one in others if one is not None]
            is_whole = self._trip.is_complete and len(known) == len(others) and bool(own)
            self._outcomes.append(is_whole and sorted(known) == sorted(told))

    def _only(self) -> None:
        """A plan is the only one by some line, or with so many changes."""
        if self._subject is None or self._last != "is" or not self._trip.is_complete:
            raise UnreadError("only")
        self._at += 1
        self._outcomes.append(self._by_noun().plans == self._subject.plans)
        self._last = "plans"

    def _alone(self) -> None:
        """Only the plan that is named next has what is told of it."""
        if self.plans or not self._trip.is_complete:
            raise UnreadError("alone")
        self._apart = len(self.plans)
        self._at += 1

    def _exclusive(self) -> Iterator[bool]:
        """Whether no other plan has what is told of one alone."""
        if self._apart is None:
            return
        one: Plans | None = next(iter(self.plans[self._apart :]), None)
        if one is None or one.count or len(one.told) != 1 or one.told[0] == Told():
            raise UnreadError("alone")
        told = one.told[0]
        if len(told.values) + sum(map(bool, (told.lines, told.first, told.last))) != 1:
            raise UnreadError("alone")
        yield [plan for plan in self._trip.plans if told.is_so(plan)] == one.plans

    def _mean(self, found: Plans) -> None:
        """Plans are those of which the sentence goes on to tell; they meet what was wished."""
        self._verb = "" if self._subject else self._verb
        self._subject = found
        for what, is_met in self._wishes:
            values = [plan.values.get(what) for plan in (*found.plans, *self._trip.plans)]
            known = [value for value in values if value is not None]
            own, every = known[: len(found.plans)], known[len(found.plans) :]
            self._outcomes.append(bool(own) and len(known) == len(values) and is_met(own, every))
        self._wishes = []
