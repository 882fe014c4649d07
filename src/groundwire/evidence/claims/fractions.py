"""Half, a third, a quarter: by the share that a recorded part has of its whole, or of another."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from groundwire.evidence.claims.counts import TOTALS
from groundwire.evidence.claims.fact_index import distinct
from groundwire.evidence.claims.proof import Outcome, Proof, limit_before, sense_of
from groundwire.evidence.claims.quotients import share_of_named_part
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.stated_values import computed_sides, pairs_of, stated_facts
from groundwire.evidence.claims.words import cue_tables
from groundwire.language import Span as Word

_FRACTIONS = {
    word: Decimal(share.numerator) / Decimal(share.denominator)
    for written, words in cue_tables()["fractions"].items()
    for share in (Fraction(written),)
    for word in words
}
# How far a share may lie from what such a word says: as it stands, with "about", with "nearly".
_EXACT, _ABOUT, _NEARLY = Decimal("0.006"), Decimal("0.04"), Decimal("0.9")
_MORE = frozenset(("more_than", "at_least", "more"))
_LESS = frozenset(("less_than", "at_most", "less"))
# From a fraction to what it is of: "half of China's", "half that of China", "halb so groß wie".
_OF_BASE_IN_HAN = re.compile("(?:的?[^，。；的]{1,4})?的?[约近]?(?:将近|接近|大约)?")
_OF_BASE = re.compile(
    r"(?:the size )?(?:(?:that )?(?:of|von)|as \w+(?: [^\W\d]+){0,3} as"
    r"|so \w+(?: [^\W\d]+){0,3} wie|the(?: [^\W\d]+){1,3} of|der von|die von)?"
    r"(?: ?(?:the|that of|das|der|die))?",
    re.IGNORECASE,
)
_ROUNDED = "约近"  # 约为 is a word of being that rounds
_SIZES = frozenset(
    ("many", "much", "large", "big", "high", "great", "long", "viel", "viele", "groß", "hoch")
)


def judge_fraction(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Half, a third: by the share that a recorded part has of its recorded whole."""
    wanted = _FRACTIONS.get(words[place].text.casefold().strip())
    if wanted is None:
        return None
    shares = [a / b for a, b in computed_sides(proof, words[place]) if b]
    shares = shares or list(
        dict.fromkeys(a / b for a, b in _sides_of_base(proof, words[place]) if b)
    )
    shares = shares or list(dict.fromkeys(_shares(proof, words[place])))
    if len(shares) != 1:
        return None
    behind = _bound_behind(words, place)
    sense = limit_before(words, place) or (sense_of(behind) if behind is not None else "")
    sense = sense or _limit_of_base(proof, words, place)
    share = shares[0]
    if sense in _MORE:
        return share > wanted
    if sense in _LESS:
        return share < wanted
    if sense == "nearly":
        return wanted * _NEARLY <= share < wanted
    reach = _ABOUT if sense == "about" else _EXACT
    return abs(share - wanted) <= reach


def _sides_of_base(proof: Proof, word: Word) -> list[tuple[Decimal, Decimal]]:
    """Return the values of a thing and of the one that a fraction is of: "half of China's"."""
    text, entities = proof.text, proof.context.entities
    behind = next((a for a in entities if a.start >= word.end), None)
    before = next((a for a in reversed(entities) if a.end <= word.start), None)
    if behind is not None and _OF_BASE.fullmatch(text[word.end : behind.start].strip()):
        base, end = behind, word.start
    elif before is not None and _OF_BASE_IN_HAN.fullmatch(text, before.end, word.start):
        base, end = before, before.start
    else:
        return []
    subject = next((a for a in reversed(entities) if a.end <= end and a.keys != base.keys), None)
    if subject is None:
        return []
    kinds = {(f.names, f.value.unit, f.periods) for f in stated_facts(proof) if not f.operands}
    held = distinct(
        f for f in proof.known.facts.numbers()
        if not f.operands and (f.names, f.value.unit, f.periods) in kinds
        if f.entities & (subject.keys | base.keys)
    )  # fmt: skip
    proof.used.extend(held)
    return list(pairs_of(held, (subject.keys, base.keys), "entity"))


def _limit_of_base(proof: Proof, words: Sequence[Word], place: int) -> str:
    """Return what bounds or rounds a fraction before what it is of: 约为德国的一半."""
    before = [a for a in proof.context.entities if a.end <= words[place].start]
    if not before or not _OF_BASE_IN_HAN.fullmatch(proof.text, before[-1].end, words[place].start):
        return ""
    base = next((at for at, word in enumerate(words) if word.start >= before[-1].start), place)
    return limit_before(words, base) or ("about" if words[base - 1].text[0] in _ROUNDED else "")


def _bound_behind(words: Sequence[Word], place: int) -> Word | None:
    """Return the bound right behind a fraction, as Chinese puts it: 一半以上."""
    behind = words[place + 1] if place + 1 < len(words) else None
    is_bound = behind is not None and behind.role is not None and behind.role.role == "bound"
    return behind if is_bound and behind is not None and behind.start == words[place].end else None


def limits_of_fractions(words: Sequence[Word], proven: Sequence[Span]) -> Iterator[Span]:
    """Where a proven fraction or multiple is bounded, rounded or said to be of a size.

    These are the "fewer than" of "fewer than half" and the "many" of "twice as many".
    """
    starts = {span[0] for span in proven}
    for place, word in enumerate(words):
        if word.start not in starts or word.role is None:
            continue
        if word.role.sense in ("half", "times"):
            before = words[place - 1].role if place else None
            if before is not None and before.role in ("bound", "approximation", "comparison"):
                yield words[place - 1].start, words[place - 1].end
            if (bound := _bound_behind(words, place)) is not None:
                yield bound.start, bound.end
        if word.role.sense in ("half", "times"):
            behind = next((w for w in words[place + 1 : place + 3] if not w.is_silent), None)
            role = (behind.role.role, behind.role.sense) if behind and behind.role else ("", "")
            same = role == ("comparison", "equal")  # "twice as many as"
            if behind is not None and (same or behind.text.casefold() in _SIZES):
                yield behind.start, behind.end


def _shares(proof: Proof, word: Word) -> Iterator[Decimal]:
    """The shares that the things which a clause, or its passage, speaks of have of their whole."""
    if not proof.plain and (named := list(share_of_named_part(proof))):
        yield from named
        return
    start, end = proof.context.clause(word.start)
    counts = distinct(f for f in proof.known.totals if f.number)
    anchors = [a for a in proof.context.entities if start <= a.start < end]
    own = {key for anchor in anchors or proof.context.entities for key in anchor.keys}
    here = [f for c in proof.claims if start <= c.start < end for f in c.facts if f in proof.plain]
    here = here or [f for f in proof.plain if anchors and f.entities & own]
    parts = [f for f in here or proof.plain if f.number and not f.names & TOTALS]
    if not proof.plain:
        parts = [f for f in stated_facts(proof) if f.number and f.entities and f.entities & own]
    said = [f for f in proof.plain if f.names & TOTALS and f.number]
    wholes = said or (counts if len(counts) == 1 else [])
    first = parts[:1]
    if said and not first:
        first = distinct(
            f
            for f in proof.known.facts.numbers()
            if f.entities & own and f.value.unit == said[0].value.unit and f.number
        )
        first = first if len(first) == 1 else []
    proof.used.extend(first)
    yield from _of_said_whole(proof)
    for part in first:
        for whole in wholes:
            if whole.value.unit == part.value.unit and part.number and whole.number:
                yield part.number / whole.number
    for fact in proof.known.facts.numbers():
        is_share = fact.operation == "share" and fact.operands and fact.operands[0] in first
        if is_share and fact.number is not None:
            yield (fact.number / 100).quantize(Decimal("0.000001"))


def _of_said_whole(proof: Proof) -> Iterator[Decimal]:
    """The shares of a part in the sum that a passage tells, or in the recorded whole it tells."""
    own = {key for anchor in proof.context.entities for key in anchor.keys}
    for claim in proof.claims:
        if claim.status == "derived" and " + " in claim.detail and len(claim.facts) > 2:
            parts = distinct(f for f in claim.facts if f.entities & own and f.number)
            total = sum((fact.number for fact in claim.facts if fact.number), Decimal(0))
            if len(parts) == 1 and total and parts[0].number:
                yield (parts[0].number / total).quantize(Decimal("0.000001"))
    for part in proof.plain:
        whole = proof.known.whole_of(part)
        told = whole is not None and any(whole is fact for fact in proof.plain)
        if told and whole is not None and whole.number and part.number:
            yield (part.number / whole.number).quantize(Decimal("0.000001"))
