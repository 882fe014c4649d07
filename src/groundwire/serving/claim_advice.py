"""Advice on a draft, said so that a model can mend it in one step.

The check says of each claim whether the records hold it. This room turns that into one short line
for each thing to mend, the worst first: the value that the record has, what no record says, and the
words to prove, drop or rephrase, as they stand in the draft. The advice is followed here first:
what does not hold then is to be dropped as well.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from groundwire.evidence.claims.claim import POSSIBLE, Check, Claim, Status
from groundwire.language import Reading, annotate
from groundwire.language.text import pieces, sentences_of
from groundwire.serving.refusals import one_line

MOST_LINES = 8
MOST_WORDS = 12
WORST_FIRST: tuple[Status, ...] = (
    "contradicted",
    "unsupported",
    "not_judged",
    "derived",
    "supported",
)
_LINE = 320
_SNIPPET = 90
_SHOWN_SENTENCE = 200
# Sentences are read to tell which words they need: so many, none longer than so many characters.
_MOST_READ = 40
_LONGEST_READ = 1_000
# Drafts of so many characters are checked again as the advice would leave them, so many times.
_LONGEST_TRIED = 6_000
_TRIES = 3
# A sentence without so much of its letters says nothing.
_MOST_DROPPED = 0.4
# The checker ends a detail with the words that it could not prove.
_LEFT_OVER = re.compile(
    r"(?:^|; )(?P<but>but the text also says|not understood or not proven:) (?P<words>.*)$",
    re.DOTALL,
)
_WORD = re.compile(r"'(?:[^'\\]|\\.){0,300}+'|\"(?:[^\"\\]|\\.){0,300}+\"")
_HAS = "the record has "
_BUT = "but the text also says"
_DANGLING = "this does not hold without a sentence that is to be dropped: drop it too"
_REFUSED = WORST_FIRST[:3]
_SPACE = re.compile(r" +(?=[ ,.;:!?)])")
# Between two words to drop, such short words may go with them: "rules of the road".
_JOINING = re.compile(r"[\s-]*(?:[a-zäöü]{1,3}\s+){0,2}")


@dataclass(frozen=True, slots=True)
class Advised:
    """A claim with what to do about it.

    Attributes:
        claim: the claim.
        detail: why it has its status, and what to do.
        line: the same for the answer; "" where there is nothing to do.
        words: the words to drop or rephrase, as they stand in the draft; a text that is longer
            than 200 characters ends with "…".
        sentence: the sentence of a claim that is not judged, shortened as they are.
        is_whole: whether all of that sentence is to be corrected or dropped.
        spans: where the words stand in the draft, if the rest of their sentence may stay.
    """

    claim: Claim
    detail: str
    line: str = ""
    words: tuple[str, ...] = ()
    sentence: str = ""
    is_whole: bool = False
    spans: tuple[tuple[int, int], ...] = ()

    @property
    def drops_sentence(self) -> bool:
        """Whether its sentence goes, and not only words of it."""
        return bool(self.words) and self.words[0] == self.sentence


@dataclass(frozen=True, slots=True)
class Advice:
    """Advice on a whole draft.

    Attributes:
        claims: every claim, in the order of the draft.
        lines: one for each thing to mend, the worst first; bounded.
        left_out: how many more there are.
        not_judged: for each sentence the words that are not proven, and what was not read.
    """

    claims: tuple[Advised, ...]
    lines: tuple[str, ...]
    left_out: int
    not_judged: tuple[str, ...]


def advice_on(
    draft: str, checked: Check, check_again: Callable[[str], Check] | None = None
) -> Advice:
    """Return what to do with a draft, by the check of it.

    Args:
        draft: what was checked.
        checked: the check.
        check_again: checks another text the same way; the advice is then tried out with it.
    """
    refused = any(claim.status in _REFUSED for claim in checked.claims)
    sentences = _Sentences(draft) if refused else None
    advised = [_advised(claim, sentences) for claim in checked.claims]
    if sentences is not None and check_again is not None and len(draft) <= _LONGEST_TRIED:
        advised = _tried(advised, sentences, check_again)
    claims = _one_line_each(advised)
    wrong, lacking, not_proven, *held = (
        list(dict.fromkeys(one.line for one in claims if one.line and one.claim.status == status))
        for status in WORST_FIRST
    )
    beyond = [one for one in checked.not_judged if not _is_of_a_claim(one, checked.claims)]
    dangling = [line for lines in held for line in lines]
    lines = [*wrong, *lacking, *not_proven, *dangling, *(f"not judged: {one}" for one in beyond)]
    return Advice(
        claims,
        tuple(_cut(line, _LINE) for line in lines[:MOST_LINES]),
        max(len(lines) - MOST_LINES, 0),
        (*beyond, *not_proven),
    )


@dataclass(frozen=True, slots=True)
class _Left:
    """A draft without some of its words: its text, and where each of its sentences begins."""

    text: str
    starts: list[int]
    units: list[int]

    def unit_of(self, at: int) -> int:
        """Return the number in the draft of the sentence that holds a place of this text."""
        return self.units[max(bisect_right(self.starts, at) - 1, 0)]


class _Sentences:
    """The sentences of a draft, and words in them."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._sentences = sentences_of(text, pieces(text))
        self._starts = [sentence.start for sentence in self._sentences]
        rows = {text.rfind("\n", 0, s.start) + 1 for s in self._sentences if s.kind == "cell"}
        prose = {s.start for s in self._sentences if s.kind != "cell"}
        self.units = sorted(rows | prose) or [0]
        self._readings: dict[tuple[int, int], Reading] = {}

    def around(self, start: int, end: int) -> tuple[int, int]:
        """Return the sentence that holds a place, or the place itself where none does."""
        at = bisect_right(self._starts, start) - 1
        if at < 0 or self._sentences[at].end <= start:
            return start, end
        sentence = self._sentences[at]
        return sentence.body or sentence.start, max(sentence.end, end)

    def unit_of(self, at: int) -> int:
        """Return the number of the sentence or row of a table that holds a place."""
        return max(bisect_right(self.units, at) - 1, 0)

    def without(self, units: Collection[int], words: Iterable[tuple[int, int]]) -> _Left:
        """Return the text without some sentences and some words of the others."""
        cuts: dict[int, list[tuple[int, int]]] = {}
        for start, end in words:
            cuts.setdefault(self.unit_of(start), []).append((start, end))
        left, text = _Left("", [], []), ""
        for at, (start, end) in enumerate(pairwise([*self.units, len(self.text)])):
            unit = self.text[start:end]
            if at in units:
                text += "\n" * unit.endswith("\n")
                continue
            for first, last in sorted(cuts.get(at, ()), reverse=True):
                unit = unit[: first - start] + unit[last - start :]
            left.starts.append(len(text))
            left.units.append(at)
            text += _SPACE.sub("", unit) if at in cuts else unit
        return replace(left, text=text)

    def find(self, word: str, within: tuple[int, int], after: int) -> tuple[int, int] | None:
        """Return where a word stands in a sentence, else the last place before it, or None."""
        for low in (after, within[0]):
            at = self._whole(word, low, within[1])
            if at is not None:
                return at
        before = self.text.rfind(word, 0, within[0])
        return (before, before + len(word)) if before >= 0 else None

    def makes_sense_without(self, dropped: Sequence[tuple[int, int]]) -> bool:
        """Whether words can be dropped and leave a sentence.

        They cannot where a verb, its subject or a relation is among them, or where they are the
        most of their sentence. Sentences that are too long or too many to read are dropped whole.
        """
        of: dict[tuple[int, int], int] = {}
        for start, end in dropped:
            around = self.around(start, end)
            reading = self._reading(around)
            of[around] = of.get(around, 0) + end - start
            if reading is None or _is_needed(reading, start - around[0], end - around[0]):
                return False
        return all(size <= _MOST_DROPPED * (end - start) for (start, end), size in of.items())

    def _reading(self, around: tuple[int, int]) -> Reading | None:
        """Return the reading of a sentence, or None where it is not read."""
        if around not in self._readings:
            start, end = around
            if end - start > _LONGEST_READ or len(self._readings) >= _MOST_READ:
                return None
            self._readings[around] = annotate(self.text[start:end])
        return self._readings[around]

    def _whole(self, word: str, low: int, high: int) -> tuple[int, int] | None:
        at = self.text.find(word, low, high)
        while at >= 0:
            end = at + len(word)
            inside = self.text[at - 1 : at].isalnum() or self.text[end : end + 1].isalnum()
            if not inside or not word.isascii():
                return at, end
            at = self.text.find(word, end, high)
        return None


def _is_needed(reading: Reading, start: int, end: int) -> bool:
    """Whether a sentence needs words: a verb, a relation, or the noun before a verb.

    A comparison relates where no figure stands beside it: "A is larger than B" is not "A is B".
    """
    inside = reading.within(start, end)
    figured = any(w.quantity is not None for w in reading.within(0, len(reading.text)))
    relating = ("relation",) if figured else ("relation", "comparison", "bound", "order")
    for words in inside:
        relation = words.role is not None and words.role.role in relating
        if relation or any(token.tag == "verb" for token in words.tokens):
            return True
    following = next(iter(reading.within(end, len(reading.text))), None)
    if not inside or following is None or not following.tokens or not inside[-1].tokens:
        return False
    is_noun = inside[-1].tokens[-1].tag in ("noun", "name", "other")
    return is_noun and following.tokens[0].tag == "verb"


def _one_line_each(claims: list[Advised]) -> tuple[Advised, ...]:
    """Leave out the lines on words of a sentence that another line says to correct or drop."""
    dropped = {one.words[0] for one in claims if one.is_whole and one.words}
    return tuple(
        replace(one, line="", words=(one.sentence,))
        if not one.is_whole and one.sentence in dropped and one.claim.status == "not_judged"
        else one
        for one in claims
    )


def _tried(
    claims: list[Advised], sentences: _Sentences, check_again: Callable[[str], Check]
) -> list[Advised]:
    """Return the claims with advice after which the rest of the draft holds.

    A sentence that does not hold without its words is dropped whole, and so is one that does not
    hold without another one that is dropped. Contradicted figures stay as they are told.
    """
    of = [sentences.unit_of(one.claim.start) for one in claims]
    told: dict[int, set[Status]] = {}
    for at, one in zip(of, claims, strict=True):
        told.setdefault(at, set()).add(one.claim.status)
    corrected = {at for at, statuses in told.items() if "contradicted" in statuses}
    lacking = {at for at, statuses in told.items() if "unsupported" in statuses}
    for _ in range(_TRIES):
        dropped = {at for at, one in zip(of, claims, strict=True) if one.drops_sentence}
        words = {span for one in claims for span in one.spans}
        left = sentences.without(dropped | lacking, words)
        again = check_again(left.text).claims if left.units else ()
        failed = {left.unit_of(one.start) for one in again if one.status in _REFUSED} - corrected
        claims = [
            _without_sentence(one, sentences, told[at]) if at in dropped | failed else one
            for at, one in zip(of, claims, strict=True)
        ]
        if not failed:
            break
    return claims


def _without_sentence(one: Advised, sentences: _Sentences, told: set[Status]) -> Advised:
    """Return a claim with the advice to drop its sentence, whose claims have some statuses."""
    if one.claim.status == "not_judged":
        return _not_proven(one.claim, sentences, as_one=True)
    return one if told & set(_REFUSED) else _dangling(one.claim, sentences)


def _dangling(claim: Claim, sentences: _Sentences) -> Advised:
    """Return a claim that holds only beside a sentence that is to be dropped."""
    sentence = sentences.text[slice(*sentences.around(claim.start, claim.end))]
    whole = _shown(sentence)
    line = f'"{_cut(sentence, _SNIPPET)}": {_DANGLING}'
    return Advised(claim, f"{claim.detail}; {_DANGLING}", line, (whole,), whole, is_whole=True)


def _advised(claim: Claim, sentences: _Sentences | None) -> Advised:
    """Return a claim with its advice."""
    if claim.status in ("supported", "derived") or sentences is None:
        return Advised(claim, claim.detail)
    named = f'"{_cut(claim.text, _SNIPPET)}"'
    if claim.status == "contradicted":
        return Advised(claim, claim.detail, f"{named} is contradicted: {claim.detail}")
    if claim.status == "unsupported":
        place = _cut(sentences.text[slice(*sentences.around(claim.start, claim.end))], _SNIPPET)
        within = f' in "{place}"' if place != claim.text else ""
        return Advised(
            claim,
            f"{claim.detail}: look it up or drop it",
            f"{named}{within} is unsupported: {_lacking(claim.detail)}",
        )
    return _not_proven(claim, sentences)


def _lacking(detail: str) -> str:
    """Return what to do with a claim that no record proves, by what the check says of it."""
    if detail.startswith(POSSIBLE):
        computed = detail.removeprefix(POSSIBLE).lstrip(": ")
        return (
            "no record says this, look it up or drop it; if it is computed, say in the same "
            f"sentence what from (perhaps {computed})"
        )
    instead = detail[detail.find(_HAS) :] if _HAS in detail else ""
    return "no record says this, look it up or drop it" + (f" ({instead})" if instead else "")


def _not_proven(claim: Claim, sentences: _Sentences, as_one: bool = False) -> Advised:
    """Return a claim with the words of its sentence that nothing proves, and what to do.

    Args:
        claim: the claim, not judged.
        sentences: those of the draft.
        as_one: whether its sentence does not hold without them either.
    """
    around = sentences.around(claim.start, claim.end)
    sentence = sentences.text[slice(*around)]
    whole = _shown(sentence)
    place = f'"{_cut(sentence, _SNIPPET)}"'
    found = _LEFT_OVER.search(claim.detail)
    if found is None:
        told = f"{claim.detail}: drop or rephrase it"
        return Advised(
            claim, told, f"{place} is not judged: {told}", (whole,), whole, is_whole=True
        )
    reason = claim.detail[: found.start()]
    listed = [str(ast.literal_eval(one)) for one in _WORD.findall(found["words"])]
    spans = _phrases(sentences, listed, around)
    words = list(dict.fromkeys(sentences.text[slice(*one)] for one in spans))
    quoted = ", ".join(repr(one) for one in words[:MOST_WORDS] or listed)
    told = f"{reason}; " if reason else ""
    if found["but"] == _BUT:
        told += f"but the text also says {quoted}: correct it or drop the sentence"
        line = f'"{_cut(claim.text, _SNIPPET)}" in {place} is not proven: {told}'
        return Advised(claim, told, line, (whole,), whole, is_whole=True)
    told += f"these words are not proven: drop or rephrase them: {quoted}"
    if not as_one and claim.kind != "statement" and spans and sentences.makes_sense_without(spans):
        line = f"{place}: drop or rephrase {quoted}, which nothing proves"
        return Advised(claim, told, line, tuple(words), whole, spans=tuple(spans))
    elsewhere = [sentences.text[slice(*one)] for one in spans if one[1] <= around[0]]
    line = f"{place}: drop the sentence or say it without {quoted}, which nothing proves"
    return Advised(claim, told, line, (whole, *elsewhere), whole)


def _phrases(
    sentences: _Sentences, listed: Iterable[str], around: tuple[int, int]
) -> list[tuple[int, int]]:
    """Where the words stand; neighbours, and short words between them, are one phrase."""
    spans: list[tuple[int, int]] = []
    after = around[0]
    for word in listed:
        span = sentences.find(word, around, after)
        if span is not None:
            spans.append(span)
            after = span[1] if span[0] >= around[0] else after
    joined: list[tuple[int, int]] = []
    for start, end in sorted(set(spans)):
        if joined and _JOINING.fullmatch(sentences.text, joined[-1][1], max(start, joined[-1][1])):
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _is_of_a_claim(told: str, claims: Iterable[Claim]) -> bool:
    return any(
        claim.status == "not_judged" and told == f"{claim.text}: {claim.detail}" for claim in claims
    )


def _shown(sentence: str) -> str:
    sentence = sentence.strip()
    return sentence if len(sentence) <= _SHOWN_SENTENCE else sentence[: _SHOWN_SENTENCE - 1] + "…"


def _cut(text: str, most: int) -> str:
    text = one_line(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + "…"
