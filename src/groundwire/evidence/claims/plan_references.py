"""Which plans of a trip the words of a sentence mean: "the first two", "the others"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from groundwire.evidence.claims.compared_plans import Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import END, Word

COUNTED = {"change": "changes", "calls": "stops"}
"""By the noun behind a number, what of a plan it counts."""

_SIGN = re.compile(r"[:：,，;；(（]")

_THAT_IS = re.compile(
    r"(?:^|[.!\s])(?:das|dies|sie|that|this|it)(?: (?:ist|wäre|is|would be)|['’]s)"
    r"(?: die| der| das| the)? $",
    re.IGNORECASE,
)


class UnreadError(Exception):
    """The words of a sentence make no statement that is understood."""


class PlanReferences:
    """Goes through the words of a sentence and finds which plans they mean."""

    def __init__(
        self, text: str, words: Sequence[Word], trip: Trip, spoken: Sequence[Plan]
    ) -> None:
        self._text = text
        self._words = [*words]
        self._trip = trip
        self._spoken = spoken
        self._at: int = 0
        self._last = ""
        self.plans: list[Plans] = []
        self._subject: Plans | None = None
        self._focus: Plans | None = None
        self._outcomes: list[bool] = []
        self._counting = ""
        self._called: tuple[str, ...] = ()

    def _peek(self, ahead: int = 0) -> Word:
        place = self._at + ahead
        return self._words[place] if place < len(self._words) else END

    def _joins(self, place: int) -> bool:
        """Whether no sign stands between a word and the next: "longer: 61 minutes" has one."""
        if not 0 <= place < len(self._words) - 1:
            return False
        gap = (self._words[place].end, self._words[place + 1].start)
        return _SIGN.search(self._text, *gap) is None

    def _take(self, *kinds: str) -> Word | None:
        """Return the next word where it is of a kind, and go on behind it."""
        word = self._peek()
        if word.kind not in kinds:
            return None
        self._at += 1
        return word

    def _extent(self) -> list[Plan]:
        """Return the plans with the most or the fewest changes or stops; at the word for it."""
        few = self._peek().kind == "few"
        kind = self._peek(1).kind
        best = self._trip.extreme(COUNTED[kind], least=few) if kind in COUNTED else []
        if not best or not self._trip.is_complete:
            raise UnreadError("extent")
        self._last, self._counting = kind, COUNTED[kind]
        self._at += 2
        return best

    def _of_all(self) -> None:
        """The number of all plans, or the word for them."""
        self._take("all")
        number, noun = self._take("number"), self._take("noun")
        if number is None and noun is None:
            raise UnreadError("of")
        if number is not None:
            self._outcomes.append(self._trip.is_complete and number.number == len(self._trip.plans))

    def _referred(self) -> Plans:
        word = self._peek()
        self._at += 1
        kind, plans = word.kind, [*self._trip.plans]
        if kind == "ordinal":
            return self._by_ordinal(word)
        if kind == "front":
            return self._in_front(plans)
        if kind == "last":
            return self._in_front(plans[::-1])
        if kind in ("least", "most"):
            return self._extreme_plans(word)
        if kind == "noun":
            return self._by_noun()
        if kind in ("both", "others", "alternative"):
            return self._by_others(kind)
        if kind == "number":
            return self._counted(word.number)
        return self._every(kind)

    def _extreme_plans(self, word: Word) -> Plans:
        """The fastest of the three; "that is" says it of the plan spoken of right before."""
        self._take("noun")
        if not self._trip.is_complete:
            raise UnreadError(word.kind)
        found = Plans(self._trip.extreme("minutes", least=word.kind == "least"))
        if _THAT_IS.search(self._text, max(0, word.start - 24), word.start):
            if self._peek().kind == "number" and self._peek().number == len(self._trip.plans):
                self._at += 1
                self._take("noun")
            self._outcomes.append(all(plan in found.plans for plan in self._spoken[-1:]))
        return found

    def _by_ordinal(self, word: Word) -> Plans:
        """The second plan; the first two."""
        if self._peek().kind in ("least", "most") and not self._text[word.end :].startswith("个"):
            raise UnreadError("ordinal")
        if word.number == 1 and self._peek().kind in ("number", "both"):
            return self._in_front(self._trip.plans)
        if self._take("noun") is None and self._peek().number == 1:
            self._take("number")  # "the second one"
        return Plans([plan for plan in self._trip.plans if plan.number == word.number])

    def _by_others(self, kind: str) -> Plans:
        """The alternative by some lines, both plans, or those that were not spoken of."""
        if kind == "alternative":
            if self._take("by") or self._peek().kind == "lines":
                return self._by_lines([plan for plan in self._trip.plans if plan.number != 1])
            return self._others(Decimal(1))
        if kind == "both" and not self._take("others"):
            return self._both()
        return self._others(Decimal(2) if kind == "both" else None)

    def _in_front(self, plans: Sequence[Plan]) -> Plans:
        """The first or the last of all plans, as many as are told."""
        number, both = self._take("number"), self._take("both")
        count = int(number.number) if number else 2 if both else 1
        self._take("noun")
        if not self._trip.is_complete or not 0 < count < len(plans):
            raise UnreadError("front")
        return Plans([*plans[:count]], each=count > 1)

    def _both(self) -> Plans:
        """The two plans that were spoken of last, or all where there are two."""
        if self._peek().kind == "ordinal" and self._peek().number == 1 and self._trip.is_complete:
            self._at += 1
            self._take("noun")
            return Plans([*self._trip.plans[:2]], each=True)
        self._take("noun")
        told = [one.plans for one in self.plans if one.each and len(one.plans) == 2]
        every = [*self._trip.plans] if len(self._trip.plans) == 2 else []
        if not told and not (every and self._trip.is_complete):
            raise UnreadError("both")
        return Plans([*(told[-1] if told else every)], each=True)

    def _by_noun(self) -> Plans:
        if (number := self._take("number")) is not None:
            return Plans([plan for plan in self._trip.plans if plan.number == number.number])
        if (ordinal := self._take("ordinal")) is not None:
            return Plans([plan for plan in self._trip.plans if plan.number == ordinal.number])
        if self._peek().kind == "clock":
            return self._by_clock()
        if self._take("by") and self._peek().kind in ("much", "few"):
            return Plans(self._extent())
        if self._peek().kind in ("number", "none") and self._peek(1).kind == "change":
            changes = self._peek().number
            self._at += 2
            return Plans([p for p in self._trip.plans if p.values.get("changes") == changes])
        return self._by_lines(self._trip.plans)

    def _by_clock(self) -> Plans:
        """The plan that departs at a time: "the one at 9:30", 9:30那班."""
        word = self._take("clock")
        times = [Decimal(minutes) for minutes in word.names] if word else []
        self._take("noun")
        found = [plan for plan in self._trip.plans if plan.values.get("departs") in times]
        if len(found) != 1:
            raise UnreadError("clock")
        return Plans(found)

    def _by_lines(self, plans: Sequence[Plan], *, bare: bool = False) -> Plans:
        """The one plan that goes by some lines, or by these and others.

        Of "the DLR takes 9 minutes", bare of a word for a plan, only a ride may be meant.
        """
        word = self._take("lines")
        if word is None:
            raise UnreadError("lines")
        names, is_ordered = word.names, False
        while self._peek().kind == "then" and self._peek(1).kind == "lines":
            names, is_ordered = (*names, *self._peek(1).names), True
            self._at += 2
        exact = [plan for plan in plans if sorted(plan.lines) == sorted(names)]
        if bare and not exact and any(one.kind == "minutes" for one in self._words):
            raise UnreadError("lines")
        found = exact or [plan for plan in plans if set(names) <= set(plan.lines)]
        least = min((len(plan.lines) for plan in found), default=0)
        found = [plan for plan in found if len(plan.lines) == least]
        if len(found) > 1:
            raise UnreadError("lines")
        self._called = names
        in_order = Told(lines=names)
        found = [plan for plan in found if not is_ordered or in_order.is_so(plan)]
        self._take("noun")
        return Plans(found)

    def _others(self, count: Decimal | None) -> Plans:
        """All plans but those that were spoken of, or but the first."""
        number = self._take("number")
        count = Decimal(2) if self._take("both") else count
        self._take("noun")
        spoken = [plan for one in self.plans if not one.each for plan in one.plans] or [
            *self._spoken
        ]
        spoken = spoken or [*self._trip.plans[:1]]
        others = [plan for plan in self._trip.plans if plan not in spoken]
        count = number.number if number is not None else count
        if not others or not self._trip.is_complete:
            raise UnreadError("others")
        if count is not None:
            self._outcomes.append(count == len(others))
        return Plans(others, each=True)

    def _counted(self, number: Decimal) -> Plans:
        """Two other plans; two of the three plans; two plans."""
        if self._take("others"):
            return self._others(number)
        if self._take("of"):
            self._of_all()
        elif not self._take("noun"):
            raise UnreadError("number")
        elif self._take("others"):
            return self._others(number)
        if not self._trip.is_complete:
            raise UnreadError("number")
        return Plans([*self._trip.plans], each=True, count=int(number))

    def _every(self, kind: str) -> Plans:
        """All plans, all three plans, all of them."""
        if kind == "all":
            self._take("of")
        number = self._take("number")
        noun = self._take("noun", "them") if kind == "all" else self._take("noun")
        named = number or noun or kind == "whichever"
        if kind == "them" or not named or not self._trip.is_complete:
            raise UnreadError(kind)
        if number is not None:
            self._outcomes.append(number.number == len(self._trip.plans))
        return Plans([*self._trip.plans], each=True)

    def _is_extreme(self, kind: str) -> bool:
        """Whether plans are said to be the quickest or slowest: "is the fastest", 方案最快."""
        if kind == "is" and self._peek(1).kind in ("least", "most"):
            return True
        is_last = self._peek(1).kind in ("end", "stop", "of")
        behind = self._last in ("minutes", *COUNTED) and is_last
        return kind in ("least", "most") and (self._last == "plans" or behind)

    def _exist(self) -> None:
        """There are three plans."""
        self._at += 1
        number, noun = self._take("number"), self._take("noun")
        if number is None or noun is None or not self._trip.is_complete:
            raise UnreadError("exist")
        self._outcomes.append(number.number == len(self._trip.plans))
        every = Plans([*self._trip.plans], each=True)
        self.plans.append(every)
        self._subject = self._focus = every
        self._last = "noun"

    def _extreme(self) -> None:
        """A plan is the quickest, or the slowest of the three."""
        self._take("is")
        word = self._peek()
        self._at += 1
        best = self._trip.extreme("minutes", least=word.kind == "least")
        if self._take("of"):
            self._of_all()
        else:
            self._take("noun")
        self._outcomes.append(
            self._trip.is_complete and self._subject is not None and best == self._subject.plans
        )
        self._last = word.kind

    def _nobody(self) -> None:
        """None of the plans uses a line."""
        if not self._trip.is_complete:
            raise UnreadError("nobody")
        self._at += 1
        every = Plans([*self._trip.plans], each=True)
        self.plans.append(every)
        self._subject = self._focus = every
        self._last = "avoid"
