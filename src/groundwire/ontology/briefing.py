"""The text of the prompt `search_catalogue`: a question with the schema in short."""

from __future__ import annotations

from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.index.model import Domain, Property
from groundwire.ontology.naming import find_domain, told
from groundwire.ontology.results import Correction

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
