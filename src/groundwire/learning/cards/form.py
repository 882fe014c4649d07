"""Whether a card is well-formed: its sides, its holes, and what its quote cuts off."""

from __future__ import annotations

import re
from collections.abc import Sequence

from groundwire.language import Span, Token
from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.matching import MARKS, denies, is_token, is_word, read
from groundwire.learning.cards.types import (
    LONGEST_QUOTE,
    LONGEST_SIDE,
    CardDraft,
    Gap,
    Passage,
)

# Source: the Anki manual, "Image occlusion"; parts are shares of the image's width and height.
_OCCLUSION = re.compile(r"image-occlusion:(?:rect|ellipse|polygon|text):[^{}]{1,400}")


_IMAGE = re.compile(r"<img\s[^<>]{1,400}>")


# Marks between clauses, and those that end a sentence.
_CUTS = frozenset(",，、;；:：")


_STOPS = (".", "!", "?", "。", "！", "？", "…")


def form_gaps(card: CardDraft) -> list[Gap]:
    """Return what is wrong with the form of a card, whatever it says; nothing of it is read yet."""
    sizes = (
        ("front", card.front, LONGEST_SIDE),
        ("back", card.back, LONGEST_SIDE),
        ("quote", card.quote, LONGEST_QUOTE),
    )
    for name, text, longest in sizes:
        if len(text) > longest:
            said = f"The {name} has {len(text):,} characters; at most {longest:,} are taken."
            return [Gap("too_long", said)]
    if not card.front.strip() or (card.type != "cloze" and not card.back.strip()):
        side = "back" if card.front.strip() else "front"
        return [Gap("empty", f"The {side} is blank: send its text.")]
    if card.type == "cloze":
        return cloze_gaps(card)
    if card.type == "image_occlusion" and not (
        _OCCLUSION.search(card.front) and _IMAGE.search(card.front)
    ):
        said = "An image occlusion needs an image and at least one covered part in its front."
        form = '{{c1::image-occlusion:rect:left=.1:top=.2:width=.3:height=.1}}<img src="a.png">'
        return [Gap("image", said, (form,))]
    return []


def cloze_gaps(card: CardDraft) -> list[Gap]:
    """Return what is wrong with the holes of a cloze, and with its back."""
    cloze = parse_cloze(card.front)
    if cloze is None:
        said = "The front has no well-formed hole: write {{c1::answer}} or {{c1::answer::hint}}."
        held = card.back.strip()
        filled = card.front.replace(held, f"{{{{c1::{held}}}}}", 1) if held else card.front
        return [Gap("cloze", said, (filled,) if filled != card.front else ())]
    answers = [cloze.answer(number) for number in cloze.numbers]
    joined = ", ".join(answers)
    if card.back.strip() and card.back.strip() not in (*answers, joined):
        said = "The back is not what the holes hide: leave it out, or send the text of a hole."
        return [Gap("cloze", said, (answers[0],))]
    return []


def cut_gaps(passage: Passage, start: int, stop: int) -> list[Gap]:
    """Return the gap of a quote that leaves a word out which turns or limits its sentence.

    "It had [no] fleet", "he [denied that he] had seen it": letter by letter in the passage, and not
    what the passage says.

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


def hidden_in(front: str, back: str) -> Gap | None:
    """Return the gap of a front that holds its back, word after word; None where it does not."""
    spans = [span for span in read(back).spans if not span.is_silent or span.kind == "quantity"]
    kept = {token.start for span in spans for token in span.tokens}
    first = read(back).spans[0] if kept else None
    if first is None or is_word(first, "affirming") or is_word(first, "denying"):
        # A reply repeats the words of its question.
        return None
    marks = MARKS - frozenset("()")
    tokens = [token for token in read(back).tokens if token.text not in marks]
    # Articles and prepositions at the edges hide nothing.
    while tokens[0].start not in kept:
        tokens.pop(0)
    while tokens[-1].start not in kept and tokens[-1].tag != "sign":
        tokens.pop()
    answer = [token.key for token in tokens]
    shown = [token.key for token in read(front).tokens]
    for start in range(len(shown) - len(answer) + 1):
        stop = start + len(answer)
        if shown[start:stop] != answer or _is_choice(front, start, stop):
            continue
        said = "The front holds the back, so the card asks nothing: reword the front."
        return Gap("front_holds_back", said)
    figures = [span.quantity for span in spans if span.quantity is not None]
    asked = [span.quantity for span in read(front).spans if span.quantity is not None]
    values = {(figure.value, figure.unit) for figure in asked}
    if len(figures) == len(spans) and all((f.value, f.unit) in values for f in figures):
        return Gap("front_holds_back", "The front holds the figure of the back: reword the front.")
    return None


def _is_choice(front: str, start: int, stop: int) -> bool:
    """Whether tokens of a question are one of its choices: "tuples or lists"."""
    spans = read(front).spans
    tokens = read(front).tokens
    begin, end = tokens[start].start, tokens[stop - 1].end
    before = [span for span in spans if span.end <= begin and not _is_particle(span)][-1:]
    behind = [span for span in spans if span.start >= end][:1]
    return any(is_word(span, "choosing") for span in (*before, *behind))


def _is_particle(span: Span) -> bool:
    role = span.role
    return role is not None and role.role == "function" and role.sense != "conjunction"
