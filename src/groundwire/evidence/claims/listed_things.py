"""Things that a list, a ranking or a relation has told already, or that are none of it.

"Followed by India and China" behind China, "borders Argentina and itself", a capital among
neighbours, and a name in brackets behind that of another thing: the records know each, and not in
this place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from groundwire.evidence.claims.attachment import Anchor
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.entity_linking import Mention
from groundwire.evidence.claims.figure_cues import is_comma, joins_last
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.words import key_of
from groundwire.language import Span as Word

_BRACKETS = ("()", "（）")
_SIGNS = " *_.,;。；，"


def misplaced_things(context: PassageContext, text: str) -> Iterator[Span]:
    """Yield the names of things that a passage has no place for.

    Args:
        context: the passage.
        text: the draft, its figures in brackets left out.
    """
    yield from _told_twice(context)
    things = sorted(context.entities, key=lambda one: one.start)
    for first, other in pairwise(things):
        signs = text[first.end : other.start].strip() + text[other.end : other.end + 1]
        names = text[first.start : first.end], text[other.start : other.end]
        is_other = first.keys.isdisjoint(other.keys) and names[0].isascii() != names[1].isascii()
        if signs in _BRACKETS and is_other:  # 旺角（Causeway Bay）
            yield other.start, other.end
    for cue in context.words:
        before = [one for one in things if one.end <= cue.start]
        behind = [one for one in things if one.start >= cue.end]
        sense = sense_of(cue)
        if sense in ("adjacent", "related"):
            yield from _beside(context, cue, before[-1:], behind, text)
        elif sense == "then" and before and behind:
            again = (one for one in _run(behind, text) if one.keys == before[-1].keys)
            yield from ((one.start, one.end) for one in again)
        elif sense == "same_as":
            yield from _called_otherwise(context, cue, things)


def _told_twice(context: PassageContext) -> Iterator[Span]:
    """Yield a name that is all of an item, where an item above it in its list is that thing too."""
    own, passages = _only_name(context, context.passage), context.contexts.reading.passages
    for one in passages if own is not None else ():
        is_above = (
            one.start < context.passage.start and one.scopes[:1] == context.passage.scopes[:1]
        )
        other = _only_name(context, one) if is_above else None
        if own is not None and other is not None and own.named.entities == other.named.entities:
            yield own.start, own.end
            return


def _only_name(context: PassageContext, item: Passage) -> Mention | None:
    """Return the name of a thing that is all of an item of a list, or None."""
    named = context.contexts.mentions((item.start, item.end)) if item.kind == "item" else []
    said = context.contexts.reading.text[item.start : item.end].strip(_SIGNS)
    whole = [m for m in named if m.named.entities and len(said) == m.end - m.start]
    return whole[0] if whole else None


def _beside(
    context: PassageContext,
    cue: Word,
    before: Sequence[Anchor[str]],
    behind: Sequence[Anchor[str]],
    text: str,
) -> Iterator[Span]:
    """Yield what is told to be beside itself, and what a recorded list of others does not have."""
    listed = _run(behind, text)
    if len(listed) == 1 and len(behind) > 1:  # "the neighbours of Austria are"
        between = context.contexts.annotated.within(listed[0].end, behind[1].start)
        if between and all(word.kind == "being" for word in between):
            before, listed = listed, _run(behind[1:], text)
    start, _ = context.clause(cue.start)
    before = [one for one in before if one.start >= start]
    yield from ((one.start, one.end) for one in listed if before and one.keys == before[0].keys)
    sides = [
        (own, others)
        for own, others in context.contexts.known.once(_related)
        if sum(not one.keys.isdisjoint(others) for one in listed) > 1
    ]
    for one in (*before, *listed) if sides else ():
        held = (own | others if one in listed else own for own, others in sides)
        if all(one.keys.isdisjoint(some) for some in held):
            yield one.start, one.end


def _run(things: Sequence[Anchor[str]], text: str) -> list[Anchor[str]]:
    """Return the first of some things with those that a list joins to it."""
    run = [*things[:1]]
    for before, one in pairwise(things):
        is_last = joins_last(text, before.end, one.start)
        if not (is_last or is_comma(text, before.end, one.start)):
            break
        run.append(one)
        if is_last:
            break
    return run


def _related(known: Knowledge) -> list[tuple[frozenset[str], frozenset[str]]]:
    """Return the keys of each thing with a recorded relation, and of those on its other side."""
    stated = (known.statements[number].statement for number in known.by_kind.get("relation", ()))
    return [
        (
            frozenset(map(key_of, one.subject)),
            frozenset(key_of(name) for names in one.objects for name in names),
        )
        for one in stated
    ]


def _called_otherwise(
    context: PassageContext, cue: Word, things: Sequence[Anchor[str]]
) -> Iterator[Span]:
    """Yield what a thing is said to be called that is another thing: "A is also called B"."""
    for first, other in pairwise(things):
        within = context.contexts.annotated.within(first.end, max(other.start, cue.end))
        apart = [w for w in within if not other.start <= w.start < other.end]
        joined = cue in within and all(w.is_silent or w is cue or w.kind == "being" for w in apart)
        if joined and first.keys.isdisjoint(other.keys):
            yield other.start, other.end
