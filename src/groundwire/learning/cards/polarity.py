"""Whether a card denies what its quote denies, and nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from groundwire.language import Reading, Span, clauses
from groundwire.learning.cards.matching import denies, is_token, is_word, keys
from groundwire.learning.cards.roles import asked_verbs
from groundwire.learning.cards.segments import Segment, segments
from groundwire.learning.cards.types import Gap, GapReason

_COMMAS = frozenset(",，、;；")
# Roles of the first words of clauses that depend on another: when, because, if, after.
_DEPENDING = frozenset(("question", "cause", "forecast", "time", "order"))


def polarity_gaps(
    asked: Reading,
    said: Reading,
    own: Sequence[Segment],
    quote: str,
    *,
    is_whole: bool = True,
    beside: Sequence[Segment] = (),
) -> list[Gap]:
    """Return the gap of a denial that only one of a card and the part that answers it has.

    Args:
        asked: the question.
        said: the back.
        own: the segments that hold the answer.
        quote: the quote.
        is_whole: whether no other part of their sentence has the verb of the question.
        beside: the other segments of their sentences.
    """
    contrary = _contrary_part(said, own)
    if contrary is not None:
        text = " ".join(span.text for span in contrary.spans)
        detail = f"Of {text[:80]!r} the quote says the opposite: keep its negation as it is."
        return [Gap("attachment", detail, (quote[:200],))]
    first = said.spans[0] if said.spans else None
    spans: Iterable[Span] = said.spans
    if first is not None and is_word(first, "denying") and len(said.spans) > 1:
        spans = said.spans[1:] if said.spans[1].text in _COMMAS else said.spans
    spans = list(spans)
    begins = spans[0].role if spans else None
    # "When it is imported" answers a question, and states nothing by itself.
    depends = begins is not None and begins.role in _DEPENDING
    states = not asked.spans or (
        not depends
        and any(t.tag == "verb" for s in spans[1:] for t in s.tokens)
        and any(c.predicate is not None for c in clauses(said))
    )
    denied = sum(map(denies, spans))
    wanted = asked_verbs(asked)
    same = is_whole or not wanted or any(wanted & part.words for part in own)
    if not states and not depends and same:
        denied += sum(map(denies, asked.spans))
    held = sum(max(sum(map(denies, part.spans)), part.negated) for part in own)
    if denied == held or (denied and held and not states):
        return []
    said_so = "denies" if held else "does not deny"
    detail = f"The quote {said_so} what the card says: keep its negation as it is."
    return [Gap(_reason(asked, said, (*own, *beside), held), detail, (quote[:200],))]


def _reason(asked: Reading, said: Reading, own: Sequence[Segment], held: int) -> GapReason:
    """Return that a card is wrong where one of both denies, and that it is open where both do.

    Of two denials the scope decides, which may be misread: "cannot multiply", "what can it not do".
    An exception or a lack may be the denial in other words: "without oxygen", "if there is none".
    """
    both = held and any(map(denies, (*asked.spans, *said.spans)))
    spans = (*asked.spans, *said.spans, *(span for part in own for span in part.spans))
    return "attachment" if both or any(map(_excepts, spans)) else "negation"


def _excepts(span: Span) -> bool:
    return any(is_token(t, one) for t in span.tokens for one in ("excepting", "other"))


def privation_gap(asked: Reading, said: Reading, parts: Sequence[Segment]) -> Gap | None:
    """Return the gap of a card about a thing that its quote says not to be there, or None.

    "Without oxygen yeast makes alcohol" does not say what it makes where there is oxygen.

    Args:
        asked: the question.
        said: the back.
        parts: the segments of the sentences that hold the answer.
    """
    card = (*asked.spans, *said.spans)
    if any(denies(span) or _is_absence(span) or _lacks(span) for span in card):
        return None
    named = {key for span in asked.spans if not span.is_silent for key in keys(span)}
    lacked: list[tuple[Span, Span]] = []
    there: set[str] = set()
    for part in parts:
        # "The absence of light", "no light".
        before: Span | None = None
        for span in part.spans:
            if span.is_silent and not denies(span):
                continue
            if before is not None and not denies(span) and (denies(before) or _is_absence(before)):
                lacked.append((before, span))
            else:
                there |= set(keys(span))
            before = span
    for before, thing in lacked:
        # "It cannot turn its eyes, but it can turn its head" says of turning both.
        if named.intersection(keys(thing)) and not there.intersection(keys(thing)):
            text = f"{before.text} {thing.text}"
            return Gap("attachment", f"The quote says {text[:60]!r}: keep that on the card.")
    return None


def _is_absence(span: Span) -> bool:
    return any(token.tag == "noun" and is_token(token, "absence") for token in span.tokens)


def _lacks(span: Span) -> bool:
    return any(is_token(token, "lacking") for token in span.tokens)


def _contrary_part(said: Reading, own: Sequence[Segment]) -> Segment | None:
    """Return the part of a back that denies some of it which the quote denies otherwise, or None.

    "A fleet, but no army" of "neither a fleet nor an army": as many negations, and another fact.
    """
    parts = segments(said)
    if len({part.negated for part in parts}) < 2:
        return None
    for part in parts:
        telling = [span for span in part.spans if not span.is_silent and not denies(span)]
        if not telling or is_word(telling[0], "affirming") or is_word(telling[0], "denying"):
            continue
        holding = [one for one in own if all(one.words & set(keys(span)) for span in telling)]
        if holding and all(one.negated != part.negated for one in holding):
            return part
    return None


def asked_polarity_gaps(
    asked: Reading, said: Reading, own: Sequence[Segment], parts: Sequence[Segment], quote: str
) -> list[Gap]:
    """Return the gap of a question that denies a verb of another part, or does not, unlike it.

    Args:
        asked: the question.
        said: the back.
        own: the segments that hold the answer.
        parts: all segments of the quote.
        quote: the quote.
    """
    wanted = asked_verbs(asked)
    begun = {part.sentence for part in own}
    if not wanted or any(wanted & part.words for part in own):
        return []
    others = [part for part in parts if part.sentence in begun and wanted & part.words]
    if not others or any(map(denies, asked.spans)) == any(part.negated for part in others):
        return []
    held = sum(part.negated for part in others)
    told = "The question and the quote do not agree in what is denied: keep the negation as it is."
    return [Gap(_reason(asked, said, own, held), told, (quote[:200],))]
