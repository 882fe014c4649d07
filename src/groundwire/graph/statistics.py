"""Statistics of a store: predicates with their values, classes with their instances.

Counted once, when a store is built, and kept beside it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.errors import UnavailableError
from groundwire.graph.layout import STATISTICS
from groundwire.graph.terms import RDF_LANG_STRING, Term

if TYPE_CHECKING:
    import pyoxigraph as ox

RDF_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
# Distinct objects remembered for one predicate, and the longest that is worth remembering.
VALUE_CAP = 5_000
VALUE_LENGTH = 1_000
# Predicates and classes told apart; data that has more uses them as values.
NAME_CAP = 10_000
# Counting ends after this many seconds; what is then missing is said.
TIME_CAP = 120.0


class PredicateStatistics(NamedTuple):
    """One predicate of a graph.

    Attributes:
        triples: how many triples have it.
        values: its distinct objects and how often each occurs, most frequent first, at most
            5,000. Blank nodes and objects longer than 1,000 characters are not among them.
        values_complete: False where objects were left out, other than blank nodes.
        datatypes: number of literal objects by datatype IRI.
        languages: number of literal objects by language tag.
        iris: number of objects that are IRIs.
        bnodes: number of objects that are blank nodes.
        subjects: number of distinct subjects; 0 where they were not counted.
    """

    triples: int
    values: tuple[tuple[Term, int], ...]
    values_complete: bool
    datatypes: Mapping[str, int]
    languages: Mapping[str, int]
    iris: int
    bnodes: int
    subjects: int


class Statistics(NamedTuple):
    """One graph of a store.

    Attributes:
        triples: how many triples it has.
        predicates: by IRI, most frequent first.
        classes: number of instances by class IRI, as `rdf:type` says, most frequent first.
        named_instances: the same without blank nodes: things that have an IRI.
        complete: False where counting was ended by its limits: predicates are then missing or
            have their number of triples only.
    """

    triples: int
    predicates: Mapping[str, PredicateStatistics]
    classes: Mapping[str, int]
    named_instances: Mapping[str, int]
    complete: bool


EMPTY = Statistics(0, {}, {}, {}, True)

# Grouping needs no more than the engine's own encoding of an object; a filter would decode each.
_OBJECTS = "SELECT ?o (COUNT(*) AS ?n) {{ ?s {} ?o }} GROUP BY ?o HAVING(COUNT(*) > {})"
_NAMED_OBJECTS = """SELECT ?o (COUNT(*) AS ?n) {{ ?s {} ?o FILTER(!isBLANK(?o)) }}
GROUP BY ?o HAVING(COUNT(*) > {})"""
_NAMED = f"""SELECT ?o (COUNT(*) AS ?n) {{ ?s <{RDF_TYPE}> ?o FILTER(isIRI(?s) && isIRI(?o)) }}
GROUP BY ?o ORDER BY DESC(?n) LIMIT {NAME_CAP}"""
_SUBJECTS = "SELECT (COUNT(DISTINCT ?s) AS ?n) {{ ?s {} ?o }}"
# The kind of an object: "iri", "bnode", or a literal's datatype and language.
_KINDS = """SELECT ?kind ?language (COUNT(*) AS ?n) {{ ?s {} ?o
  BIND(IF(isIRI(?o), "iri", IF(isBLANK(?o), "bnode", STR(DATATYPE(?o)))) AS ?kind)
  BIND(IF(isLITERAL(?o), LANG(?o), "") AS ?language)
}} GROUP BY ?kind ?language"""


def collect(
    store: ox.Store, graph: ox.NamedNode | ox.DefaultGraph, *, seconds: float = TIME_CAP
) -> Statistics:
    """Count the triples of one graph, each of them once.

    The engine groups its own encoded terms, several times as fast as they can be read. Memory
    grows with the distinct subjects or objects of one predicate, and is given back after each.
    """
    end = time.monotonic() + seconds
    counts = sorted(
        (
            (row["p"], _number(row["n"]))
            for row in _rows(store, "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p", graph)
        ),
        key=lambda entry: (-entry[1], entry[0].value),
    )
    complete = len(counts) <= NAME_CAP
    predicates: dict[str, PredicateStatistics] = {}
    for predicate, triples in counts[:NAME_CAP]:
        if time.monotonic() < end:
            found = _predicate_of(store, graph, predicate, triples)
        else:
            complete = False
            found = PredicateStatistics(triples, (), False, {}, {}, 0, 0, 0)
        predicates[predicate.value] = found
    types = predicates[RDF_TYPE].values if RDF_TYPE in predicates else ()
    classes = {value.value: count for value, count in types if value.kind == "iri"}
    named = {row["o"].value: _number(row["n"]) for row in _rows(store, _NAMED, graph)}
    return Statistics(sum(count for _, count in counts), predicates, classes, named, complete)


def _predicate_of(
    store: ox.Store,
    graph: ox.NamedNode | ox.DefaultGraph,
    predicate: ox.NamedNode,
    triples: int,
) -> PredicateStatistics:
    counts, complete = _values(store, graph, predicate, triples)
    datatypes: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    if complete:
        for term, count in counts.items():
            datatypes[term.datatype if term.kind == "literal" else "iri"] += count
            if term.language:
                languages[term.language] += count
        datatypes["bnode"] = triples - sum(counts.values())
    else:
        for row in _rows(store, _KINDS.format(predicate), graph):
            count, kind, language = _number(row["n"]), row["kind"], row["language"]
            # Triple terms have no datatype.
            datatypes[kind.value if kind is not None else ""] += count
            if language is not None and language.value:
                languages[language.value] += count
    iris, bnodes = datatypes.pop("iri", 0), datatypes.pop("bnode", 0)
    datatypes.pop("", None)
    return PredicateStatistics(
        triples,
        tuple(sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))),
        complete,
        dict(datatypes.most_common()),
        dict(languages.most_common()),
        iris,
        bnodes,
        next(_number(row["n"]) for row in _rows(store, _SUBJECTS.format(predicate), graph)),
    )


def _values(
    store: ox.Store,
    graph: ox.NamedNode | ox.DefaultGraph,
    predicate: ox.NamedNode,
    triples: int,
) -> tuple[dict[Term, int], bool]:
    """The objects of a predicate with their counts, and whether these are all.

    Where there are more than the cap, every one that is more frequent than the average of as
    many is among them; ordering all of them by number would take ten times as long.
    """
    import pyoxigraph as ox

    query = _OBJECTS
    rows = list(islice(_rows(store, query.format(predicate, 0), graph), VALUE_CAP + 1))
    if len(rows) > VALUE_CAP and any(isinstance(row["o"], ox.BlankNode) for row in rows):
        query = _NAMED_OBJECTS
        rows = list(islice(_rows(store, query.format(predicate, 0), graph), VALUE_CAP + 1))
    complete = len(rows) <= VALUE_CAP
    if not complete:
        frequent = query.format(predicate, triples // VALUE_CAP)
        rows = [*islice(_rows(store, frequent, graph), VALUE_CAP), *rows]
    values: dict[Term, int] = {}
    for row in rows:
        value = row["o"]
        if isinstance(value, ox.BlankNode):
            continue
        term = _term(value)
        if term is None or len(term.value) > VALUE_LENGTH:
            complete = False
        elif len(values) < VALUE_CAP:
            values[term] = _number(row["n"])
    return values, complete


def _rows(store: ox.Store, query: str, graph: ox.NamedNode | ox.DefaultGraph) -> Iterable[Any]:
    found: Any = store.query(query, default_graph=graph, named_graphs=[])
    return found


def _number(term: ox.Literal) -> int:
    return int(term.value)


def _term(value: object) -> Term | None:
    """The plain form of an IRI or a literal; None of anything else."""
    import pyoxigraph as ox

    if isinstance(value, ox.NamedNode):
        return Term("iri", value.value)
    if isinstance(value, ox.Literal):
        return Term("literal", value.value, value.datatype.value, value.language or "")
    return None


def write_statistics(folder: Path, graphs: Mapping[str, Statistics]) -> None:
    """Write the statistics of each graph into the store folder."""
    document = {
        name: {
            "triples": found.triples,
            "complete": found.complete,
            "classes": found.classes,
            "named_instances": found.named_instances,
            "predicates": {
                iri: [*entry[:1], [[*_packed(term), n] for term, n in entry.values], *entry[2:]]
                for iri, entry in found.predicates.items()
            },
        }
        for name, found in graphs.items()
    }
    (folder / STATISTICS).write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def read_statistics(folder: Path) -> dict[str, Statistics]:
    """The statistics of each graph of the store in `folder`, by graph name.

    Raises:
        UnavailableError: the file is missing or damaged.
    """
    try:
        document = json.loads((folder / STATISTICS).read_text("utf-8"))
        return {
            name: Statistics(
                found["triples"],
                {iri: _predicate(*entry) for iri, entry in found["predicates"].items()},
                found["classes"],
                found["named_instances"],
                found["complete"],
            )
            for name, found in document.items()
        }
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnavailableError(f"{folder / STATISTICS} cannot be read: delete {folder}.") from error


def _packed(term: Term) -> list[str]:
    """A term as a short list: an IRI has one entry, a literal two or three."""
    if term.kind == "iri":
        return [term.value]
    return [term.value, term.datatype, *([term.language] if term.language else [])]


def _predicate(triples: int, values: list[list[Any]], *rest: Any) -> PredicateStatistics:
    return PredicateStatistics(triples, tuple(map(_value, values)), *rest)


def _value(entry: list[Any]) -> tuple[Term, int]:
    if len(entry) == 2:
        return Term("iri", entry[0]), entry[1]
    language = entry[2] if entry[1] == RDF_LANG_STRING else ""
    return Term("literal", entry[0], entry[1], language), entry[-1]
