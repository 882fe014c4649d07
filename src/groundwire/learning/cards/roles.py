"""Whether an answer stands in its quote where its question asks: who did it, to what, by what.

A quote may hold every word of a card and still say something else: that another did it, that it is
what the other is compared with, or that it was only planned. Sides of a verb are told where word
order shows them, in English and Chinese.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.matching import is_token, keys, literal_places, meanings, places_of
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap

_ORDERED = frozenset(("en", "zh"))
_STOPS = frozenset(",，、;；:：.。!！?？()（）")
MODAL = frozenset(("can", "could", "may", "might", "shall", "should", "will", "would", "must"))
_BE = frozenset(("am", "is", "are", "was", "were", "be", "been", "being", "get", "got"))
_WHICH = frozenset(("which", "what", "whom"))
_BY_CHINESE = frozenset(("被", "由"))
# How far before its participle the verb of a passive may stand: "was never again seen".
_REACH = 3


@dataclass(frozen=True, slots=True)
class Asked:
    """The form of a question.

    Attributes:
        verb: the verb that it asks about.
        passive: whether it is in the passive.
        asks_subject: whether the answer is the subject of the verb.
        asks_object: whether the answer is its object.
        before: spans that stand before the verb as its subject.
        after: spans that stand right after the verb as its object.
    """

    verb: Token
    passive: bool
    asks_subject: bool
    asks_object: bool
    before: tuple[Span, ...]
    after: tuple[Span, ...]


def role_gaps(
    asked: Reading,
    said: Sequence[Span],
    own: Sequence[Segment],
    parts: Sequence[Segment],
    held: Reading,
) -> list[Gap]:
    """Return why an answer stands in another place of its quote than the question asks for.

    Args:
        asked: the question.
        said: the spans of the answer that say something.
        own: the segments of the quote that hold the answer.
        parts: all of its segments.
        held: the quote.
    """
    places = [
        found for span in said if (found := places_of(span, held) or literal_places(span, held))
    ]
    # A place that another part of the quote holds as well proves nothing about this one.
    inside = [span for part in own for span in part.spans]
    answers = [[place for place in found if place in inside] or found for found in places]
    gap = (
        _standard_gap(asked, said, answers, held, inside)
        or _possessor_gap(asked, answers, held)
        or _preposition_gap(asked, answers, inside)
        or _side_gap(asked, answers, inside)
        or _verb_gap(asked, own, parts)
    )
    return [gap] if gap is not None else []


def operator_gap(card: Sequence[Reading], own: Sequence[Segment]) -> Gap | None:
    """Return the gap of a card that states what its quote says was refused, tried or doubted.

    Args:
        card: the readings of its sides.
        own: the segments of the quote that hold the answer.
    """
    said = {key for reading in card for span in reading.spans for key in keys(span)}
    verbs = {
        token.lemma
        for reading in card
        for span in reading.spans
        for token in span.tokens
        if token.tag == "verb"
    }
    for begin in dict.fromkeys(part.sentence for part in own):
        spans = [span for part in own if part.sentence == begin for span in part.spans]
        tokens = [token for span in spans for token in span.tokens]
        for place, token in enumerate(tokens):
            if not is_token(token, "weakening") or said & {token.key, *meanings(token)}:
                continue
            # "Claimed to have written": what is doubted is the verb, not its help.
            stop = next(
                (n for n in range(place + 1, len(tokens)) if is_token(tokens[n], "contrasting")),
                len(tokens),
            )
            after = next((one for one in tokens[place + 1 : stop] if _is_full(one)), None)
            # German verbs stand at the end, so that what is weakened may stand before them.
            before = next((one for one in reversed(tokens[:place]) if _is_full(one)), None)
            weak = after if after is not None else before if token.language == "de" else None
            nearly = tokens[place + 1 : place + 2] if is_token(token, "nearing") else []
            dropped = nearly and said & {nearly[0].key, *meanings(nearly[0])}
            if dropped or (weak is not None and weak.lemma in verbs):
                detail = f"The quote says {token.text[:40]!r}, the card leaves it out: keep it."
                return Gap("negation", detail, (_text(spans),))
    return None


def _is_full(token: Token) -> bool:
    return token.tag == "verb" and token.lemma not in (
        "have",
        "be",
        "do",
        "haben",
        "sein",
        "werden",
    )


def _standard_gap(
    asked: Reading,
    said: Sequence[Span],
    answers: Sequence[Sequence[Span]],
    held: Reading,
    inside: Sequence[Span],
) -> Gap | None:
    """The gap of a card with what its thing is compared with, "than B", in another part."""
    tokens = [t for span in (*asked.spans, *said) for t in span.tokens]
    if any(is_token(token, "comparing") for token in tokens):
        return None
    zone = list(_standard(inside))
    chooses = any(is_token(token, "choosing") for token in tokens)
    named = [places_of(span, held) for span in asked.spans if _is_thing(span) and not chooses]
    for found in (*answers, *named):
        if found and all(place in zone for place in found):
            detail = (
                f"{found[0].text[:80]!r} is what the quote compares with, not what it asks for."
            )
            return Gap("attachment", detail, (_text(inside),))
    return None


def _standard(inside: Sequence[Span]) -> Iterable[Span]:
    """The spans from "than" to the end of its noun phrase, with a preposition right after it."""
    begun = fresh = graded = False
    for place, span in enumerate(inside):
        # German "als" is "when" and "as" too; a comparative stands before it where it compares.
        compares = any(
            is_token(token, "comparing")
            and (token.language != "de" or graded or len(span.tokens) > 1)
            for token in span.tokens
        )
        if compares and inside[place + 1 : place + 2] and inside[place + 1].quantity is not None:
            # "More than 800 km" bounds a figure.
            continue
        graded = span.kind == "comparison" or (
            span.text.endswith("er") and any(t.tag in ("adjective", "adverb") for t in span.tokens)
        )
        if compares:
            begun = fresh = True
            continue
        if not begun:
            continue
        if (
            span.text in _STOPS
            or any(t.tag == "verb" and t.text.islower() for t in span.tokens if t.language == "de")
            or (span.kind == "comparison" and fresh is False)
            or (not fresh and _is_preposition(span))
        ):
            begun = False
            continue
        fresh = fresh and _is_preposition(span)
        yield span


def _possessor_gap(asked: Reading, answers: Sequence[Sequence[Span]], held: Reading) -> Gap | None:
    """The gap of an answer to "whose honour" that is not the one whose honour the quote names."""
    spans = asked.spans
    for place, span in enumerate(spans[:-1]):
        if not any(is_token(token, "possessing") for token in span.tokens):
            continue
        noun = set(keys(spans[place + 1]))
        at = [n for n, one in enumerate(held.spans) if noun & set(keys(one))]
        if not at or not answers:
            return None
        near = [one for n in at for one in _possessors(held.spans, n)]
        if not any(one in near for found in answers for one in found):
            detail = f"The quote names another as the one whose {spans[place + 1].text!r} it is."
            return Gap("attachment", detail[:200])
    return None


def _possessors(spans: Sequence[Span], at: int) -> Iterable[Span]:
    """The spans that may own the noun at a place: those right before it, and after its "of"."""
    for span in reversed(spans[max(0, at - 4) : at]):
        if span.text in _STOPS or any(token.tag == "verb" for token in span.tokens):
            break
        yield span
    rest = spans[at + 1 : at + 2]
    if rest and _is_preposition(rest[0]):
        for span in spans[at + 2 : at + 8]:
            if span.text in _STOPS or any(token.tag == "verb" for token in span.tokens):
                break
            yield span


def _preposition_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], inside: Sequence[Span]
) -> Gap | None:
    """The gap of an answer to "with what" where "with" stands before something else of its kind."""
    spans = asked.spans
    first = next((n for n, span in enumerate(spans) if _asks(span)), None)
    if first is None or not answers:
        return None
    if len(spans[first].tokens) > 1 and spans[first].tokens[-1].key in _WHICH:
        leads = spans[first].tokens[:1]
    elif first and _is_preposition(spans[first - 1]):
        leads = spans[first - 1].tokens
    else:
        return None
    wanted = {key for token in leads for key in (token.key, token.lemma)}
    governed = [span for span in inside if wanted & _governors(span, inside)]
    found = [place for places in answers for place in places]
    if any(place in governed for place in found):
        return None
    kinds = {_kind(place) for place in found}
    rival = next((span for span in governed if _kind(span) in kinds and not span.is_silent), None)
    directs = any(is_token(token, "directing") for token in leads)
    if rival is None or ("thing" in kinds and not directs):
        return None
    word = " ".join(token.text for token in leads)
    detail = f"The question asks {word!r} what; the quote has {word} {rival.text[:60]!r}."
    return Gap("attachment", detail, (rival.text,))


def _kind(span: Span) -> str:
    return "time" if span.period else "figure" if span.quantity else "thing"


def _governors(span: Span, inside: Sequence[Span]) -> set[str]:
    """The words of the preposition before a span, with nothing but its own phrase between."""
    at = next(n for n, one in enumerate(inside) if one == span)
    for before in reversed(inside[max(0, at - 5) : at]):
        if before.text in _STOPS or any(token.tag == "verb" for token in before.tokens):
            return set()
        if _is_preposition(before):
            return set(keys(before))
    return set()


def _side_gap(
    asked: Reading, answers: Sequence[Sequence[Span]], inside: Sequence[Span]
) -> Gap | None:
    """The gap of a card that turns round who did something and to whom it was done."""
    form = form_of(asked)
    if form is None:
        return None
    tokens = [token for span in inside for token in span.tokens]
    at = [n for n, one in enumerate(tokens) if one.tag == "verb" and one.lemma == form.verb.lemma]
    if len(at) != 1:
        return None
    turned = form.passive != _is_passive(tokens, at[0])
    verb = tokens[at[0]]
    wrong: Span | None = None
    for span in form.before:
        wrong = wrong or _misplaced(span, inside, verb, before=not turned)
    for span in form.after:
        wrong = wrong or _misplaced(span, inside, verb, before=turned)
    if wrong is not None:
        detail = f"The quote says it the other way round about {wrong.text[:80]!r}."
        return Gap("attachment", detail, (_text(inside),))
    if not (form.asks_subject or form.asks_object):
        return None
    wanted_before = form.asks_subject != turned
    if any(token.tag == "verb" for found in answers for one in found for token in one.tokens):
        return None
    for found in answers:
        if not found or any((place.start < verb.start) == wanted_before for place in found):
            continue
        detail = f"{found[0].text[:80]!r} stands in the quote on the other side of the verb."
        return Gap("attachment", detail, (_text(inside),))
    return None


def asked_verbs(asked: Reading) -> set[str]:
    """Return the dictionary forms of the verbs that a question asks about."""
    return _verbs(asked.spans)


def verbs_of(part: Segment) -> set[str]:
    """Return the dictionary forms of the verbs of a segment, without those that only help."""
    return _verbs(part.spans)


def _verbs(spans: Iterable[Span]) -> set[str]:
    full = (span for span in spans if not _helps(span))
    return {token.lemma for span in full for token in span.tokens if token.tag == "verb"}


def _verb_gap(asked: Reading, own: Sequence[Segment], parts: Sequence[Segment]) -> Gap | None:
    """The gap of an answer from a part with another verb, where the one asked about has a part."""
    wanted = asked_verbs(asked)
    sentences = {part.sentence for part in own}
    others = [part for part in parts if part.sentence in sentences and part not in own]
    senses = {span.role.sense for span in asked.spans if span.role and _asks(span)}
    if (
        "why" in senses
        or "reason" in senses
        or not wanted
        or len(own) != 1
        or wanted & (own[0].words | own[0].topic)
    ):
        return None
    if not verbs_of(own[0]):
        return None
    # As it is written, a verb is one where its form may be an adjective's, too: "verkauften".
    written = {t.key for s in asked.spans if not _helps(s) for t in s.tokens if t.tag == "verb"}
    rival = next((p for p in others if wanted & verbs_of(p) or written & p.words), None)
    form = form_of(asked)
    if _names(asked.spans) and _names(own[0].spans):
        # "What do we call it when it rises" asks for the name of what the rest describes.
        return None
    begins = own[0].spans[0].role
    # One subject may have several verbs, and a reason has a verb of its own.
    if rival is None or (form is not None and form.asks_subject):
        return None
    if begins is not None and begins.role in ("cause", "time", "question", "forecast"):
        return None
    detail = "The quote says that of something else than the question asks about."
    return Gap("attachment", detail, (_text(rival.spans),))


def _names(spans: Iterable[Span]) -> bool:
    return any(is_token(token, "naming") for span in spans for token in span.tokens)


def _misplaced(span: Span, inside: Sequence[Span], verb: Token, *, before: bool) -> Span | None:
    """The span, where all its words stand on the other side of the verb."""
    wanted = set(keys(span))
    places = [one for one in inside if wanted & set(keys(one))]
    if places and all((one.start < verb.start) != before for one in places):
        return span
    return None


def form_of(asked: Reading) -> Asked | None:
    """Return the form of a question about one verb, or None where word order does not tell it."""
    spans = [span for span in asked.spans if span.text not in _STOPS]
    first = next((n for n, span in enumerate(spans) if _asks(span)), None)
    if first is None or not spans or spans[0].tokens[0].language not in _ORDERED:
        return None
    if spans[0].tokens[0].language == "zh":
        return _chinese_form(spans)
    helper = next((n for n, span in enumerate(spans) if n > first and _helps(span)), None)
    verbs = [
        n
        for n, span in enumerate(spans)
        if n > first and _is_verb(span) and not _is_attribute(spans, n)
    ]
    doing = sum(token.lemma == "do" for span in spans for token in span.tokens)
    if not verbs or doing > 1:
        # "What does it do?" asks for the verb itself.
        return None
    role = spans[first].role
    governed = len(spans[first].tokens) > 1 or first > 0
    governed = governed or role is None or role.sense not in ("who", "what")
    noun = role is not None and role.sense == "who"
    if helper is None or helper > verbs[0]:
        at = verbs[0]
        return Asked(_verb(spans[at]), False, not governed, False, (), _object(spans[at + 1 :]))
    at = verbs[-1] if len(verbs) == 1 else next((n for n in verbs if n > helper), verbs[-1])
    verb = _verb(spans[at])
    is_be = any(token.key in _BE for span in spans[helper:at] for token in span.tokens)
    passive = is_be and verb.key != verb.lemma and not verb.key.endswith("ing")
    between = tuple(span for span in spans[helper + 1 : at] if _is_thing(span))
    if is_be and not passive:
        return None
    if not between:
        # In "Who was seen" and "What has caused it" the answer is the subject.
        return Asked(verb, passive, not governed, False, (), _object(spans[at + 1 :]))
    simple = len(spans) - 1 == at and not governed and helper == first + 1
    asks_object = simple and (noun or spans[first].text.lower() in ("what", "whom")) and not passive
    before = _object(spans[helper + 1 : at])
    return Asked(verb, passive, False, asks_object, before, _object(spans[at + 1 :]))


def _chinese_form(spans: Sequence[Span]) -> Asked | None:
    """The form of a Chinese question, whose words stand as in its answer."""
    verbs = [n for n, span in enumerate(spans) if _is_verb(span)]
    if len(verbs) != 1:
        return None
    at = verbs[0]
    by = next((n for n, span in enumerate(spans[:at]) if span.text in _BY_CHINESE), None)
    if by is not None:
        # The noun before 被 undergoes the action; a place ("in the soil") plays no role.
        before = tuple(
            span
            for n, span in enumerate(spans[:by])
            if _is_thing(span) and not any(map(_is_preposition, (span, spans[n + 1])))
        )
        return Asked(_verb(spans[at]), True, False, False, before, ())
    before = tuple(span for span in spans[:at] if _is_thing(span) and not _asks(span))
    after = tuple(span for span in spans[at + 1 :] if _is_thing(span) and not _asks(span))
    asks_subject = any(_asks(span) for span in spans[:at]) and not before
    asks_object = any(_asks(span) for span in spans[at + 1 :]) and not after
    return Asked(_verb(spans[at]), False, asks_subject, asks_object, before, after)


def _object(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The things at the beginning of some spans, up to a preposition, a mark or a verb."""
    found: list[Span] = []
    for span in spans:
        if span.text in _STOPS or _is_preposition(span) or _is_verb(span):
            break
        if _is_thing(span):
            found.append(span)
    return tuple(found)


def _is_passive(tokens: Sequence[Token], at: int) -> bool:
    verb = tokens[at]
    if verb.language == "zh":
        return any(token.text in _BY_CHINESE for token in tokens[max(0, at - 6) : at])
    if verb.key.endswith("ing") or verb.key == verb.lemma:
        return False
    for token in reversed(tokens[max(0, at - _REACH) : at]):
        if token.key in _BE:
            return True
        if token.tag in ("noun", "name", "verb") and token.lemma not in ("have",):
            break
    return any(token.key == "by" for token in tokens[at + 1 : at + 2])


def _asks(span: Span) -> bool:
    if span.role is not None and span.role.role == "question":
        return True
    # "At which" is read as one word, which joins clauses elsewhere.
    return len(span.tokens) > 1 and span.tokens[-1].key in _WHICH


def _is_attribute(spans: Sequence[Span], at: int) -> bool:
    """Whether a participle describes the noun after it: "no other living language"."""
    before = spans[at - 1] if at else None
    if before is None or at + 1 >= len(spans) or not _is_thing(spans[at + 1]):
        return False
    role = before.role
    return (
        (role is not None and role.role in ("quantifier", "negation", "comparison"))
        or (role is not None and role.sense == "determiner")
        or any(token.tag == "adjective" for token in before.tokens)
    )


def _helps(span: Span) -> bool:
    role = span.role
    if any(token.lemma in MODAL for token in span.tokens):
        return True
    return role is not None and (
        (role.role == "function" and role.sense == "auxiliary")
        or role.role == "being"
        or (role.role == "having" and any(token.lemma == "have" for token in span.tokens))
    )


def _is_verb(span: Span) -> bool:
    return not _helps(span) and any(token.tag == "verb" for token in span.tokens)


def _verb(span: Span) -> Token:
    return next(token for token in span.tokens if token.tag == "verb")


def _is_thing(span: Span) -> bool:
    return any(token.tag in ("noun", "name") for token in span.tokens) and span.kind != "time"


def _is_preposition(span: Span) -> bool:
    role = span.role
    return role is not None and (
        (
            role.role == "function"
            and role.sense in ("preposition", "by", "from", "to", "via", "per")
        )
        or (role.role == "bound" and any(token.tag == "function" for token in span.tokens))
    )


def _text(spans: Iterable[Span]) -> str:
    return " ".join(span.text for span in spans)[:200]
