"""The security gate: which entities out of scope a text names, in whatever disguise.

It needs no model and knows no company but those that it is given. Out of its reach are names in
another language or in pinyin that no alias gives, names spelt backwards, misspelt or inflected
ones (beyond a final s), names inside a longer word that is not made of English words, short names
with spaces between their letters, characters taken apart, and encodings such as Base64.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import add
from typing import Literal, NamedTuple

from groundwire.metrics.gate.boundaries import Match
from groundwire.metrics.gate.folding import fold_with_offsets
from groundwire.metrics.gate.judging import exactly, judged
from groundwire.metrics.gate.patterns import Pattern, compile_patterns, skeleton
from groundwire.metrics.gate.readings import Reading, readings
from groundwire.metrics.profile import External


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
            for pattern in compile_patterns("", name):
                if not pattern.lookalike:
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
                    after = judged(pattern, match)
                else:
                    after = end if exactly(pattern, match) else None
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
