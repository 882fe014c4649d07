"""Properties that are so or not, such as "on display": what a passage says of whom must be so.

Such a property is named by ordinary words. Naming it says that it is so, so that its name is never
explained by a value that says it is not: "the cross is on display".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from groundwire.evidence.claims.antecedents import only_described
from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.explained_words import is_explained
from groundwire.evidence.claims.extraction import Ordered
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.set_cues import denies
from groundwire.evidence.claims.values_of_others import Entity, joined_to
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word
from groundwire.language import lexicon
from groundwire.vocabulary.fold import fold_word

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
