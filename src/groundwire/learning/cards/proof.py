"""Checks of a back against its quote: word by word, figure by figure, with its negations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.bearing import only_asks
from groundwire.learning.cards.figures import (
    MOST_SUGGESTED,
    missing_gap,
)
from groundwire.learning.cards.matching import (
    MARKS,
    acts,
    denies,
    is_counted,
    is_name,
    is_none,
    is_token,
    is_word,
    keys,
    language_of,
    literal_places,
    places_of,
    read,
    stands_in,
    stem_stands,
    unit_of,
    word_places,
)
from groundwire.learning.cards.qualifiers import qualifier_gap
from groundwire.learning.cards.roles import form_of, operator_gap
from groundwire.learning.cards.segments import Segment, answering, segments
from groundwire.learning.cards.types import Gap, GapReason, Passage

# The share of a question's other words that its passage has to hold.
_LEAST_SHARE = 0.5


MOST_GAPS = 10


# Tables of words that a bare "yes" or "no" would leave out.
_LIMITS = ("excepting", "limiting", "partial")


_COMMAS = frozenset(",，、;；")


_LEADING = frozenset(("to", "from", "via", "by", "per"))


# Roles that add no fact to a draft, but are words of their own on a card.
_TELLING = frozenset(("saying", "counting"))


@dataclass(frozen=True, slots=True)
class Quote:
    """A part of a passage.

    Attributes:
        passage: the passage.
        start: where it begins.
        stop: where it ends, exclusive.
    """

    passage: Passage
    start: int
    stop: int

    @property
    def text(self) -> str:
        """Its letters."""
        return self.passage.text[self.start : self.stop]

    def read(self, text: str) -> Reading:
        """Read a text, in the language of the passage where it shows none of its own."""
        return read(text, language_of(self.passage.text))


def sign_gaps(back: str, quote: str) -> list[Gap]:
    """The gap of a back of signs alone, such as an operator, that the quote does not hold so."""
    start = quote.find(back)
    while start >= 0:
        around = quote[max(0, start - 1) : start] + quote[start + len(back) :][:1]
        if all(char.isspace() or char.isalnum() or char in MARKS for char in around):
            return []
        start = quote.find(back, start + 1)
    return [Gap("sign", f"{back[:80]!r} of the back does not stand in the quote.")]


def way_gaps(said: Reading, held: Reading) -> list[Gap]:
    """Of two ends, as in "from left to right", each has the word before it that it has there."""
    leads = [n for n, span in enumerate(said.spans) if _leads(span)]
    if len(leads) < 2:
        return []
    text = [token.key for token in held.tokens]
    for number in leads:
        following = said.spans[number + 1 : number + 2]
        pair = [token.key for span in (said.spans[number], *following) for token in span.tokens]
        if not any(text[at : at + len(pair)] == pair for at in range(len(text))):
            phrase = " ".join(pair)
            return [Gap("word", f"{phrase[:80]!r} does not stand in the quote so.")]
    return []


def _leads(span: Span) -> bool:
    role = span.role
    return role is not None and role.role == "function" and role.sense in _LEADING


def subject_gaps(asked: Reading, said: Reading, about: frozenset[str]) -> list[Gap]:
    """Refuse a question about another thing than the part of the quote that answers it."""
    for place, span in enumerate(asked.spans):
        if not is_name(span, place) or stands_in(span, said):
            continue
        if not about.intersection(keys(span)) and not stem_stands(span, about):
            detail = f"The quote does not speak of {span.text[:80]!r}: quote what does."
            return [Gap("attachment", detail)]
    plain = [
        span
        for span in asked.spans
        if span.kind == "leftover" and not only_asks(span)
        if not any(unit_of(token) for token in span.tokens)
    ]
    known = sum(bool(about.intersection(keys(s))) or stem_stands(s, about) for s in plain)
    if plain and not known:
        said_so = "The quote does not speak of what the question asks: quote what does."
        return [Gap("off_topic", said_so)]
    return []


def left_out_gaps(text: str, quote: Quote, start: int, stop: int) -> list[Gap]:
    """Return the gap of a part of a quote that leaves out what its sentence ties it to.

    Args:
        text: the part.
        quote: the quote.
        start: where the part begins in it.
        stop: where it ends, exclusive.
    """
    parts = segments(quote.read(quote.text))
    own = [part for part in parts if any(start <= span.start < stop for span in part.spans)]
    left = qualifier_gap((quote.read(text),), own, parts)
    return [left] if left is not None else []


def literal_gaps(answer: str, quote: Quote) -> list[Gap]:
    """Return a gap where a word that a hole hides does not stand in the quote, whatever it says."""
    held = quote.read(quote.text)
    for span in quote.read(answer).spans:
        stands = places_of(span, held) or literal_places(span, held) or word_places(span, held)
        if span.kind != "sign" and not stands:
            return [missing_gap(span, held)]
    return []


def stands_in_order(text: str, quote: Quote) -> bool:
    """Return whether a sentence is one of a quote's, from which at most whole parts are left out.

    A part is what stands between two commas. Articles may differ.
    """
    held = quote.read(quote.text)
    wanted = [token.key for token in quote.read(text).tokens if not _is_bare(token)]
    for sentence in held.sentences:
        tokens = [t for t in held.tokens if sentence.start <= t.start < sentence.end]
        if wanted and _follows(wanted, tokens):
            return True
    return False


def _follows(wanted: Sequence[str], tokens: Sequence[Token]) -> bool:
    at, skipping, since_comma, begun = 0, False, True, False
    for token in tokens:
        if token.text in _COMMAS:
            if skipping or begun:
                since_comma, skipping = True, False
            continue
        if _is_bare(token):
            continue
        if at < len(wanted) and token.key == wanted[at] and not skipping:
            at, since_comma, begun = at + 1, False, True
        elif begun and at < len(wanted):
            if not since_comma:
                return False
            skipping = True
    return at == len(wanted)


def _is_bare(token: Token) -> bool:
    return token.tag == "sign" or token.lemma in ("the", "a", "an", "der", "ein")


def front_gaps(front: str, passage: Passage) -> list[Gap]:
    """Return why a question is not about a passage: its names and figures do not stand there."""
    asked = read(front, language_of(passage.text))
    context = read(f"{passage.source}. {passage.locator}.\n{passage.text}")
    gaps: list[Gap] = []
    known = total = 0
    for place, span in enumerate(asked.spans):
        if span.is_silent or span.kind in ("negation", "iri") or only_asks(span):
            continue
        if _is_asked(asked.spans, place):
            continue
        if is_counted(span):
            continue
        if len(gaps) >= MOST_GAPS:
            return gaps
        stands = bool(places_of(span, context)) or stands_in(span, context)
        if span.quantity is not None or span.period is not None or is_name(span, place):
            if not stands and not stem_stands(span, _all_words(context)):
                gaps.append(missing_gap(span, context, of="front"))
            continue
        if span.kind == "leftover" and not any(unit_of(token) for token in span.tokens):
            total += 1
            known += stands or stem_stands(span, _all_words(context))
    if not gaps and total > 1 and known < _LEAST_SHARE * total:
        said = "The question is not about the passage: most of its words do not stand there."
        gaps.append(Gap("off_topic", said, (passage.text[:200],)))
    return gaps


def _all_words(reading: Reading) -> frozenset[str]:
    return frozenset(token.key for token in reading.tokens)


def _is_asked(spans: Sequence[Span], place: int) -> bool:
    """Whether a span is what a question asks for: 哪一年."""
    before = spans[place - 1] if place else None
    asks = before is not None and before.role is not None and before.role.role == "question"
    return asks and spans[place].quantity is not None


def _says(span: Span) -> bool:
    """Whether a span of a card says something that has to be proven."""
    role = span.role
    return (
        not span.is_silent
        or acts(span)
        or _leads(span)
        or (role is not None and role.role in _TELLING)
    )


def without_reply(asked: Reading, said: Reading) -> list[Span]:
    """The spans of a back that have to be proven, without a "yes" or "no" before a sentence.

    "Because", and the "by" of an answer to a passive question, are proven by what follows them.
    """
    spans = [span for span in said.spans if _says(span)]
    first = said.spans[0] if said.spans else None
    form = form_of(asked) if first is not None and _leads(first) else None
    if first is not None and form is not None and form.passive and first.text.lower() == "by":
        return [span for span in spans if span.start > first.start]
    if first is not None and first.role is not None and first.role.role == "cause":
        # Whether the quote gives a reason is checked by itself, in whatever words it does.
        return [span for span in spans if span.start > first.start]
    if first is None or not (is_word(first, "affirming") or is_word(first, "denying")):
        return spans
    rest = [span for span in spans if span.start > first.start]
    comma = len(said.spans) > 1 and said.spans[1].text in _COMMAS
    return rest if comma or not rest else spans


def reply_gaps(asked: Reading, said: Reading, held: Reading, parts: Sequence[Segment]) -> list[Gap]:
    """The gaps of a bare "yes" or "no": the quote has to say all of the question, or deny it."""
    first = said.spans[0] if said.spans else None
    denying = first is not None and (is_word(first, "denying") or is_none(first))
    replies = first is not None and (is_word(first, "affirming") or denying)
    rest = [span for span in said.spans[1:] if denies(span)]
    elaborates = len(said.spans) > 1 and said.spans[1].text in _COMMAS
    agrees = not rest or (first is not None and elaborates and len(rest) == denies(first))
    if first is not None and not replies and _asks_count(asked) and _is_article(first):
        # "How many? Eine": the article is the number one, which is not read as a figure.
        return [missing_gap(first, held)]
    if first is None or not replies or not agrees:
        return [Gap("empty", "The back says nothing that could be proven: name the answer in it.")]
    spans = [s for s in asked.spans if not s.is_silent and not denies(s) and s.text != "?"]
    found = [places for span in spans if (places := places_of(span, held))]
    missing = [span for span in spans if not places_of(span, held)]
    if missing or not found:
        return [missing_gap(one, held, of="question") for one in missing or [first]]
    own = answering(found, parts, asked)
    begun = {part.sentence for part in own}
    weaker = operator_gap((asked, said), [part for part in parts if part.sentence in begun])
    if weaker is not None:
        return [weaker]
    others = [t.text for part in own for s in part.spans for t in s.tokens if is_token(t, "other")]
    if others and not any(is_token(t, "other") for t in asked.tokens):
        return [Gap("attachment", f"The quote says that of {others[0][:40]!r} ones: ask for them.")]
    named = [part for part in own if any(map(_names, part.spans))]
    if named and len(named) == len(own) and not any(map(_names, asked.spans)):
        # "It is often called the longest" leaves open whether it is.
        return [Gap("attachment", "The quote only tells what it is called: ask for that.")]
    known = {key for span in asked.spans for key in keys(span)}
    for span in (span for part in parts if part.sentence in begun for span in part.spans):
        limits = any(is_token(t, one) for t in span.tokens for one in _LIMITS)
        if limits and not known.intersection(keys(span)):
            return [Gap("attachment", f"The quote says {span.text[:40]!r}: keep it on the card.")]
    denied = any(part.negated for part in own) != any(map(denies, asked.spans))
    if denied != denying:
        # "Sound cannot, but light can": of which of both it is denied, is left open.
        both = len({part.negated for part in parts if part.sentence in begun}) > 1
        reason: GapReason = "attachment" if both else "negation"
        return [Gap(reason, f"The quote says the opposite of {first.text!r}.", (held.text,))]
    return []


def _names(span: Span) -> bool:
    return any(token.tag == "verb" and is_token(token, "naming") for token in span.tokens)


def _is_count(span: Span, asked: Reading) -> bool:
    """Whether a bare number that is read as a year answers how many there are."""
    return span.period is not None and span.text.isdigit() and _asks_count(asked)


def count_places(span: Span, asked: Reading, held: Reading) -> list[Span]:
    """Where the quote has a count that is read as a year in the back: 1852 of "1,852 metres"."""
    if not _is_count(span, asked):
        return []
    value = Decimal(span.text)
    return [s for s in held.spans if s.quantity is not None and s.quantity.value == value]


def count_gap(span: Span, asked: Reading, held: Reading) -> Gap | None:
    """The gap of a wrong count that is read as a year."""
    figures = [one.text for one in held.spans if one.quantity is not None]
    if not figures or not _is_count(span, asked):
        return None
    said = f"{span.text[:80]!r} of the back does not stand in the quote."
    return Gap("number", said, tuple(dict.fromkeys(figures))[:MOST_SUGGESTED])


def _asks_count(asked: Reading) -> bool:
    return any(span.role is not None and span.role.sense == "how_many" for span in asked.spans)


def _is_article(span: Span) -> bool:
    return span.role is not None and span.role.sense == "determiner"


def is_helping(span: Span) -> bool:
    """Return whether a span is a form of "be" or an auxiliary."""
    role = span.role
    return role is not None and (
        role.role == "being" or (role.role == "function" and role.sense == "auxiliary")
    )
