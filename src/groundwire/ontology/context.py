"""Shared state of the parts of one resolution."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from groundwire.graph.protocol import Graph
from groundwire.ontology.conditions import Condition, Range
from groundwire.ontology.connections import Ways
from groundwire.ontology.elsewhere import Elsewhere
from groundwire.ontology.index.model import Domain
from groundwire.ontology.lexicon import KeyReader, Lexicon, Match, as_named
from groundwire.ontology.matching import Matcher, Place
from groundwire.ontology.plan import Test, mark_parts
from groundwire.ontology.results import Findings
from groundwire.ontology.stored_properties import StoredProperties
from groundwire.ontology.wording import in_a_row
from groundwire.ontology.zeros import Zeros

_MAX_LOOKED_AT = 6


class Entry(NamedTuple):
    """One condition as it was sent: its slot, its key and what it demands."""

    slot: str
    key: str
    condition: Condition


def entries_of(
    prefix: str, filters: Mapping[str, Condition], ranges: Mapping[str, Range]
) -> list[Entry]:
    """Filters and ranges as entries; a range is a condition too."""
    found = [Entry(f"{prefix}filters.{key}", key, content) for key, content in filters.items()]
    found += [
        Entry(f"{prefix}ranges.{key}", key, Condition(range=bounds))
        for key, bounds in ranges.items()
    ]
    return found


class Context:
    """The vocabularies, connections and findings of one submission.

    Attributes:
        lexicon: the catalogue's vocabularies.
        assets: the domains that have assets of their own; all where none has.
        findings: corrections and gaps.
        keys: reads property keys.
        ways: looks up connections.
        stored: finds properties where they are stored.
        zeros: looks into searches that found nothing, or what lacks something.
    """

    def __init__(self, lexicon: Lexicon, graph: Graph, assets: Sequence[Domain]) -> None:
        """Begin a resolution."""
        self.lexicon = lexicon
        self.assets = assets
        self.findings = Findings()
        self.keys = KeyReader(lexicon)
        self.ways = Ways(lexicon.index, lexicon.observed)
        self.stored = StoredProperties(lexicon, graph, assets)
        self.zeros = Zeros(Elsewhere(self.stored, graph), graph)
        self._graph = graph
        self._matcher = Matcher(lexicon, graph, self.findings)

    def domain(self, slot: str, raw: str) -> Domain | None:
        """The domain that `raw` names, or None after a gap was reported."""
        resolution = self.lexicon.domain(raw, self.assets)
        if resolution.term is not None:
            domain = self.lexicon.index.domains[resolution.term.id]
            self.findings.term(slot, raw, domain.name, resolution)
            return domain
        names = [candidate.term.id for candidate in resolution.candidates]
        known = [domain.name for domain in self.assets]
        preferred = [name for name in names if name in known]
        self.findings.gap(
            slot,
            raw,
            "ambiguous" if resolution.how == "ambiguous" else "unmapped",
            f"there is no domain {raw!r}: see discover_domains",
            [*preferred, *names, *known],
        )
        return None

    async def matches(self, key: str, domains: Sequence[Domain]) -> list[Match]:
        """The properties that a key names; where none is declared, those that are stored."""
        found = self.keys.matches(key, domains)
        if found:
            return found
        undeclared, key = self.stored.undeclared, as_named(key)
        return [match for domain in domains for match in await undeclared(key, domain)]

    async def test(self, entry: Entry, match: Match) -> Test | None:
        """The entry's condition on the property that was found, or None after a gap."""
        stored = await self.stored.as_stored(match)
        if stored is match and not await self.fits(entry, match):
            # The value may be one of what is stored under the same name.
            both = await self.stored.with_homonyms(match)
            stored = both if both is not match and await self.fits(entry, both) else match
        if stored is not match:
            # Where nothing is stored as declared, what lacks it would be everything.
            match = stored
            self._report_stored(entry, match)
        return await self._matcher.test(self._place(entry, match), entry.condition)

    def of_one_part(self, tests: Sequence[Test]) -> list[Test]:
        """Conditions with the part that several of them speak of, where an asset may have several.

        "Open from June to August" speaks of one period, not of one that begins and another that
        ends. What a part must not be, and several values of one property, are of any part.
        """
        return mark_parts(tests, self.lexicon.observed)

    async def fits(self, entry: Entry, match: Match) -> bool:
        """Whether the entry's condition can be read as one on a property; nothing is reported."""
        matcher = Matcher(self.lexicon, self._graph, Findings())
        return await matcher.test(self._place(entry, match), entry.condition) is not None

    def _place(self, entry: Entry, match: Match) -> Place:
        name = match.name or self.lexicon.key_of(match.domain, match.prop)
        prop = match.prop
        if len(match.paths) < len(prop.paths):
            name, prop = entry.key, prop._replace(paths=match.paths)
        return Place(entry.slot, match.domain, prop, match.paths, name)

    def report_key(self, entry: Entry, match: Match) -> None:
        """Report a key that was read otherwise than as sent."""
        name = match.name or self.lexicon.key_of(match.domain, match.prop)
        self.findings.term(entry.slot, entry.key, name, match.resolution)
        if not match.prop.declared:
            self._report_stored(entry, match)

    def _report_stored(self, entry: Entry, match: Match) -> None:
        """Report a property that is read as it is stored, since the shapes do not have it so."""
        stored = _with_paths(self.lexicon, match)
        self.findings.correction(entry.slot, entry.key, stored, "stored", certain=False)

    # Gaps of keys

    async def unknown_key(self, entry: Entry, domains: Sequence[Domain]) -> None:
        """No domain has the key: offer where it is known, as a value too, and what is alike."""
        moved: list[str] = []
        for domain in domains[:_MAX_LOOKED_AT]:
            for prop, concept in (await self.lexicon.holders(domain, entry.key))[:2]:
                moved.append(f'filters.{self.lexicon.key_of(domain, prop)}="{concept.label}"')
        elsewhere = await self._holders(entry)
        where = ", ".join(domain.name for domain in domains[:4]) or "the catalogue"
        detail = f"{where} has no property {entry.key!r}"
        if elsewhere:
            detail += f", but {', '.join(elsewhere)} has: send that domain"
        else:
            detail += ": see discover_properties"
        self.findings.gap(
            entry.slot,
            entry.key,
            "unmapped",
            detail,
            [
                *(f'domains=["{name}"]' for name in elsewhere),
                *moved,
                *self.keys.suggestions(entry.key, domains),
            ],
        )

    async def ambiguous_key(
        self, entry: Entry, matches: Sequence[Match], beside: Sequence[Entry] = ()
    ) -> None:
        """The key names several properties: offer each, those that can hold the value first.

        Where no domain was sent, those that can meet all conditions (`beside`) are offered too.
        """
        ranks: dict[str, tuple[bool, int]] = {}
        for match in matches:
            observed = await self.lexicon.observed.values(match.prop.iri)
            rank = (await self.fits(entry, match), observed.statements or 0)
            ranks[match.prop.curie] = max(rank, ranks.get(match.prop.curie, rank))
        domains = list(dict.fromkeys(match.domain for match in matches))
        what = "several properties"
        if len(domains) > 1:
            names = ", ".join(domain.name for domain in domains)
            what = f"properties of several domains ({names}): send the domain, or one"
        whole = [domain for domain in domains if beside and await self._fits_all(beside, domain)]
        self.findings.gap(
            entry.slot,
            entry.key,
            "ambiguous",
            f"{entry.key!r} names {what} ({in_a_row(list(ranks), 6)})"
            if len(domains) == 1
            else f"{entry.key!r} names {what}",
            [
                *(f'domains=["{domain.name}"]' for domain in whole),
                *sorted(ranks, key=lambda name: ranks[name], reverse=True),
            ],
        )

    async def _fits_all(self, entries: Sequence[Entry], domain: Domain) -> bool:
        """Whether a domain has one property for each entry that can hold its value."""
        for entry in entries:
            matches = self.keys.matches(entry.key, [domain])
            if len(matches) != 1 or not await self.fits(entry, matches[0]):
                return False
        return True

    async def _holders(self, entry: Entry) -> list[str]:
        """Names of the domains that have the key, those whose property can hold the value first."""
        fitting: dict[str, bool] = {}
        for match in self.keys.matches(entry.key, self.assets):
            name = match.domain.name
            fitting[name] = fitting.get(name, False) or await self.fits(entry, match)
        return sorted(fitting, key=lambda name: not fitting[name])


def _with_paths(lexicon: Lexicon, match: Match) -> str:
    """The properties that are stored and not declared, with the paths that they stand on."""
    by_property: dict[str, list[str]] = {}
    for path in [path for path in match.paths if path in match.prop.undeclared]:
        by_property.setdefault(lexicon.compact(path.steps[-1].iri), []).append(path.local())
    return "; ".join(f"{name} ({', '.join(paths[:3])})" for name, paths in by_property.items())
