"""The clauses of a sentence that compares recorded values, as roles.

A clause is about things, one property and a time, and says in which way they compare: who has more
than whom, who has most, who lies over a figure, who grew. Only a sentence without any other word is
read so; a word that has no place in its clause leaves the sentence unread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import is_explained
from groundwire.evidence.claims.known_words import Word, names_of, words_in
from groundwire.evidence.claims.value_tables import Periods, ValueTable
from groundwire.quantities import Quantity

_NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_COMMA = re.compile(r"[,，;；]")
_JOINTS = frozenset(("joint", "stop"))
_ENDS = frozenset(("most", "least"))
_PLAIN_WAYS = _ENDS | {"up", "down"}
# Words that compare, and those that join a comparison with what stands behind them.
_BOUNDS = {"more": "over", "more_than": "over", "less": "under", "less_than": "under"}
_BEHIND = {"more_behind": "over", "less_behind": "under"}
_WAYS = frozenset((*_PLAIN_WAYS, *_BOUNDS, *_BEHIND))
_LARGEST_COUNT = 20


@dataclass(slots=True)
class Group:
    """The things that one side of a clause is about.

    Attributes:
        things: the keys of each that is named.
        count: how many things it tells.
        others: whether it is about all but those that were named.
        every: "all", "both", "none" or "only", where it says so.
        is_sum: whether it is about their sum.
    """

    things: list[frozenset[str]] = field(default_factory=list[frozenset[str]])
    count: int = 0
    others: bool = False
    every: str = ""
    is_sum: bool = False

    @property
    def is_told(self) -> bool:
        """Whether anything says which things are meant."""
        return bool(self.things or self.others or self.every)


@dataclass(slots=True)
class Clause:
    """The roles of one clause.

    Attributes:
        own: what it is about.
        than: what that is compared with.
        way: how it compares: most, least, more, less, up, down, over, under.
        names: the keys of the property.
        periods: its times, in the order of the text.
        bound: the figure that it lies over or under.
        values: figures that what it is about has.
        kinds: where words stand for what its things are.
        denied: whether it is said not to be first or last.
        compares_times: whether its last time is that with which it compares.
        is_span: whether it tells from when until when.
    """

    own: Group = field(default_factory=Group)
    than: Group = field(default_factory=Group)
    way: str = ""
    names: frozenset[str] = frozenset()
    periods: list[Periods] = field(default_factory=list[Periods])
    bound: Quantity | None = None
    values: list[Quantity] = field(default_factory=list[Quantity])
    kinds: list[int] = field(default_factory=list[int])
    denied: bool = False
    compares_times: bool = False
    is_span: bool = False

    @property
    def of_change(self) -> list[Periods]:
        """Its times in the order in which things change from the one to the other."""
        return self.periods[:: -1 if self.compares_times else 1]

    def carry_on(self, before: Clause) -> None:
        """Take on what the clause before tells and this one does not."""
        if not self.own.is_told:
            self.own = replace(before.own, every="", count=self.own.count)
        self.names = self.names or before.names
        if not self.periods and self.way in ("up", "down"):
            self.periods, self.is_span = before.of_change, len(before.periods) == 2
        elif not self.periods or (self.compares_times and len(self.periods) == 1):
            self.periods = [*before.of_change[-1:], *self.periods]

    @property
    def is_clear(self) -> bool:
        """Whether it has one way, and as many things and times as that needs."""
        compares = self.way in ("more", "less") and not self.bound
        times = 2 if self.compares_times or self.is_span else 1
        moves = self.way in ("up", "down")
        fits = self.than.is_told + self.compares_times == compares
        spans = len(self.periods) == times if times > 1 else len(self.periods) < 2
        return bool(self.way) and fits and spans and (moves or not self.is_span)


class ClauseReader:
    """Reads the clauses of one passage.

    Attributes:
        kinds: where words stand for what things are, with the records whose things they are.
    """

    def __init__(self, context: PassageContext, tables: Sequence[ValueTable]) -> None:
        self._context, self._text = context, context.contexts.reading.text
        self._things = {a.start: a.keys for a in context.entities}
        self._periods = {a.start: a.keys for a in context.periods}
        self._figures = {q.span[0]: q for q in context.quantities}
        self._names = {a.start: a.keys for a in context.names}
        self.kinds: dict[int, frozenset[str]] = {}
        self._spans = {
            "thing": [(a.start, a.end) for a in context.entities],
            "period": [(a.start, a.end) for a in context.periods],
            "name": [(a.start, a.end) for a in context.names],
            "figure": [q.span for q in context.quantities],
            "kind": list[tuple[int, int]](),
        }
        self._learn(tables)
        self._clause, self._group = Clause(), Group()

    def _learn(self, tables: Sequence[ValueTable]) -> None:
        """Learn which other words call a property, or what the things of a table are."""
        taken = {**self._things, **self._periods, **self._figures, **self._names}
        for word in self._context.words:
            if word.kind not in ("leftover", "unit_noun", "name") or word.start in taken:
                continue
            span = word.start, word.end
            names = {one.names for one in tables if is_explained(word, one.called)}
            kinds = {one.evidence_id for one in tables if is_explained(word, one.kinds)}
            if kinds:
                self.kinds[word.start] = frozenset(kinds)
                self._spans["kind"].append(span)
            elif len(names) == 1:
                self._names[word.start] = names.pop()
                self._spans["name"].append(span)

    def clauses(self) -> list[Clause]:
        """Return the clauses; none where one of them has a word without a role."""
        texts = {
            kind: [self._text[slice(*span)] for span in spans]
            for kind, spans in self._spans.items()
        }
        names = [names_of(kind, own) for kind, own in texts.items() if own]
        words, unknown = words_in(self._context, "value_sentences", names, most_unknown=0)
        starts = {kind: {start for start, _ in spans} for kind, spans in self._spans.items()}
        if unknown or any(w.start not in starts.get(w.kind, (w.start,)) for w in words):
            return []
        read = [self._read(part) for part in self._parts(words)]
        clauses = [clause for clause in read if clause is not None]
        before = next((one for one in clauses if one.periods), Clause())
        before = Clause(periods=before.of_change, is_span=len(before.periods) == 2)
        for clause in clauses:
            clause.carry_on(before)
            before = clause
        clear = all(clause.is_clear for clause in clauses)
        return clauses if clear and len(clauses) == len(read) else []

    def _parts(self, words: Sequence[Word]) -> list[list[Word]]:
        """Return the words of each clause: a part that compares nothing belongs to another."""
        parts: list[list[Word]] = [[]]
        at = words[0].end if words else 0
        for word in words:
            if word.kind in _JOINTS or _COMMA.search(self._text, at, word.start):
                parts.append([])
            if word.kind not in _JOINTS:
                parts[-1].append(word)
            at = word.end
        joined: list[list[Word]] = []
        for part in parts:
            if joined and not (_compares(part) and _compares(joined[-1])):
                joined[-1] += part
            else:
                joined.append(part)
        return joined

    def _read(self, words: Sequence[Word]) -> Clause | None:
        """Return the roles of a clause; None where a word has no place in it."""
        self._clause = Clause()
        self._group = self._clause.own
        place = 0
        while place < len(words):
            read = _READ.get(words[place].kind)
            used = read(self, words[place], words[place + 1 :]) if read is not None else 0
            if not used:
                return None
            place += used
        return self._clause

    def _thing(self, word: Word, behind: Sequence[Word]) -> int:
        del behind
        self._group.things.append(self._things[word.start])
        return int(not self._group.others)

    def _name(self, word: Word, behind: Sequence[Word]) -> int:
        del behind
        own = self._names[word.start]
        is_one = self._clause.names in (frozenset(), own)
        self._clause.names = own
        return int(is_one)

    def _period(self, word: Word, behind: Sequence[Word]) -> int:
        del behind
        self._clause.periods.append(self._periods[word.start])
        self._clause.compares_times |= self._group is self._clause.than
        return 1

    def _until(self, word: Word, behind: Sequence[Word]) -> int:
        del word
        self._clause.is_span = len(self._clause.periods) == 1
        return int(self._clause.is_span and [w.kind for w in behind[:1]] == ["period"])

    def _kind(self, word: Word, behind: Sequence[Word]) -> int:
        del behind
        self._clause.kinds.append(word.start)
        return 1

    def _number(self, word: Word, behind: Sequence[Word]) -> int:
        """A figure counts things right before their kind, and else is a value."""
        figure = self._figures.get(word.start)
        count = figure.value if figure else _NUMBERS.index(word.kind) + 2
        near = {one.kind for one in behind[:1]}
        counts = bool(near & {"kind", "country", "other"}) or self._group.others
        counts = counts and (figure is None or (figure.unit is None and figure.bound is None))
        if counts and count <= _LARGEST_COUNT and not self._group.count:
            self._group.count = int(count)
            return 1
        if figure is None or figure.bound is not None or counts:
            return 0
        self._clause.values.append(figure)
        return 1

    def _compared(self, word: Word, behind: Sequence[Word]) -> int:
        """A comparison with a figure, or with what stands behind it."""
        rest = behind[1:] if behind and behind[0].kind == "than" else behind
        figure = self._figures.get(rest[0].start) if rest else None
        clause, is_free = self._clause, not self._clause.way
        if figure is not None and figure.bound is not None:
            clause.bound, clause.way = figure, figure.bound
            is_free = is_free and figure.bound == _BOUNDS[word.kind]
            return is_free * (2 + (rest is not behind))
        clause.way = word.kind.removesuffix("_than")
        if word.kind != clause.way:
            self._group = clause.than
        return int(is_free)

    def _bounded(self, word: Word, behind: Sequence[Word]) -> int:
        """A figure with the word for its bound behind it."""
        del behind
        fits = self._clause.bound is not None and self._clause.way == _BEHIND[word.kind]
        return int(fits)

    def _way(self, word: Word, behind: Sequence[Word]) -> int:
        del behind
        is_free, self._clause.way = not self._clause.way, word.kind
        return int(is_free)

    def _than(self, word: Word, behind: Sequence[Word]) -> int:
        del word, behind
        is_first, self._group = self._group is self._clause.own, self._clause.than
        return int(is_first)

    def _not(self, word: Word, behind: Sequence[Word]) -> int:
        del word
        self._clause.denied = bool(behind) and behind[0].kind in _ENDS
        return int(self._clause.denied)

    def _only(self, word: Word, behind: Sequence[Word]) -> int:
        if self._clause.than.things and not self._clause.own.is_told:
            self._group = self._clause.own  # 比泰国多的只有越南
        is_own = self._group is self._clause.own and not self._group.things
        return int(is_own and [w.kind for w in behind[:1]] == ["thing"]) and self._every(word, [])

    def _every(self, word: Word, behind: Sequence[Word]) -> int:
        """All three, both others; of "each shop" alone no one knows how many there are."""
        near = behind[0].kind if behind else ""
        if word.kind == "both" and near in ("other", "kind", "country") and not self._group.count:
            self._group.count = 2
        elif near in ("kind", "country", "name"):
            return 0
        is_free, self._group.every = not self._group.every, word.kind
        return int(is_free)

    def _other(self, word: Word, behind: Sequence[Word]) -> int:
        del word, behind
        self._group.others = True
        return int(not self._group.things)

    def _together(self, word: Word, behind: Sequence[Word]) -> int:
        del word, behind
        self._group.is_sum = self._group.others or len(self._group.things) > 1
        return int(self._group.is_sum)


def _compares(words: Sequence[Word]) -> bool:
    return any(word.kind in _WAYS for word in words)


_Reader = Callable[[ClauseReader, Word, Sequence[Word]], int]
"""Gives a word its role, and returns how many words it has read; 0 where it has no place."""

# pyright: reportPrivateUsage=false
_READ: Mapping[str, _Reader] = {
    "thing": ClauseReader._thing,
    "name": ClauseReader._name,
    "period": ClauseReader._period,
    "until": ClauseReader._until,
    "kind": ClauseReader._kind,
    "country": ClauseReader._kind,
    "than": ClauseReader._than,
    "not": ClauseReader._not,
    "only": ClauseReader._only,
    "other": ClauseReader._other,
    "together": ClauseReader._together,
    **dict.fromkeys(("all", "both", "none"), ClauseReader._every),
    **dict.fromkeys(("figure", *_NUMBERS), ClauseReader._number),
    **dict.fromkeys(_PLAIN_WAYS, ClauseReader._way),
    **dict.fromkeys(_BOUNDS, ClauseReader._compared),
    **dict.fromkeys(_BEHIND, ClauseReader._bounded),
}
