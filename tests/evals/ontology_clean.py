"""Templates of submissions without a mistake, with and without the domain."""

from __future__ import annotations

from tests.evals.ontology_drawing import Case, Cond, Draw, Sub, branch, corrected
from tests.evals.ontology_meaning import none_of, of_search
from tests.evals.ontology_templates import Template
from tests.evals.ontology_worlds import Place


def as_it_should_be() -> list[Template]:
    """Submissions without a mistake: what is meant is what is planned."""
    return [
        Template("as it should be", "one condition", lambda d: _clean(d, "one"), cases=120),
        Template("as it should be", "any of two", lambda d: _clean(d, "any"), cases=40),
        Template("as it should be", "none of two", lambda d: _clean(d, "none"), cases=40),
        Template("as it should be", "all of two", lambda d: _clean(d, "all"), True, 40),
        Template("as it should be", "exists", lambda d: _clean(d, "exists"), True, 30),
        Template("as it should be", "sorted", _sorted, False, 30),
        Template("as it should be", "counted", _counted, True, 30),
        Template("domain left out", "one condition", _without_domain, False, 100),
        Template("domain left out", "two conditions", _without_domain_two, True, 60),
    ]


def _clean(draw: Draw, how: str) -> Case | None:
    if how == "one":
        place = draw.place("term", "number", "boolean", "date")
        if place is None:
            return None
        whole = draw.around(draw.cond(place))
        return corrected(whole, whole.meaning())
    place = draw.place("term", at_least=2)
    if place is None:
        return None
    first, second = draw.rng.sample(place.concepts, 2)
    both = [first.label, second.label]
    key = draw.world.key_of(place)
    if how == "any":
        main = draw.of_concepts(place, first, second, sent={"any_of": both})
    elif how == "none":
        main = Cond(place, key, {"none_of": both}, (none_of(*first.terms, *second.terms),))
    elif how == "all":
        atoms = (draw.of_concepts(place, first).atoms[0], draw.of_concepts(place, second).atoms[0])
        main = Cond(place, key, {"all_of": both}, atoms)
    else:
        said = draw.rng.random() < 0.5
        main = Cond(place, key, {"exists": said}, (("exists", said),))
    whole = draw.around(main)
    return corrected(whole, whole.meaning())


def _sorted(draw: Draw) -> Case | None:
    place = draw.place("number", "date")
    if place is None:
        return None
    cond = draw.another(place.domain)
    sub = Sub(place.domain, place.domain.name, (cond,) if cond else ())
    descending = draw.rng.random() < 0.5
    meant = of_search(branch(sub.domain, sub.conds), sort=(place.prop.paths, descending))
    case = corrected(sub, meant)
    case.sort = ("-" if descending else "") + draw.world.key_of(place)
    return case


def _counted(draw: Draw) -> Case | None:
    place = draw.place("term")
    if place is None:
        return None
    sub = Sub(place.domain, place.domain.name)
    case = corrected(sub, of_search(branch(sub.domain, ()), group=place.prop.paths))
    case.count_by = draw.world.key_of(place)
    return case


def _without_domain(draw: Draw) -> Case | None:
    place = draw.place("term")
    return place and _completed(draw, place, ())


def _without_domain_two(draw: Draw) -> Case | None:
    place = draw.place("term")
    other = place and draw.place("number", "boolean", domain=place.domain)
    return other and place and _completed(draw, place, (other,))


def _completed(draw: Draw, place: Place, more: tuple[Place, ...]) -> Case | None:
    """No domain is sent: every domain that has the properties is meant.

    Where the name of one stands for several properties, or the value is known in some domains
    only, a question is as good.
    """
    world = draw.world
    first = draw.of_concepts(place, draw.concept(place))
    conds = (first, *(draw.cond(other) for other in more))
    if len({cond.key for cond in conds}) < len(conds):
        return None
    owners = {cond.key: world.owners(cond.key, world.assets) for cond in conds}
    clear = all(len({key for _, key in found}) == 1 for found in owners.values())
    branches = []
    for domain in world.assets:
        here: list[Cond] = []
        for cond in conds:
            named = world.place(domain, cond.place.prop.key)
            if named and (domain, cond.place.prop.key) in owners[cond.key]:
                here += elsewhere(draw, cond, named)
        if len(here) == len(conds):
            branches.append(branch(domain, here))
    everywhere = all(
        named is None or elsewhere(draw, first, named)
        for named in (world.place(domain, place.prop.key) for domain in world.assets)
    )
    meant = of_search(*branches)
    sub = Sub(place.domain, "", conds)
    return corrected(sub, meant, must=clear and everywhere)


def elsewhere(draw: Draw, cond: Cond, place: Place) -> list[Cond]:
    """The condition on another property; none where that holds nothing of the kind."""
    if place.kind != cond.place.kind:
        return []
    if place.kind != "term":
        return [Cond(place, cond.key, cond.sent, cond.atoms, cond.part)]
    owners = place.forms.owners(str(cond.sent))
    if len(owners) != 1:
        return []
    concept = place.values.concepts[next(iter(owners))]
    return [draw.of_concepts(place, concept)]
