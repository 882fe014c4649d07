"""Whether a card keeps what its sentence ties the statement to: a report, a doubt, a condition.

"Legend has it that a giant built the tower" does not say that a giant built it, nor does "if it
rains, the market is held in the hall" say where it is held. Such a card is in doubt.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from groundwire.language import Reading, Span, Token
from groundwire.learning.cards.matching import denies, is_token, is_word, keys, meanings
from groundwire.learning.cards.reversal import asks
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap

_ENDS = frozenset(";；")
_PASSIVE = frozenset(("be", "werden", "man"))


def qualifier_gap(
    card: Sequence[Reading], own: Sequence[Segment], parts: Sequence[Segment]
) -> Gap | None:
    """Return the gap of a report, doubt or condition of a sentence that its card leaves out.

    Args:
        card: the readings of its sides.
        own: the segments of the quote that hold what the card says.
        parts: all segments of the quote.
    """
    said = frozenset(key for reading in card for span in reading.spans for key in keys(span))
    for number, part in enumerate(parts):
        if part not in own:
            continue
        left = (
            _report(part, card, said)
            or _condition(number, parts, own, said)
            or _unreached(part, card, said)
        )
        if left:
            return Gap(
                "attachment", f"The quote says {left[:60]!r}, the card leaves it out: keep it."
            )
    return None


def _report(part: Segment, card: Sequence[Reading], said: frozenset[str]) -> str:
    """The word of a segment by which what it says is only told, thought or wished, or ""."""
    for span in part.spans:
        doubts = span.role is not None and span.role.role == "hedge"
        doubts = doubts or is_word(span, "nearing") or is_word(span, "telling")
        if doubts and span.period is None and not said.intersection(keys(span)):
            return span.text
        past = any(is_token(token, "former") for token in span.tokens)
        if past and not said.intersection(keys(span)) and not _is_of_then(part, card):
            return span.text
    tokens = [token for span in part.spans if span.period is None for token in span.tokens]
    for place, token in enumerate(tokens):
        shades = any(is_token(token, one) for one in ("imagining", "hedging"))
        governs = is_token(token, "weakening") and _governs(tokens, place)
        if not shades and not governs and not _judges(tokens, place):
            continue
        if not said & {token.key, *meanings(token)}:
            return token.text
    return ""


def _is_of_then(part: Segment, card: Sequence[Reading]) -> bool:
    """Whether a card speaks of the time of its sentence, by the same form of its verb."""
    verbs = {t.key for span in part.spans for t in span.tokens if t.tag == "verb"}
    asked = {t.key for one in card for span in one.spans for t in span.tokens if t.tag == "verb"}
    return bool(verbs & asked) and not any(t.language == "zh" for s in part.spans for t in s.tokens)


def _judges(tokens: Sequence[Token], place: int) -> bool:
    """Whether somebody calls a thing what it need not be: "the author calls it a mistake"."""
    token = tokens[place]
    if token.tag != "verb" or not is_token(token, "calling") or token.language == "zh":
        return False
    before = tokens if token.language == "de" else tokens[max(0, place - 3) : place]
    return not any(one.lemma in _PASSIVE for one in before)


def _governs(tokens: Sequence[Token], place: int) -> bool:
    """Whether another verb hangs on a verb: "failed to see", "denied that"; in German before it."""
    if tokens[place].language == "zh":
        return True
    if any(is_token(one, "reporting") or one.key == "to" for one in tokens[place + 1 : place + 3]):
        return True
    rest = tokens if tokens[place].language == "de" else tokens[place + 1 :]
    return any(one.tag == "verb" and one != tokens[place] for one in rest)


def _unreached(part: Segment, card: Sequence[Reading], said: frozenset[str]) -> str:
    """The word on which an infinitive hangs that a card states as done: "aims to plant", or ""."""
    stated = {t.lemma for one in card for span in one.spans for t in span.tokens}
    infinitives = {
        after.lemma
        for one in card
        for before, after in pairwise(one.tokens)
        if before.key in ("to", "zu")
    }
    tokens = [token for span in part.spans for token in span.tokens]
    for place in range(1, len(tokens) - 1):
        verb = tokens[place + 1]
        if tokens[place].key != "to" or verb.tag != "verb" or verb.key != verb.lemma:
            continue
        lead = tokens[place - 1]
        if verb.lemma not in stated or verb.lemma in infinitives or lead.tag == "function":
            continue
        if lead.lemma not in ("have", "need", "use", "be", "able") and not said & {
            lead.key,
            *meanings(lead),
        }:
            return f"{lead.text} to {verb.text}"
    return ""


def _condition(
    number: int, parts: Sequence[Segment], own: Sequence[Segment], said: frozenset[str]
) -> str:
    """The condition beside a segment of which a card has no word, or ""."""
    for one in _conditions(number, parts):
        if one in own:
            continue
        telling = [span for span in one.spans if not span.is_silent and not _supposes(span)]
        if not any(said.intersection(keys(span)) for span in telling if not denies(span)):
            return " ".join(span.text for span in one.spans)
    return ""


def is_condition_of(part: Segment, own: Sequence[Segment], parts: Sequence[Segment]) -> bool:
    """Return whether a segment is the condition beside one of others: "if it rains, ..."."""
    return any(part in _conditions(n, parts) for n, one in enumerate(parts) if one in own)


def _conditions(number: int, parts: Sequence[Segment]) -> list[Segment]:
    """The conditions right before and behind a segment in its sentence."""
    part = parts[number]
    beside: list[Segment] = []
    if number and not _closes(parts[number - 1]):
        beside.append(parts[number - 1])
    if number + 1 < len(parts) and not _closes(part):
        beside.append(parts[number + 1])
    return [
        one
        for one in beside
        if one.sentence == part.sentence and _begins_condition(one) and not _focuses(one, parts)
    ]


def _closes(part: Segment) -> bool:
    return part.spans[-1].text in _ENDS


def _supposes(span: Span) -> bool:
    return any(is_token(token, "supposing") for token in span.tokens)


def _begins_condition(part: Segment) -> bool:
    return any(_supposes(span) and not asks(span) for span in part.spans[:2])


def _focuses(part: Segment, parts: Sequence[Segment]) -> bool:
    """Whether Chinese 只有 singles out a thing: no 才 follows, which would make it a condition."""
    begins = any(is_word(span, "focusing") for span in part.spans[:2])
    told = (
        t.key for one in parts if one.sentence == part.sentence for s in one.spans for t in s.tokens
    )
    return begins and part.spans[0].tokens[0].language == "zh" and "才" not in told
