"""Whether a quote gives a reason where its question asks why."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.matching import is_token
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap

_WHY = frozenset(("why", "reason"))


def reason_gaps(
    asked: Reading, said: Reading, own: Sequence[Segment], parts: Sequence[Segment]
) -> list[Gap]:
    """Return the gap of a "why" whose quote tells facts, and none as the reason of another.

    Args:
        asked: the question.
        said: the back, which may be a purpose: "to keep warm".
        own: the segments of the quote that hold the answer.
        parts: all of its segments.
    """
    asks = any(
        span.role is not None and span.role.role == "question" and span.role.sense in _WHY
        for span in asked.spans
    )
    if not asks or not own:
        return []
    begun = {part.sentence for part in own}
    spans = [span for part in parts if part.sentence in begun for span in part.spans]
    if any(map(_reasons, spans)) or _is_purpose(said):
        return []
    return [
        Gap("attachment", "The quote states this, and does not give it as the reason: quote why.")
    ]


def _reasons(span: Span) -> bool:
    role = span.role
    if role is not None and role.role == "cause":
        return True
    return any(is_token(token, "reasoning") for token in span.tokens)


def _is_purpose(said: Reading) -> bool:
    """Whether a back begins as a purpose does: "to ...", "um ... zu"."""
    return bool(said.tokens) and said.tokens[0].key in ("to", "um", "damit", "为了", "以")
