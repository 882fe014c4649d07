"""Words with a meaning of their own, held against the records: is it so, is it not, is it open?

"Rose", "more than", "the largest of the three", "both", "since 2015" state something beside the
figures of their passage. Each is proven by recorded values, contradicted by them, or left over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.words import words_of
from groundwire.language import Span as Word

_CHANGES = ("percent_change", "difference")
# A change as small as this may be called none.
_NO_CHANGE = Decimal("0.01")
_ANY_SOURCE = frozenset(
    [
        "data",
        "dataset",
        "record",
        "figure",
        "graph",
        "catalogue",
        "catalog",
        "evidence",
        "ledger",
        "endpoint",
        "database",
        "file",
        "table",
        "daten",
        "angabe",
        "katalog",
        "graph",
        "数据",
        "数据集",
        "目录",
        "图谱",
        "记录",
    ]
)
_BEFORE_FIGURE = frozenset(("", "than", "the", "als", "of", "$", "€", "£"))
_NEAR_FACTOR = Decimal("0.05")
_FACTORS = {
    word: Decimal(factor)
    for factor, words in {
        "2": "twice double twofold doppelt verdoppeln zweifach 两倍 翻倍 翻番",
        "3": "thrice triple threefold dreifach verdreifachen 三倍",
        "4": "quadruple fourfold vierfach vervierfachen 四倍",
        "0.5": "halve halbieren 减半",
    }.items()
    for word in words.split()
}
_MORE = frozenset("high large big great long many old 高 大 多 长 快 hoch groß lang viel".split())
_LESS = frozenset("low small short few 低 小 少 短 慢 niedrig klein kurz wenig gering".split())
_PERSON = frozenset(
    words_of(
        "people person inhabitant resident population employee passenger head 人口 人 einwohner"
    )
)
_BELOW_ZERO = frozenset("negative negativ 负".split())
_IN_ORDER = frozenset("respectively jeweils beziehungsweise 分别".split())
# The measure that an adjective behind a figure names, by the words of such properties.
_MEASURES = {
    adjective: frozenset(properties.split())
    for adjective, properties in {
        "long": "length duration long", "lang": "länge dauer length duration", "长": "长 length",
        "high": "height", "hoch": "höhe height", "高": "高 height",
        "wide": "width", "breit": "breite width", "宽": "宽 width",
        "deep": "depth", "tief": "tiefe depth", "深": "深 depth",
        "old": "age", "alt": "alter age",
    }.items()
}  # fmt: skip
_MEANS = {
    "mean": ("average", "mean", "durchschnitt", "mittel", "平均"),
    "sum": ("sum", "summe", "总和"),
}
_DERIVED_WORDS = frozenset(word for words in _MEANS.values() for word in words) | {"median", "rate"}


@dataclass(frozen=True, slots=True)
class Proof:
    """A passage with all that speaks for it.

    Attributes:
        text: the draft.
        context: the passage with its names, quantities and dates.
        claims: its claims.
        facts: the recorded values that support them.
        found: what statements of the records say of it.
        known: all that the records hold.
    """

    text: str
    context: PassageContext
    claims: tuple[Claim, ...]
    facts: tuple[Fact, ...]
    found: Found
    known: Knowledge

    @property
    def plain(self) -> list[Fact]:
        """The recorded numbers among the facts, without what was computed from them."""
        return [fact for fact in self.facts if fact.number is not None and not fact.operands]


Outcome = bool | None
"""Proven, contradicted, or neither."""


def proven_cues(
    proof: Proof, words: Sequence[Word], is_free: Callable[[int, int], bool]
) -> tuple[list[Claim], list[Span]]:
    """Judge every cue of a passage that nothing has taken.

    Args:
        proof: the passage.
        words: its words, in order.
        is_free: whether nothing has taken a range yet.

    Returns:
        Claims that the records contradict, and the ranges of the cues that they prove.
    """
    contradicted: list[Claim] = []
    taken: list[Span] = []
    for place, word in enumerate(words):
        if word.role is None or word.is_silent or not is_free(word.start, word.end):
            continue
        judge = _JUDGES.get(word.role.role)
        outcome = judge(proof, words, place) if judge is not None else None
        if outcome is None or (outcome is False and not _is_certain(proof, words, word)):
            continue
        if outcome or proof.plain:
            taken.append((word.start, word.end))
        if outcome is False and proof.plain and not proof.found.claims:
            contradicted.append(_contradiction(proof, word))
    return contradicted, taken


def _is_certain(proof: Proof, words: Sequence[Word], word: Word) -> bool:
    """Whether a cue speaks of the recorded values themselves, and of all that it seems to.

    Beside changes and shares it may compare these; after "after" and "except" something is left
    out; of several things a change may be one of their difference.
    """
    role = word.role.role if word.role else ""
    if any(claim.status == "derived" or claim.kind == "percent" for claim in proof.claims):
        return False
    if role == "direction":
        return len({key for fact in proof.plain for key in fact.entities}) < 2
    senses = {(w.role.role, w.role.sense) for w in words if w.role is not None}
    return not senses & {("order", "after"), ("order", "then"), ("quantifier", "other")}


def _contradiction(proof: Proof, word: Word) -> Claim:
    facts = [fact for fact in proof.plain if fact.number is not None][:3]
    has = "; ".join(f"{fact.about} {fact.said}" for fact in facts)
    evidence_id = facts[0].evidence_id if facts else None
    detail = f"the record has {has}"
    return Claim(
        word.text,
        "statement",
        "contradicted",
        evidence_id,
        detail,
        word.start,
        word.end,
        tuple(facts),
    )


def _direction(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Rises and falls: by a recorded change, or by two values of one thing at two times."""
    sense = words[place].role.sense if words[place].role else ""
    signed = [
        fact.number
        for fact in proof.facts
        if fact.number and (fact.operation in _CHANGES or fact.names & proof.known.changes)
    ]
    if any(token.tag == "adjective" for token in words[place].tokens):
        below = any(token.lemma in _BELOW_ZERO for token in words[place].tokens)
        # "adjusted revenue" is another revenue
        return all(change < 0 for change in signed) if below and signed else None
    if not signed and sense == "down" and any(f.number and f.number < 0 for f in proof.plain):
        return True  # a loss
    stated = _stated_in_clause(proof, words[place])
    changes = signed or [*_changes_over_time(stated), *_recorded_changes(proof, stated)]
    if not changes or (sense == "change" and not signed and not _is_over_time(proof)):
        return None
    if sense == "flat":
        return all(abs(change) <= _NO_CHANGE for change in changes)
    rises = {change > 0 for change in changes if change}
    if sense not in ("up", "down", "up_sharply", "down_sharply"):
        return bool(rises) if sense == "change" else None
    if len(rises) != 1:
        return True if signed and rises else None  # each was judged with the words beside it
    return rises.pop() == sense.startswith("up")


def _is_over_time(proof: Proof) -> bool:
    return len({fact.periods for fact in proof.plain if fact.periods}) > 1


def _recorded_changes(proof: Proof, stated: Sequence[Fact]) -> Iterator[Decimal]:
    """Recorded changes of the values that a passage speaks of."""
    about = {(fact.names, fact.entities) for fact in stated}
    for fact in proof.known.facts.numbers():
        is_change = fact.operation == "percent_change" and (fact.names, fact.entities) in about
        if is_change and fact.number is not None:
            yield fact.number / 100


def _changes_over_time(facts: Sequence[Fact]) -> Iterator[Decimal]:
    """Relative changes from the first to the last value of one thing."""
    series: dict[tuple[object, ...], list[Fact]] = {}
    for fact in facts:
        if fact.periods:
            series.setdefault((fact.names, fact.entities, fact.value.unit), []).append(fact)
    for held in series.values():
        ordered = sorted(held, key=lambda fact: sorted(map(str, fact.periods)))
        first, last = ordered[0].number, ordered[-1].number
        if len({fact.periods for fact in held}) > 1 and first and last is not None:
            yield (last - first) / abs(first)


def _stated(proof: Proof) -> list[Fact]:
    """The recorded numbers that a passage speaks of: by its figures, else by what it names."""
    if proof.plain:
        return proof.plain
    named = [anchor.keys for anchor in proof.context.names]
    names = {key for keys in named for key in keys} & proof.known.numeric_names
    entities = {key for anchor in proof.context.entities for key in anchor.keys}
    periods = {key for anchor in proof.context.periods for key in anchor.keys}
    return [
        fact
        for fact in proof.known.facts.numbers()
        if not fact.operands
        and (not names or fact.names & names)
        and (not fact.entities or not entities or fact.entities & entities)
        and (not periods or not fact.periods or fact.periods & periods)
    ]


def _stated_in_clause(proof: Proof, word: Word) -> list[Fact]:
    """The recorded numbers that the clause of a word is about, else its passage."""
    start, end = proof.context.clause(word.start)
    facts = [
        fact
        for claim in proof.claims
        if start <= claim.start < end and claim.kind in ("number", "percent")
        if claim.status in ("supported", "derived")
        for fact in claim.facts
        if fact.number is not None and not fact.operands
    ]
    return facts if len({fact.periods for fact in facts}) > 1 else _stated(proof)


def _comparison(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """More, less and as much: by a derived figure, or by the values of the two things compared."""
    word = words[place]
    sense = word.role.sense if word.role else ""
    if any(claim.status == "derived" for claim in proof.claims):
        return True
    if any(q.unit and 0 <= word.start - q.span[1] <= 2 for q in proof.context.quantities):
        return True  # "12 km long" says what is measured
    pairs = list(_compared(proof, word))
    if sense == "compare":
        return True if pairs or len(_stated(proof)) > 1 else None
    if not pairs:
        return None
    if sense == "times":
        factor = next((_FACTORS[t.lemma] for t in word.tokens if t.lemma in _FACTORS), None)
        return None if factor is None else all(_is_multiple(a, b, factor) for a, b in pairs)
    return all(_holds(sense, first, second) for first, second in pairs)


def _is_multiple(first: Decimal, second: Decimal, factor: Decimal) -> bool:
    """Whether a value is so many times another, as far as such words are exact."""
    return bool(second) and abs(first / second - factor) <= factor * _NEAR_FACTOR


def _holds(sense: str, first: Decimal, second: Decimal) -> bool:
    """Whether two values compare as a word says."""
    larger = max(abs(first), abs(second))
    alike = first == second or abs(first - second) / larger <= _NO_CHANGE
    if sense == "different":
        return first != second
    if sense == "equal":
        return alike
    return first != second and (first > second) == (sense == "more")


def _compared(proof: Proof, word: Word) -> Iterator[tuple[Decimal, Decimal]]:
    """The values of what stands before and behind a comparison, of each property and period."""
    context = proof.context
    for anchors, is_entity in ((context.entities, True), (context.periods, False)):
        before = [anchor for anchor in anchors if anchor.end <= word.start]
        behind = [anchor for anchor in anchors if anchor.start >= word.end]
        if not before or not behind or before[-1].keys == behind[0].keys:
            continue
        sides = (before[-1].keys, behind[0].keys)
        pairs = list(_pairs(_stated(proof), sides, is_entity=is_entity))
        if pairs:
            yield from pairs
            return


def _pairs(
    facts: Sequence[Fact], sides: tuple[frozenset[Any], frozenset[Any]], *, is_entity: bool
) -> Iterator[tuple[Decimal, Decimal]]:
    """The values of two things, or of two periods, that are alike in all else."""
    groups: dict[tuple[object, ...], list[list[Fact]]] = {}
    for fact in facts:
        own: frozenset[Any] = fact.entities if is_entity else fact.periods
        other: frozenset[Any] = fact.periods if is_entity else fact.entities
        for side, keys in enumerate(sides):
            if own & keys:
                group = groups.setdefault((fact.names, fact.value.unit, other), [[], []])
                group[side].append(fact)
    for first, second in groups.values():
        if len(first) == len(second) == 1:
            a, b = first[0].number, second[0].number
            if a is not None and b is not None:
                yield a, b


def _superlative(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """First or last place, among things that the passage names or that a record has all of."""
    word = words[place]
    sense = word.role.sense if word.role else ""
    subjects = [a for a in proof.context.entities if a.end <= word.start]
    if sense not in ("most", "least"):
        return None
    subject = subjects[-1].keys if subjects else None
    for keys, descending in proof.found.tops:
        if subject is not None and keys & subject:
            return True if descending == (sense == "most") else None
    periods = {key for anchor in proof.context.periods for key in anchor.keys}
    own = [
        fact
        for fact in _stated(proof)
        if not periods or not fact.periods or fact.periods & periods
        if len(fact.entities) == 1 and (subject is None or fact.entities & subject)
    ]
    if any(w.role is not None and w.role.role == "direction" for w in words):
        return _most_changed(proof, subject, sense)
    if not own or (subject is None and len({min(f.entities) for f in own}) > 1):
        return None
    if len({(one.names, one.periods) for one in own}) > 1:
        return None  # one property or period has it so, and another may not
    fact = own[0]
    alike = [
        one
        for one in proof.known.facts.numbers()
        if one.names == fact.names
        and one.value.unit == fact.value.unit
        and one.periods == fact.periods
        and not one.operands
        and len(one.entities) == 1
    ]
    entities = {key for one in alike for key in one.entities}
    named = {key for anchor in proof.context.entities for key in anchor.keys}
    counted = {int(q.value) for q in proof.context.quantities if q.unit is None and q.value < 1_000}
    is_whole = proof.found.is_complete or len(entities) in counted or entities <= named
    if len(entities) < 2 or not is_whole:
        return None
    numbers = [one.number for one in alike if one.number is not None]
    best = max(numbers) if sense == "most" else min(numbers)
    return fact.number == best


def _most_changed(proof: Proof, subject: frozenset[str] | None, sense: str) -> Outcome:
    """Whether a thing changed most or least, among all whose change is recorded."""
    changes = {
        min(fact.entities): abs(fact.number)
        for fact in proof.known.facts.numbers()
        if fact.operation == "percent_change"
        and fact.number is not None
        and len(fact.entities) == 1
    }
    own = next((key for key in subject or () if key in changes), None)
    if own is None or len(changes) < 2:
        return None
    best = max(changes.values()) if sense == "most" else min(changes.values())
    return changes[own] == best


def _quantifier(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Both, only, some: by how many things the passage names, or by a complete count."""
    sense = words[place].role.sense if words[place].role else ""
    if words[place].text.casefold() in _IN_ORDER:
        figures = [c for c in proof.claims if c.kind in ("number", "percent", "time")]
        return True if len(figures) > 1 and all(c.facts for c in figures) else None
    entities = {key for anchor in proof.context.entities for key in anchor.keys}
    periods = {anchor.keys for anchor in proof.context.periods}
    if sense == "both":
        two = len(entities) == 2 or len(periods) == 2 or len(proof.known.entities) == 2
        return True if two else None
    if sense == "some":
        return True if proof.facts or proof.found.facts else None
    if sense in ("only", "all", "each", "every"):
        return proof.found.quantified(sense, words[place].end, proof.claims)
    return None


def _bound(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Over, under, at least: judged with the number beside it, else a comparison or a preposition.

    "Above that of France" compares; "under the MIT licence" joins a name, which is a claim itself.
    """
    word = words[place]
    for quantity in proof.context.quantities:
        start, end = quantity.span
        before = start >= word.end and proof.text[word.end : start].strip(" *") in _BEFORE_FIGURE
        if before:
            return True if quantity.bound is not None else None
        if 0 <= word.start - end <= 2 and quantity.bound is not None:
            return True
    sense = word.role.sense if word.role else ""
    way = {"more_than": "more", "at_least": "more", "less_than": "less", "at_most": "less"}
    pairs = list(_compared(proof, word))
    if pairs and sense in way:
        return all(_holds(way[sense], first, second) for first, second in pairs)
    named = (c for c in proof.claims if c.kind == "name" and c.status == "supported")
    return True if any(0 <= c.start - word.end <= 5 for c in named) else None


def _rounding(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Nearly and about: a figure behind it was judged with its rounding; "nearly all" is open."""
    end = words[place].end
    return True if any(0 <= q.span[0] - end <= 3 for q in proof.context.quantities) else None


def _size(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """High and low: a comparison where something is compared, else an opinion."""
    word = words[place]
    if _names_measure(proof, word):
        return True
    compares = any(w.role is not None and w.role.role == "comparison" for w in words)
    more = any(token.lemma in _MORE for token in word.tokens)
    less = any(token.lemma in _LESS for token in word.tokens)
    if word.role is None or word.role.sense != "size" or not compares or more == less:
        return None
    if any(claim.status == "derived" for claim in proof.claims):
        return True
    pairs = list(_first_pairs(proof))
    return all(_holds("more" if more else "less", a, b) for a, b in pairs) if pairs else None


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


def _first_pairs(proof: Proof) -> Iterator[tuple[Decimal, Decimal]]:
    """The values of the two things that a passage names, in the order in which it names them."""
    for anchors, is_entity in ((proof.context.entities, True), (proof.context.periods, False)):
        keys = list(dict.fromkeys(anchor.keys for anchor in anchors))
        if len(keys) == 2:
            yield from _pairs(_stated(proof), (keys[0], keys[1]), is_entity=is_entity)
            return


def _time(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Words of time: a year is one where a date is proven, a span where two are."""
    sense = words[place].role.sense if words[place].role else ""
    periods = {key for fact in proof.facts for key in fact.periods}
    dated = bool(periods) or any(c.kind in ("date", "time") for c in proof.claims if c.facts)
    if sense in ("period", "during"):
        return True if dated or _is_unit(proof, words[place]) else None
    if sense in ("since", "until"):
        return True if len({fact.periods for fact in proof.facts if fact.periods}) > 1 else None
    if sense == "now":
        return True if proof.facts and not periods and proof.found.is_present else None
    return None


def _is_unit(proof: Proof, word: Word) -> bool:
    return any(
        quantity.span[1] - 1 <= word.start <= quantity.span[1] + 12
        for quantity in proof.context.quantities
    )


def _unit_noun(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """People, dollars, percent: what a proven figure is measured in."""
    sense = words[place].role.sense if words[place].role else ""
    for fact in proof.facts:
        dimension = fact.unit.dimension if fact.unit else ""
        if sense == "person" and not dimension and _PERSON & proof.known.words_about(fact):
            return True
        if sense == "percent" and fact.value.unit == "%":
            return True
        if sense == "currency" and dimension.startswith("currency"):
            return True
        if sense == "measure" and dimension:
            return True
    return None


def _set_noun(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """Results, countries, figures: what an answer lists or counts."""
    word = words[place]
    lemmas = {token.lemma for token in word.tokens}
    if lemmas & _DERIVED_WORDS:
        means = [one for one, names in _MEANS.items() if lemmas & set(names)]
        derived = any(claim.status == "derived" for claim in proof.claims)
        return True if means and derived else None
    sense = word.role.sense if word.role else ""
    if sense == "whole":
        return True
    several = len({key for anchor in proof.context.entities for key in anchor.keys}) > 1
    several = several or len({key for fact in _stated(proof) for key in fact.entities}) > 1
    counts = any(not fact.periods and fact.unit is None for fact in proof.facts)
    return True if several or counts or proof.found.facts else None


def _forecast(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A plan speaks of what will be: its times are recorded as such."""
    planned = proof.facts and all(fact.value.item is not None for fact in proof.facts)
    return True if planned else None


def _source(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """What follows "according to" is left over by itself unless it is a recorded source.

    A kind of document ("census", "report") is a source of its own, unless a recorded one is named
    or it is what every record is: data, a graph, a catalogue.
    """
    word = words[place]
    if word.role is None or word.role.sense != "document" or proof.found.is_sourced:
        return True
    return True if any(token.lemma in _ANY_SOURCE for token in word.tokens) else None


def _order(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """First, then, finally: by the recorded order of what the passage names."""
    sense = words[place].role.sense if words[place].role else ""
    if sense in ("before", "after"):
        return _in_time(proof, words[place], sense)
    return proof.found.ordered


def _in_time(proof: Proof, word: Word, sense: str) -> Outcome:
    """Whether the figures before and behind a word are of times in the order that it says."""
    held = [
        (claim, min(fact.periods, key=str))
        for claim in proof.claims
        if claim.kind in ("number", "percent") and claim.status == "supported"
        for fact in claim.facts[:1]
        if fact.periods
    ]
    before = [period for claim, period in held if claim.end <= word.start]
    behind = [period for claim, period in held if 0 <= claim.start - word.end <= 2]
    if not before or not behind or before[-1] == behind[0]:
        return None
    return (str(before[-1]) > str(behind[0])) == (sense == "after")


def _relation(proof: Proof, words: Sequence[Word], place: int) -> Outcome:
    """A relation of two names is read with its statement; elsewhere it must be named by a fact."""
    word = words[place]
    sense = word.role.sense if word.role else ""
    derived = (c for c in proof.claims if c.status == "derived" and c.kind == "percent")
    if sense == "part_of" and any("÷" in c.detail for c in derived):
        return True
    if sense in ("located", "has_part"):
        return True if any(c.start >= word.end for c in proof.claims if c.kind == "name") else None
    return None


_JUDGES: dict[str, Callable[[Proof, Sequence[Word], int], Outcome]] = {
    "direction": _direction,
    "comparison": _comparison,
    "superlative": _superlative,
    "quantifier": _quantifier,
    "bound": _bound,
    "time": _time,
    "unit_noun": _unit_noun,
    "set_noun": _set_noun,
    "opinion": _size,
    "approximation": _rounding,
    "forecast": _forecast,
    "source": _source,
    "order": _order,
    "relation": _relation,
}
