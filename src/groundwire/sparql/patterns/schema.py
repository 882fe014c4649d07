"""The properties and classes of a graph by the phrases with which questions name them.

What was asked is kept for as long as the endpoint is open, and read again when it is reopened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from groundwire.language.verbs import Verb, verb_of
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.patterns.naming import parts_of, plurals_of, translated, without_unit
from groundwire.sparql.patterns.verbs import phrases_of_verb
from groundwire.sparql.patterns.words import phrase, synonyms
from groundwire.sparql.schema.names import LONGEST_NAME, Named, Use, local, read_names
from groundwire.sparql.workflow.queries import LABEL_PATHS, RDF_TYPE

_GENERIC = ("date", "time", "year", "number", "count", "name", "value", "has", "is", "of", "for",
            "in", "by", "at", "to", "with", "on", "von")  # fmt: skip
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
    """

    properties: dict[str, Named]
    classes: dict[str, Named]
    is_whole: bool = True
    can_count: bool = True
    uses: dict[str, Use] = field(default_factory=dict[str, Use])
    symmetric: dict[str, bool] = field(default_factory=dict[str, bool])
    units: list[tuple[tuple[str, ...], str]] | None = None
    verbs: dict[str, tuple[Verb, ...]] = field(default_factory=dict[str, tuple[Verb, ...]])
    by_phrase: dict[tuple[str, ...], dict[str, bool]] = field(
        default_factory=dict[tuple[str, ...], dict[str, bool]]
    )
    class_phrases: dict[tuple[str, ...], dict[str, bool]] = field(
        default_factory=dict[tuple[str, ...], dict[str, bool]]
    )

    def add_property(self, one: Named) -> None:
        """Write down the phrases of a property; whole names come before parts of names."""
        self.properties[one.iri] = one
        named = [(local(one.iri), ""), *one.labels]
        verbs = [found for text, tag in named if (found := verb_of(text[:LONGEST_NAME], tag))]
        if verbs:
            self.verbs[one.iri] = tuple(dict.fromkeys(verbs))
        of_verbs = [found for verb in verbs for found in phrases_of_verb(verb)]
        for words, is_whole in (*phrases_of(one), *of_verbs):
            held = self.by_phrase.setdefault(words, {})
            held[one.iri] = held.get(one.iri, False) or is_whole

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
        for part in parts_of(without_unit(text), tag):
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


def read_schema(outcome: Outcome) -> Schema:
    """Return the schema that an outcome of `names_query` holds."""
    names = read_names(outcome)
    schema = Schema(
        {name: one for name, one in names.properties.items() if name not in _NO_RELATIONS},
        dict(names.classes),
        names.is_whole,
    )
    schema.index()
    return schema
