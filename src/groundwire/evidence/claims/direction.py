"""Which way something went, up or down: as a sentence says it, and as the records have it."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING

from groundwire.evidence.claims.operators import operator

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext
    from groundwire.evidence.claims.knowledge import Knowledge
    from groundwire.evidence.claims.segments import Span


@lru_cache(maxsize=1_024)
def direction(text: str) -> int:
    """Which way a text goes, names left out: 1 up or more, -1 down or less, 0 neither or both."""
    # Verbs and nouns of change come first; "over", "under" and comparatives count without them.
    for up, down in (("rises", "falls"), ("more", "less")):
        rises = operator(up).search(text) is not None
        falls = operator(down).search(text) is not None
        if rises or falls:
            return rises - falls
    return 0


# Right before a value from which something changed, with what rounds it.
_FROM = re.compile(r"(?:\bfrom(?: \w{1,14}){0,2}|[从由][^，。；]{0,14}) ?[$€£¥]?$", re.IGNORECASE)


def is_where_it_began(context: PassageContext, start: int, end: int) -> bool:
    """Whether a part of a passage leads to the value that a change began from: "up from"."""
    return _FROM.search(context.contexts.reading.text, start, end) is not None


def leads_change(context: PassageContext, start: int, end: int, *, moves: bool = False) -> bool:
    """Whether the last word with a meaning in a part of a passage tells a change: "a growth of".

    What names something or rounds a figure may stand behind it: "added about", "der Zuwachs dort".

    Args:
        context: the passage.
        start: where the part begins.
        end: where it ends.
        moves: whether the word must tell that something moves, and not that it is more or less.
    """
    for word in reversed(context.contexts.annotated.within(start, end)):
        named = any(one.start <= word.start < one.end for one in context.mentions)
        role, sense = (word.role.role, word.role.sense) if word.role else ("", "")
        is_only = (role, sense) == ("quantifier", "only")
        if named or word.is_silent or role == "approximation" or is_only:
            continue
        if moves:
            tells = any(operator(way).search(word.text) for way in ("rises", "falls"))
        else:
            tells = direction(word.text) != 0 or role == "direction"
        is_noun = word.tokens[-1].tag == "noun"
        # "Ein Zuwachs von 3" is one of 3, "gestiegen von 3" none.
        return tells and (is_noun or " von " not in context.contexts.reading.text[word.end : end])
    return False


def moves(context: PassageContext) -> bool:
    """Whether a passage, or what stands over it, tells a change."""
    spans = ((context.passage.start, context.passage.end), *context.above)
    return any(direction(context.contexts.reading.text[slice(*one)]) for one in spans)


def changes_told(known: Knowledge) -> dict[str, Decimal]:
    """Return the recorded changes in percent, by what changed."""
    return {
        min(fact.entities): fact.number
        for fact in known.facts.numbers()
        if fact.operation == "percent_change"
        and fact.number is not None
        and len(fact.entities) == 1
    }


def compares_once(passage: PassageContext) -> bool:
    """Whether only one clause of a passage compares, ranks or tells a change.

    What two clauses compare may be measured by two things: "fewer come, but each spends more".
    """
    words = passage.contexts.annotated.within(passage.passage.start, passage.passage.end)
    roles = ("comparison", "superlative", "direction")
    told = (w for w in words if w.role is not None and w.role.role in roles)
    return len({passage.clause(w.start) for w in told if w.role and w.role.sense != "compare"}) < 2


def names_measure(passage: PassageContext, known: Knowledge, clause: Span) -> bool:
    """Whether it is clear what a clause compares: it names it, or one property has numbers."""
    here = [a for a in passage.names if clause[0] <= a.start < clause[1]]
    entities = {key for anchor in passage.entities for key in anchor.keys}
    plain = (f for f in known.facts.numbers() if not f.operands and len(f.entities) == 1)
    kinds = {f.names for f in plain if f.entities & entities}
    return bool(here) or len(kinds) < 2
