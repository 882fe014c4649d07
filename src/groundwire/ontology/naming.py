"""The domain or property that a caller names, or an error that says what to send instead."""

from __future__ import annotations

from collections.abc import Sequence

from groundwire.errors import InputError
from groundwire.ontology.catalogue import State
from groundwire.ontology.index.model import Domain, Property
from groundwire.ontology.lexicon import KeyReader
from groundwire.ontology.results import Correction
from groundwire.vocabulary import Resolution

_MOST_NAMED = 6


def find_domain(state: State, name: str, corrections: list[Correction] | None = None) -> Domain:
    """The domain that `name` names.

    Args:
        state: the catalogue.
        name: name, label, CURIE or IRI, as it was sent.
        corrections: where a near match is noted.

    Raises:
        InputError: there is none, or several; the message names the nearest.
    """
    resolution = state.lexicon.domain(name, state.assets)
    if resolution.term is None:
        near = [candidate.term.id for candidate in resolution.candidates]
        known = near or [domain.name for domain in state.assets]
        what = f"There is no domain {name[:80]!r}" if name.strip() else "The domain is blank"
        raise InputError(f"{what}: send one of {', '.join(known[:_MOST_NAMED])}.")
    _note(corrections, "domain", resolution, resolution.term.id)
    return state.index.domains[resolution.term.id]


def find_property(
    state: State,
    name: str,
    domains: Sequence[Domain],
    corrections: list[Correction] | None = None,
) -> tuple[Domain, Property]:
    """The property that `name` names in `domains`, with the first domain that has it.

    Args:
        state: the catalogue.
        name: local name, label, CURIE, IRI or end of a path, as it was sent.
        domains: where it is looked for.
        corrections: where a near match is noted.

    Raises:
        InputError: there is none, or several; the message names the nearest, or the domains
            that have it.
    """
    reader = KeyReader(state.lexicon)
    matches = reader.matches(name, domains)
    keys = list(dict.fromkeys(match.prop.curie for match in matches))
    if len({match.prop.key for match in matches}) == 1:
        first = matches[0]
        key = state.lexicon.key_of(first.domain, first.prop)
        _note(corrections, "property", first.resolution, key)
        return first.domain, first.prop
    if matches:
        listed = " or ".join(keys[:_MOST_NAMED])
        raise InputError(f"{name[:80]!r} names several properties: send {listed}.")
    elsewhere = [
        match.domain.name
        for match in reader.matches(name, [one for one in state.assets if one not in domains])
        if match.resolution.how != "corrected"
    ]
    if elsewhere:
        where = " or ".join(domain.name for domain in domains)
        having = " and ".join(dict.fromkeys(elsewhere))
        raise InputError(
            f"{where} has no property {name[:80]!r}, but {having} has: send that as the domain."
        )
    near = reader.suggestions(name, domains, _MOST_NAMED)
    way_out = f"near to it: {', '.join(near)}; " if near else ""
    what = f"There is no property {name[:80]!r}" if name.strip() else "The property is blank"
    raise InputError(f"{what}: {way_out}discover_properties has them all.")


def told(corrections: Sequence[Correction]) -> str:
    """A sentence before the answer that says what was read otherwise than it was sent."""
    read = [f"{one.raw[:80]!r} was read as {one.resolved}" for one in corrections]
    return f"{'; '.join(read)}. " if read else ""


def _note(
    corrections: list[Correction] | None, slot: str, resolution: Resolution, resolved: str
) -> None:
    if corrections is None or resolution.how != "corrected":
        return
    corrections.append(
        Correction(
            slot=slot,
            raw=resolution.raw,
            resolved=resolved,
            how=resolution.how,
            score=round(resolution.score, 3),
        )
    )
