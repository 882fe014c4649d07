"""Which of several ways to have an item a claim is about: plan 2 does not take plan 1's minutes.

A draft calls a plan by its number ("the first option", "plan 2"), by its length of time ("the
fastest"), or by what it alone goes by ("by the Jubilee line"). A claim goes with the number or
superlative that its clause names before it, else with the last one before, else with what must be
read with the passage: its row, heading or lead. Only where none is named do the words of a plan
decide: they stand before all that is said of a plan, or behind it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import NamedTuple

from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.extraction import Reading
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.rides import LINE_OF_PLAN
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import key_of, words_of

_CARDINALS = frozenset(("one", "two", "three", "four", "five"))
_NUMBERS = {
    word: number
    for number, words in enumerate(
        (
            "1 one first 1st erste ersten erster 一",
            "2 two second 2nd zweite zweiten zweiter 二",
            "3 three third 3rd dritte dritten dritter 三",
            "4 four fourth 4th vierte vierten vierter 四",
            "5 five fifth 5th fünfte fünften fünfter 五",
        ),
        1,
    )
    for word in words.split()
}


def ordinal_of(text: str) -> int:
    """Return the number from 2 that an ordinal in some words says; 0 where none stands there."""
    found = [*(_NUMBERS.get(word, 0) for word in text.casefold().split())]
    if "第" in text:
        found += [_NUMBERS.get(character, 0) for character in text]
    return next((number for number in found if number > 1), 0)


_WORDS = "|".join(word for word in _NUMBERS if len(word) > 1 or not word.isascii())
# "The quickest of the three options" and "there are three options" name no third one.
_ORDINALS = "|".join(word for word in _WORDS.split("|") if word not in _CARDINALS)
_NOUN = (
    r"(?:plans?|options?|routes?|ways?|itinerary|alternatives?|connections?|suggestions?|variants?"
    r"|verbindung|möglichkeit|variante|vorschlag|weg)"
)
_NAMED = re.compile(
    r"\b(?:(?<!of )(?<!of the )(?<!there are )"
    rf"(?P<counted>{'|'.join(sorted(_CARDINALS))})|(?P<ordinal>{_ORDINALS})) {_NOUN}\b"
    rf"|\b{_NOUN} (?:no\.? ?|nr\.? ?)?(?P<number>[1-5]|{_WORDS})\b"
    rf"|\b(?:the|die|der) (?P<alone>{_ORDINALS}) (?:is|takes|leaves|arrives|departs|needs|has|goes|"
    r"includes|uses|costs|gets|braucht|dauert|fährt)\b"
    r"|第(?P<han>[一二三四五1-5])[个条种]?(?:方案|选择|路线|计划)|(?:方案|路线)(?P<after>[一二三四五1-5])"
    r"|(?P<lead>\b(?:first|erst)[a-z]{0,3} (?:listed|genannten?|aufgeführten?) "
    r"|(?:最先|首先)(?:列出|给出|列)的?)"
    rf"(?:{_NOUN}|方案|路线)"
    r"|(?P<least>\b(?:fastest|quickest|shortest|schnellste[nrs]?|kürzeste[nrs]?)\b|最快|最短|用时最少)"
    r"|(?P<most>\b(?:slowest|longest|langsamste[nrs]?|längste[nrs]?)\b|最慢|最长)",
)
# Between the number of a plan and the word that calls it the fastest: "the second plan is the".
_LONGEST_IS = 16
_PARTS = re.compile(r"[0-9,;:，；：]|\b(?:than|and|but|als|und|aber)\b|[比和但]")
_NO_PLAN = -1
_NOUN_BEHIND = re.compile(rf"\s+{_NOUN}\b", re.IGNORECASE)
OTHERS = re.compile(
    r"\b(?:others?|alternatives?|another|instead|otherwise|andere[nrs]?|sonst)\b|其他|其它|另", re.I
)
"""Words for another plan than the one that was spoken of."""

# Words behind these tell of another plan, such as one that a figure is compared with.
_THAN = re.compile(r"[;；]|\b(?:than|before|against|als|vor|gegenüber)\b|比", re.IGNORECASE)
_LINE = re.compile(r" ?(?:lines?\b|linie|号?线)", re.IGNORECASE)
_HEAD = re.compile(rf"\W*(?:#|no\.?|nr\.?|{_NOUN}|方案|序号)\W*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Anchor:
    """Where a draft names a plan by its number (from 1), or by its time (0: "least" or "most")."""

    start: int
    end: int
    number: int
    extreme: str = ""


@dataclass(frozen=True, slots=True)
class Option:
    """The option that a claim is about, as the draft names it.

    Attributes:
        number: its number, or 0.
        extreme: "least" or "most" where it is called by its length of time.
        words: what it goes by, as keys.
    """

    number: int = 0
    extreme: str = ""
    words: frozenset[str] = frozenset()


ANY = Option()


class Options:
    """Where a draft names options, and which options the records have."""

    def __init__(self, reading: Reading, known: Knowledge) -> None:
        self._reading = reading
        self._anchors: list[_Anchor] = []
        self._times, self._words, self._lines, self._known = known.once(_recorded)
        if self._times or self._words:
            self._anchors = [_anchor(match) for match in _NAMED.finditer(reading.small)]
            cells = (one for one in reading.passages if one.kind == "cell")
            self._cells = {one.start: one for one in cells}

    def meant(
        self, passage: Passage, claim: int, clause: Span, since: int, mentions: Sequence[Mention]
    ) -> Option:
        """The option that a claim is about; `ANY` where nothing says.

        Args:
            passage: the passage of the claim.
            claim: where the claim begins.
            clause: the clause that it stands in.
            since: where the passage began to speak of the item of the claim.
            mentions: known names in the passage.
        """
        if not self._times and not self._words:
            return ANY
        named = self._within((passage.start, passage.end))
        own = [one for one in named if clause[0] <= one.start and one.end <= clause[1]]
        before = [one for one in named if since <= one.start and one.end <= claim]
        behind = own if len(own) == 1 and len(named) == 1 else []
        if chosen := (before[-1:] or behind):
            number = chosen[0].number or self._number_of(chosen[0], before)
            return Option(number, chosen[0].extreme)
        if passage.kind == "cell" and (row := self._of_row(passage)) != ANY:
            return row
        words = self._by_words(passage, claim, since, mentions)
        if words:
            return Option(words=words)
        for scope in passage.scopes:
            if scope.hard and (above := self._within(scope.span)):
                return Option(above[-1].number, above[-1].extreme) if len(above) == 1 else ANY
        return ANY

    def _number_of(self, extreme: _Anchor, named: Sequence[_Anchor]) -> int:
        """The number of the plan that is called the fastest or slowest: "plan 2 is fastest"."""
        for one in named:
            gap = (one.end, extreme.start)
            near = one.number and 0 <= gap[1] - gap[0] <= _LONGEST_IS
            if near and not _PARTS.search(self._reading.text, *gap):
                return one.number
        return 0

    def named_within(self, span: Span) -> Iterator[Span]:
        """Return where a span names an option by a number or, of several, by its time."""
        if self._times or self._words:
            several = any(len(times) > 1 for times in self._times.values())
            text = self._reading.text
            for one in self._within(span):
                if one.number or several:
                    noun = _NOUN_BEHIND.match(text, one.end, span[1])
                    yield one.start, noun.end() if noun else one.end
            if _HEAD.fullmatch(text, *span):
                yield span

    def allows(self, option: Option, fact: Fact) -> bool:
        """Whether a fact may be meant by a claim about an option."""
        item = fact.value.item
        if item is None or not item.options or option == ANY:
            return True
        wanted = set(self._chosen(option, item.names))
        return not wanted or not wanted.isdisjoint(item.options)

    def _chosen(self, option: Option, names: tuple[str, ...]) -> Collection[int]:
        """The numbers of an item's options that are meant; none where it has no such."""
        times = self._times.get(names, {})
        if option.extreme and len(times) > 1:
            pick = min if option.extreme == "least" else max
            best = pick(times.values())
            own = [n for n, time in times.items() if time == best]
            return own if option.number in (0, *own) else (_NO_PLAN,)
        if option.number:
            return (option.number,)
        if option.extreme:
            return ()
        words, lines = self._words.get(names, {}), self._lines.get(names, {})
        fitting = [n for n, own in words.items() if own >= option.words]
        # Of plans by some lines alone and by others besides, the former are meant.
        said = {word for own in lines.values() for word in own if word in option.words}
        return [n for n in fitting if lines.get(n, set()) == said] or fitting

    def _within(self, span: Span) -> list[_Anchor]:
        return [one for one in self._anchors if span[0] <= one.start < span[1]]

    def _of_row(self, cell: Passage) -> Option:
        """Return the option of a cell's row, by its number under such a heading or by its words."""
        words: set[str] = set()
        for scope in (one for one in cell.scopes if one.hard):
            text = self._reading.text[slice(*scope.span)].strip(" \t*_`")
            other = self._cells.get(scope.span[0])
            if other is None:
                continue
            if text in _NUMBERS and any(
                _HEAD.fullmatch(self._reading.text, *above.span) for above in other.scopes
            ):
                return Option(_NUMBERS[text])
            words |= self._words_of(self._reading.mentions.within(scope.span))
        return Option(words=frozenset(words))

    def _by_words(
        self, passage: Passage, claim: int, since: int, mentions: Sequence[Mention]
    ) -> frozenset[str]:
        """The words that a claim goes with: before all that is said, or behind it."""
        reading = self._reading
        span = (max(since, passage.start), passage.end)
        marks = [(q.span[0], "") for q in reading.quantities.within(span)]
        marks += [(clock.span[0], "") for clock in reading.clocks.within(span)]
        marks += [(m.start, w) for m in mentions if m.start >= since for w in self._words_of([m])]
        groups = list(_grouped(sorted(marks)))
        if not any(words for _, words in groups):
            return frozenset()
        leads, closes = bool(groups[0][1]), bool(groups[-1][1])
        place = next((i for i, (starts, _) in enumerate(groups) if claim in starts), None)
        if place is None:  # no figure: it is said of the plan that the passage speaks of
            return frozenset[str]().union(*(words for _, words in groups))
        sides = [i for i in (place - 1, place + 1) if 0 <= i < len(groups)]
        if leads != closes:
            sides = [place - 1 if leads else place + 1]
        elif len(sides) > 1 or len(groups) > 3:
            return frozenset()
        start = groups[sides[0]][0][0]
        if OTHERS.search(reading.text, min(start, claim), max(start, claim)):
            return frozenset()
        if _THAN.search(reading.text, claim, start):
            return frozenset()  # "08:39, earlier than by the Bakerloo line; the third takes"
        return groups[sides[0]][1]

    def _words_of(self, mentions: Sequence[Mention]) -> set[str]:
        """Return the words of options that some names contain."""
        return {
            _word(fact)
            for mention in mentions
            if not self._is_end(mention)
            for fact in mention.named.values
            if fact.value.item is not None and _word(fact) in self._known
        }

    def _is_end(self, mention: Mention) -> bool:
        """Whether a name is that of an end of a trip, and not of the line of the same name."""
        ends = any(fact.value.name.endswith("of the journey") for fact in mention.named.values)
        text = self._reading.text
        return (
            ends
            and _LINE.match(text, mention.end) is None
            and not _LINE.search(text, mention.start, mention.end)
        )


class _Recorded(NamedTuple):
    """The times and words that the options of recorded items go by.

    Attributes:
        times: by the names of an item and the number of an option, how long it takes.
        words: by the same, the words that it goes by.
        lines: by the same, those of them that are its lines.
        known: all these words.
    """

    times: Mapping[tuple[str, ...], Mapping[int, Decimal]]
    words: Mapping[tuple[str, ...], Mapping[int, set[str]]]
    lines: Mapping[tuple[str, ...], Mapping[int, set[str]]]
    known: frozenset[str]


def _recorded(known: Knowledge) -> _Recorded:
    every_time: dict[tuple[str, ...], dict[int, Decimal]] = {}
    every_word: dict[tuple[str, ...], dict[int, set[str]]] = {}
    every_line: dict[tuple[str, ...], dict[int, set[str]]] = {}
    for fact in known.facts.all:
        item = fact.value.item
        if item is None or not item.options:
            continue
        for number in item.options:
            if fact.value.kind == "name":
                for words in (every_word, every_line)[: 1 + (fact.value.name == LINE_OF_PLAN)]:
                    words.setdefault(item.names, {}).setdefault(number, set()).add(_word(fact))
            elif fact.unit and fact.number and fact.unit.dimension == "time":
                # The whole takes longer than any piece of it.
                times = every_time.setdefault(item.names, {})
                base = fact.unit.to_base(fact.number)
                times[number] = max(base, times.get(number, base))
    each = (own for options in every_word.values() for own in options.values())
    return _Recorded(every_time, every_word, every_line, frozenset[str]().union(*each))


def _anchor(match: re.Match[str]) -> _Anchor:
    if match["least"] or match["most"]:
        return _Anchor(*match.span(), 0, "least" if match["least"] else "most")
    if match["lead"]:
        return _Anchor(*match.span(), 1)
    parts = ("ordinal", "counted", "number", "alone", "han", "after")
    written = next(match[part] for part in parts if match[part])
    return _Anchor(*match.span(), _NUMBERS[written])


def _grouped(marks: Sequence[tuple[int, str]]) -> Iterator[tuple[list[int], frozenset[str]]]:
    """Words and claims in order, each with its like beside it; claims have no words."""
    starts: list[int] = []
    words: set[str] = set()
    for start, word in marks:
        if starts and bool(word) != bool(words):
            yield starts, frozenset(words)
            starts, words = [], set()
        starts.append(start)
        words |= {word} if word else set()
    if starts:
        yield starts, frozenset(words)


def _word(fact: Fact) -> str:
    """Return the folded name of an option, without "line" at its end."""
    words = words_of(fact.value.value)
    return "".join(words[:-1]) if words[1:] and words[-1] == "line" else key_of(fact.value.value)
