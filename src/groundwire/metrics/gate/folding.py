"""Folding a text so that every spelling of a name reads the same, with the way back kept."""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass

from groundwire.metrics.gate.letters import FOLDS, GAP


@dataclass(frozen=True, slots=True)
class Folded:
    """The letters and digits of a text, folded; everything between them is left out.

    Attributes:
        text: the folded letters and digits.
        starts: for each of them, where the character that it came from starts.
        ends: for each of them, where that character ends, its combining marks included.
        words: for each of them, a number that letters share when only invisible characters
            stand between them.
    """

    text: str
    starts: list[int]
    ends: list[int]
    words: list[int]

    @property
    def offsets(self) -> list[tuple[int, int]]:
        """For each folded character, the span that it came from."""
        return list(zip(self.starts, self.ends, strict=True))

    def joined(self, at: int) -> bool:
        """Whether a letter stands in one word with the letter before it."""
        return 0 < at < len(self.words) and self.words[at] == self.words[at - 1]

    def whole(self, start: int, end: int) -> bool:
        """Whether letters from `start` to before `end` are all that their characters fold to."""
        starts = self.starts
        return (start == 0 or starts[start] != starts[start - 1]) and (
            end == len(starts) or starts[end] != starts[end - 1]
        )


def fold_with_offsets(text: str) -> Folded:
    """Fold a text; one character may fold to several ("ﬁ") or to none (a zero-width space).

    >>> fold_with_offsets("Ｈé-й").text
    'heu'
    """
    letters: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    words: list[int] = []
    word = 0
    for at, piece in enumerate(map(FOLDS.__getitem__, text)):
        if piece == GAP:
            word += 1
        elif piece:
            for letter in piece:
                letters.append(letter)
                starts.append(at)
                ends.append(at + 1)
                words.append(word)
        elif ends and ends[-1] == at and unicodedata.category(text[at])[0] == "M":
            ends[-1] = at + 1
    return Folded("".join(letters), starts, ends, words)
