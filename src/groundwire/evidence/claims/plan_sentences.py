"""The words of one sentence about several plans of a trip, read to what they say of which plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import ClassVar

from groundwire.evidence.claims.compared_plans import Compared, Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import END, Word

_REFERS = frozenset(
    (
        *("ordinal", "front", "last", "least", "most", "others", "alternative", "all", "both"),
        *("noun", "number", "them", "whichever"),
    )
)
_COMPARES = {"longer": 1, "more": 1, "later": 1, "quicker": -1, "less": -1, "earlier": -1}
# By the word before a line, what it is told of a plan to be.
_ENDS = {"begin": "first", "finish": "last", "avoid": "without"}
# By the noun behind a number, what of a plan it counts.
_COUNTED = {"change": "changes", "calls": "stops"}
# By the verb before a time, what of a plan it is.
_TIMES = {"depart": "departs", "arrive": "arrives"}
# What somebody may wish of a plan: whether plans with some values, among all values, meet it.
_WISHES: Mapping[str, tuple[str, Callable[[Collection[Decimal], Collection[Decimal]], bool]]] = {
    "wish_direct": ("changes", lambda own, _: not any(own)),
    "wish_few_changes": ("changes", lambda own, every: max(own) == min(every)),
    "wish_no_walk": ("walking", lambda own, _: not any(own)),
    "wish_less_walk": ("walking", lambda own, every: max(own) < max(every)),
    "wish_more_walk": ("walking", lambda own, every: min(own) > min(every)),
    "wish_fast": ("minutes", lambda own, every: max(own) == min(every)),
    "wish_same": ("minutes", lambda own, _: len(set(own)) == 1),
}
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
        self._wishes: list[tuple[str, Callable[[Collection[Decimal], Collection[Decimal]], bool]]]
        self._wishes = []
        self._verb = ""
        self._counting = ""
        self._called: tuple[str, ...] = ()
        self._denied = False
        if len(trip.plans) == 1:
            self._focus = self._subject = Plans([*trip.plans])
            self.plans.append(self._subject)

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
        # Of the only plan no sentence need speak as a whole.
        if False in own and len(self._trip.plans) == 1:
            return None
        if False in own and any(set(_TIMES.values()) & told.values.keys() for told in self._told()):
            return None  # a ride may begin or end then
        own += [one.holds(self._default(one)) for one in self._compared]
        own += self._outcomes
        said = (
            any(told != Told() for told in self._told())
            or self._compared
            or self._outcomes
        )
        if None in own or not said or self._wishes:
            return None
        return all(own)

    def _told(self) -> Iterator[Told]:
        """Yield all that is told of plans."""
        for one in self.plans:
            yield from one.told

    def _default(self, compared: Compared) -> Sequence[Plan]:
        """Return the plans that some are compared with where the sentence names none."""
        of = compared.subject
        if of.each:
            return [plan for plan in self._trip.plans if plan not in of.plans]
        place = self.plans.index(of)
        before = self.plans[place - 1].plans if place else self._spoken[-1:]
        best = [*self._trip.extreme("minutes", least=True), self._trip.plans[0]]
        return before or [plan for plan in best if plan not in of.plans]

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
        figure = kind == "number" and self._peek(1).kind in (*_COUNTED, "end", "stop", "more")
        figure = figure or (kind == "number" and self._peek(1).kind == "less")
        if kind == "not":
            self._denied = True
            self._at += 1
            if self._peek().kind not in ("longer", "quicker", "later", "earlier", "than"):
                raise UnreadError("not")
            return
        listed = self._focus is not None and self._focus.each
        if kind == "stop" or (kind == "or" and not listed):
            if len(self._trip.plans) > 1:
                self._focus = self._subject = None
            self._verb = ""
        elif kind in _WISHES:
            self._wishes.append(_WISHES[kind])
            self._at += 1
            return
        elif self._subject and self._is_extreme(kind):
            self._extreme()
            return
        elif kind in self._STEPS:
            self._STEPS[kind](self)
            return
        elif kind in ("much", "few"):
            self._most_of_all()
            return
        elif kind in _REFERS and not figure and not self._is_behind_change(word):
            self._refer()
            return
        elif kind == "lines":
            self._lines(word)
        elif kind in ("minutes", "number", "none", "walk", *_COUNTED):
            self._figure(word)
        elif kind in _COMPARES:
            self._compare(word)
        elif kind == "take":
            starts = self._peek(1).kind in ("lines", "by") and self._begins()
            self._focus = None if starts else self._subject
        elif kind == "or":
            pass  # it joins what is told of each
        elif kind in _TIMES:
            self._verb = kind
            self._focus = self._focus or self._subject
        else:
            self._join(kind)
        self._last = kind
        self._at += 1

    def _time(self) -> None:
        """A time is that of the verb before it, or right behind it: 18:22出发."""
        word, behind = self._peek(), self._peek(1)
        verb = behind.kind if behind.kind in _TIMES else self._verb
        if behind.kind == "to" and self._peek(2).kind in ("end", "stop"):
            verb = "arrive"
        if verb not in _TIMES or self._focus is None:
            raise UnreadError("clock")
        self._put(_TIMES[verb], *map(Decimal, word.names))
        self._last = "clock"
        self._at += 1

    def _direct(self) -> None:
        self._tell("changes", Decimal(0))
        self._last = "change"
        self._at += 1

    def _all_way(self) -> None:
        """The lines that plans are called by are all of their lines."""
        plans = self._subject.plans if self._subject else []
        if not plans or not self._called:
            raise UnreadError("all_way")
        self._outcomes += [sorted(plan.lines) == sorted(self._called) for plan in plans]
        self._at += 1

    def _same(self) -> None:
        """Plans take as long as each other, or depart or arrive at the same time."""
        what = _TIMES.get(self._verb, "minutes")
        plans = self._focus
        if plans is None or not plans.each or len(plans.plans) < 2:
            raise UnreadError("same")
        values = [plan.values.get(what) for plan in plans.plans]
        self._outcomes.append(None not in values and len(set(values)) == 1)
        self._at += 1

    def _beat(self) -> None:
        """A plan is quicker than the others, by so much each."""
        if self._subject is None:
            raise UnreadError("beat")
        one = Compared(self._subject, -1)
        self._compared.append(one)
        self._at += 1
        if self._peek().kind not in _REFERS:
            raise UnreadError("beat")
        one.base = self._referred()
        self.plans.append(one.base)
        while self._peek().kind in ("minutes", "number", "by"):
            figure = self._peek()
            one.by = (*one.by, figure.number) if figure.kind != "by" else one.by
            self._at += 1
        self._last = "beat"

    def _differ(self) -> None:
        """A plan saves or adds minutes, walks or changes."""
        way = -1 if self._peek().kind == "save" else 1
        self._at += 1
        figure = self._take("minutes", "number")
        noun = self._take("walk", *_COUNTED)
        by = figure.number if figure else Decimal(1)
        if (
            self._subject is None
            or not (figure or noun)
            or (noun and noun.kind == "walk" and not figure)
        ):
            raise UnreadError("save")
        what = _COUNTED.get(noun.kind, "walking") if noun else "minutes"
        self._compared.append(Compared(self._subject, way, (by,), what=what))
        self._last = "minutes"

    def _most_of_all(self) -> None:
        """Plans have the most or the fewest changes or stops, told before them or behind."""
        if self._peek(1).kind not in _COUNTED and self._counting and self._subject:
            best = self._trip.extreme(self._counting, least=self._peek().kind == "few")
            self._outcomes.append(self._trip.is_complete and best == self._subject.plans)
            self._last = self._peek().kind
            self._at += 1
            return
        if self._subject is not None:
            self._outcomes.append(self._extent() == self._subject.plans)
            return
        few, what = self._peek().kind == "few", _COUNTED.get(self._peek(1).kind, "")
        self._extent()
        self._counting = what
        pick = min if few else max
        self._wishes.append((what, lambda own, every: set(own) == {pick(every)}))

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

    def _join(self, kind: str) -> None:
        """A word that only says how the next is meant: "by", "than", "begins with"."""
        if kind == "stranger" and self._last in _ENDS:
            word = self._peek()
            self._tell_end((self._text[word.start : word.end].casefold(),))
            return
        led = kind in (*_ENDS, "then") and self._peek(1).kind in ("lines", "stranger")
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
        best = self._trip.extreme("minutes", least=word.kind == "least")
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
        best = self._trip.extreme(_COUNTED[kind], least=few) if kind in _COUNTED else []
        if not best or not self._trip.is_complete:
            raise UnreadError("extent")
        self._last, self._counting = kind, _COUNTED[kind]
        self._at += 2
        return best

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
            self._mean(found)
        self._focus = found

    def _base(self, found: Plans) -> None:
        if self._compared and self._compared[-1].base is None:
            self._compared[-1].base = found
            return
        subject = self._subject
        if subject is None:
            raise UnreadError("than")
        # 比 and what is compared stand before the word that compares.
        self._compared.append(Compared(subject, 0, base=found))

    def _referred(self) -> Plans:
        word = self._peek()
        self._at += 1
        kind, plans = word.kind, [*self._trip.plans]
        if kind == "ordinal":
            if self._peek().kind in ("least", "most") and not self._text[word.end :].startswith(
                "个"
            ):
                raise UnreadError("ordinal")
            if word.number == 1 and self._peek().kind in ("number", "both"):
                return self._in_front(plans)
            self._take("noun")
            return Plans([plan for plan in plans if plan.number == word.number])
        if kind == "front":
            return self._in_front(plans)
        if kind == "last":
            return self._in_front(plans[::-1])
        if kind in ("least", "most"):
            self._take("noun")
            if not self._trip.is_complete:
                raise UnreadError(kind)
            return Plans(self._trip.extreme("minutes", least=kind == "least"))
        if kind == "noun":
            return self._by_noun()
        if kind == "alternative":
            if self._take("by") or self._peek().kind == "lines":
                return self._by_lines([plan for plan in plans if plan.number != 1])
            return self._others(Decimal(1))
        if kind == "both" and not self._take("others"):
            return self._both()
        if kind in ("others", "both"):
            return self._others(Decimal(2) if kind == "both" else None)
        if kind == "number":
            return self._counted(word.number)
        return self._every(kind)

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
        if self._take("by") and self._peek().kind in ("much", "few"):
            return Plans(self._extent())
        return self._by_lines(self._trip.plans)

    def _by_lines(self, plans: Sequence[Plan]) -> Plans:
        """The one plan that goes by some lines, or by these and others."""
        word = self._take("lines")
        if word is None:
            raise UnreadError("lines")
        names, is_ordered = word.names, False
        while self._peek().kind == "then" and self._peek(1).kind == "lines":
            names, is_ordered = (*names, *self._peek(1).names), True
            self._at += 2
        exact = [plan for plan in plans if sorted(plan.lines) == sorted(names)]
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

    def _lines(self, word: Word) -> None:
        """Lines are told of the plan at hand, or call one."""
        if self._last in _ENDS:
            self._tell_end(word.names)
            return
        if self._focus is not None and self._last == "then":
            told = self._focus.told[-1]
            told.lines = (*(told.lines or self._called), *word.names)
            return
        if self._focus is not None and (
            self._last in ("by", "plans", "minutes", "change") or len(self._trip.plans) == 1
        ):
            told = self._focus.told[-1]
            if told.lines:
                raise UnreadError("lines")
            told.lines = word.names
            return
        if self._last not in ("", "take", "by", "stop", "or", "than") or self._subject is not None:
            raise UnreadError("lines")
        led = self._last
        found = self._by_lines(self._trip.plans)
        self._at -= 1
        self.plans.append(found)
        if led == "than":
            self._base(found)
        else:
            self._mean(found)
        self._focus = found

    def _figure(self, word: Word) -> None:
        """A length of time, a number of changes, or by how much plans differ."""
        kind = word.kind
        behind = self._peek(1)
        if kind == "walk":
            if self._focus is None or behind.kind not in ("minutes", "take", "by"):
                raise UnreadError(kind)
        elif kind == "minutes":
            self._minutes(word, behind)
        elif (
            kind in ("number", "none")
            and behind.kind in _COUNTED
            and self._peek(2).kind
            not in (
                "more",
                "less",
            )
        ):
            self._tell(_COUNTED[behind.kind], word.number if kind == "number" else Decimal(0))
            self._counting = _COUNTED[behind.kind]
            self._at += 1
        elif kind == "none" and behind.kind == "walk":
            self._tell("walking", Decimal(0))
            self._at += 1
        elif kind == "number" and {behind.kind, self._peek(2).kind} & {"more", "less"}:
            self._more_of(word)
        elif kind == "number" and behind.kind in _COUNTED:
            raise UnreadError(kind)
        elif kind == "number" and self._last in _COUNTED:
            self._tell(_COUNTED[self._last], word.number)
        elif kind == "number" and behind.kind in ("end", "stop"):
            self._bare(word)
        elif kind in _COUNTED and behind.kind in ("much", "few"):
            self._counting = _COUNTED[kind]
        elif not (kind in _COUNTED and behind.kind == "number"):
            raise UnreadError(kind)

    def _minutes(self, word: Word, behind: Word) -> None:
        """A length of time: of a plan, of its walks, or by how much plans differ."""
        if behind.kind in _COMPARES and self._joins(self._at):
            return  # read with what compares
        compares = self._last in _COMPARES and self._joins(self._at - 1)
        if compares and self._compared and not self._compared[-1].by:
            self._compared[-1].by = (word.number,)
            if self._take_behind("walk"):
                self._compared[-1].what = "walking"
        elif behind.kind == "against" and self._peek(2).kind in ("minutes", "number"):
            self._set_against(word, self._peek(2))
        elif self._last == "walk" or self._take_behind("walk"):
            self._tell("walking", word.number)
        else:
            self._tell("minutes", word.number)

    def _take_behind(self, kind: str) -> bool:
        """Whether the word behind the one at hand is of a kind, and go on at it."""
        is_there = self._peek(1).kind == kind and self._joins(self._at)
        self._at += is_there
        return is_there

    def _bare(self, word: Word) -> None:
        """A number at the end of its part is a length of time, or counts what was counted."""
        timed = any("minutes" in told.values for one in self.plans for told in one.told)
        what = self._counting or ("changes" if self._changes_told() else "")
        if self._last == "take" and timed and not self._counting:
            what = "minutes"
        if not what:
            raise UnreadError("number")
        self._tell(what, word.number)

    def _more_of(self, word: Word) -> None:
        """One more change; two changes less."""
        kinds = [self._peek(1).kind, self._peek(2).kind]
        counted = [kind for kind in kinds if kind in _COUNTED]
        way = [_COMPARES[kind] for kind in kinds if kind in ("more", "less")]
        if len(counted) != 1 or len(way) != 1 or self._subject is None:
            raise UnreadError("more")
        by, what = (word.number,), _COUNTED[counted[0]]
        self._compared.append(Compared(self._subject, way[0], by, what=what))
        self._at += 2

    def _changes_told(self) -> bool:
        """Whether "with three changes" stands before a bare "with two"."""
        every = ("changes" in told.values for one in self.plans for told in one.told)
        return self._last == "by" and any(every)

    def _tell(self, what: str, number: Decimal) -> None:
        """Tell something of the plans at hand; a second length of time is that of another."""
        if self._focus is None:
            raise UnreadError(what)
        told = self._focus.told
        if what == "minutes" and what in told[-1].values and self._focus.each:
            told.append(Told())
        self._put(what, number)

    def _put(self, what: str, *numbers: Decimal) -> None:
        """Tell what something of the plans at hand may be."""
        if self._focus is None or what in self._focus.told[-1].values:
            raise UnreadError(what)
        self._focus.told[-1].values[what] = numbers

    def _set_against(self, first: Word, second: Word) -> None:
        """Lengths of time of what is compared, in that order: 55 against 64 minutes."""
        if not self._compared:
            raise UnreadError("against")
        one = self._compared[-1]
        if one.base is None:
            one.base = Plans([*self._default(one)])
            self.plans.append(one.base)
        for plans, word in ((one.subject, first), (one.base, second)):
            if plans.each or "minutes" in plans.told[-1].values:
                raise UnreadError("against")
            plans.told[-1].values["minutes"] = (word.number,)
        self._at += 2

    def _compare(self, word: Word) -> None:
        """Longer, quicker or later, by so much."""
        before = self._words[self._at - 1] if self._at and self._joins(self._at - 1) else None
        by = (before.number,) if before is not None and before.kind == "minutes" else ()
        adjacent = self._peek(1) if self._joins(self._at) else END
        if adjacent.kind in ("number", "change", "none"):
            raise UnreadError(word.kind)
        if word.kind in ("more", "less") and not by and adjacent.kind not in ("minutes", "walk"):
            raise UnreadError(word.kind)
        way, what = _COMPARES[word.kind], "minutes"
        if adjacent.kind == "walk":
            what = "walking"
            self._at += 1
        if word.kind in ("later", "earlier"):
            near = adjacent.kind if adjacent.kind in _TIMES else self._peek(2).kind
            what = _TIMES[near if near in _TIMES else self._verb or "arrive"]
        if self._compared and self._compared[-1].way == 0:
            self._compared[-1].way, self._compared[-1].what = way, what
            self._compared[-1].by = by
            self._compared[-1].denied = self._denied
            return
        if self._subject is None:
            raise UnreadError(word.kind)
        self._compared.append(Compared(self._subject, way, by, None, what, self._denied))

    def _not_first(self) -> None:
        """Taking other lines instead: not the plan that was spoken of."""
        if self._subject is None:
            raise UnreadError("instead")
        spoken = [*self._spoken[-1:]] or [*self._trip.plans[:1]]
        self._outcomes.append(not any(plan in spoken for plan in self._subject.plans))
        self._at += 1

    _STEPS: ClassVar[Mapping[str, Callable[[PlanSentence], None]]] = {
        "exist": _exist,
        "nobody": _nobody,
        "instead": _not_first,
        "clock": _time,
        "direct": _direct,
        "all_way": _all_way,
        "same": _same,
        "beat": _beat,
        "save": _differ,
        "add": _differ,
    }
