"""Parts and order that a passage states: legs of a plan, steps of a how-to, places of change."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from groundwire.evidence.claims.attachment import is_before_it
from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.narrowing import narrows_to_part
from groundwire.evidence.claims.passage_statements import (
    DraftStatements,
    Found,
    Here,
    Hit,
    Named,
)
from groundwire.evidence.claims.ride_claims import RideReader
from groundwire.evidence.claims.ride_frames import cues, stands_before
from groundwire.evidence.claims.rides import changes_of, of_option
from groundwire.evidence.claims.segments import Passage
from groundwire.evidence.claims.words import key_of
from groundwire.evidence.records import Condition, Names
from groundwire.language.ordinals import place_at

_GOES_TO = re.compile(
    r"(?:\b(?:to|towards?|nach|richtung|bound for)\s|[到往至])\s*(?:(?:the|die|der|den|dem)\s)?$",
    re.IGNORECASE,
)
_NEAR = 18


def board_claims(draft: DraftStatements, here: Here, found: Found) -> None:
    """Refuse the names of a passage that stand for the wrong end of the services of a board."""
    boards = draft.known.once(_ends)
    for hit in here.hits if not boards.keys().isdisjoint(here.terms) else ():
        role = _role(hit, boards)
        before = draft.text[max(0, hit.start - _NEAR) : hit.start]
        is_end, is_stop = role == "end", role == "stop"
        leads = stands_before("origin", draft.text, hit.start)
        wrong = (
            (is_end and leads, "where a service goes, and not where it leaves"),
            (is_end and cues("arrival").search(before), "where a service goes, and not when"),
            (is_stop and _GOES_TO.search(before), "where services leave, and not where they go"),
        )
        for is_wrong, what in wrong:
            if is_wrong:
                name = draft.text[hit.start : hit.end]
                evidence_id = draft.known.statements[hit.terms[0].stated].evidence_id
                detail = f"the record has {name} as the place {what}"
                found.refuse(draft.text, (hit.start, hit.end), evidence_id, detail)


def _ends(known: Knowledge) -> Mapping[int, int]:
    """Return the departures of boards, each with the place of the condition on where it goes."""
    found: dict[int, int] = {}
    for number in known.by_kind.get("part", ()):
        names = [one.predicate[0] for one in known.statements[number].statement.conditions]
        if "towards" in names and "from" not in names:
            found[number] = names.index("towards")
    return found


def _role(hit: Hit, boards: Mapping[int, int]) -> str:
    """Return whether a name is that of the stop or of an end alone, of boards alone; else ""."""
    roles: set[str] = set()
    for term in hit.terms:
        if term.stated not in boards:
            return ""
        is_end = term.slot == "condition" and term.place == boards[term.stated]
        roles.add("stop" if term.slot == "subject" else "end" if is_end else "")
    return roles.pop() if len(roles) == 1 else ""


# Members of so many words are whole sentences, such as the steps of a how-to.
_SENTENCE = 5
# So many characters before a place may say "towards" or "from".
_BEFORE_PLACE = 14
_TOWARDS = re.compile(
    r"(?:\b(?:towards?|bound for|direction|richtung)|开往|方向)\s*(?:the\s+)?$", re.IGNORECASE
)
_LONGEST_MARKER = 8
_ORDINAL = "第"
# "2 of 3", "2 von 3", "2步（共3".
_LONGEST_OF = 5
# The number that a list gives to an item.
_NUMBER = re.compile(r"[0-9]{1,3}")
_NUMBERED = re.compile(r"(?:^|\s)([0-9]{1,3})[.)、]\s*$")
_FIGURES = frozenset(("number", "percent"))
_AT = re.compile(r"\b(?:at|in|an|am)\s+(?:the\s+)?$|在\s*$", re.IGNORECASE)
_NAMELY = re.compile(
    r"[\s,，:：]*(?:(?:and\s+that\s+is|namely|und\s+zwar|nämlich|即|就是)[\s,]*)?"
    r"(?:(?:at|in|an|am)\s+(?:the\s+)?|在)",
    re.IGNORECASE,
)


def _sentences(known: Knowledge) -> Mapping[int, Sequence[tuple[str, int]]]:
    """Return the members of each order that are whole sentences, as keys with their places."""
    return {
        number: [
            (key_of(names[0]), place)
            for place, names in enumerate(known.statements[number].statement.objects)
            if names and len(names[0].split()) >= _SENTENCE
        ]
        for number in known.by_kind.get("order", ())
    }


def _steps(known: Knowledge) -> Mapping[int, Sequence[tuple[Names, str]]]:
    """Return the steps of each order of such, with the key of the first name of each."""
    orders = ((n, known.statements[n].statement) for n in known.by_kind.get("order", ()))
    return {
        number: [(names, key_of(names[0]) if names else " ") for names in one.objects]
        for number, one in orders
        if "step" in one.predicate
    }


_AHEAD = "ahead of"
# Senses of words by which a text tells things in an order by value.
_RANKING = frozenset(("superlative", "comparison", "order", "bound", "quantifier"))
_IN_SEQUENCE = frozenset(("then", "before", "descending", "ascending"))


class PlanReader:
    """Reads one draft against the plans and orders that records state."""

    def __init__(self, draft: DraftStatements) -> None:
        self._draft = draft
        self._rides = RideReader(draft)
        self._sentence_starts = [sentence.start for sentence in draft.annotated.sentences]

    @cached_property
    def _steps(self) -> Mapping[int, Sequence[int]]:
        """The members of orders that are whole sentences of the draft, by their place in it."""
        found: dict[int, list[int]] = {}
        orders = self._draft.known.once(_sentences)
        said = key_of(self._draft.text) if any(orders.values()) else ""
        for number, members in orders.items():
            places = sorted((said.find(key), place) for key, place in members)
            found[number] = [place for at, place in places if at >= 0]
        return found

    @property
    def option(self) -> int:
        """The number of the plan whose lines were told of last, or 0."""
        return self._rides.plan[1] if self._rides.plan else 0

    def read(self, passage: Passage, context: PassageContext, here: Here, found: Found) -> None:
        """Judge the parts and the order of what a passage names."""
        hits = here.hits
        known = self._draft.known
        changes = known.once(changes_of)
        outcomes: list[bool] = []
        ordered: dict[Names, list[bool]] = {}
        told = [number for number, steps in self._steps.items() if steps or number in here.terms]
        told = [number for number in told if not self._is_by_another(number, context)]
        narrower = self._narrower(told, here)
        for number in told:
            fits = list(self._sequence(passage, here.terms.get(number, ()), number, found))
            fits = [] if number in narrower else fits
            if self._is_by_value(number) and self._tells_from_least(passage):
                fits = [fit for fit in fits if fit]
            outcomes += fits
            predicate = known.statements[number].statement.predicate[:1]
            ordered.setdefault(predicate, []).extend(fits)
        placed = [
            fit
            for number in known.once(_steps)
            for fit in self._numbers_of_steps(passage, number, found)
        ]
        if placed:
            ordered[("number",)] = placed
            outcomes += placed
        wrong = [fits for fits in ordered.values() if fits and True not in fits]
        by_value = all(map(self._is_by_value, told))
        if wrong and (placed or self._speaks_of_order(passage, context, by_value=by_value)):
            span, first = (passage.start, passage.end), next(iter(known.statements))
            detail = "the record has them in another order"
            found.refuse(self._draft.text, span, first.evidence_id, detail)
        parts = [here.terms[number] for number, _ in self._draft.naming(here, "part")]
        found.taken += dict.fromkeys((hit.start, hit.end) for own in parts for hit, _ in own)
        outcomes += self._rides.read(passage, context, here, found)
        board_claims(self._draft, here, found)
        if not here.terms.keys().isdisjoint(changes):
            self._changes(context, hits, changes, found)
        sequences = [fit for fits in ordered.values() for fit in fits]
        found.reaches_end = self._reaches_end(told, here)
        if sequences:
            found.ordered = True in sequences and not wrong
        elif outcomes:
            found.ordered = True in outcomes and not (found.claims and False in outcomes)

    def _reaches_end(self, told: Sequence[int], here: Here) -> bool:
        """Whether, of each kind of order that a passage names members of, it names the last one."""
        last: dict[Names, bool] = {}
        for number in told:
            one = self._draft.known.statements[number].statement
            places = {t.place for _, t in here.terms.get(number, ()) if t.slot == "object"}
            if places and len(one.objects) > 1:
                kind = one.predicate[:1]
                last[kind] = last.get(kind, False) or len(one.objects) - 1 in places
        return all(last.values())

    def _narrower(self, told: Sequence[int], here: Here) -> frozenset[int]:
        """Return which of some orders miss a name of the passage that another of their kind has.

        The lines of one plan say nothing of the order of lines that only another plan takes.
        """
        named: dict[Names, dict[int, frozenset[int]]] = {}
        for number in told if len(told) > 1 else ():
            own = here.terms.get(number, ())
            members = (hit.start for hit, term in own if term.slot == "object")
            predicate = self._draft.known.statements[number].statement.predicate[:1]
            named.setdefault(predicate, {})[number] = frozenset(members)
        return frozenset(
            number
            for orders in named.values()
            for number, own in orders.items()
            if any(own < other for other in orders.values())
        )

    def _is_by_another(self, number: int, context: PassageContext) -> bool:
        """Whether an order is by a value, and a passage names only others."""
        named = {key for one in context.names for key in one.keys} & self._draft.known.numeric_names
        by = set(map(key_of, self._draft.known.statements[number].statement.predicate))
        other = not any(one in key or key in one for one in by for key in named)
        plain = not context.quantities  # figures are of what they stand beside
        return plain and bool(named) and other and self._is_by_value(number)

    def _is_by_value(self, number: int) -> bool:
        """Whether an order is one of sizes, which a text may tell from either end."""
        conditions = self._draft.known.statements[number].statement.conditions
        return any("order" in condition.predicate for condition in conditions)

    def _tells_from_least(self, passage: Passage) -> bool:
        words = self._draft.annotated.within(passage.start, passage.end)
        roles = {(w.role.role, w.role.sense) for w in words if w.role is not None}
        return bool(roles & {("superlative", "least"), ("order", "ascending")})

    def _speaks_of_order(
        self, passage: Passage, context: PassageContext, *, by_value: bool
    ) -> bool:
        """Whether a passage has a word such as "then", or is an item of a list without figures.

        Items with a figure each tell facts, which may be listed in any order; of an order by value
        one "fifth" and "just after" do not say that things are told in it.
        """
        is_step = passage.kind == "item" and not context.quantities
        words = self._draft.annotated.within(passage.start, passage.end)
        orders = [word for word in words if word.role is not None and word.role.role == "order"]
        if by_value:
            orders = [word for word in orders if word.role and word.role.sense in _IN_SEQUENCE]
            is_place = len(orders) == 1 and place_at(orders[0].text.casefold()) > 0
            orders = [] if is_place else orders
        return is_step or bool(orders) or any(word.text.casefold() == _AHEAD for word in words)

    def _changes(
        self,
        context: PassageContext,
        hits: Sequence[Hit],
        changes: Sequence[int],
        found: Found,
    ) -> None:
        """Places where a passage says that one changes must be recorded as such."""
        statements = self._draft.known.statements
        for start, end in dict.fromkeys(context.clause(hit.start) for hit in hits):
            own = [hit for hit in hits if start <= hit.start < end]
            cue = next(
                (h for h in own for t in h.terms if t.stated in changes and t.slot == "predicate"),
                None,
            )
            if cue is None:
                continue
            found.taken.append((cue.start, cue.end))
            number = context.items(cue.start, [cue.start], figure=False).option.number
            allowed = of_option(self._draft.known, changes, number)
            led = [hit for hit in own if self._is_led(hit)]
            behind = [hit for hit in hits if hit.start >= end and self._goes_on(end, hit)]
            at = [hit for hit in led if hit.start > cue.start] or behind or led
            for hit in at[:1]:
                if not any(t.stated in allowed and t.slot == "object" for t in hit.terms):
                    names = [n[0] for c in allowed for n in statements[c].statement.objects]
                    told = ", ".join(dict.fromkeys(names)) or "no place"
                    span = min(cue.start, hit.start), max(cue.end, hit.end)
                    evidence_id = statements[changes[0]].evidence_id
                    detail = f"the record has changes at {told}"
                    found.refuse(self._draft.text, span, evidence_id, detail)

    def _is_led(self, hit: Hit) -> bool:
        """Whether "at", "in" or 在 stands before a name, and not before a time: "in 28 minutes"."""
        led = _AT.search(self._draft.text, max(0, hit.start - 8), hit.start) is not None
        return led and not self._draft.text[hit.start].isdigit()

    def _goes_on(self, end: int, hit: Hit) -> bool:
        """Whether a name follows the end of a clause as its place: ", namely in Stockwell"."""
        return _NAMELY.fullmatch(self._draft.text, end, hit.start) is not None

    def _sequence(
        self, passage: Passage, own: Sequence[Named], number: int, found: Found
    ) -> Iterator[bool]:
        """Whether the members that a passage names stand in the order of an order statement."""
        steps = self._steps[number]
        # What an order is of is explained only where a member of it is named.
        named = len({term.place for _, term in own if term.slot == "object"})
        told = [(hit, term) for hit, term in own if steps or named or term.slot == "predicate"]
        valued = any(f.entities for c in found.counted if c.kind in _FIGURES for f in c.facts)
        by_value = self._is_by_value(number)
        told_plainly = named and not found.quantities and passage.kind != "item"
        if by_value and told_plainly and not self._ranks(passage):
            return  # "A was built after B" tells of no place among them
        by_value = by_value and valued
        if by_value and all(term.slot != "predicate" for _, term in told):
            # Things ordered by their sales online tell of no rating online.
            conditions = self._draft.known.statements[number].statement.conditions
            told = [
                (hit, term)
                for hit, term in told
                if term.slot != "condition" or not narrows_to_part(conditions[term.place])
            ]
        # "Die längste" tells a place in the order, by the word of its property.
        ranks = passage.kind != "item" and max(named, len(steps)) < 2
        found.taken += [
            (hit.start, hit.end) for hit, _ in told if not (ranks and self._draft.ranks(hit))
        ]
        if not steps and named < (1 if passage.kind == "item" else 2):
            return  # one thing stands in no order
        text = self._draft.text
        turned = (at for at, (hit, _) in enumerate(own) if is_before_it(text, hit.start))
        at = next(turned, 0) if self._is_by_value(number) else 0
        own = [*own[at:], *own[:at]]  # "C comes third, after A and B"
        members = [*steps] or self._members(own)
        if at and members[-1] - members[0] != len(set(members)) - 1:
            return  # it does not come right after them
        if passage.kind == "item" and len(members) == 1 and not steps:
            before = self._members(
                self._draft.between(number, self._item_before(passage), passage.start)
            )
            members = before + members if len(before) == 1 else members
        one = self._draft.known.statements[number].statement
        if "change" in one.predicate and not any(term.slot == "predicate" for _, term in own):
            members = []  # a stop on the way is named, and no change there
        if not {"line", "change"} & set(one.predicate):
            members = list(dict.fromkeys(members))  # "A, B and C; A has the most"
        if len(set(members)) > 1 and "mode" not in one.predicate:
            yield members == sorted(members)

    def _ranks(self, passage: Passage) -> bool:
        """Whether a passage has a word by which things are ordered or compared."""
        words = self._draft.annotated.within(passage.start, passage.end)
        return any(word.role is not None and word.role.role in _RANKING for word in words)

    def _members(self, named: Iterable[Named]) -> list[int]:
        """Return the places of named members; where a line goes in the end is not one."""
        text = self._draft.text
        return [
            term.place
            for hit, term in named
            if term.slot == "object"
            and not _TOWARDS.search(text, max(0, hit.start - _BEFORE_PLACE), hit.start)
        ]

    def _numbers_of_steps(self, passage: Passage, number: int, found: Found) -> Iterator[bool]:
        """Whether a step has its own number, in the list or before its words: "Step 2 of 3: "."""
        text = self._draft.text
        one = self._draft.known.statements[number].statement
        said = key_of(text[passage.start : passage.end])
        for place, (names, key) in enumerate(self._draft.known.once(_steps)[number], 1):
            if not said.endswith(key):
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
