"""Everything of a catalogue that a question can name, as one document.

Programs that read questions need the names of all domains, properties and values at once; what
`discover_*` lists page by page is here in one piece, with labels in every language.
"""

from __future__ import annotations

import hashlib
from typing import Literal

from pydantic import BaseModel, ConfigDict

from groundwire.graph.statistics import RDF_TYPE
from groundwire.ontology.catalogue import State
from groundwire.ontology.concepts import Concept, Values
from groundwire.ontology.connections import Ways
from groundwire.ontology.index.model import Domain, Property, Text, local_name, spoken_name

# Descriptions and other running text are searched by their words, not named.
_LONGEST_NAME = 80
_MOST_VALUES = 6_000


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True)


class Name(_Frozen):
    """A name; `language` is empty where the files say none."""

    text: str
    language: str = ""


class ValueTerm(_Frozen):
    """A value: the text to send, and what else people call it."""

    label: str
    names: tuple[Name, ...] = ()


class PropertyTerm(_Frozen):
    """A property of a domain.

    Attributes:
        key: what to send for it.
        names: labels and the local name.
        kind: how its values are compared.
        unit: canonical symbol, or None.
        values: position in `CatalogueTerms.values`, or None where no value can be named.
        listed: whether the shapes enumerate its values.
        single: whether no asset has two values of it.
    """

    key: str
    names: tuple[Name, ...]
    kind: Literal["number", "date", "boolean", "term"]
    unit: str | None = None
    values: int | None = None
    listed: bool = False
    single: bool = False


class DomainTerm(_Frozen):
    """A kind of asset that has assets, and those that it is connected with."""

    name: str
    names: tuple[Name, ...]
    properties: tuple[PropertyTerm, ...]
    connected: tuple[str, ...] = ()


class CatalogueTerms(_Frozen):
    """The names of a catalogue.

    Attributes:
        digest: of everything else; equal digests mean equal terms.
        domains: those with assets, largest first. Empty where the reader knows this digest.
        others: names of all other domains.
        values: lists of values; properties that share a list name the same position.
    """

    digest: str
    domains: tuple[DomainTerm, ...] = ()
    others: tuple[str, ...] = ()
    values: tuple[tuple[ValueTerm, ...], ...] = ()


async def terms_of(state: State) -> CatalogueTerms:
    """The terms of one reading of a catalogue."""
    lists: dict[tuple[ValueTerm, ...], int] = {}
    placed: dict[int, int | None] = {}
    ways = Ways(state.index, state.observed)
    domains: list[DomainTerm] = []
    for domain in state.assets:
        properties: list[PropertyTerm] = []
        stored_as = _stored_as(state, domain)
        doubled = {prop.iri for prop in stored_as.values()}
        for prop in domain.properties.values():
            # No word of a question is a condition on the class of a part.
            if prop.kind == "node" or prop.iri == RDF_TYPE or prop.iri in doubled:
                continue
            values = await state.lexicon.values(domain, prop)
            made = _property(state, domain, prop, values, lists, placed)
            properties.append(_described_by(made, stored_as.get(prop.iri)))
        found = await ways.of(domain, state.assets)
        domains.append(
            DomainTerm(
                name=domain.name,
                names=_names(domain.labels, domain.name, local_name(domain.class_iri)),
                properties=tuple(properties),
                connected=tuple(way.target.name for way in found if way.declared),
            )
        )
    held = {domain.name for domain in state.assets}
    terms = CatalogueTerms(
        digest="",
        domains=tuple(domains),
        others=tuple(name for name in state.index.domains if name not in held),
        values=tuple(lists),
    )
    digest = hashlib.sha256(terms.model_dump_json().encode()).hexdigest()[:24]
    return terms.model_copy(update={"digest": digest})


def _stored_as(state: State, domain: Domain) -> dict[str, Property]:
    """The declared properties that assets hold only as another one of the same name, by that.

    One whose values the shapes list is left as it is: questions name these values.
    """
    found: dict[str, Property] = {}
    undeclared = {
        spoken_name(prop.iri): prop for prop in domain.properties.values() if not prop.declared
    }
    for prop in domain.properties.values():
        is_listed = prop.enum or prop.individuals
        other = undeclared.get(spoken_name(prop.iri)) if prop.declared and not is_listed else None
        if other is not None and state.observed.is_stored(domain, prop.declared_paths) is False:
            found[other.iri] = prop
    return found


def _property(
    state: State,
    domain: Domain,
    prop: Property,
    values: Values,
    lists: dict[tuple[ValueTerm, ...], int],
    placed: dict[int, int | None],
) -> PropertyTerm:
    kind = values.observed.kind_of(prop)
    position = placed.get(id(values)) if kind == "term" else None
    if kind == "term" and id(values) not in placed:
        listed = tuple(
            _value(concept)
            for concept in list(values.concepts.values())[:_MOST_VALUES]
            if len(concept.label) <= _LONGEST_NAME
        )
        position = lists.setdefault(listed, len(lists)) if listed else None
        # Domains that share a property share its values, which the lexicon keeps.
        placed[id(values)] = position
    return PropertyTerm(
        key=state.lexicon.key_of(domain, prop),
        names=_names(prop.labels, prop.local_name),
        kind=kind,
        unit=prop.unit,
        values=position,
        listed=bool(prop.enum or prop.individuals),
        single=len(prop.paths) == 1
        and all(
            state.observed.single_valued(step.iri) and not step.inverse
            for step in prop.paths[0].steps
        ),
    )


def _described_by(term: PropertyTerm, declared: Property | None) -> PropertyTerm:
    """A property with the labels and the unit that shapes give to the one it is stored for."""
    if declared is None:
        return term
    names = dict.fromkeys((*_names(declared.labels, declared.local_name), *term.names))
    return term.model_copy(update={"names": tuple(names), "unit": term.unit or declared.unit})


def _value(concept: Concept) -> ValueTerm:
    more = [*concept.variants]
    if concept.terms and concept.terms[0].kind == "iri":
        more.append(local_name(concept.key))
    return ValueTerm(label=concept.label, names=_names(concept.names, *more))


def _names(texts: tuple[Text, ...], *more: str) -> tuple[Name, ...]:
    found = {text.value: Name(text=text.value, language=text.language) for text in texts}
    for text in more:
        found.setdefault(text, Name(text=text))
    return tuple(name for name in found.values() if len(name.text) <= _LONGEST_NAME)


class TermsKeeper:
    """Makes the document of terms once for each reading of a catalogue."""

    def __init__(self) -> None:
        """Keep nothing yet."""
        self._made: tuple[State, CatalogueTerms] | None = None

    async def document(self, state: State, known: str) -> str:
        """The terms as JSON; only the digest where it is the one that the reader knows."""
        if self._made is None or self._made[0] is not state:
            self._made = (state, await terms_of(state))
        terms = self._made[1]
        if terms.digest == known:
            return CatalogueTerms(digest=known).model_dump_json()
        return terms.model_dump_json()
