"""Connected assets: references that were sent, and those that a condition needs.

Over declared paths, else those that the assets have themselves. Source: specs/ontology.md, "Slots
to answer", 3 and 4.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from groundwire.ontology.conditions import written
from groundwire.ontology.connections import Way
from groundwire.ontology.context import Context, Entry, entries_of
from groundwire.ontology.index.model import Domain, Path, Property
from groundwire.ontology.lexicon import Match
from groundwire.ontology.plan import Join, Test
from groundwire.ontology.slots import Reference
from groundwire.vocabulary import fold

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
