"""One asset: every value of it, its unnamed parts included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping, Sequence

from groundwire.errors import InputError, NotFoundError
from groundwire.evidence.answers import by_language, in_words, names_of
from groundwire.evidence.records import Condition, Draft, Names, Statement, Value
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.catalogue import Catalogue, State, limited
from groundwire.ontology.compile import values_query
from groundwire.ontology.concepts import declared_labels, declared_names
from groundwire.ontology.index.model import Domain, Path, Property, Step, Text, local_name
from groundwire.ontology.index.namespaces import UNITS
from groundwire.ontology.index.units import unit_called
from groundwire.ontology.lexicon import KeyReader
from groundwire.ontology.pages import LABELS, NAMES, RDF_TYPE, best_label, recorded_value
from groundwire.ontology.results import Asset, ValueOfAsset
from groundwire.ontology.statements import (
    domain_names,
    iri_names,
    labels_of,
    property_names,
    property_of,
    source_stated,
    words,
)
from groundwire.safe_text import safe_name

PAGE = 100
_TIMEOUT = 10.0
_MAX_DEPTH = 8
_MAX_VALUES = 1_000
_MAX_PATHS = 200
# A longer text is no name, and stands among the values.
_LONGEST_TEXT = 160


@limited
async def get_asset(catalogue: Catalogue, iri: str, offset: int = 0) -> tuple[Asset, Draft]:
    """Every value of an asset, its unnamed parts included, each with the path to it.

    Raises:
        NotFoundError: no statement is about this IRI.
    """
    state = await catalogue.state()
    name = _expanded(state, iri.strip())
    query = _description_query(name)
    missing = NotFoundError(
        f"No asset has the IRI {iri[:200]!r}: take one from the results of submit_slots."
    )
    try:
        rows = await state.graph.select(query, timeout=_TIMEOUT, max_rows=_MAX_VALUES + 1)
    except InputError:
        # The only part of the query that can be wrong is the IRI: it is none.
        raise missing from None
    found: list[tuple[tuple[str, ...], Term]] = []
    types: list[str] = []
    labels: list[Term] = []
    names: list[Term] = []
    for *steps, value in rows.rows:
        path = [step.value for step in steps if step is not None]
        if value is None or not path:
            continue
        if path == [RDF_TYPE]:
            types.append(value.value)
        if len(path) == 1 and path[0] in LABELS:
            labels.append(value)
        elif len(path) == 1 and local_name(path[0]) in NAMES and value.kind == "literal":
            names.append(value)
        if path[-1] != RDF_TYPE or len(path) == 1:
            found.append((tuple(path), value))
    if not found:
        raise missing
    domains = [d for d in state.index.domains.values() if d.class_iri in types]
    found += await _through_named_parts(state, domains, name, {path for path, _ in found})
    keys = Keys(state, domains)
    listed = [(keys.of(path), value) for path, value in found]
    listed.sort(key=lambda entry: (entry[0].count("/"), entry[0], *entry[1][1:]))
    labels = labels or names
    label = best_label(labels)
    shown = listed[offset : offset + PAGE]
    unit = {p.local_name: p.unit for d in domains for p in d.properties.values() if p.unit}
    unit |= _units_beside(found)
    of = {p.local_name: d for d in domains for p in d.properties.values()}
    recorded = tuple(
        recorded_value(state, of.get(key), key, term, unit.get(key), name, label)
        for key, term in ((path.rsplit("/", 1)[-1], term) for path, term in shown)
    )
    result = Asset(
        answer=f"{f'“{safe_name(label)}”' if label else name} is "
        f"an asset{f' of the kind {domains[0].name}' if domains else ''} with {len(found):,} values"
        f"{'' if rows.complete else ' or more'}.",
        iri=name,
        label=label,
        domain=domains[0].name if domains else None,
        values=[
            ValueOfAsset(
                property=path,
                value=term.value,
                unit=unit.get(path.rsplit("/", 1)[-1]) if term.kind == "literal" else None,
                datatype=state.lexicon.compact(term.datatype) if term.datatype else None,
                language=term.language or None,
            )
            for path, term in shown
        ],
        offset=offset,
        next_offset=offset + PAGE if offset + PAGE < len(found) else None,
    )
    values = list(recorded)
    whole = Counter(path for path, _ in listed) if rows.complete else Counter[str]()
    called = by_language((term.value, term.language) for term in labels)
    subject = names_of(label, *called, name)
    stated = await _stated(state, domains, subject, shown, whole)
    if rows.complete:
        count = str(len(found))
        values.append(Value("values", count, unit="values", entity=label, entity_iri=name))
        about = Condition(words()["about"], "is", (subject,))
        at = len(values) - 1
        stated.append(
            Statement("scope", words()["values"], (), (), (about,), at, complete="all_counted")
        )
    return result, Draft(
        values=tuple(values),
        audit={"query_text": str(query), "status_code": "ok"},
        statements=(*stated, *source_stated(state)),
    )


def _units_beside(found: Sequence[tuple[tuple[str, ...], Term]]) -> dict[str, str | None]:
    """Return the unit of each number that names one beside it, by the number's local name."""
    units: dict[tuple[str, ...], set[str | None]] = {}
    for path, term in found:
        if path[-1] in UNITS and len(path) > 1:
            units.setdefault(path[:-1], set()).add(unit_called(term.value))
    sides = {
        (local_name(path[-1]), symbol)
        for path, _ in found
        for symbol in units.get(path[:-1], ())
        if path[-1] not in UNITS
    }
    counts = Counter(name for name, _ in sides)
    return {name: symbol for name, symbol in sides if counts[name] == 1}


class Keys:
    """Names of the paths of an asset, each of which can be sent back as a key."""

    def __init__(self, state: State, domains: Sequence[Domain]) -> None:
        """Name paths of assets of some domains."""
        self._state = state
        self._reader = KeyReader(state.lexicon)
        self._domains = domains[:1]
        self._known: dict[tuple[str, ...], str] = {}

    def of(self, path: tuple[str, ...]) -> str:
        """The local names of the steps; the last as a CURIE where they would mean another."""
        found = self._known.get(path)
        if found is None:
            *before, last = path
            ahead = [local_name(step) for step in before]
            compact = self._state.lexicon.compact(last)
            named = ["/".join((*ahead, name)) for name in (local_name(last), compact)]
            named.append(compact)
            meant = (name for name in named if self._means(name, path))
            found = self._known[path] = next(meant, named[0])
        return found

    def _means(self, name: str, path: tuple[str, ...]) -> bool:
        matches = self._reader.matches(name, self._domains)
        steps = Path(tuple(Step(iri) for iri in path))
        return len(matches) == 1 and steps in matches[0].paths


async def _through_named_parts(
    state: State, domains: Sequence[Domain], iri: str, known: Container[tuple[str, ...]]
) -> list[tuple[tuple[str, ...], Term]]:
    """The values of parts that have an IRI of their own, on the paths of the asset's kinds."""
    paths = {
        path: tuple(step.iri for step in path.steps)
        for domain in domains
        for prop in domain.properties.values()
        for path in prop.paths
        if len(path.steps) > 1 and state.observed.is_stored(domain, (path,))
    }
    plain = [path for path in paths if not any(step.inverse or step.repeat for step in path.steps)]
    asked = [path for path in plain if paths[path] not in known][:_MAX_PATHS]
    if not asked:
        return []
    blocks = [(str(number), (path,)) for number, path in enumerate(asked)]
    rows = await state.graph.select(values_query([iri], blocks, ()), timeout=_TIMEOUT)
    return [
        (paths[asked[int(key.value)]], value)
        for _, key, value in rows.rows
        if key is not None and value is not None and value.kind != "bnode"
    ]


async def _stated(
    state: State,
    domains: Sequence[Domain],
    subject: Names,
    shown: Sequence[tuple[str, Term]],
    whole: Mapping[str, int],
) -> list[Statement]:
    """Return what is stated of an asset, property by property, with the names of both.

    Args:
        state: the catalogue.
        domains: the kinds that the asset is of.
        subject: what it is called.
        shown: the values of the page with their paths.
        whole: how many values each path has; empty where not all were read.
    """
    labels = await labels_of(state, [term.value for _, term in shown if term.kind == "iri"])
    groups: dict[str, list[Term]] = {}
    for path, term in shown:
        groups.setdefault(path, []).append(term)
    found: list[Statement] = []
    for path, terms in groups.items():
        name = path.rpartition("/")[2]
        prop: Property | None = None
        predicate = names_of(name, in_words(name))
        for domain in domains:
            prop = property_of(state, domain, name)
            if prop is not None:
                predicate = property_names(state, domain, name)
                break
        if path == local_name(RDF_TYPE):
            predicate = names_of(*predicate, *words()["kind"])
        objects = [_object_names(state, domains, prop, term, labels) for term in terms]
        is_whole = len(terms) == whole.get(path) and all(objects)
        named = tuple(dict.fromkeys(one for one in objects if one))
        if named:
            predicate = names_of(*predicate, path if path != name else None)
            complete = "all_listed" if is_whole else ""
            found.append(Statement("relation", subject, predicate, named, complete=complete))
    return found


def _object_names(
    state: State,
    domains: Sequence[Domain],
    prop: Property | None,
    term: Term,
    labels: Mapping[str, tuple[Text, ...]],
) -> Names:
    """Return what a value is called; nothing for a long text."""
    if term.kind == "iri":
        kind = next((one for one in domains if one.class_iri == term.value), None)
        if kind is not None:
            return names_of(*domain_names(state, kind), term.value)
        texts = labels.get(term.value) or declared_labels(prop, term)
        return iri_names(state, term.value, {term.value: tuple(texts)})
    if len(term.value) > _LONGEST_TEXT:
        return ()
    return declared_names(prop, term)


def _description_query(iri: str) -> CompiledQuery:
    """The asset's statements and, through blank nodes, those of its parts."""
    parts: list[str] = []
    for depth in range(1, _MAX_DEPTH + 1):
        nodes = [iri_n3(iri), *(f"?b{level}" for level in range(1, depth))]
        steps = " ".join(
            f"{node} ?p{level} {nodes[level] if level < depth else '?value'} ."
            for level, node in enumerate(nodes, 1)
        )
        blank = " ".join(f"FILTER(isBlank({node}))" for node in nodes[1:])
        parts.append(f"{{ {steps} {blank} FILTER(!isBlank(?value)) }}")
    columns = " ".join(f"?p{level}" for level in range(1, _MAX_DEPTH + 1))
    return CompiledQuery(f"SELECT {columns} ?value WHERE {{ {' UNION '.join(parts)} }}")


def _expanded(state: State, name: str) -> str:
    """The IRI of a CURIE whose prefix is declared; anything else as it is."""
    prefix, colon, rest = name.strip("<>").partition(":")
    namespace = state.index.prefixes.get(prefix)
    if colon and namespace and not rest.startswith("//"):
        return namespace + rest
    return name.strip("<>")
