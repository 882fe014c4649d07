"""The security gate: which entities out of scope a text names, in whatever disguise.

It needs no model and knows no company but those that it is given. Out of its reach are names in
another language or in pinyin that no alias gives, names spelt backwards, misspelt or inflected
ones (beyond a final s), names inside a longer word that is not made of English words, short names
with spaces between their letters, characters taken apart, and encodings such as Base64.

Whether letters that read like a name are that name: whole words, gaps, lookalikes. The rules for
scripts that put spaces between words:

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
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from operator import add
from typing import Literal, NamedTuple

from groundwire.metrics.gate.readings import (
    FOLDS,
    GAP,
    SHORT,
    Folded,
    Pattern,
    Reading,
    compile_patterns,
    fold_with_offsets,
    is_english,
    is_unspaced,
    read_words,
    readings,
    skeleton,
    with_symbols,
)
from groundwire.metrics.profile import External

_PLURALS_FROM = 4
_JOINED_FROM = 5
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


_LOOKALIKES_FROM = 4
_RARE_FROM = 4
_FULL_STOPS = frozenset(".\u00b7\u2024\u30fb\uff0e")
# What parts words in prose: white space, with punctuation before it and quotes after it.
_PROSE_GAP = re.compile(r"(?P<stop>[,;:.!?)\]\"'\u2019\u201d]*)\s+[(\[\"'\u2018\u201c]*")
_SENTENCE_ENDS = frozenset(".!?")


@dataclass(frozen=True, slots=True)
class Hit:
    """A name out of scope in a text.

    Attributes:
        name: the name that a refusal shows.
        alias: the alias that was found.
        span: where it stands in the text, as it was given.
        raw: what stands there.
        how: `written` as the alias is, but for case, spacing and a plural; or `disguised`.
    """

    name: str
    alias: str
    span: tuple[int, int]
    raw: str
    how: Literal["written", "disguised"]


@dataclass(frozen=True, slots=True)
class Screen:
    """The names that the gate saw in a text.

    Attributes:
        hits: the names out of scope, in order, without overlap.
        masked: the text with every hit replaced by as many spaces.
    """

    hits: tuple[Hit, ...]
    masked: str

    @property
    def refused(self) -> bool:
        """Whether the text names anything that is out of scope."""
        return bool(self.hits)


class _Found(NamedTuple):
    pattern: Pattern
    span: tuple[int, int]
    letters: int


class SecurityGate:
    """Finds names out of scope in one pass over each reading of a text."""

    def __init__(
        self,
        external: Sequence[External],
        homes: Sequence[str],
        protected: Sequence[str] = (),
    ) -> None:
        """Compile the names.

        Args:
            external: entities that are out of scope, with their aliases; their names count too.
            homes: names of the entities that a refusal offers instead.
            protected: names in scope; a name out of scope that is only a part of one of these,
                as it is written in the text, does not count.

        Raises:
            ConfigurationError: a name holds no letter and no digit.
        """
        self._homes = tuple(homes)
        self._patterns: dict[str, list[Pattern]] = {}
        for one in external:
            for alias in dict.fromkeys((one.name, *one.aliases)):
                for pattern in compile_patterns(one.name, alias):
                    self._patterns.setdefault(skeleton(pattern.letters), []).append(pattern)
        for name in dict.fromkeys(protected):
            for pattern in compile_patterns("", name, pairs=False):
                self._patterns.setdefault(skeleton(pattern.letters), []).append(pattern)
        # The lengths of the keys that start with two letters (or are the only one), longest first.
        lengths: dict[str, set[int]] = {}
        for key in self._patterns:
            lengths.setdefault(key[:2], set()).add(len(key))
        self._lengths = {head: sorted(found, reverse=True) for head, found in lengths.items()}

    def screen(self, text: str) -> Screen:
        """Find and mask every name that is out of scope; time is linear in the text."""
        external: dict[tuple[tuple[int, int], str], _Found] = {}
        protected: list[_Found] = []
        for reading in readings(text):
            for found in self._found(reading):
                if found.pattern.name:
                    external.setdefault((found.span, found.pattern.name), found)
                else:
                    protected.append(found)
        if not external:
            return Screen((), text)
        kept = _unprotected(external.values(), protected)
        return Screen(_hits(kept, text), _masked(text, [found.span for found in kept]))

    def refusal(self, hit: Hit) -> str:
        """Return the refusal for whoever asked about it."""
        *others, last = self._homes or ("one of the entities that it covers",)
        offered = f"{', '.join(others)} or {last}" if others else last
        return f"{hit.name} is outside the scope of this server; ask about {offered} instead."

    def _found(self, reading: Reading) -> Iterator[_Found]:
        folded = fold_with_offsets(reading.text)
        keys = skeleton(folded.text)
        for start, end in self._candidates(keys):
            for pattern in self._patterns[keys[start:end]]:
                match = Match(reading.written, folded, start, end)
                if pattern.name:
                    after = _judged(pattern, match)
                else:
                    after = end if _exactly(pattern, match) else None
                if after is not None:
                    first, last = folded.starts[start], folded.ends[after - 1]
                    span = (min(reading.starts[first:last]), max(reading.ends[first:last]))
                    yield _Found(pattern, span, len(pattern.letters))

    def _candidates(self, keys: str) -> Iterator[tuple[int, int]]:
        """Spans of folded letters that have the skeleton of a pattern."""
        lengths, patterns, total = self._lengths, self._patterns, len(keys)
        for at, head in enumerate(map(add, keys, keys[1:] + " ")):
            if head in lengths:
                for length in lengths[head]:
                    if at + length <= total and keys[at : at + length] in patterns:
                        yield at, at + length
            if keys[at] in lengths:
                yield at, at + 1


def _unprotected(external: Iterable[_Found], protected: list[_Found]) -> list[_Found]:
    """The names that are no mere part of a longer protected one."""
    if not protected:
        return list(external)
    # By start, each with the longest name of those that start there: covers are looked up.
    spans = sorted({found.span: found.letters for found in protected}.items())
    reach: list[tuple[int, int, int]] = []
    for (start, end), letters in spans:
        if not reach or end >= reach[-1][1]:
            reach.append((start, end, letters))
    starts = [start for start, _, _ in reach]
    kept: list[_Found] = []
    for found in external:
        at = bisect_right(starts, found.span[0]) - 1
        _, end, letters = reach[at] if at >= 0 else (0, -1, 0)
        if not (end >= found.span[1] and letters > found.letters):
            kept.append(found)
    return kept


def _hits(found: list[_Found], text: str) -> tuple[Hit, ...]:
    """The longest names, without overlap, in order."""
    taken = bytearray(len(text))
    hits: list[Hit] = []
    for one in sorted(found, key=lambda one: (-one.letters, one.span)):
        first, last = one.span
        if 1 in taken[first:last]:
            continue
        taken[first:last] = b"\1" * (last - first)
        raw = text[first:last]
        alias = one.pattern.alias.casefold()
        plain = " ".join(raw.casefold().split()) in (alias, alias + "s")
        how: Literal["written", "disguised"] = "written" if plain else "disguised"
        hits.append(Hit(one.pattern.name, one.pattern.alias, one.span, raw, how))
    return tuple(sorted(hits, key=lambda hit: hit.span))


def _masked(text: str, spans: list[tuple[int, int]]) -> str:
    parts: list[str] = []
    last = 0
    for start, end in sorted(spans):
        start = max(start, last)
        if end > start:
            parts += [text[last:start], " " * (end - start)]
            last = end
    return "".join([*parts, text[last:]])


def _judged(pattern: Pattern, match: Match) -> int | None:
    """After which letter the name ends, its plural ending included; None when it is not there."""
    if not match.folded.whole(match.start, match.end) or not _gaps_fit(pattern, match):
        return None
    end = _whole_words(pattern, match)
    if end is None or not _letters_fit(pattern, match):
        return None
    if pattern.capitals and not all(
        match.original(at).isupper() for at in range(match.start, match.end)
    ):
        return None
    return end


def _exactly(pattern: Pattern, match: Match) -> bool:
    """Whether a protected name stands there: its own letters, no gaps but its own."""
    folded = match.folded
    return (
        folded.text[match.start : match.end] == pattern.letters
        and folded.whole(match.start, match.end)
        and not _added_gaps(pattern, match)
        and _whole_words(pattern, match) is not None
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


def _whole_words(pattern: Pattern, match: Match) -> int | None:
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
