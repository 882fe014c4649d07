"""Whether a question speaks of the part of a quote that its answer is from, or of another."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.matching import denies, is_name, is_token, keys
from groundwire.learning.cards.qualifiers import is_condition_of
from groundwire.learning.cards.roles import verbs_of
from groundwire.learning.cards.segments import Segment, score
from groundwire.learning.cards.types import Gap
from groundwire.quantities import Quantity, resolve_unit

_ANSWERING = frozenset(("direction", "comparison", "opinion", "order", "set_noun"))
# Kinds of what a noun phrase is made of, and roles that begin a clause about something else.
_PHRASE = ("leftover", "name", "set_noun", "unit_noun", "quantifier", "superlative")
_DEPENDING = ("cause", "time", "question", "forecast", "order")
_NOMINAL = ("noun", "name", "adjective", "other")
_CONTENT = frozenset(("noun", "name", "adjective", "adverb", "other"))


def attachment_gaps(
    asked: Reading, spans: Sequence[Span], own: Sequence[Segment], parts: Sequence[Segment]
) -> list[Gap]:
    """Return the gap of an answer from one part of a quote where the question speaks of another.

    Args:
        asked: the question.
        spans: the spans of the answer that say something.
        own: the segments that hold the answer.
        parts: all segments of the quote.
    """
    rivals = [
        part
        for part in parts
        if part not in own
        and not is_condition_of(part, own, parts)
        and all(_is_nearer(part, one, asked) for one in own)
        and any(_rivals(spans, one, asked) for one in _said_with(part, parts, own))
    ]
    if not rivals:
        rivals = _of_another_subject(asked, spans, own, parts) or _of_another_order(asked, own)
    if not rivals:
        return []
    rival = max(rivals, key=lambda part: score(part, asked))
    text = " ".join(span.text for span in rival.spans)
    said = "The question speaks of another part of the quote than the answer is from."
    return [Gap("attachment", said, (text[:200],))]


def _of_another_subject(
    asked: Reading, spans: Sequence[Span], own: Sequence[Segment], parts: Sequence[Segment]
) -> list[Segment]:
    """The segments that a question has words of, where the answer is said of something else.

    "Most enzymes work best at 37 °C, while the enzyme pepsin needs a pH of 2": a question about
    most enzymes is not answered by what is said of pepsin.
    """
    if len(own) != 1 or not own[0].spans:
        return []
    begins = own[0].spans[0].role
    if begins is not None and begins.role in _DEPENDING:
        return []
    said = {key for span in (*asked.spans, *spans) for key in keys(span)}
    answers = {key for span in spans for key in keys(span)}
    phrase = [span for span in _leading_phrase(own[0]) if _is_noun(span)]
    other = [span for span in phrase if not said.intersection(keys(span))]
    # Of the subject that is asked for, other parts may say more, if they have none of their own.
    is_subject = any(answers.intersection(keys(span)) for span in phrase)
    # "Its colour is green", behind a noun of its own sentence, says nothing of another sentence's.
    first = next(part for part in parts if part.sentence == own[0].sentence)
    is_bound = not phrase and any(map(_points_back, own[0].spans)) and bool(_leading_phrase(first))
    if not other and not is_subject and not is_bound:
        return []
    if not is_subject and len(other) < len(phrase) and all(is_name(span, 1) for span in other):
        # More of a name, as "Johannes" before "Gutenberg".
        return []
    # A statement about something else proves nothing here, unless both are about the same.
    here = own[0].words if other else own[0].words | own[0].topic
    missing = [
        set(keys(span))
        for n, span in enumerate(asked.spans)
        if span.kind not in ("sign", "negation", "question") and not _is_bare(span)
        if not here.intersection(keys(span)) and not (n and _asks_kind(asked.spans[n - 1]))
    ]
    return [
        part
        for part in parts
        if part != own[0]
        and not (is_bound and part.sentence == own[0].sentence)
        and any(part.words & words for words in missing)
        and not (is_subject and _goes_on(part, own[0], said))
    ]


def _of_another_order(asked: Reading, own: Sequence[Segment]) -> list[Segment]:
    """The segments of an answer that are of "the second year" where the first is asked for."""
    wanted = [set(keys(span)) for span in asked.spans if _is_ordinal(span)]
    return [
        part
        for part in own
        if any(not words & part.words for words in wanted)
        if any(map(_is_ordinal, part.spans))
    ]


def _is_ordinal(span: Span) -> bool:
    return span.kind == "order" and any(t.tag in ("number", "adjective") for t in span.tokens)


def _goes_on(part: Segment, own: Segment, said: set[str]) -> bool:
    """Whether a segment says more of the subject of another, or of what the question names."""
    phrase = [span for span in _leading_phrase(part) if _is_noun(span)]
    return not phrase or any((said | own.words).intersection(keys(span)) for span in phrase)


def _leading_phrase(part: Segment) -> list[Span]:
    """The spans of the noun phrase that a segment begins with; none where it has no noun."""
    found: list[Span] = []
    for n, span in enumerate(part.spans):
        if _is_bare(span):
            if found:
                break
            if span.role is not None and span.role.sense not in ("conjunction", "determiner"):
                return []
            continue
        attributive = span.text.endswith(("ing", "ed")) and _is_noun_at(part.spans, n + 1)
        is_verb = any(token.tag == "verb" for token in span.tokens) and not attributive
        if (span.kind not in _PHRASE and not attributive) or is_verb:
            break
        found.append(span)
    return found


def _is_noun(span: Span) -> bool:
    return any(token.tag in _NOMINAL for token in span.tokens) or span.text.endswith(("ing", "ed"))


def _is_noun_at(spans: Sequence[Span], at: int) -> bool:
    return at < len(spans) and any(token.tag == "noun" for token in spans[at].tokens)


def _points_back(span: Span) -> bool:
    return any(is_token(token, "pointing") for token in span.tokens)


def _is_bare(span: Span) -> bool:
    return span.kind == "sign" or (span.role is not None and span.role.role == "function")


def _is_nearer(part: Segment, own: Segment, asked: Reading) -> bool:
    """Whether a question speaks of one segment rather than of another.

    It names what only that one is of, or has words of it alone and none of the other alone.
    """
    ours, theirs = own.words | own.topic | own.subject, part.words | part.subject
    if verbs_of(part) or part.sentence == own.sentence:
        # A group that a part leaves out sets it apart from the other parts of its sentence only.
        theirs |= part.topic
    only_own = only_part = direct_own = direct_part = 0
    for place, span in enumerate(asked.spans):
        if span.is_silent or denies(span):
            continue
        here, there = bool(ours.intersection(keys(span))), bool(theirs.intersection(keys(span)))
        if place and _asks_kind(asked.spans[place - 1]) and not here:
            # "Which country": what the answer is need not stand beside it.
            continue
        if is_name(span, place) and here != there:
            if here or part.words.intersection(keys(span)):
                return there
            continue
        direct_own += here
        direct_part += bool(part.words.intersection(keys(span)))
        only_own += here and not there
        only_part += there and not here
    if direct_own == 0 and direct_part > 0:
        return True
    return only_part > 0 and (only_own == 0 or only_part >= only_own + 2)


def _said_with(part: Segment, parts: Sequence[Segment], own: Sequence[Segment]) -> list[Segment]:
    """A segment, and those after it in its sentence that say something about it: "in which"."""
    more = [
        one
        for one in parts
        if one.sentence == part.sentence
        and one not in own
        and one.spans[0].start > part.spans[0].start
        and one.spans[0].role is not None
        and one.spans[0].role.sense == "conjunction"
    ]
    return [part, *more]


def _measured(figure: Quantity) -> str | None:
    """Return the dimension that a figure measures, such as time, whatever its unit."""
    unit = resolve_unit(figure.unit) if figure.unit else None
    dimension = unit.dimension if unit is not None else figure.unit
    return "time" if dimension == "calendar" else dimension


def _asks_kind(span: Span) -> bool:
    return span.role is not None and (span.role.role, span.role.sense) == ("question", "what")


def _rivals(spans: Sequence[Span], part: Segment, asked: Reading) -> bool:
    """Whether a segment holds another answer of the same kind."""
    figures = [span.quantity for span in spans if span.quantity is not None]
    if figures:
        units = {_measured(figure) for figure in figures}
        bare = {None} if part.topic and not verbs_of(part) else set[None]()
        return any(
            s.quantity is not None and _measured(s.quantity) in units | bare for s in part.spans
        )
    if any(span.period is not None for span in spans):
        return any(span.period is not None for span in part.spans)
    known = {key for span in asked.spans for key in keys(span)}
    return any(
        (s.kind in _ANSWERING or s.kind == "leftover")
        and (s.kind != "leftover" or any(t.tag in _CONTENT for t in s.tokens))
        and not known & set(keys(s))
        for s in part.spans
    )
