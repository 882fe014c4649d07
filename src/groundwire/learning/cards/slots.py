"""Checks whether an answer stands in the very place of its quote that its question leaves open.

A quote may hold every word of a question and of its answer, and say the answer of something else:
"plants take up carbon dioxide and release oxygen". These rules bind the answer to the words that
the question asks about: nothing that could be the answer instead stands between them. They go by
the order of words and by commas, and hardly by parts of speech, which are often misread. What they
find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise, product

from groundwire.language import Reading, Span
from groundwire.learning.cards.arguments import (
    COMMAS,
    Window,
    doubt,
    is_article,
    is_content,
    is_in,
    items_of,
    joins,
    known_words,
)
from groundwire.learning.cards.matching import is_name, is_token, is_word, keys, places_of
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap
from groundwire.quantities import resolve_unit

_HELPING = frozenset(("be", "do", "have", "sein", "haben", "werden", "是", "有"))


_CAUSAL = ("causing", "reasoning", "inquiring")


_WHY = frozenset(("why", "reason"))


_MOST_WAYS = 64


_YEAR_DIGITS = 4


def sentences_of(held: Reading) -> list[list[Span]]:
    """Return the spans of each sentence of a quote."""
    return [
        [span for span in held.spans if one.start <= span.start < one.end] for one in held.sentences
    ]


def window_of(answers: Sequence[Sequence[Span]], spans: Sequence[Span]) -> Window | None:
    """Return the shortest part that holds each span of an answer; None where one is missing."""
    at = {span.start: n for n, span in enumerate(spans)}
    places = [sorted({at[s.start] for s in found if s.start in at}) for found in answers]
    if not places or not all(places):
        return None
    ways = 1
    for one in places:
        ways *= len(one)
    if ways > _MOST_WAYS:
        places = [one[:1] for one in places]
    best = min(product(*places), key=lambda way: (max(way) - min(way), min(way)))
    return Window(spans, min(best), max(best), frozenset(best))


def torn_gap(said: Reading, window: Window) -> Gap | None:
    """The gap of a phrase whose words the quote has in two parts: "last" and "third of the night".

    An answer with a verb, or with commas of its own, may be gathered from several parts.
    """
    if any(token.tag == "verb" or token.text in COMMAS for token in said.tokens):
        return None
    if len(window.own) < 2 or any(joins(span) for span in said.spans):
        return None
    for n in range(window.start + 1, window.stop):
        if window.spans[n].text in COMMAS:
            return Gap("attachment", f"{window.text[:80]!r} is of two parts of the quote.")
    return None


def _dimension(span: Span) -> str | None:
    if span.period is not None:
        return "period"
    if span.quantity is None:
        return None
    # "Two weeks" counts weeks where it is read without a unit.
    unit = resolve_unit(span.quantity.unit or span.quantity.noun or "1")
    dimension = unit.dimension if unit is not None else span.quantity.unit or "number"
    return "time" if dimension == "calendar" else dimension


def figure_of_question_gap(asked: Reading, window: Window, held: Reading) -> Gap | None:
    """The gap of an answer that another figure parts from that of the question.

    "Silver melts at 962 °C and gold at 1064 °C" tells of 1064 °C nothing about silver.
    """
    wanted = [span for span in asked.spans if span.quantity is not None or span.period is not None]
    for span in wanted:
        kind = _dimension(span)
        proving = places_of(span, held) or _same_values(span, window)
        same = [n for n, one in enumerate(window.spans) if one in proving and n not in window.own]
        if not same:
            continue
        near = min(same, key=lambda n: min(abs(n - window.start), abs(n - window.stop)))
        low, high = sorted((near, window.start if near < window.start else window.stop))
        for between in window.spans[low + 1 : high]:
            if _dimension(between) == kind and between not in proving:
                return doubt(window, between.text)
    return None


def _same_values(span: Span, window: Window) -> list[Span]:
    """The figures of a sentence that leave the unit out: "from 30 metres, the tern from six"."""
    figure = span.quantity
    return [
        one
        for one in window.spans
        if figure is not None and one.quantity is not None and one.quantity.value == figure.value
    ]


def zone_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a figure that stands with another thing: "the first takes 6 days, the second 14".

    Between two figures of one kind the last comma or conjunction parts what is said of each. A word
    of the question in a later zone is said of the figure there. One in an earlier zone may be left
    out in the zone of the answer, unless something else is named in its place.
    """
    kinds = {_dimension(window.spans[n]) for n in window.own} - {None}
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    figures = [
        n
        for n, one in enumerate(window.spans)
        if _dimension(one) == kind or (kind not in ("number", "period") and _is_bare(one))
    ]
    cuts = [0]
    for one, other in pairwise(figures):
        parting = [n for n in range(one + 1, other) if _parts(window.spans[n])]
        if not parting:
            return None
        cuts.append(parting[-1])
    cuts.append(len(window.spans))
    zones = [window.spans[start:stop] for start, stop in pairwise(cuts)]
    own = next((n for n, stop in enumerate(cuts[1:]) if window.start < stop), 0)
    known = known_words(asked)
    here = frozenset(key for one in zones[own] for key in keys(one))
    others = [
        one
        for one in zones[own]
        if is_content(one) and _dimension(one) is None and not is_in(one, known)
        if any(token.tag in ("noun", "name") for token in one.tokens)
    ]
    if any(is_token(token, "pointing") for one in zones[own] for token in one.tokens):
        # "Its year of 225 days" is of what an earlier zone names.
        others = []
    for item in items_of(asked):
        if is_in(item, here):
            continue
        at = [
            n for n, zone in enumerate(zones) if any(is_in(s, frozenset(keys(item))) for s in zone)
        ]
        if at and (min(at) > own or (others and max(at) < own)):
            return doubt(window, item.text)
    return None


def _is_bare(span: Span) -> bool:
    """Whether a figure leaves its unit out: "1,480 m per second in water and 343 in air"."""
    figure = span.quantity
    return figure is not None and not figure.unit and not figure.noun and span.period is None


def _parts(span: Span) -> bool:
    return span.text in COMMAS or joins(span) or is_word(span, "contrasting")


def home_gap(asked: Reading, window: Window, parts: Sequence[Segment]) -> Gap | None:
    """The gap of an answer in a part with another verb than that of the question.

    "The Danube rises in one country and flows into the sea in another": the verb that is asked for
    stands in a part that has something else in the place of the answer. The first thing of a
    sentence may be the subject of all its verbs, and a reason or relative clause has its own.
    """
    first = next((n for n, one in enumerate(window.spans) if is_content(one)), 0)
    senses = {one.role.sense for one in asked.spans if one.role and asks(one)}
    is_first = window.start <= first
    if senses & {"why", "reason", "how"}:
        return None
    answer = [window.spans[n] for n in window.own]
    own = [part for part in parts if any(one in part.spans for one in answer)]
    if not own:
        return None
    known = known_words(asked) | {key for one in answer for key in keys(one)}
    items = items_of(asked)
    asked_last = items[-1] if items else None
    for item in [*items, *filter(_acts, asked.spans)]:
        verb = frozenset(keys(item))
        if any(verb & part.words for part in own):
            continue
        for part in parts:
            if part.sentence != own[0].sentence or not verb & part.words:
                continue
            is_verb = any(
                token.tag == "verb" and verb.intersection(keys(one))
                for one in part.spans
                for token in one.tokens
            )
            is_verb = is_verb or (verb & _predicates(part) and item == asked_last)
            depends = _depends(part, is_first=is_first)
            rival = next((o for o in part.spans if is_content(o) and not is_in(o, known)), None)
            other = bool(part.subject) and not part.subject & known
            depends = depends or (is_first and not other and not _has_subject(part, known))
            tells = rival is not None or (is_first and other)
            if is_verb and tells and not depends and all(map(_has_verb, own)):
                return doubt(window, item.text)
    return None


def _depends(part: Segment, *, is_first: bool) -> bool:
    """Whether a part begins with a word that ties it to another.

    Beside an answer that its sentence begins with, an article before a noun does not. German "die"
    begins a relative clause where no noun follows it.
    """
    first, following = part.spans[0], part.spans[1:2]
    if is_first and is_article(first):
        return not any(t.tag in ("noun", "name") for one in following for t in one.tokens)
    return first.role is not None and first.role.sense != "conjunction"


def _has_subject(part: Segment, known: frozenset[str]) -> bool:
    """Whether a part has a thing of its own before its verb, which its card does not name."""
    for n, one in enumerate(part.spans):
        if any(token.tag == "verb" for token in one.tokens):
            return False
        leads = n and is_preposition(part.spans[n - 1])
        named = any(token.tag in ("noun", "name") for token in one.tokens)
        if named and not leads and not is_in(one, known):
            return True
    return False


def _predicates(part: Segment) -> set[str]:
    """The words right behind a form of "be": "is dry"."""
    return {
        key
        for one, behind in pairwise(part.spans)
        if one.role is not None and one.role.role == "being"
        if any(token.tag == "adjective" for token in behind.tokens)
        for key in keys(behind)
    }


def _acts(span: Span) -> bool:
    """Whether a verb that helps elsewhere, as German "geben", says what is done."""
    return any(
        token.tag == "verb" and not {token.lemma, token.key} & (_HELPING | MODAL)
        for token in span.tokens
    )


def _has_verb(part: Segment) -> bool:
    return any(token.tag == "verb" for one in part.spans for token in one.tokens)


def _part(window: Window) -> tuple[int, int]:
    """Return the places between which the answer stands without a comma, both exclusive."""
    low, high = window.start, window.stop
    while low >= 0 and window.spans[low].text not in COMMAS:
        low -= 1
    while high < len(window.spans) and window.spans[high].text not in COMMAS:
        high += 1
    return low, high


def adjunct_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "in winter" where the answer stands with "in summer", and winter elsewhere."""
    low, high = _part(window)
    inside = window.spans[low + 1 : high]
    known = frozenset(key for span in inside for key in keys(span))
    for n, span in enumerate(asked.spans[1:], 1):
        lead = asked.spans[n - 1]
        if not is_preposition(lead) or is_in(span, known) or span.kind == "sign":
            continue
        own = frozenset(keys(span))
        outside = [*window.spans[: low + 1], *window.spans[high:]]
        if not any(is_in(one, own) for one in outside):
            continue
        leads = frozenset(keys(lead))
        for m, one in enumerate(inside[:-1]):
            rival = inside[m + 1]
            place = low + 1 + m + 1
            if (
                is_preposition(one)
                and is_in(one, leads)
                and place not in window.own
                and not is_in(rival, known_words(asked))
                and rival.role != lead.role
            ):
                return doubt(window, f"{one.text} {rival.text}")
    return None


def compared_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what is faster than light" where the quote has "light is faster than sound".

    So of a question for the other side: "than what is light faster".
    """
    wanted, held = _standard(asked.spans), _standard(window.spans)
    if wanted is None or held is None:
        return None
    is_answer = any(window.spans[n] == held for n in window.own)
    if is_answer == asks(wanted):
        return None
    return doubt(window, held.text)


def _standard(spans: Sequence[Span]) -> Span | None:
    """Return the first span behind "than" that says or asks something, or None."""
    at = next((n for n in range(len(spans)) if _compares(spans, n)), None)
    if at is None:
        return None
    return next((one for one in spans[at + 1 :] if is_content(one) or asks(one)), None)


def _compares(spans: Sequence[Span], at: int) -> bool:
    """Whether a span is the "than" of a comparison; German "als" follows a comparative."""
    if not any(is_token(token, "comparing") for token in spans[at].tokens):
        return False
    if spans[at + 1 : at + 2] and spans[at + 1].quantity is not None:
        return False
    before = spans[at - 1] if at else None
    graded = before is not None and (before.kind == "comparison" or before.text.endswith("er"))
    graded = graded or len(spans[at].tokens) > 1
    return graded or spans[at].tokens[0].language != "de"


def cause_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a reason that does not stand behind the "because" of its sentence."""
    senses = {one.role.sense for one in asked.spans if one.role and asks(one)}
    if not senses & {"why", "reason"}:
        return None
    at = next((n for n, one in enumerate(window.spans) if _because(one)), None)
    if at is None:
        return None
    end = next(
        (n for n in range(at + 1, len(window.spans)) if window.spans[n].text in COMMAS),
        len(window.spans),
    )
    # A Chinese reason stands before what it explains, and ends with its clause.
    fronted = at == 0 or window.spans[at].tokens[0].language == "zh"
    inside = [n for n in window.own if n > at and (not fronted or n <= end)]
    if len(inside) * 2 >= len(window.own):
        return None
    return Gap(
        "attachment",
        f"The quote gives another reason, behind {window.spans[at].text[:40]!r}.",
        (" ".join(one.text for one in window.spans[at:end])[:200],),
    )


def reason_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of an answer from a reason where all that is asked stands before it.

    "It is dry because the mountains block the wind" does not say that the mountains are dry.
    """
    at = next((n for n, one in enumerate(window.spans) if n and _because(one)), None)
    if at is None or window.start <= at:
        return None
    asks_cause = any(
        (one.role is not None and one.role.role == "question" and one.role.sense in _WHY)
        or any(is_token(token, table) for token in one.tokens for table in _CAUSAL)
        for one in asked.spans
    )
    reason = frozenset(key for one in window.spans[at:] for key in keys(one))
    before = frozenset(key for one in window.spans[:at] for key in keys(one))
    items = items_of(asked)
    if asks_cause or not any(is_in(one, before) for one in items):
        return None
    return None if any(is_in(one, reason) for one in items) else doubt(window, items[-1].text)


def _because(span: Span) -> bool:
    return any(is_token(token, "because") for token in span.tokens)


def year_in_name_gap(window: Window) -> Gap | None:
    """The gap of a date that is part of a name: "the 1915 bridge"."""
    first = window.spans[window.start]
    is_year = first.text.isdigit() and len(first.text) == _YEAR_DIGITS
    if window.start != window.stop or not (is_year or first.period is not None):
        return None
    before = window.spans[max(0, window.start - 1) : window.start]
    behind = window.spans[window.stop + 1 : window.stop + 2]
    if before and behind and is_article(before[0]) and is_name(behind[0], 1):
        return Gap("attachment", f"{first.text!r} is part of a name in the quote, and no date.")
    return None
