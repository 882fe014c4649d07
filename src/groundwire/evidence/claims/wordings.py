"""Drafts in the wording that the readers know best, where another says exactly the same.

"Over the years 2010 to 2020" is "from 2010 to 2020", "the following are" is "here are". The rules
of `wordings.toml` are equivalences: nothing that could be true or false is added or left out. A
sentence that is not proven as it stands is proven where it is in that wording.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.segments import Passage

_LONGEST = 20_000
_QUOTED = re.compile(r"[\"“„«][^\"“”„«»\n]{0,300}[\"”“»]|`[^`\n]{0,300}`")
_GROUP = re.compile(r"\{(\d)\}")
_HOLDS = frozenset(("supported", "derived"))


@dataclass(frozen=True, slots=True)
class Reworded:
    """A text in other words.

    Attributes:
        text: the words.
        lows: for each character, where what it stands for begins in the text before.
        highs: where that ends.
    """

    text: str
    lows: Sequence[int]
    highs: Sequence[int]

    def moved(self, claim: Claim) -> Claim:
        """Return a claim of this text where it stands in the text before."""
        last = max(claim.start, claim.end - 1)
        return replace(claim, start=self.lows[claim.start], end=self.highs[last])


def reworded(text: str) -> Reworded | None:
    """Return a text in the wording that is known best; None where it is in that already."""
    if len(text) > _LONGEST:
        return None
    now = Reworded(text, range(len(text)), range(1, len(text) + 1))
    for pattern, pieces in rules():
        now = _replaced(now, pattern, pieces)
    return None if now.text == text else now


def proven_in_other_words(
    claims: Sequence[Claim], passages: Sequence[Passage], others: Sequence[Claim]
) -> list[Claim]:
    """Return claims, those of a passage supported that holds in other words.

    Args:
        claims: the claims of a text.
        passages: its passages.
        others: the claims of the text in other words, where they stand in this one.
    """
    found: list[Claim] = []
    for passage in passages:
        own = [one for one in claims if passage.start <= one.start < passage.end]
        other = [one for one in others if passage.start <= one.start < passage.end]
        is_open = any(one.status not in _HOLDS for one in own)
        holds = bool(other) and all(one.status in _HOLDS for one in other)
        found += other if is_open and holds else own
    within = {id(one) for one in found}
    beside = [one for one in claims if not any(p.start <= one.start < p.end for p in passages)]
    return [*found, *(one for one in beside if id(one) not in within)]


def _replaced(now: Reworded, pattern: re.Pattern[str], pieces: Sequence[str | int]) -> Reworded:
    """Return a text with what matches put in other words, but for what it quotes."""
    matches = list(pattern.finditer(now.text))
    if not matches:
        return now
    quoted = [match.span() for match in _QUOTED.finditer(now.text)]
    text, lows, highs, at = list[str](), list[int](), list[int](), 0

    def keep(start: int, end: int) -> None:
        text.append(now.text[start:end])
        lows.extend(now.lows[start:end])
        highs.extend(now.highs[start:end])

    for match in matches:
        start, end = match.span()
        if start == end or any(low < end and start < high for low, high in quoted):
            continue
        keep(at, start)
        for piece in pieces:
            if isinstance(piece, int):
                keep(*match.span(piece))
                continue
            is_first = match[0][0].isupper() and piece is pieces[0]
            said = piece[:1].upper() + piece[1:] if is_first else piece
            text.append(said)
            lows.extend([now.lows[start]] * len(said))
            highs.extend([now.highs[end - 1]] * len(said))
        at = end
    keep(at, len(now.text))
    return Reworded("".join(text), lows, highs)


@cache
def rules() -> Sequence[tuple[re.Pattern[str], Sequence[str | int]]]:
    """Return the rules in order: what each puts in other words, and the words and groups of it."""
    text = (files("groundwire.evidence.claims") / "wordings.toml").read_text("utf-8")
    read = tomllib.loads(text)
    return [
        (re.compile(pattern, re.IGNORECASE), [*_pieces(instead)])
        for language in ("en", "de", "zh")
        for pattern, instead in read[language]
    ]


def _pieces(instead: str) -> Iterator[str | int]:
    """Yield the words of a rule and the numbers of the groups between them."""
    at = 0
    for match in _GROUP.finditer(instead):
        if match.start() > at:
            yield instead[at : match.start()]
        yield int(match[1])
        at = match.end()
    if at < len(instead) or not instead:
        yield instead[at:]
