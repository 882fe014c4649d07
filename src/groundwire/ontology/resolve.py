"""Slots to plan: which domains are meant, which property each key names, what is joined.

What was asked is never widened: a slot that cannot be used is a gap, and a search with a gap of
its own is not run. Source: specs/ontology.md, "Slots to answer", 2 to 4.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Sequence

from groundwire.graph.queries import Graph
from groundwire.ontology.aggregates import Aggregate, resolve_aggregate
from groundwire.ontology.conditions import Condition
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.lexicon import Lexicon, Match
from groundwire.ontology.plan import Aggregation, Branch, Grouping, Known, Ordering, Plan, Test
from groundwire.ontology.references import Context, Entry, Joiner, entries_of, merged
from groundwire.ontology.results import Findings
from groundwire.ontology.slots import Reference, Slots
from groundwire.ontology.zeros import Looked

# A domain with the entries it has a property for; an entry without one needs a connected domain.
_Placed = dict[str, list[tuple[Entry, Match | None]]]


class Resolver:
    """Resolves one submission; what it has to report goes to `findings`."""

    def __init__(self, lexicon: Lexicon, graph: Graph, assets: Sequence[Domain]) -> None:
        """Resolve against a catalogue.

        Args:
            lexicon: the catalogue's vocabularies.
            graph: its assets.
            assets: the domains that have assets of their own; all domains where none has.
        """
        self._catalogue = (lexicon, graph, assets)
        self._context = Context(lexicon, graph, assets)
        self._joiner = Joiner(self._context)

    def again(self) -> Resolver:
        """Another resolver of the same catalogue, for another submission."""
        return Resolver(*self._catalogue)

    @property
    def findings(self) -> Findings:
        """Corrections and gaps found so far."""
        return self._context.findings

    async def plan(
        self, slots: Slots, sort: str = "", count_by: str = "", aggregate: Aggregate | None = None
    ) -> Plan | None:
        """The plan of a submission, or None where a gap keeps it from being run."""
        sent = [self._context.domain(f"domains[{at}]", raw) for at, raw in enumerate(slots.domains)]
        if self.findings.gaps:
            # Within the wrong domains every key would be one more gap.
            return None
        entries = entries_of("", slots.filters, slots.ranges)
        domains = [domain for domain in dict.fromkeys(sent) if domain is not None]
        if not domains:
            domains = await self._domains_of(entries, slots.references)
        branches = await self._branches(domains, entries, slots.references) if domains else []
        if self.findings.gaps or not branches:
            return None
        ordering = await self._ordering(sort, branches) if sort else None
        grouping = await self._grouping(count_by, branches) if count_by else None
        aggregation = await self._aggregation(aggregate, branches) if aggregate else None
        if self.findings.gaps:
            return None
        return Plan(tuple(branches), ordering, grouping, aggregation)

    # Domains that were not sent

    async def _domains_of(
        self, entries: Sequence[Entry], references: Sequence[Reference]
    ) -> list[Domain]:
        """The domains that have every property asked for; ambiguous keys are read last."""
        domains = list(self._context.assets)
        pending: list[Entry] = []
        for entry in entries:
            if not await self._context.matches(entry.key, self._context.assets):
                await self._context.unknown_key(entry, self._context.assets)
                return []
            matches = await self._context.matches(entry.key, domains)
            if _properties(matches) > 1:
                pending.append(entry)
                continue
            domains = _of(matches)
        for entry in pending:
            matches = await self._context.matches(entry.key, domains)
            if _properties(matches) > 1:
                await self._context.ambiguous_key(entry, matches, entries)
                return []
            domains = _of(matches)
        if not domains:
            self._nothing_has_all(entries)
        for at, reference in enumerate(references):
            domains = self._connected(domains, reference, at)
        return domains

    def _nothing_has_all(self, entries: Sequence[Entry]) -> None:
        """Every key is known, but no domain has all of them."""
        for entry in entries:
            matches = self._context.keys.matches(entry.key, self._context.assets)
            names = dict.fromkeys(match.domain.name for match in matches)
            self.findings.gap(
                entry.slot,
                entry.key,
                "ambiguous",
                f"no domain has all of these properties ({entry.key} is one of "
                f"{', '.join(names)}): send the domain of the assets you want, and ask for the "
                "rest in references",
                [f'domains=["{name}"]' for name in names],
            )

    def _connected(self, domains: Sequence[Domain], reference: Reference, at: int) -> list[Domain]:
        lexicon = self._context.lexicon
        named = lexicon.domain(reference.domain, self._context.assets)
        if named.term is None:
            # The joiner reports it.
            return list(domains)
        target = lexicon.index.domains[named.term.id]
        found = [domain for domain in domains if self._context.ways.between(domain, target)]
        if domains and not found:
            self.findings.gap(
                f"references[{at}].domain",
                reference.domain,
                "unmapped",
                f"nothing that has the other properties is connected with {target.name}: send "
                "the domain of the assets you want",
                [f'domains=["{domain.name}"]' for domain in self._context.assets],
            )
        return found

    # Branches

    async def _branches(
        self, domains: Sequence[Domain], entries: Sequence[Entry], references: Sequence[Reference]
    ) -> list[Branch]:
        placed: _Placed = {domain.name: [] for domain in domains}
        remaining = list(domains)
        for entry in entries:
            remaining = await self._place(entry, remaining, placed)
            if not remaining:
                return []
        branches: list[Branch] = []
        for domain in remaining:
            tests: list[Test] = []
            inferred = [
                await self._joiner.inferred(domain, entry)
                for entry, match in placed[domain.name]
                if match is None
            ]
            for entry, match in placed[domain.name]:
                test = await self._context.test(entry, match) if match is not None else None
                tests += [test] if test is not None else []
            tests = self._context.of_one_part(tests)
            sent = await self._joiner.sent(domain, references)
            if self.findings.gaps:
                return []
            joins = merged(sent, [join for join in inferred if join is not None])
            branches.append(Branch(domain, tuple(tests), joins))
        return branches

    async def _place(self, entry: Entry, domains: list[Domain], placed: _Placed) -> list[Domain]:
        """Find the property in each domain; the domains that can meet the condition remain."""
        matches = await self._context.matches(entry.key, domains)
        by_domain: dict[str, list[Match]] = {}
        for match in matches:
            by_domain.setdefault(match.domain.name, []).append(match)
        for several in by_domain.values():
            if len(several) > 1:
                await self._context.ambiguous_key(entry, several)
                return []
        if not matches:
            kept = [domain for domain in domains if await self._joiner.targets(domain, entry.key)]
            if not kept:
                await self._context.unknown_key(entry, domains)
        else:
            self._context.report_key(entry, matches[0])
            kept = [domain for domain in domains if domain.name in by_domain]
        for domain in kept:
            found = by_domain.get(domain.name)
            placed[domain.name].append((entry, found[0] if found else None))
        left = [domain.name for domain in domains if domain not in kept]
        if left and kept:
            self.findings.correction(
                entry.slot,
                ", ".join(domain.name for domain in domains),
                f"domains={json.dumps([domain.name for domain in kept], ensure_ascii=False)}",
                "domain",
                certain=False,
            )
        return kept

    async def zero(self, plan: Plan) -> Looked:
        """Return what a search that found nothing may have missed."""
        return await self._context.zeros.look(plan)

    async def fewer(self, plan: Plan) -> Looked | None:
        """Return the further assets that hold a property otherwise, or None."""
        return await self._context.zeros.fewer(plan)

    async def lacking(self, plan: Plan, probe: Callable[[], Awaitable[Known]]) -> Looked | None:
        """Return what assets that lack something hold elsewhere, or None."""
        return await self._context.zeros.lacking(plan, probe)

    # Sorting and counting

    async def _ordering(self, sort: str, branches: Sequence[Branch]) -> Ordering | None:
        key, descending = read_sort(sort)
        found = await self._each("sort", key, branches)
        return found and Ordering(found[0], found[1], descending)

    async def _grouping(self, count_by: str, branches: Sequence[Branch]) -> Grouping | None:
        found = await self._each("count_by", count_by.strip(), branches)
        return found and Grouping(*found)

    async def _aggregation(
        self, aggregate: Aggregate, branches: Sequence[Branch]
    ) -> Aggregation | None:
        matches = await self._in_each("aggregate.property", aggregate.property.strip(), branches)
        if matches is None:
            return None
        return await resolve_aggregate(aggregate, matches, branches, self._context)

    async def _each(
        self, slot: str, key: str, branches: Sequence[Branch]
    ) -> tuple[str, tuple[tuple[Path, ...], ...]] | None:
        """The paths of a property in every branch, or None after a gap was reported."""
        matches = await self._in_each(slot, key, branches)
        if matches is None:
            return None
        first = matches[0]
        name = first.name or self._context.lexicon.key_of(first.domain, first.prop)
        return name, tuple(match.paths for match in matches)

    async def _in_each(self, slot: str, key: str, branches: Sequence[Branch]) -> list[Match] | None:
        """A property in every branch, in their order, or None after a gap was reported."""
        domains = [branch.domain for branch in branches]
        as_stored = self._context.stored.as_stored
        matches = [await as_stored(match) for match in await self._context.matches(key, domains)]
        by_domain = {match.domain.name: match for match in matches}
        missing = [domain.name for domain in domains if domain.name not in by_domain]
        several = len(matches) > len(by_domain)
        if missing or several:
            self.findings.gap(
                slot,
                key,
                "ambiguous" if several else "unmapped",
                f"{key!r} names several properties"
                if several
                else f"{', '.join(missing)} has no property {key!r}: see discover_properties",
                [match.prop.curie for match in matches]
                if several
                else self._context.keys.suggestions(key, domains),
            )
            return None
        self._context.report_key(Entry(slot, key, Condition()), matches[0])
        return [by_domain[domain.name] for domain in domains]


def read_sort(sort: str) -> tuple[str, bool]:
    """A sort key and whether it descends: `length`, `-length`, `length desc`."""
    text = sort.strip()
    lowered = text.casefold()
    for ending, descending in (
        (" descending", True),
        (" desc", True),
        (":desc", True),
        (" ascending", False),
        (" asc", False),
        (":asc", False),
    ):
        if lowered.endswith(ending):
            return text[: -len(ending)].strip(), descending
    return (text[1:].strip(), True) if text.startswith("-") else (text.removeprefix("+"), False)


def _properties(matches: Sequence[Match]) -> int:
    return len({match.prop.key for match in matches})


def _of(matches: Sequence[Match]) -> list[Domain]:
    return list(dict.fromkeys(match.domain for match in matches))
