"""Whether a passage denies what records say is absent, or tells it to be there.

Properties that are so or not, such as "on display": what a passage says of whom must be so. Such a
property is named by ordinary words. Naming it says that it is so, so that its name is never
explained by a value that says it is not: "the cross is on display".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from groundwire.evidence.claims.antecedents import only_described
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import is_explained
from groundwire.evidence.claims.extraction import Ordered
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.known_words import vocabulary
from groundwire.evidence.claims.passage_statements import Found, Here, Hit, Named
from groundwire.evidence.claims.proof import is_named_by, sense_of
from groundwire.evidence.claims.relation_cues import INVERSE, senses_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.set_cues import denies
from groundwire.evidence.claims.values_of_others import Entity, joined_to
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.evidence.records import Names
from groundwire.language import Span as Word
from groundwire.language import lexicon
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


_LINKING = frozenset(("being", "having", "modal"))
_BEHIND = _LINKING | {"function"}
_NO_MORE = frozenset(("mehr", "longer", "more", "再"))
_BOTH = frozenset(("both", "every", "all"))
_TELLING = frozenset(("verb", "adjective", "adverb"))
_LONGEST = 4


@dataclass(frozen=True, slots=True)
class _Flag:
    """A property that is so or not.

    Attributes:
        key: its folded name.
        called: the folded words of each of its names, without those that mean nothing.
        values: by thing, the fact that says whether it is so.
    """

    key: str
    called: tuple[frozenset[str], ...]
    values: Mapping[str, Fact]


def judge_yes_or_no(
    text: str, context: PassageContext, words: Sequence[Word], known: Knowledge, found: Found
) -> None:
    """Take what is told of such properties where it is so, and refuse it where it is not.

    Args:
        text: the draft.
        context: the passage.
        words: its words.
        known: the records.
        found: what is known of the passage, to which this adds.
    """
    flags = known.once(_flags)
    passage = context.passage
    if not flags or text[: passage.end].rstrip().endswith(("?", "？")):
        return
    subject: frozenset[str] = frozenset()
    told: _Flag | None = None
    in_order = Ordered((w.start, w) for w in words if w.kind != "sign")
    for clause in _clauses(context):
        own, here = context.contexts.entities(clause), in_order.within(clause)
        plain = [w for w in here if not any(a.start <= w.start < a.end for a in own)]
        subject = frozenset(key for a in _with_joined(own, context) for key in a.keys) or subject
        subject = subject or context.pointed_at()
        mentions = [(flag, run) for flag in flags for run in _named(flag, plain, context)]
        if not mentions and told and own and all(map(_may_be_left_out, plain)):
            mentions = [(told, ())]  # "..., but the reliquary is"
        for flag, run in mentions:
            told = flag
            alone = len(flag.values) == 1 and only_described(known, text) != ""
            things = subject or frozenset(flag.values)
            _judge(_Told(flag, run, things, bool(subject), alone), plain, found)


@dataclass(frozen=True, slots=True)
class _Told:
    """A property that a clause names, or leaves out, with the things that it speaks of."""

    flag: _Flag
    run: Sequence[Word]
    subject: frozenset[str]
    is_named: bool
    is_alone: bool


def _judge(told: _Told, words: Sequence[Word], found: Found) -> None:
    facts = [told.flag.values[key] for key in told.subject if key in told.flag.values]
    spans = [(w.start, w.end) for w in told.run]
    if not facts:
        return
    negations = [w for w in words if denies(w)]
    so = {fact.value.value in ("true", "1") for fact in facts}
    if len(negations) == 1 and _is_bound(negations[0], told, words, len(facts)):
        if (
            so == {False}
            and not (told.is_named or told.is_alone)
            and told.run
            and not _counts(told, words, len(facts))
        ):
            return  # what is so of those listed is not so of all
        if so == {False}:
            spans.append((negations[0].start, negations[0].end))
            found.taken += spans
            found.facts += facts
            if told.run:
                found.claims.append(_claim(told, facts[0], "supported", sorted(spans)))
        else:
            found.foreign += spans or [(negations[0].start, negations[0].end)]
        return
    if negations and told.run and negations[0].start < told.run[0].start:
        return  # what it denies is something else, and is proven elsewhere or left over
    if so == {True}:
        if told.is_named or len(facts) == len(told.flag.values) == 2:
            found.taken += spans
            found.facts += facts
        if len(facts) == len(told.flag.values) == 2:
            found.taken += [(w.start, w.end) for w in words if _tells_of_both(w)]
        return
    found.foreign += spans or [(w.start, w.end) for w in words]
    if spans:
        first = next(fact for fact in facts if fact.value.value in ("false", "0"))
        status: Status = "contradicted" if told.is_named and so == {False} else "unsupported"
        found.claims.append(_claim(told, first, status, spans))


def _claim(told: _Told, fact: Fact, status: Status, spans: Sequence[Span]) -> Claim:
    """Return the judgement of what is told of a property, at the words for it."""
    detail = f"the record has {fact.value.name} of {fact.value.entity}: {fact.value.value}"
    start, end = spans[0][0], spans[-1][1]
    said = " ".join(w.text for w in told.run)
    return Claim(said, "statement", status, fact.evidence_id, detail, start, end)


def _is_bound(negation: Word, told: _Told, words: Sequence[Word], count: int) -> bool:
    """Whether a negation denies just the property: it stands right by it, or for it.

    Behind it stand only words of having and being: "personenbezogene Daten enthält sie nicht".
    """
    if not told.run:
        return True
    if not {token.key for token in negation.tokens}.isdisjoint(_NO_MORE):
        return False  # it had been so before
    if negation.start >= told.run[-1].end:
        others = [w for w in words if w not in (*told.run, negation) and w.kind != "sign"]
        return all(w.role is not None and w.role.role in _BEHIND for w in others)
    if negation.end > told.run[0].start:
        return False
    between = [w for w in words if negation.end <= w.start < told.run[0].start]
    numbers = [w.quantity.value for w in between if w.quantity is not None]
    of_all = negation.role is not None and negation.role.role == "quantifier"
    if numbers and not (of_all and numbers == [count]):
        return False
    return all(
        w.is_silent or w.quantity is not None or (w.role is not None and w.role.role in _LINKING)
        for w in between
    )


def _counts(told: _Told, words: Sequence[Word], count: int) -> bool:
    before = (w.quantity for w in words if w.quantity is not None and w.end <= told.run[0].start)
    return [quantity.value for quantity in before] == [count]


def _may_be_left_out(word: Word) -> bool:
    return word.is_silent or denies(word) or (word.role is not None and word.role.role in _LINKING)


def _tells_of_both(word: Word) -> bool:
    return word.role is not None and word.role.sense in _BOTH


def _with_joined(own: Sequence[Entity], context: PassageContext) -> Sequence[Entity]:
    """Return the things of a clause, with those that are joined to its first: "A and B are"."""
    before = [a for a in context.entities if own and a.end <= own[0].start]
    return [*joined_to(context.contexts.reading.text, [*before, *own[:1]]), *own]


def _clauses(context: PassageContext) -> Iterator[Span]:
    starts = [context.passage.start, *context.breaks]
    return zip(starts, [*context.breaks, context.passage.end], strict=True)


def _named(flag: _Flag, words: Sequence[Word], context: PassageContext) -> Iterator[Sequence[Word]]:
    """Yield the words of a clause that name a property, each as far as it is not named before."""
    for mention in context.mentions:
        if flag.key in mention.named.names:
            run = [w for w in words if mention.start <= w.start < mention.end]
            if run:
                yield run
                return
    content = [w for w in words if w.quantity is None and not denies(w)]
    content = [w for w in content if not w.is_silent or w.tokens[-1].tag in _TELLING]
    for called in flag.called:
        for at in range(len(content)):
            for size in range(1, _LONGEST):
                run = content[at : at + size]
                told = sum(len(words_of(w.text)) for w in run)
                if told == len(called) and all(is_explained(w, called) for w in run):
                    yield run
                    return


def _flags(known: Knowledge) -> tuple[_Flag, ...]:
    found: dict[str, dict[str, Fact]] = {}
    called: dict[str, dict[frozenset[str], None]] = {}
    for fact in known.facts.all:
        if fact.value.kind != "boolean" or not fact.entities:
            continue
        key = min(fact.names)
        found.setdefault(key, {}).update(dict.fromkeys(fact.entities, fact))
        for name in (fact.value.name, *fact.value.labels):
            own = frozenset(word for word in words_of(name) if not _is_small(word))
            called.setdefault(key, {})[own] = None
    return tuple(
        _Flag(key, tuple(one for one in called[key] if one), values)
        for key, values in found.items()
    )


def _is_small(word: str) -> bool:
    entry = lexicon("en").entries.get(fold_word(word))
    return entry is not None and entry.role in ("function", "being", "having")
