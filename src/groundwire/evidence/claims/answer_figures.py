"""Sentences about the figures of an answer: how many of all it lists, what they are from and in.

"Only five of the eight shops are listed", "both figures are from the annual report 2025", "all
amounts are in US dollars".
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.counts import values_told
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.proof import Outcome, Proof, sense_of
from groundwire.evidence.claims.restatements import document_of
from groundwire.evidence.claims.words import cue_tables, key_of, words_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity, Unit, parse_quantity, resolve_unit

PAGE = "what the answer lists, and what there is in all"
"""The detail of the two figures of "five of the eight are listed"."""

_IN_VIEW = frozenset[str](cue_tables()["in_view"])
_SHOWING = frozenset[str](cue_tables()["showing"])
_AMOUNTS = frozenset[str](cue_tables()["amounts"])
_FIGURES = frozenset[str](cue_tables()["figures"])
_OF = re.compile(r"[^.;,。；，0-9]{0,24}?\b(?:of|out of|von|der)\b[^.;,。；，0-9]{0,24}", re.I)
_AMONG = re.compile(r"[^.;,。；，0-9]{0,10}[中里][^.;。；0-9]{0,8}")
_NEAR_NOUN = 4


def judge_page(
    quantity: Quantity, claim: Claim | None, passage: PassageContext, known: Knowledge
) -> Claim | None:
    """Return the claim of a figure of "five of the eight shops are listed", else the given one.

    Nothing else may be counted or named, and the answer must list so many of so many.
    """
    page = _page(passage, known)
    if page is None or all(quantity.span != one.span for one in page):
        return claim
    start, end = quantity.span
    listed = next(iter(_listed(known, known.totals[0]).values()))
    evidence_id = listed.evidence_id
    return Claim(quantity.raw, "number", "derived", evidence_id, PAGE, start, end, (listed,))


def _page(passage: PassageContext, known: Knowledge) -> Sequence[Quantity] | None:
    figures = passage.quantities
    if len(figures) != 2 or passage.entities or any(q.unit is not None for q in figures):
        return None
    text = passage.contexts.reading.text
    first, last = figures
    if _OF.fullmatch(text, first.span[1], last.span[0]):
        part, whole = first, last
    elif _AMONG.fullmatch(text, first.span[1], last.span[0]):
        part, whole = last, first
    else:
        return None
    words = passage.contexts.annotated.within(passage.passage.start, passage.passage.end)
    shown = any({t.lemma, t.key} & (_IN_VIEW | _SHOWING) for w in words for t in w.tokens)
    pages = {(len(_listed(known, total)), total.number) for total in known.totals}
    is_page = (part.value, whole.value) in pages and part.value < whole.value
    return figures if shown and is_page else None


def _listed(known: Knowledge, total: Fact) -> dict[str, Fact]:
    """Return the things of which an answer with a total has values, each with one of them."""
    return {
        min(fact.entities): fact
        for fact in known.facts.numbers()
        if fact.entities and fact.evidence_id == total.evidence_id and not fact.operands
    }


def calls_count_amount(lemmas: Collection[str], proof: Proof) -> bool:
    """Whether words call an amount what is a mere count: an amount of three orders."""
    labels = (" ".join((f.value.name, *f.value.labels)).casefold() for f in proof.plain)
    counts = bool(proof.plain) and all(fact.unit is None for fact in proof.plain)
    amounts = _AMOUNTS.intersection(lemmas)
    return counts and bool(amounts) and not any(one in text for text in labels for one in _AMOUNTS)


def judge_all_figures(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge what a passage without figures says of all: their source, time or unit."""
    near = [t for word in words[max(0, place - 2) : place + _NEAR_NOUN] for t in word.tokens]
    if any(c.kind in ("number", "percent") for c in proof.claims):
        return None
    if not any({t.lemma, t.key} & _FIGURES for t in near):
        return None
    facts = values_told(proof.known)
    if sense_of(words[place]) == "both" and len(facts) != 2:
        return None
    held = [*_of_reports(proof, facts), *_of_sources(proof, facts), *_of_periods(proof, facts)]
    held += [_in_currency(word, facts) for word in words]
    told = [one for one in held if one is not None]
    proof.used.extend(facts)
    return all(told) if told else None


def _of_reports(proof: Proof, facts: Sequence[Fact]) -> Iterator[bool]:
    """Yield whether all values are from the report of each year that a passage names."""
    for mention in proof.context.dates:
        if proof.context.contexts.is_of_report(mention):
            yield all(str(mention.start.year) in document_of(fact) for fact in facts)


def _of_sources(proof: Proof, facts: Sequence[Fact]) -> Iterator[bool]:
    """Yield whether all values are from each source that a passage names."""
    passage, known = proof.context.passage, proof.known
    said = f" {' '.join(words_of(proof.text[passage.start : passage.end]))} "
    for number in known.by_kind.get("source", ()):
        names = known.statements[number].statement.subject
        if any(f" {' '.join(words_of(name))} " in said for name in names):
            keys = list(map(key_of, names))
            yield all(any(k in key_of(fact.value.source or "") for k in keys) for fact in facts)


def _of_periods(proof: Proof, facts: Sequence[Fact]) -> Iterator[bool]:
    """Yield whether all values are of each time that a passage names."""
    for anchor in proof.context.periods:
        yield all(not fact.periods.isdisjoint(anchor.keys) for fact in facts)


def _in_currency(word: Word, facts: Sequence[Fact]) -> bool | None:
    """Return whether all money is in the currency that a word names; None where it names none."""
    unit = currency_named(word)
    if unit is None:
        return None
    money = [f for f in facts if f.unit is not None and f.unit.dimension.startswith("currency")]
    return bool(money) and all(fact.unit == unit for fact in money)


def currency_named(word: Word) -> Unit | None:
    """Return the currency that a word names, or None."""
    if word.role is None or (word.role.role, word.role.sense) != ("unit_noun", "currency"):
        return None
    read = parse_quantity(f"1 {word.text}")
    unit = resolve_unit(read.unit) if read is not None and read.unit else None
    return unit if unit is not None and unit.dimension.startswith("currency") else None
