"""Templates of submissions without a mistake, with and without the domain."""

from __future__ import annotations

from itertools import product

from groundwire.ontology.index.model import Domain
from tests.evals.ontology_drawing import Case, Cond, Draw, Sub, asked, branch, corrected
from tests.evals.ontology_meaning import Meaning, none_of, of_search
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
    meant = of_search(branch(sub.domain, sub.conds), sort=(place.paths, descending))
    case = corrected(sub, meant)
    case.sort = ("-" if descending else "") + draw.world.key_of(place)
    return case


def _counted(draw: Draw) -> Case | None:
    place = draw.place("term")
    if place is None:
        return None
    sub = Sub(place.domain, place.domain.name)
    case = corrected(sub, of_search(branch(sub.domain, ()), group=place.paths))
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

    Where the name of one stands for several properties, each of them may be meant, and where a
    value is known in some domains only, a question is as good.
    """
    world = draw.world
    conds = (
        draw.of_concepts(place, draw.concept(place)),
        *(draw.cond(other) for other in more),
    )
    if len({cond.key for cond in conds}) < len(conds):
        return None
    owners = [world.owners(cond.key, world.assets) for cond in conds]
    named = [list(dict.fromkeys(key for _, key in found)) for found in owners]
    readings = [_branches(draw, conds, owners, keys) for keys in product(*named)]
    sub = Sub(place.domain, "", conds)
    if all(len(keys) == 1 for keys in named):
        branches = readings[0]
        everywhere = all(
            there is None or elsewhere(draw, cond, there)
            for cond in conds
            for there in (world.place(domain, cond.place.prop.key) for domain in world.assets)
        )
        case = corrected(sub, of_search(*branches), must=everywhere)
        # Kinds that have the property and no such value may be searched too: they hold nothing.
        case.right |= {
            of_search(*_branches(draw, conds, owners, keys, as_sent=True))
            for keys in product(*named)
        }
        return case
    whole = {of_search(*branches) for branches in readings if branches}
    single = {of_search(each) for branches in readings for each in branches}
    case = asked(sub, *whole, *single)
    # One domain alone may have all of them, and then nothing is open.
    case.right = frozenset(whole) if len(whole) == 1 else frozenset()
    return case


def _branches(
    draw: Draw,
    conds: tuple[Cond, ...],
    owners: list[list[tuple[Domain, str]]],
    keys: tuple[str, ...],
    *,
    as_sent: bool = False,
) -> list[Meaning]:
    """A branch for each domain that has these properties and can hold the values.

    `as_sent`: also for those that hold no such value, which are searched for it as it is.
    """
    found: list[Meaning] = []
    for domain in draw.world.assets:
        here: list[Cond] = []
        for cond, held, key in zip(conds, owners, keys, strict=True):
            there = draw.world.place(domain, key)
            if there is not None and (domain, key) in held:
                same = [Cond(there, cond.key, cond.sent, cond.atoms, cond.part)]
                here += elsewhere(draw, cond, there) or (same if as_sent else [])
        if len(here) == len(conds):
            found.append(branch(domain, here))
    return found


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
