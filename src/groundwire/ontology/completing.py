"""Completions of arguments: domains, properties of a domain, values of a property."""

from __future__ import annotations

from collections.abc import Mapping

from groundwire.errors import InputError
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.naming import find_domain, find_property
from groundwire.vocabulary import fold

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
