"""Recorded orders of things by a value, and those that the values of one answer make.

An answer that gives the population of four countries has a first and a second of them, in whatever
order it was asked. Only a place among them is read from it ("Mexico was second"), and nothing of
what no answer holds ("the second largest country").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from groundwire.evidence.claims.fact_index import ASSETS, Fact, key_of_period
from groundwire.evidence.claims.operators import operator, quality_tables
from groundwire.evidence.claims.statement_index import Stated, part_of
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.evidence.records import Condition, Names
from groundwire.language.glossary import is_called
from groundwire.quantities import parse_number

if TYPE_CHECKING:
    from groundwire.evidence.claims.context import PassageContext
    from groundwire.evidence.claims.knowledge import Knowledge

# Conditions that say when, and in which order: they narrow nothing.
_BESIDE = frozenset(("period", "order"))
_KIND = frozenset(("domain", "kind"))
# How far a heading may stand before what is said of the list under it.
_FARTHEST = 600
# Words that widen what a superlative is of: "the longest in the catalogue", "of all".
_WIDER = frozenset(("source", "quantifier all", "quantifier each", "set_noun whole"))
_BOUNDS = frozenset(("at_least", "more_than", "at_most", "less_than"))


@dataclass(frozen=True, slots=True)
class Ranking:
    """A recorded order of things by a value.

    Attributes:
        evidence_id: its record.
        members: the keys of each member, the first one first.
        names: keys of what they are sorted by.
        periods: keys of the period of the values; empty where it has none.
        descending: whether the greatest stands first.
        narrowed: what else holds for all of them: a sentence that does not say so speaks of more.
        is_complete: whether nothing stands behind its last member.
        kinds: what its members are called.
    """

    evidence_id: str
    members: tuple[frozenset[str], ...]
    names: frozenset[str]
    periods: frozenset[object]
    descending: bool
    narrowed: tuple[Condition, ...] = ()
    is_complete: bool = False
    kinds: tuple[str, ...] = ()

    def place_of(self, keys: frozenset[str]) -> int | None:
        """Return the place of a member from 1, or None."""
        return next((at for at, one in enumerate(self.members, 1) if one & keys), None)

    def turned(self) -> Ranking | None:
        """Return the order from its other end on; None where more may stand behind its last."""
        if not self.is_complete:
            return None
        return replace(self, members=self.members[::-1], descending=not self.descending)


def rankings_in(statements: Sequence[Stated], numbers: Sequence[int]) -> Iterator[Ranking]:
    """Yield every order by a value.

    Args:
        statements: all statements of the records.
        numbers: the numbers of those that are orders.
    """
    others: dict[tuple[str, str], dict[str, None]] = {}
    for each in statements if numbers else ():
        for condition in each.statement.conditions:
            for names in condition.objects:
                held = others.setdefault((each.evidence_id, names[0]), {}) if names else {}
                held.update(dict.fromkeys(names))
    for number in numbers:
        stated = statements[number]

        def every_name(names: Names, record: str = stated.evidence_id) -> Names:
            """A record has all names of a thing where it first names it."""
            return (*names, *others.get((record, names[0]), ())) if names else names

        one = stated.statement
        ways = {n[0] for c in one.conditions if "order" in c.predicate for n in c.objects}
        if not ways or not one.predicate or not one.objects:
            continue
        periods = {
            key_of_period(name)
            for condition in one.conditions
            if "period" in condition.predicate and condition.operator == "is"
            for names in condition.objects
            for name in names
        }
        yield Ranking(
            stated.evidence_id,
            tuple(frozenset(map(key_of, names)) for names in one.objects),
            frozenset(
                key_of(f"{name} {part}")
                for name in one.predicate
                for part in ("", *(part_of(one.conditions) or ()))
            ),
            frozenset(periods),
            "descending" in ways,
            tuple(
                replace(condition, objects=tuple(map(every_name, condition.objects)))
                for condition in one.conditions
                if condition.objects and not _BESIDE & set(condition.predicate)
            ),
            one.complete == "all_listed",
            tuple(one.subject),
        )


def fitting(
    rankings: Sequence[Ranking],
    context: PassageContext,
    known: Knowledge,
    *,
    of_list: bool = False,
) -> list[Ranking]:
    """Return the rankings by what a passage names, of the period and the set that it names.

    Args:
        rankings: all recorded ones.
        context: the passage.
        known: what the records hold.
        of_list: whether it speaks of the list itself, which needs no other name: "leads the list".
    """
    named = {key for anchor in context.names for key in anchor.keys} & known.numeric_names
    named -= known.answer_names
    periods = {key for anchor in context.periods for key in anchor.keys}
    return [
        one
        for one in rankings
        if (not named or one.names & named)
        and (not periods or not one.periods or one.periods & periods)
        and (of_list or is_narrowed_as(one, context))
    ]


def is_all_listed(ranking: Ranking, known: Knowledge) -> bool:
    """Whether nothing stands behind the last member of a ranking, by what its record counts."""
    counted = {one.number for one in known.totals if one.evidence_id == ranking.evidence_id}
    return ranking.is_complete or counted == {len(ranking.members)}


def is_narrowed_as(ranking: Ranking, context: PassageContext) -> bool:
    """Whether a passage says by what the members of a ranking are narrowed, as far as they are."""
    return all(
        _is_beyond(condition, ranking) or _is_said(condition, context)
        for condition in ranking.narrowed
    )


# A quality that is judged by more properties than these does not say by which.
_FEW_NAMES = 3


def scope_names(ranking: Ranking) -> Sequence[str]:
    """Return the names of what the members of a ranking are narrowed by: Africa, Afrika."""
    plain = (one for one in ranking.narrowed if one.operator == "is")
    return [name for one in plain for names in one.objects for name in names]


def is_measured(ranking: Ranking, context: PassageContext, known: Knowledge) -> bool:
    """Whether a passage says by what it ranks, or tells a figure where the first has but one.

    "Africa's largest country" is so by its area, and may be so by its people.
    """
    passage, small = context.passage, context.contexts.reading.small
    if any(anchor.keys & ranking.names for anchor in context.names):
        return True
    for key, (_, names, _) in quality_tables()[0].items():
        is_plain = len(names) <= _FEW_NAMES and names & ranking.names  # "best" is by none of many
        if is_plain and operator(key).search(small, passage.start, passage.end):
            return True
    others = any(anchor.keys & known.numeric_names for anchor in context.names)
    if "area" in ranking.names and not others:
        return operator("sized").search(small, passage.start, passage.end) is not None
    if not context.quantities:
        return False
    first = ranking.members[0] if ranking.members else frozenset[str]()
    of_first = (f for f in known.facts.numbers() if f.entities & first and not f.operands)
    return len({fact.names for fact in of_first}) < 2


def _is_beyond(condition: Condition, ranking: Ranking) -> bool:
    """Whether a condition leaves the first places of a ranking as they are.

    A kind is that of the members themselves, and another word for it is left over by itself; a
    bound of what they are sorted by ("30 km or longer") cuts off the last places only.
    """
    if _KIND & set(condition.predicate):
        return True
    lower = condition.operator in ("at_least", "more_than")
    upper = condition.operator in ("at_most", "less_than")
    own = not ranking.names.isdisjoint(map(key_of, condition.predicate))
    return own and (lower if ranking.descending else upper)


def _is_said(condition: Condition, context: PassageContext) -> bool:
    """Whether a passage says that only what meets a condition is meant."""
    numbers = {quantity.value for quantity in context.quantities}
    if condition.operator in _BOUNDS:
        return any(parse_number(names[0]) in numbers for names in condition.objects)
    passage = context.passage
    words = _spaced(context.contexts.reading.text[_lead(context) : passage.end])
    forms = context.contexts.annotated.within(_lead(context), passage.end)  # britische, britischen
    words += _spaced(" ".join(token.lemma for word in forms for token in word.tokens))
    said = [any(_holds(words, name) for name in names) for names in condition.objects]
    if not any(said) and (before := _answered_before(condition, context)):
        said = [any(_holds(before, name) for name in names) for names in condition.objects]
    if condition.operator in ("any_of", "none_of"):
        counted = condition.operator == "any_of" and len(condition.objects) in numbers
        return all(said) or counted
    return any(said)


def _answered_before(condition: Condition, context: PassageContext) -> str:
    """Return the words before a passage that goes on about the set that was told there, or "".

    It goes on where nothing is named of what the set is narrowed by, and no other value of it was
    told before: "There are five British maps. The longest one is ...".
    """
    contexts, start = context.contexts, context.passage.start
    if not context.roles.isdisjoint(_WIDER):
        return ""
    property_keys = frozenset(map(key_of, condition.predicate))
    meant = {key_of(name) for names in condition.objects for name in names}
    mentions = contexts.reading.mentions.within((0, context.passage.end))
    told = [f for m in mentions for f in m.named.values if f.names & property_keys]
    if any(key_of(fact.value.value) not in meant for fact in told):
        return ""
    return _spaced(contexts.reading.text[max(0, start - _FARTHEST) : start])


def _lead(context: PassageContext) -> int:
    """Return where the text begins that a passage is read with: its list and the heading."""
    text, start = context.contexts.reading.text, context.passage.start
    before = text[max(0, start - _FARTHEST) : start]
    heading = before.rfind(":\n")
    listed = heading >= 0 and "\n\n" not in before[heading + 2 :].strip("\n")
    return before.rfind("\n", 0, heading) + 1 + start - len(before) if listed else start


def _holds(words: str, name: str) -> bool:
    """Whether a text has a name as words of its own; Chinese has no spaces."""
    key = _spaced(name)
    return bool(key.strip()) and (key in words or (not name.isascii() and key.strip() in words))


def _spaced(text: str) -> str:
    return f" {' '.join(words_of(text))} "


_FEWEST = 3
# The next value of a close second is at most so much less, that of a distant one at least so much.
_CLOSE, _DISTANT = Decimal("0.15"), Decimal("0.33")


# From a value to what it is rounded to, as a share of it.
_ROUNDED = Decimal("0.05")


def ranked_values(known: Knowledge) -> Sequence[Ranking]:
    """Return an order for every property of which one answer has values of several things.

    Things with the same value have no place in it. An answer that counts more than it lists has
    no such order, unless it lists groups of what it counts.
    """
    return tuple(_orders(known))


def _orders(known: Knowledge) -> Iterator[Ranking]:
    groups: dict[tuple[object, ...], list[Fact]] = {}
    for fact in known.facts.numbers():
        if len(fact.entities) == 1 and not fact.operands and fact.value.item is None:
            kind = fact.evidence_id, fact.names, fact.value.unit, fact.periods
            groups.setdefault(kind, []).append(fact)
    totals = {(one.evidence_id, one.number) for one in known.totals if one.number is not None}
    orders = {(one.evidence_id, name) for one in known.rankings for name in one.names}
    narrowed = {one.evidence_id: one.narrowed for one in known.rankings}
    counts = (fact for fact in known.facts.numbers() if fact.value.unit == ASSETS)
    counted = {(fact.evidence_id, fact.entities) for fact in counts}
    for facts in groups.values():
        first = facts[0]
        numbers = [fact.number for fact in facts]
        are_groups = counted.issuperset((fact.evidence_id, fact.entities) for fact in facts)
        is_page = not are_groups and any(
            record == first.evidence_id and number > len(facts) for record, number in totals
        )
        if len(facts) < _FEWEST or len({f.entities for f in facts}) < len(facts) or is_page:
            continue
        if any((first.evidence_id, name) in orders for name in first.names):
            continue
        ordered = sorted(facts, key=lambda fact: -(fact.number or 0))
        yield Ranking(
            first.evidence_id,
            tuple(
                fact.entities if numbers.count(fact.number) == 1 else frozenset()
                for fact in ordered
            ),
            first.names,
            first.periods,
            True,
            narrowed.get(first.evidence_id, ()),
            is_complete=True,
        )


def lies_close(known: Knowledge, ranking: Ranking, place: int) -> bool | None:
    """Return whether a member of an order lies close behind the one before it.

    Returns:
        False where it lies far behind; None where it lies neither close nor far.
    """
    if not 1 < place <= len(ranking.members):
        return None
    before, own = (_values_of(known, ranking, ranking.members[at - 1]) for at in (place - 1, place))
    if len(before) != 1 or len(own) != 1:
        return None
    first, second = before.pop(), own.pop()
    gap = abs(first - second) / max(abs(first), abs(second), Decimal(1))
    return True if gap <= _CLOSE else False if gap >= _DISTANT else None


def is_value_of(known: Knowledge, ranking: Ranking, keys: frozenset[str], number: Decimal) -> bool:
    """Return whether a number, rounded or not, is the value by which a member has its place."""
    values = _values_of(known, ranking, keys)
    return any(abs(value - number) <= abs(value) * _ROUNDED for value in values)


def _values_of(known: Knowledge, ranking: Ranking, keys: frozenset[str]) -> set[Decimal]:
    return {
        fact.number
        for fact in known.facts.numbers()
        if fact.evidence_id == ranking.evidence_id
        and fact.names & ranking.names
        and (not ranking.periods or fact.periods & ranking.periods)
        and fact.entities & keys
        and fact.number is not None
    }


def lacks_told(context: PassageContext, known: Knowledge, subjects: frozenset[str]) -> bool:
    """Return whether a passage names what other things are recorded to have, and its subjects not.

    Nigeria is Africa's first by people, and not the first "of those that speak Portuguese".
    """
    said = {key_of(word.text) for word in context.words if word.kind != "quantity"}
    return any(
        name in said and members.isdisjoint(subjects) and name not in subjects
        for name, members in known.once(_bearers).items()
    )


def _bearers(known: Knowledge) -> Mapping[str, set[str]]:
    """Return the things that have each recorded value of a relation, by every name of the value."""
    found: dict[str, set[str]] = {}
    for number in known.by_kind.get("relation", ()):
        stated = known.statements[number]
        for name in (name for names in stated.statement.objects for name in names):
            found.setdefault(key_of(name), set()).update(stated.subjects)
    return {name: things for name, things in found.items() if name not in known.entities}


def ranks_kind(known: Knowledge, lemmas: Collection[str]) -> bool:
    """Return whether a word in another language is for what a recorded order is of: Land, 国家."""
    kinds = known.once(_ranked_kinds)
    return any(is_called(lemma, kinds) for lemma in lemmas)


def _ranked_kinds(known: Knowledge) -> frozenset[str]:
    orders = (known.statements[number].statement for number in known.by_kind.get("order", ()))
    return frozenset(word for one in orders for name in one.subject for word in words_of(name))
