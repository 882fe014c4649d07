"""The properties and classes of a graph by the phrases with which questions name them.

What was asked is kept for as long as the endpoint is open, and read again when it is reopened.
Names have other wordings: plurals, parts, and what they are made of.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from groundwire.graph.terms import Term
from groundwire.language.ordinals import Field, Measure, measures
from groundwire.language.verbs import Verb, verb_of
from groundwire.quantities.units import resolve_unit
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.patterns.words import (
    data,
    phrase,
    phrases_of_verb,
    plain,
    roles_of,
    synonyms,
    written,
)
from groundwire.sparql.schema.names import LONGEST_NAME, Named, Use, local, named, read_names
from groundwire.sparql.workflow.queries import LABEL_PATHS, RDF_TYPE
from groundwire.vocabulary import Policy, Vocabulary
from groundwire.vocabulary import Term as Word
from groundwire.vocabulary.fold import singular

_UNIT = re.compile(
    r"(?P<name>\S.*?)\s*(?:[(\[](?P<in_brackets>[^()\[\]]{1,20})[)\]]| in (?P<after>\S{1,12}))"
)
_COMMENTED = re.compile(
    r"(?:[^.:]{1,60}\s)?(?:in|unit:|einheit:|单位[:：])\s*(?P<unit>[^\s.]{1,20})\.?", re.IGNORECASE
)
_CJK = re.compile(r"[\u3400-\u9fff]")
# A longer word is reduced to its stem; see `words.stem`.
_LONGEST_UNSTEMMED = 4
_SHORTEST_PART = 4


def unit_in(name: str) -> str:
    """Return the unit that ends a name, as in "Länge in km" and "price (EUR)"; "" for none."""
    found = _UNIT.fullmatch(name)
    unit = (found["in_brackets"] or found["after"]) if found else ""
    return unit if unit and resolve_unit(unit) is not None else ""


def unit_among(names: Iterable[str]) -> str | None:
    """Return the symbol of the one unit that ends some names of a property; None for none."""
    found = {unit.symbol for name in names if (unit := resolve_unit(unit_in(name))) is not None}
    return found.pop() if len(found) == 1 else None


def unit_commented(comment: str) -> str:
    """Return the unit that a comment says a property is in, as in "in euros"; "" for none."""
    found = _COMMENTED.fullmatch(comment.strip())
    return found["unit"] if found and resolve_unit(found["unit"]) is not None else ""


def without_unit(name: str) -> str:
    """Return a name without the unit that ends it."""
    found = _UNIT.fullmatch(name)
    return found["name"] if found and unit_in(name) else name


def with_plain_names(prompt: str, properties: Iterable[Named]) -> str:
    """Return a prompt with what names hold as words before them: "unpaid" is "not paid"."""
    denying: Mapping[str, Sequence[str]] = data()["denying"]
    names = {name: tag for one in properties for name, tag in one.labels if " " not in name}
    for name in sorted(names, key=len, reverse=True):
        language = "zh" if _CJK.match(name) else "de" if names[name] == "de" else "en"
        core = name.removeprefix("已") if language == "zh" else name
        for at in range(1, len(name)) if language == "zh" else ():
            # 订单总金额 is the 总 of 订单金额.
            prompt = prompt.replace(f"{name[:at]}总{name[at:]}", f"总{name}")
        least = 2 if language == "zh" else _SHORTEST_PART
        if len(core) < least or core.casefold() not in prompt.casefold():
            continue
        said = rf"(?:{'|'.join(map(re.escape, denying[language][1:]))}){re.escape(core)}"
        whole = said if language == "zh" else rf"(?<!\w){said}(?:e[nmrs]?)?(?!\w)"
        prompt = re.sub(whole, denying[language][0] + name, prompt, flags=re.IGNORECASE)
    return prompt


def plurals_of(name: str) -> Iterator[str]:
    """Yield the plurals of a name whose last word is too short for a stem: "Orte", "keys"."""
    *first, last = written(name) or ("",)
    if 2 < len(last) <= _LONGEST_UNSTEMMED and last.isalpha() and not _CJK.search(last):
        yield from (" ".join((*first, last + ending)) for ending in data()["plural"]["endings"])
        if last.endswith("s") and len(last) == _LONGEST_UNSTEMMED:
            # "Eats" is "eat" behind several.
            yield " ".join((*first, last[:-1]))
    for end, others in data()["naming"]["turned"].items():
        if last.endswith(end) and len(last) >= _SHORTEST_PART:
            yield from (" ".join((*first, last.removesuffix(end) + one)) for one in others)


def turned_round(name: str) -> Iterator[str]:
    """Yield a name of a noun and what was done to it the other way round: "paid her fee"."""
    said = written(name)
    if len(said) == 2 and said[1].endswith(tuple(data()["naming"]["done"])):
        yield from (f"{said[1]} {own} {said[0]}" for own in data()["naming"]["owning"])


def translated(name: str) -> Sequence[tuple[str, ...]]:
    """Return other phrases for what a name in another language than English says."""
    return _by_translation().get(phrase(name), ())


@cache
def _by_translation() -> Mapping[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    found: dict[tuple[str, ...], tuple[tuple[str, ...], ...]] = {}
    for key, others in synonyms().items():
        for one in others:
            found[one] = (*found.get(one, ()), key, *others)
    return found


def parts_of(name: str) -> Iterator[str]:
    """Yield what names a property in part: its noun ("cost" of "yearly cost"), or its verb.

    "Gründungsjahr" is asked for by "gegründet", 出版年份 by 出版, "creation date" by "created".
    """
    if _CJK.search(name):
        yield from _chinese_parts(name)
        return
    said = written(name)
    if len(said) > 2 and said[-1] in data()["naming"]["since"]:
        # "In service since" says when something is "in service".
        yield " ".join(said[:-1])
    inner = data()["naming"]["inner"]
    if len(said) > 1 and not set(said) & set(inner) and len(said[-1]) >= _SHORTEST_PART:
        yield said[-1]
    telling = [one for one in said if one not in data()["naming"]["time"]]
    if len(telling) == 1:
        yield from _verbs_in(telling[0])


def says_year(named: Named) -> bool:
    """Whether a property is called the year of something, so that its numbers are years."""
    ends = tuple(plain(one) for one in data()["naming"]["years"])
    return any(
        plain(one).endswith(ends) for one in (local(named.iri), *(n for n, _ in named.labels))
    )


def is_said_of(text: str, named: Named) -> bool:
    """Whether a word of an order is said of a property: "longest" of what ends with "length"."""
    said = written(text)
    return any(
        written(one) == said[: len(written(one))]
        for measure, _ in _measures_of(named)
        for one in measure.said("most", "least", "more", "less", "general", "bare")
    )


def asked_by(named: Named) -> Iterator[tuple[str, ...]]:
    """Yield the words that ask for a property by what it measures: "how long", "weighs"."""
    return (written(one) for _, field in _measures_of(named) for one in field.asks)


def _measures_of(named: Named) -> Iterator[tuple[Measure, Field]]:
    """Yield what a property measures, by the ends of its names."""
    names = [without_unit(one) for one in (local(named.iri), *(label for label, _ in named.labels))]
    for measure in measures():
        for asked in measure.fields:
            nouns = tuple(plain(noun) for noun in asked.nouns)
            if any(plain(name).endswith(nouns) for name in names):
                yield measure, asked


def _verbs_in(word: str) -> Iterator[str]:
    """Yield participles of the verb that a noun is made of."""
    for ending in data()["naming"]["endings"]:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_PART:
            word = word.removesuffix(ending).removesuffix("s")
            yield word
            break
    if word.endswith("ung"):
        base = word.removesuffix("ung")
        yield from (f"{start}{base}{end}" for start in ("", "ge") for end in ("t", "et"))
    for ending in ("ation", "ion"):
        if word.endswith(ending):
            yield word.removesuffix(ending) + "ed"


def _chinese_parts(name: str) -> Iterator[str]:
    for ending in data()["naming"]["counting"]:
        if name.endswith(ending) and len(name) > len(ending):
            counted = name.removesuffix(ending)
            yield counted
            yield from (f"{many}{counted}" for many in data()["naming"]["how_many"])
    for ending in data()["naming"]["nouns"]:
        if name.endswith(ending) and len(name) - len(ending) >= 2:
            yield name.removesuffix(ending)
            return


_GENERIC = ("date", "time", "year", "number", "count", "name", "value", "has", "is", "of", "for",
            "in", "by", "at", "to", "with", "on", "von")  # fmt: skip
# Letters of the shortest word that is corrected.
_SHORTEST_MISSPELT = 5
# Classes that say nothing of what belongs to them.
_ANY = frozenset(("thing", "resource", "class"))
_NO_RELATIONS = frozenset(
    (RDF_TYPE, RDF_TYPE.replace("type", "first"), RDF_TYPE.replace("type", "rest"), *LABEL_PATHS)
)


@dataclass(slots=True)
class Schema:
    """Properties and classes of one graph, by phrase.

    Attributes:
        properties, classes: by IRI.
        uses: of the properties that were asked about.
        is_whole: all of them were read.
        can_count: the endpoint has not refused to count.
        units: words of units with the property that has them; None where they were not asked.
        verbs: the names of properties that are verbs.
        roles: words for the ends of properties, each with its kind.
        asked: the properties that words ask for by what they measure ("how long").
        below: the classes that stand below a class and have members, by its IRI.
        spelling: the words of the properties and classes; made when a word is not understood.
    """

    properties: dict[str, Named]
    classes: dict[str, Named]
    is_whole: bool = True
    can_count: bool = True
    uses: dict[str, Use] = field(default_factory=dict[str, Use])
    symmetric: dict[str, bool] = field(default_factory=dict[str, bool])
    units: list[tuple[tuple[str, ...], str]] | None = None
    verbs: dict[str, tuple[Verb, ...]] = field(default_factory=dict[str, tuple[Verb, ...]])
    roles: dict[str, Mapping[tuple[str, ...], str]] = field(
        default_factory=dict[str, Mapping[tuple[str, ...], str]]
    )
    asked: dict[tuple[str, ...], list[str]] = field(
        default_factory=dict[tuple[str, ...], list[str]]
    )
    below: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    by_phrase: dict[tuple[str, ...], dict[str, bool]] = field(
        default_factory=dict[tuple[str, ...], dict[str, bool]]
    )
    class_phrases: dict[tuple[str, ...], dict[str, bool]] = field(
        default_factory=dict[tuple[str, ...], dict[str, bool]]
    )
    spelling: Vocabulary | None = None

    def respelt(self, texts: Iterable[str]) -> dict[str, str]:
        """Return the words of properties and classes that single words misspell, by these."""
        found: dict[str, str] = {}
        for text in texts:
            if len(text) >= _SHORTEST_MISSPELT and text.isalpha():
                meant = self._words().resolve(text, Policy.WORDWISE)
                if meant.how == "corrected":
                    found[text] = meant.changed[0][1]
        return found

    def _words(self) -> Vocabulary:
        if self.spelling is None:
            named = [*self.properties.values(), *self.classes.values()]
            locals_ = {local(one.iri) for one in named}
            said = [name for one in named for name, _ in one.labels]
            said += [
                text
                for name, texts in data()["synonyms"].items()
                if name in locals_
                for text in texts
            ]
            words = {word for text in said for word in text.split() if word.isalpha()}
            kept = sorted(one for one in words if len(one) >= _SHORTEST_MISSPELT)
            self.spelling = Vocabulary(Word(singular(one.casefold()), one) for one in kept)
        return self.spelling

    def add_property(self, one: Named) -> None:
        """Write down the phrases of a property; whole names come before parts of names."""
        self.properties[one.iri] = one
        named = [(local(one.iri), ""), *one.labels]
        verbs = [found for text, tag in named if (found := verb_of(text[:LONGEST_NAME], tag))]
        if verbs:
            self.verbs[one.iri] = tuple(dict.fromkeys(verbs))
        for words in asked_by(one):
            self.asked.setdefault(words, []).append(one.iri)
        self.roles[one.iri] = roles_of((local(one.iri), *(text for text, _ in one.labels)))
        of_roles = [(words, False) for words in self.roles[one.iri]]
        of_verbs = [found for verb in verbs for found in phrases_of_verb(verb)]
        for words, is_whole in (*phrases_of(one), *of_verbs, *of_roles):
            held = self.by_phrase.setdefault(words, {})
            held[one.iri] = held.get(one.iri, False) or is_whole

    def classes_called(self, words: tuple[str, ...]) -> tuple[str, ...]:
        """Return the classes that a phrase names, and after them those that stand below them."""
        named = best(self.class_phrases.get(words, {}))
        return tuple(
            dict.fromkeys((*named, *(low for one in named for low in self.below.get(one, ()))))
        )

    def classes_led(
        self, said: tuple[str, ...], stems: tuple[str, ...], properties: Sequence[str]
    ) -> tuple[str, ...]:
        """Return the classes of a phrase that ends with what leads to an entity: "orders by".

        What is "ordered by" somebody may be anything: that is the name of the property alone.
        """
        names = {plain(name) for p in properties for name, _ in self.properties[p].labels}
        is_led = bool(names) and said[-1] in data()["leading"]["words"]
        return self.classes_called(stems[:-1]) if is_led and " ".join(said) not in names else ()

    def named_of(self, classes: Sequence[str]) -> tuple[str, ...]:
        """Return those of some classes that stand below none of the others."""
        low = {below for one in classes for below in self.below.get(one, ()) if below != one}
        return tuple(one for one in classes if one not in low) or tuple(classes)

    def index(self) -> None:
        """Write down the phrases of all names."""
        for one in tuple(self.properties.values()):
            self.add_property(one)
        for one in self.classes.values():
            for words, is_whole in phrases_of(one):
                held = self.class_phrases.setdefault(words, {})
                held[one.iri] = held.get(one.iri, False) or is_whole


def best(found: Mapping[str, bool]) -> tuple[str, ...]:
    """Return the names that are the phrase as a whole, or else those of which it is the core."""
    whole = tuple(name for name, is_whole in found.items() if is_whole)
    return whole or tuple(found)


def phrases_of(one: Named) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Yield the phrases that name a property or class, and whether each is a whole name of it."""
    own = local(one.iri)
    named = [(own, ""), *((text[:LONGEST_NAME], tag) for text, tag in one.labels)]
    for text, _ in named:
        for wording in (text, without_unit(text), *plurals_of(text)):
            if words := phrase(wording):
                yield words, True
    for text, tag in named:
        for other in synonyms().get(phrase(text), ()) if tag in ("", "en") else translated(text):
            yield other, True
        for turned in turned_round(text):
            yield phrase(turned), False
        for part in parts_of(without_unit(text)):
            yield phrase(part), False
    parts = own.split()
    core = [part for part in parts if part not in _GENERIC]
    if core and core != parts:
        yield phrase(" ".join(core)), False
        if core[0] == parts[0] and len(parts) > len(core):
            yield phrase(" ".join(parts[: len(core)])), False
    if len(core) == 2:
        yield phrase(f"{core[1]} of the {core[0]}"), False
        yield phrase(f"{core[1]} of {core[0]}"), False


def _placed(schema: Schema, hierarchy: Outcome) -> None:
    """Write down which classes with members stand below which class."""
    above: dict[str, set[str]] = {}
    labels: dict[str, set[tuple[str, str]]] = {}
    for row in hierarchy.rows:
        below, upper, label = row
        if isinstance(below, Term) and isinstance(upper, Term) and local(upper.value) not in _ANY:
            above.setdefault(below.value, set()).add(upper.value)
            if isinstance(label, Term) and len(label.value) <= LONGEST_NAME:
                labels.setdefault(upper.value, set()).add((label.value, label.language))
    for name in tuple(schema.classes):
        seen, left = {name}, [name]
        while left:
            for upper in sorted(above.get(left.pop(), set()) - seen):
                seen.add(upper)
                left.append(upper)
                schema.below[upper] = (*schema.below.get(upper, ()), name)
    for upper in schema.below.keys() - schema.classes.keys():
        schema.classes[upper] = named(upper, 0, sorted(labels.get(upper, ())))


def read_schema(outcome: Outcome, hierarchy: Outcome | None = None) -> Schema:
    """Return the schema that an outcome of `names_query` holds, with that of `subclasses_query`."""
    names = read_names(outcome)
    schema = Schema(
        {name: one for name, one in names.properties.items() if name not in _NO_RELATIONS},
        dict(names.classes),
        names.is_whole,
    )
    if hierarchy is not None:
        _placed(schema, hierarchy)
    schema.index()
    return schema
