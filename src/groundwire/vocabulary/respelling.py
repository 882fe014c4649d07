"""The rule by which a misspelt term is replaced word by word.

By likeness of whole strings "suburban" becomes "urban", "undivided" "divided" and "Austria"
"Australia". Word by word, and never for a word that exists, none of them does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from groundwire.vocabulary.fold import CJK_RUN, Words
from groundwire.vocabulary.known_words import KnownWords

_CODE = re.compile(r"\d|[A-Z]{3}")
_SHORTEST = 4
_TWO_EDITS_FROM = 8
# A shorter word that is in no dictionary and in no other form is a code too (xodr, avci). Of 9,460
# listed terms whose words nothing else knew, 8 were replaced without this and 2 with it; it costs
# 1.7 % of the single typos, which are asked about instead (tests/evals/vocabulary.py).
_SHORTEST_COINED = 5
_USES_OF_WORD = 2

Distance = Callable[[str, str], int]
Changes = tuple[tuple[str, str], ...]


def digits(text: str) -> str:
    """The digits of a text, in their order."""
    return "".join(char for char in text if char.isdigit())


def is_code(written: str) -> bool:
    """Whether a word as its vocabulary writes it is a code: a digit, three capitals in a row."""
    return _CODE.search(written) is not None


def edits_allowed(sent: str, meant: str) -> int:
    """How many edits may lie between a misspelt word and the word meant, by their lengths."""
    shorter = min(len(sent), len(meant))
    if shorter < _SHORTEST:
        return 0
    return 2 if shorter >= _TWO_EDITS_FROM else 1


@dataclass(frozen=True, slots=True)
class Respelling:
    """A term that the rule allows in place of what was sent.

    Attributes:
        edits: edits over all changed words.
        changes: the changed words, as (sent, used).
    """

    edits: int
    changes: Changes


@dataclass(frozen=True, slots=True)
class WordRule:
    """The word-by-word rule.

    Attributes:
        known: the words that exist.
        distance: optimal string alignment distance of two strings.
        uses: how many written forms of the vocabulary have a singular word.
    """

    known: KnownWords
    distance: Distance
    uses: Callable[[str], int]

    def respell(self, sent: Words, meant: Words) -> Respelling | None:
        """The changes that make a term of what was sent, or None if the rule forbids one.

        A word sent without separators is read with those of the term ("opendrve" against
        "OpenDRIVE"), so that the rule holds for each of the term's words.
        """
        size = len(meant.plain)
        if len(sent.plain) == 1 and size > 1:
            sent = self._parted(sent, meant)
        if len(sent.plain) != size:
            return None
        edits = 0
        changes: list[tuple[str, str]] = []
        for index in range(size):
            if sent.singular[index] == meant.singular[index]:
                continue
            step = self._edits(sent, meant, index)
            if step is None:
                return None
            edits += step
            changes.append((sent.written[index], meant.written[index]))
        return Respelling(edits, tuple(changes)) if changes else None

    def _edits(self, sent: Words, meant: Words, index: int) -> int | None:
        """Edits between two words, or None where one may not stand for the other."""
        plain, target = sent.plain[index], meant.plain[index]
        if plain[0] != target[0] or is_code(meant.written[index]) or CJK_RUN.search(plain):
            return None
        if digits(plain) != digits(target):
            return None
        edits = min(
            self.distance(plain, target), self.distance(sent.singular[index], meant.singular[index])
        )
        if edits > edits_allowed(plain, target):
            return None
        # Last, since it may have to read the word lists.
        if plain in self.known or sent.written[index].lower() in self.known:
            return None
        return None if self._is_coined(target, meant.singular[index]) else edits

    def _is_coined(self, word: str, one: str) -> bool:
        """Whether a short word stands in one form only and in no dictionary: a code in letters."""
        return (
            len(word) < _SHORTEST_COINED
            and self.uses(one) < _USES_OF_WORD
            and not self.known.of_language(word)
        )

    def _parted(self, sent: Words, meant: Words) -> Words:
        """One solid word cut where the term's words meet, all but one of them as they are."""
        solid = sent.plain[0]
        for index in range(len(meant.plain)):
            head = "".join(meant.plain[:index])
            tail = "".join(meant.plain[index + 1 :])
            if not (solid.startswith(head) and solid.endswith(tail)):
                continue
            if len(head) + len(tail) >= len(solid) or solid in self.known:
                continue
            middle = solid[len(head) : len(solid) - len(tail)]
            parts = (*meant.plain[:index], middle, *meant.plain[index + 1 :])
            singles = (*meant.singular[:index], middle, *meant.singular[index + 1 :])
            return Words(parts, parts, singles)
        return sent
