"""Names that stand alone behind a sentence: "Niger borders seven countries", and then "Egypt".

They tell that each is what the sentence or the question before it speaks of, and hold only where
a record relates each of them so to what that names.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import DraftStatements, Found, Hit
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.relation_cues import cues_of
from groundwire.evidence.claims.relation_sets import ANY, RelationSet, sets_in
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.set_members import things_of
from groundwire.language import Span as Word

_LONGEST_NAME = 28
_LABEL = re.compile(r"[:：]\s*$")
_FOOTNOTE = re.compile(r"\[\^\w{1,9}\]")
# Signs at the end of a line that is not a title.
_ENDS = (".", "!", "。", "！")
_CLOSES = "\"'”’)）*_ "


def judge_bare(draft: DraftStatements, context: PassageContext, found: Found) -> None:
    """Leave names that stand alone and that no relation told right before has; else bind them."""
    found.foreign += _figures_alone(context)
    names = _names_alone(context)
    strangers = [*_unrelated(draft, context, names)] if names else []
    found.foreign += strangers
    found.met.update(() if strangers else names)


def _figures_alone(context: PassageContext) -> list[Span]:
    """Return where the figures of a sentence stand that tells of nothing: "4 are due. 18."."""
    passage, text = context.passage, context.contexts.reading.text
    before = text[text.rfind("\n", 0, passage.start) + 1 : passage.start].rstrip()
    if passage.kind != "sentence" or not before.endswith(_ENDS):
        return []
    figures = [q.span for q in context.quantities if q.unit is None]
    told = (w for w in context.words if not any(a < w.end and w.start < b for a, b in figures))
    return figures if all(word.kind == "sign" for word in told) else []


def _names_alone(context: PassageContext) -> list[Span]:
    """Return where the names of a passage stand of which it tells nothing; none of a title."""
    passage, text = context.passage, context.contexts.reading.text
    things = [one for one in context.mentions if one.named.entities or one.named.values]
    names = sorted({(one.start, one.end) for one in (*things, *context.entities)})
    said = text[passage.start : passage.end].strip()
    is_linked = context.contexts.reading.iris.within((passage.start, passage.end))
    is_quoted = any(
        end - start > _LONGEST_NAME or _tells(context, start, end) for start, end in names
    )
    is_lead = said.endswith((":", "：", "?", "？"))
    if not names or is_linked or is_quoted or is_lead or passage.kind != "sentence":
        return []
    is_ended = said.rstrip(_CLOSES).endswith(_ENDS)
    if not is_ended and text[passage.end :].strip():
        return []  # a title
    figures = [q for q in context.quantities if q.unit is None and q.span[0] < names[0][0]]
    counts = [q.span for q in figures if q.value == len(names)]
    marks = [m.span() for m in _FOOTNOTE.finditer(text, passage.start, passage.end)]
    if not counts and _LABEL.search(text[passage.start : names[0][0]]):
        return []  # "From: A" is held to what its label says
    known = (*names, *counts, *marks)
    told = (w for w in context.words if not any(a < w.end and w.start < b for a, b in known))
    return names if all(_adds_nothing(word, names[0][0]) for word in told) else []


def _tells(context: PassageContext, start: int, end: int) -> bool:
    """Whether a recorded text is a sentence, and no name: it has a verb or a figure in it."""
    tokens = (t for w in context.contexts.annotated.within(start, end) for t in w.tokens)
    figures = any(start <= q.span[0] < end and q.unit is not None for q in context.quantities)
    return figures or any(token.tag == "verb" for token in tokens)


def _unrelated(
    draft: DraftStatements, context: PassageContext, names: Sequence[Span]
) -> Iterator[Span]:
    """Yield names that stand alone and that no relation told right before has."""
    before = context.contexts.reading.passages
    place = bisect_left(before, context.passage.start, key=lambda one: one.start)
    lead = (before[place - 1].start, before[place - 1].end) if place else (0, 0)
    if draft.text[slice(*lead)].rstrip(_CLOSES).endswith(("?", "？")):
        return  # an answer is held to its question as one sentence
    over = {key for hit in draft.within(*lead) for key in _keys(draft, hit)}
    words = context.contexts.annotated.within(*lead)
    if any(word.role is not None and word.role.role == "negation" for word in words):
        words = ()
    told = _told(draft.known.once(_by_anchor), over, words)
    for start, end in names:
        keys = {key for hit in draft.within(start, end) for key in _keys(draft, hit)}
        if keys.isdisjoint(told - over):
            yield start, end


def _told(
    sets: Mapping[str, Sequence[RelationSet]], over: set[str], words: Sequence[Word]
) -> set[str]:
    """Return the keys of all that words tell to be related to things."""
    return {
        member
        for anchor in over
        for one in sets.get(anchor, ())
        if cues_of(one.predicate, words, None)
        for member in one.members
    }


def _by_anchor(known: Knowledge) -> Mapping[str, Sequence[RelationSet]]:
    """Return all that is related to each thing, however few it is."""
    found: dict[str, list[RelationSet]] = {}
    for one in sets_in(known.statements, 1):
        if one.anchor != ANY:
            found.setdefault(one.anchor, []).append(one)
    return found


def _keys(draft: DraftStatements, hit: Hit) -> frozenset[str]:
    """Return the keys of the things that a name may name."""
    return draft.of_name(things_of, hit)


def _adds_nothing(word: Word, first: int) -> bool:
    """Whether a word joins names, or leads to the first: "and", "among them", 还有."""
    if word.kind == "sign" or sense_of(word) in ("conjunction", "determiner"):
        return True
    has = word.role is not None and (word.role.role == "function" or word.role.sense == "have")
    return word.end <= first and word.is_silent and has
