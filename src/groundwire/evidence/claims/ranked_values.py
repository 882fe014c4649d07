"""Orders that the values of one answer make, where its record lists none itself.

An answer that gives the population of four countries has a first and a second of them, in whatever
order it was asked. Only a place among them is read from it ("Mexico was second"), and nothing of
what no answer holds ("the second largest country").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.rankings import Ranking
from groundwire.evidence.claims.words import key_of, words_of
from groundwire.language.glossary import is_called

_FEWEST = 3
# The next value of a close second is at most so much less, that of a distant one at least so much.
_CLOSE, _DISTANT = Decimal("0.15"), Decimal("0.33")


# From a value to what it is rounded to, as a share of it.
_ROUNDED = Decimal("0.05")


def ranked_values(known: Knowledge) -> Sequence[Ranking]:
    """Return an order for every property of which one answer has values of several things.

    Things with the same value have no place in it. An answer that counts more than it lists has
    no such order.
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
    for facts in groups.values():
        first = facts[0]
        numbers = [fact.number for fact in facts]
        is_page = first.value.unit != ASSETS and any(
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
