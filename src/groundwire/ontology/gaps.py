"""The gaps that a caller submits are resolved again: what is known after all is told."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.ontology.catalogue import State
from groundwire.ontology.findings import Findings
from groundwire.ontology.index.model import Domain
from groundwire.ontology.likely import likely
from groundwire.ontology.slots import SubmittedGap
from groundwire.vocabulary import Policy

_MAX_GAPS = 10


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
        findings.gap(
            None,
            gap.term,
            gap.reason,
            f"{gap.term!r} is in no vocabulary of this catalogue, so it was not searched for",
            await _suggestions(gap.term, state, domains),
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


async def _suggestions(term: str, state: State, domains: Sequence[Domain]) -> list[str]:
    """Values and properties that share words or letters with the term, likeliest first."""
    scored: dict[str, float] = {}
    for domain in domains:
        for candidate in state.lexicon.properties(domain).suggest(term, 3):
            prop = domain.properties[candidate.term.id]
            line = f'filters.{state.lexicon.key_of(domain, prop)}={{"exists": true}}'
            scored[line] = candidate.score
        for prop in domain.properties.values():
            if not prop.enum:
                continue
            values = await state.lexicon.values(domain, prop)
            for candidate in likely(values.vocabulary.suggest(term, 2)):
                label = values.concepts[candidate.term.id].label
                line = f'filters.{state.lexicon.key_of(domain, prop)}="{label}"'
                scored[line] = max(scored.get(line, 0.0), candidate.score)
    return sorted(scored, key=lambda line: -scored[line])[:5]
