"""The controlled terms of a catalogue as vocabularies, and the keys by which callers name them.

A vocabulary is built when it is first needed and kept as long as shapes and assets stay as they
are. A key is a local name, a label, a CURIE, an IRI, or the end of a path.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

from groundwire.errors import GroundwireError
from groundwire.graph.queries import Graph
from groundwire.graph.statistics import RDF_TYPE
from groundwire.graph.terms import Term as RdfTerm
from groundwire.ontology.concepts import (
    Concept,
    ValueNames,
    Values,
    code_labels,
    declared_values,
    distinct,
    forms_of,
    is_term,
    texts_of,
    value_term,
)
from groundwire.ontology.forms import variants_of
from groundwire.ontology.index.model import (
    Domain,
    EnumValue,
    Path,
    Property,
    ShapeIndex,
    Text,
    compact,
    local_name,
)
from groundwire.ontology.observed import Observed, ObservedValues, labels_in
from groundwire.vocabulary import KnownWords, Policy, Resolution, Term, Vocabulary, fold

# The values of an inverse property are subjects, which nobody lists.
_UNREAD = ObservedValues(complete=False)


class Lexicon:
    """Vocabularies of one index and what is observed of its assets."""

    def __init__(
        self,
        index: ShapeIndex,
        observed: Observed,
        known: KnownWords,
        schema: Callable[[], Awaitable[Graph]] | None = None,
    ) -> None:
        """Build nothing yet.

        Args:
            index: what the shapes declare.
            observed: what the assets hold.
            known: words that are never taken for a misspelling.
            schema: opens the shapes as a graph, which may have labels of what the assets name.
        """
        self.index = index
        self.observed = observed
        self.known = known
        self._schema = schema
        self._domains: dict[tuple[str, ...], Vocabulary] = {}
        self._properties: dict[str, Vocabulary] = {}
        self._values: dict[tuple[str, str, tuple[Path, ...], bool], Values] = {}
        self._shared: dict[tuple[int, int], tuple[Property, Values]] = {}
        # What statements call domains and properties, and the values of properties.
        self.spoken: dict[tuple[str, str], tuple[str, ...]] = {}
        self.spoken_values: dict[tuple[str, str], ValueNames] = {}
        self._labelled: set[tuple[str, str, tuple[Path, ...], bool]] = set()
        self._named: dict[str, dict[str, list[tuple[Property, Concept]]]] = {}

    def domain(self, raw: str, assets: Sequence[Domain]) -> Resolution:
        """Resolve a raw name to a domain's name.

        A name that is certain counts wherever it is. A name that is not, or that several domains
        share, is read among the domains that have assets before it is read among all.
        """
        whole = self._domain_vocabulary(tuple(self.index.domains))
        resolution = whole.resolve(raw, Policy.WORDWISE)
        if resolution.how in ("exact", "folded", "alias"):
            return resolution
        held = self._domain_vocabulary(tuple(domain.name for domain in assets))
        among_held = held.resolve(raw, Policy.WORDWISE)
        return among_held if among_held.term is not None else resolution

    def _domain_vocabulary(self, names: tuple[str, ...]) -> Vocabulary:
        found = self._domains.get(names)
        if found is None:
            terms = [_domain_term(self.index.domains[name]) for name in names]
            found = self._domains[names] = Vocabulary(terms, self.known)
        return found

    def properties(self, domain: Domain) -> Vocabulary:
        """Resolves a raw name to a property's key in `domain.properties`."""
        found = self._properties.get(domain.name)
        if found is None:
            found = Vocabulary(
                [
                    Term(
                        key,
                        prop.local_name,
                        tuple(distinct([prop.curie, prop.iri, *texts_of(prop.labels)])),
                    )
                    for key, prop in domain.properties.items()
                    if prop.kind != "node"
                ],
                self.known,
            )
            self._properties[domain.name] = found
        return found

    def property_named(self, domain: Domain, raw: str, policy: Policy) -> Resolution:
        """Resolve a raw name to the key of one of a domain's properties.

        A name means what a shape calls so before it means what is only stored under it.
        """
        found = self.properties(domain).resolve(raw, policy)
        if found.how != "ambiguous":
            return found
        tied = [one for one in found.candidates if domain.properties[one.term.id].declared]
        if len(tied) != 1:
            return replace(found, candidates=tuple(tied) or found.candidates)
        term = tied[0].term
        is_exact = raw in (term.label, *term.aliases)
        return Resolution(raw, "exact" if is_exact else "folded", term, 1.0)

    async def values(self, domain: Domain, prop: Property) -> Values:
        """The values of a property as a domain declares it, with those that its assets hold."""
        inverse = prop.key != prop.iri
        observed = _UNREAD if inverse else await self.observed.values_of(domain, prop)
        return await self._of(domain, prop, observed, anywhere=False)

    async def values_anywhere(self, domain: Domain, prop: Property) -> Values:
        """The same with the values that any subject has of the property's predicate."""
        observed = await self.observed.values(prop.iri)
        return await self._of(domain, prop, observed, anywhere=True)

    async def values_as_labelled(self, domain: Domain, prop: Property) -> Values:
        """The same as `values`, with the labels that the shape files have for stored IRIs.

        The shapes are opened as a graph for them, so that they are asked for where nothing else
        says what is meant.
        """
        values = await self.values(domain, prop)
        unnamed = [
            term.value
            for concept in values.concepts.values()
            for term in concept.stored
            if term.kind == "iri" and not concept.names
        ]
        place = (domain.name, prop.key, prop.paths, False)
        if not unnamed or self._schema is None or place in self._labelled:
            return values
        self._labelled.add(place)
        try:
            more = await labels_in(await self._schema(), unnamed, "GRAPH ?any {{ {} }}")
        except GroundwireError:
            return values
        if more:
            known = await self.observed.labels(unnamed)
            values = self._read_values(prop, values.observed, {**known, **more})
            self._values[place] = values
        return values

    async def _of(
        self, domain: Domain, prop: Property, observed: ObservedValues, *, anywhere: bool
    ) -> Values:
        place = (domain.name, prop.key, prop.paths, anywhere)
        found = self._values.get(place)
        if found is None or found.observed is not observed:
            # Kinds in one tree share properties: what is read of one is read of all.
            alike = (id(prop), id(observed))
            shared = self._shared.get(alike)
            if shared is None:
                links = [term.value for term, _ in observed.counts if term.kind == "iri"]
                found = self._read_values(prop, observed, await self.observed.labels(links))
                # The property is kept, so that its number stays its own.
                shared = self._shared[alike] = (prop, found)
            found = self._values[place] = shared[1]
        return found

    def _read_values(
        self, prop: Property, observed: ObservedValues, labels: Mapping[str, tuple[Text, ...]]
    ) -> Values:
        declared = declared_values(prop)
        variants = variants_of(
            [entry.term.value for entry in declared if entry.term.kind == "literal"],
            [term.value for term, _ in observed.counts if term.kind == "literal"],
        )
        by_text = {term.value: term.value for term in (entry.term for entry in declared)}
        by_fold: dict[str, set[str]] = defaultdict(set)
        for text in by_text:
            by_fold[fold(text)].add(text)
        for one in declared:
            if one.term.kind == "iri":
                for name in self._called(one.term, (*one.labels, *labels.get(one.term.value, ()))):
                    by_fold[name].add(one.term.value)
        namesakes = _namesakes(declared, observed)
        stored: dict[str, list[tuple[RdfTerm, int]]] = defaultdict(list)
        # Texts first: an IRI that is called like one is the same value in another form.
        for term, number in sorted(observed.counts, key=lambda one: one[0].kind == "iri"):
            key = by_text.get(term.value) or variants.get(term.value) or namesakes.get(term.value)
            if key is None:
                names = self._called(term, labels.get(term.value, ()))
                alike = {value for name in names for value in by_fold.get(name, ())}
                # The first stored spelling stands for later ones that differ in case alone.
                key = next(iter(alike)) if len(alike) == 1 else None
            if key is None:
                key = by_text[term.value] = term.value
                if term.kind == "literal":
                    by_fold[fold(term.value)].add(term.value)
            stored[key].append((term, number))
        concepts = {
            entry.term.value: self._concept(entry, stored.pop(entry.term.value, []), labels)
            for entry in declared
        }
        for key, forms in stored.items():
            concepts[key] = self._concept(EnumValue(forms[0][0]), forms, labels, declared=False)
        codes = code_labels(prop, [concept.label for concept in concepts.values()])
        vocabulary = Vocabulary(
            [value_term(concept, codes.get(key, ())) for key, concept in concepts.items()],
            self.known,
        )
        if codes:
            concepts = {
                key: concept._replace(names=concept.names or codes.get(key, ()))
                for key, concept in concepts.items()
            }
        return Values(concepts, vocabulary, observed, observed.complete)

    def _called(self, term: RdfTerm, labels: Sequence[Text]) -> set[str]:
        """Return the folded names of a value: a literal's text, an IRI's labels and local name."""
        if term.kind == "literal":
            return {fold(term.value)}
        own = fold(local_name(term.value))
        # A number behind the last slash is the name of anything.
        names = set[str]() if own.isdigit() else {own}
        return names | {fold(text) for text in (self.compact(term.value), *texts_of(labels))}

    def _concept(
        self,
        entry: EnumValue,
        forms: list[tuple[RdfTerm, int]],
        labels: Mapping[str, tuple[Text, ...]],
        *,
        declared: bool = True,
    ) -> Concept:
        term = entry.term
        shown = term
        if term.kind == "iri" and forms and term not in dict(forms):
            # A namesake is shown as it is stored.
            shown = forms[0][0]
        known = (*entry.labels, *labels.get(term.value, ()), *labels.get(shown.value, ()))
        return Concept(
            key=term.value,
            label=self.shown(shown),
            declared=term if declared else None,
            stored=tuple(form for form, _ in forms),
            conditional=entry.conditional,
            statements=sum(number for _, number in forms),
            names=tuple(dict.fromkeys(known)),
        )

    def key_of(self, domain: Domain, prop: Property) -> str:
        """The shortest key that names a property of a domain: local name, CURIE or IRI."""
        for key in (prop.local_name, prop.curie):
            named = self.property_named(domain, key, Policy.CANDIDATES_ONLY)
            if named.how in ("exact", "alias") and named.term and named.term.id == prop.key:
                return key
        return prop.iri

    async def holders(self, domain: Domain, raw: str) -> list[tuple[Property, Concept]]:
        """Values of any property of a domain that `raw` names for certain, stored ones first."""
        if not self.observed.counted:
            places = [prop.iri for prop in domain.properties.values() if prop.kind != "node"]
            await self.observed.sample(places)
            await self.observed.seek(places, [raw])
            # What was just found is not among what was known before.
            self._named.pop(domain.name, None)
        found = self._named.get(domain.name)
        if found is None:
            found = defaultdict[str, list[tuple[Property, Concept]]](list)
            for prop in domain.properties.values():
                if prop.kind == "node" or prop.iri == RDF_TYPE:
                    # A word that a class is called is no condition on a part's class.
                    continue
                values = await self.values(domain, prop)
                for concept in values.concepts.values() if prop.enum or is_term(values) else ():
                    for form in {fold(name) for name in forms_of(concept)}:
                        found[form].append((prop, concept))
            self._named[domain.name] = found
        return sorted(found.get(fold(raw), ()), key=lambda pair: -pair[1].statements)

    def unit(self, domain: Domain, name: str) -> str | None:
        """The unit of the property that `name` names in a domain, or None."""
        named = self.property_named(domain, name, Policy.CANDIDATES_ONLY)
        return domain.properties[named.term.id].unit if named.term else None

    def shown(self, term: RdfTerm) -> str:
        """Return a term as people read it: an IRI as its CURIE, a literal as its text."""
        return self.compact(term.value) if term.kind == "iri" else term.value

    def compact(self, iri: str) -> str:
        """The CURIE of an IRI where a prefix is declared for it, else the IRI."""
        return compact(iri, self.index.prefixes)


def _namesakes(declared: Sequence[EnumValue], observed: ObservedValues) -> dict[str, str]:
    """The declared IRI that no asset holds for each stored one of the same local name."""
    held = {term.value for term, _ in observed.counts if term.kind == "iri"}
    by_name: dict[str, list[str]] = defaultdict(list)
    for value in {entry.term.value for entry in declared if entry.term.kind == "iri"} - held:
        by_name[fold(local_name(value))].append(value)
    if not by_name:
        return {}
    known = held - {entry.term.value for entry in declared}
    found = {value: by_name.get(fold(local_name(value)), ()) for value in known}
    return {value: one[0] for value, one in found.items() if len(one) == 1}


def _domain_term(domain: Domain) -> Term:
    names = [domain.curie, domain.class_iri, local_name(domain.class_iri), *texts_of(domain.labels)]
    return Term(domain.name, domain.name, tuple(distinct(names)))


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
