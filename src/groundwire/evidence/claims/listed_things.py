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
from groundwire.evidence.claims.figure_cues import is_comma, joins_last
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.proof import sense_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import key_of
from groundwire.language import Span as Word

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
        if signs in ("()", "（）") and is_other:  # 旺角（Causeway Bay）
            yield other.start, other.end
    for cue in context.words:
        sense = sense_of(cue)
        if sense in ("adjacent", "related"):
            yield from _beside(context, cue, things, text)
        elif sense == "then":
            before = [one.keys for one in things if one.end <= cue.start][-1:]
            behind = _run([one for one in things if one.start >= cue.end], text)
            yield from ((one.start, one.end) for one in behind if one.keys in before)
        elif sense == "same_as":
            yield from _called_otherwise(context, cue, things)


def _told_twice(context: PassageContext) -> Iterator[Span]:
    """Yield a name that is all of an item, where an item above it in its list is that thing too."""
    contexts, own, told = context.contexts, context.passage, set[frozenset[str]]()
    for one in contexts.reading.passages if own.kind == "item" else ():
        named = contexts.entities((one.start, one.end))
        if one.scopes[:1] != own.scopes[:1] or one.kind != "item" or len(named) != 1:
            continue
        whole = contexts.reading.text[one.start : one.end].strip(_SIGNS)
        is_whole = len(whole) == named[0].end - named[0].start
        if one == own and is_whole and any(named[0].keys & keys for keys in told):
            yield named[0].start, named[0].end
        told |= {named[0].keys} if is_whole and one.start < own.start else set()


def _beside(
    context: PassageContext, cue: Word, things: Sequence[Anchor[str]], text: str
) -> Iterator[Span]:
    """Yield what is told to be beside itself, and what a recorded list of others does not have."""
    start, _ = context.clause(cue.start)
    before = [one for one in things if start <= one.start and one.end <= cue.start][-1:]
    behind = [one for one in things if one.start >= cue.end]
    listed = _run(behind, text)
    if len(listed) == 1 and len(behind) > 1:  # "the neighbours of Austria are"
        between = context.contexts.annotated.within(listed[0].end, behind[1].start)
        if between and all(word.kind == "being" for word in between):
            before, listed = listed, _run(behind[1:], text)
    yield from ((one.start, one.end) for one in listed if before and one.keys == before[0].keys)
    related = context.contexts.known.once(_related)
    sides = [pair for pair in related if sum(bool(one.keys & pair[1]) for one in listed) > 1]
    for one in (*before, *listed) if sides else ():
        if not any(one.keys & (own | others if one in listed else own) for own, others in sides):
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
    sides = ((one.subject, [name for names in one.objects for name in names]) for one in stated)
    return [(frozenset(map(key_of, a)), frozenset(map(key_of, b))) for a, b in sides]


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
