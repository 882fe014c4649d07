"""Whether a passage denies what records say is absent, or tells it to be there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import Found, Here, Hit, Named
from groundwire.evidence.claims.proof import is_named_by, sense_of
from groundwire.evidence.claims.relation_cues import INVERSE, senses_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import cue_tables
from groundwire.evidence.records import Names
from groundwire.language import Span as Word
from groundwire.quantities import Quantity
from groundwire.vocabulary.fold import fold_word

# Between two negations of which the second denies something else, and not what the first denies.
_COORDINATES = re.compile(
    r"[,;:，；：、]|\b(?:and|or|nor|but|und|oder|noch|aber)\b|[和与或但也]", re.IGNORECASE
)
_ARTICLE = re.compile(r" (?:(?:any|an?|eine?[nmr]?) )?", re.IGNORECASE)
# Slots of statements in which things stand.
_NAMES_THINGS = ("subject", "object")
_ITS = frozenset[str](cue_tables()["its"])
# These words lead from a denial to what it denies.
_LEADS_ON = re.compile(r",? um ")
FAILING = frozenset[str](cue_tables()["failing"])
"""Words for answers that fail, which deny nothing beside what nobody can tell the reason of."""
_KNOWING = frozenset(fold_word(word) for word in cue_tables()["knowing"])
_HOLDING = frozenset(fold_word(word) for word in cue_tables()["holding"])
# These deny one thing more, as the clause before does.
_DENIES_ON = frozenset(("nor", "noch"))
# Signs that part a sentence.
_CUTS = frozenset(",;，；")


def told_to_be_there(
    own: Sequence[Named],
    related: Sequence[Span],
    things: frozenset[str],
    context: PassageContext,
    found: Found,
) -> Iterator[Span]:
    """Yield the names of what is absent and yet told, unless a figure of it is contradicted.

    "A has delays, B runs well" does not tell those of B, which has none.

    Args:
        own: where the passage names anything of the absence.
        related: words by which it says what is absent.
        things: keys of what lacks it.
        context: the passage.
        found: what its statements say.
    """
    reading, cues = context.contexts.reading, vocabulary("journey_cues")
    for kind in ("direct", "avoid"):
        for told in cues[kind].finditer(reading.small, context.passage.start, context.passage.end):
            if any(told.start() <= hit.start < told.end() for hit, _ in own):
                return  # "with no change", "without changing trains", "avoids the line"
    text = reading.text
    named = [hit.start for hit, term in own if term.slot == "predicate"]
    lacking = [_ARTICLE.match(text, w.end) for w in context.words if sense_of(w) == "without"]
    if any(behind and behind.end() in named for behind in lacking):
        return  # "without a change"
    told = [context.clause(start) for start in (*named, *(start for start, _ in related))]
    subjects = {context.clause(hit.start) for hit, term in own if term.slot == "subject"}
    of_others = all(
        clause not in subjects
        and any(clause[0] <= a.start < clause[1] and a.keys - things for a in context.entities)
        for clause in told
    )
    if told and subjects and of_others:
        return
    if not any(claim.status == "contradicted" for claim in found.counted):
        yield from ((hit.start, hit.end) for hit, _ in own)


def relates_all(here: Here, cues: Sequence[Word], known: Knowledge) -> bool:
    """Whether each of some verbs leads from a thing to what is recorded to be so related to it.

    "A builds on B" does not tell that anything builds on A.
    """
    return bool(cues) and all(_relates(here, cue, known) for cue in cues)


def _relates(here: Here, cue: Word, known: Knowledge) -> bool:
    first = max((hit.end for hit in here.hits if hit.end <= cue.start), default=-1)
    last = min((hit.start for hit in here.hits if hit.start >= cue.end), default=-1)
    sense = cue.role.sense if cue.role is not None else ""
    senses = {sense, INVERSE.get(sense, sense)}
    for number, own in here.terms.items():
        one = known.statements[number].statement
        is_of_cue = not senses.isdisjoint(senses_of(one.predicate))
        ends = {(term.slot, hit.start, hit.end) for hit, term in own}
        if one.kind == "relation" and is_of_cue:
            is_led = any(slot == "subject" and end == first for slot, _, end in ends)
            if is_led and any(slot == "object" and start == last for slot, start, _ in ends):
                return True
    return False


def denying_in(negations: Sequence[Word], names: Names) -> list[Word]:
    """Return the negations that deny, and are no part of a name: "why answers fail"."""
    failing = FAILING.intersection(names)
    return [
        word
        for word in negations
        if not (is_named_by(word, names) or any(token.lemma in failing for token in word.tokens))
    ]


def leading_on(text: str, denying: Sequence[Word]) -> list[Span]:
    """Return the denials that go on behind a comma: "zu früh, um zu sagen"."""
    return [(word.start, word.end) for word in denying if _LEADS_ON.match(text, word.end)]


def is_denied(
    spans: Sequence[Span],
    context: PassageContext,
    negations: Sequence[Word],
    zeros: Sequence[Quantity],
) -> bool:
    """Whether a clause with one of some spans denies what they name, and does not deny that again.

    "It is not missing" and "there is not no figure" say that something is there.
    """
    for start, end in {context.clause(span[0]) for span in spans}:
        here = [word for word in negations if start <= word.start < end]
        # In "why answers fail" the last word denies nothing: it is of the name.
        here = [word for word in here if not any(a < word.start < b for a, b in spans)]
        text = context.contexts.reading.text
        again = any(
            _COORDINATES.search(text, one.end, other.end) is None for one, other in pairwise(here)
        )
        if (here and not again) or any(start <= zero.span[0] < end for zero in zeros):
            return True
    return False


def denied_in_part(
    negations: Sequence[Word], own: Sequence[Named], here: Here, words: Sequence[Word]
) -> list[Span]:
    """Return where something is denied, but for parts that name other things alone.

    "None from Italy, nor from Germany" is not proven by what Italy lacks.
    """
    cuts = [word.start for word in words if word.text in _CUTS]
    spans = [(hit.start, hit.end) for hit, _ in own]
    found: list[Span] = []
    for word in negations:
        start = max((cut for cut in cuts if cut < word.start), default=0)
        end = min((cut for cut in cuts if cut > word.start), default=words[-1].end)
        named = [
            (hit.start, hit.end)
            for hit in here.hits
            if start <= hit.start < end and any(t.slot in _NAMES_THINGS for t in hit.terms)
        ]
        if len(negations) < 2 or not named or any(span in spans for span in named):
            found.append((word.start, word.end))
    return found


def told_apart_from(context: PassageContext, negations: Sequence[Word]) -> Callable[[Hit], bool]:
    """Return whether a clause before the one that denies tells something else of a thing.

    "A has the Central line, but its status is not known" does not prove that A has it.
    """
    start = context.clause(negations[0].start)[0] if negations else 0
    denies = [word for word in context.words if word.start >= start] if start else ()
    refers = any(word.text.casefold() in _ITS for word in denies)
    return lambda hit: refers and hit.end <= start


def denied_bare(own: Sequence[Named], context: PassageContext, negations: Sequence[Word]) -> bool:
    """Whether a clause denies that there is what is not known: "but there are no delays"."""
    for hit, term in own:
        low, high = context.clause(hit.start)
        denied = [w for w in negations if low <= w.start < high and w.text not in _DENIES_ON]
        denied = [w for w in denied if term.slot == "object" or sense_of(w) == "none"]
        if denied and not any(is_holding(w) for w in context.words if low <= w.start < high):
            return True
    return False


def is_holding(word: Word) -> bool:
    """Whether a word speaks of knowing, holding or telling."""
    return any(token.key in _HOLDING or token.lemma in _HOLDING for token in word.tokens)


def is_knowing(word: Word) -> bool:
    """Whether a word speaks of knowing."""
    return any(token.key in _KNOWING or token.lemma in _KNOWING for token in word.tokens)
