"""A schema as hosts are shown it: a prompt, Turtle, completions, and one SELECT on its graph."""

from __future__ import annotations

import re
from collections.abc import Mapping

from groundwire.errors import InputError
from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri_n3
from groundwire.ontology.catalogue import SCHEMA_GRAPH, Catalogue, State
from groundwire.ontology.index.model import Domain, Property
from groundwire.ontology.naming import find_domain, find_property, told
from groundwire.ontology.results import Correction, SchemaRows
from groundwire.vocabulary import fold

BUDGET = 8_000
_MAX_DOMAINS = 8
_MAX_VALUES = 12


async def briefing(catalogue: Catalogue, question: str, domain: str = "") -> str:
    """The question, how to answer it, and what can be searched, in at most 8,000 characters.

    Raises:
        InputError: the domain is unknown; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    domains = (
        [find_domain(state, domain, corrections)] if domain else list(state.assets[:_MAX_DOMAINS])
    )
    lines = [
        f"Answer from the catalogue: {question.strip()}",
        "",
        "Call submit_slots once with what the question says. If it is rejected, send what its "
        "gaps suggest. State only what the results hold, and name the evidence_id.",
        "",
        f"{told(corrections)}What can be searched:",
    ]
    budget = (BUDGET - sum(len(line) + 1 for line in lines)) // max(len(domains), 1)
    for found in domains:
        lines += await _domain_lines(state, found, budget)
    return "\n".join(lines)


async def _domain_lines(state: State, domain: Domain, budget: int) -> list[str]:
    lines = [f"- {domain.name} ({state.count_in_words(domain)} assets)"]
    properties = [prop for prop in domain.properties.values() if prop.kind != "node"]
    used = len(lines[0])
    for place, prop in enumerate(sorted(properties, key=lambda p: (not p.enum, p.local_name))):
        line = f"  - {state.lexicon.key_of(domain, prop)}{await _values_in_short(state, prop)}"
        used += len(line) + 1
        if used > budget - 60:
            lines.append(f"  - and {len(properties) - place} more: see discover_properties")
            break
        lines.append(line)
    return lines


async def _values_in_short(state: State, prop: Property) -> str:
    if prop.enum:
        labels = [state.lexicon.shown(entry.term) for entry in prop.enum[:_MAX_VALUES]]
        more = ", ..." if len(prop.enum) > _MAX_VALUES else ""
        return f": {', '.join(labels)}{more}"
    return f" ({prop.unit})" if prop.unit else ""


LIMIT = 100


async def complete(
    catalogue: Catalogue, name: str, typed: str, known: Mapping[str, str]
) -> list[str] | None:
    """Return completions of the argument `name`, beginning with what was typed.

    Args:
        catalogue: where the terms come from.
        name: `domain`, `property` or `value`; None is returned for others.
        typed: what stands in the field.
        known: the arguments that are filled in already.
    """
    if name not in ("domain", "property", "value"):
        return None
    state = await catalogue.state()
    try:
        domains = [find_domain(state, known["domain"])] if known.get("domain") else None
        places = domains or list(state.assets)
        if name == "domain":
            found = [domain.name for domain in state.assets]
            found += [d.name for d in state.index.domains.values() if d.name not in found]
        elif name == "property":
            found = [
                state.lexicon.key_of(place, prop)
                for place in places
                for prop in place.properties.values()
                if prop.kind != "node"
            ]
        else:
            where, prop = find_property(state, known.get("property", ""), places)
            values = await state.lexicon.values(where, prop)
            found = [concept.label for concept in values.concepts.values()]
    except InputError:
        return []
    begun = fold(typed) if typed.strip() else ""
    matching = [text for text in dict.fromkeys(found) if fold(text).startswith(begun)]
    return matching[:LIMIT]


_SH = "http://www.w3.org/ns/shacl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
# SHACL, sections 2 to 4: what leads from a shape to what belongs to it.
_PARTS = (
    *(
        _SH + name
        for name in (
            "property",
            "node",
            "and",
            "or",
            "xone",
            "not",
            "in",
            "path",
            "qualifiedValueShape",
            "inversePath",
            "alternativePath",
            "languageIn",
        )
    ),
    _RDF + "first",
    _RDF + "rest",
)
_MAX_TRIPLES = 3_000
_TIMEOUT = 10.0


async def shapes_of(catalogue: Catalogue, domain: str) -> str:
    """The shapes that target a domain, with everything they refer to.

    A domain that was read otherwise than it was sent is told in a comment at the beginning.

    Raises:
        InputError: the domain is unknown; the message names the nearest.
    """
    state = await catalogue.state()
    corrections: list[Correction] = []
    found = find_domain(state, domain, corrections)
    roots = " ".join(
        dict.fromkeys(iri_n3(source.shape) for source in found.sources if source.shape)
    )
    graph = await catalogue.schema()
    steps = "|".join(iri_n3(part) for part in _PARTS)
    query = CompiledQuery(
        f"CONSTRUCT {{ ?s ?p ?o }} WHERE {{ VALUES ?root {{ {roots} }} "
        f"?root ({steps})* ?s . ?s ?p ?o }}"
    )
    triples = await graph.triples(
        query, timeout=_TIMEOUT, max_rows=_MAX_TRIPLES, default_graphs=[SCHEMA_GRAPH]
    )
    text = _serialized(triples.triples, state.index.prefixes)
    if not triples.complete:
        text += f"\n# Cut after {_MAX_TRIPLES:,} statements: long lists are in discover_values.\n"
    return f"# {told(corrections).strip()}\n{text}" if corrections else text


def _serialized(triples: list[tuple[Term, Term, Term]], prefixes: dict[str, str]) -> str:
    from rdflib import BNode, Graph, Literal, URIRef

    def node(term: Term) -> URIRef | BNode | Literal:
        if term.kind == "iri":
            return URIRef(term.value)
        if term.kind == "bnode":
            return BNode(term.value)
        language = term.language or None
        return Literal(term.value, lang=language, datatype=None if language else term.datatype)

    document = Graph(bind_namespaces="none")
    for prefix, namespace in prefixes.items():
        document.bind(prefix, namespace)
    for subject, predicate, value in triples:
        document.add((node(subject), node(predicate), node(value)))
    return document.serialize(format="turtle")


MAX_ROWS = 50
_QUERY_TIMEOUT = 5.0
_MAX_CELL = 300
# What every schema is written in, where its own files do not say how they call it.
_COMMON = {
    "sh": "http://www.w3.org/ns/shacl#",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "owl": "http://www.w3.org/2002/07/owl#",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
}
_DECLARED = re.compile(r"\bPREFIX\s+([\w.-]*)\s*:", re.IGNORECASE)
_USED = re.compile(r"(?<![\w.-])([A-Za-z][\w.-]*):")


async def investigate_schema(catalogue: Catalogue, query: str) -> SchemaRows:
    """Run a SELECT on `urn:graph:schema`: read-only, 50 rows, five seconds.

    The prefixes of the catalogue, in which rows are shown, need not be declared.

    Raises:
        InputError: the query is not well formed, or no SELECT.
        ForbiddenError: it reaches beyond the schema graph, or changes something.
        DeadlineError: it took too long and was stopped.
    """
    from anyio.to_thread import run_sync

    from groundwire.graph.gate import SCHEMA_POLICY, check

    state = await catalogue.state()
    declared = _with_prefixes(query, {**_COMMON, **state.index.prefixes})
    # Reading a long query takes a while, in which other calls go on.
    gated = await run_sync(check, declared, SCHEMA_POLICY)
    graph = await catalogue.schema()
    found = await graph.select(
        gated,
        timeout=_QUERY_TIMEOUT,
        max_rows=MAX_ROWS,
        default_graphs=[SCHEMA_GRAPH],
        named_graphs=[SCHEMA_GRAPH],
    )
    rows = [
        {
            column: _shown(state.lexicon.shown(term), term)
            for column, term in zip(found.columns, row, strict=True)
            if term is not None
        }
        for row in found.rows
    ]
    more = "" if found.complete else f", cut at {MAX_ROWS}: add conditions or OFFSET"
    return SchemaRows(
        answer=f"The schema graph has {len(rows)} row{'' if len(rows) == 1 else 's'}{more}.",
        columns=list(found.columns),
        rows=rows,
        truncated=not found.complete,
    )


def _with_prefixes(query: str, known: Mapping[str, str]) -> str:
    """The query with the declarations that it lacks, before its first line."""
    lacking = {*_USED.findall(query)} - {*_DECLARED.findall(query)}
    lines = "".join(f"PREFIX {one}: <{known[one]}> " for one in sorted(lacking & known.keys()))
    return lines + query


def _shown(text: str, term: Term) -> str:
    cut = text if len(text) <= _MAX_CELL else f"{text[: _MAX_CELL - 1]}…"
    return f"{cut}@{term.language}" if term.language else cut
