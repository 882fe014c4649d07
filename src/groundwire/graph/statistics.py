"""What a store holds: predicates with their values, classes with their instances.

Counted once, when a store is built, and kept beside it.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from groundwire.errors import UnavailableError
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
_FILE = "statistics.json"


class PredicateStatistics(NamedTuple):
    """One predicate of a graph.

    Attributes:
        triples: how many triples have it.
        values: its distinct objects and how often each occurs, most frequent first. Blank nodes
            and objects longer than 1,000 characters are not among them.
        values_complete: False where objects were left out, other than blank nodes.
        datatypes: number of literal objects by datatype IRI.
        languages: number of literal objects by language tag.
        iris: number of objects that are IRIs.
        bnodes: number of objects that are blank nodes.
    """

    triples: int
    values: tuple[tuple[Term, int], ...]
    values_complete: bool
    datatypes: Mapping[str, int]
    languages: Mapping[str, int]
    iris: int
    bnodes: int


class Statistics(NamedTuple):
    """One graph of a store.

    Attributes:
        triples: how many triples it has.
        predicates: by IRI, most frequent first.
        classes: number of instances by class IRI, as `rdf:type` says, most frequent first.
        named_instances: the same without blank nodes: things that have an IRI.
        complete: False where counting was ended by its limits: every number is then a lower
            bound.
    """

    triples: int
    predicates: Mapping[str, PredicateStatistics]
    classes: Mapping[str, int]
    named_instances: Mapping[str, int]
    complete: bool


EMPTY = Statistics(0, {}, {}, {}, True)


class _Predicate:
    """Counts of one predicate while they grow."""

    def __init__(self) -> None:
        self.triples = 0
        self.values: dict[Any, int] = {}
        self.cut = False
        self.datatypes: Counter[str] = Counter()
        self.languages: Counter[str] = Counter()
        self.iris = 0
        self.bnodes = 0


def collect(quads: Iterable[ox.Quad], *, seconds: float = TIME_CAP) -> Statistics:
    """Count the triples of one graph in one pass, each of them once.

    Memory is bounded by the caps of this module, time by `seconds`.
    """
    import pyoxigraph as ox

    end = time.monotonic() + seconds
    growing: dict[ox.NamedNode, _Predicate] = {}
    named: Counter[str] = Counter()
    triples, complete = 0, True
    for quad in quads:
        if triples % 10_000 == 0 and time.monotonic() > end:
            complete = False
            break
        triples += 1
        predicate = growing.get(quad.predicate)
        if predicate is None:
            if len(growing) >= NAME_CAP:
                complete = False
                continue
            predicate = growing[quad.predicate] = _Predicate()
        predicate.triples += 1
        value = quad.object
        if (
            quad.predicate.value == RDF_TYPE
            and isinstance(quad.subject, ox.NamedNode)
            and isinstance(value, ox.NamedNode)
            and (value.value in named or len(named) < NAME_CAP)
        ):
            named[value.value] += 1
        seen = predicate.values.get(value)
        if seen is not None:
            predicate.values[value] = seen + 1
        elif isinstance(value, ox.BlankNode):
            predicate.bnodes += 1
        elif isinstance(value, ox.Triple) or len(value.value) > VALUE_LENGTH:
            predicate.cut = True
            _count_kind(predicate, value, 1)
        elif len(predicate.values) < VALUE_CAP:
            predicate.values[value] = 1
        else:
            predicate.cut = True
            _count_kind(predicate, value, 1)
    for predicate in growing.values():
        for value, count in predicate.values.items():
            _count_kind(predicate, value, count)
    predicates, classes = _settled(growing)
    return Statistics(triples, predicates, classes, dict(named.most_common()), complete)


def _count_kind(predicate: _Predicate, value: object, count: int) -> None:
    import pyoxigraph as ox

    if isinstance(value, ox.NamedNode):
        predicate.iris += count
    elif isinstance(value, ox.Literal):
        predicate.datatypes[value.datatype.value] += count
        if value.language:
            predicate.languages[value.language] += count


def _settled(
    growing: Mapping[ox.NamedNode, _Predicate],
) -> tuple[dict[str, PredicateStatistics], dict[str, int]]:
    predicates: dict[str, PredicateStatistics] = {}
    classes: dict[str, int] = {}
    for name, found in sorted(growing.items(), key=lambda item: -item[1].triples):
        values = tuple(
            (_term(value), count)
            for value, count in sorted(found.values.items(), key=lambda item: -item[1])
        )
        predicates[name.value] = PredicateStatistics(
            found.triples,
            values,
            not found.cut,
            dict(found.datatypes),
            dict(found.languages),
            found.iris,
            found.bnodes,
        )
        if name.value == RDF_TYPE:
            classes = {value.value: count for value, count in values if value.kind == "iri"}
    return predicates, classes


def _term(value: ox.NamedNode | ox.Literal) -> Term:
    if value.__class__.__name__ == "NamedNode":
        return Term("iri", value.value)
    return Term("literal", value.value, value.datatype.value, value.language or "")  # pyright: ignore


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
    (folder / _FILE).write_text(json.dumps(document, ensure_ascii=False), "utf-8")


def read_statistics(folder: Path) -> dict[str, Statistics]:
    """The statistics of each graph of the store in `folder`, by graph name.

    Raises:
        UnavailableError: the file is missing or damaged.
    """
    try:
        document = json.loads((folder / _FILE).read_text("utf-8"))
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
        raise UnavailableError(f"{folder / _FILE} cannot be read: delete {folder}.") from error


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
