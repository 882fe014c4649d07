"""Whether a card may be taken: its form, its quote, and that the quote proves it.

A word of the back that does not stand in the quote is a gap, whatever it means: what was not
understood is never taken for proven. This module has the order of all checks; each of them is a
function of a module beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from groundwire.language import Reading, Span
from groundwire.learning.cards.acting import doing_gap, done_gap, statement_gap, voice_gap
from groundwire.learning.cards.argument_roles import argument_gap
from groundwire.learning.cards.arguments import (
    Window,
)
from groundwire.learning.cards.bearing import unborne_gaps
from groundwire.learning.cards.binding import binding_gap, order_of_time_gap, shortened_gap
from groundwire.learning.cards.clause_roles import together_gap
from groundwire.learning.cards.cloze import parse_cloze
from groundwire.learning.cards.degrees import degree_gap
from groundwire.learning.cards.equivalents import sentences_apart, without_choice
from groundwire.learning.cards.figures import (
    bounded_places,
    era_gaps,
    figure_gaps,
    is_turned,
    missing_gap,
)
from groundwire.learning.cards.form import cloze_gaps, cut_gaps, form_gaps, hidden_in
from groundwire.learning.cards.keeping import (
    asked_polarity_gaps,
    polarity_gaps,
    privation_gap,
    reason_gaps,
    reference_gap,
)
from groundwire.learning.cards.matching import (
    counted_places,
    denies,
    literal_places,
    places_of,
    standing,
    stands_in,
)
from groundwire.learning.cards.pairing import pairing_gap
from groundwire.learning.cards.proof import (
    MOST_GAPS,
    Quote,
    count_gap,
    count_places,
    front_gaps,
    is_helping,
    left_out_gaps,
    literal_gaps,
    reply_gaps,
    sign_gaps,
    stands_in_order,
    subject_gaps,
    way_gaps,
    without_reply,
)
from groundwire.learning.cards.qualifiers import description_gap, qualifier_gap
from groundwire.learning.cards.quoting import as_words, locate, nearest, with_signs
from groundwire.learning.cards.roles import asked_verbs, operator_gap, role_gaps
from groundwire.learning.cards.scope import scope_gap
from groundwire.learning.cards.segments import Segment, answering, antecedents, segments
from groundwire.learning.cards.slots import (
    adjunct_gap,
    cause_gap,
    compared_gap,
    figure_of_question_gap,
    home_gap,
    reason_gap,
    sentences_of,
    torn_gap,
    window_of,
    year_in_name_gap,
    zone_gap,
)
from groundwire.learning.cards.types import (
    LONGEST_SUGGESTION,
    CardDraft,
    Gap,
    Passage,
    leaves_open,
)
from groundwire.learning.cards.word_order import attachment_gaps, order_gaps

# What may end a sentence of a card and not that of its quote.
_ENDS = " .!?:;,。！？：；，…"


def check_card(card: CardDraft, passage: Passage) -> list[Gap]:
    """Return why a card with a quote is not taken; nothing where the passage proves it.

    The quote stands in the passage, up to case, spaces and the forms of marks. Every number, date,
    name, negation, unit and word of meaning of the back stands in the quote; the names and figures
    of the front stand in the passage; the front does not hold the back.

    Args:
        card: the card, with a quote.
        passage: the passage that it quotes.
    """
    gaps = form_gaps(card)
    if gaps:
        return gaps
    place = locate(card.quote, passage.text)
    if place is None:
        near = nearest(card.quote, passage.text)
        said = "The quote does not stand in the passage letter by letter."
        return [Gap("quote_not_found", said, (near,) if near else ())]
    quote = Quote(passage, place.start, place.stop)
    if card.type == "cloze":
        return _checked_cloze(card, quote) or cut_gaps(passage, place.start, place.stop)
    if card.type == "image_occlusion":
        return statement_gaps("", card.back, quote) or cut_gaps(passage, place.start, place.stop)
    worded, text = as_words(card, passage)
    if text is not passage:
        return with_signs(check_card(worded, text))
    gaps = _question_gaps(card, passage, quote)
    if not gaps or not leaves_open(gaps) or _is_proven_apart(card, passage):
        return gaps if gaps and not leaves_open(gaps) else []
    return _with_cloze(gaps, card, passage, quote)


def _question_gaps(card: CardDraft, passage: Passage, quote: Quote) -> list[Gap]:
    hidden = hidden_in(card.front, card.back)
    return [
        *([hidden] if hidden else []),
        *front_gaps(card.front, passage),
        *statement_gaps(card.front, card.back, quote),
    ] or cut_gaps(passage, quote.start, quote.stop)


def _is_proven_apart(card: CardDraft, passage: Passage) -> bool:
    """Whether a quote proves a card in a form of both that follows from them."""
    plain = without_choice(card)
    forms = [(one, passage) for one in (plain,) if one is not None]
    for one, text in (*forms, *sentences_apart(plain or card, passage)):
        place = locate(one.quote, text.text)
        if place is not None and not _question_gaps(
            one, text, Quote(text, place.start, place.stop)
        ):
            return True
    return False


def _with_cloze(gaps: list[Gap], card: CardDraft, passage: Passage, quote: Quote) -> list[Gap]:
    """Offer the quote's own sentence, with the back as its hole, where that proves a card.

    It asks for the same in the words of the source, which leave nothing open.
    """
    back = card.back.strip().rstrip(_ENDS)
    for sentence in quote.read(quote.text).sentences:
        text = quote.text[sentence.start : sentence.end].strip()
        at = [place for place in standing(back.casefold(), text.casefold()) if back]
        if len(at) != 1 or len(text.casefold()) != len(text) or len(back) == len(text):
            continue
        start, stop = at[0]
        front = f"{text[:start]}{{{{c1::{text[start:stop]}}}}}{text[stop:]}"
        cloze = CardDraft("cloze", front, text[start:stop], card.quote)
        if len(front) <= LONGEST_SUGGESTION and not check_card(cloze, passage):
            first = gaps[0]
            return [replace(first, suggestions=(front, *first.suggestions)), *gaps[1:]]
    return gaps


def _checked_cloze(card: CardDraft, quote: Quote) -> list[Gap]:
    cloze = parse_cloze(card.front)
    if cloze is None:
        return cloze_gaps(card)
    hidden = (hidden_in(cloze.masked(number), cloze.answer(number)) for number in cloze.numbers)
    found = next((gap for gap in hidden if gap is not None), None)
    gaps = [found] if found is not None else []
    place = locate(cloze.text.strip().rstrip(_ENDS), quote.text)
    if place is not None:
        # The sentence stands in the quote, so that only what it leaves out can make it false.
        cut = cut_gaps(quote.passage, quote.start + place.start, quote.start + place.stop)
        return gaps or cut or left_out_gaps(cloze.text, quote, place.start, place.stop)
    hole = (literal_gaps(cloze.answer(number), quote) for number in cloze.numbers)
    wrong = next((found for found in hole if found), None) or statement_gaps("", cloze.text, quote)
    if not wrong and not stands_in_order(cloze.text, quote):
        said = "The sentence of the cloze is put together from pieces of the quote: keep it whole."
        wrong = [Gap("attachment", said, (quote.text[:200],))]
    return [*gaps, *wrong]


def statement_gaps(front: str, back: str, quote: Quote) -> list[Gap]:
    """Return why a quote does not prove a back; nothing where it does.

    Args:
        front: the question that the back answers, or "" where the back is a whole statement.
        back: what is said.
        quote: what is to prove it.
    """
    asked, said, held = quote.read(front), quote.read(back), quote.read(quote.text)
    parts = segments(held)
    spans = without_reply(asked, said)
    if said.tokens and all(token.tag == "sign" for token in said.tokens):
        return sign_gaps(back.strip(), quote.text)
    if all(denies(span) or is_helping(span) for span in spans):
        return reply_gaps(asked, said, held, parts)
    gaps: list[Gap] = []
    found: list[list[Span]] = []
    proven: list[tuple[Span, Sequence[Span]]] = []
    bounded: list[Span] = []
    whole = counted_places(back, held)
    for span in spans:
        if len(gaps) >= MOST_GAPS:
            return gaps
        places = whole or places_of(span, held) or literal_places(span, held)
        places = places or count_places(span, asked, held)
        if not places:
            places = bounded_places(span, asked, held)
            bounded += places
        if places:
            found += [] if denies(span) else [places]
            proven.append((span, places))
        elif not stands_in(span, asked):
            gaps.append(count_gap(span, asked, held) or missing_gap(span, held))
    if not gaps and not found and not any(map(denies, spans)):
        return [missing_gap(spans[0], held)]
    gaps += figure_gaps(asked, said, spans, held)
    gaps += way_gaps(said, held)
    gaps += era_gaps(asked, proven, held, said)
    if gaps:
        return gaps
    own = answering(found, parts, asked)
    begun = {part.sentence for part in own}
    gaps += _denial_gaps(asked, said, own, parts, quote.text, bounded)
    gaps += subject_gaps(asked, said, antecedents(own, quote.passage, quote.start))
    weaker = operator_gap((asked, said), [part for part in parts if part.sentence in begun])
    gaps += [weaker] if weaker is not None else []
    left = None if gaps else qualifier_gap((asked, said), own, parts)
    gaps += [left] if left is not None else []
    if not front:
        return gaps
    about = antecedents(own, quote.passage, quote.start)
    if gaps:
        return [*gaps, *unborne_gaps(asked, said, held, about, is_bounded=bool(bounded))]
    return (
        attachment_gaps(asked, spans, own, parts)
        or role_gaps(asked, spans, own, parts, held)
        or order_gaps(asked, said, found, own, held)
        or _slot_gaps(asked, said, found, held, parts)
        or _reference_gaps(asked, said, own, quote)
        or reason_gaps(asked, said, own, parts, found)
        or unborne_gaps(asked, said, held, about, is_bounded=bool(bounded))
    )


def _reference_gaps(
    asked: Reading, said: Reading, own: Sequence[Segment], quote: Quote
) -> list[Gap]:
    """The gap of a question about another thing than a pronoun of every answering sentence."""
    begun = {quote.start + part.spans[0].start for part in own if part.spans}
    gaps = [reference_gap(asked, said, quote.passage, start) for start in sorted(begun)]
    return [] if None in gaps else [gap for gap in gaps[:1] if gap is not None]


def _denial_gaps(
    asked: Reading,
    said: Reading,
    own: Sequence[Segment],
    parts: Sequence[Segment],
    quote: str,
    bounded: Sequence[Span],
) -> list[Gap]:
    """The gaps of a denial that only one of a card and its quote has."""
    begun = {part.sentence for part in own}
    if not asked.spans:
        # A whole statement is held against all that its sentences deny.
        return polarity_gaps(asked, said, [p for p in parts if p.sentence in begun], quote)
    if any(is_turned(place, own) for place in bounded):
        # "Not exceed" is the bound that is asked for, and denies nothing; another negation may.
        others = sum(denies(span) for part in own for span in part.spans) > 1
        return (
            [Gap("attachment", "The quote denies something beside that bound.")] if others else []
        )
    wanted = asked_verbs(asked)
    beside = [p for p in parts if p not in own and p.sentence in begun]
    others = [part for part in beside if wanted & part.words]
    lacks = privation_gap(asked, said, [*own, *beside])
    gaps = polarity_gaps(asked, said, own, quote, is_whole=not others, beside=beside)
    if lacks is not None and not gaps:
        return [lacks]
    return gaps or asked_polarity_gaps(asked, said, own, parts, quote)


def _slot_gaps(
    asked: Reading,
    said: Reading,
    answers: Sequence[Sequence[Span]],
    held: Reading,
    parts: Sequence[Segment],
) -> list[Gap]:
    """Return why an answer does not stand where its question asks; the first reason alone.

    Args:
        asked: the question.
        said: the back.
        answers: for each span of the answer the spans of the quote that it stands at.
        held: the quote.
        parts: its segments.
    """
    windows = [
        one for spans in sentences_of(held) if (one := window_of(answers, spans)) is not None
    ]
    if not windows:
        return []
    found = [_slot_gap(asked, said, window, held, parts) for window in windows]
    # One sentence that gives the answer where it is asked for is enough.
    return [] if None in found else [gap for gap in found[:1] if gap is not None]


def _slot_gap(
    asked: Reading, said: Reading, window: Window, held: Reading, parts: Sequence[Segment]
) -> Gap | None:
    return (
        torn_gap(said, window)
        or figure_of_question_gap(asked, window, held)
        or zone_gap(asked, window)
        or home_gap(asked, window, parts)
        or adjunct_gap(asked, window)
        or done_gap(asked, said, window)
        or doing_gap(asked, said, window)
        or compared_gap(asked, window)
        or cause_gap(asked, window)
        or reason_gap(asked, window)
        or year_in_name_gap(window)
        or statement_gap(asked, said, window)
        or binding_gap(asked, said, window)
        or degree_gap(asked, said, window)
        or order_of_time_gap(said, window)
        or shortened_gap(said, window)
        or argument_gap(asked, said, window)
        or description_gap(asked, said, window)
        or together_gap(asked, said, window)
        or scope_gap(asked, said, window, held)
        or voice_gap(asked, window)
        or pairing_gap(asked, window, held)
    )
