"""The conditions of one branch as patterns, the one that the fewest statements meet first.

An engine that joins pattern after pattern is as fast as its first one is selective. Two conditions
on values of one node (`hasContent/mode` and `hasContent/length`) may be read from one variable only
where no asset has two such nodes. That is known of a graph that was counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import count
from operator import attrgetter
from typing import NamedTuple

from groundwire.graph.terms import XSD, Term, contains, iri_n3, is_one_of, literal_n3, number_n3
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.plan import (
    Bounds,
    Branch,
    Join,
    Known,
    Test,
    classes_of,
    domain_cost,
    join_cost,
    scan_cost,
    terms_cost,
)

# Comparing a class with more than these, one by one, is slower than a join with them.
_MOST_COMPARED = 32
# Writes the last pattern of a path: from a node, over the rest of the path.
Leaf = Callable[[str, str], str]


def _to(end: str) -> Leaf:
    """The last pattern of a path that ends in a term or a variable."""
    return lambda node, step: f"{node} {step} {end} ."


class Group:
    """The variables of one group of patterns.

    Attributes:
        known: what is known of the graph.
        filters: conditions that go to the end of the group.
        loose: terms are compared and not matched, so that the engine, which begins with a
            pattern that has the most terms, begins with one that has a variable.
    """

    def __init__(self, known: Known, names: Iterator[int] | None = None) -> None:
        """Begin a group; `names` number its variables where it stands within another."""
        self.known = known
        self.filters: list[str] = []
        self.loose = False
        self._names = count(1) if names is None else names
        self._nodes: dict[tuple[str, Step], str] = {}

    def inside(self) -> Group:
        """A group within an EXISTS of this one: filters of its own, other variables."""
        return Group(self.known, self._names)

    def name(self) -> str:
        """A variable that is not used yet."""
        return f"?v{next(self._names)}"

    def reach(self, subject: str, paths: Sequence[Path]) -> tuple[list[str], str, str]:
        """Patterns that lead to the last step of the paths, the node there, and that step."""
        if len(paths) > 1 or not self.known.counted or paths[0].repeats:
            return [], subject, alternatives(paths)
        *before, last = paths[0].steps
        patterns: list[str] = []
        for step in before:
            node = self._nodes.get((subject, step))
            if node is None:
                node = self.name()
                patterns.append(f"{subject} {Path((step,)).sparql()} {node} .")
                if self._is_single(step):
                    self._nodes[subject, step] = node
            subject = node
        return patterns, subject, Path((last,)).sparql()

    def match(
        self, subject: str, paths: Sequence[Path], leaf: Leaf, *, first: bool = False
    ) -> list[str]:
        """Patterns of the paths; the one with the value is written first if it is to lead."""
        patterns, node, step = self.reach(subject, paths)
        end = leaf(node, step)
        return [end, *reversed(patterns)] if first else [*patterns, end]

    def from_bound(self, subject: str, path: Path) -> tuple[str, tuple[Step, ...]]:
        """The last node of a path that is bound already, and the steps that lead on from it."""
        steps = path.steps
        while len(steps) > 1 and (subject, steps[0]) in self._nodes:
            subject, steps = self._nodes[subject, steps[0]], steps[1:]
        return subject, steps

    def exists(self, subject: str, paths: Sequence[Path], leaf: Leaf, *, is_so: bool) -> str:
        """A filter: some value at one of the paths is as `leaf` says, or none is."""
        if not self.known.counted:
            negation = "" if is_so else "NOT "
            return f"FILTER {negation}EXISTS {{ {leaf(subject, alternatives(paths))} }}"
        inner = [f"EXISTS {{ {self._chain(subject, path, leaf)} }}" for path in paths]
        if is_so:
            return f"FILTER({' || '.join(inner)})"
        return " ".join(f"FILTER NOT {each}" for each in inner)

    def typed(self, variable: str, domain: Domain, *, first: bool = False) -> str:
        """Patterns of being an instance of a domain, its subclasses included."""
        classes = [iri_n3(iri) for iri in classes_of(self.known, domain)]
        if len(classes) == 1 and (first or not self.loose):
            return f"{variable} a {classes[0]} ."
        kind = self.name()
        if first or not self.known.counted or len(classes) > _MOST_COMPARED:
            return f"{variable} a {kind} . VALUES {kind} {{ {' '.join(classes)} }}"
        self.filters.append(f"FILTER({is_one_of(kind, classes, self.known.same_term)})")
        return f"{variable} a {kind} ."

    def is_named(self, variable: str, domain: Domain) -> None:
        """Keep IRIs only; no filter is needed where every instance has one."""
        if not all(self.known.all_named(iri) for iri in classes_of(self.known, domain)):
            self.filters.append(f"FILTER(isIRI({variable}))")

    def one_of(self, terms: Sequence[Term], *, first: bool) -> Leaf:
        """The last pattern of a path that ends in one of `terms`."""
        written = [term.n3() for term in terms]
        if len(written) == 1 and (first or not self.loose):
            return _to(written[0])
        name = self.name()
        if first or not self.known.counted:
            listed = f"VALUES {name} {{ {' '.join(written)} }}"
            return lambda node, step: f"{listed} {node} {step} {name} ."
        self.filters.append(f"FILTER({is_one_of(name, written, self.known.same_term)})")
        return _to(name)

    def one_of_inside(self, terms: Sequence[Term]) -> Leaf:
        """The same within an EXISTS, whose filters are its own."""
        written = [term.n3() for term in terms]
        if len(written) == 1:
            return lambda node, step: f"{node} {step} {written[0]}"
        name = self.name()
        meant = is_one_of(name, written, self.known.same_term)
        return lambda node, step: f"{node} {step} {name} FILTER({meant})"

    def lead(self, subject: str, path: Path, end: Leaf, then: str) -> str:
        """A path from a bound subject within an EXISTS; `then` holds of the node at its end."""
        return self._chain(subject, path, lambda node, step: f"{end(node, step)} {then}")

    def _chain(self, subject: str, path: Path, leaf: Leaf) -> str:
        """One EXISTS a step: an engine that asks them solution by solution begins at the node."""
        node, steps = self.from_bound(subject, path)
        if len(steps) == 1 or path.repeats:
            return leaf(node, Path(steps).sparql())
        following = self.name()
        inner = self._chain(following, Path(steps[1:]), leaf)
        return f"{node} {Path(steps[:1]).sparql()} {following} FILTER EXISTS {{ {inner} }}"

    def _is_single(self, step: Step) -> bool:
        return not step.inverse and self.known.single_valued(step.iri)


def alternatives(paths: Sequence[Path]) -> str:
    """One path, or several as alternatives of one."""
    if len(paths) == 1:
        return paths[0].sparql()
    return "(" + "|".join(path.sparql() for path in paths) + ")"


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
        parts.append(Part(scan_cost(known, ways), ways, True, partial(_write_value, "?asset")))
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
        patterns = [
            *_link(group, join, subject, target),
            *([group.typed(target, join.domain)] if join.typed else []),
        ]
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
        holds = partial(contains, text)
        yield Part(cost, paths, True, partial(_write_scan, subject, holds))
    if test.exists:
        cost = scan_cost(known, paths)
        yield Part(cost, paths, True, partial(_write_existing, subject))
    for bounds in test.limits:
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
    return group.match(subject, paths, _to(name), first=first)


def _write_value(subject: str, group: Group, paths: Sequence[Path], first: bool) -> list[str]:
    return group.match(subject, paths, _to("?value"), first=first)


def _write_existing(subject: str, group: Group, paths: Sequence[Path], first: bool) -> list[str]:
    if first:
        return group.match(subject, paths, _to(group.name()), first=True)
    # A pattern would repeat the asset for each of its values.
    group.filters.append(group.exists(subject, paths, _to(group.name()), is_so=True))
    return []


def _write_join(
    join: Join, subject: str, group: Group, paths: Sequence[Path], first: bool
) -> list[str]:
    return connected(group, join, subject, group.name(), first=first)


def _link(group: Group, join: Join, subject: str, target: str) -> list[str]:
    """Patterns between an asset and a connected one."""
    forward, inverse = _usable(group.known, join)
    if not inverse and not join.repeated:
        return group.match(subject, forward, _to(target))
    if not forward and not join.repeated:
        return group.match(target, inverse, _to(subject))
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
    absent = [body for join in joins if join.negated for body in _inside(group, join, subject)]
    group.filters += [f"FILTER NOT EXISTS {{ {body} }}" for body in absent]
    for test in tests:
        paths = kept(test.paths, group.known)
        if test.none_of:
            leaf = group.one_of_inside(test.none_of)
            group.filters.append(group.exists(subject, paths, leaf, is_so=False))
        if test.none_bounds:
            leaf = _filtered(group, partial(within_any, test.none_bounds))
            group.filters.append(group.exists(subject, paths, leaf, is_so=False))
        if test.exists is False:
            group.filters.append(group.exists(subject, paths, _to(group.name()), is_so=False))


def _inside(group: Group, join: Join, subject: str) -> list[str]:
    """Yield the bodies of a join's EXISTS, one for each of its ways."""
    target, inner = group.name(), group.inside()
    if not group.known.counted:
        return [" ".join([*connected(inner, join, subject, target), *inner.filters])]
    patterns = [inner.typed(target, join.domain)] if join.typed else []
    _hold(inner, join, target)
    then = " ".join([*patterns, *inner.filters])
    if patterns:
        # Asked node by node: a pattern beside the link would let the engine begin with it.
        then = f"FILTER EXISTS {{ {then} }}"
    forward, inverse = _usable(group.known, join)
    if join.repeated:
        return [f"{subject} {_repeated(join, forward, inverse)} {target} . {then}"]
    ways = [*forward, *(path.turned() for path in inverse)]
    return [group.inside().lead(subject, way, _to(target), then) for way in ways]


def _hold(group: Group, join: Join, target: str) -> None:
    """Everything that is asked of a connected asset as filters, as an EXISTS needs it."""
    tests, joins = by_part(join.tests, join.joins)
    for test in tests:
        paths = kept(test.paths, group.known)
        groups = [test.any_of] if test.any_of else []
        leaves = [group.one_of_inside(terms) for terms in (*groups, *test.all_of)]
        leaves += [_filtered(group, partial(contains, text)) for text in test.contains]
        leaves += [_filtered(group, partial(within_any, bounds)) for bounds in test.limits]
        leaves += [_to(group.name())] if test.exists else []
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
            parts.append(f"{value} {relation} {number_n3(bound)}")
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
