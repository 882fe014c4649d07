"""A name to look for, and its skeleton: the key under which lookalike spellings meet."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from groundwire.errors import ConfigurationError
from groundwire.metrics.gate.folding import fold_with_offsets
from groundwire.metrics.gate.letters import FOLDS, GAP, is_unspaced
from groundwire.metrics.gate.words import read_words

# Letters and digits that stand for each other in "T1tan" and "TitaIn".
_SKELETON = str.maketrans("l102354789", "iiozesatbg")
_AND = re.compile(r"(?<=\w)\s*&\s*(?=\w)|(?<!\s)\s+and\s+", re.IGNORECASE)
# Pairs of letters that look like one. "cl" and "d" are told apart by few readers.
_PAIRS = (("m", "rn"), ("w", "vv"), ("d", "cl"))
# Up to so many letters a name is a code: it is found only as it is written, or with full stops.
SHORT = 2


@dataclass(frozen=True, slots=True)
class Pattern:
    """One spelling of one name.

    Attributes:
        name: display name of what it names; empty for a protected name.
        alias: the name as it was given.
        letters: its folded letters and digits.
        gaps: before which of them something stands in the name itself.
        symbols: for a short name with symbols ("A&B"), its letters and symbols; else empty.
        capitals: whether it counts only in the capitals in which it was given.
        lookalike: whether the letters already hold a lookalike pair ("rn" for "m").
    """

    name: str
    alias: str
    letters: str
    gaps: frozenset[int]
    symbols: str = ""
    capitals: bool = False
    lookalike: bool = False

    @property
    def short(self) -> bool:
        """Whether it is a code of one or two letters or digits of a script with spaces."""
        return len(self.letters) <= SHORT and not is_unspaced(self.letters[0])


def skeleton(letters: str) -> str:
    """Folded letters with those that look alike made one, at equal length."""
    return letters.translate(_SKELETON)


def with_symbols(text: str) -> str:
    """The folded letters and the symbols of a text, without spaces and the invisible."""
    return "".join(
        unicodedata.normalize("NFKC", char) if piece == GAP else piece
        for char, piece in zip(text, map(FOLDS.__getitem__, text), strict=True)
        if not char.isspace()
    )


def compile_patterns(name: str, alias: str) -> Iterator[Pattern]:
    """Every pattern by which an alias is found.

    Raises:
        ConfigurationError: the alias holds no letter and no digit.
    """
    seen: set[str] = set()
    # Small and capital letters of Greek and Cyrillic can look like different Latin ones.
    spellings = [alias] if alias.isascii() else [alias, alias.lower(), alias.upper()]
    spellings += [_AND.sub(" and " if "&" in one else " & ", one) for one in spellings]
    for spelling in spellings:
        folded = fold_with_offsets(spelling)
        letters = folded.text
        if not letters:
            raise ConfigurationError(
                f"The external name {alias!r} has no letter and no digit, so nothing could match "
                "it: leave it out, or write it in letters."
            )
        if letters in seen:
            continue
        seen.add(letters)
        gaps = frozenset(at for at in range(1, len(letters)) if not folded.joined(at))
        symbols = with_symbols(spelling)
        yield Pattern(
            name,
            alias,
            letters,
            gaps,
            symbols=symbols if len(letters) <= SHORT and symbols != letters else "",
            capitals=alias.isupper() and letters in read_words("function_words"),
        )
        if len(letters) > SHORT + 1:
            yield from _with_pairs(Pattern(name, alias, letters, gaps))


def _with_pairs(pattern: Pattern) -> Iterator[Pattern]:
    """The pattern with letters replaced by pairs that look like them, and the reverse."""
    swaps = [
        swap
        for one, two in _PAIRS
        for swap in ((one, two), (two, one))
        if swap[0] in pattern.letters
    ]
    for count in (1, 2):
        for chosen in combinations(swaps, count):
            # Each letter, and whether a gap of the name stands before it.
            parts = [
                (GAP if at in pattern.gaps else "") + letter
                for at, letter in enumerate(pattern.letters)
            ]
            text = "".join(parts)
            for before, after in chosen:
                text = text.replace(before, after)
            folded = fold_with_offsets(text)
            if folded.text != pattern.letters:
                gaps = (at for at in range(1, len(folded.text)) if not folded.joined(at))
                yield Pattern(
                    pattern.name, pattern.alias, folded.text, frozenset(gaps), lookalike=True
                )
