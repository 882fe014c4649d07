"""The words of one sentence about several plans of a trip, read to what they say of which plan."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from groundwire.evidence.claims.compared_plans import Compared, Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import END, Word

_REFERS = frozenset(
    ("ordinal", "least", "most", "others", "alternative", "all", "both", "noun", "number", "them")
)
_COMPARES = {"longer": 1, "more": 1, "quicker": -1, "less": -1}
# By the word before a line, what it is told of a plan to be.
_ENDS = {"begin": "first", "finish": "last", "avoid": "without"}
# By the noun behind a number, what of a plan it counts.
_COUNTED = {"change": "changes", "calls": "stops"}
_SIGN = re.compile(r"[:：,，;；(（]")


class UnreadError(Exception):
    """The words of a sentence make no statement that is understood."""


class PlanSentence:
    """Reads the words of one sentence about the plans of a trip."""

    def __init__(
        self, text: str, words: Sequence[Word], trip: Trip, spoken: Sequence[Plan]
    ) -> None:
        self._text = text
        self._words = [*words]
        self._trip = trip
        self._spoken = spoken
        self._at = 0
        self._last = ""
        self.plans: list[Plans] = []
        self._subject: Plans | None = None
        self._focus: Plans | None = None
        self._compared: list[Compared] = []
        self._outcomes: list[bool] = []

    def holds(self) -> bool | None:
        """Return whether the sentence is so; None where it says nothing that can be judged.

        Raises:
            UnreadError: it is not understood.
        """
        while self._at < len(self._words):
            self._step()
        if any(one.way == 0 for one in self._compared):
            raise UnreadError("than")
        own = [one.hold(self._trip) for one in self.plans]
        own += [one.holds(self._default(one)) for one in self._compared]
        own += self._outcomes
        said = (
            any(told != Told() for one in self.plans for told in one.told)
            or self._compared
            or self._outcomes
        )
        if None in own or not said:
            return None
        return all(own)

    def _default(self, compared: Compared) -> Sequence[Plan]:
        """Return the plans that some are compared with where the sentence names none."""
        of = compared.subject
        if of.each:
            return [plan for plan in self._trip.plans if plan not in of.plans]
        place = self.plans.index(of)
        before = self.plans[place - 1].plans if place else self._spoken[-1:]
        return before or [*self._trip.fastest(), self._trip.plans[0]]

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

    def _step(self) -> None:
        """Read the next part of the sentence."""
        word = self._peek()
        kind = word.kind
        figure = kind == "number" and self._peek(1).kind in (*_COUNTED, "end", "stop")
        if kind == "stop":
            self._focus = self._subject = None
        elif kind == "exist":
            self._exist()
            return
        elif self._subject and self._is_extreme(kind):
            self._extreme()
            return
        elif kind == "nobody":
            self._nobody()
            return
        elif kind in ("much", "few") and self._subject:
            self._outcomes.append(self._extent() == self._subject.plans)
            return
        elif kind in _REFERS and not figure and not self._is_behind_change(word):
            self._refer()
            return
        elif kind == "lines":
            self._lines(word)
        elif kind in ("minutes", "number", "none", *_COUNTED):
            self._figure(word)
        elif kind in _COMPARES:
            self._compare(word)
        elif kind == "take":
            starts = self._peek(1).kind in ("lines", "by") and self._begins()
            self._focus = None if starts else self._subject
        elif kind == "instead":
            self._not_first()
        else:
            self._join(kind)
        self._last = kind
        self._at += 1

    def _join(self, kind: str) -> None:
        """A word that only says how the next is meant: "by", "than", "begins with"."""
        if kind == "stranger" and self._last in _ENDS:
            word = self._peek()
            self._tell_end((self._text[word.start : word.end].casefold(),))
            return
        led = kind in _ENDS and self._peek(1).kind in ("lines", "stranger")
        if not led and kind not in ("by", "is", "than", "against", "from", "to", "of"):
            raise UnreadError(kind)

    def _tell_end(self, lines: tuple[str, ...]) -> None:
        """Plans begin, end or do without some lines; where others may serve, without is open."""
        plans = self._focus
        if plans is None or not (self._last != "avoid" or all(p.is_complete for p in plans.plans)):
            raise UnreadError(self._last)
        setattr(plans.told[-1], _ENDS[self._last], lines)

    def _is_extreme(self, kind: str) -> bool:
        """Whether plans are said to be the quickest or slowest: "is the fastest", 方案最快."""
        if kind == "is" and self._peek(1).kind in ("least", "most"):
            return True
        return kind in ("least", "most") and self._last == "plans"

    def _begins(self) -> bool:
        return not self.plans or self._last in ("stop", "than")

    def _is_behind_change(self, word: Word) -> bool:
        """Whether a number is that of changes: 换乘两次."""
        return word.kind == "number" and self._last in _COUNTED

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
        best = self._trip.fastest() if word.kind == "least" else self._trip.slowest()
        if self._take("of"):
            self._of_all()
        else:
            self._take("noun")
        self._outcomes.append(
            self._trip.is_complete and self._subject is not None and best == self._subject.plans
        )
        self._last = word.kind

    def _extent(self) -> list[Plan]:
        """Return the plans with the most or the fewest changes or stops; at the word for it."""
        few = self._peek().kind == "few"
        kind = self._peek(1).kind
        counts = {
            plan.number: plan.stops if kind == "calls" else plan.changes
            for plan in self._trip.plans
        }
        known = [count for count in counts.values() if count is not None]
        if kind not in _COUNTED or len(known) < len(counts) or not self._trip.is_complete:
            raise UnreadError("extent")
        self._last = kind
        self._at += 2
        best = min(known) if few else max(known)
        return [plan for plan in self._trip.plans if counts[plan.number] == best]

    def _nobody(self) -> None:
        """None of the plans uses a line."""
        if not self._trip.is_complete:
            raise UnreadError("nobody")
        self._at += 1
        every = Plans([*self._trip.plans], each=True)
        self.plans.append(every)
        self._subject = self._focus = every
        self._last = "avoid"

    def _of_all(self) -> None:
        """The number of all plans, or the word for them."""
        self._take("all")
        number, noun = self._take("number"), self._take("noun")
        if number is None and noun is None:
            raise UnreadError("of")
        if number is not None:
            self._outcomes.append(self._trip.is_complete and number.number == len(self._trip.plans))

    def _refer(self) -> None:
        """The plans that the words from here on mean."""
        led, self._last = self._last, "plans"
        found = self._referred()
        self.plans.append(found)
        if led == "than":
            self._base(found)
        else:
            self._subject = found
        self._focus = found

    def _base(self, found: Plans) -> None:
        if self._compared and self._compared[-1].base is None:
            self._compared[-1].base = found
            return
        subject = self._subject
        if subject is None:
            raise UnreadError("than")
        # 比 and what is compared stand before the word that compares.
        self._compared.append(Compared(subject, 0, None, found))

    def _referred(self) -> Plans:
        word = self._peek()
        self._at += 1
        kind, plans = word.kind, [*self._trip.plans]
        if kind == "ordinal":
            if self._peek().kind in ("least", "most"):
                raise UnreadError("ordinal")
            self._take("noun")
            return Plans([plan for plan in plans if plan.number == word.number])
        if kind in ("least", "most"):
            self._take("noun")
            if not self._trip.is_complete:
                raise UnreadError(kind)
            return Plans(self._trip.fastest() if kind == "least" else self._trip.slowest())
        if kind == "noun":
            return self._by_noun()
        if kind == "alternative":
            if self._take("by") or self._peek().kind == "lines":
                return self._by_lines([plan for plan in plans if plan.number != 1])
            return self._others(Decimal(1))
        if kind in ("others", "both"):
            if kind == "both" and not self._take("others"):
                raise UnreadError(kind)
            return self._others(Decimal(2) if kind == "both" else None)
        if kind == "number":
            return self._counted(word.number)
        return self._every(kind)

    def _by_noun(self) -> Plans:
        if (number := self._take("number")) is not None:
            return Plans([plan for plan in self._trip.plans if plan.number == number.number])
        if (ordinal := self._take("ordinal")) is not None:
            return Plans([plan for plan in self._trip.plans if plan.number == ordinal.number])
        if self._take("by") and self._peek().kind in ("much", "few"):
            return Plans(self._extent())
        return self._by_lines(self._trip.plans)

    def _by_lines(self, plans: Sequence[Plan]) -> Plans:
        """The one plan that goes by some lines, or by these and others."""
        word = self._take("lines")
        if word is None:
            raise UnreadError("lines")
        exact = [plan for plan in plans if sorted(plan.lines) == sorted(word.names)]
        found = exact or [plan for plan in plans if set(word.names) <= set(plan.lines)]
        if len(found) > 1:
            raise UnreadError("lines")
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
        number = self._take("number")
        noun = self._take("noun", "them") if kind == "all" else self._take("noun")
        if kind == "them" or not (number or noun) or not self._trip.is_complete:
            raise UnreadError(kind)
        if number is not None:
            self._outcomes.append(number.number == len(self._trip.plans))
        return Plans([*self._trip.plans], each=True)

    def _lines(self, word: Word) -> None:
        """Lines are told of the plan at hand, or call one."""
        if self._last in _ENDS:
            self._tell_end(word.names)
            return
        if self._focus is not None and self._last in ("by", "plans", "minutes", "change"):
            told = self._focus.told[-1]
            if told.lines:
                raise UnreadError("lines")
            told.lines = word.names
            return
        if self._last not in ("", "take", "by", "stop", "than") or self._subject is not None:
            raise UnreadError("lines")
        led = self._last
        found = self._by_lines(self._trip.plans)
        self._at -= 1
        self.plans.append(found)
        if led == "than":
            self._base(found)
        else:
            self._subject = found
        self._focus = found

    def _figure(self, word: Word) -> None:
        """A length of time, a number of changes, or by how much plans differ."""
        kind = word.kind
        behind = self._peek(1)
        if kind == "minutes":
            if behind.kind in _COMPARES and self._joins(self._at):
                return  # read with what compares
            compares = self._last in _COMPARES and self._joins(self._at - 1)
            if compares and self._compared and self._compared[-1].by is None:
                self._compared[-1].by = word.number
                return
            if behind.kind == "against" and self._peek(2).kind in ("minutes", "number"):
                self._set_against(word, self._peek(2))
                return
            self._tell("minutes", word.number)
            return
        if kind == "number" and self._last in _COUNTED and behind.kind not in _COUNTED:
            self._tell(_COUNTED[self._last], word.number)
            return
        if kind == "number" and behind.kind in ("end", "stop") and self._last == "take":
            if not any(told.minutes is not None for one in self.plans for told in one.told):
                raise UnreadError(kind)
            self._tell("minutes", word.number)
            return
        if kind == "number" and behind.kind in ("end", "stop") and self._changes_told():
            self._tell("changes", word.number)
            return
        if kind in ("number", "none") and behind.kind in _COUNTED:
            self._tell(_COUNTED[behind.kind], word.number if kind == "number" else Decimal(0))
            self._at += 1
            return
        if kind in _COUNTED and behind.kind == "number":
            return
        raise UnreadError(kind)

    def _changes_told(self) -> bool:
        """Whether "with three changes" stands before a bare "with two"."""
        every = (told.changes for one in self.plans for told in one.told)
        return self._last == "by" and any(changes is not None for changes in every)

    def _tell(self, what: str, number: Decimal) -> None:
        """Tell something of the plans at hand; a second length of time is that of another."""
        if self._focus is None:
            raise UnreadError(what)
        told = self._focus.told
        if what == "minutes" and told[-1].minutes is not None and self._focus.each:
            told.append(Told())
        if getattr(told[-1], what) is not None:
            raise UnreadError(what)
        setattr(told[-1], what, number)

    def _set_against(self, first: Word, second: Word) -> None:
        """Lengths of time of what is compared, in that order: 55 against 64 minutes."""
        if not self._compared:
            raise UnreadError("against")
        one = self._compared[-1]
        if one.base is None:
            one.base = Plans([*self._default(one)])
            self.plans.append(one.base)
        for plans, word in ((one.subject, first), (one.base, second)):
            if plans.each or plans.told[-1].minutes is not None:
                raise UnreadError("against")
            plans.told[-1].minutes = word.number
        self._at += 2

    def _compare(self, word: Word) -> None:
        """Longer or quicker, by so much."""
        before = self._words[self._at - 1] if self._at and self._joins(self._at - 1) else None
        by = before.number if before is not None and before.kind == "minutes" else None
        adjacent = self._peek(1) if self._joins(self._at) else END
        if adjacent.kind in ("number", "change", "none"):
            raise UnreadError(word.kind)
        if word.kind in ("more", "less") and by is None and adjacent.kind != "minutes":
            raise UnreadError(word.kind)
        way = _COMPARES[word.kind]
        if self._compared and self._compared[-1].way == 0:
            self._compared[-1].way = way
            return
        if self._subject is None:
            raise UnreadError(word.kind)
        self._compared.append(Compared(self._subject, way, by))

    def _not_first(self) -> None:
        """Taking other lines instead: not the plan that was spoken of."""
        if self._subject is None:
            raise UnreadError("instead")
        spoken = [*self._spoken[-1:]] or [*self._trip.plans[:1]]
        self._outcomes.append(not any(plan in spoken for plan in self._subject.plans))
