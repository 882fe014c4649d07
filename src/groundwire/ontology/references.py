"""The state of one resolution, and the connected assets that it joins.

References that were sent and those that a condition needs are joined over declared paths, else over
those that the assets have themselves. Source: specs/ontology.md, "Slots to answer", 3 and 4.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from groundwire.graph.queries import Graph
from groundwire.ontology.conditions import Condition, Range, written
from groundwire.ontology.connections import Way, Ways
from groundwire.ontology.index.model import Domain, Path, Property
from groundwire.ontology.lexicon import KeyReader, Lexicon, Match, as_named
from groundwire.ontology.matching import Matcher, Place
from groundwire.ontology.pages import in_a_row
from groundwire.ontology.plan import Join, Test, mark_parts
from groundwire.ontology.results import Findings
from groundwire.ontology.slots import Reference
from groundwire.ontology.stored_properties import StoredProperties
from groundwire.ontology.zeros import Zeros
from groundwire.vocabulary import fold

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
        stored: finds properties where they are stored.
        zeros: looks into searches that found nothing, or what lacks something.
    """

    def __init__(self, lexicon: Lexicon, graph: Graph, assets: Sequence[Domain]) -> None:
        """Begin a resolution."""
        self.lexicon = lexicon
        self.assets = assets
        self.findings = Findings()
        self.keys = KeyReader(lexicon)
        self.stored = StoredProperties(lexicon, graph, assets)
        self.zeros = Zeros(self.stored, graph)
        self._graph = graph
        self._matcher = Matcher(lexicon, graph, self.findings)

    @cached_property
    def ways(self) -> Ways:
        """Looks up connections; most searches need none."""
        return Ways(self.lexicon.index, self.lexicon.observed)

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


MAX_JOINS = 6
MAX_DEPTH = 3


class Joiner:
    """Reads references as joins; what cannot be joined becomes a gap."""

    def __init__(self, context: Context) -> None:
        """Read with what a resolution shares."""
        self._context = context
        self._count = 0

    async def targets(self, domain: Domain, key: str) -> list[tuple[Way, Match]]:
        """Connected domains that have a property; those that the shapes name before others."""
        found = [
            (way, match)
            for way in await self._context.ways.of(domain, self._context.assets)
            for match in self._context.keys.matches(key, [way.target])
        ]
        return [pair for pair in found if pair[0].declared] or found

    async def sent(self, domain: Domain, references: Sequence[Reference]) -> list[Join]:
        """The references of a submission, seen from one domain."""
        self._count = 0
        return await self._joined(domain, references, "references", 1)

    async def inferred(self, domain: Domain, entry: Entry) -> Join | None:
        """A condition on a property of the one connected domain that has it."""
        targets = await self.targets(domain, entry.key)
        names = list(dict.fromkeys(way.target.name for way, _ in targets))
        if len(names) > 1:
            fitting = [
                way.target.name for way, match in targets if await self._context.fits(entry, match)
            ]
            names.sort(key=lambda name: name not in fitting)
            self._context.findings.gap(
                entry.slot,
                entry.key,
                "ambiguous",
                f"{domain.name} has no property {entry.key!r}, but {' and '.join(names)}, which "
                "it is connected with, have: ask for it in references",
                [f'references={{"domain": "{name}"}}' for name in names],
            )
            return None
        if len(targets) > 1:
            await self._context.ambiguous_key(entry, [match for _, match in targets])
            return None
        way, match = targets[0]
        if way.is_ambiguous:
            # Which of the relations of a kind to itself is meant has to be said.
            await self._context.unknown_key(entry, [domain])
            return None
        test = await self._context.test(entry, match)
        if test is None:
            return None
        self._context.findings.correction(
            entry.slot,
            entry.key,
            _as_sent(way, match, entry),
            "domain",
            certain=False,
        )
        return _join(f"references ({entry.slot})", way, (test,))

    async def _joined(
        self, domain: Domain, references: Sequence[Reference], slot: str, level: int
    ) -> list[Join]:
        joins: list[Join] = []
        for at, reference in enumerate(references):
            place = f"{slot}[{at}]"
            self._count += 1
            if level > MAX_DEPTH or self._count > MAX_JOINS:
                self._context.findings.gap(
                    place,
                    reference.domain,
                    "limitation",
                    f"at most {MAX_JOINS} references, {MAX_DEPTH} deep, can be joined: ask in "
                    "two steps",
                )
                break
            join = await self._reference(domain, reference, place, level)
            joins += [join] if join is not None else []
        return joins

    async def _reference(
        self, domain: Domain, reference: Reference, slot: str, level: int
    ) -> Join | None:
        found = part_of(domain, reference.domain) or await self._way(domain, reference, slot)
        if found is None:
            return None
        way, typed = found
        way = self._chosen(domain, way, reference, slot)
        if way is None:
            return None
        tests: list[Test] = []
        for entry in entries_of(f"{slot}.", reference.filters, reference.ranges):
            test = await self._condition(entry, way.target)
            tests += [test] if test is not None else []
        tests = self._context.of_one_part(tests)
        inner = await self._joined(
            way.target, reference.references, f"{slot}.references", level + 1
        )
        return _join(slot, way, tuple(tests))._replace(
            joins=tuple(inner),
            negated=reference.none,
            repeated=way.repeated and not reference.direct,
            typed=typed,
        )

    async def _way(
        self, domain: Domain, reference: Reference, slot: str
    ) -> tuple[Way, bool] | None:
        """The way to the kind that a reference names, and whether its assets state that kind."""
        context = self._context
        target = context.domain(f"{slot}.domain", reference.domain)
        if target is None:
            return None
        way = context.ways.between(domain, target) or await self._stored(domain, target, slot)
        if way is None:
            connected = await context.ways.of(domain, context.assets)
            context.findings.gap(
                f"{slot}.domain",
                reference.domain,
                "unmapped",
                f"no declared connection joins {domain.name} and {target.name}"
                + (", and no stored one was found" if context.lexicon.observed.counted else "")
                + ": see discover_connections",
                [other.target.name for other in connected],
            )
            return None
        if way.paths and target not in context.assets and context.ways.is_only(domain, way):
            # A part is what its path leads to: it need not state a class.
            return way._replace(inverse_paths=()), False
        if way.stored:
            return way, True
        return await context.ways.as_used(domain, way), True

    async def _stored(self, domain: Domain, target: Domain, slot: str) -> Way | None:
        """The way between two kinds that only the assets make, which is reported."""
        way = await self._context.ways.stored_between(domain, target)
        if way is not None:
            over = [path.local() for path in way.paths]
            over += [f"^({path.local()})" for path in way.inverse_paths]
            self._context.findings.correction(
                f"{slot}.domain",
                target.name,
                f"{target.name}, connected over {', '.join(over[:6])}",
                "stored",
                certain=False,
            )
        return way

    def _chosen(self, domain: Domain, way: Way, reference: Reference, slot: str) -> Way | None:
        """The relation of a way that is asked for; a gap where there are several to choose from."""
        name = reference.over.strip()
        chosen = way.over(name) if name else way
        if chosen is not None and not (chosen.is_ambiguous and not name):
            return chosen
        relations = list(dict.fromkeys(path.local() for path in way.paths))
        relations += [f"^{path.local()}" for path in way.inverse_paths]
        self._context.findings.gap(
            f"{slot}.over",
            name or reference.domain,
            "unmapped" if name else "ambiguous",
            f"{domain.name} and {way.target.name} are connected over {', '.join(relations[:6])}: "
            "say in over which of them is meant",
            relations,
        )
        return None

    async def _condition(self, entry: Entry, target: Domain) -> Test | None:
        matches = await self._context.matches(entry.key, [target])
        if not matches:
            await self._context.unknown_key(entry, [target])
        elif len(matches) > 1:
            await self._context.ambiguous_key(entry, matches)
        else:
            self._context.report_key(entry, matches[0])
            return await self._context.test(entry, matches[0])
        return None


def part_of(domain: Domain, name: str) -> tuple[Way, bool] | None:
    """The way to the part that a property of an asset holds, such as `hasEngine`; it has no kind.

    The part is a domain of its own with the properties that lie behind that property, so that
    several conditions are met by one and the same part.
    """
    wanted = fold(name)
    for prop in domain.properties.values():
        called = (prop.local_name, prop.curie, prop.iri, *(text.value for text in prop.labels))
        if prop.kind != "node" or wanted not in map(fold, called):
            continue
        behind: dict[str, Property] = {}
        for key, other in domain.properties.items():
            paths = tuple(
                dict.fromkeys(
                    Path(path.steps[len(start.steps) :])
                    for path in other.paths
                    for start in prop.paths
                    if len(path.steps) > len(start.steps)
                    and path.steps[: len(start.steps)] == start.steps
                )
            )
            if paths:
                behind[key] = other._replace(paths=paths)
        if behind:
            part = Domain(
                f"{domain.name}/{prop.local_name}",
                prop.iri,
                prop.curie,
                properties=behind,
                part=True,
                labels=prop.labels,
            )
            return Way(part, prop.paths, (), declared=True), False
    return None


def merged(sent: Sequence[Join], inferred: Sequence[Join]) -> tuple[Join, ...]:
    """Both kinds of joins; an inferred condition goes to the one sent reference to its domain."""
    found = list(sent)
    for join in inferred:
        same = [
            at
            for at, other in enumerate(found)
            if other.domain is join.domain and not other.negated
        ]
        if len(same) == 1:
            other = found[same[0]]
            found[same[0]] = other._replace(tests=(*other.tests, *join.tests))
        else:
            found.append(join)
    return tuple(found)


def _as_sent(way: Way, match: Match, entry: Entry) -> str:
    """A condition of a connected asset as it can be sent."""
    part = "ranges" if entry.condition.filter is None else "filters"
    condition = {part: {match.name or entry.key: written(entry.condition)}}
    return f"references={json.dumps({'domain': way.target.name, **condition}, ensure_ascii=False)}"


def _join(slot: str, way: Way, tests: tuple[Test, ...]) -> Join:
    return Join(slot, way.target, way.paths, way.inverse_paths, tests, repeated=way.repeated)
