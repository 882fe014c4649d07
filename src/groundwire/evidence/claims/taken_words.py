"""The words of a passage that something has explained, and those that are left."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.evidence.claims.segments import Span
from groundwire.language import Span as Word


class Taken:
    """The characters of a passage that something has explained."""

    def __init__(self, start: int, end: int) -> None:
        self._start, self._end = start, end
        self._marks = bytearray(end - start)

    def add(self, spans: Iterable[Span]) -> None:
        """Take ranges, as far as they lie in the passage."""
        for start, end in spans:
            low, high = max(start, self._start), min(end, self._end)
            if high > low:
                self._marks[low - self._start : high - self._start] = b"\x01" * (high - low)

    def leave(self, spans: Iterable[Span]) -> None:
        """Give ranges back, whoever took them."""
        for start, end in spans:
            low, high = max(start, self._start), min(end, self._end)
            self._marks[low - self._start : high - self._start] = bytes(max(0, high - low))

    def rest(self, word: Word) -> str:
        """Return the characters of a word that have not been taken."""
        marks = self._marks[word.start - self._start : word.end - self._start]
        return "".join(c for c, mark in zip(word.text, marks, strict=False) if not mark)

    def free(self, words: Sequence[Word]) -> list[Word]:
        """Return the words of which a part has not been taken."""
        marks, begin = self._marks, self._start
        return [word for word in words if 0 in marks[word.start - begin : word.end - begin]]

    def leaves(self, start: int, end: int) -> bool:
        """Whether a range, or a part of it, has not been taken."""
        return b"\x00" in self._marks[start - self._start : end - self._start]
