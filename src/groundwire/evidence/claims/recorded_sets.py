"""The sets of a catalogue that records tell of: what they are of, how many, and their members."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files

from groundwire.evidence.claims.fact_index import ASSETS
from groundwire.evidence.claims.knowledge import Knowledge
from groundwire.evidence.claims.measured_members import Measures, measures_of
from groundwire.evidence.claims.passage_statements import CONNECTED
from groundwire.evidence.claims.statement_index import Stated
from groundwire.evidence.records import Condition
from groundwire.evidence.records import Names as Called
from groundwire.language import lexicon
from groundwire.language.detection import HAN_CHARACTER
from groundwire.language.field_names import names_of_field
from groundwire.language.glossary import other_words, words_for
from groundwire.language.places import Adjective, forms_of_place, inflected, is_demonym
from groundwire.vocabulary.fold import fold_word

Id = tuple[str, str]
"""A property and its value, as the records call them; "" and words of names stand for a label."""

_IS = ("is", "all_of", "contains")
_MOST_MEMBERS = 60
_SHORTEST_NOUN = 4
_LONGEST_PHRASE = 8
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class RecordedSet:
    """A set that a record counts or lists.

    Attributes:
        evidence_id: the record.
        kinds: folded names of what its members are.
        conditions: what each member is; None where a condition has no plain value.
        count: how many there are.
        members: what each listed member is, words of its label among it.
        is_whole: whether these are all members.
        missing: properties of which no member has a value.
        is_described: whether all values of each member are recorded.
        is_part: whether more of the same kind are recorded, with fewer conditions.
        measures: the figures of each listed member.
    """

    evidence_id: str
    kinds: frozenset[str]
    conditions: frozenset[Id] | None
    count: int
    members: tuple[frozenset[Id], ...]
    is_whole: bool = True
    missing: frozenset[str] = frozenset()
    is_described: bool = False
    is_part: bool = False
    measures: tuple[Measures, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedSets:
    """All recorded sets, and how their parts are called.

    Attributes:
        sets: the sets.
        values: the ids that a folded name may mean.
        properties: the properties that a folded name may mean.
    """

    sets: Sequence[RecordedSet]
    values: Mapping[str, frozenset[Id]]
    properties: Mapping[str, frozenset[str]]


def recorded_sets(known: Knowledge) -> RecordedSets:
    """Return the sets of assets that records count or list, and the things they describe."""
    names, measures = _Collected(), known.once(measures_of)
    for number in known.by_kind.get("relation", ()):
        names.take_relation(known.statements[number])
    sets: list[RecordedSet] = []
    listed: set[tuple[str, str]] = set()
    for number in known.by_kind.get("scope", ()):
        stated = known.statements[number]
        if stated.fact is None or stated.fact.value.unit != ASSETS or stated.fact.number is None:
            continue
        conditions = [c for c in stated.statement.conditions if "domain" not in c.predicate]
        heads = [one for one in stated.statement.subject if one[:1].isupper() and one.isalpha()]
        # A condition on connected things says nothing of the members themselves.
        plain = [c for c in conditions if _is(c) and not c.predicate[0].startswith(CONNECTED)]
        own = {names.condition(one, heads) for one in plain}
        for one in conditions:
            names.call_property(one.predicate)
        members: list[frozenset[Id]] = []
        for called in stated.statement.objects[:_MOST_MEMBERS]:
            key = (stated.evidence_id, called[0])
            listed.add(key)
            members.append(frozenset((*own, *names.owned.get(key, ()), *names.labels(called))))
        is_plain = len(plain) == len(conditions)
        listed_here = _set(stated, frozenset(own) if is_plain else None, members)
        of = (
            (stated.evidence_id, called[0]) for called in stated.statement.objects[:_MOST_MEMBERS]
        )
        sets.append(replace(listed_here, measures=tuple(measures.get(one, {}) for one in of)))
    things = [key for key in names.kinds if key not in listed]
    if things:
        of = tuple(frozenset((*names.owned[k], *names.labels((k[1],)))) for k in things)
        every = frozenset[str]().union(*(names.kinds[k] for k in things))
        described = RecordedSet(things[0][0], every, frozenset(), len(things), of)
        figures = tuple(measures.get(key, {}) for key in things)
        sets.append(replace(described, is_described=True, measures=figures))
    return RecordedSets(
        [replace(one, is_part=_is_part(one, sets)) for one in sets],
        {name: frozenset(ids) for name, ids in names.values.items()},
        {name: frozenset(ids) for name, ids in names.properties.items()},
    )


def kinds_of_sets(known: Knowledge) -> frozenset[str]:
    """Return what the kinds of the recorded sets are called, without single letters."""
    sets = known.once(recorded_sets).sets
    return frozenset(kind for one in sets for kind in one.kinds if len(kind) > 1)


def names_shared(known: Knowledge) -> Mapping[Id, Sequence[str]]:
    """Return the names of each value that all members of a recorded set have in common."""
    sets = known.once(recorded_sets)
    shared = frozenset[Id]().union(*(one.conditions or () for one in sets.sets))
    called: dict[Id, list[str]] = {}
    for name, ids in sets.values.items():
        for one in ids & shared:
            called.setdefault(one, []).append(name)
    return called


@dataclass(slots=True)
class _Collected:
    """Names of values and properties, and all that is recorded of each thing."""

    values: dict[str, set[Id]] = field(default_factory=dict[str, set[Id]])
    properties: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    owned: dict[tuple[str, str], set[Id]] = field(default_factory=dict[tuple[str, str], set[Id]])
    kinds: dict[tuple[str, str], frozenset[str]] = field(
        default_factory=dict[tuple[str, str], frozenset[str]]
    )

    def take_relation(self, stated: Stated) -> None:
        """Take the values that a thing has, or its kind."""
        one = stated.statement
        if one.complete != "all_listed" or not one.subject:
            return
        key = (stated.evidence_id, one.subject[0])
        own = self.owned.setdefault(key, set())
        if "domain" in one.predicate and one.objects:
            self.kinds[key] = _kinds(one.objects[0])
            return
        own |= {self.call((one.predicate[0], names[0]), names) for names in one.objects if names}
        self.call_property(one.predicate)

    def condition(self, one: Condition, heads: Sequence[str]) -> Id:
        """Name what a condition asks for, in German compounds too."""
        names = one.objects[0]
        return self.call((one.predicate[0], names[0]), [*names, *_compounds(names, heads)])

    def call(self, one: Id, names: Sequence[str]) -> Id:
        """Give a value its names."""
        for form in (form for name in names for form in _forms(name)):
            for written in {form.lower(), form.casefold()}:
                self.values.setdefault(written, set()).add(one)
        return one

    def call_property(self, names: Called) -> None:
        """Give a property its names, those of the glossary among them."""
        others = (word for one in names for word in (*words_for(one), *names_of_field(one)))
        for name in (*names, *others):
            head = name.lower().rsplit(" ", 1)[-1] if name.isascii() else name[-2:].lower()
            own = {name.lower(), name.casefold(), name.lower().replace("e ", "en ")}
            more = f"{head[:-1]}ies" if head.endswith("y") else f"{head}s"
            for form in {
                *own,
                *(one.removesuffix("s") for one in own),
                head,
                more,
            } - _function_words():
                self.properties.setdefault(form, set()).add(names[0])

    def labels(self, names: Called) -> Iterator[Id]:
        """Yield the words of a label, and their runs, as what its thing is."""
        for phrase in (p for name in names if "://" not in name for p in _phrases_of(name)):
            others = _values().get(phrase.lower(), ())
            for form in (*_numbers(phrase), *map(str.casefold, others)):
                self.values.setdefault(form, set()).add(("", phrase.casefold()))
            yield ("", phrase.casefold())


def _phrases_of(name: str) -> Iterator[str]:
    """Yield the words of a name and its runs of words, as other languages call them too."""
    words = [match.span() for match in _WORD.finditer(name)]
    for at, (start, _) in enumerate(words):
        for _, end in words[at : at + _LONGEST_PHRASE]:
            phrase = name[start:end]
            ends = (_WORD.match(phrase), _WORD.search(name, name.rfind(" ", start, end) + 1))
            if any(one is not None and _is_small(one[0]) for one in ends):
                continue
            yield phrase
            yield from other_words(phrase)
            yield from forms_of_place(phrase)


def _numbers(phrase: str) -> Iterator[str]:
    """Yield words of a name in small letters, and their plural."""
    for form in {phrase.lower(), phrase.casefold()}:
        yield form
        if len(form) > _SHORTEST_NOUN and form.isascii():
            yield f"{form}s"


def _is_small(word: str) -> bool:
    """Whether a word means something of its own beside names: near, in, and."""
    entry = lexicon("en").entries.get(fold_word(word))
    return len(word) < 2 or (
        entry is not None and entry.role in ("function", "being", "quantifier")
    )


@cache
def _function_words() -> frozenset[str]:
    """Return words that are called no property, though a phrase for one may end so: it, mit."""
    entries = (one for of in ("en", "de") for one in lexicon(of).entries.items())
    return frozenset(word for word, entry in entries if entry.role == "function")


def _set(
    stated: Stated, conditions: frozenset[Id] | None, members: Sequence[frozenset[Id]]
) -> RecordedSet:
    assert stated.fact is not None and stated.fact.number is not None
    kinds, count = _kinds(stated.statement.subject), int(stated.fact.number)
    whole = stated.statement.complete == "all_listed" and count == len(members)
    of = stated.statement.conditions
    missing = frozenset(one.predicate[0] for one in of if one.operator == "missing")
    return RecordedSet(stated.evidence_id, kinds, conditions, count, tuple(members), whole, missing)


def _is_part(one: RecordedSet, sets: Sequence[RecordedSet]) -> bool:
    own = one.conditions or frozenset[Id]()
    return any(
        other.conditions is not None and other.conditions < own and other.count > one.count
        for other in sets
        if other.kinds == one.kinds
    )


def _is(condition: Condition) -> bool:
    return condition.operator in _IS and len(condition.objects) == 1 and bool(condition.objects[0])


def _kinds(names: Called) -> frozenset[str]:
    """Return what things are called, by their head nouns too, in the plural as well."""
    every = {name.casefold() for name in names}
    every |= {name.lower() for name in names}
    every |= {name.rsplit(" ", 1)[-1].rsplit("-", 1)[-1] for name in every}
    every |= {end.casefold() for name in names for end in _heads_of_compound(name)}
    return frozenset(f"{name}{end}" for name in every for end in ("", "s", "n", "e", "en"))


def _heads_of_compound(name: str) -> Iterator[str]:
    """Yield what the compound of a German or Chinese kind may be called by: Gerät, 菜 of 菜谱."""
    if name[:1].isupper() and name[1:].islower() and len(name) > 2 * _SHORTEST_NOUN:
        yield from (name[at:] for at in range(_SHORTEST_NOUN, len(name) - _SHORTEST_NOUN))
    elif HAN_CHARACTER.match(name) and len(name) in (2, 3):
        yield name[:-1]


def _forms(name: str) -> Iterator[str]:
    """Yield the forms in which a text may have a name, in three languages."""
    spaced = name.replace("-", " ")
    for one in dict.fromkeys((name, spaced, *other_words(name), *_values().get(spaced, ()))):
        if one[:1].isdigit() or "://" in one or (len(one) == 2 and one.isascii()):
            continue  # figures are judged elsewhere; a code of two letters is also a word
        yield from forms_of_place(one.rpartition(":")[2])
        if len(one) >= _SHORTEST_NOUN:
            # A German noun or an English one: no "Germans", who are people.
            ends = ("n", "en", "e") if one[:1].isupper() else ()
            yield from (f"{one}{end}" for end in (*ends, *(() if is_demonym(one) else ("s",))))
        yield from inflected(Adjective(one, "de"))


def _compounds(names: Called, heads: Sequence[str]) -> Iterator[str]:
    """Yield German compounds of a value and what has it: Nebelszenario."""
    for name in names:
        if name[:1].isupper() and name.isalpha():
            yield from (f"{name}{joint}{head.lower()}" for joint in ("", "s") for head in heads)


@cache
def _values() -> Mapping[str, Sequence[str]]:
    """Return words for values that a sentence read as a whole may use."""
    text = (files("groundwire.evidence.claims") / "set_sentences.toml").read_text("utf-8")
    return tomllib.loads(text)["values"]
