"""Whether a quote gives a reason where its question asks why."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.language import Reading, Span
from groundwire.learning.cards.matching import is_token, is_word, keys
from groundwire.learning.cards.segments import Segment
from groundwire.learning.cards.types import Gap

_WHY = frozenset(("why", "reason"))


def reason_gaps(
    asked: Reading,
    said: Reading,
    own: Sequence[Segment],
    parts: Sequence[Segment],
    found: Sequence[Sequence[Span]],
) -> list[Gap]:
    """Return the gap of a "why" whose quote tells facts, and none as the reason of another.

    Args:
        asked: the question.
        said: the back, which may be a purpose: "to keep warm".
        own: the segments of the quote that hold the answer.
        parts: all of its segments.
        found: for each span of the back, where the quote has it.
    """
    asks = any(
        span.role is not None and span.role.role == "question" and span.role.sense in _WHY
        for span in asked.spans
    )
    if not asks or not own:
        return []
    begun = {part.sentence for part in own}
    spans = [span for part in parts if part.sentence in begun for span in part.spans]
    follows = next((span for span in spans if _concludes(span)), None)
    # Some words of the back may stand on both sides of "so", and none on the first alone.
    behind = [[follows is not None and p.start > follows.start for p in one] for one in found]
    if follows is not None and all(map(any, behind)) and any(map(all, behind)):
        detail = f"The quote says that as what follows ({follows.text[:40]!r}), not as reason."
        return [Gap("attachment", detail)]
    told = {key for part in parts for span in part.spans for key in keys(span)}
    explained = [s for s in asked.spans if s.kind == "leftover" and not is_word(s, "asking")]
    if explained and not any(told.intersection(keys(span)) for span in explained):
        return [Gap("off_topic", "The quote does not speak of what the question has explained.")]
    begins = {part.spans[0].start for part in parts if part.spans}
    if any(_reasons(span, span.start in begins) for span in spans) or _is_purpose(said):
        return []
    return [
        Gap("attachment", "The quote states this, and does not give it as the reason: quote why.")
    ]


def _concludes(span: Span) -> bool:
    is_cause = span.role is not None and span.role.role == "cause"
    # "So that" is what something is done for, which is its reason.
    purpose = span.tokens[-1].key == "that"
    return is_cause and not purpose and any(is_token(t, "therefore") for t in span.tokens)


def _reasons(span: Span, begins: bool) -> bool:
    role = span.role
    if role is not None and role.role == "cause":
        return True
    if any(is_token(token, "opening") for token in span.tokens):
        # "As" gives a reason where it begins a clause, and not in "stored as acid".
        return begins
    return any(is_token(token, "reasoning") for token in span.tokens)


def _is_purpose(said: Reading) -> bool:
    """Whether a back begins as a purpose does: "to ...", "um ... zu"."""
    return bool(said.tokens) and said.tokens[0].key in ("to", "um", "damit", "为了", "以")
