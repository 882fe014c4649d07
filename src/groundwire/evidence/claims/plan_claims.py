"""Parts and order that a passage states: legs of a plan, steps of a how-to, places of change."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.passage_statements import (
    DraftStatements,
    Found,
    Here,
    Hit,
    Named,
)
from groundwire.evidence.claims.segments import Passage, Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Condition, Names, Statement

# Members of so many words are whole sentences, such as the steps of a how-to.
_SENTENCE = 5
# So many characters before a place may say "towards" or "from".
_BEFORE_PLACE = 14
_TOWARDS = re.compile(
    r"(?:\b(?:towards?|bound for|direction|richtung)|开往|方向)\s*(?:the\s+)?$", re.IGNORECASE
)
_FROM = re.compile(r"(?:\b(?:from|at|von|ab|in)\b|从|在|自)\s*(?:the\s+)?$", re.IGNORECASE)
_LONGEST_MARKER = 8
_ORDINAL = "第"
# "2 of 3", "2 von 3", "2步（共3".
_LONGEST_OF = 5
_BOUND = re.compile(r"\s?(?:方向|方面|-?bound\b)", re.IGNORECASE)
# "Bank to Angel", "Bank → Angel": a place that leads to another is where one sets out.
_LEADS = re.compile(r"\s*(?:(?:to|nach|bis|until)\b|→|->|[–—-]|到|至|往)", re.IGNORECASE)
# The number that a list gives to an item.
_NUMBER = re.compile(r"[0-9]{1,3}")
_NUMBERED = re.compile(r"(?:^|\s)([0-9]{1,3})[.)、]\s*$")
_THEN = re.compile(r"\b(?:and|then|und|dann)\b|然后|再|并", re.IGNORECASE)
_AT = re.compile(r"\b(?:at|in|an|am)\s+(?:the\s+)?$|在$", re.IGNORECASE)
_NAMELY = re.compile(
    r"[\s,，:：]*(?:(?:and\s+that\s+is|namely|und\s+zwar|nämlich|即|就是)[\s,]*)?"
    r"(?:(?:at|in|an|am)\s+(?:the\s+)?|在)",
    re.IGNORECASE,
)
_TO = re.compile(
    r"(?:\b(?:to|until|till|for|reach|reaches|(?:off|out) at|bis|nach|zu[mr]?)\b|[→>]|到|至|往)"
    r"\s*(?:the\s+)?$",
    re.IGNORECASE,
)


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
        if names and len(names[0].split()) >= _SENTENCE:
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
    line, origin, destination = (frozenset(of[key]) for key in ("line", "from", "to"))
    return _Leg(number, one.position or 0, line, origin, destination, said)


def _clauses(passage: Passage, context: PassageContext, hits: Sequence[Hit]) -> Iterator[Span]:
    """The clauses of a passage that name something, each once."""
    yield from dict.fromkeys(context.clause(hit.start) for hit in hits)


@dataclass(frozen=True, slots=True)
class _Positions:
    """The positions of the legs that a name is the line, the origin or the destination of."""

    line: frozenset[int]
    origin: frozenset[int]
    destination: frozenset[int]


def _positions(hit: Hit, legs: Sequence[_Leg]) -> _Positions:
    """Find the legs of a plan that a name is a part of."""
    places: dict[int, set[int]] = {}
    for term in hit.terms:
        if term.slot == "condition":
            places.setdefault(term.stated, set()).add(term.place)
    own = [(leg, places[leg.number]) for leg in legs if leg.number in places]
    return _Positions(
        frozenset(leg.position for leg, held in own if held & leg.line),
        frozenset(leg.position for leg, held in own if held & leg.origin),
        frozenset(leg.position for leg, held in own if held & leg.destination),
    )


def _names_lines_only(hits: Sequence[Hit], legs: Sequence[_Leg]) -> bool:
    """Whether names are lines of legs, and none of them a place where a leg begins or ends."""
    found = [_positions(hit, legs) for hit in hits]
    return not any(at.origin or at.destination for at in found)


def _fits(text: str, hits: Sequence[Hit], legs: Sequence[_Leg]) -> bool | None:
    """Whether a clause that names a line and its ends, or two ends, fits the legs of a plan.

    Returns:
        None where the clause names too little of a plan to tell.
    """
    lines: list[frozenset[int]] = []
    starts: list[frozenset[int]] = []
    ends: list[frozenset[int]] = []
    numbers = {leg.number for leg in legs}
    ended = 0
    for hit in hits:
        before = text[max(0, hit.start - _BEFORE_PLACE) : hit.start]
        if _TOWARDS.search(before) or _BOUND.match(text, hit.end):
            continue
        at = _positions(hit, legs)
        is_end = is_place = bool(at.origin or at.destination)
        if not is_end and not at.line:
            # It may be an end that no leg of the plan has.
            is_end = text[hit.start].isalpha() and any(
                term.slot in ("condition", "object") for term in hit.terms
            )
            if is_end and not any(term.stated in numbers for term in hit.terms):
                return None  # it is named by another plan
        if is_end and _TO.search(before):
            ends.append(at.destination)
            ended = hit.end
        elif not is_place and _AT.search(before):
            continue  # where a train calls on its way is no end of a ride
        elif (is_end and _FROM.search(before)) or (is_place and _LEADS.match(text, hit.end)):
            starts.append(at.origin)
        elif at.line and not is_end:
            if starts and ends and _THEN.search(text, ended, hit.start):
                # "Walk from A to B and take the DLR there": the ride is the leg after the walk.
                return any(end + 1 in at.line for end in ends[-1].intersection(*starts))
            lines.append(at.line)
    if len(lines) == 1 and (starts or ends):
        return bool(lines[0].intersection(*starts, *ends))
    if not lines and len(starts) == 1 and len(ends) == 1:
        return any(a <= b for a in starts[0] for b in ends[0])
    return None


class PlanReader:
    """Reads one draft against the plans and orders that records state."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._said = key_of(draft.text)
        self._sentence_starts = [sentence.start for sentence in draft.annotated.sentences]

    @cached_property
    def _plans(self) -> Mapping[tuple[str, Names], Sequence[_Leg]]:
        """The legs of every recorded plan, by record and plan."""
        plans: dict[tuple[str, Names], list[_Leg]] = defaultdict(list)
        for number in self._draft.known.by_kind.get("part", ()):
            stated = self._draft.known.statements[number]
            plans[stated.evidence_id, stated.statement.subject[:1]].append(_leg(number, stated))
        return plans

    @cached_property
    def _orders(self) -> Mapping[int, _Order]:
        """The recorded orders by the numbers of their statements."""
        return {
            number: _order(self._draft.known.statements[number].statement, self._said)
            for number in self._draft.known.by_kind.get("order", ())
        }

    def read(self, passage: Passage, context: PassageContext, here: Here, found: Found) -> None:
        """Judge the parts and the order of what a passage names."""
        hits = here.hits
        plans = self._plans
        changes: list[int] = []
        outcomes: list[bool] = []
        ordered: dict[Names, list[bool]] = {}
        for number, order in self._orders.items():
            one = self._draft.known.statements[number].statement
            if number in here.terms or order.steps or order.top:
                fits = list(self._sequence(passage, here.terms.get(number, ()), number, found))
                outcomes += fits
                ordered.setdefault(one.predicate[:1], []).extend(fits)
            if "change" in one.predicate:
                changes.append(number)
        placed = [fit for number in self._orders for fit in self._numbered(passage, number, found)]
        if placed:
            ordered[("number",)] = placed
            outcomes += placed
        wrong = [fits for fits in ordered.values() if fits and True not in fits]
        if wrong and (placed or self._speaks_of_order(passage, context)):
            self._contradict_order(passage, found)
        legs = {leg.number: leg for some in plans.values() for leg in some}
        found.taken += [
            (hit.start, hit.end) for hit in hits if any(term.stated in legs for term in hit.terms)
        ]
        if plans:
            for own in self._rides(passage, context, hits, plans):
                legs_fit = [_fits(self._draft.text, own, some) for some in plans.values()]
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

    def _rides(
        self,
        passage: Passage,
        context: PassageContext,
        hits: Sequence[Hit],
        plans: Mapping[tuple[str, Names], Sequence[_Leg]],
    ) -> Iterator[Sequence[Hit]]:
        """The names of each clause, with those of the clause before where it goes on with a line.

        "Walk from A to B and take the DLR" names the places of the one clause for the other.
        """
        legs = [leg for some in plans.values() for leg in some]
        before: list[Hit] = []
        for start, end in _clauses(passage, context, hits):
            clause = [hit for hit in hits if start <= hit.start < end]
            goes_on = before and _THEN.search(self._draft.text, before[-1].end, clause[0].start)
            yield [*before, *clause] if goes_on and _names_lines_only(clause, legs) else clause
            before = clause

    def _speaks_of_order(self, passage: Passage, context: PassageContext) -> bool:
        """Whether a passage has a word such as "then", or is an item of a list without figures.

        Items with a figure each tell facts, which may be listed in any order.
        """
        is_step = passage.kind == "item" and not context.quantities
        return is_step or any(
            word.role is not None and word.role.role == "order"
            for word in self._draft.annotated.within(passage.start, passage.end)
        )

    def _contradict_order(self, passage: Passage, found: Found) -> None:
        start, end = passage.start, passage.end
        detail = "the record has them in another order"
        text = self._draft.text[start:end].strip()
        evidence_id = next(iter(self._draft.known.statements)).evidence_id
        found.claims.append(
            Claim(text, "statement", "contradicted", evidence_id, detail, start, end)
        )

    def _contradict(
        self,
        own: Sequence[Hit],
        plans: Mapping[tuple[str, Names], Sequence[_Leg]],
        found: Found,
    ) -> None:
        start, end = own[0].start, own[-1].end
        (evidence_id, _), legs = next(iter(plans.items()))
        has = "; ".join(leg.said for leg in legs[:4])
        detail = f"the record has {has}"
        text = self._draft.text[start:end]
        found.claims.append(
            Claim(text, "statement", "contradicted", evidence_id, detail, start, end)
        )

    def _changes(
        self,
        passage: Passage,
        context: PassageContext,
        hits: Sequence[Hit],
        changes: Sequence[int],
        found: Found,
    ) -> None:
        """Places where a passage says that one changes must be recorded as such."""
        statements = self._draft.known.statements
        for start, end in _clauses(passage, context, hits):
            own = [hit for hit in hits if start <= hit.start < end]
            cue = next(
                (h for h in own for t in h.terms if t.stated in changes and t.slot == "predicate"),
                None,
            )
            if cue is None:
                continue
            found.taken.append((cue.start, cue.end))
            led = [hit for hit in own if self._is_led(hit)]
            behind = [hit for hit in hits if hit.start >= end and self._goes_on(end, hit)]
            at = [hit for hit in led if hit.start > cue.start] or behind or led
            for hit in at[:1]:
                if not any(t.stated in changes and t.slot == "object" for t in hit.terms):
                    names = [n[0] for c in changes for n in statements[c].statement.objects]
                    detail = (
                        f"the record has changes at {', '.join(dict.fromkeys(names)) or 'no place'}"
                    )
                    first, last = min(cue.start, hit.start), max(cue.end, hit.end)
                    text = self._draft.text[first:last]
                    found.claims.append(
                        Claim(
                            text, "statement", "contradicted", statements[changes[0]].evidence_id,
                            detail, first, last,
                        )
                    )  # fmt: skip

    def _is_led(self, hit: Hit) -> bool:
        """Whether "at", "in" or 在 stands before a name."""
        return _AT.search(self._draft.text, max(0, hit.start - 8), hit.start) is not None

    def _goes_on(self, end: int, hit: Hit) -> bool:
        """Whether a name follows the end of a clause as its place: ", namely in Stockwell"."""
        return _NAMELY.fullmatch(self._draft.text, end, hit.start) is not None

    def _sequence(
        self, passage: Passage, own: Sequence[Named], number: int, found: Found
    ) -> Iterator[bool]:
        """Whether the members that a passage names stand in the order of an order statement."""
        found.taken += [(hit.start, hit.end) for hit, _ in own]
        order = self._orders[number]
        steps = order.steps
        members = [*steps] or self._members(own)
        if passage.kind == "item" and len(members) == 1 and not steps:
            before = self._members(
                self._draft.between(number, self._item_before(passage), passage.start)
            )
            members = before + members if len(before) == 1 else members
        one = self._draft.known.statements[number].statement
        if "change" in one.predicate and not any(term.slot == "predicate" for _, term in own):
            members = []  # a stop on the way is named, and no change there
        if len(set(members)) > 1 and "mode" not in one.predicate:
            yield members == sorted(members)

    def _members(self, named: Iterable[Named]) -> list[int]:
        """Return the places of named members; where a line goes in the end is not one."""
        text = self._draft.text
        return [
            term.place
            for hit, term in named
            if term.slot == "object"
            and not _TOWARDS.search(text, max(0, hit.start - _BEFORE_PLACE), hit.start)
        ]

    def _numbered(self, passage: Passage, number: int, found: Found) -> Iterator[bool]:
        """Whether a step has its own number, in the list or before its words: "Step 2 of 3: "."""
        text = self._draft.text
        one = self._draft.known.statements[number].statement
        if "step" not in one.predicate:
            return
        said = key_of(text[passage.start : passage.end])
        for place, names in enumerate(one.objects, 1):
            if not names or not said.endswith(key_of(names[0])):
                continue
            begin = text.find(names[0][:_LONGEST_MARKER], passage.start, passage.end)
            numbers = list(_NUMBER.finditer(text, passage.start, max(begin, passage.start)))
            marker = _NUMBERED.search(text, max(0, passage.start - _LONGEST_MARKER), passage.start)
            if marker is not None and passage.kind == "item":
                numbers.insert(0, marker)
            if numbers:
                yield place == int(numbers[0][0].strip(" .)、"))
                found.runs.append((begin, passage.end))
                found.taken.append((begin, passage.end))
                first, after = numbers[0].span()
                is_ordinal = text[max(0, first - 1) : first] == _ORDINAL
                found.taken.append((first - is_ordinal, after))
            if len(numbers) > 1:
                found.conditions.append(Condition(one.predicate, "is", ((str(len(one.objects)),),)))
                if numbers[1].start() - numbers[0].end() <= _LONGEST_OF:
                    found.taken.append((numbers[0].end(), numbers[1].start()))

    def _item_before(self, passage: Passage) -> int:
        """Where the item before an item begins; the item itself where it is the first."""
        before = [one for one in self._draft.annotated.sentences if one.end <= passage.start]
        return before[-1].start if before and before[-1].kind == "item" else passage.start
