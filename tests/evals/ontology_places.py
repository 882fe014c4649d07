"""Templates of wrong submissions: names from labels, and terms in the wrong place."""

from __future__ import annotations

from dataclasses import replace

from groundwire.ontology.index.model import Domain
from groundwire.vocabulary import fold
from tests.evals.ontology_clean import elsewhere
from tests.evals.ontology_drawing import Case, Cond, Draw, Ref, Sub, asked, branch, corrected
from tests.evals.ontology_meaning import Meaning, of_search
from tests.evals.ontology_templates import Make, Template
from tests.evals.ontology_worlds import Place


def labels() -> list[Template]:
    """Names by label, in every language."""
    found: list[Template] = []
    for kind, english in (("synonyms by label", True), ("other languages' labels", False)):
        makers: list[tuple[str, Make, bool, int]] = [
            ("property", lambda d, e=english: _property_label(d, e), False, 60),
            ("value", lambda d, e=english: _value_label(d, e), False, 80),
            ("domain", lambda d, e=english: _domain_label(d, e), True, 30),
            ("value, lower case", lambda d, e=english: _value_label(d, e, lower=True), True, 40),
        ]
        found += [Template(kind, name, make, held, cases) for name, make, held, cases in makers]
    found.append(
        Template(
            "synonyms by label", "property as CURIE", lambda d: _address(d, "curie"), False, 30
        )
    )
    found.append(
        Template("synonyms by label", "property as IRI", lambda d: _address(d, "iri"), True, 30)
    )
    found.append(Template("synonyms by label", "value as IRI", _value_iri, False, 20))
    found.append(Template("shared names", "property", _shared_property, False, 60))
    return found


def _property_label(draw: Draw, english: bool) -> Case | None:
    place = draw.place("term", "number", "boolean", "date")
    if place is None:
        return None
    texts = [t.value for t in place.prop.labels if t.language.startswith(("en",)) == english]
    texts = [text for text in texts if text.casefold() != place.prop.local_name.casefold()]
    if not texts:
        return None
    label = draw.rng.choice(texts)
    owners = draw.world.properties[place.domain.name].owners(label)
    if place.prop.key not in owners:
        return None
    case = draw.respelt(draw.cond(place), key=label, reported=False)
    if len(owners) > 1:
        case.right, case.must = frozenset(), False
    return case


def _value_label(draw: Draw, english: bool, lower: bool = False) -> Case | None:
    place = draw.place("term")
    if place is None:
        return None
    concept = draw.concept(place)
    texts = [t.value for t in concept.names if t.language.startswith("en") == english]
    texts = [text for text in texts if text.casefold() != concept.label.casefold()]
    if not texts:
        return None
    label = draw.rng.choice(texts)
    if not place.forms.names(label, concept.key):
        return None
    return draw.respelt(draw.of_concepts(place, concept), sent=label.lower() if lower else label)


def _domain_label(draw: Draw, english: bool) -> Case | None:
    domain = draw.domain()
    texts = [t.value for t in domain.labels if t.language.startswith("en") == english]
    if not texts:
        return None
    label = draw.rng.choice(texts)
    if not draw.world.domains.names(label, domain.name):
        return None
    cond = draw.another(domain)
    sub = Sub(domain, label, (cond,) if cond else ())
    return corrected(sub, sub.meaning())


def _address(draw: Draw, form: str) -> Case | None:
    place = draw.place("term", "number", "boolean", "date")
    return place and draw.respelt(draw.cond(place), key=str(getattr(place.prop, form)))


def _value_iri(draw: Draw) -> Case | None:
    places = [p for p in draw.places("term") if p.concepts[0].terms[0].kind == "iri"]
    if not places:
        return None
    place = draw.rng.choice(places)
    concept = draw.concept(place)
    if not place.forms.names(concept.key, concept.key):
        return None
    return draw.respelt(draw.of_concepts(place, concept), sent=concept.key)


def _shared_property(draw: Draw) -> Case | None:
    """A name of several properties of the domain: each that has the value may be meant.

    What a shape calls so is meant before what is only stored so; where that has no such value,
    both may be searched.
    """
    place = draw.place("term", "number", "boolean", "date")
    if place is None:
        return None
    name, domain = place.prop.local_name, place.domain
    alike = [p for p in draw.places(domain=domain) if fold(p.prop.local_name) == fold(name)]
    if len(alike) < 2:
        return None
    main = draw.cond(place)
    readings = [cond for other in alike for cond in elsewhere(draw, main, other)]
    sub = Sub(domain, domain.name, (replace(main, key=name),))
    case = asked(sub, *(of_search(branch(domain, [cond])) for cond in readings))
    declared = [other for other in alike if other.prop.declared]
    if len(declared) == 1:
        first = elsewhere(draw, main, declared[0])
        paths = tuple(path for other in alike for path in other.paths)
        both = replace(main, place=replace(place, paths=paths))
        case.right = frozenset({of_search(branch(domain, first or [both]))})
        case.repaired |= case.right
    return case


def wrong_places() -> list[Template]:
    """Known terms where they are not known."""
    connected, unconnected = "wrong domain, connected", "wrong domain, unconnected"
    swapped = "swapped key"
    return [
        Template(connected, "one condition", lambda d: _joined(d, "one"), False, 80),
        Template(connected, "beside another condition", lambda d: _joined(d, "beside"), False, 40),
        Template(connected, "two conditions", lambda d: _joined(d, "two"), True, 40),
        Template(connected, "beside a reference", lambda d: _joined(d, "reference"), True, 40),
        Template(unconnected, "one condition", lambda d: _elsewhere(d, False), False, 60),
        Template(unconnected, "in a reference", lambda d: _elsewhere(d, True), True, 40),
        Template(swapped, "another value's", lambda d: _swapped(d, "term"), False, 80),
        Template(swapped, "a number's", lambda d: _swapped(d, "number"), False, 40),
        Template(swapped, "a truth's", lambda d: _swapped(d, "boolean"), True, 30),
        Template(swapped, "a date's", lambda d: _swapped(d, "date"), True, 20),
        Template(swapped, "key and value exchanged", _exchanged, False, 50),
    ]


def _reachable(draw: Draw, source: str, key: str) -> list[tuple[str, str]]:
    """Connected domains with a property of this name; declared connections go before others."""
    ways = draw.world.connected[source]
    names = [domain for domain in draw.world.assets if domain.name in ways]
    found = [(domain.name, owner) for domain, owner in draw.world.owners(key, names)]
    return [pair for pair in found if ways[pair[0]]] or found


def _joined(draw: Draw, how: str) -> Case | None:
    """A property of a connected domain: a reference to it, where there is one such domain."""
    world = draw.world
    target = draw.domain()
    source = draw.domain()
    place = draw.place("term", "number", "boolean", "date", domain=target)
    if place is None or source is target:
        return None
    main = draw.cond(place)
    if world.owners(main.key, [source]):
        return None
    reachable = _reachable(draw, source.name, main.key)
    if target.name not in {name for name, _ in reachable}:
        return None
    own: list[Cond] = []
    joined = [main]
    sent = [main]
    refs: tuple[Ref, ...] = ()
    if how == "beside":
        other = draw.another(source, main)
        own = [other] if other else []
    elif how in ("two", "reference"):
        other = draw.another(target, main)
        if other is None or world.owners(other.key, [source]):
            return None
        joined.append(other)
        if how == "two":
            sent.append(other)
            if {name for name, _ in _reachable(draw, source.name, other.key)} != {target.name}:
                return None
        else:
            refs = (Ref(target, target.name, (other,)),)
    sub = Sub(source, source.name, (*own, *sent), refs)
    meant = of_search(branch(source, own, (Ref(target, target.name, tuple(joined)),)))
    if len(reachable) == 1:
        return corrected(sub, meant, reported=True)
    return asked(sub, meant, *_other_joins(draw, source, own, main, reachable))


def _other_joins(
    draw: Draw, source: Domain, own: list[Cond], main: Cond, reachable: list[tuple[str, str]]
) -> list[Meaning]:
    """A property that several connected domains have: each of them may be meant."""
    found = []
    for name, key in reachable:
        domain = draw.world.state.index.domains[name]
        place = draw.world.place(domain, key)
        for there in elsewhere(draw, main, place) if place else []:
            found.append(of_search(branch(source, own, (Ref(domain, name, (there,)),))))
    return found


def _elsewhere(draw: Draw, in_reference: bool) -> Case | None:
    """A property that neither the domain nor a connected one has: the domain was wrong."""
    world = draw.world
    source, target = draw.domain(), draw.domain()
    place = draw.place("term", "number", "boolean", "date", domain=target)
    if place is None or source is target:
        return None
    main = draw.cond(place)
    owners = world.owners(main.key, world.assets)
    if any(domain is source for domain, _ in owners):
        return None
    if in_reference:
        outer = draw.connected(source)
        if not outer:
            return None
        first = draw.rng.choice(outer)
        sub = Sub(first, first.name, refs=(Ref(source, source.name, (main,)),))
        return asked(sub)
    if _reachable(draw, source.name, main.key):
        return None
    meant = []
    for domain, key in owners:
        there = world.place(domain, key)
        readings = elsewhere(draw, main, there) if there else []
        meant += [of_search(branch(domain, [cond])) for cond in readings]
    return asked(Sub(source, source.name, (main,)), *meant)


def _swapped(draw: Draw, kind: str) -> Case | None:
    """A value of one property sent for another of the domain."""
    right = draw.place("term")
    if right is None or not right.controlled:
        return None
    wrong = draw.place(kind, domain=right.domain)
    if wrong is None or wrong is right:
        return None
    concept = draw.concept(right)
    if wrong.forms.owners(concept.label) or concept.label.replace(".", "").isdigit():
        return None
    main = draw.of_concepts(right, concept)
    sent = replace(main, place=wrong, key=draw.world.key_of(wrong))
    domain = right.domain
    return asked(Sub(domain, domain.name, (sent,)), *_holders(draw, right, concept.label))


def _exchanged(draw: Draw) -> Case | None:
    """The value as the key and the key as the value."""
    place = draw.place("term")
    if place is None or not place.controlled:
        return None
    concept = draw.concept(place)
    domain = place.domain
    near = [domain, *draw.world.assets]
    if draw.world.owners(concept.label, near) or "/" in concept.label:
        return None
    main = draw.of_concepts(place, concept)
    sent = replace(main, key=concept.label, sent=main.key)
    return asked(Sub(domain, domain.name, (sent,)), *_holders(draw, place, concept.label))


def _holders(draw: Draw, right: Place, label: str) -> list[Meaning]:
    """The searches for a value in each property of the domain that has it."""
    found = []
    for place in draw.places("term", domain=right.domain):
        owners = place.forms.owners(label)
        if len(owners) == 1:
            concept = place.values.concepts[next(iter(owners))]
            cond = draw.of_concepts(place, concept)
            found.append(of_search(branch(place.domain, [cond])))
    return found
