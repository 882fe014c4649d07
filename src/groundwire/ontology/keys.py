"""A property key as callers send it (local name, label, CURIE, IRI, or the end of a path)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from groundwire.ontology.index.model import Domain, Path, Property, local_name
from groundwire.ontology.lexicon import Lexicon
from groundwire.vocabulary import Policy, Resolution, fold

_WITH_PATHS = re.compile(r"(?<=\S) \([^()]*\)$")
_TIERS = {"exact": 0, "folded": 1, "alias": 2, "corrected": 3}


class Match(NamedTuple):
    """A property of a domain that a key names, with the paths that the key leaves.

    `name` is how it is shown where it is read as it is stored, and not as the shapes have it.
    """

    domain: Domain
    prop: Property
    paths: tuple[Path, ...]
    resolution: Resolution
    name: str = ""


class KeyReader:
    """Finds the properties that a key names."""

    def __init__(self, lexicon: Lexicon) -> None:
        """Read keys with the vocabularies of `lexicon`."""
        self._lexicon = lexicon

    def matches(self, key: str, domains: Sequence[Domain]) -> list[Match]:
        """Every property that `key` names in `domains`, by the most certain reading alone.

        A domain in which the key is ambiguous is there once for each of its properties.
        """
        found: list[tuple[int, Match]] = []
        key = as_named(key)
        for domain in domains:
            found += self._in_domain(key, domain)
        best = min((tier for tier, _ in found), default=0)
        return [match for tier, match in found if tier == best]

    def suggestions(self, key: str, domains: Sequence[Domain], limit: int = 8) -> list[str]:
        """Keys that may have been meant, best first."""
        scored: dict[str, float] = {}
        for domain in domains:
            vocabulary = self._lexicon.properties(domain)
            for candidate in vocabulary.suggest(key, limit):
                prop = domain.properties[candidate.term.id]
                name = self._lexicon.key_of(domain, prop)
                scored[name] = max(scored.get(name, 0.0), candidate.score)
        return sorted(scored, key=lambda name: -scored[name])[:limit]

    def _in_domain(self, key: str, domain: Domain) -> list[tuple[int, Match]]:
        resolution = self._lexicon.property_named(domain, key, Policy.WORDWISE)
        if resolution.term is not None:
            prop = domain.properties[resolution.term.id]
            return [(_TIERS[resolution.how], Match(domain, prop, prop.paths, resolution))]
        if resolution.how == "ambiguous":
            tied = [domain.properties[candidate.term.id] for candidate in resolution.candidates]
            return [(0, Match(domain, prop, prop.paths, resolution)) for prop in tied]
        return self._by_path(key, domain) if "/" in key and "://" not in key else []

    def _by_path(self, key: str, domain: Domain) -> list[tuple[int, Match]]:
        """Properties with paths that end as the key says: `hasFormat/version`."""
        parts = [part for part in key.split("/") if part]
        wanted = tuple(map(fold, parts))
        found: list[tuple[int, Match]] = []
        for prop in domain.properties.values():
            if prop.kind == "node" or not wanted:
                continue
            ending = wanted
            if parts[-1] == prop.curie:
                ending = (*wanted[:-1], fold(local_name(prop.iri)))
            paths = tuple(path for path in prop.paths if _ends_with(path, ending))
            if paths:
                resolution = Resolution(key, "folded", score=1.0)
                found.append((1, Match(domain, prop, paths, resolution)))
        # A name means what a shape calls so before what is only stored under it.
        declared = [each for each in found if set(each[1].paths) - set(each[1].prop.undeclared)]
        return declared or found


def as_named(key: str) -> str:
    """A key without the paths that a correction shows behind it: `foaf:name (hasOwner/name)`."""
    return _WITH_PATHS.sub("", key)


def _ends_with(path: Path, wanted: tuple[str, ...]) -> bool:
    names = tuple(fold(local_name(step.iri)) for step in path.steps)
    if path.repeats:
        # A step that may be taken any number of times stands for each of its turns.
        wanted = tuple(name for name, _ in groupby(wanted))
    return names[-len(wanted) :] == wanted
