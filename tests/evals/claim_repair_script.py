"""A scripted model that mends its draft by what verify_answer says of it, and by nothing else.

It knows neither the records nor which words are wrong. Words that an answer says to drop or to
rephrase are dropped; a figure that is contradicted is replaced by what the record is said to have,
where that is one other figure; the sentence, list item or table row of any other claim that is not
supported is dropped, and so is what an answer says to drop beside it. It works in one step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_GOOD = ("supported", "derived")
# No sentence ends behind the short form of a scale: "41,1 Mio. CNY".
_SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\bMio\.)(?<!\bMrd\.)[\"”’)*]*\s+(?=[\"“‘(*\[]*[A-ZÄÖÜ\d])|(?<=[。！？])"
)
_NUMBERED = re.compile(r"\s*\d+\.\s*")
_RULER = re.compile(r"^\s*\|?\s*:?-{3,}")
# "a cause or consequence: Germany had 83 million because…" names the text after the colon.
_REASON = re.compile(r"^[a-z][a-z ,/-]{2,60}: ")
_RECORD_HAS = re.compile(r"the record has ([^;]+)$")
_VALUE = re.compile(
    r"\d{4}-\d{2}-\d{2}|\d{2}:\d{2}|[-−+]?\d[\d,.]*(?:\s?%|\s[A-Za-z]+(?: points)?)?"
)
_CURRENCY = re.compile(r"\b[A-Z]{3}\b|[$€£¥]")
# Words that say nothing where what followed them is gone.
_LEFT_OPEN = re.compile(
    r"\b(?:according to|as reported by|by|from|in|of|on|at|for|to|with|than|and|or|as)\s*"
    r"(?=[,.;:)]|$)",
    re.IGNORECASE,
)
# So many words, or so much of a sentence, are a clause: without it nothing is said.
_WORDS_OF_CLAUSE, _SHARE_OF_CLAUSE = 8, 0.6


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of the draft, from `start` to before `end`."""

    start: int
    end: int

    def holds(self, other: Span) -> bool:
        """Whether the other piece begins in this one."""
        return self.start <= other.start < self.end


@dataclass(frozen=True, slots=True)
class Edit:
    """What is done to a piece of the draft.

    Attributes:
        span: the words that the answer names.
        instead: what is put in their place; "" drops the words, None their whole sentence.
    """

    span: Span
    instead: str | None


def repaired(draft: str, answer: Mapping[str, Any]) -> str:
    """Return the draft after one step, by the answer of verify_answer; "" if nothing is left."""
    edits = list(_edits(draft, answer))
    texts = [_edited(draft, unit, edits) for unit in _units(draft)]
    return _joined(draft, "".join(texts))


def _edits(draft: str, answer: Mapping[str, Any]) -> Iterator[Edit]:
    """Yield what each claim and each line of `not_judged` asks for; claims come in their order."""
    after = 0
    for claim in answer["claims"]:
        span = _find(draft, str(claim["text"]), after) or _find(draft, str(claim["text"]), 0)
        if span is None:
            continue
        after = span.end
        if claim["status"] == "not_judged":
            yield from _dropped(draft, span, claim.get("drop_or_rephrase", ()))
        elif claim["status"] == "contradicted":
            yield Edit(span, _instead(claim, draft[span.start : span.end], draft[span.end :]))
        elif claim["status"] not in _GOOD:
            yield Edit(span, None)
        else:
            yield from _dropped(draft, span, claim.get("drop_or_rephrase") or ())
    for told in map(str, answer.get("not_judged", ())):
        if told.startswith('"'):
            continue  # a sentence of a claim, which names the words to drop
        for words in (told, _REASON.sub("", told), told.partition(": ")[0]):
            span = _find(draft, words.removesuffix("…"), 0)
            if span is not None:
                yield Edit(span, None if told.endswith("…") else "")
                break


def _dropped(draft: str, claim: Span, words: Iterable[str]) -> Iterator[Edit]:
    """Yield what drops the words that a claim is not proven with, in its own sentence if there."""
    unit = next((one for one in _units(draft) if one.holds(claim)), claim)
    for told in words:
        span = _find(draft, told, unit.start)
        if span is None or not unit.holds(span):
            span = _find(draft, told, 0)
        if span is not None:
            yield Edit(span, None if told.endswith("…") else "")


def _find(draft: str, words: str, after: int) -> Span | None:
    """Return where the words stand: as whole words, else at a beginning, else anywhere, or None."""
    words = words.strip().strip("\"“”'‘’").removesuffix(".").removesuffix("…")
    if not words:
        return None
    plain = r"\s+".join(map(re.escape, words.split()))
    begins = rf"(?<![\w.,-]){plain}"
    for pattern in (rf"{begins}(?!\w|[.,]\d)", begins, plain):
        found = re.compile(pattern, re.IGNORECASE).search(draft, after)
        if found:
            return Span(*found.span())
    return None


def _instead(claim: Mapping[str, Any], words: str, following: str) -> str | None:
    """Return the figure that the record has in place of a contradicted one, or None.

    Args:
        claim: the claim; only figures and dates are replaced.
        words: its words as they stand in the draft.
        following: what follows them; a unit that stands there is not repeated.
    """
    has = _RECORD_HAS.search(str(claim.get("detail", "")))
    values = _VALUE.findall(has[1]) if has else []
    part = following[:1].isalnum()
    if not values or part or "://" in words or not any(map(str.isdigit, words)):
        return None
    value = values[-1].strip(" .,")
    if _alike(value, words):
        return None
    told = _CURRENCY.search(words) is not None  # "CNY 99.2 million" has its unit before it
    if re.match(r"\s+[^\W\d]", following) and "%" not in value and not told:
        value = re.sub(r"\s*[A-Za-z ]+$", "", value)
    return value


def _alike(value: str, words: str) -> bool:
    """Whether one figure is the other, rounded, whatever the sign: the words are wrong, not it."""
    digits = (re.sub(r"\D", "", one).lstrip("0") for one in (value, words))
    short, long = sorted(digits, key=len)
    return bool(short) and round(int(long) / 10 ** (len(long) - len(short))) == int(short)


def _units(draft: str) -> Iterator[Span]:
    """Yield sentences, list items, table rows and blank lines, each with what ends it."""
    at = 0
    for line in draft.splitlines(keepends=True):
        start = 0
        ends = () if line.lstrip().startswith("|") else _SENTENCE_END.finditer(line)
        for end in ends:
            if not _NUMBERED.fullmatch(line[start : end.end()]):
                yield Span(at + start, at + end.end())
                start = end.end()
        if start < len(line):
            yield Span(at + start, at + len(line))
        at += len(line)


def _edited(draft: str, unit: Span, edits: list[Edit]) -> str:
    """Return a unit as the edits leave it; "" where it is dropped."""
    text = draft[unit.start : unit.end]
    dropped = False
    floor = unit.end
    for edit in sorted(edits, key=lambda one: (-one.span.start, -one.span.end)):
        if edit.span.start < unit.start < edit.span.end:
            return ""
        if not unit.holds(edit.span) or edit.span.end > floor:
            continue
        words = draft[edit.span.start : edit.span.end]
        clause = len(words) > _SHARE_OF_CLAUSE * len(text.strip())
        clause = clause or len(words.split()) > _WORDS_OF_CLAUSE or text.lstrip().startswith("|")
        if edit.instead is None or (edit.instead == "" and clause):
            return ""
        start, end = edit.span.start - unit.start, edit.span.end - unit.start
        text = text[:start] + edit.instead + text[end:]
        dropped = dropped or not edit.instead
        floor = edit.span.start
    return _tidy(text) if dropped else text


def _tidy(unit: str) -> str:
    """Return a unit without what dropped words leave open: a preposition, a comma, a space."""
    end = unit[len(unit.rstrip()) :]
    text = re.sub(r" {2,}", " ", unit.rstrip())
    text = re.sub(r"\s+([,.;:!?)])", r"\1", text)
    text = _LEFT_OPEN.sub("", text)
    text = re.sub(r"\(\s*[,;]?\s*\)|[\"“”]\s*[\"“”]", "", text)
    text = re.sub(r"\s+([,.;:!?)])", r"\1", text)
    text = re.sub(r",(?=[,.;])|^[\s,;:]+", "", text).strip()
    if not any(map(str.isalpha, text)):
        return ""
    return text[0].upper() + text[1:] + end


def _joined(draft: str, text: str) -> str:
    """Return the lines that are left; a table without its header or its rows is dropped."""
    lines = draft.splitlines()
    heads = {line for line, below in pairwise(lines) if _RULER.match(below)}
    left = text.splitlines()
    kept: list[str] = []
    for at, line in enumerate(left):
        row = line.lstrip().startswith("|")
        headed = bool(kept) and kept[-1] in heads
        if _RULER.match(line):
            if not headed or not left[at + 1 : at + 2] or not left[at + 1].lstrip().startswith("|"):
                del kept[len(kept) - headed :]
                continue
        elif row and line not in heads and not (kept and kept[-1].lstrip().startswith("|")):
            continue
        if not re.fullmatch(r"\s*(?:[-*+]|\d+\.)\s*", line):
            kept.append(line)
    return "\n".join(kept).strip()
