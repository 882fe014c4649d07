"""Where else a condition may hold, where shapes and data disagree.

What a property is asked for may stand under a homonym of another namespace, on a deeper or a
shallower path, on the other side of a relation, at a node with a value of its own, or in another
form: a name for an IRI, a word for a boolean, a text with its unit for a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from groundwire.errors import GroundwireError
from groundwire.graph.queries import CompiledQuery, Graph, Questions
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Term, iri_n3, literal_n3
from groundwire.ontology.forms import Asked, Forms, family, forms_of, unread_within
from groundwire.ontology.held import (
    Condition,
    Groups,
    Place,
    alike_text,
    change_of,
    declares,
    held_as_text,
    held_by,
    is_other,
    late,
    looked_at,
    of_kind,
    one_of,
    property_of,
    spread,
    terms_of,
    ways_of,
)
from groundwire.ontology.index.model import (
    Domain,
    Path,
    Property,
    Step,
    Text,
    local_name,
    spoken_name,
)
from groundwire.ontology.pages import in_a_row
from groundwire.ontology.parts import alternatives
from groundwire.ontology.plan import Join, Test
from groundwire.ontology.stored_properties import StoredProperties
from groundwire.vocabulary.fold import fold, split_words

_SUBCLASS_OF = "http://www.w3.org/2000/01/rdf-schema#subClassOf"
_MOST_VALUES = 2_000
_MOST_STEPS = 12
_MOST_NAMED = 4
# Whether assets differ in how they hold a property is looked at where it has so few statements.
_MOST_STATEMENTS = 20_000


class Elsewhere(Questions):
    """Looks for the places of conditions within a few seconds."""

    def __init__(self, stored: StoredProperties, graph: Graph) -> None:
        """Look in a graph for what `stored` finds there."""
        super().__init__(graph)
        self.stored = stored
        self._without: int | None = None

    async def place(self, domain: Domain, asked: Condition) -> Place:
        """Find the places of a condition on assets of a domain."""
        self.unanswered = False
        if self.is_late:
            return Place(unknown=late(asked))
        found = await (
            self._of_test(domain, asked)
            if isinstance(asked, Test)
            else self._of_join(domain, asked)
        )
        if self.unanswered and not found.readings:
            # What was not answered in time is not known to be missing.
            return found._replace(unknown=late(asked))
        return found

    async def differs(self, domain: Domain, asked: Test) -> bool:
        """Whether some assets may hold a property otherwise than others.

        Of a graph that was not counted, and of a predicate of many statements, that is not known.
        """
        self.begin()
        observed = self.stored.lexicon.observed
        own = {path.steps[-1].iri for path in asked.paths}
        if not observed.counted:
            return False
        named = await self._named(domain, own)
        if sum(map(observed.statements, named)) > _MOST_STATEMENTS:
            return False
        for iri in named:
            if iri not in own and declares(domain, iri):
                continue
            found = (await self.stored.paths_to(iri, "")).of(domain)
            if any(is_other(path, asked.paths, domain) for path in found):
                return True
            values = await observed.values(iri)
            kinds = {family(term) for term, _ in values.counts}
            if len(kinds) > 1 or sum(n for _, n in values.counts) < (values.statements or 0):
                return True
        return False

    async def as_stored(self, domain: Domain) -> Domain:
        """Return a kind with the stored classes that have its name, or stand below it."""
        instances = await self.stored.lexicon.observed.instances()
        own = {domain.class_iri, *domain.subclasses}
        declared = {each.class_iri for each in self.stored.lexicon.index.domains.values()}
        name = fold(local_name(domain.class_iri))
        more = {iri: None for iri in instances if fold(local_name(iri)) == name}
        below = Path((Step(_SUBCLASS_OF),))
        if self._may_match(below):
            listed = " ".join(map(iri_n3, sorted(own)))
            rows = await self.rows(
                f"?sub WHERE {{ ?sub {below.sparql()}+ ?class VALUES ?class {{ {listed} }} }}",
                _MOST_VALUES,
            )
            more |= {sub.value: None for (sub,) in rows if instances.get(sub.value)}
        more = {iri: None for iri in more if iri not in own and iri not in declared}
        if not more:
            return domain
        return Domain(
            domain.name,
            domain.class_iri,
            domain.curie,
            properties=domain.properties,
            subclasses=(*domain.subclasses, *more),
            superclasses=domain.superclasses,
            part=domain.part,
            labels=domain.labels,
        )

    # Values

    async def _of_test(self, domain: Domain, asked: Test) -> Place:
        prop = property_of(domain, asked)
        own = {path.steps[-1].iri for path in asked.paths}
        named = await self._named(domain, own)
        near, terms = await self._near(domain, asked)
        terms += await self._terms(domain, asked, named)
        forms, more_terms = await self._formed(domain, asked, prop, terms)
        held = held_by(forms)
        paths: dict[Path, None] = {}
        beside: dict[str, tuple[Path, ...]] = {}
        for iri in named:
            more = await self._other_paths(domain, asked.paths, iri, held)
            if iri not in own and declares(domain, iri):
                beside |= {iri: tuple(more)} if more else {}
            else:
                paths |= dict.fromkeys(more)
        wide = spread(forms, [*paths, *near], bool(named.keys() - own))
        readings = [wide] if wide != asked else []
        readings += [one_of(asked, groups, wide.paths) for groups in more_terms.same]
        doubts = [one_of(asked, groups, wide.paths) for groups in more_terms.like]
        doubts += [spread(forms, several, cast=True) for several in beside.values()]
        said = await self._said(domain, asked, readings, doubts, beside)
        return said._replace(
            readings=tuple(readings),
            doubts=tuple(doubts),
            change=change_of(asked, readings, self.stored.lexicon),
            looked=looked_at(domain, asked, named, self.stored.lexicon),
        )

    async def other_forms(self, domain: Domain, asked: Test, among: CompiledQuery | None) -> Place:
        """Find the other forms of the values of a condition, where it is declared alone.

        Args:
            domain: kind of the assets.
            asked: the condition.
            among: finds the assets that are looked at where not all values are known; None: every
                asset of the kind.
        """
        self.unanswered, self._without = False, None
        prop = property_of(domain, asked)
        own = {path.steps[-1].iri for path in asked.paths}
        terms = await self._terms(domain, asked, own, among)
        formed, more = await self._formed(domain, asked, prop, terms)
        readings = [formed] if formed != asked else []
        readings += [one_of(asked, groups, asked.paths) for groups in more.same]
        doubts = [one_of(asked, groups, asked.paths) for groups in more.like]
        said = self._doubted(asked, doubts)
        change = change_of(asked, readings, self.stored.lexicon)
        unknown = late(asked) if self.unanswered and not readings else ""
        return said._replace(
            readings=tuple(readings),
            doubts=tuple(doubts),
            change=change,
            unknown=unknown,
            without=self._without,
        )

    async def _named(self, domain: Domain, own: set[str]) -> dict[str, None]:
        """The predicates of a property and those that are stored under the same local name."""
        observed = self.stored.lexicon.observed
        found = dict.fromkeys(own)
        for iri in own:
            found |= dict.fromkeys(await observed.named(spoken_name(iri), domain))
        return {iri: None for iri in found if iri != RDF_TYPE}

    async def _other_paths(
        self, domain: Domain, known: Sequence[Path], iri: str, held: str
    ) -> list[Path]:
        """Paths to a predicate that are not known and that an asset of a domain has a value on."""
        found = await self.stored.paths_to(iri, held)
        self.unanswered = self.unanswered or not found.complete
        return [
            path
            for path in found.of(domain)
            if is_other(path, known, domain) and await self.holds(domain, [path], held)
        ]

    async def _near(self, domain: Domain, asked: Test) -> tuple[list[Path], list[Term]]:
        """Paths that end one step behind or before those of a property, with what they hold."""
        held = held_as_text(asked) or held_by(asked)
        paths: list[Path] = []
        terms: dict[Term, None] = {}
        may_end = self.stored.lexicon.observed.may_end
        usable = [path for path in asked.paths if self._may_match(path) and not path.repeats]
        usable = [path for path in usable if may_end(path, literal=False)]
        for path in usable if held else ():
            rows = await self.rows(
                f"?step ?value WHERE {{ ?asset {path.sparql()} ?node . FILTER(!isLiteral(?node)) "
                f"?node ?step ?value . FILTER(?step != {iri_n3(RDF_TYPE)}) {held} "
                f"{of_kind(domain)} }}",
                _MOST_VALUES,
            )
            paths += [Path((*path.steps, Step(step.value))) for step, _ in rows]
            terms |= dict.fromkeys(value for _, value in rows)
        shorter = {Path(path.steps[:-1]) for path in asked.paths if len(path.steps) > 1}
        for path in sorted(shorter - set(asked.paths)) if held else ():
            if not self._may_match(path) or not may_end(path, literal=True):
                continue
            rows = await self.rows(
                f"?value WHERE {{ ?asset {path.sparql()} ?value . {held} "
                f"FILTER(isLiteral(?value)) {of_kind(domain)} }}",
                _MOST_VALUES,
            )
            paths += [path] if rows else []
            terms |= dict.fromkeys(value for (value,) in rows)
        return list(dict.fromkeys(paths)), list(terms)

    async def _formed(
        self, domain: Domain, asked: Test, prop: Property, terms: Sequence[Term]
    ) -> tuple[Test, Groups]:
        """The condition with all forms of its values, and what it is where they are no terms."""
        concepts = (await self.stored.lexicon.values(domain, prop)).concepts.values()
        # What the data call things, and what the shapes call them.
        labels = dict(await self._labels(terms))
        for one in concepts:
            for term in one.terms:
                labels[term.value] = (*labels.get(term.value, ()), *one.names)

        def forms(group: Sequence[Term]) -> Forms:
            held = set(group)
            names = [
                text.value
                for one in concepts
                if held & {*one.terms, one.declared}
                for text in one.names
            ]
            return forms_of(Asked(tuple(group), tuple(names)), terms, labels, prop)

        any_of = forms(asked.any_of) if asked.any_of else Forms()
        none_of = forms(asked.none_of) if asked.none_of else Forms()
        all_of = [forms(group) for group in asked.all_of]
        formed = asked._replace(
            any_of=asked.any_of + any_of.same,
            none_of=asked.none_of + none_of.same,
            all_of=tuple(
                group + more.same for group, more in zip(asked.all_of, all_of, strict=True)
            ),
        )
        groups = Groups()
        like = [*([any_of] if asked.any_of else []), *all_of]
        if any(one.like for one in like):
            whole = [*([formed.any_of] if asked.any_of else []), *formed.all_of]
            groups.like.append([(*own, *one.like) for own, one in zip(whole, like, strict=True)])
        if asked.contains:
            called = {
                term: [text.value for text in labels.get(term.value, ())]
                + [" ".join(split_words(local_name(term.value)).plain)]
                for term in terms
                if term.kind == "iri"
            }
            for one in concepts:
                for term in one.terms:
                    called.setdefault(term, []).extend(text.value for text in one.names)
            groups.add_same(
                [
                    tuple(
                        term
                        for term, names in called.items()
                        if any(text.lower() in name.lower() for name in names)
                    )
                    for text in asked.contains
                ]
            )
        limits = asked.limits
        if limits:
            read = [unread_within(terms, each, prop) for each in limits]
            groups.add_same([one.same for one in read])
            groups.add_like([(*one.same, *one.like) for one in read])
        return formed, groups

    async def _terms(
        self, domain: Domain, asked: Test, named: Iterable[str], among: CompiledQuery | None = None
    ) -> list[Term]:
        """The terms that are stored under some predicates, of which one may be meant."""
        if not (asked.any_of or asked.all_of or asked.contains or asked.limits):
            return []
        observed = self.stored.lexicon.observed
        found: dict[Term, None] = {}
        for iri in named:
            if observed.counted:
                values = await observed.values(iri)
                if values.complete:
                    found |= dict.fromkeys(term for term, _ in values.counts)
                    continue
            pattern = alike_text(asked)
            if pattern:
                paths = [path for path in asked.paths if path.steps[-1].iri == iri]
                held = f"?asset {alternatives(paths) if paths else iri_n3(iri)} ?value . {pattern}"
                if among is not None:
                    found |= dict.fromkeys(await self._held_among(among, held))
                    continue
                kind = of_kind(domain) if paths else ""
                rows = await self.rows(f"?value WHERE {{ {held} {kind} }}", _MOST_VALUES)
                found |= dict.fromkeys(term for (term,) in rows)
        return list(found)

    async def _held_among(self, among: CompiledQuery, held: str) -> list[Term]:
        """Return the values that the assets of a search hold, with their numbers."""
        # Engines find what is optional last: what these assets hold, and not all values.
        body = f"WHERE {{ {{ {among} }} OPTIONAL {{ {held} }} }}"
        counted = await self.rows(
            f"?value (COUNT(DISTINCT ?asset) AS ?n) {body} GROUP BY ?value", _MOST_VALUES
        )
        if self.refused:
            self.unanswered = False
            return [term for row in await self.rows(f"?value {body}", _MOST_VALUES) for term in row]
        if len(counted) == 1 and len(counted[0]) == 1 and not self.unanswered:
            self._without = int(counted[0][0].value)
        return [row[0] for row in counted if len(row) > 1]

    async def _labels(self, terms: Iterable[Term]) -> Mapping[str, tuple[Text, ...]]:
        iris = [term.value for term in terms if term.kind == "iri"]
        try:
            return await self.stored.lexicon.observed.labels(iris)
        except GroundwireError:
            self.unanswered = True
            return {}

    async def _said(
        self,
        domain: Domain,
        asked: Test,
        readings: Sequence[Condition],
        doubts: Sequence[Condition],
        beside: Iterable[str],
    ) -> Place:
        """Return the remark on a condition on values, with what may be sent in its place."""
        compact, kind, name = self.stored.lexicon.compact, domain.name, asked.name
        notes: list[str] = []
        offers: list[str] = []
        unknown = ""
        for iri in beside:
            notes.append(f"{compact(iri)} of {kind} is another property, which holds this")
            offers.append(compact(iri))
        if not beside:
            doubted = self._doubted(asked, doubts)
            notes += doubted.notes
            offers += doubted.offers
        if not readings and not await self.holds(domain, asked.paths, ""):
            unknown = f"no {kind} asset has a {name} under any name or path, though declared"
            others = await self._kinds_with(domain, asked, held_by(asked))
            if others:
                unknown = (
                    f"no {kind} asset has a {name}, but of this one there are in: "
                    f"{in_a_row(others, _MOST_NAMED)}"
                )
                offers += [f'domains=["{other}"]' for other in others[:_MOST_NAMED]]
        elif not (readings or doubts or await self.holds(domain, asked.paths, held_by(asked))):
            others = await self._kinds_with(domain, asked, held_by(asked))
            if others:
                notes.append(f"assets with such a {name} are in: {in_a_row(others, _MOST_NAMED)}")
        return Place(notes=tuple(notes), offers=tuple(offers), unknown=unknown)

    def _doubted(self, asked: Test, doubts: Sequence[Condition]) -> Place:
        """Return the remark on values that may be meant."""
        like = dict.fromkeys(term.value for one in doubts for term in terms_of(one))
        texts = [text for text in like if text not in {term.value for term in terms_of(asked)}]
        if not texts:
            return Place()
        shown = in_a_row([repr(text) for text in texts], _MOST_NAMED)
        offers = [f"filters.{asked.name}={literal_n3(text)}" for text in texts[:_MOST_NAMED]]
        note = f"{asked.name} is also stored as {shown}, which may be meant"
        return Place(notes=(note,), offers=tuple(offers))

    async def _kinds_with(self, domain: Domain, asked: Condition, held: str) -> list[str]:
        """Names of other kinds that hold what a condition asks for."""
        found: dict[str, None] = {}
        for iri in {path.steps[-1].iri for path in ways_of(asked)} - {RDF_TYPE}:
            paths = await self.stored.paths_to(iri, held)
            for each in self.stored.assets:
                if each is not domain and await self.holds(each, paths.of(each), held):
                    found[each.name] = None
        return list(found)

    # Connected assets

    async def _of_join(self, domain: Domain, asked: Join) -> Place:
        target = await self.as_stored(asked.domain)
        wide = asked._replace(domain=target)
        held = held_by(wide)
        own = {path.steps[-1].iri for path in ways_of(asked)}
        named = await self._named(domain, own)
        known = ways_of(asked)
        paths: dict[Path, None] = {}
        for iri in named:
            paths |= dict.fromkeys(await self._other_paths(domain, known, iri, held))
        paths |= dict.fromkeys(await self._direct(domain, wide, known))
        for path in known:
            again = Path((*path.steps[:-1], path.steps[-1]._replace(repeat="+")))
            last = Path((path.steps[-1],))
            if not path.repeats and await self.ask(
                f"?asset {path.sparql()} ?next . ?next {last.sparql()} ?value . {held} "
                f"{of_kind(domain)}"
            ):
                paths[again] = None
        readings: list[Condition] = []
        if paths or target is not asked.domain:
            readings = [wide._replace(paths=(*known, *paths), inverse_paths=())]
        unknown = ""
        looked = tuple(dict.fromkeys(f"{domain.name} {path.local()}" for path in (*known, *paths)))
        if not readings and not await self.holds(domain, known, held):
            unknown = await self._unconnected(domain, asked, known)
        return Place(
            readings=tuple(readings),
            unknown=unknown,
            change=change_of(asked, readings, self.stored.lexicon),
            looked=looked or (f"connected {asked.domain.name}",),
        )

    async def _direct(self, domain: Domain, asked: Join, known: Sequence[Path]) -> list[Path]:
        """Single steps between assets of both kinds that no connection names, either way."""
        held = held_by(asked)
        found: list[Path] = []
        for inverse, link in ((False, "?asset ?step ?value"), (True, "?value ?step ?asset")):
            rows = await self.rows(
                f"?step WHERE {{ {link} . {held} {of_kind(domain)} }}", _MOST_STEPS
            )
            steps = [Path((Step(step.value, inverse),)) for (step,) in rows]
            found += [path for path in steps if path not in known]
        return found

    async def _unconnected(self, domain: Domain, asked: Join, known: Sequence[Path]) -> str:
        """Why no asset of a domain is connected with one of another kind; "" where it is sure."""
        kind, other = domain.name, asked.domain.name
        usable = [path for path in known if self._may_match(path)]
        if not usable or not await self.holds(domain, usable, ""):
            return f"no {kind} asset names a {other}, nor is it named by one, on any path"
        untyped = f"FILTER NOT EXISTS {{ ?value a ?any }} {of_kind(domain)}"
        if await self.ask(f"?asset {alternatives(usable)} ?value . {untyped}"):
            way = ", ".join(path.local() for path in usable[:2])
            return f"what {way} of {kind} leads to is not described as {other} in the data"
        return ""

    async def holds(self, domain: Domain, paths: Sequence[Path], held: str) -> bool:
        """Whether an asset of a domain holds a value on one of some paths."""
        usable = [path for path in paths if self._may_match(path)]
        if not usable:
            return False
        return await self.ask(f"?asset {alternatives(usable)} ?value . {held} {of_kind(domain)}")

    async def is_anywhere(self, paths: Sequence[Path], held: str) -> bool:
        """Whether anything holds a value where the paths end, which is asked quickly."""
        last = dict.fromkeys(Path(path.steps[-1:]) for path in paths)
        return await self.ask(f"?any {alternatives(list(last))} ?value . {held}")

    def _may_match(self, path: Path) -> bool:
        return self.stored.lexicon.observed.may_match(path)
