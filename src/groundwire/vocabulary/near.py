"""Which written forms of a vocabulary are alike a raw term, best first.

Everything found here is a candidate. Likeness is the share of letters that two forms have in
common, whatever they share them by: few edits, whole words, or one inside the other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice

from groundwire.vocabulary.fold import CJK_RUN, Words, joined

MOST_EDITS = 4
# How many forms one way of looking may bring in: what is alike hundreds of forms tells nothing.
_MOST_FORMS = 96
_MOST_MISSPELT = 3
_LONGEST_INSIDE = 32
_SHORTEST_INSIDE = 3
# Letters shared as part of a word count for less than those of whole words.
_PART_OF_WORD = 0.9


def edit_limit(length: int) -> int:
    """Edits up to which two forms are alike: never more than half of the letters."""
    return min(MOST_EDITS, length // 2)


def _units(words: Sequence[str]) -> Iterator[str]:
    """The words by which forms are found; a CJK run by its pairs of characters."""
    for word in words:
        if len(word) > 2 and CJK_RUN.fullmatch(word):
            yield from (word[at : at + 2] for at in range(len(word) - 1))
        else:
            yield word


class _ByLength:
    """Strings in the order of their length, so that a search reads only the lengths in reach."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._order = sorted(range(len(strings)), key=lambda number: len(strings[number]))
        self._strings = [strings[number] for number in self._order]
        self._lengths = [len(text) for text in self._strings]

    def within(self, text: str, edits: int, most: int) -> list[tuple[int, int]]:
        """The nearest strings, as (position, edits by optimal string alignment)."""
        from rapidfuzz.distance import OSA
        from rapidfuzz.process import extract

        low = bisect_left(self._lengths, len(text) - edits)
        high = bisect_right(self._lengths, len(text) + edits)
        found = extract(
            text,
            self._strings[low:high],
            scorer=OSA.distance,
            processor=None,
            score_cutoff=edits,
            limit=most,
        )
        return [(self._order[low + at], int(away)) for _, away, at in found]


class FormIndex:
    """All written forms of a vocabulary, laid out to be searched in well under a millisecond."""

    def __init__(self, forms: Sequence[Words]) -> None:
        """Lay out the forms; form numbers below are positions in this sequence.

        Args:
            forms: the words of each written form.
        """
        self.keys: list[str] = [joined(form.singular) for form in forms]
        self._nearest = _ByLength(self.keys)
        # Dictionaries for their order and for a fast "in"; the values say nothing.
        self._by_unit: dict[str, dict[int, None]] = {}
        self._by_key: dict[str, list[int]] = {}
        for number, form in enumerate(forms):
            self._by_key.setdefault(self.keys[number], []).append(number)
            for unit in _units(form.singular):
                self._by_unit.setdefault(unit, {})[number] = None
        self._units = list(self._by_unit)
        self._nearest_units = _ByLength(self._units)
        # One text of all keys: str.find looks inside of five thousand of them in 20 us.
        self._text = "\n" + "\n".join(self.keys) + "\n"
        self._starts = list(accumulate((len(key) + 1 for key in self.keys), initial=1))[:-1]

    def uses(self, word: str) -> int:
        """How many forms have a word (singular, no CJK) among theirs."""
        return len(self._by_unit.get(word, ()))

    def within_edits(self, sent: Words) -> list[tuple[int, int]]:
        """Forms within the edit limit of what was sent, as (form number, edits), nearest first.

        Edits are those of optimal string alignment: insertion, deletion, substitution,
        transposition of neighbours.
        """
        key = joined(sent.singular)
        limit = edit_limit(len(key))
        return self._nearest.within(key, limit, _MOST_FORMS) if limit else []

    def likeness(self, sent: Words, near: Iterable[tuple[int, int]]) -> dict[int, float]:
        """Forms that share letters with what was sent.

        Args:
            sent: the words that were sent.
            near: what `within_edits` found for them.

        Returns:
            likeness in (0, 1] by form number, in no order.
        """
        key = joined(sent.singular)
        found: dict[int, float] = {}
        for number, edits in near:
            found[number] = 1 - edits / max(len(key), len(self.keys[number]))
        for number, letters in self._shared_words(sent).items():
            share = 2 * letters / (len(key) + len(self.keys[number]))
            found[number] = max(found.get(number, 0.0), min(share, 1.0))
        for number in self._inside(key):
            other = len(self.keys[number])
            share = _PART_OF_WORD * 2 * min(other, len(key)) / (other + len(key))
            found[number] = max(found.get(number, 0.0), share)
        return found

    def _shared_words(self, sent: Words) -> dict[int, float]:
        """Letters in words that are shared, or shared but for a typo, by form number."""
        letters: dict[int, float] = {}
        misspelt: list[str] = []
        postings: list[tuple[float, dict[int, None]]] = []
        for unit in dict.fromkeys(_units(sent.singular)):
            numbers = self._by_unit.get(unit)
            if numbers is not None:
                postings.append((len(unit), numbers))
            elif len(unit) > _SHORTEST_INSIDE:
                misspelt.append(unit)
        for unit in sorted(misspelt, key=len, reverse=True)[:_MOST_MISSPELT]:
            for at, edits in self._nearest_units.within(unit, 2 if len(unit) > 5 else 1, 4):
                postings.append((len(unit) - edits, self._by_unit[self._units[at]]))
        # Rare words first: they say which form was meant, frequent ones only add to those.
        postings.sort(key=lambda posting: len(posting[1]))
        for weight, numbers in postings:
            for number in letters:
                if number in numbers:
                    letters[number] += weight
            room = max(0, _MOST_FORMS - len(letters))
            for number in islice((n for n in numbers if n not in letters), room):
                letters[number] = weight
        return letters

    def _inside(self, key: str) -> set[int]:
        """Forms that hold the key, or that the key holds."""
        cjk = CJK_RUN.search(key) is not None
        shortest = 1 if cjk else _SHORTEST_INSIDE
        found: set[int] = set()
        at = self._text.find(key) if len(key) >= shortest else -1
        while at >= 0 and len(found) < _MOST_FORMS:
            number = bisect_right(self._starts, at) - 1
            found.add(number)
            at = self._text.find(key, self._starts[number] + len(self.keys[number]))
        if len(key) <= _LONGEST_INSIDE:
            least = shortest if cjk else _SHORTEST_INSIDE + 1
            for start in range(len(key) - least + 1):
                for end in range(start + least, len(key) + 1):
                    found.update(self._by_key.get(key[start:end], ()))
        return found
