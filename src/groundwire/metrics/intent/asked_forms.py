"""Ways to ask for a metric without naming it: "how many people lived in China", 赚了多少.

A profile lists them for each metric. One with a gap, "how many people ... employ", says who or when
in between, and nothing else. After such a way to ask only what says who or when may follow: "how
many people in China can read" asks for another number.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from groundwire.metrics.intent import chinese_words as chinese
from groundwire.metrics.intent import english_words as english
from groundwire.metrics.intent.forms import Form
from groundwire.metrics.intent.parsed import Span
from groundwire.metrics.intent.tokens import Token, clean, tokenize
from groundwire.metrics.profile import Profile
from groundwire.quantities import resolve_unit

_LONGEST_GAP = 12
_LONGEST_UNIT = 4
_BESIDE = english.BESIDE_ASKED | chinese.BESIDE_ASKED

# A term at a place: first token, token after, and the forms that are written so.
FormSpan = tuple[int, int, list[Form]]


class Asked(NamedTuple):
    """A way to ask that was found.

    Attributes:
        form: the metric that it asks for.
        first, last: its tokens up to the gap, as (first, token after).
        tail: its tokens after the gap; empty without one.
    """

    form: Form
    first: int
    last: int
    tail: tuple[int, int]

    @property
    def places(self) -> set[int]:
        """Numbers of its tokens, without those of the gap."""
        return {*range(self.first, self.last), *range(*self.tail)}

    @property
    def borders(self) -> set[int]:
        """Numbers of the tokens before which it begins or ends."""
        return {self.first, self.last, *(self.tail if self.tail[1] else ())}

    @property
    def end(self) -> int:
        """The token after all of it."""
        return max(self.last, self.tail[1])


class AskedForms:
    """Finds the ways to ask of one profile."""

    def __init__(self, profile: Profile) -> None:
        """Lay out the ways to ask by their first words."""
        self._by_word: dict[str, list[tuple[Form, list[str], list[str]]]] = {}
        for metric in profile.metrics:
            for written in metric.asked_as:
                head, _, tail = written.replace("…", "...").partition("...")
                before, after = _words(head), _words(tail)
                words = len(before) + len(after)
                form = Form("metric", metric.code, metric.kind, written, False, words)
                if before:
                    self._by_word.setdefault(before[0], []).append((form, before, after))

    def find(
        self,
        text: str,
        tokens: Sequence[Token],
        terms: Sequence[FormSpan],
        periods: Collection[int],
    ) -> list[Asked]:
        """The ways to ask in a question, the longest at each place, without overlap.

        Args:
            text: the cleaned question.
            tokens: its tokens.
            terms: the terms in it. A way to ask that cuts one in two is none.
            periods: numbers of the tokens that say when.
        """
        named, cut = set(periods), set[int]()
        for first, last, forms in terms:
            cut.update(range(first + 1, last))
            if not any(one.dimension == "metric" for one in forms):
                named.update(range(first, last))
        found: list[Asked] = []
        end = 0
        for at, token in enumerate(tokens):
            if at < end:
                continue
            here = [
                one
                for one in self._at(text, tokens, at, token, named)
                if not one.borders & cut and not one.places & named
            ]
            if here:
                best = max(here, key=lambda one: one.form.words)
                # Two metrics may be asked for in the same words: all of them are candidates.
                found += [one for one in here if one[1:] == best[1:]]
                end = best.last
        return found

    def _at(
        self, text: str, tokens: Sequence[Token], at: int, token: Token, named: Collection[int]
    ) -> Iterator[Asked]:
        for form, before, after in self._by_word.get(token.plain, ()):
            last = at + len(before)
            if not _stands(tokens, at, before) or _cuts_a_unit(text, tokens[last - 1]):
                continue
            if not after:
                yield Asked(form, at, last, (0, 0))
                continue
            place = last
            while place < min(len(tokens), last + _LONGEST_GAP):
                if _stands(tokens, place, after):
                    yield Asked(form, at, last, (place, place + len(after)))
                    break
                if place not in named and tokens[place].plain not in _BESIDE:
                    break
                place += 1


def with_asked(terms: Sequence[FormSpan], asked: Sequence[Asked]) -> list[FormSpan]:
    """The terms and the ways to ask, in place of the terms that they hold, in order."""
    held = {at for one in asked for at in one.places}
    kept = [one for one in terms if not held.issuperset(range(one[0], one[1]))]
    ways: dict[tuple[int, int], list[Form]] = {}
    for one in asked:
        ways.setdefault((one.first, one.last), []).append(one.form)
    made = [(first, last, forms) for (first, last), forms in ways.items()]
    return sorted([*kept, *made], key=lambda one: one[0])


def strangers(asked: Sequence[Asked], tokens: Sequence[Token]) -> Iterator[int]:
    """Numbers of the tokens after a way to ask that say more than who or when."""
    if not asked:
        return
    own = {at for one in asked for at in one.places}
    for at in range(min(one.end for one in asked), len(tokens)):
        if tokens[at].plain not in _BESIDE and at not in own:
            yield at


def tails(asked: Sequence[Asked], tokens: Sequence[Token]) -> list[Span]:
    """The places of what stands after gaps."""
    found = [one.tail for one in asked if one.tail[1]]
    return [(tokens[first].start, tokens[last - 1].end) for first, last in found]


def _words(text: str) -> list[str]:
    return [token.plain for token in tokenize(clean(text).text)]


def _stands(tokens: Sequence[Token], at: int, words: Sequence[str]) -> bool:
    """Whether words stand at a place, with no punctuation between them."""
    following = tokens[at : at + len(words)]
    return [one.plain for one in following] == list(words) and not any(
        one.broken for one in following[1:]
    )


def _cuts_a_unit(text: str, last: Token) -> bool:
    """Whether the last character begins the name of a unit: 多少人 of 多少人民币."""
    return last.kind == "cjk" and any(
        resolve_unit(text[last.start : last.start + length]) is not None
        for length in range(2, _LONGEST_UNIT + 1)
        if last.start + length <= len(text)
    )
