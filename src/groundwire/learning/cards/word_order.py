"""Whether the words of a question stand in its quote where its answer stands, told by their order.

These rules need no parts of speech: which of two figures a word stands with, which noun a relative
clause follows, and which of two things stands before the word that ties them. What they find puts
a card in doubt. So does a question that speaks of another part of the quote than the one that its
answer is from.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from groundwire.language import Reading, Span
from groundwire.learning.cards.matching import denies, is_name, is_token, keys
from groundwire.learning.cards.qualifiers import is_condition_of
from groundwire.learning.cards.reversal import asks, is_preposition, is_thing, reversal_gap
from groundwire.learning.cards.roles import verbs_of
from groundwire.learning.cards.segments import Segment, score
from groundwire.learning.cards.types import Gap
from groundwire.quantities import Quantity, resolve_unit

_COMMAS = frozenset(",，、;；")
_ENDS_OF_ZONE = frozenset(("conjunction",))


def order_gaps(
    asked: Reading,
    said: Reading,
    answers: Sequence[Sequence[Span]],
    own: Sequence[Segment],
    held: Reading,
) -> list[Gap]:
    """Return why the order of words leaves open whether an answer is that of its question.

    Args:
        asked: the question.
        said: the back.
        answers: for each span of the answer the spans of the quote that it stands at.
        own: the segments of the quote that hold the answer.
        held: the quote.
    """
    begun = {part.sentence for part in own}
    sentences = [
        [span for span in held.spans if one.start <= span.start < one.end]
        for one in held.sentences
        if one.start in begun
    ]
    for spans in sentences:
        gap = (
            _figure_gap(asked, answers, spans)
            or _share_gap(asked, answers, spans)
            or _relative_gap(asked, answers, spans)
            or _particle_gap(asked, answers, spans)
            or _pair_gap(asked, answers, spans)
            or reversal_gap(asked, said, answers, spans)
        )
        if gap is not None:
            return [gap]
    return []


def _asked_keys(asked: Reading) -> Iterator[set[str]]:
    """The words of each span of a question that says something."""
    for place, span in enumerate(asked.spans):
        role = span.role
        if span.is_silent or denies(span) or (role is not None and role.role == "question"):
            continue
        if span.quantity is None and (place == 0 or not asks(asked.spans[place - 1])):
            yield set(keys(span))


def _measure(figure: Quantity) -> str | None:
    unit = resolve_unit(figure.unit) if figure.unit else None
    return unit.dimension if unit is not None else figure.unit


def _figure_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of a figure where a word of the question stands behind a later one of its kind.

    "120 a day with a machine and 40 by hand": what stands with the second figure is said of it
    alone, while what stands with the first may be left out beside the second.
    """
    places = [span for found in answers for span in found if span in spans and span.quantity]
    if len({span.start for span in places}) != 1:
        return None
    own = places[0]
    assert own.quantity is not None
    kind = _measure(own.quantity)
    at = spans.index(own)
    rest = spans[at + 1 :]
    later = next(
        (
            n
            for n, span in enumerate(rest)
            if span.quantity is not None
            and _measure(span.quantity) == kind
            and span.quantity.value != own.quantity.value
        ),
        None,
    )
    if later is None:
        return None
    cut = next((n for n in range(later, -1, -1) if _parts(rest[n])), None)
    if cut is None:
        return None
    before = {key for span in (*spans[: at + 1], *rest[:cut]) for key in keys(span)}
    behind = {key for span in rest[cut:] for key in keys(span)}
    for words in _asked_keys(asked):
        if words & behind and not words & before:
            word = max(words & behind, key=lambda one: (one[0] != "≈", len(one)))
            said = f"{word[:60]!r} stands with {rest[later].text[:40]!r} in the quote, not with "
            return Gap("attachment", f"{said}{own.text[:40]!r}.", (rest[later].text,))
    return None


def _parts(span: Span) -> bool:
    """Whether a span sets two statements apart: a comma or a conjunction."""
    role = span.role
    return span.text in _COMMAS or (role is not None and role.sense in _ENDS_OF_ZONE)


def _share_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of a whole where the quote tells a share of it: "two thirds of the 500 million"."""
    figures = [span for span in spans if span.quantity is not None]
    for n, span in enumerate(spans):
        is_whole = span in figures[:-1] and _is_behind_of(spans, n)
        if is_whole and any(span in f for f in answers) and not _asks_of(asked.spans):
            # "Of 30 students 4 failed": the first figure is the whole.
            said = f"{span.text[:40]!r} is the whole of which the quote tells a part."
            return Gap("attachment", said, (figures[-1].text,))
        share = span.quantity
        if share is None or not _is_share(span):
            continue
        whole = next((m for m in range(n + 1, min(n + 7, len(spans))) if spans[m].quantity), None)
        if whole is None or not any(_is_of(one) for one in spans[n + 1 : whole]):
            continue
        named = [span in found for found in answers]
        if any(named) or not any(spans[whole] in found for found in answers):
            continue
        behind = {key for one in spans[whole + 3 :] for key in keys(one)}
        if any(words & behind for words in _asked_keys(asked)):
            said = f"The quote says that of {span.text[:40]!r} of them alone."
            return Gap("attachment", said, (span.text,))
    return None


def _is_behind_of(spans: Sequence[Span], at: int) -> bool:
    """Whether a clause begins with "of" and a figure, with nothing but "about" between."""
    before = [n for n in range(max(0, at - 2), at) if spans[n].kind != "approximation"]
    if not before or not _is_of(spans[before[-1]]):
        return False
    return before[-1] == 0 or spans[before[-1] - 1].text in _COMMAS


def _asks_of(spans: Sequence[Span]) -> bool:
    return any(_is_of(one) and asks(other) for one, other in pairwise(spans))


def _is_share(span: Span) -> bool:
    figure = span.quantity
    if figure is None:
        return False
    return figure.unit in ("%", "percent") or (figure.unit is None and 0 < figure.value < 1)


def _is_of(span: Span) -> bool:
    return any(token.key in ("of", "von", "der", "des") for token in span.tokens)


def _relative_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of an answer that another name parts from the relative clause that is asked about.

    "Greenland looks as large as Africa, which is larger" says of Africa that it is.
    """
    at = next(
        (
            n
            for n in range(1, len(spans))
            if spans[n - 1].text in _COMMAS and any(t.key in _RELATIVE for t in spans[n].tokens[:1])
        ),
        None,
    )
    if at is None:
        return None
    # As they are written: "as large as A, which is larger".
    before = {token.key for span in spans[:at] for token in span.tokens}
    behind = {token.key for span in spans[at:] for token in span.tokens}
    written = {token.key for token in asked.tokens}
    wanted = [words & written for words in _asked_keys(asked)]
    if not wanted or any(words & before for words in wanted):
        return None
    if not all(words & behind for words in wanted):
        return None
    places = [span for found in answers for span in found if span in spans]
    if not places or any(spans.index(span) >= at for span in places):
        return None
    nearest = [n for n in range(at) if is_thing(spans[n])]
    last = max(spans.index(span) for span in places)
    if nearest and last < nearest[-1] and not _is_joined(spans[last : nearest[-1]]):
        said = f"{spans[at].text[:20]!r} follows {spans[nearest[-1]].text[:60]!r} in the quote."
        return Gap("attachment", said, (spans[nearest[-1]].text,))
    return None


def _particle_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of a German particle that stands in another clause than the answer: hin and weg."""
    wanted = {token.key for span in asked.spans if _is_particle(span) for token in span.tokens}
    places = [spans.index(span) for found in answers for span in found if span in spans]
    if not wanted or not places:
        return None
    stop = next((n for n in range(max(places), len(spans)) if spans[n].text in _COMMAS), None)
    own, rest = spans[:stop], spans[stop:] if stop is not None else ()
    start = next((n for n in range(min(places), 0, -1) if spans[n].text in _COMMAS), 0)
    own, rest = own[start:], (*spans[:start], *rest)
    here, there = (
        {token.key for span in some if _is_particle(span) for token in span.tokens}
        for some in (own, rest)
    )
    if not here & wanted and there & wanted:
        said = f"The quote says {sorted(there & wanted)[0]!r} of something else."
        return Gap("attachment", said)
    return None


def _is_particle(span: Span) -> bool:
    role = span.role
    parts = role is not None and (role.role, role.sense) == ("function", "particle")
    return parts and span.tokens[0].language == "de"


_RELATIVE = frozenset(("which", "who", "whose", "der", "die", "das", "dessen", "deren"))


def _is_joined(spans: Iterable[Span]) -> bool:
    """Whether "of" joins two things to one, which a relative clause may be about as a whole."""
    return any(_is_of(span) for span in spans)


def _pair_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], spans: Sequence[Span]
) -> Gap | None:
    """The gap of "A by day and B at night" where A is the answer for the night."""
    places = [spans.index(span) for found in answers for span in found if span in spans]
    joints = [n for n, span in enumerate(spans) if any(is_token(t, "adding") for t in span.tokens)]
    if not places or len(joints) != 1:
        return None
    joint = joints[0]
    sides = (spans[:joint], spans[joint + 1 :])
    stop = next((n for n, span in enumerate(sides[1]) if span.text in _COMMAS), len(sides[1]))
    sides = (sides[0], sides[1][:stop])
    if max(places) < joint:
        own, other = sides
    elif min(places) > joint and max(places) <= joint + stop:
        other, own = sides
    else:
        return None
    # Each side has a thing and, behind it, where or when that holds.
    adjuncts = [_adjunct(side) for side in (own, other)]
    if not all(adjuncts) or any(t.tag == "verb" for span in sides[1] for t in span.tokens):
        return None
    here = {key for span in own for key in keys(span)}
    there = {key for span in adjuncts[1] for key in keys(span)}
    if any(words & there and not words & here for words in _asked_keys(asked)):
        text = " ".join(span.text for span in other)
        return Gap("attachment", "The quote says that of the other of two.", (text[-200:],))
    return None


def _adjunct(side: Sequence[Span]) -> Sequence[Span]:
    """Return the last preposition of a side and all after it, if a noun stands before it."""
    at = next((n for n in range(len(side) - 1, 0, -1) if is_preposition(side[n])), None)
    return side[at:] if at is not None and any(map(is_thing, side[:at])) else ()


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
