"""Whether letters that read like a name are that name: whole words, gaps, lookalikes.

The rules for scripts that put spaces between words:

- A name is whole words. Letters joined to it make another word ("Ana" is not in "analysis"); a
  final s or 's, a digit, a hump ("NorvaneGroup") or another script does not. Nor does, for a name
  of five letters or more, an English word ("norvanerevenue"), unless the whole is one too.
- Gaps inside the name that it does not have itself count as a disguise ("nor vane", "n.o.r"),
  unless the name is one word and the text has ordinary English words there, parted as in prose,
  one of them a preposition, pronoun, article or the like: "may or" is not "Mayor", but "north
  wind" is "Northwind".
- A name of two letters or digits takes full stops between them, nothing else.
- Digits, symbols and letters in the place of those that they look like ("n0rvane", "n0rv4ne") count
  from four letters on, when at least half of the letters are right and the word as written is not a
  word of the language.

Names in Chinese, Japanese, Korean, Thai and the like are found anywhere, with any gaps.
"""

from __future__ import annotations

import re
import unicodedata

from groundwire.metrics.gate.boundaries import Match, whole_words
from groundwire.metrics.gate.letters import FOLDS, GAP, is_unspaced
from groundwire.metrics.gate.patterns import SHORT, Pattern, with_symbols
from groundwire.metrics.gate.words import is_english, read_words

_LOOKALIKES_FROM = 4
_RARE_FROM = 4
_FULL_STOPS = frozenset(".\u00b7\u2024\u30fb\uff0e")
# What parts words in prose: white space, with punctuation before it and quotes after it.
_PROSE_GAP = re.compile(r"(?P<stop>[,;:.!?)\]\"'\u2019\u201d]*)\s+[(\[\"'\u2018\u201c]*")
_SENTENCE_ENDS = frozenset(".!?")


def judged(pattern: Pattern, match: Match) -> int | None:
    """After which letter the name ends, its plural ending included; None when it is not there."""
    if not match.folded.whole(match.start, match.end) or not _gaps_fit(pattern, match):
        return None
    end = whole_words(pattern, match)
    if end is None or not _letters_fit(pattern, match):
        return None
    if pattern.capitals and not all(
        match.original(at).isupper() for at in range(match.start, match.end)
    ):
        return None
    return end


def exactly(pattern: Pattern, match: Match) -> bool:
    """Whether a protected name stands there: its own letters, no gaps but its own."""
    folded = match.folded
    return (
        folded.text[match.start : match.end] == pattern.letters
        and folded.whole(match.start, match.end)
        and not _added_gaps(pattern, match)
        and whole_words(pattern, match) is not None
    )


def _added_gaps(pattern: Pattern, match: Match) -> list[int]:
    """Where the text has gaps that the name does not have itself."""
    return [
        at
        for at in range(match.start + 1, match.end)
        if not match.folded.joined(at) and at - match.start not in pattern.gaps
    ]


def _gaps_fit(pattern: Pattern, match: Match) -> bool:
    if pattern.symbols:
        first, last = match.folded.starts[match.start], match.folded.ends[match.end - 1]
        around = len(pattern.symbols)
        # Symbols at the ends of the name ("A+") are looked for around its letters.
        seen = with_symbols(match.text[max(first - around, 0) : last + around])
        return pattern.symbols in seen
    if len(pattern.letters) <= SHORT + 1 and any(
        match.folded.joined(match.start + at) for at in pattern.gaps
    ):
        return False
    added = _added_gaps(pattern, match)
    if pattern.letters.isdigit():
        return not added
    if pattern.short:
        return all(set(match.gap(at)) <= _FULL_STOPS for at in added)
    text = match.folded.text
    added = [at for at in added if not (is_unspaced(text[at - 1]) or is_unspaced(text[at]))]
    return not added or _is_disguise(pattern, match, added)


def _is_disguise(pattern: Pattern, match: Match, added: list[int]) -> bool:
    """Whether gaps inside a name hide it, rather than part the words of ordinary prose."""
    parts = match.parts()
    gaps = [match.gap(at) for at in added]
    if all(len(part) == 1 for part in parts):
        # Three letters in a row may be an enumeration: "A, B, C".
        return len(pattern.letters) > SHORT + 1 or (len(set(gaps)) == 1 and len(gaps[0]) == 1)
    for at, gap in zip(added, gaps, strict=True):
        prose = _PROSE_GAP.fullmatch(gap)
        if prose is None:
            return True
        if match.original(at).isupper() and not _SENTENCE_ENDS & set(prose["stop"]):
            return True
    if pattern.gaps:
        # The other words of the name are no coincidence.
        return True
    function = read_words("function_words")
    return not (any(part in function for part in parts) and all(map(_is_prose, parts)))


def _is_prose(part: str) -> bool:
    """Whether a part is a word or number of ordinary prose. Rare short words are no sign of it."""
    if part in read_words("common_words") or part.isdigit():
        return True
    return len(part) >= _RARE_FROM and is_english(part)


def _letters_fit(pattern: Pattern, match: Match) -> bool:
    """Whether the letters are the name's own, or lookalikes that no word is written with."""
    wrong = [
        at
        for at, letter in enumerate(pattern.letters, match.start)
        # A symbol read as a letter is not that letter.
        if FOLDS[match.original(at)].find(letter) < 0
    ]
    if not wrong and not pattern.lookalike:
        return True
    typed = [at for at in wrong if _is_typed(match.original(at))]
    if not typed and not pattern.lookalike:
        return True
    if len(pattern.letters) < _LOOKALIKES_FROM or 2 * len(typed) > len(pattern.letters):
        return False
    written = "".join(map(match.original, range(match.start, match.end))).lower()
    parts = match.parts()
    if len(parts) < len(written) and any(map(str.isdigit, parts)):
        # "4 rest" holds a number; "4 r e s t" does not.
        return False
    return not (written.isascii() and written.isalpha() and is_english(written))


def _is_typed(char: str) -> bool:
    """Whether ordinary texts hold a character: a digit, a sign, a Latin letter with its accent."""
    return FOLDS[char] == GAP or unicodedata.normalize("NFKD", char)[0].isascii()
