"""The words of one sentence about several plans of a trip, read to what they say of which plan."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations

from groundwire.evidence.claims.compared_plans import WISHES, Compared, Plan, Plans, Told, Trip
from groundwire.evidence.claims.known_words import END, Word
from groundwire.evidence.claims.plan_references import COUNTED, TIMES, PlanReferences, UnreadError

_COMPARES = {"longer": 1, "more": 1, "later": 1, "quicker": -1, "less": -1, "earlier": -1}
# Before "additional change": one.
_ONE, _NEAR = re.compile(r"\b(?:an?|one|eine?n?m?) $", re.IGNORECASE), 8
_ENDS = {"begin": "first", "finish": "last", "avoid": "without"}


class PlanSentence(PlanReferences):
    """Reads the words of one sentence about the plans of a trip."""

    def __init__(
        self,
        text: str,
        words: Sequence[Word],
        trip: Trip,
        spoken: Sequence[Plan],
        told: Sequence[Plan] = (),
    ) -> None:
        super().__init__(text, words, trip, spoken)
        self._of_lines = [*told] or [*trip.plans]
        self._compared: list[Compared] = []
        self._denied = self._ranked = False
        self._steps: Mapping[str, Callable[[], None]] = {
            "exist": self._exist,
            "nobody": self._nobody,
            "instead": self._not_first,
            "clock": self._time,
            "direct": self._direct,
            "all_way": self._all_way,
            "same": self._same,
            "beat": self._beat,
            "save": self._differ,
            "add": self._differ,
            "not": self._deny,
            "stop": self._part,
            "or": self._part,
            "much": self._most_of_all,
            "few": self._most_of_all,
            "early": self._at_ends,
            "late": self._at_ends,
            "against": self._against,
            "only": self._only,
            "alone": self._alone,
            **dict.fromkeys(WISHES, self._wish),
        }
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
        timed = any(set(TIMES.values()) & told.values.keys() for told in self._told())
        if False in own and (timed or len(self._trip.plans) == 1):
            return None  # a ride may begin or end then, and a sentence tell of one alone
        own += [one.holds(self._default(one)) for one in self._compared]
        own += [*self._outcomes, *self._exclusive()]
        # A line of which nothing but that it goes is told is said to be in service.
        is_told = (timed or not self._verb) and any(told != Told() for told in self._told())
        if None in own or not (is_told or self._compared or self._outcomes) or self._wishes:
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
        if self._replaced:
            return self._replaced
        before = self.plans[place - 1].meant if place else self._spoken[-1:]
        best = [*self._trip.extreme("minutes", least=True), self._trip.plans[0]]
        return before or [plan for plan in best if plan not in of.plans]

    def _step(self) -> None:
        """Read the next part of the sentence."""
        word = self._peek()
        kind = word.kind
        counts = (*COUNTED, "end", "stop", "more", "less")
        figure = kind == "number" and self._peek(1).kind in counts
        if self._subject and self._is_extreme(kind):
            self._extreme()
        elif kind == "all" and self._counting and self._peek(1).kind in ("end", "stop"):
            self._at += 1  # "with one change each"
        elif kind in self._steps:
            self._steps[kind]()
        elif kind in self._references and not figure and not self._is_behind_change(word):
            self._refer()
        else:
            self._go_on(word)
            self._last = kind
            self._at += 1

    def _go_on(self, word: Word) -> None:
        """Read a word of what is told of the plans at hand."""
        kind = word.kind
        if kind == "lines":
            self._lines(word)
        elif kind in ("minutes", "number", "none", "walk", *COUNTED):
            self._figure(word)
        elif kind in _COMPARES:
            self._compare(word)
        elif kind == "take":
            starts = self._peek(1).kind in ("lines", "by") and (
                not self.plans or self._last in ("stop", "than")
            )
            self._focus = None if starts else self._subject
        elif kind in TIMES:
            self._verb = kind
            if self._subject is None:
                # "You leave at 17:36 and are there at 18:30": so it is of the plan told of before.
                self._subject = Plans([*self._of_lines])
                self.plans.append(self._subject)
            self._focus = self._focus or self._subject
        else:
            self._join(kind)

    def _deny(self) -> None:
        """Plans are not slower, quicker, later or earlier."""
        self._denied = True
        self._at += 1
        self._require(self._peek().kind in ("longer", "quicker", "later", "earlier", "than"))

    def _part(self) -> None:
        """Turn to other plans; "or" may only join what is told of each."""
        kind = self._last = self._peek().kind
        self._at += 1
        if kind == "or" and self._focus is not None and self._focus.each:
            return
        if len(self._trip.plans) > 1:
            self._focus = self._subject = None
        self._verb = ""

    def _time(self) -> None:
        """A time is that of the verb beside it."""
        word, behind = self._peek(), self._peek(1)
        if behind.kind == "noun" and not self._verb:
            self._call(self._by_clock())
            return
        verb = behind.kind if behind.kind in TIMES and self._joins(self._at) else self._verb
        if self._focus and TIMES.get(verb) in self._focus.told[-1].values:
            ahead = (one.kind for one in self._words[self._at + 1 : self._at + 4])
            verb = next((kind for kind in ahead if kind in (*TIMES, "clock")), verb)
        if behind.kind == "to" and self._peek(2).kind in ("end", "stop"):
            verb = "arrive"
        told = self._focus.told[-1].values if self._focus else {}
        self._require(verb in TIMES, TIMES.get(verb) not in told)
        self._put(TIMES[verb], *map(Decimal, word.names))
        self._last = "clock"
        self._at += 1

    def _direct(self) -> None:
        """Plans have no change; "than the direct one" means those."""
        if self._last == "than":
            self._at += 1
            self._take("number", "noun")
            self.plans.append(self._having("changes", Decimal(0)))
            self._base(self.plans[-1])
            self._last = "plans"
            return
        if self._focus is None and self._peek(1).kind in ("noun", "by", "lines"):
            self._at += 1  # "the direct ride on the Jubilee line"
            noun, _ = self._take("noun"), self._take("by")
            self._call(self._by_lines(self._trip.plans, bare=noun is None))
            self._tell("changes", Decimal(0))
            return
        self._tell("changes", Decimal(0))
        self._last = "change"
        self._at += 1

    def _all_way(self) -> None:
        """The lines that plans are called by are all of their lines."""
        plans = self._subject.plans if self._subject else []
        self._require(plans, self._called)
        self._outcomes += [sorted(plan.lines) == sorted(self._called) for plan in plans]
        self._at += 1

    def _same(self) -> None:
        """Plans take as long as each other, or one as another; or depart or arrive so."""
        what = TIMES.get(self._verb, "minutes")
        plans = self._focus
        every = [*plans.plans] if plans else []
        every += (self._spoken[-1:] or self._trip.plans[:1]) if len(every) == 1 else ()
        if plans is None or len({*every}) < 2 or (len(plans.plans) > 1 and not plans.each):
            raise UnreadError("same")
        values = [plan.values.get(what) for plan in every]
        is_so = None not in values and len(set(values)) == 1
        self._outcomes += [is_so] * (not plans.count)  # "two plans tie at 39 minutes" counts
        self._at += 1

    def _beat(self) -> None:
        """A plan is quicker than the others, by so much each."""
        if self._subject is None:
            raise UnreadError("beat")
        self._compared.append(one := Compared(self._subject, -1))
        self._at += 1
        self._require(self._peek().kind in self._references)
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
        self._take("longer", "more") if way > 0 else self._take("less", "quicker")
        noun = self._take("walk", *COUNTED)
        by = figure.number if figure else Decimal(1)
        if (
            self._subject is None
            or not (figure or noun)
            or (noun and noun.kind == "walk" and not figure)
        ):
            raise UnreadError("save")
        what = COUNTED.get(noun.kind, "walking") if noun else "minutes"
        self._compared.append(Compared(self._subject, way, (by,), what=what))
        self._last = "minutes"

    def _join(self, kind: str) -> None:
        """A word that only says how the next is meant: "by", "than", "begins with"."""
        if kind == "stranger" and self._last in _ENDS:
            word = self._peek()
            self._tell_end((self._text[word.start : word.end].casefold(),))
            return
        led = kind in (*_ENDS, "then") and self._peek(1).kind in ("lines", "stranger")
        self._require(led or kind in ("by", "is", "than", "against", "from", "to", "of"))

    def _tell_end(self, lines: tuple[str, ...]) -> None:
        """Plans begin, end or do without some lines; where others may serve, without is open."""
        if self._subject is None and self._last == "avoid":
            self._call(Plans([*self._spoken[-1:]] or [*self._trip.plans[:1]]))  # "it avoids A"
            self._last = "avoid"
        plans = self._focus
        if plans is None or not (self._last != "avoid" or all(p.is_complete for p in plans.plans)):
            raise UnreadError(self._last)
        setattr(plans.told[-1], _ENDS[self._last], lines)

    def _is_behind_change(self, word: Word) -> bool:
        """Whether a number is that of changes: 换乘两次."""
        return word.kind == "number" and self._last in COUNTED

    def _refer(self) -> None:
        """The plans that the words from here on mean."""
        led, self._last = self._last, "plans"
        ranked, self._ranked = self._ranked, self._peek().kind in ("least", "most")
        found = self._referred()
        self.plans.append(found)
        if led == "than":
            self._base(found)
        else:
            self._identify(found, led, ranked or self._ranked)
            self._mean(found)
        self._focus = found

    def _identify(self, found: Plans, led: str, is_ranked: bool) -> None:
        """Plans that are called twice are the same: "the slowest is the one by the Circle line"."""
        before = self._subject
        if before is None or led not in ("is", "plans") or found is before:
            return
        own, others = ({plan.number for plan in one.plans} for one in (found, before))
        if led == "is" or (is_ranked and not before.each):
            self._outcomes.append(own == others)
        else:
            self._require(own == others or (before.each and own < others))

    def _base(self, found: Plans) -> None:
        if self._compared and self._compared[-1].base is None:
            self._compared[-1].base = found
            return
        subject = self._subject
        if subject is None:
            raise UnreadError("than")
        # 比 and what is compared stand before the word that compares.
        self._compared.append(Compared(subject, 0, base=found))

    def _lines(self, word: Word) -> None:
        """Lines are told of the plan at hand, or call one."""
        if self._last in _ENDS:
            self._tell_end(word.names)
            return
        if self._focus is not None and self._last == "then":
            told = self._focus.told[-1]
            told.lines = (*(told.lines or self._called), *word.names)
            return
        if self._focus is not None and self._focus.each and self._last == "plans":
            self._list()
            return
        if self._focus is not None and (
            self._last in ("by", "plans", "minutes", "change") or len(self._trip.plans) == 1
        ):
            self._require(not self._focus.told[-1].lines)
            self._focus.told[-1].lines = word.names
            return
        leads = self._last in ("", "take", "by", "stop", "or", "than")
        led = self._last
        self._require(leads, self._subject is None or led == "than")
        found = self._by_lines(self._trip.plans, bare=not led)
        self._at -= 1
        self.plans.append(found)
        (self._base if led == "than" else self._mean)(found)
        self._focus = found

    def _list(self) -> None:
        """All lines of several plans are told, plan by plan."""
        names: list[str] = []
        while (word := self._take("lines", "or")) is not None:
            names += word.names
        orders = permutations(self._focus.plans if self._focus else ())
        told = ([line for plan in order for line in plan.lines] for order in orders)
        self._outcomes.append(names in told)
        self._at -= 1

    def _figure(self, word: Word) -> None:
        """A length of time, a number of changes, or by how much plans differ."""
        kind = word.kind
        behind = self._peek(1)
        if kind == "walk":
            self._require(self._focus, behind.kind in ("minutes", "take", "by"))
        elif kind == "minutes":
            self._minutes(word, behind)
        elif kind in ("number", "none") and behind.kind in COUNTED and not self._is_more(2):
            self._tell(COUNTED[behind.kind], word.number if kind == "number" else Decimal(0))
            self._counting = COUNTED[behind.kind]
            self._at += 1
        elif kind == "none" and behind.kind == "walk":
            self._tell("walking", Decimal(0))
            self._at += 1
        elif kind == "number" and (self._is_more(1) or self._is_more(2)):
            self._more_of(word)
        elif kind == "number" and self._last in COUNTED:
            self._tell(COUNTED[self._last], word.number)
        elif kind == "number" and behind.kind in ("end", "stop"):
            self._bare(word)
        elif kind in COUNTED and behind.kind in ("much", "few"):
            self._counting = COUNTED[kind]
        else:
            self._require(kind in COUNTED, behind.kind == "number")

    def _is_more(self, ahead: int) -> bool:
        return self._peek(ahead).kind in ("more", "less")

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
        what = self._counting
        if self._last in ("take", "by", "plans", "lines") and timed and not self._counting:
            what = "minutes"
        self._require(what)
        self._tell(what, word.number)

    def _more_of(self, word: Word) -> None:
        """One more change; two changes less."""
        kinds = [self._peek(1).kind, self._peek(2).kind]
        counted = [kind for kind in kinds if kind in COUNTED]
        way = [_COMPARES[kind] for kind in kinds if kind in ("more", "less")]
        if len(counted) != 1 or len(way) != 1 or self._subject is None:
            raise UnreadError("more")
        by, what = (word.number,), COUNTED[counted[0]]
        self._compared.append(Compared(self._subject, way[0], by, what=what))
        self._at += 2

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
        told = self._focus.told[-1].values if self._focus else {}
        if self._focus is None or told.get(what, numbers) != numbers:
            raise UnreadError(what)
        self._focus.told[-1].values[what] = numbers

    def _set_against(self, first: Word, second: Word) -> None:
        """Lengths of time of what is compared, in that order: 55 against 64 minutes."""
        self._require(self._compared)
        one = self._compared[-1]
        if one.base is None:
            one.base = Plans([*self._default(one)])
            self.plans.append(one.base)
        for plans, word in ((one.subject, first), (one.base, second)):
            self._require(not plans.each, "minutes" not in plans.told[-1].values)
            plans.told[-1].values["minutes"] = (word.number,)
        self._at += 2

    def _compare(self, word: Word) -> None:
        """Longer, quicker or later, by so much."""
        before = self._words[self._at - 1] if self._at and self._joins(self._at - 1) else None
        by = (before.number,) if before is not None and before.kind == "minutes" else ()
        adjacent = self._peek(1) if self._joins(self._at) else END
        if word.kind == "more" and adjacent.kind == "change" and not by and self._subject:
            self._require(_ONE.search(self._text, max(0, word.start - _NEAR), word.start))
            one = Compared(self._subject, 1, (Decimal(1),), what="changes")
            self._compared.append(one)
            self._at += 1
            return
        self._require(adjacent.kind not in ("number", "change", "none"))
        counts = word.kind in ("more", "less") and not by
        self._require(not counts or adjacent.kind in ("minutes", "walk"))
        way, what = _COMPARES[word.kind], "minutes"
        if adjacent.kind == "walk":
            what = "walking"
            self._at += 1
        if word.kind in ("later", "earlier"):
            near = adjacent.kind if adjacent.kind in TIMES else self._peek(2).kind
            what = TIMES[near if near in TIMES else self._verb or "arrive"]
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
        own = [one for one in self._subject.plans if one not in spoken]
        self._subject.plans = own if own and not self._subject.each else self._subject.plans
        self._outcomes.append(own == self._subject.plans)
        self._at += 1
