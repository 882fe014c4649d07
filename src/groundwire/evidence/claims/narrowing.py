"""Conditions that narrow a value or a set: a channel, what a call asked for, a count of some."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from groundwire.evidence.claims.context import PassageContext
from groundwire.evidence.claims.fact_index import ASSETS, Fact
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.operators import right_before
from groundwire.evidence.claims.segments import Span
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.claims.words import Learned, cue_tables, key_of, words_of
from groundwire.evidence.records import Condition, Names, Statement
from groundwire.language import Span as Word
from groundwire.language.glossary import is_called
from groundwire.quantities import Quantity

# Right before a count of all that there is.
_THERE_ARE = right_before("there_are", "beside_by")

# Words of these roles say which of the things are counted.
_CHOOSING = frozenset(("comparison", "bound", "superlative", "quantifier", "negation"))


def is_short_of_set(
    quantity: Quantity, group: frozenset[str], passage: PassageContext, known: Knowledge
) -> bool:
    """Whether "there are two French maps" counts only some of a set that is recorded whole."""
    start = quantity.span[0]
    text = passage.contexts.reading.text[passage.passage.start : start]
    if _THERE_ARE.search(text) is None or not passage.roles.isdisjoint(_CHOOSING):
        return False
    sets = {number for key in group for number in known.scopes_of_member.get(key, ())}
    sizes = (known.statements[number].fact for number in sets)
    return any(
        one is not None and one.value.unit == ASSETS and (one.number or 0) > quantity.value
        for one in sizes
    )


def narrows(condition: Condition) -> bool:
    """Whether a value is only of a part of its thing: of a channel, not of the total."""
    names = {name for names in condition.objects for name in names}
    return "channel" in condition.predicate and bool(names) and "TOTAL" not in names


_NO_PARTS = frozenset(("period", "grain", "as of", "channel", "domain", "metric"))


def narrows_value(condition: Condition, fact: Fact | None, known: Knowledge) -> bool:
    """Whether a value is only of a part of its thing: of a channel, or of what a call asked for.

    What the value or its thing is called by says so itself.
    """
    if narrows(condition):
        return True
    predicate = {name.casefold() for name in condition.predicate}
    if fact is None or not fact.entities or predicate & _NO_PARTS:
        return False
    called = {key for names in condition.objects for key in map(key_of, names)}
    own = fact.entities.union(map(key_of, fact.value.labels))
    return called.isdisjoint(own) and not called.isdisjoint(known.asked[fact.evidence_id])


def narrowing_places(known: Knowledge) -> Mapping[int, frozenset[int]]:
    """Return, by the number of each set, the places of conditions that narrow its value."""
    return {
        number: frozenset(
            place
            for place, condition in enumerate(known.statements[number].statement.conditions)
            if narrows_value(condition, known.statements[number].fact, known)
        )
        for number in known.by_kind.get("scope", ())
    }


def narrows_to_part(condition: Condition) -> bool:
    """Whether a condition names a part of a thing, and no time, measure or kind of it."""
    predicate = {name.casefold() for name in condition.predicate}
    return bool(condition.objects) and not (predicate - {"channel"}) & (_NO_PARTS | {"entity"})


Objects = tuple[tuple[str, ...], ...]


def parts_told(values: Iterable[Stated]) -> frozenset[Objects]:
    """Return by what the values of things are narrowed that some statements are of."""
    return frozenset(
        condition.objects
        for one in values
        if one.fact is not None and one.fact.entities
        for condition in one.statement.conditions
    )


def is_of_others(condition: Condition, values: Iterable[int], known: Knowledge) -> bool:
    """Whether only other values are narrowed so: sales online tell of no rating online.

    Args:
        condition: what a value or set is narrowed by.
        values: the numbers of the statements that a passage tells the values of.
        known: what the records hold.
    """
    if not narrows_to_part(condition):
        return False
    told = parts_told(known.statements[number] for number in values)
    if not told or condition.objects in told:
        return False
    return known.entities.isdisjoint(key_of(one) for names in condition.objects for one in names)


def must_be_said(condition: Condition) -> bool:
    """Whether an absence holds only under a condition: not one that its subject says itself."""
    usual = {"domain", "channel", "grain", "as of", "reason", "looked for"}
    is_usual = usual & set(condition.predicate) and not narrows(condition)
    return bool(condition.objects) and not is_usual


def metric_called(condition: Condition, words: Sequence[Word]) -> list[tuple[int, int]]:
    """Return where a text calls the metric of a condition by a word of the glossary."""
    if not {"metric", "channel"} & set(condition.predicate):
        return []
    called = [frozenset(words_of(name)) for names in condition.objects for name in names[:2]]
    return [
        (word.start, word.end)
        for word in words
        for token in word.tokens
        for form in {token.lemma, token.key, *token.key.split("-")}
        if any(is_called(form, one) or frozenset((form,)) == one for one in called)
    ]


def about_conditions(subject: Names, conditions: Sequence[Condition]) -> str:
    """Return what an absence is of, and under which conditions, in short."""
    said = [subject[0]] if subject else []
    return "; ".join([*said, *(said_of(condition) for condition in conditions[:4])])


def said_of(condition: Condition) -> str:
    """Return what a condition says, in short."""
    names = ", ".join(names[0] for names in condition.objects[:3])
    return f"{condition.predicate[0]} {condition.operator.replace('_', ' ')} {names}"


def callers_of(names: Names, forms: frozenset[str]) -> frozenset[str]:
    """Return those of some words that mean what some names name."""
    return _learned_callers(names[:2]).among(forms)


@lru_cache(maxsize=4_096)
def _learned_callers(names: Names) -> Learned:
    called = [one for name in names if len(one := frozenset(words_of(name))) > 1]
    return Learned(lambda form: any(is_called(form, one) for one in called))


def calling(names: Names, words: Sequence[Word], known: Knowledge) -> list[Span]:
    """Return the words that mean what some names name, by the glossary.

    What another property is called that has values is not it: "population" of "urban population".
    """
    called = [one for name in names[:2] if len(one := frozenset(words_of(name))) > 1]
    return [
        (word.start, word.end)
        for word in (words if called else ())
        for token in word.tokens
        if token.tag in ("noun", "name")
        if any(is_called(token.lemma, one) for one in called)
        if not has_values(word.text, known)
    ]


def has_values(text: str, known: Knowledge) -> bool:
    """Whether a text is the name of a property that has recorded numbers."""
    named = known.names.by_key.get(key_of(text))
    return named is not None and not known.numeric_names.isdisjoint(named.names)


def means_kind(one: Statement, words: Sequence[Word], known: Knowledge) -> bool:
    """Whether "none" stands for the things that were looked for, the one kind that there is.

    An answer that remarks on things of other kinds leaves it open which are meant.
    """
    said = {word.text.casefold() for word in words}
    sets = (known.statements[number].statement for number in known.by_kind.get("scope", ()))
    is_only = {other.subject[:1] for other in sets} == {one.subject[:1]}
    remarks = any(fact.value.name == "remark" for fact in known.facts.all)
    is_match = is_only and not remarks and "match" in one.predicate
    return is_match and not said.isdisjoint(cue_tables()["bare_none"])
