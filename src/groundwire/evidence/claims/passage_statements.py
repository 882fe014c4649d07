"""The names of statements that stand in a draft, and what the statements say of one passage."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from groundwire.evidence.claims.claim import Claim, Status
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.words import words_of
from groundwire.evidence.records import Condition, StatementKind
from groundwire.language import Reading as Annotated
from groundwire.quantities import DateMention, Quantity, parse_number, small_letters

_BOUNDS = {
    "at_least": "over", "more_than": "over", "at_most": "under", "less_than": "under",
}  # fmt: skip

COUNT_OF_SET = "the figure is only of what has"
"""How the detail of a claim begins that leaves out what its set, or its value, is narrowed by."""

COUNT_OF_GROUPS = "count of the groups by"
"""How the detail of a claim begins that counts groups or steps."""

CONNECTED = "references/"
"""How the path of a property begins that connected things have."""

POINTS_BACK = re.compile(
    r"\b(?:match\w*|found|find|results?|hits?|such|these|those|them|search|query|criteria|"
    r"conditions|treffer|gefunden\w*|diese[rsn]?|passend\w*|suche|ergebnis\w*)\b"
    r"|符合|匹配|找到|结果|这些|查到|条件",
    re.IGNORECASE,
)
"""Words that point back at a search: a count or an absence beside them says no less than it did."""


class Hit(NamedTuple):
    """A name in the draft, with every place of a statement that it may stand in."""

    start: int
    end: int
    terms: tuple[Term, ...]


T = TypeVar("T")
Named = tuple[Hit, Term]
"""A name in the draft, with one of the places of a statement that it may stand in."""
LEADS_ON = re.compile(
    r"(?:显示|表明|指出|show|shows|indicates?|zeigt|zeigen)\s?(?:[,，:：]|that\b|dass\b)\s?\S{0,3}$"
)
"""Right before what data tell of: "the data show: the group"; "the group's data" are its own."""


@dataclass(frozen=True, slots=True)
class Here:
    """The names of statements that stand in a passage.

    Attributes:
        hits: every name, in order.
        terms: by the number of each statement that is named, where, in order.
        kinds: the numbers of these statements by their kind, in order.
    """

    hits: Sequence[Hit]
    terms: Mapping[int, Sequence[Named]]
    kinds: Mapping[StatementKind, Sequence[int]]


class DraftStatements:
    """Where a draft names anything of the statements of records."""

    def __init__(
        self, annotated: Annotated, known: Knowledge, dates: Sequence[DateMention]
    ) -> None:
        self._dates = dates
        self.annotated = annotated
        self.text = annotated.text
        self.small = small_letters(annotated.text)
        self.known = known
        self._made: dict[tuple[object, int], Any] = known.once(_made)
        found = known.statement_names.find(annotated.text, annotated.tokens)
        self.hits = [Hit(*one) for one in found]
        self._starts = [hit.start for hit in self.hits]

    def of_name(self, make: Callable[[Knowledge, tuple[Term, ...]], T], hit: Hit) -> T:
        """Return what a function makes of the places of a name, made once for all drafts."""
        key = make, id(hit.terms)  # the names of the records keep them
        if key not in self._made:
            self._made[key] = make(self.known, hit.terms)
        return self._made[key]

    def within(self, start: int, end: int) -> list[Hit]:
        """Return the names that begin in a range."""
        return self.hits[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def ranks(self, hit: Hit) -> bool:
        """Whether a name is called by a superlative: "am längsten" calls the length."""
        word = self.annotated.at(hit.start)
        return word is not None and word.role is not None and word.role.role == "superlative"

    def dates_within(self, start: int, end: int) -> Sequence[DateMention]:
        """Return the dates that begin in a range."""
        return [one for one in self._dates if start <= one.span[0] < end]

    def here(self, passage: Passage) -> Here:
        """Return the names that stand in a passage."""
        hits = self.within(passage.start, passage.end)
        terms = defaultdict[int, list[Named]](list)
        for hit in hits:
            for term in hit.terms:
                terms[term.stated].append((hit, term))
        kinds = defaultdict[StatementKind, list[int]](list)
        for number in sorted(terms):
            kinds[self.known.statements[number].statement.kind].append(number)
        return Here(hits, {number: terms[number] for number in sorted(terms)}, kinds)

    def naming(self, here: Here, kind: StatementKind) -> Iterator[tuple[int, Stated]]:
        """The statements of a kind that a passage names anything of, with their numbers."""
        for number in here.kinds.get(kind, ()):
            yield number, self.known.statements[number]

    def between(self, number: int, start: int, end: int) -> Sequence[Named]:
        """Where a range of the draft names anything of a statement."""
        named = self._places.get(number, ())
        low = bisect_left(named, start, key=_start_of)
        return named[low : bisect_left(named, end, low, key=_start_of)]

    @cached_property
    def _places(self) -> Mapping[int, Sequence[Named]]:
        """Where the draft names anything of each statement."""
        found = defaultdict[int, list[Named]](list)
        for hit in self.hits:
            for term in hit.terms:
                found[term.stated].append((hit, term))
        return found


def _made(_: Knowledge) -> dict[tuple[object, int], Any]:
    """Return where what is made of names is kept."""
    return {}


def _start_of(named: Named) -> int:
    return named[0].start


@dataclass(slots=True)
class Found:
    """The claims, facts and words of a passage that recorded statements explain.

    Attributes:
        claims: claims about whole clauses that they prove or contradict.
        facts: recorded values that the statements are about.
        taken: the ranges that they explain.
        words: folded words that they explain wherever they stand.
        ordered: whether what the passage names stands in the recorded order; None where no
            statement says.
        reaches_end: whether the last of every order of which it names anything is among that.
        is_complete: whether a statement has all members of what the passage speaks of.
        is_present: whether the records tell of the time at which they were made.
        is_sourced: whether the passage names a recorded source.
        judged_by: the record by which the passage is proven as a whole.
        runs: ranges that repeat a recorded text.
        conditions: conditions of the sets that the passage speaks of.
        quantities: the quantities of the passage.
        met: ranges that name conditions which every member of a set meets.
        counted: the claims of the passage, those about the groups of an answer judged.
        few: where a passage speaks of the first few of an order, and whether it names just these.
        above: ranges over the passage, in the lead of its list, that prove something of it.
        foreign: ranges that name something which the set that the passage speaks of has not.
        besides: words that add a count to one told before, and were not read.
        is_untimely: whether it tells of a place at a time at which no ride is there.
    """

    claims: list[Claim] = field(default_factory=list[Claim])
    facts: list[Fact] = field(default_factory=list[Fact])
    taken: list[Span] = field(default_factory=list[Span])
    words: frozenset[str] = frozenset()
    ordered: bool | None = None
    reaches_end: bool = True
    is_complete: bool = False
    is_present: bool = True
    is_sourced: bool = False
    judged_by: str | None = None
    runs: list[Span] = field(default_factory=list[Span])
    conditions: list[Condition] = field(default_factory=list[Condition])
    quantities: Sequence[Quantity] = ()
    met: set[Span] = field(default_factory=set[Span])
    counted: Sequence[Claim] = ()
    foreign: list[Span] = field(default_factory=list[Span])
    above: list[Span] = field(default_factory=list[Span])
    few: list[tuple[int, int, bool]] = field(default_factory=list[tuple[int, int, bool]])
    besides: list[Span] = field(default_factory=list[Span])
    is_untimely: bool = False

    def judge_whole(
        self,
        passage: Passage,
        text: str,
        claims: Sequence[Claim],
        is_so: bool,
        evidence_id: str | None,
        detail: str,
        refuted: Status = "unsupported",
    ) -> None:
        """Support every claim of a passage that is proven as a whole, or refuse the passage.

        Args:
            passage: the passage, every word of which was read.
            text: the draft.
            claims: the claims of the passage, which are judged anew where it is so.
            is_so: whether the records have what it says.
            evidence_id: a record that tells of it.
            detail: what the records have.
            refuted: how the passage is judged where it is not so.
        """
        start, end = passage.start, passage.end
        status = "supported" if is_so else refuted
        whole = Claim(text[start:end].strip(), "statement", status, evidence_id, detail, start, end)
        if not is_so:
            self.claims.append(whole)
            return
        self.claims.clear()
        self.foreign.clear()
        self.judged_by = evidence_id
        self.counted = [
            replace(one, facts=())
            if one.status in ("supported", "derived")
            else replace(one, status="derived", evidence_id=evidence_id, detail=detail, facts=())
            for one in claims
        ] or [whole]
        self.runs.append((start, end))
        self.taken.append((start, end))

    def is_told(self, at: int) -> bool:
        """Whether what stands at a place is told in the words of a recorded text."""
        return any(start <= at < end for start, end in self.runs)

    def refuse(
        self,
        text: str,
        span: Span,
        evidence_id: str | None,
        detail: str,
        status: Status = "contradicted",
    ) -> None:
        """Add a claim that what stands in a span of a text is not so."""
        said = text[slice(*span)].strip()
        self.claims.append(Claim(said, "statement", status, evidence_id, detail, *span))

    def corrected(self, claims: Sequence[Claim]) -> Iterator[Claim]:
        """Claims, where a number that states a condition of the set is supported."""
        numbers = {q.span[0]: q for q in self.quantities}
        for claim in self.counted or claims:
            quantity = numbers.get(claim.start)
            if claim.status in ("unsupported", "contradicted"):
                detail = self._proof(claim, quantity)
                if detail:
                    claim = replace(claim, status="supported", detail=detail)
                elif quantity is not None and any(a <= claim.start < b for a, b, _ in self.few):
                    claim = replace(claim, status="unsupported")  # the few are no count of all
            yield claim

    def _proof(self, claim: Claim, quantity: Quantity | None) -> str:
        """Return why a claim holds that no value supports, or "" where nothing proves it."""
        if any(start <= claim.start and claim.end <= end for start, end in self.runs):
            return "in a recorded text"
        if quantity and any(held and a <= claim.start < b for a, b, held in self.few):
            return "the first of a recorded order"
        if claim.kind == "name" and (claim.start, claim.end) in self.met:
            return "a condition that every member of the set meets"
        if quantity is None:
            return ""
        met = next((c for c in self.conditions if states(c, quantity)), None)
        if met is None:
            return ""
        return f"a condition of the set: {met.predicate[0]} {met.operator} {quantity.raw}"

    def holds_for_all(self) -> bool:
        """Whether what is said of every member is proven by a complete set with conditions."""
        return self.is_complete and bool(self.conditions)


def is_of_unnamed(conditions: Sequence[Condition], place: int, own: Sequence[Named]) -> bool:
    """Whether a condition is one of connected things, of which a passage names none.

    Maps that are connected with a scenario in fog do not "show fog".
    """
    if not conditions[place].predicate[0].startswith(CONNECTED):
        return False
    links = {at for at, one in enumerate(conditions) if "reference" in one.predicate}
    named = {term.place for _, term in own if term.slot == "condition"}
    return bool(links) and not links & named


def narrows_figure(
    hit: Hit, *, text: str, context: PassageContext, claims: Sequence[Claim], is_best: bool
) -> bool:
    """Whether what a thing is narrows its figure, or stands in its place.

    "11 million Dutch people" are not all people, and "the area of Asia" is not China's.

    Args:
        hit: where a passage says what the thing is.
        text: the draft.
        context: the passage.
        claims: its claims.
        is_best: whether it tells the largest or smallest, which need not be named.
    """
    figures = [c for c in claims if c.kind == "number" and any(f.entities for f in c.facts)]
    gaps = [(hit.end, c.start, " :：") for c in figures]
    gaps += [(c.end, hit.start, "") for c in figures]
    gaps += [(hit.end, one.start, "") for one in context.names if figures]
    if any(a < b and not text[a:b].strip(f" {signs}") for a, b, signs in gaps):
        return True
    over = (context.contexts.entities(scope.span) for scope in context.passage.scopes)
    named = {key for anchor in chain(context.entities, *over) for key in anchor.keys}
    named |= context.pointed_at()
    return not is_best and any(f.entities.isdisjoint(named) for c in figures for f in c.facts[:1])


@lru_cache(maxsize=4_096)
def _numbers_of(condition: Condition) -> frozenset[Decimal]:
    """Return the numbers among the objects of a condition."""
    numbers = (parse_number(names[0]) for names in condition.objects if names)
    return frozenset(number for number in numbers if number is not None)


def states(condition: Condition, quantity: Quantity) -> bool:
    """Whether a number with its bound, unit and noun states a condition of a set.

    Args:
        condition: the condition.
        quantity: the number.
    """
    same_unit = (condition.unit or None) == (quantity.unit or None)
    if not same_unit or quantity.value not in _numbers_of(condition):
        return False
    noun = set(words_of(quantity.noun)) if quantity.unit is None else set[str]()
    called = {word for name in condition.predicate for word in words_of(name)}
    if noun and not noun & called:
        return False
    return quantity.bound == _BOUNDS.get(condition.operator)
