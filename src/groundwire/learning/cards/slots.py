"""Whether an answer stands in the very place of its quote that its question leaves open.

A quote may hold every word of a question and of its answer, and say the answer of something else:
"plants take up carbon dioxide and release oxygen". These rules bind the answer to the words that
the question asks about: nothing that could be the answer instead stands between them. They go by
the order of words and by commas, and hardly by parts of speech, which are often misread. What they
find puts a card in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from groundwire.language import Reading, Span
from groundwire.learning.cards.bearing import names_kind
from groundwire.learning.cards.matching import denies, is_name, is_token, is_word, keys, places_of
from groundwire.learning.cards.reversal import asks, is_preposition
from groundwire.learning.cards.roles import MODAL
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap
from groundwire.quantities import resolve_unit

_COMMAS = frozenset(",，、;；:：")
_PASSIVE = frozenset(("by", "von", "vom", "durch", "wurde", "wurden", "被", "由"))
_RELATIVE = frozenset(("which", "who", "that", "whose", "whom"))
_PARTICLES = frozenset(("up", "down", "out", "off", "away", "in", "on", "over"))
_HELPING = frozenset(("be", "do", "have", "sein", "haben", "werden", "是", "有"))
_MOST_WAYS = 64
_YEAR_DIGITS = 4
# Kinds of spans that only shade a statement and cannot be an answer themselves.
_SHADING = frozenset(("approximation", "bound", "quantifier", "comparison", "time", "order"))


@dataclass(frozen=True, slots=True)
class Window:
    """The shortest part of a sentence that holds all of an answer.

    Attributes:
        spans: the spans of the sentence.
        start: the place of the first span of the answer.
        stop: the place of the last one.
        own: the places of all of its spans.
    """

    spans: Sequence[Span]
    start: int
    stop: int
    own: frozenset[int]

    @property
    def text(self) -> str:
        """The answer as the sentence has it."""
        return " ".join(span.text for span in self.spans[self.start : self.stop + 1])


def slot_gaps(
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
    windows = [one for spans in _sentences(held) if (one := _window(answers, spans)) is not None]
    if not windows:
        return []
    found = [_gap(asked, said, window, held, parts) for window in windows]
    # One sentence that gives the answer where it is asked for is enough.
    return [] if None in found else [gap for gap in found[:1] if gap is not None]


def _gap(
    asked: Reading, said: Reading, window: Window, held: Reading, parts: Sequence[Segment]
) -> Gap | None:
    return (
        _torn_gap(said, window)
        or _figure_of_question_gap(asked, window, held)
        or _zone_gap(asked, window)
        or _home_gap(asked, window, parts)
        or _adjunct_gap(asked, window)
        or _done_gap(asked, said, window)
        or _doing_gap(asked, said, window)
        or _compared_gap(asked, window)
        or _cause_gap(asked, window)
        or _year_in_name_gap(window)
        or _statement_gap(asked, said, window)
    )


def _sentences(held: Reading) -> list[list[Span]]:
    return [
        [span for span in held.spans if one.start <= span.start < one.end] for one in held.sentences
    ]


def _window(answers: Sequence[Sequence[Span]], spans: Sequence[Span]) -> Window | None:
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


def _doubt(window: Window, instead: str) -> Gap:
    detail = f"The quote says that of {window.text[:60]!r} beside {instead[:60]!r}: it is not clear"
    return Gap("attachment", f"{detail} which of both the question asks for.")


def _is_content(span: Span) -> bool:
    """Whether a span says something by itself: no article, mark, helping verb or adverb."""
    if span.kind == "sign" or denies(span) or any(t.lemma in MODAL for t in span.tokens):
        return False
    if any(token.tag in ("verb", "noun", "name") for token in span.tokens):
        # "Lowers" compares elsewhere; here it is what is done.
        return span.role is None or span.role.role not in ("function", "being", "question")
    if span.kind in _SHADING:
        return False
    role = span.role
    if role is not None and role.role in ("function", "being", "having", "question"):
        return False
    return not all(token.tag in ("function", "sign", "adverb") for token in span.tokens)


def _items(asked: Reading) -> list[Span]:
    """The spans of a question that say something, without the kind that it asks for."""
    spans = asked.spans
    return [one for n, one in enumerate(spans) if _is_content(one) and not names_kind(spans, n)]


def _known(asked: Reading) -> frozenset[str]:
    return frozenset(key for span in asked.spans for key in keys(span))


def _is_in(span: Span, known: frozenset[str]) -> bool:
    return bool(known.intersection(keys(span)))


def _torn_gap(said: Reading, window: Window) -> Gap | None:
    """The gap of a phrase whose words the quote has in two parts: "last" and "third of the night".

    An answer with a verb, or with commas of its own, may be gathered from several parts.
    """
    if any(token.tag == "verb" or token.text in _COMMAS for token in said.tokens):
        return None
    if len(window.own) < 2 or any(_joins(span) for span in said.spans):
        return None
    for n in range(window.start + 1, window.stop):
        if window.spans[n].text in _COMMAS:
            return Gap("attachment", f"{window.text[:80]!r} is of two parts of the quote.")
    return None


def _joins(span: Span) -> bool:
    return span.role is not None and span.role.sense == "conjunction"


def _dimension(span: Span) -> str | None:
    if span.period is not None:
        return "period"
    if span.quantity is None:
        return None
    # "Two weeks" counts weeks where it is read without a unit.
    unit = resolve_unit(span.quantity.unit or span.quantity.noun or "1")
    dimension = unit.dimension if unit is not None else span.quantity.unit or "number"
    return "time" if dimension == "calendar" else dimension


def _figure_of_question_gap(asked: Reading, window: Window, held: Reading) -> Gap | None:
    """The gap of an answer that another figure parts from that of the question.

    "Silver melts at 962 °C and gold at 1064 °C" tells of 1064 °C nothing about silver.
    """
    wanted = [span for span in asked.spans if span.quantity is not None or span.period is not None]
    for span in wanted:
        kind = _dimension(span)
        proving = places_of(span, held)
        same = [n for n, one in enumerate(window.spans) if one in proving and n not in window.own]
        if not same:
            continue
        near = min(same, key=lambda n: min(abs(n - window.start), abs(n - window.stop)))
        low, high = sorted((near, window.start if near < window.start else window.stop))
        for between in window.spans[low + 1 : high]:
            if _dimension(between) == kind and between not in proving:
                return _doubt(window, between.text)
    return None


def _zone_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a figure that stands with another thing: "the first takes 6 days, the second 14".

    Between two figures of one kind the last comma or conjunction parts what is said of each. A word
    of the question in a later zone is said of the figure there. One in an earlier zone may be left
    out in the zone of the answer, unless something else is named in its place.
    """
    kinds = {_dimension(window.spans[n]) for n in window.own} - {None}
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    figures = [n for n, one in enumerate(window.spans) if _dimension(one) == kind]
    cuts = [0]
    for one, other in pairwise(figures):
        parting = [n for n in range(one + 1, other) if _parts(window.spans[n])]
        if not parting:
            return None
        cuts.append(parting[-1])
    cuts.append(len(window.spans))
    zones = [window.spans[start:stop] for start, stop in pairwise(cuts)]
    own = next((n for n, stop in enumerate(cuts[1:]) if window.start < stop), 0)
    known = _known(asked)
    here = frozenset(key for one in zones[own] for key in keys(one))
    others = [
        one
        for one in zones[own]
        if _is_content(one) and _dimension(one) is None and not _is_in(one, known)
        if any(token.tag in ("noun", "name") for token in one.tokens)
    ]
    if any(is_token(token, "pointing") for one in zones[own] for token in one.tokens):
        # "Its year of 225 days" is of what an earlier zone names.
        others = []
    for item in _items(asked):
        if _is_in(item, here):
            continue
        at = [
            n for n, zone in enumerate(zones) if any(_is_in(s, frozenset(keys(item))) for s in zone)
        ]
        if at and (min(at) > own or (others and max(at) < own)):
            return _doubt(window, item.text)
    return None


def _parts(span: Span) -> bool:
    return span.text in _COMMAS or _joins(span) or is_word(span, "contrasting")


def _home_gap(asked: Reading, window: Window, parts: Sequence[Segment]) -> Gap | None:
    """The gap of an answer in a part with another verb than that of the question.

    "The Danube rises in one country and flows into the sea in another": the verb that is asked for
    stands in a part that has something else in the place of the answer. The first thing of a
    sentence may be the subject of all its verbs, and a reason or relative clause has its own.
    """
    first = next((n for n, one in enumerate(window.spans) if _is_content(one)), 0)
    senses = {one.role.sense for one in asked.spans if one.role and asks(one)}
    if window.start <= first or senses & {"why", "reason", "how"}:
        return None
    answer = [window.spans[n] for n in window.own]
    own = [part for part in parts if any(one in part.spans for one in answer)]
    if not own:
        return None
    known = _known(asked) | {key for one in answer for key in keys(one)}
    for item in [*_items(asked), *filter(_acts, asked.spans)]:
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
            depends = part.spans[0].role is not None and part.spans[0].role.sense != "conjunction"
            rival = next((o for o in part.spans if _is_content(o) and not _is_in(o, known)), None)
            if is_verb and rival is not None and not depends and all(map(_has_verb, own)):
                return _doubt(window, item.text)
    return None


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
    while low >= 0 and window.spans[low].text not in _COMMAS:
        low -= 1
    while high < len(window.spans) and window.spans[high].text not in _COMMAS:
        high += 1
    return low, high


def _adjunct_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "in winter" where the answer stands with "in summer", and winter elsewhere."""
    low, high = _part(window)
    inside = window.spans[low + 1 : high]
    known = frozenset(key for span in inside for key in keys(span))
    for n, span in enumerate(asked.spans[1:], 1):
        lead = asked.spans[n - 1]
        if not is_preposition(lead) or _is_in(span, known) or span.kind == "sign":
            continue
        own = frozenset(keys(span))
        outside = [*window.spans[: low + 1], *window.spans[high:]]
        if not any(_is_in(one, own) for one in outside):
            continue
        leads = frozenset(keys(lead))
        for m, one in enumerate(inside[:-1]):
            rival = inside[m + 1]
            place = low + 1 + m + 1
            if (
                is_preposition(one)
                and _is_in(one, leads)
                and place not in window.own
                and not _is_in(rival, _known(asked))
                and rival.role != lead.role
            ):
                return _doubt(window, f"{one.text} {rival.text}")
    return None


def _is_english(asked: Reading) -> bool:
    return bool(asked.tokens) and asked.tokens[0].language == "en"


def _asks_thing(asked: Reading) -> bool:
    """Whether a question asks who or what it is, and not when, where, why or how."""
    first = asked.spans[0] if asked.spans else None
    return (
        first is not None
        and asks(first)
        and first.role is not None
        and first.role.sense in ("what", "who")
        and len(first.tokens) == 1
    )


def _is_passive(asked: Reading, window: Window) -> bool:
    tokens = [token for span in window.spans for token in span.tokens]
    return any(token.key in _PASSIVE for token in (*tokens, *asked.tokens))


def _starts(span: Span, window: Window) -> list[int]:
    known = frozenset(keys(span))
    return [n for n, one in enumerate(window.spans) if _is_in(one, known) and n not in window.own]


def _done_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "what do plants release" whose answer is not what stands behind "release".

    "Do" shows which word is the verb: the last one before a preposition. Between it and the answer
    stands nothing that could be the answer instead, unless it is joined to it by a comma or "and".
    """
    if not _is_english(asked) or not _asks_thing(asked) or _is_passive(asked, window):
        return None
    spans = asked.spans
    at = next((n for n, one in enumerate(spans) if one.tokens[0].lemma == "do"), None)
    if at is None or any(token.tag == "verb" for token in said.tokens):
        return None
    rest = spans[at + 1 :]
    stop = next((n for n, one in enumerate(rest) if n and is_preposition(one)), len(rest))
    phrase = [one for one in rest[:stop] if one.kind != "sign" and not _is_article(one)]
    if len(phrase) < 2:
        return None
    verb = phrase[-1]
    if verb.tokens[-1].key in _PARTICLES and len(phrase) > 2:
        # "Take up": the verb is the word before its particle.
        verb = phrase[-2]
    subjects = _starts(phrase[0], window)
    places = [n for n in _starts(verb, window) if n < window.start]
    places = [n for n in places if not subjects or n > subjects[0]] or places
    if not places:
        return _doubt(window, verb.text) if _starts(verb, window) else None
    known = _known(asked)
    # The verb of a relative clause has another subject: "A taught B, who taught C".
    free = [n for n in places if not any(map(_is_relative, window.spans[max(0, n - 2) : n]))]
    gaps = [_crossing(window, window.spans[n + 1 : window.start], known) for n in free or places]
    return None if None in gaps else gaps[0]


def _crossing(window: Window, between: Sequence[Span], known: frozenset[str]) -> Gap | None:
    """The gap of something else that stands between an answer and its verb, unless in a list."""
    rivals = [n for n, one in enumerate(between) if _is_content(one) and not _is_in(one, known)]
    rivals = [n for n in rivals if not _describes(between, n)]
    if not rivals:
        return None
    behind = between[rivals[-1] + 1 :]
    listed = behind and all(
        one.text in _COMMAS or _joins(one) or _is_article(one) or not _is_content(one)
        for one in behind
    )
    joined = any(one.text in _COMMAS or _joins(one) for one in behind)
    clause = any(map(_is_relative, between))
    if listed and joined and not clause and not any(map(is_preposition, between)):
        return None
    return _doubt(window, between[rivals[-1]].text)


def _is_relative(span: Span) -> bool:
    return any(token.key in _RELATIVE for token in span.tokens)


def _describes(spans: Sequence[Span], at: int) -> bool:
    """Whether a span is an adjective or part of the noun phrase that the answer ends."""
    rest = spans[at:]
    adjectives = all(t.tag == "adjective" for one in rest for t in one.tokens)
    return adjectives or spans[at].quantity is not None


def _is_article(span: Span) -> bool:
    return span.role is not None and span.role.sense == "determiner"


def _doing_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of "which hormone raises it" whose answer is not what stands before "raises".

    Of a question without "do" the answer is the subject: of the words behind it in the quote, the
    next one that says something is of the question. What commas enclose is passed over.
    """
    if not _is_english(asked) or not _asks_thing(asked) or _is_passive(asked, window):
        return None
    if any(one.tokens[0].lemma == "do" for one in asked.spans):
        return None
    if any(token.tag == "verb" for token in said.tokens) or _identifies(asked, window):
        return None
    if _is_of_being(asked.spans):
        return _undergone_gap(asked, window)
    known = _known(asked)
    rest = list(window.spans[window.stop + 1 :])
    items = _items(asked)
    if not items:
        return None
    verbs = frozenset(keys(items[0]))
    places = [n for n, one in enumerate(rest) if _is_content(one) and _is_in(one, verbs)]
    places = places or [n for n, one in enumerate(rest) if _is_content(one) and _is_in(one, known)]
    if not places:
        return _behind_gap(asked, window)
    between = rest[: places[0]]
    first = next((n for n, one in enumerate(window.spans) if _is_content(one)), 0)
    if between and _joins_verb(between[-1]) and first >= window.start:
        # One subject has several verbs: "exports less, but drinks half of it".
        return None
    if between and between[0].text in _COMMAS:
        relative = len(between) > 1 and _is_relative(between[1])
        commas = [n for n, one in enumerate(between) if one.text in _COMMAS]
        between = between[commas[-1] :] if len(commas) > 1 else between[2:] if relative else between
    clauses = [one for one in between if one.text in _COMMAS]
    rivals = [
        n
        for n, one in enumerate(between)
        if _is_content(one) and not _is_in(one, known)
        if not _is_adjunct(between, n) and one.quantity is None
    ]
    if rivals and not (len(rivals) == 1 and _is_compound(window, between)):
        return _doubt(window, between[rivals[-1]].text)
    return _doubt(window, clauses[-1].text) if clauses and len(between) > 1 else None


def _undergone_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what is stored in it" whose answer does something: "A makes it store B"."""
    at = next((n for n, one in enumerate(asked.spans) if one.role and one.role.role == "being"), 0)
    following = asked.spans[at + 1 : at + 2]
    if not following or not any(token.tag == "verb" for token in following[0].tokens):
        return None
    places = _starts(following[0], window)
    if len(places) != 1 or places[0] < window.stop:
        return None
    between = window.spans[window.stop + 1 : places[0]]
    is_passive = any(one.role is not None and one.role.role == "being" for one in between)
    return None if is_passive else _doubt(window, window.spans[places[0]].text)


def _is_of_being(spans: Sequence[Span]) -> bool:
    """Whether a question asks what something is, or what is done: "which is found in it"."""
    at = next((n for n, one in enumerate(spans) if one.role and one.role.role == "being"), None)
    if at is None:
        return False
    following = spans[at + 1 : at + 2]
    return at == 1 or any(token.tag == "verb" for one in following for token in one.tokens)


def _joins_verb(span: Span) -> bool:
    """Whether a span joins another verb to a subject, or is the pronoun of the subject itself."""
    return _joins(span) or is_word(span, "contrasting") or is_word(span, "adding")


def _is_compound(window: Window, between: Sequence[Span]) -> bool:
    """Whether the answer leaves out the last word of its noun phrase: "nuclear" of a "plant"."""
    return (
        len(between) == 1
        and between[0].start == window.spans[window.stop].end + 1
        and all(token.tag == "noun" for token in between[0].tokens)
    )


def _is_adjunct(spans: Sequence[Span], at: int) -> bool:
    """Whether a preposition stands before a span, with at most its article and adjectives."""
    for one in reversed(spans[max(0, at - 3) : at]):
        if is_preposition(one):
            return True
        if one.text in _COMMAS:
            return False
    return False


def _identifies(asked: Reading, window: Window) -> bool:
    """Whether question and sentence say what something is, so that both ends may be the answer."""
    is_be = any(one.role is not None and one.role.role == "being" for one in asked.spans[:4])
    behind = window.spans[max(0, window.start - 3) : window.start]
    names = any(is_token(t, "naming") for one in (*asked.spans, *behind) for t in one.tokens)
    copula = any(one.role is not None and one.role.role == "being" for one in behind)
    return names or (is_be and copula)


def _behind_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a subject behind which nothing of its question stands, but before a comma."""
    items = [one for one in _items(asked) if _starts(one, window)]
    if not items:
        return None
    before = window.spans[: window.start]
    copula = before and any(
        one.role is not None and one.role.role == "being" for one in before[-4:]
    )
    return None if copula else _doubt(window, items[-1].text)


def _compared_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of "what is faster than light" where the quote has "light is faster than sound".

    So of a question for the other side: "than what is light faster".
    """
    wanted, held = _standard(asked.spans), _standard(window.spans)
    if wanted is None or held is None:
        return None
    is_answer = any(window.spans[n] == held for n in window.own)
    if is_answer == asks(wanted):
        return None
    return _doubt(window, held.text)


def _standard(spans: Sequence[Span]) -> Span | None:
    """Return the first span behind "than" that says or asks something, or None."""
    at = next((n for n in range(len(spans)) if _compares(spans, n)), None)
    if at is None:
        return None
    return next((one for one in spans[at + 1 :] if _is_content(one) or asks(one)), None)


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


def _cause_gap(asked: Reading, window: Window) -> Gap | None:
    """The gap of a reason that does not stand behind the "because" of its sentence."""
    senses = {one.role.sense for one in asked.spans if one.role and asks(one)}
    if not senses & {"why", "reason"}:
        return None
    at = next((n for n, one in enumerate(window.spans) if _because(one)), None)
    if at is None:
        return None
    end = next(
        (n for n in range(at + 1, len(window.spans)) if window.spans[n].text in _COMMAS),
        len(window.spans),
    )
    fronted = at == 0
    inside = [n for n in window.own if n > at and (not fronted or n <= end)]
    if len(inside) * 2 >= len(window.own):
        return None
    return Gap(
        "attachment",
        f"The quote gives another reason, behind {window.spans[at].text[:40]!r}.",
        (" ".join(one.text for one in window.spans[at:end])[:200],),
    )


def _because(span: Span) -> bool:
    return any(is_token(token, "because") for token in span.tokens)


def _year_in_name_gap(window: Window) -> Gap | None:
    """The gap of a date that is part of a name: "the 1915 bridge"."""
    first = window.spans[window.start]
    is_year = first.text.isdigit() and len(first.text) == _YEAR_DIGITS
    if window.start != window.stop or not (is_year or first.period is not None):
        return None
    before = window.spans[max(0, window.start - 1) : window.start]
    behind = window.spans[window.stop + 1 : window.stop + 2]
    if before and behind and _is_article(before[0]) and is_name(behind[0], 1):
        return Gap("attachment", f"{first.text!r} is part of a name in the quote, and no date.")
    return None


def _statement_gap(asked: Reading, said: Reading, window: Window) -> Gap | None:
    """The gap of an answer that says the other way round what its sentence says: "B paid A"."""
    if not _is_english(said) and not (said.tokens and said.tokens[0].language == "zh"):
        return None
    things: list[tuple[int, int]] = []
    verb: int | None = None
    for order, span in enumerate(said.spans):
        if not _is_content(span):
            continue
        known = frozenset(keys(span))
        at = [n for n in window.own if _is_in(window.spans[n], known)]
        if len(at) != 1:
            continue
        if any(token.tag == "verb" for token in span.tokens):
            verb = at[0]
        else:
            things.append((order, at[0]))
    if verb is None or len(things) < 2:
        return None
    first, last = things[0][1], things[-1][1]
    passive = [
        any(t.key in _PASSIVE for one in spans for t in one.tokens)
        for spans in (said.spans, window.spans)
    ]
    if (first < verb < last) == (passive[0] == passive[1]) or not (
        first < verb < last or last < verb < first
    ):
        return None
    return Gap("attachment", f"The quote says it the other way round: {window.text[:80]!r}.")
