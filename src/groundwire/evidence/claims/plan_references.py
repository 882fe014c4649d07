"""Which plans of a trip the words of a sentence mean: "the first two", "the slowest", "the others".

Some words set plans above or apart from all others: "has the most stops", "leaves earliest".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal

from groundwire.evidence.claims.compared_plans import WISHES, Met, Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import END, Word

COUNTED = {"change": "changes", "calls": "stops"}
"""By the noun behind a number, what of a plan it counts."""

TIMES = {"depart": "departs", "arrive": "arrives"}
"""By the verb before a time, what of a plan it is."""

_SIGN = re.compile(r"[:：,，;；(（]")
_THAT_IS = re.compile(
    r"(?:^|[.!\s])(?:das|dies|sie|that|this|it)(?: (?:ist|wäre|is|would be)|['’]s)"
    r"(?: die| der| das| the)? $",
    re.IGNORECASE,
)
_IT_HAS = re.compile(
    r"(?:^|[.!?。]\s*)(?:it|that|this|that one|this one|es|sie|diese[rs]?)(?: also| auch)*"
    r" (?:has|makes|hat)(?: also| auch)*(?: the| die)? ?$",
    re.IGNORECASE,
)


# "This route avoids ..." goes on with the plan that was spoken of, or the first.
_THE_ONE = re.compile(
    r"(?:\b(?:the|this|that|your|die|diese|der|dieser|ihre|deine) |[这该])$", re.IGNORECASE
)
_OF_ONE = frozenset(("avoid", "begin", "finish"))


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
        self._last = self._verb = self._counting = ""
        self.plans: list[Plans] = []
        self._subject: Plans | None = None
        self._focus: Plans | None = None
        self._outcomes: list[bool] = []
        self._called: tuple[str, ...] = ()
        self._wishes: list[tuple[str, Met]] = []
        self._apart: int | None = None
        self._replaced: list[Plan] = []
        self._references: Mapping[str, Callable[[Word], Plans]] = {
            "ordinal": self._by_ordinal,
            "front": lambda _: self._in_front(self._trip.plans),
            "last": lambda _: self._in_front(self._trip.plans[::-1]),
            "least": self._extreme_plans,
            "most": self._extreme_plans,
            "noun": lambda _: self._by_noun(),
            "both": lambda _: self._both(),
            "others": lambda _: self._others(None),
            "alternative": lambda _: self._alternative(),
            "whole": lambda _: Plans([*self._spoken[-1:]] or [*self._trip.plans[:1]]),
            "number": lambda word: self._counted(word.number),
            **dict.fromkeys(("all", "them", "whichever"), self._every),
        }

    # The words.

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

    def _require(self, *conditions: object) -> None:
        """Refuse to read a sentence of which not all of something is so.

        Raises:
            UnreadError: some of it is not.
        """
        if not all(conditions):
            raise UnreadError(self._peek().kind)

    # Which plans are meant.

    def _referred(self) -> Plans:
        word = self._peek()
        self._at += 1
        return self._references[word.kind](word)

    def _every_plan(self, count: int = 0) -> Plans:
        """Return all plans, where the record has them all."""
        self._require(self._trip.is_complete)
        return Plans([*self._trip.plans], each=True, count=count)

    def _having(self, what: str, value: Decimal) -> Plans:
        return Plans([plan for plan in self._trip.plans if plan.values.get(what) == value])

    def _numbered(self, number: Decimal) -> Plans:
        return Plans([plan for plan in self._trip.plans if plan.number == number])

    def _tell_count(self, number: Word | None) -> None:
        """A number, where there is one, is that of all plans."""
        if number is not None:
            self._outcomes.append(self._trip.is_complete and number.number == len(self._trip.plans))

    def _of_all(self) -> None:
        """The number of all plans, or the word for them."""
        self._take("all")
        number, noun = self._take("number"), self._take("noun")
        self._require(number or noun)
        self._tell_count(number)

    def _extent(self) -> list[Plan]:
        """Return the plans with the most or the fewest changes or stops; at the word for it."""
        few, noun = self._peek().kind == "few", self._peek(1).kind
        best = self._trip.extreme(COUNTED[noun], least=few) if noun in COUNTED else []
        self._require(best, self._trip.is_complete)
        self._last, self._counting = noun, COUNTED[noun]
        self._at += 2
        return best

    def _extreme_plans(self, word: Word) -> Plans:
        """The fastest of the three; "that is" says it of the plan spoken of right before."""
        self._take("noun")
        self._require(self._trip.is_complete)
        found = Plans(self._trip.extreme("minutes", least=word.kind == "least"))
        if _THAT_IS.search(self._text, max(0, word.start - 24), word.start):
            if self._peek().kind == "number" and self._peek().number == len(self._trip.plans):
                self._at += 1
                self._take("noun")
            self._outcomes.append(all(plan in found.plans for plan in self._spoken[-1:]))
        elif self._peek().kind == "of" and self._peek(1).kind in ("all", "number", "them"):
            self._at += 1
            self._of_all()
        return found

    def _by_ordinal(self, word: Word) -> Plans:
        """The second plan; the first two."""
        is_han = self._text[word.end :].startswith("个")
        self._require(is_han or self._peek().kind not in ("least", "most"))
        if word.number == 1 and self._peek().kind in ("number", "both"):
            return self._in_front(self._trip.plans)
        if self._take("noun") is None and self._peek().number == 1:
            self._take("number")  # "the second one"
        return self._numbered(word.number)

    def _alternative(self) -> Plans:
        """The alternative by some lines, or the one other plan."""
        if self._take("by") or self._peek().kind == "lines":
            return self._by_lines([plan for plan in self._trip.plans if plan.number != 1])
        return self._others(Decimal(1))

    def _in_front(self, plans: Sequence[Plan]) -> Plans:
        """The first or the last of all plans, as many as are told."""
        number, both = self._take("number"), self._take("both")
        count = int(number.number) if number else 2 if both else 1
        self._take("noun")
        self._require(self._trip.is_complete, 0 < count < len(plans))
        return Plans([*plans[:count]], each=count > 1)

    def _both(self) -> Plans:
        """The two plans that were spoken of last, or all where there are two; both others."""
        if self._take("others"):
            return self._others(Decimal(2))
        word = self._peek()
        if word.kind == "ordinal" and word.number == 1 and self._trip.is_complete:
            self._at += 1
            self._take("noun")
            return Plans([*self._trip.plans[:2]], each=True)
        self._take("noun")
        told = [one.plans for one in self.plans if one.each and len(one.plans) == 2]
        if told:
            return Plans([*told[-1]], each=True)
        self._require(len(self._trip.plans) == 2)
        return self._every_plan()

    def _by_noun(self) -> Plans:
        if self._peek().kind in _OF_ONE and _THE_ONE.search(
            self._text, 0, self._words[self._at - 1].start
        ):
            return Plans([*self._spoken[-1:]] or [*self._trip.plans[:1]])
        if (named := self._take("number", "ordinal")) is not None:
            return self._numbered(named.number)
        if self._peek().kind == "clock":
            return self._by_clock()
        if self._take("by") and self._peek().kind in ("much", "few"):
            return Plans(self._extent())
        if self._peek().kind in ("number", "none") and self._peek(1).kind == "change":
            changes = self._peek().number
            self._at += 2
            return self._having("changes", changes)
        return self._by_lines(self._trip.plans)

    def _by_clock(self) -> Plans:
        """The plan that departs at a time: "the one at 9:30", 9:30那班."""
        word = self._take("clock")
        times = [Decimal(minutes) for minutes in word.names] if word else []
        self._take("noun")
        found = [plan for plan in self._trip.plans if plan.values.get("departs") in times]
        self._require(len(found) == 1)
        return Plans(found)

    def _by_lines(self, plans: Sequence[Plan], *, bare: bool = False) -> Plans:
        """The one plan that goes by some lines, or by these and others.

        Of "the DLR takes 9 minutes", bare of a word for a plan, only a ride may be meant.
        """
        word = self._take("lines")
        if word is None:
            raise UnreadError("lines")
        names, is_ordered = word.names, False
        if self._peek().kind == "against" and self._peek(1).kind == "lines":
            plans = self._instead_of(plans, names, self._peek(1).names)
        while self._peek().kind == "then" and self._peek(1).kind == "lines":
            names, is_ordered = (*names, *self._peek(1).names), True
            self._at += 2
        exact = [plan for plan in plans if sorted(plan.lines) == sorted(names)]
        self._require(exact or not bare or all(one.kind != "minutes" for one in self._words))
        found = exact or [plan for plan in plans if set(names) <= set(plan.lines)]
        least = min((len(plan.lines) for plan in found), default=0)
        found = [plan for plan in found if len(plan.lines) == least]
        self._require(len(found) <= 1)
        self._called = names
        in_order = Told(lines=names)
        found = [plan for plan in found if not is_ordered or in_order.is_so(plan)]
        self._take("noun")
        return Plans(found)

    def _instead_of(
        self, plans: Sequence[Plan], names: Collection[str], left: Collection[str]
    ) -> list[Plan]:
        """Return the plans with some lines and without others, which one other plan has."""
        own = [one for one in plans if {*names} <= {*one.lines} and not {*left} & {*one.lines}]
        others = [one for one in plans if {*left} <= {*one.lines} and not {*names} & {*one.lines}]
        self._require(own, all(one.is_complete for one in own))
        self._replaced = [p for p in others if len(others) == 1 or p is self._trip.plans[0]]
        self._require(self._replaced)
        self._at += 2
        return own

    def _others(self, count: Decimal | None) -> Plans:
        """All plans but those that were spoken of, or but the first."""
        self._take("exist")
        number, both = self._take("number"), self._take("both")
        count = number.number if number else Decimal(2) if both else count
        self._take("noun")
        spoken = [plan for one in self.plans if not one.each for plan in one.meant]
        spoken = spoken or [*self._spoken] or [*self._trip.plans[:1]]
        others = [plan for plan in self._trip.plans if plan not in spoken]
        self._require(others, self._trip.is_complete)
        if count is not None:
            self._outcomes.append(count == len(others))
        return Plans(others, each=True)

    def _counted(self, number: Decimal) -> Plans:
        """Two other plans; two of the three plans; two plans."""
        if self._take("others"):
            return self._others(number)
        if self._take("of"):
            self._of_all()
        else:
            self._require(self._take("noun"))
            if self._take("others"):
                return self._others(number)
        if number == len(self._trip.plans):
            return self._every_plan()
        return self._every_plan(int(number))

    def _every(self, word: Word) -> Plans:
        """All plans, all three plans, all of them."""
        is_all = word.kind == "all"
        if is_all:
            self._take("of")
        number = self._take("number")
        noun = self._take("noun", "them") if is_all else self._take("noun")
        bare = word.kind == "whichever" or (is_all and self._peek().kind in ("take", *TIMES))
        self._require(word.kind != "them", number or noun or bare)
        every = self._every_plan()
        self._tell_count(number)
        return every

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

    def _call(self, found: Plans) -> None:
        """Plans are called here, and what follows is told of them."""
        self.plans.append(found)
        self._mean(found)
        self._focus, self._last = found, "plans"

    def _speak_of_all(self, last: str) -> None:
        """Let what follows be told of every plan."""
        every = self._every_plan()
        self.plans.append(every)
        self._subject = self._focus = every
        self._last = last

    # Words that set plans above or apart from all others.

    def _wish(self) -> None:
        self._wishes.append(WISHES[self._peek().kind])
        self._at += 1

    def _exist(self) -> None:
        """There are three plans; of those "I found" it is told before."""
        self._at += 1
        if self._last in ("noun", "least", "most", "plans") and self._peek().kind != "number":
            return
        number, noun = self._take("number"), self._take("noun")
        self._require(number, noun)
        self._tell_count(number)
        self._speak_of_all("noun")

    def _nobody(self) -> None:
        """None of the plans uses a line."""
        self._at += 1
        self._speak_of_all("avoid")

    def _is_extreme(self, kind: str) -> bool:
        """Whether plans are said to be the quickest or slowest: "is the fastest", 方案最快."""
        if kind == "is" and self._peek(1).kind in ("least", "most"):
            return True
        is_last = self._peek(1).kind in ("end", "stop", "of")
        behind = self._last in ("minutes", *COUNTED) and is_last
        return kind in ("least", "most") and (self._last == "plans" or behind)

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
            best = self._trip.extreme(self._counting, least=few)
            self._require(best, self._trip.is_complete)
            self._at += 1
            self._call(Plans([*best]))
            return
        self._rank(self._counting, least=few)
        if self._take("of"):
            self._of_all()

    def _at_ends(self) -> None:
        """Plans leave or arrive earliest or latest; the verb stands before or behind."""
        word = self._peek()
        ahead = [self._peek(place).kind for place in (1, 2, 3)]
        verb = next((kind for kind in (self._verb, *ahead) if kind in TIMES), "")
        self._require(verb)
        self._at += 1
        if self._subject is None and self._take(verb):
            self._verb = verb
        self._rank(TIMES[verb], least=word.kind == "early")
        self._last = word.kind

    def _rank(self, what: str, *, least: bool) -> None:
        """Plans, or those that are told of next, have the least or the most of something."""
        best = self._trip.extreme(what, least=least) if what else []
        self._require(best, self._trip.is_complete)
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
        self._require(not self.plans, self._trip.is_complete)
        self._apart = len(self.plans)
        self._at += 1

    def _exclusive(self) -> Iterator[bool]:
        """Whether no other plan has what is told of one alone."""
        if self._apart is None:
            return
        one: Plans | None = next(iter(self.plans[self._apart :]), None)
        if one is None or one.count or len(one.told) != 1:
            raise UnreadError("alone")
        told = one.told[0]
        parts = (told.lines, told.first, told.last)
        self._require(len(told.values) + sum(map(bool, parts)) == 1)
        yield [plan for plan in self._trip.plans if told.is_so(plan)] == one.plans
