"""What there is to search: domains, properties, values, connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.errors import InputError
from groundwire.graph.terms import Term
from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.connections import Ways
from groundwire.ontology.counts import counts_in_domain, values_in_domain
from groundwire.ontology.index.model import Domain, Property, Text, local_name
from groundwire.ontology.keys import KeyReader
from groundwire.ontology.lexicon import Concept
from groundwire.ontology.results import (
    ConnectionItem,
    Connections,
    DomainItem,
    Domains,
    Properties,
    PropertyItem,
    ValueItem,
    Values,
)
from groundwire.vocabulary import fold

PAGE = 50
_MAX_TEXT = 300
_MAX_PROBLEMS = 10


async def discover_domains(catalogue: Catalogue, search: str = "", offset: int = 0) -> Domains:
    """Kinds of asset: those that have assets first, most of them first."""
    state = await catalogue.state()
    domains = sorted(
        state.index.domains.values(),
        key=lambda domain: (
            -state.count(domain) if domain in state.assets else 1,
            domain.part,
            domain.name,
        ),
    )
    if search:
        domains = [domain for domain in domains if _mentions(search, _domain_texts(domain))]
    elif state.instances:
        domains = [domain for domain in domains if not domain.part or domain in state.assets]
    items = [
        DomainItem(
            domain=domain.name,
            class_iri=domain.class_iri,
            label=_text(domain.labels),
            description=_text(domain.descriptions),
            asset_count=state.count(domain) if state.instances else None,
        )
        for domain in domains[offset : offset + PAGE]
    ]
    held = [f"{domain.name} ({state.count(domain):,})" for domain in state.assets[:8]]
    what = f"{len(domains)} kinds of asset match" if search else "The kinds that have assets are"
    listed = ", ".join(item.domain for item in items[:8]) if search else ", ".join(held)
    unread = f" Left out: {state.problems[0]}." if state.problems else ""
    return Domains(
        answer=f"{what}: {listed or 'none'}.{unread}",
        domains=items,
        problems=list(state.problems[:_MAX_PROBLEMS]) or None,
        offset=offset,
        next_offset=_next(offset, len(domains)),
    )


async def discover_properties(
    catalogue: Catalogue, domain: str, search: str = "", offset: int = 0
) -> Properties:
    """What assets of a domain can be filtered by; properties that are stored come first.

    Raises:
        InputError: there is no such domain; the message names the nearest.
    """
    state = await catalogue.state()
    found = find_domain(state, domain)
    rows: list[tuple[int | None, Property]] = []
    for prop in found.properties.values():
        if prop.kind == "node" or (search and not _mentions(search, _property_texts(prop))):
            continue
        observed = await state.observed.values(prop.iri) if state.statistics else None
        rows.append((observed.statements if observed else None, prop))
    rows.sort(key=lambda row: (row[0] == 0, not row[1].enum, row[1].local_name, row[1].iri))
    names: dict[str, list[str]] = {}
    for prop in found.properties.values():
        if prop.kind != "node":
            names.setdefault(fold(prop.local_name), []).append(prop.curie)
    items = [
        PropertyItem(
            local_name=prop.local_name,
            iri=prop.iri,
            paths=[path.local() for path in prop.paths[:4]],
            datatype=_datatype(prop),
            has_enum=bool(prop.enum),
            unit=prop.unit,
            label=_text(prop.labels),
            description=_text(prop.descriptions),
            observed_count=await values_in_domain(state, found, prop) if number != 0 else 0,
            ambiguous_with=[other for other in names[fold(prop.local_name)] if other != prop.curie]
            or None,
        )
        for number, prop in rows[offset : offset + PAGE]
    ]
    listed = ", ".join(item.local_name for item in items[:12])
    return Properties(
        answer=f"{found.name} can be searched by {len(rows)} properties: "
        f"{listed or 'none'}{', ...' if len(rows) > 12 else ''}.",
        domain=found.name,
        properties=items,
        offset=offset,
        next_offset=_next(offset, len(rows)),
    )


async def discover_values(
    catalogue: Catalogue, prop: str, domain: str = "", search: str = "", offset: int = 0
) -> Values:
    """The values of a property, declared and observed.

    Raises:
        InputError: the property or the domain is unknown or ambiguous; the message says what to
            send instead.
    """
    state = await catalogue.state()
    domains = [find_domain(state, domain)] if domain else list(state.assets)
    where, found = find_property(state, prop, domains)
    values = await state.lexicon.values(where, found)
    counted = await counts_in_domain(state, where, found) if domain else None
    concepts = [_within(concept, counted) for concept in values.concepts.values()]
    concepts.sort(key=lambda item: (-item.statements, not item.declared))
    if search:
        wanted = {candidate.term.id for candidate in values.vocabulary.suggest(search, PAGE)}
        concepts = [
            concept
            for concept in concepts
            if concept.key in wanted or _mentions(search, _concept_texts(concept))
        ]
    items = [
        ValueItem(
            value=concept.label,
            label=_text(concept.names),
            declared=concept.declared is not None,
            observed=bool(concept.stored),
            count=concept.statements if concept.statements else None,
            conditional=concept.conditional or None,
        )
        for concept in concepts[offset : offset + PAGE]
    ]
    key = state.lexicon.key_of(where, found)
    listed = ", ".join(item.value for item in items[:10])
    return Values(
        answer=f"{key} has {len(concepts):,} values{' that match' if search else ''}: "
        f"{listed or 'none'}{', ...' if len(concepts) > 10 else ''}.",
        property=key,
        domain=where.name if domain else None,
        values=items,
        is_complete=values.closed,
        offset=offset,
        next_offset=_next(offset, len(concepts)),
    )


async def discover_connections(
    catalogue: Catalogue, domain: str = "", offset: int = 0
) -> Connections:
    """Declared paths between assets.

    Raises:
        InputError: there is no such domain; the message names the nearest.
    """
    state = await catalogue.state()
    sources = [find_domain(state, domain)] if domain else list(state.assets)
    ways = Ways(state.index, state.observed)
    items = [
        ConnectionItem(from_=source.name, to=way.target.name, path=path)
        for source in sources
        for way in await ways.of(source, state.assets)
        for path in (
            *(path.local() for path in way.paths),
            *(f"^({path.local()})" for path in way.inverse_paths),
        )
    ]
    pairs = list(dict.fromkeys(f"{item.from_} to {item.to}" for item in items))
    return Connections(
        answer=f"{len(pairs)} pairs of domains are connected: {', '.join(pairs[:8]) or 'none'}.",
        connections=items[offset : offset + PAGE],
        offset=offset,
        next_offset=_next(offset, len(items)),
    )


def find_domain(state: State, name: str) -> Domain:
    """The domain that `name` names.

    Raises:
        InputError: there is none, or several; the message names the nearest.
    """
    resolution = state.lexicon.domain(name, state.assets)
    if resolution.term is None:
        near = [candidate.term.id for candidate in resolution.candidates]
        known = near or [domain.name for domain in state.assets]
        raise InputError(f"There is no domain {name[:80]!r}: send one of {', '.join(known[:6])}.")
    return state.index.domains[resolution.term.id]


def find_property(state: State, name: str, domains: Sequence[Domain]) -> tuple[Domain, Property]:
    """The property that `name` names in `domains`, with the first domain that has it.

    Raises:
        InputError: there is none, or several; the message names the nearest.
    """
    reader = KeyReader(state.lexicon)
    matches = reader.matches(name, domains)
    keys = list(dict.fromkeys(match.prop.curie for match in matches))
    if len({match.prop.key for match in matches}) == 1:
        return matches[0].domain, matches[0].prop
    if matches:
        raise InputError(f"{name[:80]!r} names several properties: send {' or '.join(keys[:6])}.")
    near = reader.suggestions(name, domains, 6)
    way_out = f"send one of {', '.join(near)}" if near else "see discover_properties"
    raise InputError(f"There is no property {name[:80]!r}: {way_out}.")


def _within(concept: Concept, counted: Mapping[Term, int] | None) -> Concept:
    """The value with its number in one domain, where that was counted."""
    if counted is None:
        return concept
    return concept._replace(
        statements=sum(counted.get(term, 0) for term in concept.stored),
        stored=tuple(term for term in concept.stored if term in counted),
    )


def _datatype(prop: Property) -> str | None:
    if prop.datatypes:
        return " or ".join(
            f"xsd:{local_name(datatype)}" if "XMLSchema#" in datatype else local_name(datatype)
            for datatype in prop.datatypes
        )
    return "IRI" if prop.kind == "iri" else None


def _text(texts: Sequence[Text]) -> str | None:
    """The English text, else the first."""
    if not texts:
        return None
    best = next((text for text in texts if text.language in ("en", "")), texts[0]).value
    return best if len(best) <= _MAX_TEXT else f"{best[: _MAX_TEXT - 1]}…"


def _domain_texts(domain: Domain) -> list[str]:
    return [domain.name, domain.curie, *(t.value for t in (*domain.labels, *domain.descriptions))]


def _property_texts(prop: Property) -> list[str]:
    return [prop.local_name, prop.curie, *(t.value for t in (*prop.labels, *prop.descriptions))]


def _concept_texts(concept: Concept) -> list[str]:
    return [concept.label, *(text.value for text in concept.names), *concept.variants]


def _mentions(search: str, texts: Sequence[str]) -> bool:
    """Whether every word of `search` stands in the texts, folded."""
    whole = " ".join(fold(text) for text in texts)
    return all(fold(word) in whole for word in search.split())


def _next(offset: int, number: int) -> int | None:
    return offset + PAGE if offset + PAGE < number else None
