"""The catalogues that the ontology eval searches, and what can be left out of them.

A world is one catalogue as the server opens it. Its words can be hidden and its terms left out,
so that a case can ask for what exists elsewhere but not here.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from groundwire.graph.statistics import RDF_TYPE
from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.concepts import Concept, Values
from groundwire.ontology.connections import Ways
from groundwire.ontology.index import model
from groundwire.ontology.index.model import Domain, Property, ShapeIndex, local_name
from groundwire.ontology.lexicon import Lexicon
from groundwire.ontology.observed import Kind, Observed
from groundwire.vocabulary import KnownWords, Resolution, Term, Vocabulary, fold
from groundwire.vocabulary.fold import singular, split_words
from tests.evals.ontology_meaning import renamed
from tests.shared_data import shared_folder

ROOT = Path(__file__).parents[2]
SHARED = shared_folder("data", "ontology")
LONGEST_VALUE = 120
# A property with more values than this, none of them declared, holds names or free text.
CONTROLLED_UP_TO = 60


class HiddenWords(KnownWords):
    """Known words, some of which can be hidden for one case."""

    hidden: frozenset[str] = frozenset()

    def of_texts(self, word: str) -> bool:
        if word in self.hidden or singular(word) in self.hidden:
            return False
        return super().of_texts(word)


class Forms:
    """Which terms of a vocabulary a text names when only spelling is folded."""

    def __init__(self, terms: Iterable[Term]) -> None:
        self._owners: dict[str, set[str]] = defaultdict(set)
        self.of_term: dict[str, tuple[str, ...]] = {}
        for term in terms:
            forms = (term.label, *(() if "://" in term.id else (term.id,)), *term.aliases)
            self.of_term[term.id] = tuple(dict.fromkeys(forms))
            for form in forms:
                self._owners[fold(form)].add(term.id)

    def owners(self, text: str) -> set[str]:
        return self._owners.get(fold(text), set())

    def names(self, text: str, identifier: str) -> bool:
        """Whether the text names this term and no other."""
        return self.owners(text) == {identifier}

    def folded(self) -> Iterable[str]:
        return self._owners


@dataclass(frozen=True)
class Place:
    """A property of a domain with assets, and what is known of its values.

    `paths` are where it is read: a declared property that no asset stores is read as what the
    assets store under its name.
    """

    domain: Domain
    prop: Property
    kind: Kind
    values: Values
    forms: Forms
    concepts: tuple[Concept, ...]
    paths: tuple[model.Path, ...]

    @property
    def controlled(self) -> bool:
        listed = bool(self.prop.enum or self.prop.individuals)
        return bool(self.concepts) and (listed or len(self.concepts) <= CONTROLLED_UP_TO)


@dataclass
class World:
    """One opened catalogue.

    `empty_paths` are those of declared properties that are stored as others of their name: a plan
    may name them or not. `same_terms` are values of those others, each with the declared one that
    has its name: either may be searched for.
    """

    name: str
    catalogue: Catalogue
    state: State
    lexicon: Lexicon
    known: HiddenWords
    places: list[Place] = field(default_factory=list)
    properties: dict[str, Forms] = field(default_factory=dict)
    connected: dict[str, dict[str, bool]] = field(default_factory=dict)
    uses: Counter[str] = field(default_factory=Counter)
    empty_paths: set[model.Path] = field(default_factory=set)
    same_terms: dict[Any, Any] = field(default_factory=dict)
    _domains: Forms | None = None

    @property
    def assets(self) -> tuple[Domain, ...]:
        return self.state.assets

    @property
    def domains(self) -> Forms:
        """The names of domains with assets and of all others."""
        if self._domains is None:
            self._domains = Forms(map(_domain_term, self.state.index.domains.values()))
        return self._domains

    def of_kind(self, *kinds: Kind, controlled: bool | None = None) -> list[Place]:
        return [
            place
            for place in self.places
            if place.kind in kinds
            and (place.kind != "term" or place.concepts)
            and (controlled is None or place.controlled == controlled)
        ]

    def place(self, domain: Domain, key: str) -> Place | None:
        found = (p for p in self.places if p.domain is domain and p.prop.key == key)
        return next(found, None)

    def key_of(self, place: Place) -> str:
        """The local name of a property, or what names it and no other property of the domain."""
        forms = self.properties[place.domain.name]
        names = (place.prop.local_name, place.prop.curie, place.prop.iri)
        return next((name for name in names if forms.names(name, place.prop.key)), place.prop.iri)

    def owners(self, key: str, domains: Sequence[Domain]) -> list[tuple[Domain, str]]:
        """The properties that a key names in domains, when only spelling is folded."""
        return [
            (domain, owner)
            for domain in domains
            for owner in sorted(self.properties[domain.name].owners(key))
        ]

    def means(self, found: Any, right: Iterable[Any]) -> bool:
        """Whether a meaning is one of those that are right."""
        found = renamed(found, self.same_terms)
        return any(found == renamed(each, self.same_terms) for each in right)

    def words_of_its_own(self, forms: Iterable[str]) -> frozenset[str]:
        """Words of a term that no other name in the catalogue has."""
        texts = set(forms)
        here = Counter(word for text in texts for word in set(split_words(text).plain))
        return frozenset(word for word, count in here.items() if self.uses[word] <= count)


async def open_worlds(home: Path) -> tuple[list[World], list[str]]:
    """The worlds that are there, and a line for each that is not."""
    found: list[World] = []
    missing: list[str] = []
    own = ROOT / "shapes"
    envited = SHARED / "envited"
    instances = sorted((SHARED / "catalogue").glob("*.jsonld"))
    for name, shapes, assets in (
        (
            "embedded",
            sorted([*own.glob("*.shacl.ttl"), *own.glob("*.owl.ttl")]),
            [own / "catalogue.ttl"],
        ),
        ("envited", [envited], instances),
    ):
        if all(path.exists() for path in (*shapes, *assets)) and shapes and assets:
            found.append(await _open(name, shapes, assets, home))
        else:
            missing.append(f"{name}: skipped, since its shapes or assets are not there")
    return found, missing


async def _open(name: str, shapes: Sequence[Path], assets: Sequence[Path], home: Path) -> World:
    catalogue = Catalogue(shapes, assets, home)
    state = await catalogue.state()
    known = HiddenWords(state.index.words())
    lexicon = Lexicon(state.index, AsDeclared(state.observed), known)
    world = World(name, catalogue, state, lexicon, known)
    ways = Ways(state.index, state.observed)
    texts: set[str] = set()
    for domain in state.index.domains.values():
        texts.update((domain.name, *(label.value for label in domain.labels)))
        for prop in domain.properties.values():
            texts.update((prop.local_name, *(label.value for label in prop.labels)))
    for domain in state.assets:
        world.properties[domain.name] = Forms(lexicon.properties(domain))
        world.connected[domain.name] = {
            way.target.name: way.declared for way in await ways.of(domain, state.assets)
        }
        for prop in domain.properties.values():
            if prop.kind == "node" or prop.iri == RDF_TYPE:
                # The class of a part is asked for by no word.
                continue
            values = await lexicon.values(domain, prop)
            kind = values.observed.kind_of(prop)
            forms = Forms(values.vocabulary)
            concepts = tuple(
                concept
                for key, concept in values.concepts.items()
                if kind == "term"
                and len(concept.label) <= LONGEST_VALUE
                and concept.label.isprintable()
                and forms.names(concept.label, key)
            )
            paths = prop.paths
            if prop.declared and not values.observed.counts:
                stored = _of_its_name(domain, prop)
                paths = tuple(path for other in stored for path in other.paths) or paths
                world.empty_paths.update(prop.paths if stored else ())
                for other in stored:
                    world.same_terms.update(_same(await lexicon.values(domain, other), values))
            world.places.append(Place(domain, prop, kind, values, forms, concepts, paths))
            texts.update(form for names in forms.of_term.values() for form in names)
    world.uses = Counter(word for text in texts for word in set(split_words(text).plain))
    known.prepare()
    return world


def _of_its_name(domain: Domain, prop: Property) -> list[Property]:
    """What assets store under the name of a declared property that none has."""
    name = fold(prop.local_name)
    named = (other for other in domain.properties.values() if fold(other.local_name) == name)
    return [other for other in named if not other.declared]


def _same(stored: Values, declared: Values) -> dict[Any, Any]:
    """Each stored value that is declared under the same local name, with the declared one."""
    by_name = {fold(local_name(t.value)): t for c in declared.concepts.values() for t in c.terms}
    return {
        term: by_name[name]
        for concept in stored.concepts.values()
        for term in concept.terms
        if term.kind == "iri" and (name := fold(local_name(term.value))) in by_name
    }


class AsDeclared:
    """What a graph holds, as if nothing were stored that is not declared.

    Cases ask for declared terms, and for terms that are neither declared nor stored; what is read
    as it is stored is tested in tests/ontology/test_elsewhere.py.
    """

    def __init__(self, observed: Observed) -> None:
        self._observed = observed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._observed, name)

    async def named(self, name: str, domain: Domain) -> list[str]:
        return []


class _Hiding:
    """What a catalogue holds, without some terms."""

    def __init__(self, whole: Any, hidden: frozenset[Any]) -> None:
        self._whole = whole
        self._hidden = hidden

    def __getattr__(self, name: str) -> Any:
        return getattr(self._whole, name)

    async def values(self, predicate: str) -> Any:
        return self._without(await self._whole.values(predicate))

    async def values_of(self, domain: Domain, prop: Property) -> Any:
        return self._without(await self._whole.values_of(domain, prop))

    def _without(self, found: Any) -> Any:
        left = tuple(pair for pair in found.counts if pair[0] not in self._hidden)
        return found._replace(counts=left)


def _terms_of(place: Place, keys: frozenset[str]) -> frozenset[Any]:
    concepts = place.values.concepts
    return frozenset(term for key in keys if key in concepts for term in concepts[key].terms)


class Lacking(Lexicon):
    """A lexicon without some terms: values of one property, properties, or a domain."""

    def __init__(
        self,
        world: World,
        *,
        values: tuple[Place, frozenset[str]] | None = None,
        properties: frozenset[tuple[str, str]] = frozenset(),
        domain: str | None = None,
    ) -> None:
        whole = world.lexicon
        index = whole.index
        if properties or domain:
            index = _without(index, world.assets, properties, domain)
        hidden = _terms_of(*values) if values else frozenset()
        observed = _Hiding(whole.observed, hidden) if hidden else whole.observed
        super().__init__(index, observed, world.known)
        self._whole = whole
        self._gone = properties
        self._place = values and values[0]
        self._values_left = values and _values_without(values[0].values, values[1])
        self._narrowed = bool(domain)

    def domain(self, raw: str, assets: Sequence[Domain]) -> Resolution:
        return super().domain(raw, assets) if self._narrowed else self._whole.domain(raw, assets)

    def properties(self, domain: Domain) -> Vocabulary:
        known = super() if self._gone else self._whole
        return known.properties(domain)

    async def values(self, domain: Domain, prop: Property) -> Values:
        if self._place and (domain.name, prop.key) == (
            self._place.domain.name,
            self._place.prop.key,
        ):
            return self._values_left
        return await self._whole.values(domain, prop)

    async def values_anywhere(self, domain: Domain, prop: Property) -> Values:
        if self._place and prop.key == self._place.prop.key:
            return self._values_left
        return await self._whole.values_anywhere(domain, prop)

    async def values_as_labelled(self, domain: Domain, prop: Property) -> Values:
        return await self.values(domain, prop)

    async def holders(self, domain: Domain, raw: str) -> list[tuple[Property, Concept]]:
        found = await self._whole.holders(self._whole.index.domains[domain.name], raw)
        return [pair for pair in found if (domain.name, pair[0].key) not in self._gone]


def _domain_term(domain: Domain) -> Term:
    labels = (label.value for label in domain.labels)
    names = (domain.curie, domain.class_iri, local_name(domain.class_iri), *labels)
    return Term(domain.name, domain.name, names)


def _values_without(values: Values, gone: frozenset[str]) -> Values:
    known = values.vocabulary.known_words
    left = [term for term in values.vocabulary if term.id not in gone]
    concepts = {key: concept for key, concept in values.concepts.items() if key not in gone}
    return Values(concepts, Vocabulary(left, known), values.observed, values.closed)


def _without(
    index: ShapeIndex,
    assets: Sequence[Domain],
    properties: frozenset[tuple[str, str]],
    domain: str | None,
) -> ShapeIndex:
    domains = {name: found for name, found in index.domains.items() if name != domain}
    for asset in assets:
        gone = {key for name, key in properties if name == asset.name}
        if gone and asset.name in domains:
            left = {key: prop for key, prop in asset.properties.items() if key not in gone}
            domains[asset.name] = Domain(
                asset.name,
                asset.class_iri,
                asset.curie,
                properties=left,
                subclasses=asset.subclasses,
                superclasses=asset.superclasses,
                part=asset.part,
                labels=asset.labels,
                descriptions=asset.descriptions,
                sources=asset.sources,
            )
    return ShapeIndex(domains, index.connections, index.prefixes)
