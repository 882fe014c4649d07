"""What there is to search: domains, properties, values, connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.graph.terms import Count, Term
from groundwire.ontology.catalogue import NO_DOMAIN, Catalogue
from groundwire.ontology.concepts import Concept
from groundwire.ontology.connections import Ways
from groundwire.ontology.counts import counts_in_domain, values_in_domain
from groundwire.ontology.holdings import counted_later
from groundwire.ontology.index.model import Domain, Property, Text, local_name
from groundwire.ontology.naming import find_domain, find_property, told
from groundwire.ontology.results import (
    ConnectionItem,
    Connections,
    Correction,
    DomainItem,
    Domains,
    Properties,
    PropertyItem,
    ValueItem,
    Values,
)
from groundwire.ontology.time_limit import limited
from groundwire.ontology.wording import in_a_row, number_of
from groundwire.vocabulary import fold

PAGE = 50
_MAX_TEXT = 300
_MAX_PROBLEMS = 10
# Kinds that the sentence names.
_SAID = 8


@limited
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
    numbers = await counted_later(state, [*state.assets[:_SAID], *domains[offset : offset + PAGE]])
    items = [
        DomainItem(
            domain=domain.name,
            class_iri=domain.class_iri,
            label=_text(domain.labels),
            description=_text(domain.descriptions),
            asset_count=_shown(numbers[domain.name]) if state.instances else None,
            asset_count_is_exact=None if numbers[domain.name].exact else False,
        )
        for domain in domains[offset : offset + PAGE]
    ]
    if not state.index.domains:
        said = NO_DOMAIN
    elif search:
        said = _matching("kind of asset", "kinds of asset", search, [one.name for one in domains])
    else:
        held = [f"{one.name} ({_in_words(numbers.get(one.name))})" for one in state.assets]
        said = f"The kinds that have assets are: {in_a_row(held, _SAID) or 'none'}."
    unread = f" Left out: {state.problems[0]}." if state.problems else ""
    return Domains(
        answer=f"{said}{unread}",
        domains=items,
        problems=list(state.problems[:_MAX_PROBLEMS]) or None,
        offset=offset,
        next_offset=_next(offset, len(domains)),
    )


@limited
async def discover_properties(
    catalogue: Catalogue, domain: str, search: str = "", offset: int = 0
) -> Properties:
    """What assets of a domain can be filtered by; properties that are stored come first.

    Raises:
        InputError: there is no such domain; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    found = find_domain(state, domain, corrections)
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
    every = [prop.local_name for _, prop in rows]
    if search:
        said = _matching(f"property of {found.name}", f"properties of {found.name}", search, every)
    else:
        number = number_of(len(rows), "property", "properties")
        said = f"{found.name} can be searched by {number}: {in_a_row(every, 12) or 'none'}."
    return Properties(
        answer=told(corrections) + said,
        domain=found.name,
        properties=items,
        corrections=corrections or None,
        offset=offset,
        next_offset=_next(offset, len(rows)),
    )


@limited
async def discover_values(
    catalogue: Catalogue, prop: str, domain: str = "", search: str = "", offset: int = 0
) -> Values:
    """The values of a property, declared and observed.

    Raises:
        InputError: the property or the domain is unknown or ambiguous; the message says what to
            send instead.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    domains = [find_domain(state, domain, corrections)] if domain else list(state.assets)
    where, found = find_property(state, prop, domains, corrections)
    is_counted = found.key != found.iri or await state.observed.read_numbers(found.iri)
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
    every = [concept.label for concept in concepts]
    if search:
        said = _matching(f"value of {key}", f"values of {key}", search, every)
    else:
        number = number_of(len(concepts), "value", "values")
        some = "" if values.closed else "at least "
        said = f"{key} has {some}{number}: {in_a_row(every, 10) or 'none'}."
    if not is_counted or (domain and counted is None):
        said += " How often each is stored could not be counted in time."
    return Values(
        answer=told(corrections) + said,
        property=key,
        domain=where.name if domain else None,
        values=items,
        corrections=corrections or None,
        is_complete=values.closed,
        offset=offset,
        next_offset=_next(offset, len(concepts)),
    )


@limited
async def discover_connections(
    catalogue: Catalogue, domain: str = "", offset: int = 0
) -> Connections:
    """Declared paths between assets.

    Raises:
        InputError: there is no such domain; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    sources = [find_domain(state, domain, corrections)] if domain else list(state.assets)
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
    number = number_of(len(pairs), "pair of domains is", "pairs of domains are")
    said = f"{number} connected: {in_a_row(pairs, 8)}." if pairs else "No domain is connected."
    if domain and not pairs:
        said = f"{sources[0].name} is connected to no other domain."
    return Connections(
        answer=told(corrections) + said,
        connections=items[offset : offset + PAGE],
        corrections=corrections or None,
        offset=offset,
        next_offset=_next(offset, len(items)),
    )


def _shown(number: Count) -> int | None:
    """A number of assets, or None where nothing is known of it."""
    return number.value if number.exact or number.value else None


def _in_words(number: Count | None) -> str:
    """A number of assets, which may not be exact."""
    if number is None or not (number.value or number.exact):
        return "not counted"
    return f"{number.value:,}" if number.exact else f"about {number.value:,}"


def _matching(one: str, many: str, search: str, names: Sequence[str]) -> str:
    """What matches a search, in one sentence."""
    if not names:
        return f"No {one} matches {search[:80]!r}: call without search to see all."
    verb = "matches" if len(names) == 1 else "match"
    return f"{number_of(len(names), one, many)} {verb}: {in_a_row(names, 10)}."


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
