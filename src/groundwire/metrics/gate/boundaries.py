"""Where letters that read like a name start and end: at whole words, or joined to another word."""

from __future__ import annotations

import unicodedata
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from groundwire.metrics.gate.folding import Folded
from groundwire.metrics.gate.letters import is_unspaced
from groundwire.metrics.gate.patterns import SHORT, Pattern
from groundwire.metrics.gate.words import is_english

_PLURALS_FROM = 4
_JOINED_FROM = 5
# What is joined to a name is a word from so many letters on.
_RARE_FROM = 4
_LONGEST_WORD = 20


class Match(NamedTuple):
    """Letters of a folded reading that have the skeleton of a pattern.

    Attributes:
        text: the reading, as it is written.
        folded: the reading, folded.
        start: first of the letters.
        end: after the last of them.
    """

    text: str
    folded: Folded
    start: int
    end: int

    def gap(self, at: int) -> str:
        """Return the text between a letter and the one before it."""
        return self.text[self.folded.ends[at - 1] : self.folded.starts[at]]

    def original(self, at: int) -> str:
        """The character that a letter came from."""
        return self.text[self.folded.starts[at]]

    def parts(self) -> list[str]:
        """The letters, word by word."""
        inner = range(self.start + 1, self.end)
        edges = [self.start, *(at for at in inner if not self.folded.joined(at)), self.end]
        return [self.folded.text[first:last] for first, last in pairwise(edges)]


def whole_words(pattern: Pattern, match: Match) -> int | None:
    """After which letter the words end that the name is, its plural included, or None."""
    alone = len(pattern.letters) == 1
    start, end = match.start, match.end
    starts = _parted(pattern, match, start, alone)
    if starts and _parted(pattern, match, end, alone):
        return end
    if starts and len(pattern.letters) >= _PLURALS_FROM and match.folded.text[end - 1].isascii():
        plural = match.folded.text[end] == "s" and match.folded.joined(end)
        if plural and _parted(pattern, match, end + 1, alone):
            return end + 1
    return end if _is_joined_to_words(pattern, match) else None


def _is_joined_to_words(pattern: Pattern, match: Match) -> bool:
    """Whether a long name stands before or after English words, without a space between."""
    parts = match.parts()
    if len(pattern.letters) < _JOINED_FROM or len(parts) > 1:
        return False
    ends: list[str] = []
    for at, step in ((match.start, -1), (match.end, 1)):
        rest = _rest(pattern, match, at, step)
        if rest is None or (rest and not (len(rest) >= _RARE_FROM and is_english(rest))):
            return False
        ends.append(rest)
    return not is_english(parts[0].join(ends))


def _rest(pattern: Pattern, match: Match, at: int, step: int) -> str | None:
    """The letters from one end of a name to the end of its word; None when they are too many."""
    first = last = at
    while not _parted(pattern, match, last if step > 0 else first, alone=False):
        first, last = (first, last + 1) if step > 0 else (first - 1, last)
        if last - first > _LONGEST_WORD:
            return None
    return match.folded.text[first:last]


def _parted(pattern: Pattern, match: Match, at: int, alone: bool) -> bool:
    """Whether a name may end before, or start at, a letter."""
    folded = match.folded
    if at in (0, len(folded.text)):
        return True
    left, right = folded.text[at - 1], folded.text[at]
    if not folded.joined(at):
        # 1,360 is one number, and so is 3.60.
        number = left.isdigit() and right.isdigit()
        return not (number and match.gap(at) in {".", ",", ":", "'"})
    if alone:
        return False
    if is_unspaced(left) or is_unspaced(right):
        return True
    if left.isdigit() != right.isdigit():
        return len(pattern.letters) > SHORT
    before, after = match.original(at - 1), match.original(at)
    if _script(before) != _script(after):
        return True
    return _is_hump(match, at)


@cache
def _script(char: str) -> str:
    """Return the class of a character: a script, or the ornamental forms of letters.

    A word of two scripts is none of any language; superscripts, enclosed letters and flags are
    put beside words.
    """
    if char.isascii():
        return "LATIN"
    category = unicodedata.category(char)
    if category == "Lm" or category[0] not in "LNM":
        return "ornament"
    return unicodedata.name(unicodedata.normalize("NFKD", char)[0], "").partition(" ")[0]


def _is_hump(match: Match, at: int) -> bool:
    """Whether a capital after a small letter parts the name from what it is joined to."""
    if not (match.original(at - 1).islower() and match.original(at).isupper()):
        return False
    letters = [match.original(each) for each in range(match.start + 1, match.end)]
    return at == match.start or all(not letter.isupper() for letter in letters)
