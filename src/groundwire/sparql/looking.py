"""`match_label`, `explore_types` and `describe_entity`: single steps of the workflow, as tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from groundwire.errors import InputError
from groundwire.evidence.answers import in_words, names_of, sent
from groundwire.evidence.records import Condition, Draft, Statement, Value
from groundwire.graph.terms import Term
from groundwire.safe_text import inert_line, safe_name
from groundwire.sparql.answering import proof, read_cell
from groundwire.sparql.endpoint import Endpoint, describe_url, shown_iri
from groundwire.sparql.outcome import Outcome, QueryAudit, text_of
from groundwire.sparql.patterns.units import units_of
from groundwire.sparql.results import (
    Description,
    Matches,
    MatchItem,
    TripleItem,
    TypeItem,
    Types,
)
from groundwire.sparql.statements import (
    LABEL_SECONDS,
    Labels,
    Relations,
    counted_set,
    entity_names,
    inverse_names,
    labels_in,
    labels_needed,
    labels_query,
    nothing_found,
    object_names,
    predicate_names,
    source_stated,
    words,
)
from groundwire.sparql.workflow.model import Hit, Source
from groundwire.sparql.workflow.queries import (
    USUAL_TYPES,
    counted,
    description_query,
    local_name,
    type_labels_query,
    types_query,
)
from groundwire.sparql.workflow.sources import MATCHES_FROM
from groundwire.sparql.workspace import Desk, Workspace

_MOST_TYPES = 50
_MOST_TRIPLES = 200
_MOST_VARIANTS = 3
_MOST_SAID = 5


@dataclass(frozen=True, slots=True)
class Search:
    """The texts that labels are searched for.

    Attributes:
        text: the text.
        variants: other ways to say it, tried where it matches nothing.
        endpoint: name of the endpoint.
        limit: most matches.
    """

    text: str
    variants: Sequence[str] = ()
    endpoint: str = "default"
    limit: int = 10


async def match_label(workspace: Workspace, search: Search) -> tuple[Matches, Draft]:
    """Entities whose label is, holds, or has all words of a text.

    Raises:
        InputError: the text has no word, or the endpoint is unknown.
    """
    if not any(character.isalnum() for character in search.text):
        raise InputError("`text` has no word to look for: send a label, or words of one.")
    desk = await workspace.desk()
    source = await source_of(desk, search.endpoint)
    seconds = desk.registry.timeout(source.endpoint)
    audits: list[QueryAudit] = []
    hits: list[Hit] = []
    last: Outcome | None = None
    for text in (search.text, *search.variants[:_MOST_VARIANTS]):
        found, last = await source.search(text, (), search.limit, seconds)
        hits = [hit for hit in found if hit.score >= MATCHES_FROM]
        audits.append(last.audit)
        if hits or not last.answered:
            break
    items = [
        MatchItem(
            iri=one.iri,
            label=inert_line(one.label),
            value=inert_line(one.value),
            score=one.score,
            describe_url=describe_url(source.endpoint, one.iri),
        )
        for one in hits[: search.limit]
    ]
    result = Matches(
        answer=_matched(search.text, hits[0].label if hits else "", items, last),
        matches=items,
        audits=[audit.block() for audit in audits],
    )
    values = [
        Value("label", one.label, "name", entity=one.label, entity_iri=one.iri)
        for one in hits[: search.limit]
    ]
    statements = _matches_stated(search, hits[: search.limit], last, source.endpoint, values)
    return result, proof(audits, values, statements)


def _matches_stated(
    search: Search,
    hits: Sequence[Hit],
    last: Outcome | None,
    endpoint: Endpoint,
    values: list[Value],
) -> list[Statement]:
    """Return the set of entities that match, best first, or that there is none."""
    texts = [sent(text) for text in (search.text, *search.variants[:_MOST_VARIANTS])]
    found = [source_stated(endpoint)]
    is_whole = last is not None and last.status in ("complete", "empty")
    if not hits:
        searched = Condition(words("searched"), "any_of", tuple(map(names_of, texts)))
        return [*found, nothing_found(words("match"), (searched,), endpoint)] if is_whole else found
    entities = [names_of(hit.label, hit.value, hit.iri) for hit in hits]
    values.append(Value("matches", str(len(hits)), unit="matches"))
    searched = Condition(words("searched"), "is", (names_of(texts[0]),))
    members = counted_set(
        words("matches"),
        (searched,),
        len(values) - 1,
        is_whole=is_whole and len(hits) < search.limit,
        objects=entities,
    )
    best = Statement("order", names_of(texts[0]), words("match"), tuple(entities))
    return [members, best, *found]


def _matched(text: str, label: str, items: Sequence[MatchItem], last: Outcome | None) -> str:
    if items:
        best = f"{safe_name(label)} {shown_iri(items[0].iri)}"
        others = f" best, of {len(items)}" if len(items) > 1 else ""
        return f"“{inert_line(text[:80])}” matches {best}{others}."
    if last is not None and last.status not in ("complete", "empty"):
        return f"The label match could not be completed: {last.status}, {last.reason}"
    return f"No label matches “{inert_line(text[:80])}”."


async def explore_types(
    workspace: Workspace, types: Sequence[str], endpoint: str, limit: int
) -> tuple[Types, Draft]:
    """Types of entity with how many there are of each; those named, else all.

    Raises:
        InputError: the endpoint is unknown, or a type is not an IRI.
    """
    desk = await workspace.desk()
    source = await source_of(desk, endpoint)
    seconds = desk.registry.timeout(source.endpoint)
    wanted = tuple(read_iri(one) for one in types)
    # One more than is shown, so that an answer that was cut can be told from one that was not.
    most = min(limit, _MOST_TYPES)
    outcome = await source.select(types_query(wanted, most + 1), most, seconds)
    audits = [outcome.audit]
    found = counted(outcome)
    labels: dict[str, str] = {}
    if found:
        named = await source.select(
            type_labels_query([one.iri for one in found], _MOST_TYPES * 4), _MOST_TYPES * 4, seconds
        )
        audits.append(named.audit)
        for row in named.rows:
            cells = dict(zip(named.columns, row, strict=False))
            labels.setdefault(text_of(cells.get("type")), text_of(cells.get("label")))
    items = [TypeItem(iri=one.iri, label=labels.get(one.iri), count=one.count) for one in found]
    said = ", ".join(f"{safe_name(local_name(one.iri))} ({one.count:,})" for one in items[:8])
    asked = "of those asked for " if types else ""
    none = [one for one in dict.fromkeys(wanted) if one not in {item.iri for item in items}]
    left = f" There is none of {_listed(none)}." if outcome.status == "complete" and none else ""
    where = source.endpoint.name
    if items:
        told = f"Types {asked}at {where}: {said}.{left}{_rest(outcome, 'types')}"
    elif outcome.answered:
        told = f"No entity {asked}was found at {where}: {_why(outcome)}."
    else:
        told = f"The types at {where} could not be asked for: {_why(outcome)}."
    result = Types(
        answer=told,
        types=items,
        audits=[audit.block() for audit in audits],
    )
    values = [Value("count", str(one.count), entity_iri=one.iri) for one in items]
    statements = _types_stated(items, none, outcome, source.endpoint, bool(types))
    return result, proof(audits, values, statements)


def _types_stated(
    items: Sequence[TypeItem],
    none: Sequence[str],
    outcome: Outcome,
    endpoint: Endpoint,
    is_restricted: bool,
) -> list[Statement]:
    """Return how many entities there are of each type, and which types have none."""
    named = [
        names_of(one.label, in_words(local_name(one.iri)), local_name(one.iri), one.iri)
        for one in items
    ]
    found = [
        counted_set(
            (*names, *words("entities")),
            (Condition(words("kind"), "is", (names,)),),
            at,
            is_whole=True,
        )
        for at, names in enumerate(named)
    ]
    is_whole = outcome.status in ("complete", "empty")
    if items:
        complete = "all_listed" if is_whole and not is_restricted else ""
        where = names_of(endpoint.name, *words(endpoint.kind))
        found.append(Statement("relation", where, words("kind"), tuple(named), complete=complete))
    if is_whole:
        for one in none if is_restricted else ():
            kind = Condition(words("kind"), "is", (entity_names(one, {}),))
            found.append(nothing_found(words("entity"), (kind,), endpoint))
        if not items and not is_restricted:
            found.append(nothing_found(words("entity"), (), endpoint))
    return [*found, source_stated(endpoint)]


async def describe_entity(
    workspace: Workspace, iri: str, endpoint: str, offset: int = 0
) -> tuple[Description, Draft]:
    """Every statement about an entity, those in which it is the object too.

    Raises:
        InputError: the name is not an IRI, or the endpoint is unknown.
    """
    desk = await workspace.desk()
    source = await source_of(desk, endpoint)
    entity = read_iri(iri)
    query = description_query(entity, _MOST_TRIPLES + 1)
    outcome = await source.select(query, _MOST_TRIPLES, desk.registry.timeout(source.endpoint))
    items: list[TripleItem] = []
    values: list[Value] = []
    properties: list[str] = []
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        predicate, value = text_of(cells.get("predicate")), cells.get("value")
        inverse = text_of(cells.get("inverse")) in ("true", "1")
        items.append(TripleItem(predicate=predicate, value=text_of(value), inverse=inverse or None))
        text, kind = read_cell(value)
        values.append(Value(local_name(predicate), text, kind, entity_iri=entity))
        properties.append(predicate)
    if source.endpoint.url.startswith("local:"):
        units = await units_of(partial(source.select, timeout=LABEL_SECONDS))
        values = [
            replace(value, unit=units.get(one)) if value.kind == "number" else value
            for one, value in zip(properties, values, strict=True)
        ]
    labels, named = await _labels_of(source, entity, outcome)
    audits = [outcome.audit, *named]
    where = source.endpoint.name
    if items:
        many = f"{len(items)} statement{'' if len(items) == 1 else 's'}"
        said = f"{many} about <{entity}> at {where}.{_rest(outcome, 'statements')}"
    elif outcome.answered:
        said = f"Nothing is said about <{entity}> at {where}: {_why(outcome)}."
    else:
        said = f"What {where} says about <{entity}> could not be asked for: {_why(outcome)}."
    result = Description(
        answer=said,
        iri=entity,
        describe_url=describe_url(source.endpoint, entity),
        triples=items[offset:],
        audits=[audit.block() for audit in audits],
        offset=offset,
    )
    statements = _description_stated(entity, outcome, source.endpoint, labels, values)
    return result, proof(audits, values, statements)


async def _labels_of(
    source: Source, entity: str, outcome: Outcome
) -> tuple[Labels, list[QueryAudit]]:
    """Return what the graph calls the things of a description, with the query's audit."""
    cells = (cell for row in outcome.rows for cell in row)
    iris = (cell.value for cell in cells if isinstance(cell, Term) and cell.kind == "iri")
    needed = labels_needed((entity, *iris)) if outcome.rows else ()
    if not needed:
        return {}, []
    query, limit = labels_query(needed)
    named = await source.select(query, limit, LABEL_SECONDS)
    return labels_in(named), [named.audit]


def _description_stated(
    entity: str, outcome: Outcome, endpoint: Endpoint, labels: Labels, values: list[Value]
) -> list[Statement]:
    """Return the triples of a description, their number, or that nothing is said."""
    subject = entity_names(entity, labels)
    about = Condition(words("about"), "is", (subject,))
    is_whole = outcome.status in ("complete", "empty")
    if not outcome.rows:
        absent = nothing_found(words("statement"), (), endpoint, subject)
        return [absent, source_stated(endpoint)] if is_whole else [source_stated(endpoint)]
    relations = Relations()
    for row in outcome.rows:
        cells = dict(zip(outcome.columns, row, strict=False))
        predicate, value = text_of(cells.get("predicate")), cells.get("value")
        is_inverse = text_of(cells.get("inverse")) in ("true", "1")
        named = inverse_names if is_inverse else predicate_names
        relations.add(subject, named(predicate, labels), object_names(value, labels))
    count = str(len(outcome.rows))
    values.append(Value("statements", count, unit="statements", entity_iri=entity))
    number = counted_set(words("statements"), (about,), len(values) - 1, is_whole=is_whole)
    triples = relations.statements("all_listed" if is_whole else "")
    return [*triples, number, source_stated(endpoint)]


async def source_of(desk: Desk, name: str) -> Source:
    """Return an endpoint in the form in which the workflow asks it.

    Raises:
        InputError, NotFoundError: the registry has no SPARQL endpoint of this name.
        GroundwireError: it cannot be opened.
    """
    endpoint = desk.endpoints.endpoint(name)
    if endpoint.kind != "sparql":
        raise InputError(
            f"Endpoint {endpoint.name} is no graph: send one that takes SPARQL "
            "(list_endpoints has them)."
        )
    return await source_at(desk, endpoint)


async def source_at(desk: Desk, endpoint: Endpoint) -> Source:
    """Return a graph in the form in which the workflow asks it, opened if it is not.

    Raises:
        GroundwireError: it cannot be opened.
    """
    runner = await desk.endpoints.runner(endpoint, "sparql")
    return await desk.opener.source(endpoint, runner)


def read_iri(raw: str) -> str:
    """An IRI as a caller sends it: in angle brackets or not, or the name of a usual type.

    Raises:
        InputError: it is none.
    """
    text = raw.strip().removeprefix("<").removesuffix(">")
    known = {local_name(one).casefold(): one for one in USUAL_TYPES[::-1]}
    if ":" not in text and text.casefold() in known:
        return known[text.casefold()]
    if ":" not in text or any(character.isspace() for character in text):
        raise InputError(f"{raw[:80]!r} is no IRI: send one such as http://schema.org/Question.")
    return text


def _listed(iris: Sequence[str]) -> str:
    """IRIs in a sentence; of many the first few, and how many more."""
    some = ", ".join(f"<{one}>" for one in iris[:_MOST_SAID])
    rest = len(iris) - _MOST_SAID
    return f"{some} and {rest} more" if rest > 0 else some


def _rest(outcome: Outcome, what: str) -> str:
    """Return a sentence about what is not here, or "" where all of it is."""
    if outcome.status == "complete":
        return ""
    return f" There are more {what}." if outcome.status == "truncated" else f" {outcome.reason}"


def _why(outcome: Outcome) -> str:
    """Return why there is nothing, to be followed by a full stop."""
    if outcome.status in ("complete", "empty"):
        return "the query ran and nothing matches"
    return (outcome.reason or outcome.status).rstrip(".")
