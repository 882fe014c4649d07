"""The gaps that a caller submits are resolved again: what is known after all is told."""

from __future__ import annotations

import json
from collections.abc import Sequence

from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import texts_of
from groundwire.ontology.conditions import Condition, Range, spoken_range, written
from groundwire.ontology.findings import Findings
from groundwire.ontology.index.model import Domain
from groundwire.ontology.likely import likely
from groundwire.ontology.readings import Unreadable, bounds_of
from groundwire.ontology.slots import SubmittedGap
from groundwire.ontology.widening import leaves_out
from groundwire.ontology.wording import in_a_row
from groundwire.quantities import parse_quantity
from groundwire.vocabulary import Policy

_MAX_GAPS = 10
_MAX_SUGGESTIONS = 5


async def answer_submitted(
    gaps: Sequence[SubmittedGap], state: State, domains: Sequence[Domain], findings: Findings
) -> None:
    """Report each submitted gap with the slot that takes the term, or with real suggestions."""
    for gap in gaps[:_MAX_GAPS]:
        places = await _places(gap.term, state, domains)
        if places:
            findings.gap(
                None,
                gap.term,
                gap.reason,
                f"{gap.term!r} is known after all: send {places[0]}",
                places,
            )
            continue
        suggestions, partly = await _suggestions(gap.term, state, domains)
        detail = f"{gap.term!r} is in no vocabulary of this catalogue, so it was not searched for"
        if partly and not suggestions:
            detail += f"; near to it, but more than was asked for: {in_a_row(partly, 5)}"
        findings.gap(
            None,
            gap.term,
            gap.reason,
            detail,
            suggestions,
        )
    if len(gaps) > _MAX_GAPS:
        findings.gap(
            None,
            f"{len(gaps) - _MAX_GAPS} more gaps",
            "limitation",
            f"only the first {_MAX_GAPS} gaps are looked up",
        )


async def _places(term: str, state: State, domains: Sequence[Domain]) -> list[str]:
    """Slots that take the term for certain."""
    found: list[str] = []
    named = state.lexicon.domain(term, state.assets)
    if named.term is not None and named.how != "corrected":
        found.append(f'domains=["{named.term.id}"]')
    for domain in domains:
        for prop, concept in (await state.lexicon.holders(domain, term))[:3]:
            key = state.lexicon.key_of(domain, prop)
            found.append(f'filters.{key}="{concept.label}"')
        named = state.lexicon.property_named(domain, term, Policy.CANDIDATES_ONLY)
        if named.term is not None:
            prop = domain.properties[named.term.id]
            found.append(f'filters.{state.lexicon.key_of(domain, prop)}={{"exists": true}}')
    return list(dict.fromkeys(found))


async def _suggestions(
    term: str, state: State, domains: Sequence[Domain]
) -> tuple[list[str], list[str]]:
    """Conditions that say all of a term, and those that share words or letters with it.

    Both are likeliest first. A bound with a unit stays what it is; a figure is never left out.
    """
    if spoken_range(term) is not None:
        return _bounds(term, state, domains), []
    whole: dict[str, float] = {}
    partly: dict[str, float] = {}
    for domain in domains:
        for candidate in state.lexicon.properties(domain).suggest(term, 3):
            prop = domain.properties[candidate.term.id]
            line = f'filters.{state.lexicon.key_of(domain, prop)}={{"exists": true}}'
            less = leaves_out(term, [candidate.label_matched], [domain.name])
            (partly if less else whole)[line] = candidate.score
        for prop in domain.properties.values():
            if not prop.enum:
                continue
            values = await state.lexicon.values(domain, prop)
            names = [domain.name, prop.local_name, *texts_of(prop.labels)]
            for candidate in likely(values.vocabulary.suggest(term, 2)):
                label = values.concepts[candidate.term.id].label
                line = f'filters.{state.lexicon.key_of(domain, prop)}="{label}"'
                held = partly if leaves_out(term, [candidate.label_matched], names) else whole
                held[line] = max(held.get(line, 0.0), candidate.score)
    first = sorted(whole, key=lambda line: -whole[line])[:_MAX_SUGGESTIONS]
    return first, sorted(partly, key=lambda line: -partly[line])[:_MAX_SUGGESTIONS]


def _bounds(term: str, state: State, domains: Sequence[Domain]) -> list[str]:
    """The range that a term says, on each property that is measured in a unit of its kind."""
    bounds = spoken_range(term)
    if bounds is None:
        return []
    sent = json.dumps(written(Condition(range=bounds)), ensure_ascii=False)
    found: list[str] = []
    for domain in domains:
        for prop in domain.properties.values():
            if prop.unit is not None and _has_unit(bounds, prop.unit):
                found.append(f"ranges.{state.lexicon.key_of(domain, prop)}={sent}")
    return list(dict.fromkeys(found))[:_MAX_SUGGESTIONS]


def _has_unit(bounds: Range, unit: str) -> bool:
    """Whether every bound is a figure with a unit that converts to the property's."""
    for bound in (bounds.lower, bounds.upper):
        quantity = parse_quantity(str(bound)) if bound is not None else None
        if bound is not None and (quantity is None or quantity.unit is None or quantity.noun):
            return False
    return not isinstance(bounds_of(bounds, "number", unit), Unreadable)
