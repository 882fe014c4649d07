"""The conditions of one branch as patterns, the one that the fewest statements meet first.

An engine that joins pattern after pattern is as fast as its first one is selective.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from groundwire.graph.terms import XSD, Term, literal_n3
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.patterns import Group, Leaf
from groundwire.ontology.plan import (
    Bounds,
    Branch,
    Join,
    Known,
    Test,
    domain_cost,
    join_cost,
    scan_cost,
    terms_cost,
)

# A condition leads only where it is this much cheaper than beginning with the assets themselves:
# going on from assets is cheaper than going back to them.
_WORTH = 0.5
# What conditions of one part are of: it need have no kind.
_PART = Domain("", "", "", properties={})
# A condition on so many paths may lead; each path is then a query of its own.
_MAX_WAYS = 8


class Part(NamedTuple):
    """A condition that binds.

    Attributes:
        cost: of beginning with it, in statements that are touched.
        paths: the ways that it holds on; none for a connected asset.
        scans: it begins with a pattern that has a predicate alone.
        write: writes its patterns in a group, for some of its paths, as the leading ones or not.
    """

    cost: float
    paths: tuple[Path, ...]
    scans: bool
    write: Callable[[Group, Sequence[Path], bool], list[str]]


_cost = attrgetter("cost")


def bodies(
    branch: Branch, known: Known, grouped: Sequence[Path] = ()
) -> Iterator[tuple[Group, list[str]]]:
    """The patterns that `?asset` meets, with their group; its filters are not among them.

    With paths to group by they bind `?value` as well.

    There are several, alternatives of one another, where the leading condition holds on several
    paths: each leads then for itself.
    """
    tests, joins = by_part(branch.tests, branch.joins)
    parts = list(_parts(tests, joins, "?asset", known))
    if grouped:
        ways = kept(grouped, known)
        parts.append(Part(scan_cost(known, ways), ways, True, _write_grouped))
    leading = _leading(parts, domain_cost(known, branch.domain), known, _MAX_WAYS)
    paths = leading.paths if leading is not None else ()
    for way in [(path,) for path in paths] if known.counted and paths else [paths]:
        group = Group(known)
        patterns = _written(group, parts, leading, way, "?asset", branch.domain)
        _filter(group, branch.tests, branch.joins, "?asset")
        group.is_named("?asset", branch.domain)
        yield group, patterns


def connected(
    group: Group, join: Join, subject: str, target: str, *, first: bool = False
) -> list[str]:
    """Patterns that bind `target` to what `subject` is connected with, `target` first or last."""
    tests, joins = by_part(join.tests, join.joins)
    parts = list(_parts(tests, joins, target, group.known))
    leading = None
    if first and not join.repeated:
        leading = _leading(parts, _instances(group.known, join), group.known, 1)
    if first and not join.repeated and (leading is not None or join.typed):
        paths = leading.paths if leading is not None else ()
        domain = join.domain if join.typed else None
        patterns = _written(group, parts, leading, paths, target, domain)
        # What leads decides where the engine begins, so the link to the subject may come last.
        patterns += _link(group, join, subject, target)
    else:
        patterns = [*_link(group, join, subject, target), *_typed(group, join, target)]
        for part in sorted(parts, key=_cost):
            patterns += part.write(group, part.paths, False)
    _filter(group, join.tests, join.joins, target)
    return patterns


def by_part(
    tests: Sequence[Test], joins: Sequence[Join]
) -> tuple[tuple[Test, ...], tuple[Join, ...]]:
    """Conditions of one part as those of a join to it, beside the other conditions and joins."""
    of: dict[tuple[Step, ...], list[Test]] = {}
    for test in tests:
        begins = all(path.steps[: len(test.part)] == test.part for path in test.paths)
        of.setdefault(test.part if begins else (), []).append(test)
    loose = of.pop((), [])
    found = list(joins)
    for part, several in of.items():
        inside = tuple(
            test._replace(
                paths=tuple(Path(path.steps[len(part) :]) for path in test.paths), part=()
            )
            for test in several
        )
        found.append(Join("", _PART, (Path(part),), (), inside, typed=False))
    return tuple(loose), tuple(found)


def _instances(known: Known, join: Join) -> float:
    """The cost of listing what a join may lead to; of a part that of listing the links to it."""
    if join.typed or not known.counted:
        return domain_cost(known, join.domain)
    return float(sum(known.statements(path.steps[-1].iri) for path in join.paths))


def _typed(group: Group, join: Join, target: str) -> list[str]:
    return [group.typed(target, join.domain)] if join.typed else []


def kept(paths: Sequence[Path], known: Known) -> tuple[Path, ...]:
    """The paths that may match; one where none can, so that the condition holds for nothing."""
    return tuple(path for path in paths if known.may_match(path)) or tuple(paths[:1])


def _written(
    group: Group,
    parts: Sequence[Part],
    leading: Part | None,
    way: Sequence[Path],
    subject: str,
    domain: Domain | None,
) -> list[str]:
    """Patterns of all parts, led by one of them or by the instances of the domain, if any."""
    patterns: list[str] = []
    if leading is None:
        patterns += [group.typed(subject, domain, first=True)] if domain else []
    else:
        patterns += leading.write(group, way, True)
        group.loose = group.loose or (leading.scans and group.known.counted)
    for part in sorted(parts, key=_cost):
        if part is not leading:
            patterns += part.write(group, part.paths, False)
    if leading is not None and domain is not None:
        patterns.append(group.typed(subject, domain))
    return patterns


def _leading(parts: Sequence[Part], instances: float, known: Known, ways: int) -> Part | None:
    """The part to begin with, or None to begin with the instances of the domain."""
    able = [part for part in parts if len(part.paths) <= ways or not known.counted]
    best = min(able, key=_cost, default=None)
    if best is None or (known.counted and best.cost > instances * _WORTH):
        return None
    return best


def _parts(
    tests: Sequence[Test], joins: Sequence[Join], subject: str, known: Known
) -> Iterator[Part]:
    for test in tests:
        yield from _test_parts(test, subject, known)
    for join in joins:
        if join.negated:
            continue
        # Read here for their cost; they are read again when the connected asset has a variable.
        inner = list(_parts(*by_part(join.tests, join.joins), subject, known))
        instances = _instances(known, join)
        leading = _leading(inner, instances, known, 1)
        inside = instances if leading is None else leading.cost
        scans = leading is not None and leading.scans
        cost = join_cost(known, join, inside)
        yield Part(cost, (), scans, partial(_write_join, join, subject))


def _test_parts(test: Test, subject: str, known: Known) -> Iterator[Part]:
    paths = kept(test.paths, known)
    for terms in ([test.any_of] if test.any_of else []) + list(test.all_of):
        cost = terms_cost(known, paths, terms)
        yield Part(cost, paths, False, partial(_write_terms, subject, terms))
    for text in test.contains:
        cost = scan_cost(known, paths, text=text)
        holds = partial(_contains, text)
        yield Part(cost, paths, True, partial(_write_scan, subject, holds))
    if test.exists:
        cost = scan_cost(known, paths)
        yield Part(cost, paths, True, partial(_write_existing, subject))
    limits = [(test.bounds,)] if test.bounds else []
    limits += [test.any_bounds] if test.any_bounds else []
    limits += [(bounds,) for bounds in test.all_bounds]
    for bounds in limits:
        cost = scan_cost(known, paths, bounds)
        holds = partial(within_any, bounds)
        yield Part(cost, paths, True, partial(_write_scan, subject, holds))


def _write_terms(
    subject: str, terms: Sequence[Term], group: Group, paths: Sequence[Path], first: bool
) -> list[str]:
    return group.match(subject, paths, group.one_of(terms, first=first), first=first)


def _write_scan(
    subject: str,
    holds: Callable[[str], str],
    group: Group,
    paths: Sequence[Path],
    first: bool,
) -> list[str]:
    name = group.name()
    group.filters.append(f"FILTER({holds(name)})")
    return group.match(subject, paths, lambda node, step: f"{node} {step} {name} .", first=first)


def _write_grouped(group: Group, paths: Sequence[Path], first: bool) -> list[str]:
    return group.match("?asset", paths, lambda node, step: f"{node} {step} ?value .", first=first)


def _write_existing(subject: str, group: Group, paths: Sequence[Path], first: bool) -> list[str]:
    if first:
        return group.match(subject, paths, _anything(group), first=True)
    # A pattern would repeat the asset for each of its values.
    group.filters.append(group.exists(subject, paths, _anything(group), is_so=True))
    return []


def _anything(group: Group) -> Leaf:
    name = group.name()
    return lambda node, step: f"{node} {step} {name} ."


def _write_join(
    join: Join, subject: str, group: Group, paths: Sequence[Path], first: bool
) -> list[str]:
    return connected(group, join, subject, group.name(), first=first)


def _link(group: Group, join: Join, subject: str, target: str) -> list[str]:
    """Patterns between an asset and a connected one."""
    forward, inverse = _usable(group.known, join)
    if not inverse and not join.repeated:
        return group.match(subject, forward, lambda node, step: f"{node} {step} {target} .")
    if not forward and not join.repeated:
        return group.match(target, inverse, lambda node, step: f"{node} {step} {subject} .")
    return [f"{subject} {_repeated(join, forward, inverse)} {target} ."]


def _usable(known: Known, join: Join) -> tuple[list[Path], list[Path]]:
    """The ways of a join that may match, forward and inverse; one where none can."""
    forward = [path for path in join.paths if known.may_match(path)]
    inverse = [path for path in join.inverse_paths if known.may_match(path)]
    if not forward and not inverse:
        forward, inverse = list(join.paths[:1]), list(join.inverse_paths[:1])
    return forward, inverse


def _repeated(join: Join, forward: Sequence[Path], inverse: Sequence[Path]) -> str:
    """The ways of a join as one path, each taken once or more where it is repeated."""
    often = "+" if join.repeated else ""
    ways = [f"({path.sparql()}){often}" if often else path.sparql() for path in forward]
    ways += [f"^({path.sparql()}){often}" for path in inverse]
    return ways[0] if len(ways) == 1 else f"({'|'.join(ways)})"


def _filter(group: Group, tests: Sequence[Test], joins: Sequence[Join], subject: str) -> None:
    """Conditions that bind nothing, after everything that binds."""
    for join in joins:
        if join.negated:
            group.filters += [
                f"FILTER NOT EXISTS {{ {body} }}" for body in _inside(group, join, subject)
            ]
    for test in tests:
        paths = kept(test.paths, group.known)
        if test.none_of:
            leaf = group.one_of_inside(test.none_of)
            group.filters.append(group.exists(subject, paths, leaf, is_so=False))
        if test.none_bounds:
            leaf = _filtered(group, partial(within_any, test.none_bounds))
            group.filters.append(group.exists(subject, paths, leaf, is_so=False))
        if test.exists is False:
            group.filters.append(group.exists(subject, paths, _anything(group), is_so=False))


def _inside(group: Group, join: Join, subject: str) -> list[str]:
    """Yield the bodies of a join's EXISTS, one for each of its ways."""
    target = group.name()
    if not group.known.counted:
        inner = group.inside()
        return [" ".join([*connected(inner, join, subject, target), *inner.filters])]
    inner = group.inside()
    patterns = _typed(inner, join, target)
    _hold(inner, join, target)
    then = " ".join([*patterns, *inner.filters])
    if patterns:
        # Asked node by node: a pattern beside the link would let the engine begin with it.
        then = f"FILTER EXISTS {{ {then} }}"
    forward, inverse = _usable(group.known, join)

    def ends(node: str, step: str) -> str:
        return f"{node} {step} {target} ."

    if join.repeated:
        return [f"{subject} {_repeated(join, forward, inverse)} {target} . {then}"]
    ways = [*forward, *(path.turned() for path in inverse)]
    return [group.inside().lead(subject, way, ends, then) for way in ways]


def _hold(group: Group, join: Join, target: str) -> None:
    """Everything that is asked of a connected asset as filters, as an EXISTS needs it."""
    tests, joins = by_part(join.tests, join.joins)
    for test in tests:
        paths = kept(test.paths, group.known)
        groups = [test.any_of] if test.any_of else []
        leaves = [group.one_of_inside(terms) for terms in (*groups, *test.all_of)]
        leaves += [_filtered(group, partial(_contains, text)) for text in test.contains]
        limits = [(test.bounds,)] if test.bounds else []
        limits += [test.any_bounds] if test.any_bounds else []
        limits += [(bounds,) for bounds in test.all_bounds]
        leaves += [_filtered(group, partial(within_any, bounds)) for bounds in limits]
        leaves += [_anything(group)] if test.exists else []
        group.filters += [group.exists(target, paths, leaf, is_so=True) for leaf in leaves]
    for inner in joins:
        if not inner.negated:
            ways = [f"EXISTS {{ {body} }}" for body in _inside(group, inner, target)]
            group.filters.append(f"FILTER({' || '.join(ways)})")
    _filter(group, join.tests, join.joins, target)


def _filtered(group: Group, holds: Callable[[str], str]) -> Leaf:
    """The last pattern of a path within an EXISTS, with a filter of its value."""
    name = group.name()
    return lambda node, step: f"{node} {step} {name} FILTER({holds(name)})"


def _contains(text: str, name: str) -> str:
    return f"CONTAINS(LCASE(STR({name})), {literal_n3(text.lower())})"


# Engines keep decimals and integers of so many digits, and compare nothing with longer ones.
_MOST_DIGITS = 18


def within_any(alternatives: Sequence[Bounds], name: str) -> str:
    """An expression: the variable `name` lies within one of the bounds."""
    return " || ".join(f"({_within(name, bounds)})" for bounds in alternatives)


def _within(name: str, bounds: Bounds) -> str:
    parts: list[str] = []
    for bound, relation in (
        (bounds.lower, ">" if bounds.lower_open else ">="),
        (bounds.upper, "<" if bounds.upper_open else "<="),
    ):
        if bound is None:
            continue
        if not bounds.temporal:
            value = f"<{XSD}decimal>(STR({name}))" if bounds.cast else name
            parts.append(f"{value} {relation} {_number(bound)}")
        elif bounds.cast:
            # Dates and date-times in any zone begin with their ISO 8601 date; of a year or a
            # month the bound's own year or month is what can be compared.
            stored = f"SUBSTR(STR({name}), 1, {len(bound)})"
            parts.append(f"{stored} {relation} SUBSTR({literal_n3(bound)}, 1, STRLEN({stored}))")
        else:
            parts.append(f"{name} {relation} {literal_n3(bound)}^^<{XSD}date>")
    if bounds.temporal and bounds.cast:
        # A text that is no such date ("6 May 2020") is neither before nor after one.
        parts.append(f'REGEX(STR({name}), "^[0-9]{{4}}(-|$)")')
    return " && ".join(parts)


def _number(text: str) -> str:
    whole, _, fraction = text.lstrip("-").partition(".")
    kind = "decimal" if fraction else "integer"
    if max(len(whole), len(fraction)) > _MOST_DIGITS:
        kind = "double"
    return f"{literal_n3(text)}^^<{XSD}{kind}>"
