"""Words that say how much, how exactly or how little: "far larger", "exactly 3", "just half"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from fractions import Fraction

from groundwire.evidence.claims.answer_figures import PAGE
from groundwire.evidence.claims.attachment import is_base
from groundwire.evidence.claims.counterparts import share_of_named_part
from groundwire.evidence.claims.counts import COUNT_OF_ALL, TOTALS
from groundwire.evidence.claims.degree_bounds import fits_degree
from groundwire.evidence.claims.fact_index import ASSETS, Fact, distinct, is_fineness
from groundwire.evidence.claims.proof import Outcome, Proof, limit_before, sense_of
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.series import figures_of_clause, is_result
from groundwire.evidence.claims.stated_values import (
    alike,
    computed_sides,
    joined_anchors,
    pairs_of,
    stated_facts,
    summed_behind,
)
from groundwire.evidence.claims.superlatives import judge_superlative
from groundwire.evidence.claims.value_cues import compared, has_improved, is_slight
from groundwire.evidence.claims.value_rows import keys_named, rows
from groundwire.evidence.claims.words import cue_tables, words_of
from groundwire.language import Span as Word
from groundwire.quantities import Quantity

_WORDS = cue_tables()
_SLIGHTLY = frozenset[str](_WORDS["slightly"])
_MORE = frozenset[str](_WORDS["more"])
_LESS = frozenset[str](_WORDS["less"])
_SHOULD = frozenset[str](_WORDS["should"])
_MEASURES = {adjective: frozenset[str](words) for adjective, words in _WORDS["measures"].items()}
_IMPROVES = frozenset[str](_WORDS["improves"])
_WORSENS = frozenset[str](_WORDS["worsens"])
# 大约是奥地利的9倍: other words than the figure's own stand between.
_HAN_BEFORE = re.compile(r"[\u3400-\u9fff]{3,14}")
_SMALL = frozenset[str](_WORDS["small"])
_RESULTS = frozenset[str](_WORDS["results"])
_SOLD = frozenset(("revenue", "sale"))
# A result of no more than this share of the revenue may be called small.
_SMALL_SHARE = Decimal("0.025")
_AS = frozenset(("as", "so"))
# From "only" to its figure, an approximation between them.
_NEXT_WORD = 9


# In the detail of a figure that is not just what was computed.
_NOT_EXACT = re.compile(r"rounded|bound|≈")
_HARDLY = frozenset[str](_WORDS["hardly"])
# From a German verb to the "kaum" behind it: "veränderte sich 2020 gegenüber 2019 kaum".
_FAR_BEHIND = 40
_LITTLE = frozenset((("direction", "change"), ("direction", "flat")))


def hardly(words: Sequence[Word], place: int) -> Word | None:
    """Return the "hardly" right before a change, which makes it a small one; None elsewhere."""
    role = words[place].role
    if not place or role is None or (role.role, role.sense) not in _LITTLE:
        return None
    start, end = words[place].start, words[place].end
    behind = [w for w in words[place + 1 :] if w.start - end <= _FAR_BEHIND and w.text not in ",;."]
    near = (words[place - 1], *(behind if words[place].tokens[0].language == "de" else ()))
    return next((w for w in near if w.text.casefold() in _HARDLY and w.start != start), None)


def is_far(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "much" or "far" stands right before a comparison of values that lie far apart."""
    behind = next((w for w in words[place + 1 :] if not w.is_silent), None)
    if behind is not None and behind.role is not None and behind.role.role == "superlative":
        return _leads_far(proof, behind)
    if place > 1 and words[place - 1].text == "by" and words[place - 2].kind == "superlative":
        return _leads_far(proof, words[place - 2])  # "the longest by far"
    behind = words[place + 1] if place + 1 < len(words) else None
    if behind is None or behind.role is None or behind.role.role not in ("comparison", "bound"):
        return False
    pairs = compared(proof, words, place + 1)
    return bool(pairs) and all(fits_degree("far", *pair) for pair in pairs)


def _leads_far(proof: Proof, word: Word) -> bool:
    """Whether the value that a superlative is said of lies far from the next one: "by far"."""
    told = [fact for fact in figures_of_clause(proof, word) if fact.entities]
    for fact in told[:1] or proof.plain[:1]:
        numbers = sorted(one.number or Decimal(0) for one in alike(proof.known, fact))
        if len(numbers) > 1 and fact.number in (numbers[0], numbers[-1]):
            return fits_degree("far", *(numbers[:2] if fact.number == numbers[0] else numbers[-2:]))
    return False


def sums_compared(proof: Proof, words: Sequence[Word], taken: Sequence[Span]) -> Iterator[Span]:
    """Yield where a proven comparison says that it is with several things together."""
    starts = {start for start, _ in taken}
    for word in words:
        if word.start in starts and word.role is not None and word.role.role == "comparison":
            behind = [a for a in proof.context.entities if a.start >= word.end]
            bases = [a for a in proof.context.entities if is_base(proof.text, a.start)]
            begin = min((a.start for a in behind or bases), default=-1)
            others = [a for a in proof.context.entities if a.start >= begin >= 0]
            span = summed_behind(proof.text, joined_anchors(proof.text, others))
            yield from [span] if span is not None else ()


def is_exact(proof: Proof, word: Word) -> bool:
    """Whether "exactly" stands before a figure that is recorded just so, and not rounded.

    Of "more precise: 0.2 m" no figure says in which direction it is. "To be exact" may stand
    behind its figure.
    """
    before = words_of(proof.text[: word.start].rpartition("\n")[2])[-1:]
    if not (_MORE | _LESS).isdisjoint(before):
        return False
    told = {q.span[0]: q for q in proof.context.quantities}
    is_behind = word.text.count(" ") > 1
    return any(
        (0 <= claim.start - word.end <= _NEXT_WORD or (is_behind and word.start - claim.end == 1))
        and claim.status == "supported"
        and claim.facts
        # The times of a plan are estimates.
        and not any(fact.value.item for fact in claim.facts)
        and all(fact.number == told[claim.start].value for fact in claim.facts)
        for claim in proof.claims
        if claim.start in told
    )


def is_told(proof: Proof, quantity: Quantity) -> bool:
    """Whether a figure is just the recorded one, or just what is computed of recorded ones."""
    here = [claim for claim in proof.claims if claim.start == quantity.span[0]]
    told = (fact.number for c in here if c.status == "supported" for fact in c.facts)
    computed = (c.detail for c in here if c.status == "derived")
    return quantity.value in told or any(_NOT_EXACT.search(one) is None for one in computed)


def limits_exact_count(proof: Proof, word: Word) -> bool:
    """Whether "only" stands before the value of a thing: it calls small what is proven to be so.

    Before the count of a set it says that there are no more, which only a complete set shows.
    """
    return any(
        0 <= claim.start - word.end <= _NEXT_WORD
        and claim.status in ("supported", "derived")
        # 只有巴西超过1亿 calls few those that it is so of.
        and not any(word.end <= a.start < claim.start for a in proof.context.entities)
        for claim in proof.claims
        if claim.kind in ("number", "percent", "time") and (claim.facts or claim.detail == PAGE)
        if claim.detail == PAGE
        or (
            all(_is_of_a_thing(f, proof) for f in claim.facts)
            and not claim.detail.startswith(COUNT_OF_ALL)
        )
        or (claim.kind == "percent" and claim.status == "derived")
    )


def _is_of_a_thing(fact: Fact, proof: Proof) -> bool:
    """Whether a figure is a value or a change of something, and no count of a set."""
    if fact.operands:
        return fact.operation in ("percent_change", "difference")
    named = not fact.periods and fact.value.unit != ASSETS and fact not in proof.known.totals
    counted = [c.facts for c in proof.claims if c.kind == "number" and c.facts]
    alone = all(any(one.evidence_id == fact.evidence_id for one in own) for own in counted)
    return bool(fact.entities or fact.unit or (named and alone))


def is_slightly_wrong(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "slightly" stands before a comparison of two values that are far apart."""
    role, before = words[place].role, words[place - 1].text.casefold() if place else ""
    if before not in _SLIGHTLY or role is None or role.role not in ("comparison", "bound"):
        return False
    end = words[place].end
    if any(0 < quantity.span[0] - end <= _NEXT_WORD for quantity in proof.context.quantities):
        return False  # "a little over 32 million" bounds the figure behind it
    pairs = compared(proof, words, place)
    return not all(fits_degree("slight", a, b) for a, b in pairs)


def is_of_multiple(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "many" belongs to a multiple that is proven: "nine times as many people"."""
    before = words[place - 1] if place else None
    return (
        before is not None
        and before.text.casefold() in _AS
        and any(
            claim.status == "derived" and 0 <= before.start - claim.end <= 1
            for claim in proof.claims
        )
    )


def judge_rounding(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Nearly and about: a figure behind it was judged with its rounding; "nearly all" is open."""
    end = words[place].end
    if any(0 <= q.span[0] - end <= 3 for q in proof.context.quantities):
        return True
    clocks = (c for c in proof.claims if c.kind == "time" and c.status == "supported")
    if any(0 <= words[place].start - clock.end <= 1 for clock in clocks):
        return True  # 10:20左右
    figures = [c for c in proof.claims if c.kind in ("number", "percent") and c.start >= end]
    if _HAN_BEFORE.fullmatch(proof.text, words[place].start, figures[0].start if figures else end):
        return True if figures and figures[0].status in ("supported", "derived") else None
    behind = next((w for w in words[place + 1 :] if not w.is_silent), None)
    equates = behind is not None and behind.role is not None and behind.role.sense == "equal"
    return True if equates or is_slight(proof, words, place) else None


def judge_size(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """High and low: a comparison where something is compared, else an opinion."""
    word = words[place]
    if _names_measure(proof, word) or _is_small_result(proof, words, place):
        return True
    for way, verbs in ((1, _IMPROVES), (-1, _WORSENS)):
        if any(t.lemma in verbs or t.key in verbs for t in word.tokens):
            return has_improved(proof, word, way)
    if any(t.lemma in _SHOULD for t in word.tokens):  # "you should leave at 18:22" tells a plan
        figures = [c for c in proof.claims if c.kind in ("number", "time")]
        planned = proof.facts and all(fact.value.item is not None for fact in proof.facts)
        return True if planned and figures and all(c.facts for c in figures) else None
    compares = any(w.role is not None and w.role.role == "comparison" for w in words)
    more = any(token.lemma in _MORE for token in word.tokens)
    less = any(token.lemma in _LESS for token in word.tokens)
    if word.role is None or word.role.sense != "size" or not compares or more == less:
        return None
    return True if any(claim.status == "derived" for claim in proof.claims) else None


def _is_small_result(proof: Proof, words: Sequence[Word], place: int) -> bool:
    """Whether "small" stands before a profit or loss that is small beside what is recorded with it.

    That is the revenue of the same time, else the results of other times.
    """
    behind = words[place + 1 : place + 3]
    said = {name for word in behind for t in word.tokens for name in (t.lemma, t.key)}
    start, end = proof.context.clause(words[place].start)
    told = [c for c in proof.claims if start <= c.start < end and c.status == "supported"]
    own = [f for c in told for f in c.facts if is_result(proof, f) and f.number and not f.operands]
    is_small = any(token.lemma in _SMALL for token in words[place].tokens)
    if not (is_small and said & _RESULTS) or len({fact.number for fact in own}) != 1:
        return False
    one = own[0]
    beside = [
        fact
        for fact in proof.known.facts.numbers()
        if fact.entities == one.entities and fact.value.unit == one.value.unit and fact.number
    ]
    sizes = [(fact, abs(fact.number or Decimal(0))) for fact in beside]
    sold = [
        size
        for fact, size in sizes
        if fact.periods == one.periods and _SOLD & proof.known.words_about(fact)
    ]
    others = [size for f, size in sizes if f.names == one.names and f.periods != one.periods]
    least = max(sold, default=Decimal(0)) * _SMALL_SHARE or max(others, default=Decimal(0)) / 3
    return abs(one.number or 0) <= least


def _names_measure(proof: Proof, word: Word) -> bool:
    """Whether a word says what the figure beside it measures: "12 km long", 长12公里."""
    called = [_MEASURES[t.lemma] for t in word.tokens if t.lemma in _MEASURES]
    beside = [
        claim
        for claim in proof.claims
        if 0 <= word.start - claim.end <= 2 or 0 <= claim.start - word.end <= 1
        if claim.status in ("supported", "derived") and claim.kind == "number"
    ]
    facts = [fact for claim in beside for fact in claim.facts]
    if called and beside and not facts:
        met = (c.predicate for c in proof.found.conditions if c.unit)
        return any(called[0] & set(words_of(name)) for names in met for name in names)
    return bool(called and facts) and all(
        called[0] & proof.known.words_about(fact) for fact in facts if not fact.operands
    )


def judge_first(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Judge a superlative; one that a recorded value of another thing beats is wrong.

    The records need not have all things for that: "India had the most people, 1.40 billion" is
    refuted by China alone. Whether the highest precision is the greatest figure, nobody can tell.
    """
    if any(map(is_fineness, proof.plain)):
        return None
    outcome = judge_superlative(proof, words, place)
    way = {"most": 1, "least": -1}.get(sense_of(words[place]), 0)
    own = proof.plain[0] if len(proof.plain) == 1 else None
    alone = len({anchor.keys for anchor in proof.context.entities}) == 1
    if outcome is not None or not way or own is None or own.number is None or not alone:
        return outcome
    others = [one.number for one in alike(proof.known, own) if one.entities != own.entities]
    beaten = any(number is not None and (number - own.number) * way > 0 for number in others)
    return False if beaten else None


_FRACTIONS = {
    word: Decimal(share.numerator) / Decimal(share.denominator)
    for written, words in cue_tables()["fractions"].items()
    for share in (Fraction(written),)
    for word in words
}
# How far a share may lie from what such a word says: as it stands, with "about", with "nearly".
_EXACT, _ABOUT, _NEARLY = Decimal("0.006"), Decimal("0.04"), Decimal("0.9")
_OVER = frozenset(("more_than", "at_least", "more"))
_UNDER = frozenset(("less_than", "at_most", "less"))
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
    if sense in _OVER:
        return share > wanted
    if sense in _UNDER:
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
    both = rows(proof.known, things=subject.keys | base.keys)
    held = distinct(f for f in both if (f.names, f.value.unit, f.periods) in kinds)
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
    own = keys_named(anchors or proof.context.entities)
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


def _of_said_whole(proof: Proof) -> Iterator[Decimal]:
    """The shares of a part in the sum that a passage tells, or in the recorded whole it tells."""
    own = keys_named(proof.context.entities)
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
