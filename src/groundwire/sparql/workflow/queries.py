"""The queries of the workflow that are no label match: types, texts of entities, descriptions.

Step 2 finds which types of entity a graph has, and by which predicates they say texts; cached.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri, literal
from groundwire.sparql.outcome import Outcome, text_of
from groundwire.sparql.workflow.model import Asked, Source

_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_OWL = "http://www.w3.org/2002/07/owl#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_SCHEMA = ("http://schema.org/", "https://schema.org/")

_MOST_NAMES = 12
_MOST_ONTOLOGIES = 8


def _of_schema(*names: str) -> list[str]:
    return [scheme + name for name in names for scheme in _SCHEMA]


USUAL_TYPES = (
    *_of_schema("Question", "DefinedTermSet", "HowTo", "FAQPage"),
    f"{_SKOS}ConceptScheme",
)
"""What is explored where nothing else is asked for (seed 003, "Explore & Identify")."""

_MEMBERS = {
    **dict(zip(_of_schema("Question"), _of_schema("Answer"), strict=True)),
    **dict(zip(_of_schema("HowTo"), _of_schema("HowToStep"), strict=True)),
    **dict(zip(_of_schema("DefinedTermSet"), _of_schema("DefinedTerm"), strict=True)),
    **dict(zip(_of_schema("FAQPage"), _of_schema("Question"), strict=True)),
    f"{_SKOS}ConceptScheme": f"{_SKOS}Concept",
}

LABEL_PATHS = (
    f"{_SKOS}prefLabel",
    f"{_RDFS}label",
    *_of_schema("name", "headline"),
    "http://purl.org/dc/terms/title",
    "http://xmlns.com/foaf/0.1/name",
)
TEXT_PROPERTIES = (
    *_of_schema("text", "description", "abstract", "articleBody"),
    f"{_SKOS}definition",
    f"{_RDFS}comment",
    "http://purl.org/dc/terms/description",
    "http://dbpedia.org/ontology/abstract",
)
NOTE_PROPERTIES = (f"{_SKOS}scopeNote", f"{_SKOS}note", f"{_SKOS}example", f"{_SKOS}historyNote")
"""Texts that say more of an entity: they are told where it has no other text."""
VALUE_PROPERTIES = (
    "http://www.w3.org/1999/02/22-rdf-syntax-ns#value",
    *_of_schema("text"),
    "http://www.w3.org/2008/05/skos-xl#literalForm",
)
"""Where the text of a definition or note stands that is a node of its own."""
# Where the text that answers stands one step away from the entity that is found.
_ANSWERS = tuple(
    (answer, text)
    for answer, text in zip(
        _of_schema("acceptedAnswer", "suggestedAnswer"), _of_schema("text", "text"), strict=True
    )
)
OTHER_NAMES = (
    f"{_SKOS}altLabel",
    *_of_schema("alternateName"),
    "http://purl.org/dc/elements/1.1/title",
)
"""Properties that say what an entity is called too, beside `LABEL_PATHS`."""
HIDDEN_LABEL = f"{_SKOS}hiddenLabel"
"""Labels by which an entity is found but never called: "European" for Europe."""

QUESTIONS = frozenset(_of_schema("Question"))
HOW_TOS = frozenset(_of_schema("HowTo"))

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
RDF_FIRST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
RDF_REST = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
STEP_PROPERTIES = tuple(_of_schema("step", "steps", "itemListElement"))
"""From a how-to, a section, a step or a list to what stands in it."""
_STEP_PATHS = (*STEP_PROPERTIES, *_of_schema("item", "hasPart"), RDF_FIRST, RDF_REST)
_OF_STEPS = (
    *_of_schema("position", "text", "name", "description"),
    *_of_schema("nextItem", "previousItem", "numberOfItems"),
    RDF_TYPE,
)


def with_members(types: Sequence[str]) -> tuple[str, ...]:
    """Types with those of what stands in their entities, where texts are: answers, steps, terms."""
    members = [_MEMBERS[one] for one in types if one in _MEMBERS]
    return tuple(dict.fromkeys((*types, *members)))


def types_query(
    types: Sequence[str],
    limit: int,
    ontologies: Sequence[str] = (),
    names: Sequence[str] = (),
) -> CompiledQuery:
    """How many entities there are of each of some types; of all types where none is named.

    Args:
        types: IRIs.
        limit: most types.
        ontologies: graphs that may say more of types; where some are named, subclasses of the
            types count too, classes equivalent to them, and those that are called a name.
        names: what types may be called, in any case.
    """
    listed = ", ".join(iri(one).n3() for one in types)
    pattern = "?entity a ?type ."
    if types:
        pattern += f" FILTER(?type IN ({listed}))"
    branches = [pattern]
    if types and ontologies:
        related = _related(listed, names)
        branches += [f"{one} ?entity a ?type ." for one in related]
        graphs = ", ".join(iri(one).n3() for one in ontologies[:_MOST_ONTOLOGIES])
        among = f"FILTER(?ontology IN ({graphs})) ?entity a ?type ."
        branches += [f"GRAPH ?ontology {{ {one} }} {among}" for one in related]
    body = "  UNION\n".join(f"  {{ {one} }}\n" for one in branches)
    return CompiledQuery(
        "SELECT ?type (COUNT(DISTINCT ?entity) AS ?count)\n"
        f"WHERE {{\n{body}}}\n"
        f"GROUP BY ?type\nORDER BY DESC(?count) ?type\nLIMIT {int(limit)}"
    )


def _related(listed: str, names: Sequence[str]) -> list[str]:
    """Patterns for the types that an ontology relates to those listed, and those called a name.

    Virtuoso 7.2 finds nothing by VALUES within UNION, so constants stand in filters.
    """
    subclass, equivalent = iri(f"{_RDFS}subClassOf").n3(), iri(f"{_OWL}equivalentClass").n3()
    wanted = f"FILTER(?wanted IN ({listed}))"
    related = [
        f"?type {subclass}+ ?wanted . {wanted}",
        f"?type {equivalent} ?wanted . {wanted}",
        f"?wanted {equivalent} ?type . {wanted}",
    ]
    if names:
        called = ", ".join(literal(name.casefold()).n3() for name in names[:_MOST_NAMES])
        labels = "|".join(iri(one).n3() for one in LABEL_PATHS[:2])
        said = f"?type {labels} ?name . FILTER(LCASE(STR(?name)) IN ({called}))"
        related.append(said)
    return related


def predicates_query(types: Sequence[str], limit: int) -> CompiledQuery:
    """The predicates by which entities of some types say a text, the most used first."""
    values = " ".join(iri(one).n3() for one in types)
    return CompiledQuery(
        "SELECT ?predicate (COUNT(*) AS ?count)\n"
        f"WHERE {{\n  VALUES ?type {{ {values} }}\n  ?entity a ?type ; ?predicate ?value .\n"
        "  FILTER(isLITERAL(?value) && !isNUMERIC(?value))\n}\n"
        f"GROUP BY ?predicate\nORDER BY DESC(?count) ?predicate\nLIMIT {int(limit)}"
    )


def texts_query(entities: Sequence[str], limit: int) -> CompiledQuery:
    """Labels and texts of some entities, those of their answers too."""
    values = " ".join(iri(one).n3() for one in entities)
    return CompiledQuery(
        f"SELECT DISTINCT ?entity {_SAID}\nWHERE {{\n"
        f"  VALUES ?entity {{ {values} }}\n{_said_of()}}}\nLIMIT {int(limit)}"
    )


def meaning_query(match: CompiledQuery, limit: int, inference: str = "") -> CompiledQuery:
    """Return one query for texts that fit, with their entity, its score and its properties.

    Args:
        match: the query for ?entity, ?value and ?sc.
        limit: most rows.
        inference: rule set for reasoning, or "".
    """
    inner = match.replace("\n", "\n    ")
    return CompiledQuery(
        f"{_pragma(inference)}SELECT DISTINCT ?entity ?value ?sc {_SAID}\n"
        f"WHERE {{\n  {{\n    {inner}\n  }}\n{_said_of()}}}\nLIMIT {int(limit)}"
    )


_SAID = "?label ?text ?question ?asked ?answer ?kind ?whole ?note"


def _said_of() -> str:
    """Return what is said of ?entity; an answer is under its question, a step under its how-to."""
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    texts = "|".join(iri(one).n3() for one in TEXT_PROPERTIES)
    values = "|".join(iri(one).n3() for one in VALUE_PROPERTIES)
    definition = iri(f"{_SKOS}definition").n3()
    texts = f"{texts}|({definition}/({values}))"
    notes = "|".join(iri(one).n3() for one in NOTE_PROPERTIES)
    answers = "|".join(f"({iri(a).n3()}/{iri(t).n3()})" for a, t in _ANSWERS)
    asked = "|".join(iri(one).n3() for one in (*(a for a, _ in _ANSWERS), *_of_schema("step")))
    kinds = ", ".join(iri(one).n3() for one in sorted(QUESTIONS | HOW_TOS))
    return (
        f"  OPTIONAL {{ ?entity {labels} ?label }}\n"
        f"  OPTIONAL {{ ?entity {texts} ?text }}\n"
        f"  OPTIONAL {{ ?entity ({notes})|(({notes})/({values})) ?note . FILTER(isLITERAL(?note))\n"
        f"    FILTER NOT EXISTS {{ ?entity {texts} ?any . FILTER(isLITERAL(?any)) }} }}\n"
        f"  OPTIONAL {{ ?entity {answers} ?answer }}\n"
        f"  OPTIONAL {{ ?entity a ?kind . FILTER(?kind IN ({kinds})) }}\n"
        f"  OPTIONAL {{ ?question {asked} ?entity . OPTIONAL {{ ?question {labels} ?asked }}\n"
        f"    OPTIONAL {{ ?question a ?whole . FILTER(?whole IN ({kinds})) }} }}\n"
    )


def steps_query(how_to: str, limit: int) -> CompiledQuery:
    """Everything that stands in a how-to: its steps, sections and lists, and what each says."""
    paths = "|".join(iri(one).n3() for one in _STEP_PATHS)
    read = ", ".join(iri(one).n3() for one in (*_STEP_PATHS, *_OF_STEPS))
    start = iri(how_to).n3()
    return CompiledQuery(
        f"SELECT DISTINCT ?node ?property ?value\nWHERE {{\n  {start} ({paths})* ?node .\n"
        f"  ?node ?property ?value .\n  FILTER(?property IN ({read}))\n}}\nLIMIT {int(limit)}"
    )


def description_query(entity: str, limit: int) -> CompiledQuery:
    """Every statement about an entity, those first in which it is the subject."""
    name = iri(entity).n3()
    return CompiledQuery(
        "SELECT ?predicate ?value ?inverse\nWHERE {\n"
        f"  {{ {name} ?predicate ?value . BIND(false AS ?inverse) }}\n  UNION\n"
        f"  {{ ?value ?predicate {name} . BIND(true AS ?inverse) }}\n}}\n"
        f"ORDER BY ?inverse ?predicate\nLIMIT {int(limit)}"
    )


def type_labels_query(types: Sequence[str], limit: int) -> CompiledQuery:
    """Labels of types, where the graph has them."""
    values = " ".join(iri(one).n3() for one in types)
    labels = "|".join(iri(one).n3() for one in LABEL_PATHS)
    return CompiledQuery(
        f"SELECT ?type ?label\nWHERE {{\n  VALUES ?type {{ {values} }}\n"
        f"  ?type {labels} ?label\n}}\nLIMIT {int(limit)}"
    )


def names_query(iris: Sequence[str], limit: int) -> CompiledQuery:
    """Everything that the graph calls some things, their other names too."""
    values = " ".join(iri(one).n3() for one in iris)
    labels = "|".join(iri(one).n3() for one in (*LABEL_PATHS, *OTHER_NAMES))
    return CompiledQuery(
        f"SELECT DISTINCT ?iri ?label\nWHERE {{\n  VALUES ?iri {{ {values} }}\n"
        f"  ?iri {labels} ?label\n}}\nLIMIT {int(limit)}"
    )


def same_names_query(texts: Sequence[Term], limit: int) -> CompiledQuery:
    """Everything that the graph calls the things that have one of some texts as a label."""
    values = " ".join(one.n3() for one in texts)
    written = "|".join(iri(one).n3() for one in LABEL_PATHS)
    labels = "|".join(iri(one).n3() for one in (*LABEL_PATHS, *OTHER_NAMES))
    return CompiledQuery(
        f"SELECT DISTINCT ?text ?iri ?label\nWHERE {{\n  VALUES ?text {{ {values} }}\n"
        f"  ?iri {written} ?text ; {labels} ?label\n}}\nLIMIT {int(limit)}"
    )


def _pragma(inference: str) -> str:
    return f'DEFINE input:inference "{inference}"\n' if inference else ""


KEPT_SECONDS = 600.0
_MOST_TYPES = 20
_MOST_PREDICATES = 20
_MOST_KEPT = 200
_Key = tuple[str | tuple[str, ...], ...]


class Types(NamedTuple):
    """Which types are explored.

    Attributes:
        types: IRIs; empty for the usual ones.
        names: what a type may be called too, where the endpoint has ontologies.
    """

    types: tuple[str, ...] = ()
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TypeCount:
    """A type with the number of its entities; or a predicate with the number of its values."""

    iri: str
    count: int


@dataclass(frozen=True, slots=True)
class Exploration:
    """The types and predicates of a graph that matter.

    Attributes:
        counts: types with their numbers, the most first.
    """

    counts: tuple[TypeCount, ...] = ()

    @property
    def types(self) -> tuple[str, ...]:
        """IRIs of the types that have entities."""
        return tuple(one.iri for one in self.counts if one.count)

    @property
    def said(self) -> str:
        """The types in a few words; "" for none."""
        return ", ".join(f"{local_name(one.iri)} {one.count:,}" for one in self.counts[:6])


class Explorer:
    """Explores, and remembers for a while what it found at an endpoint."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Remember nothing yet; `clock` counts seconds."""
        self._clock = clock
        self._kept: dict[_Key, tuple[float, tuple[TypeCount, ...]]] = {}

    def known_types(self, source: Source, wanted: Types) -> Exploration | None:
        """Return what `types` found a while ago, or None."""
        kept = self._known(_key("types", source, *wanted))
        return None if kept is None else Exploration(kept)

    def known_predicates(self, source: Source, types: Sequence[str]) -> tuple[str, ...] | None:
        """Return what `predicates` found a while ago, or None."""
        kept = self._known(_key("predicates", source, types))
        return None if kept is None else tuple(one.iri for one in kept)

    async def types(
        self, source: Source, wanted: Types, timeout: float
    ) -> tuple[Exploration, Outcome]:
        """Count the entities of some types, or of the usual ones."""
        query = types_query(
            wanted.types or USUAL_TYPES, _MOST_TYPES, source.endpoint.ontologies, wanted.names
        )
        outcome = await source.select(query, _MOST_TYPES, timeout)
        found = tuple(counted(outcome))
        self._keep(_key("types", source, *wanted), found, outcome)
        return Exploration(found), outcome

    async def predicates(
        self, source: Source, types: Sequence[str], timeout: float
    ) -> tuple[tuple[str, ...], Outcome]:
        """The predicates by which entities of some types say texts, the most used first."""
        query = predicates_query(types, _MOST_PREDICATES)
        outcome = await source.select(query, _MOST_PREDICATES, timeout)
        found = tuple(counted(outcome, "predicate"))
        self._keep(_key("predicates", source, types), found, outcome)
        return tuple(one.iri for one in found), outcome

    def _known(self, key: _Key) -> tuple[TypeCount, ...] | None:
        kept = self._kept.get(key)
        if kept is None or self._clock() - kept[0] > KEPT_SECONDS:
            return None
        return kept[1]

    def _keep(self, key: _Key, found: tuple[TypeCount, ...], outcome: Outcome) -> None:
        # An outcome that was cut short does not say what the graph holds, so it is not kept.
        if outcome.status in ("complete", "empty"):
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            self._kept[key] = (self._clock(), found)


def searched(asked: Asked, explored: Exploration) -> tuple[str, ...]:
    """Types that an answer may have: those asked for, or the usual ones with what is in them."""
    if asked.entity_types:
        return explored.types or asked.entity_types
    return with_members(explored.types)


def _key(kind: str, source: Source, *parts: Sequence[str]) -> _Key:
    return (kind, source.endpoint.name, source.endpoint.url, *(tuple(part) for part in parts))


explore = Explorer()


def counted(outcome: Outcome, column: str = "type") -> list[TypeCount]:
    """IRIs and numbers of a query that counts."""
    found: list[TypeCount] = []
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        type_, count = cells.get(column), text_of(cells.get("count"))
        if isinstance(type_, Term) and type_.kind == "iri" and count.isdigit():
            found.append(TypeCount(type_.value, int(count)))
    return found


def local_name(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri
