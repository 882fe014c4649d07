"""Discovery of what can be searched: domains, properties, values, connections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from groundwire.graph.terms import Count, Term
from groundwire.ontology.catalogue import NO_DOMAIN, Catalogue, State, limited
from groundwire.ontology.concepts import Concept, texts_of
from groundwire.ontology.conditions import MAX_TEXT
from groundwire.ontology.connections import Ways
from groundwire.ontology.holdings import counted_later, counts_in_domain, values_in_domain
from groundwire.ontology.index.model import Domain, Path, Property, Text, local_name
from groundwire.ontology.naming import Entry, Hits, find_domain, find_property, look_up, told
from groundwire.ontology.pages import MOST_ITEMS, Listing, in_a_row, number_of, page_of, shortened
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
from groundwire.safe_text import safe_name
from groundwire.vocabulary import fold

_MAX_PROBLEMS = 5
_MAX_PATHS = 4
# Texts below this length show what an item is, and no more than two of its paths.
_IN_SHORT = 100
# A page has room for a count of so many digits before it is counted.
_NOT_COUNTED = 10_000_000
_CUT_VALUE = 120
_NEAREST_VALUES = 20
_NOT_ALL_LISTED = (
    'Not every stored value is listed: one that is not can be sent too, or {"contains": text}.'
)
# Kinds that the sentence names.
_SAID = 8


@limited
async def discover_domains(catalogue: Catalogue, search: str = "", offset: int = 0) -> Domains:
    """Kinds of asset: those that have assets, most of them first, and a count of the others.

    The others are listed behind them, and found by a search.
    """
    state = await catalogue.state()
    every = state.index.domains.values()
    domains = [one for one in every if _has_assets(state, one)] if state.instances else []
    domains.sort(key=lambda domain: (-state.count(domain), domain.name))
    held = len(domains)
    others = [domain for domain in every if domain not in domains]
    domains += sorted(others, key=lambda domain: (domain.part, domain.name))
    note: list[str] = []
    said = ""
    if search:
        hits = look_up(search, [_domain_entry(domain) for domain in domains])
        domains = [domains[place] for place in hits.places]
        names = [one.name for one in domains]
        said = _matching("kind of asset", "kinds of asset", search, names, hits)
    numbers = await counted_later(
        state, [*domains[: min(held, _SAID)], *domains[offset : offset + MOST_ITEMS]]
    )
    if not state.index.domains:
        said = NO_DOMAIN
    elif not search:
        listed = [f"{one.name} ({_in_words(numbers.get(one.name))})" for one in domains[:held]]
        said = f"The kinds that have assets are: {in_a_row(listed, _SAID) or 'none'}."
        if not offset and held and others:
            # The first page ends with the last kind that has assets.
            number = number_of(len(others), "kind", "kinds")
            note = [f"{number} without assets: send cursor = next_cursor, or search"]
    unread = f" Left out: {safe_name(state.problems[0])}." if state.problems else ""

    def item(place: int, longest: int) -> DomainItem:
        domain = domains[place]
        number = numbers[domain.name]
        return DomainItem(
            domain=domain.name,
            class_iri=domain.class_iri,
            label=_text(domain.labels, longest, domain.name),
            description=_text(domain.descriptions, longest),
            asset_count=_shown(number) if state.instances else None,
            asset_count_is_exact=None if number.exact else False,
        )

    result = Domains(
        answer=f"{said}{unread}",
        domains=[],
        without_assets=(len(others) if state.instances and not search else None) or None,
        problems=None if search else _problems(state) or None,
        offset=offset,
        left_out="; ".join(note) or None,
    )
    end = held if note else len(domains)
    found = page_of(
        result, Listing([domain.name for domain in domains[:end]], item, "kinds of asset")
    )
    return (
        found if found.next_offset or not note else found.model_copy(update={"next_offset": held})
    )


@limited
async def discover_properties(
    catalogue: Catalogue, domain: str, search: str = "", offset: int = 0
) -> Properties:
    """List the properties that assets of a domain can be filtered by, stored ones first.

    Raises:
        InputError: the domain is unknown; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    found = find_domain(state, domain, corrections)
    rows: list[tuple[int | None, Property]] = []
    for prop in found.properties.values():
        if prop.kind != "node":
            observed = await state.observed.values(prop.iri) if state.statistics else None
            rows.append((observed.statements if observed else None, prop))
    rows.sort(key=lambda row: (row[0] == 0, not row[1].enum, row[1].local_name, row[1].iri))
    names: dict[str, list[str]] = {}
    for _, prop in rows:
        names.setdefault(fold(prop.local_name), []).append(prop.curie)
    by_value_said = ""
    hits = Hits([], {})
    if search:
        hits = look_up(search, [_property_entry(found, prop) for _, prop in rows])
        chosen = [rows[place] for place in hits.places]
        if not chosen or hits.missing:
            # What is no name of a property may be a value of one.
            holding = {prop.key for prop, _ in await state.lexicon.holders(found, search)}
            by_value = [row for row in rows if row[1].key in holding]
            if by_value:
                listed = in_a_row([row[1].local_name for row in by_value], 5)
                by_value_said = f"{safe_name(search)!r} is a value of {listed}."
                chosen = by_value
        rows = chosen

    def item(place: int, longest: int) -> PropertyItem:
        number, prop = rows[place]
        paths = list(dict.fromkeys(path.local() for path in prop.paths))
        shown = paths[: _MAX_PATHS if longest > _IN_SHORT else 2]
        alike = names[fold(prop.local_name)]
        return PropertyItem(
            local_name=prop.local_name,
            iri=prop.iri,
            paths=shown,
            path_count=len(paths) if len(paths) > len(shown) else None,
            datatype=_datatype(prop),
            has_enum=bool(prop.enum),
            unit=prop.unit,
            label=_text(prop.labels, longest, prop.local_name),
            description=_text(prop.descriptions, longest),
            observed_count=_NOT_COUNTED if number is None else number,
            declared=None if prop.declared else False,
            drafted=prop.drafted or None,
            ambiguous_with=[other for other in alike if other != prop.curie][:_MAX_PATHS] or None,
        )

    every = [
        prop.curie if len(names[fold(prop.local_name)]) > 1 else prop.local_name for _, prop in rows
    ]
    if search:
        what = (f"property of {found.name}", f"properties of {found.name}")
        said = by_value_said or _matching(*what, search, every, hits)
    else:
        number = number_of(len(rows), "property", "properties")
        said = f"{found.name} can be searched by {number}: {in_a_row(every, 12) or 'none'}."
    result = Properties(
        answer=told(corrections) + said,
        domain=found.name,
        properties=[],
        corrections=corrections or None,
        offset=offset,
    )
    page = page_of(result, Listing(every, item, "properties"))
    counted = [
        one.model_copy(
            update={
                "observed_count": 0 if number == 0 else await values_in_domain(state, found, prop)
            }
        )
        for one, (number, prop) in zip(page.properties, rows[offset:], strict=False)
    ]
    return page.model_copy(update={"properties": counted})


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
    concepts.sort(key=lambda item: (-item.statements, not item.declared, item.label))
    key = state.lexicon.key_of(where, found)
    if search:
        aliases = {term.id: term.aliases for term in values.vocabulary}
        entries = [
            Entry([*_concept_texts(one), *aliases.get(one.key, ())], (), ()) for one in concepts
        ]
        hits = look_up(search, entries)
        places = {concept.key: place for place, concept in enumerate(concepts)}
        if not hits.places:
            likely = values.vocabulary.suggest(search, _NEAREST_VALUES)
            alike = [places[one.term.id] for one in likely if one.term.id in places]
            label = concepts[alike[0]].label if alike else ""
            hits = Hits(alike, {search: label} if alike else {})
        concepts = [concepts[place] for place in hits.places]
        every = [concept.label for concept in concepts]
        said = _matching(f"value of {key}", f"values of {key}", search, every, hits)
    else:
        every = [concept.label for concept in concepts]
        number = number_of(len(concepts), "value", "values")
        some = "" if values.closed else "at least "
        said = f"{key} has {some}{number}: {in_a_row(every, 10, 500)}." if every else ""
    if not values.closed:
        said = f"{said} {_NOT_ALL_LISTED}" if said else f"{key}: {_NOT_ALL_LISTED}"
    elif not said:
        said = f"{key} has no values."

    def item(place: int, longest: int) -> ValueItem:
        concept = concepts[place]
        is_cut = len(concept.label) > MAX_TEXT
        return ValueItem(
            value=shortened(concept.label, _CUT_VALUE) if is_cut else concept.label,
            label=_text(concept.names, min(longest, MAX_TEXT)),
            declared=concept.declared is not None,
            observed=bool(concept.stored),
            count=concept.statements if concept.statements else None,
            conditional=concept.conditional or None,
            is_cut=is_cut or None,
        )

    if not is_counted or (domain and counted is None):
        said += " How often each is stored could not be counted in time."

    result = Values(
        answer=told(corrections) + said,
        property=key,
        domain=where.name if domain else None,
        values=[],
        corrections=corrections or None,
        is_complete=values.closed,
        offset=offset,
    )
    return page_of(result, Listing(every, item, "values"))


@limited
async def discover_connections(
    catalogue: Catalogue, domain: str = "", offset: int = 0
) -> Connections:
    """Declared paths between assets.

    Raises:
        InputError: the domain is unknown; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    ways = Ways(state.index, state.observed)
    sources = [find_domain(state, domain, corrections)] if domain else ways.kinds(state.assets)
    items = [
        ConnectionItem(from_=source.name, to=way.target.name, path=path)
        for source in sources
        for way in await ways.of(source, state.assets)
        for path in _ways_shown(way.paths, way.inverse_paths)
    ]
    named = [f"{item.from_} to {item.to}" for item in items]
    pairs = list(dict.fromkeys(named))
    number = number_of(len(pairs), "pair of domains is", "pairs of domains are")
    said = f"{number} connected: {in_a_row(pairs, 8)}." if pairs else "No domain is connected."
    if domain and not pairs:
        said = f"{sources[0].name} is connected to no other domain."
    result = Connections(
        answer=told(corrections) + said,
        connections=[],
        corrections=corrections or None,
        offset=offset,
    )

    def item(place: int, longest: int) -> ConnectionItem:
        return items[place]

    return page_of(result, Listing(named, item, "paths", "send cursor = next_cursor, or a domain"))


def _has_assets(state: State, domain: Domain) -> bool:
    """Whether a domain is shown with those that have assets, as are classes without a shape."""
    return domain in state.assets or (not domain.sources and state.count(domain) > 0)


def _ways_shown(paths: Sequence[Path], inverse_paths: Sequence[Path]) -> list[str]:
    """Paths by the names of their steps; those that are named alike are shown once."""
    shown = [*(path.local() for path in paths), *(f"^({path.local()})" for path in inverse_paths)]
    return list(dict.fromkeys(shown))


def _problems(state: State) -> list[str]:
    """The first problems of the files in short, and where the others are listed."""
    shown = [safe_name(problem) for problem in state.problems[:_MAX_PROBLEMS]]
    more = len(state.problems) - len(shown)
    return [*shown, f"{more:,} more: groundwire ontology lint lists them"] if more else shown


def _shown(number: Count) -> int | None:
    """A number of assets, or None where nothing is known of it."""
    return number.value if number.exact or number.value else None


def _in_words(number: Count | None) -> str:
    """A number of assets, which may not be exact."""
    if number is None or not (number.value or number.exact):
        return "not counted"
    return f"{number.value:,}" if number.exact else f"about {number.value:,}"


def _matching(one: str, many: str, search: str, names: Sequence[str], hits: Hits) -> str:
    """Say what matches a search, and which of its words were not found."""
    if not names:
        return f"No {one} matches {search[:80]!r}: call without search to see all."
    if hits.missing:
        missing = in_a_row([repr(word) for word in hits.missing], 5)
        return f"No {one} has all of {search[:80]!r}; without {missing}: {in_a_row(names, 10)}."
    if hits.near:
        word, spelling = next(iter(hits.near.items()))
        return (
            f"No {one} has {word[:80]!r}; near to it ({safe_name(spelling, 80)}): "
            f"{in_a_row(names, 10)}."
        )
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


def _text(texts: Sequence[Text], longest: int, known: str = "") -> str | None:
    """The English text, else the first; in short, None where it says what is `known` already."""
    if not texts:
        return None
    best = next((text for text in texts if text.language in ("en", "")), texts[0]).value
    if longest <= _IN_SHORT and fold(best) == fold(known):
        return None
    return shortened(best, longest)


def _domain_entry(domain: Domain) -> Entry:
    names = (domain.name, domain.curie, *texts_of(domain.labels))
    return Entry(names, (), texts_of(domain.descriptions))


def _property_entry(domain: Domain, prop: Property) -> Entry:
    """Return the names and descriptions of a property and of the steps of its paths."""
    steps = {step.iri for path in prop.paths for step in path.steps[:-1]}
    called = [domain.properties[iri] for iri in steps if iri in domain.properties]
    return Entry(
        (prop.local_name, prop.curie, *texts_of(prop.labels)),
        [*map(local_name, steps), *(label for one in called for label in texts_of(one.labels))],
        texts_of(prop.descriptions),
    )


def _concept_texts(concept: Concept) -> list[str]:
    return [concept.label, *texts_of(concept.names), *concept.variants]
