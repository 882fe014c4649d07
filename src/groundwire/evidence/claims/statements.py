"""What the statements of records say of a passage: scope, absence, relations, parts and order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Stated, Term
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.evidence.records import Condition, Names, Statement, StatementKind
from groundwire.language import Reading as Annotated
from groundwire.language import Span as Word
from groundwire.language import lexicon
from groundwire.quantities import Quantity, parse_number

_PLAN = re.compile(r"plan (\d{1,3})")
_SHORTEST_RUN = 5
_NEGATIVE = ("none_of", "missing")
_BOUNDS = {
    "at_least": ("over", None), "more_than": ("over",),
    "at_most": ("under", None), "less_than": ("under",),
}  # fmt: skip
_TURNS = frozenset(("of", "than", "von"))
_INVERSE = {
    "broader": "narrower", "narrower": "broader", "part_of": "has_part", "has_part": "part_of",
    "related": "related", "same_as": "same_as",
}  # fmt: skip
# A count that points back at its search says no less than the search did.
_POINTS_BACK = re.compile(
    r"\b(?:match\w*|found|find|results?|hits?|such|these|those|them|search|query|criteria|"
    r"conditions|treffer|gefunden\w*|diese[rsn]?|passend\w*|suche|ergebnis\w*)\b"
    r"|符合|匹配|找到|结果|这些|查到|条件",
    re.IGNORECASE,
)
_BY_SOURCE = re.compile(
    r"(?:\b(?:from|by|of|per|via|in|aus|von|vom|nach|laut|(?:zahlen|daten|angaben) (?:der|des))"
    r"|据|来自|由)\s*(?:the\s+|der\s+|dem\s+)?$",
    re.IGNORECASE,
)
_TOWARDS = re.compile(
    r"(?:\b(?:towards?|bound for|direction|richtung)|开往|方向)\s*(?:the\s+)?$", re.IGNORECASE
)
_FROM = re.compile(r"(?:\b(?:from|at|von|ab|in)\b|从|在|自)\s*(?:the\s+)?$", re.IGNORECASE)
_TO = re.compile(
    r"(?:\b(?:to|until|till|for|reach|reaches|bis|nach|zu[mr]?)\b|[→>]|到|至|往)"
    r"\s*(?:the\s+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Hit:
    start: int
    end: int
    terms: tuple[Term, ...]


_Named = tuple[_Hit, Term]
"""A name in the draft, with one of the places of a statement that it may stand in."""


@dataclass(frozen=True, slots=True)
class _Here:
    """The names of statements that stand in a passage.

    Attributes:
        hits: every name, in order.
        terms: by the number of each statement that is named, where, in order.
    """

    hits: Sequence[_Hit]
    terms: Mapping[int, Sequence[_Named]]


@dataclass(frozen=True, slots=True)
class _Order:
    """An order of things, as far as it is the same for all passages of a draft.

    Attributes:
        steps: the members that are whole sentences, by their place in the draft.
        top: keys of the first member, and whether it is the greatest; None where nothing says.
    """

    steps: Sequence[int]
    top: tuple[frozenset[str], bool] | None


def _order(one: Statement, said: str) -> _Order:
    """Look for the members of an order in a draft, which is given as one key."""
    places: list[tuple[int, int]] = []
    for place, names in enumerate(one.objects):
        if names and len(names[0].split()) >= _SHORTEST_RUN:
            at = said.find(key_of(names[0]))
            if at >= 0:
                places.append((at, place))
    sorts = {n[0] for c in one.conditions if "order" in c.predicate for n in c.objects}
    top = (frozenset(map(key_of, one.objects[0])), "descending" in sorts)
    steps = [place for _, place in sorted(places)]
    return _Order(steps, top if sorts and one.objects else None)


@dataclass(frozen=True, slots=True)
class _Leg:
    """A part of a plan: its line and its ends, each by the numbers of conditions that name it."""

    number: int
    position: int
    line: frozenset[int]
    origin: frozenset[int]
    destination: frozenset[int]
    said: str


def _leg(number: int, stated: Stated) -> _Leg:
    one = stated.statement
    of: dict[str, set[int]] = {"line": set(), "from": set(), "to": set()}
    names: dict[str, str] = {}
    for place, condition in enumerate(one.conditions):
        key = condition.predicate[0] if condition.predicate else ""
        if key in of:
            of[key].add(place)
        if condition.objects:
            names[key] = condition.objects[0][0]
    by = names.get("line") or names.get("mode", "")
    said = f"{one.position}. {by} from {names.get('from', '?')} to {names.get('to', '?')}"
    return _Leg(
        number, one.position or 0, *(frozenset(of[key]) for key in ("line", "from", "to")), said
    )


def _clauses(passage: Passage, context: PassageContext, hits: Sequence[_Hit]) -> Iterator[Span]:
    """The clauses of a passage that name something, each once."""
    yield from dict.fromkeys(context.clause(hit.start) for hit in hits)


def _fits(text: str, hits: Sequence[_Hit], legs: Sequence[_Leg]) -> bool | None:
    """Whether a clause that names a line and its ends, or two ends, fits the legs of a plan.

    Returns:
        None where the clause names too little of a plan to tell.
    """
    lines: list[set[int]] = []
    starts: list[set[int]] = []
    ends: list[set[int]] = []
    for hit in hits:
        at = {
            slot: {
                leg.position
                for leg in legs
                for term in hit.terms
                if term.stated == leg.number
                and term.slot == "condition"
                and term.place in getattr(leg, slot)
            }
            for slot in ("line", "origin", "destination")
        }
        before = text[max(0, hit.start - 14) : hit.start]
        if _TOWARDS.search(before):
            continue
        place = at["origin"] or at["destination"]
        if place and _TO.search(before):
            ends.append(at["destination"])
        elif place and _FROM.search(before):
            starts.append(at["origin"])
        elif at["line"] and not place:
            lines.append(at["line"])
        elif not any(at.values()) and text[hit.start].isalpha():
            if not any(term.slot in ("condition", "object") for term in hit.terms):
                continue
            if not any(term.stated == leg.number for leg in legs for term in hit.terms):
                return None  # it is named by another plan
            if _TO.search(before):
                ends.append(set())
            elif _FROM.search(before):
                starts.append(set())
    if len(lines) == 1 and (starts or ends):
        return bool(set.intersection(*lines, *starts, *ends))
    if not lines and len(starts) == 1 and len(ends) == 1:
        return any(a <= b for a in starts[0] for b in ends[0])
    return None


@dataclass(slots=True)
class Found:
    """What statements say of a passage.

    Attributes:
        claims: claims about whole clauses that they prove or contradict.
        facts: recorded values that the statements are about.
        taken: the ranges that they explain.
        words: folded words that they explain wherever they stand.
        ordered: whether what the passage names stands in the recorded order; None where no
            statement says.
        is_complete: whether a statement has all members of what the passage speaks of.
        is_present: whether the records tell of the time at which they were made.
    """

    claims: list[Claim] = field(default_factory=list[Claim])
    facts: list[Fact] = field(default_factory=list[Fact])
    taken: list[Span] = field(default_factory=list[Span])
    words: frozenset[str] = frozenset()
    ordered: bool | None = None
    is_complete: bool = False
    is_present: bool = True
    is_sourced: bool = False
    runs: list[Span] = field(default_factory=list[Span])
    conditions: list[Condition] = field(default_factory=list[Condition])
    quantities: Sequence[Quantity] = ()
    met: set[Span] = field(default_factory=set[Span])
    counted: Sequence[Claim] = ()
    tops: list[tuple[frozenset[str], bool]] = field(
        default_factory=list[tuple[frozenset[str], bool]]
    )

    def corrected(self, claims: Sequence[Claim]) -> Iterator[Claim]:
        """Claims, where a number that states a condition of the set is supported."""
        numbers = {q.span[0]: q for q in self.quantities}
        for claim in self.counted or claims:
            quantity = numbers.get(claim.start)
            wrong = claim.status in ("unsupported", "contradicted")
            if wrong and any(a <= claim.start and claim.end <= b for a, b in self.runs):
                claim = replace(claim, status="supported", detail="in a recorded text")
            if claim.kind == "name" and claim.status in ("unsupported", "contradicted"):
                if (claim.start, claim.end) in self.met:
                    detail = "a condition that every member of the set meets"
                    claim = replace(claim, status="supported", detail=detail)
            if quantity is not None and claim.status in ("unsupported", "contradicted"):
                met = next(
                    (
                        condition
                        for condition in self.conditions
                        if _states(condition, quantity, is_value=claim.status == "contradicted")
                    ),
                    None,
                )
                if met is not None:
                    detail = (
                        f"a condition of the set: {met.predicate[0]} {met.operator} {quantity.raw}"
                    )
                    claim = replace(claim, status="supported", detail=detail)
            yield claim

    def quantified(self, sense: str, end: int, claims: Sequence[Claim]) -> bool | None:
        """Whether a quantifier that ends here is proven by a complete set."""
        if not self.is_complete:
            return None
        if sense == "only":
            counts = (c for c in claims if c.kind == "number" and c.facts)
            return True if any(0 <= c.start - end <= 12 for c in counts) else None
        return True if self.conditions else None


def _states(condition: Condition, quantity: Quantity, *, is_value: bool) -> bool:
    """Whether a number with its bound, unit and noun states a condition of a set.

    Args:
        condition: the condition.
        quantity: the number.
        is_value: whether the text gives it as the value of a thing that has another: then it
            states no condition unless it is called a bound.
    """
    numbers = [parse_number(names[0]) for names in condition.objects if names]
    if quantity.value not in numbers or (condition.unit or None) != (quantity.unit or None):
        return False
    noun = set(words_of(quantity.noun)) if quantity.unit is None else set[str]()
    called = {word for name in condition.predicate for word in words_of(name)}
    if noun and not noun & called:
        return False
    bounds = _BOUNDS.get(condition.operator)
    if bounds is None:
        return quantity.bound is None
    return quantity.bound in bounds and not (is_value and quantity.bound is None)


class StatementReader:
    """Reads one draft against the statements of its records."""

    def __init__(self, annotated: Annotated, known: Knowledge) -> None:
        self._annotated = annotated
        self._text = annotated.text
        self._known = known
        self._hits = [
            _Hit(hit.start, hit.end, tuple(t for t in hit.terms if isinstance(t, Term)))
            for hit in known.statement_names.find(annotated.text, annotated.tokens)
        ]
        self._starts = [hit.start for hit in self._hits]
        self._sentence_starts = [sentence.start for sentence in annotated.sentences]
        self._token_starts = [token.start for token in annotated.tokens]
        self._said = key_of(self._text)

    def read(
        self,
        passage: Passage,
        context: PassageContext,
        facts: Sequence[Fact],
        claims: Sequence[Claim],
    ) -> Found:
        """Return what the statements say of one passage.

        Args:
            passage: the passage.
            context: its names, quantities and dates.
            facts: the recorded values that support its claims.
            claims: its claims.
        """
        found = Found(quantities=context.quantities)
        found.counted = self._groups(passage, claims, found) if self._known.groups else claims
        self._texts(passage, facts, found)
        if not self._known.statements:
            return found
        here = self._here(passage)
        self._scopes(passage, here, facts, claims, found)
        self._sources(passage, here, facts, found)
        words = self._annotated.within(passage.start, passage.end)
        self._absences(passage, here, facts, found)
        self._relations(here, words, found)
        self._attributes(here, facts, found)
        self._parts(passage, context, here, found)
        return found

    def _within(self, start: int, end: int) -> list[_Hit]:
        return self._hits[bisect_left(self._starts, start) : bisect_left(self._starts, end)]

    def _here(self, passage: Passage) -> _Here:
        hits = self._within(passage.start, passage.end)
        terms: dict[int, list[_Named]] = {}
        for hit in hits:
            for term in hit.terms:
                terms.setdefault(term.stated, []).append((hit, term))
        return _Here(hits, {number: terms[number] for number in sorted(terms)})

    def _named(self, here: _Here, kind: StatementKind) -> Iterator[tuple[int, Stated]]:
        """The statements of a kind that a passage names anything of, with their numbers."""
        for number in here.terms:
            stated = self._known.statements[number]
            if stated.statement.kind == kind:
                yield number, stated

    def _between(self, number: int, start: int, end: int) -> Sequence[_Named]:
        """Where a range of the draft names anything of a statement."""
        starts, terms = self._places.get(number, ((), ()))
        return terms[bisect_left(starts, start) : bisect_left(starts, end)]

    @cached_property
    def _places(self) -> Mapping[int, tuple[list[int], list[_Named]]]:
        """Where the draft names anything of each statement."""
        found: dict[int, tuple[list[int], list[_Named]]] = {}
        for hit in self._hits:
            for term in hit.terms:
                starts, terms = found.setdefault(term.stated, ([], []))
                starts.append(hit.start)
                terms.append((hit, term))
        return found

    # scope: the conditions that all members of a set meet

    def _scopes(
        self,
        passage: Passage,
        here: _Here,
        facts: Sequence[Fact],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        entities = {key for fact in facts for key in fact.entities}
        counting = {n for fact in facts for n in self._known.scopes_of_fact.get(id(fact), ())}
        listing = {n for key in entities for n in self._known.scopes_of_member.get(key, ())}
        for number in sorted(counting | listing):
            stated = self._known.statements[number]
            one = stated.statement
            counts = number in counting
            own = here.terms.get(number, ())
            called = any(term.slot == "subject" for _, term in own)
            if counts and one.complete and not called and any(q.noun for q in found.quantities):
                continue  # "129 HD maps" counts no statements about HD maps
            found.is_complete |= one.complete in ("all_listed", "all_counted")
            found.taken += [
                (hit.start, hit.end)
                for hit, term in own
                if term.slot in ("subject", "object")
                or self._may_take(one.conditions, term, passage)
            ]
            found.met |= {(h.start, h.end) for h, t in own if t.slot == "condition"}
            found.conditions += one.conditions
            narrowed = any(_narrows(condition) for condition in one.conditions)
            if counts and (one.complete or narrowed):
                earlier = self._between(number, 0, passage.end)
                said = {term.place for _, term in earlier if term.slot == "condition"}
                self._dropped(passage, stated, said, claims, found)

    def _groups(self, passage: Passage, claims: Sequence[Claim], found: Found) -> list[Claim]:
        """Numbers that count the groups of an answer: 14 countries of a count by country."""
        judged: list[Claim] = []
        numbers = {q.span[0]: q for q in found.quantities if q.unit is None and q.noun}
        for claim in claims:
            quantity = numbers.get(claim.start)
            if quantity is not None and claim.status in ("unsupported", "contradicted"):
                noun = set(words_of(quantity.noun))
                for key, (names, count, evidence_id) in self._known.groups.items():
                    called = {word for name in names for word in words_of(name)}
                    if noun and noun <= called and quantity.value == count:
                        detail = f"count of the groups by {key[1]}"
                        claim = replace(
                            claim, status="derived", detail=detail, evidence_id=evidence_id
                        )
            judged.append(claim)
        return judged

    def _may_take(self, conditions: Sequence[Condition], term: Term, passage: Passage) -> bool:
        """Whether a name of a condition is explained: of a negative one only beside a negation."""
        if term.slot not in ("condition", "property"):
            return False
        if conditions[term.place].operator not in _NEGATIVE:
            return True
        return any(self._negations(passage))

    def _negations(self, passage: Passage) -> Iterator[Word]:
        for word in self._annotated.within(passage.start, passage.end):
            if word.role is not None and (
                word.role.role == "negation"
                or (word.role.role == "quantifier" and word.role.sense == "none")
            ):
                yield word

    def _dropped(
        self,
        passage: Passage,
        stated: Stated,
        said: set[int],
        claims: Sequence[Claim],
        found: Found,
    ) -> None:
        """A count without the conditions of its set counts something wider: it is not judged."""
        left = [
            condition
            for place, condition in enumerate(stated.statement.conditions)
            if place not in said
            and condition.objects
            and "domain" not in condition.predicate
            and (stated.statement.complete or _narrows(condition))
        ]
        if not left or _POINTS_BACK.search(self._text, passage.start, passage.end):
            return
        numbers = {parse_number(names[0]) for one in left for names in one.objects if names}
        if numbers & {quantity.value for quantity in found.quantities}:
            return
        missing = "; ".join(_said(condition) for condition in left[:3])
        for claim in claims:
            if claim.status in ("supported", "derived") and stated.fact in claim.facts:
                detail = f"the count is only of what has {missing}, which the text does not say"
                found.claims.append(
                    replace(claim, status="not_judged", detail=detail, kind="statement")
                )

    def _sources(self, passage: Passage, here: _Here, facts: Sequence[Fact], found: Found) -> None:
        """Names of recorded sources, beside a word that speaks of a source or in brackets."""
        ids = {fact.evidence_id for fact in facts}
        cued = any(
            word.role is not None and word.role.role in ("source", "saying")
            for word in self._annotated.within(passage.start, passage.end)
        )
        before = len(found.taken)
        for number, stated in self._named(here, "source"):
            if stated.evidence_id in ids or not ids:
                found.taken += [
                    (hit.start, hit.end)
                    for hit, term in here.terms[number]
                    if term.slot == "subject"
                    and (
                        cued
                        or _BY_SOURCE.search(self._text, max(0, hit.start - 20), hit.start)
                        or self._text[hit.start - 1 : hit.start] in "(（"
                    )
                ]
        found.is_sourced = len(found.taken) > before

    # absence: what was looked for and not found

    def _absences(self, passage: Passage, here: _Here, facts: Sequence[Fact], found: Found) -> None:
        negations = list(self._negations(passage))
        options = {o for f in facts if f.value.item for o in f.value.item.options}
        zeros = [q for q in found.quantities if q.value == 0]
        if not negations and not zeros:
            return
        for number, stated in self._named(here, "absence"):
            one = stated.statement
            own = here.terms[number]
            said = {term.place for _, term in own if term.slot == "condition"}
            needed = {place for place, c in enumerate(one.conditions) if _must_be_said(c)}
            subject = not one.subject or any(term.slot == "subject" for _, term in own)
            called = bool(needed) or any(term.slot == "predicate" for _, term in own)
            if not subject or not called or not needed <= said:
                continue
            plan = _PLAN.fullmatch(one.subject[0]) if one.subject else None
            if plan and options and int(plan[1]) not in options:
                continue
            taken = [(hit.start, hit.end) for hit, _ in own]
            taken += [(word.start, word.end) for word in negations]
            taken += [q.span for q in zeros]
            found.taken += taken
            found.words |= frozenset(w for name in one.predicate for w in words_of(name))
            start, end = min(taken)[0], max(end for _, end in taken)
            detail = f"looked for and not held: {_about(one.subject, one.conditions)}"
            found.claims.append(
                Claim(
                    self._text[start:end],
                    "statement",
                    "supported",
                    stated.evidence_id,
                    detail,
                    start,
                    end,
                )
            )
            return

    # relations: subject, predicate, object, read in the direction that the words say

    def _relations(self, here: _Here, words: Sequence[Word], found: Found) -> None:
        relations = list(self._named(here, "relation"))
        cues = [w for w in words if w.role is not None and w.role.role == "relation"]
        for number, stated in relations:
            own = here.terms[number]
            subjects = [hit for hit, term in own if term.slot == "subject"]
            objects = [hit for hit, term in own if term.slot == "object"]
            predicates = [hit for hit, term in own if term.slot == "predicate"]
            if subjects:
                found.met |= {(hit.start, hit.end) for hit in objects}
            for subject in subjects:
                for target in objects:
                    if (target.start, target.end) == (subject.start, subject.end):
                        continue
                    self._relation(stated, subject, target, predicates, cues, words, found)
        for number, stated in relations if not found.claims else ():
            for subject in [h for h, t in here.terms[number] if t.slot == "subject"]:
                if stated.statement.complete == "all_listed" and not found.claims:
                    self._other_object(stated, number, subject, here.hits, cues, found)

    def _attributes(self, here: _Here, facts: Sequence[Fact], found: Found) -> None:
        """Take the kind of a thing, and the names of its properties that stand with their value."""
        entities = {key for fact in facts for key in fact.entities}
        if not entities:
            return
        for number, stated in self._named(here, "relation"):
            one = stated.statement
            if entities.isdisjoint(map(key_of, one.subject)):
                continue
            own = here.terms[number]
            valued = any(term.slot == "object" for _, term in own)
            is_kind = "type" in one.predicate
            named = [hit for hit, term in own if term.slot == "predicate"]
            if named and not valued and one.complete == "all_listed":
                self._other_value(stated, named[0], here.hits, found)
            found.taken += [
                (hit.start, hit.end)
                for hit, term in own
                if (is_kind and term.slot == "object") or (valued and term.slot == "predicate")
            ]

    def _other_value(
        self, stated: Stated, predicate: _Hit, hits: Sequence[_Hit], found: Found
    ) -> None:
        """Contradict a property that is named with a value that another thing has."""
        label = stated.statement.predicate[0]
        for hit in hits:
            if hit.start < predicate.end:
                continue
            for term in hit.terms:
                other = self._known.statements[term.stated].statement
                of = [other.predicate] if term.slot == "object" else []
                if term.slot == "condition":
                    of = [other.conditions[term.place].predicate]
                if any(names and names[0] == label for names in of):
                    has = ", ".join(one[0] for one in stated.statement.objects[:5])
                    detail = f"the record has {label} {has}"
                    start, end = predicate.start, hit.end
                    text = self._text[start:end]
                    found.claims.append(
                        Claim(
                            text, "statement", "contradicted", stated.evidence_id, detail,
                            start, end,
                        )
                    )  # fmt: skip
                    return

    def _texts(self, passage: Passage, facts: Sequence[Fact], found: Found) -> None:
        """Take runs of words that a recorded text of what the passage names has in that order."""
        low = bisect_left(self._token_starts, passage.start)
        high = bisect_left(self._token_starts, passage.end)
        tokens = [token for token in self._annotated.tokens[low:high] if token.tag != "sign"]
        if len(tokens) < _SHORTEST_RUN or not self._known.long_texts:
            return
        entities = {key for fact in facts for key in fact.entities}
        said = key_of(self._text[passage.start : passage.end])
        runs = [
            key_of(self._text[first.start : last.end])
            for first, last in zip(tokens, tokens[_SHORTEST_RUN - 1 :], strict=False)
        ]
        for fact, key in self._known.long_texts:
            named = any(entity in said for entity in fact.entities) if fact.entities else True
            if not named and not fact.entities & entities:
                continue
            at = 0
            while at < len(runs):
                if runs[at] not in key:
                    at += 1
                    continue
                end = at + _SHORTEST_RUN
                while end < len(tokens) and (
                    key_of(self._text[tokens[at].start : tokens[end].end]) in key
                ):
                    end += 1
                found.taken.append((tokens[at].start, tokens[end - 1].end))
                found.runs.append((tokens[at].start, tokens[end - 1].end))
                found.facts.append(fact)
                at = end

    def _relation(
        self,
        stated: Stated,
        subject: _Hit,
        target: _Hit,
        predicates: Sequence[_Hit],
        cues: Sequence[Word],
        words: Sequence[Word],
        found: Found,
    ) -> None:
        recorded = senses_of(stated.statement.predicate)
        for cue in cues:
            claimed = cue.role.sense if cue.role else ""
            apart = all(cue.end <= hit.start or hit.end <= cue.start for hit in (subject, target))
            if claimed == "kind_of" and "broader" in recorded:
                claimed = "broader"  # "A is a kind of B": B is the broader one
            if not apart or not recorded & {claimed, _INVERSE.get(claimed, "")}:
                continue
            first, second = sorted((subject, target), key=lambda hit: hit.start)
            forward = self._reads_forward(first, second, cue, words)
            stands_for_subject = (first is subject) == forward
            same = claimed in recorded
            symmetric = _INVERSE.get(claimed) == claimed
            right = symmetric or stands_for_subject == same
            spans = [(hit.start, hit.end) for hit in (subject, target)] + [(cue.start, cue.end)]
            start, end = min(spans)[0], max(span[1] for span in spans)
            names = stated.statement
            has = f"{names.subject[0]} {names.predicate[0]} {self._text[target.start : target.end]}"
            status = "supported" if right else "contradicted"
            found.claims.append(
                Claim(
                    self._text[start:end], "statement", status, stated.evidence_id,
                    f"the record has {has}", start, end,
                )
            )  # fmt: skip
            found.taken += spans
            found.words |= frozenset(("term", "concept", "begriff", "概念", "概", "念", "词", "语"))
            return
        for predicate in predicates:
            # "A uses B" and "the use of A is B", but not "B uses A".
            if predicate.start < target.start and subject.start < target.start:
                found.taken += [(hit.start, hit.end) for hit in (subject, target, predicate)]

    def _other_object(
        self,
        stated: Stated,
        number: int,
        subject: _Hit,
        hits: Sequence[_Hit],
        cues: Sequence[Word],
        found: Found,
    ) -> None:
        """Contradict a relation to something else, where a statement has all that there is."""
        recorded = senses_of(stated.statement.predicate)
        for cue in cues:
            claimed = cue.role.sense if cue.role else ""
            target = next((hit for hit in hits if hit.start >= cue.end), None)
            forward = claimed in recorded and claimed not in ("kind_of", "has_part", "related")
            if not forward or target is None or not subject.end <= cue.start:
                continue
            others = [t for t in target.terms if t.slot in ("subject", "object")]
            if others and not any(t.stated == number for t in target.terms):
                names = ", ".join(one[0] for one in stated.statement.objects[:5])
                detail = f"the record has {stated.statement.predicate[0]} {names}"
                start, end = subject.start, target.end
                found.claims.append(
                    Claim(
                        self._text[start:end], "statement", "contradicted", stated.evidence_id,
                        detail, start, end,
                    )
                )  # fmt: skip
                return

    def _reads_forward(self, first: _Hit, second: _Hit, cue: Word, words: Sequence[Word]) -> bool:
        """Whether the words say `first cue second` of the relation that the cue names.

        "The broader term of A is B" and "A has the broader term B" do; "A is a broader term of B"
        and "A is broader than B" say it of B.
        """
        sense = cue.role.sense if cue.role else ""
        if cue.start < first.start:
            return sense != "kind_of"  # "kinds of A: B" says that B is one
        if cue.start >= second.end:
            return False
        if sense in ("part_of", "has_part", "kind_of"):
            return True
        between = [w for w in words if first.end <= w.start < cue.start]
        has = any(w.role is not None and w.role.role == "having" for w in between)
        glue = self._text[first.end : first.end + 2]
        return has or glue.startswith(("'s", "’s", "的"))

    # parts and order: legs of a plan, steps of a how-to, places where one changes

    @cached_property
    def _plans(self) -> Mapping[tuple[str, Names], Sequence[_Leg]]:
        """The legs of every recorded plan, by record and plan."""
        plans: dict[tuple[str, Names], list[_Leg]] = defaultdict(list)
        for number in self._known.by_kind.get("part", ()):
            stated = self._known.statements[number]
            plans[stated.evidence_id, stated.statement.subject[:1]].append(_leg(number, stated))
        return plans

    @cached_property
    def _orders(self) -> Mapping[int, _Order]:
        """The recorded orders by the numbers of their statements."""
        return {
            number: _order(self._known.statements[number].statement, self._said)
            for number in self._known.by_kind.get("order", ())
        }

    def _parts(self, passage: Passage, context: PassageContext, here: _Here, found: Found) -> None:
        hits = here.hits
        plans = self._plans
        changes: list[int] = []
        outcomes: list[bool] = []
        ordered: dict[Names, list[bool]] = {}
        for number, order in self._orders.items():
            one = self._known.statements[number].statement
            if number in here.terms or order.steps or order.top:
                fits = list(self._sequence(passage, here.terms.get(number, ()), number, found))
                outcomes += fits
                ordered.setdefault(one.predicate[:1], []).extend(fits)
            if "change" in one.predicate:
                changes.append(number)
        cued = any(
            word.role is not None and word.role.role == "order"
            for word in self._annotated.within(passage.start, passage.end)
        )
        wrong = [fits for fits in ordered.values() if fits and True not in fits]
        for _ in wrong[:1]:
            if cued or passage.kind == "item":
                start, end = passage.start, passage.end
                detail = "the record has them in another order"
                text = self._text[start:end].strip()
                evidence_id = next(iter(self._known.statements)).evidence_id
                found.claims.append(
                    Claim(text, "statement", "contradicted", evidence_id, detail, start, end)
                )
        legs = {leg.number: leg for some in plans.values() for leg in some}
        found.taken += [
            (hit.start, hit.end) for hit in hits if any(term.stated in legs for term in hit.terms)
        ]
        if plans:
            for start, end in _clauses(passage, context, hits):
                own = [hit for hit in hits if start <= hit.start < end]
                legs_fit = [_fits(self._text, own, some) for some in plans.values()]
                if False in legs_fit and True not in legs_fit:
                    self._contradict(own, plans, found)
                    outcomes.append(False)
                outcomes += [True] if True in legs_fit else []
        if changes:
            self._changes(passage, context, hits, changes, found)
        sequences = [fit for fits in ordered.values() for fit in fits]
        if sequences:
            found.ordered = True in sequences and not wrong
        elif outcomes:
            found.ordered = True in outcomes and not (found.claims and False in outcomes)

    def _contradict(
        self,
        own: Sequence[_Hit],
        plans: Mapping[tuple[str, Names], Sequence[_Leg]],
        found: Found,
    ) -> None:
        start, end = own[0].start, own[-1].end
        (evidence_id, _), legs = next(iter(plans.items()))
        has = "; ".join(leg.said for leg in legs[:4])
        detail = f"the record has {has}"
        text = self._text[start:end]
        found.claims.append(
            Claim(text, "statement", "contradicted", evidence_id, detail, start, end)
        )

    def _changes(
        self,
        passage: Passage,
        context: PassageContext,
        hits: Sequence[_Hit],
        changes: Sequence[int],
        found: Found,
    ) -> None:
        """Places where a passage says that one changes must be recorded as such."""
        statements = self._known.statements
        for start, end in _clauses(passage, context, hits):
            own = [hit for hit in hits if start <= hit.start < end]
            cue = next(
                (h for h in own for t in h.terms if t.stated in changes and t.slot == "predicate"),
                None,
            )
            if cue is None:
                continue
            found.taken.append((cue.start, cue.end))
            at = [
                hit
                for hit in own
                if hit.start > cue.start
                and re.search(
                    r"\b(?:at|in|an|am)\s+(?:the\s+)?$|在$",
                    self._text[max(0, hit.start - 8) : hit.start],
                )
            ]
            for hit in at[:1]:
                if not any(t.stated in changes and t.slot == "object" for t in hit.terms):
                    names = [n[0] for c in changes for n in statements[c].statement.objects]
                    detail = (
                        f"the record has changes at {', '.join(dict.fromkeys(names)) or 'no place'}"
                    )
                    text = self._text[cue.start : hit.end]
                    found.claims.append(
                        Claim(
                            text, "statement", "contradicted", statements[changes[0]].evidence_id,
                            detail, cue.start, hit.end,
                        )
                    )  # fmt: skip

    def _sequence(
        self, passage: Passage, own: Sequence[_Named], number: int, found: Found
    ) -> Iterator[bool]:
        """Whether the members that a passage names stand in the order of an order statement."""
        found.taken += [(hit.start, hit.end) for hit, _ in own]
        order = self._orders[number]
        steps = order.steps
        members = [*steps] or [t.place for _, t in own if t.slot == "object"]
        if passage.kind == "item" and members and not steps:
            before = self._between(number, self._list_start(passage), passage.start)
            members = [term.place for _, term in before if term.slot == "object"] + members
        one = self._known.statements[number].statement
        if order.top is not None:
            found.tops.append(order.top)
        if len(set(members)) > 1 and "mode" not in one.predicate:
            yield members == sorted(members)

    def _list_start(self, passage: Passage) -> int:
        """Where the numbered list of an item begins: behind the last line that is none of it."""
        start = passage.start
        sentences = self._annotated.sentences
        for number in range(bisect_left(self._sentence_starts, start) - 1, -1, -1):
            if sentences[number].kind != "item":
                break
            start = sentences[number].start
        return start


def senses_of(names: Names) -> frozenset[str]:
    """The relation that the object has to the subject, by the names of a predicate.

    "broader term" says what the object is of the subject; a name that ends in "of", "than" or
    "von", or begins with 的, says what the subject is of the object.
    """
    found: set[str] = set()
    for name in names:
        local = name.rsplit(":", 1)[-1]
        words = re.findall(r"[A-Z]?[a-zäöüß]+|[\u3400-\u9fff]+", local)
        turned = local.startswith("的") or (len(words) > 1 and words[-1].lower() in _TURNS)
        for key in (" ".join(words).lower(), "".join(words).lower().removesuffix("of")):
            for language in ("en", "de", "zh"):
                entry = lexicon(language).entries.get(key.removeprefix("的"))
                if entry is not None and entry.role == "relation":
                    found.add(_INVERSE.get(entry.sense, entry.sense) if turned else entry.sense)
    return frozenset(found)


def _narrows(condition: Condition) -> bool:
    """Whether a value is only of a part of its thing: of a channel, not of the total."""
    names = {name for names in condition.objects for name in names}
    return "channel" in condition.predicate and bool(names) and "TOTAL" not in names


def _must_be_said(condition: Condition) -> bool:
    """Whether an absence holds only under a condition: not one that its subject says itself."""
    usual = {"domain", "channel", "grain", "as of"}
    return bool(condition.objects) and not usual & set(condition.predicate)


def _said(condition: Condition) -> str:
    names = ", ".join(names[0] for names in condition.objects[:3])
    return f"{condition.predicate[0]} {condition.operator.replace('_', ' ')} {names}"


def _about(subject: Names, conditions: Sequence[Condition]) -> str:
    said = [subject[0]] if subject else []
    return "; ".join([*said, *(_said(condition) for condition in conditions[:4])])
