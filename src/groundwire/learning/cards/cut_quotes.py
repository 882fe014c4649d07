"""Whether a quote leaves out a word of its sentence that turns or limits what it says.

"It had [no] fleet", "he [denied that he] had seen it": letter by letter in the passage, and not
what the passage says.
"""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language import Span, Token
from groundwire.learning.cards.matching import denies, is_token, read
from groundwire.learning.cards.types import Gap, Passage

_CUTS = frozenset(",，、;；:：")
_STOPS = (".", "!", "?", "。", "！", "？", "…")


def cut_gaps(passage: Passage, start: int, stop: int) -> list[Gap]:
    """Return the gap of a quote that begins or ends within a clause and leaves such a word out.

    Args:
        passage: the passage.
        start: where the quote begins in it.
        stop: where it ends, exclusive.
    """
    whole = read(passage.text)
    left: list[Span] = []
    text = passage.text
    begins = not text[:start].strip() or text[:start].rstrip().endswith(_STOPS)
    ends = not text[stop:].strip() or text[start:stop].rstrip("\"'”»“ ").endswith(_STOPS)
    for sentence in whole.sentences:
        if sentence.start < start < sentence.end and not begins:
            left += _clause_before(whole.within(sentence.start, start), whole.within(start, stop))
        if sentence.start < stop < sentence.end and not ends:
            after = whole.within(stop, sentence.end)
            cut = next((n for n, span in enumerate(after) if span.text in _CUTS), len(after))
            left += after[:cut]
    for span in left:
        if denies(span) or any(map(_turns, span.tokens)):
            said = f"The quote leaves {span.text[:40]!r} out of its sentence: quote the whole."
            return [Gap("attachment", said)]
    return []


def _turns(token: Token) -> bool:
    return is_token(token, "weakening") or is_token(token, "limiting")


def _clause_before(before: Sequence[Span], quoted: Sequence[Span]) -> list[Span]:
    """The spans before a quote that belong to its first clause, and what limits its sentence."""
    spans = list(before)
    condition = [span for span in spans[:1] if any(is_token(t, "limiting") for t in span.tokens)]
    reports = quoted and any(is_token(t, "reporting") for t in quoted[0].tokens)
    ends = [n for n, span in enumerate(spans) if span.text in _CUTS]
    if spans and any(is_token(t, "reporting") for t in spans[-1].tokens):
        reports = True
        ends = [n for n in ends if n < len(spans) - 2]
    elif reports:
        ends = [n for n in ends if n < len(spans) - 1]
    return condition + spans[ends[-1] + 1 if ends else 0 :]
