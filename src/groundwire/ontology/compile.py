"""A plan as SPARQL 1.1.

Nothing that a caller wrote is pasted: paths and classes come from the index, terms are escaped by
`groundwire.graph.terms`, numbers and dates were parsed before. Blank nodes are never answers, so
every asset is an IRI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import XSD, Term, iri_n3, literal_n3
from groundwire.ontology.index.model import Domain, Path, Step
from groundwire.ontology.parts import Group, alternatives, bodies, connected, kept
from groundwire.ontology.plan import Branch, Join, Known, Nothing, Plan, Test

NOTHING = Nothing()


def page_query(
    plan: Plan,
    *,
    limit: int,
    offset: int = 0,
    known: Known = NOTHING,
    first_page: Sequence[str] | None = None,
    having: bool | None = None,
) -> CompiledQuery:
    """SELECT of `?asset`, distinct, sorted as the plan says, else by IRI.

    Args:
        plan: what is searched.
        limit: most assets.
        offset: how many assets lie before them.
        known: what is known of the graph.
        first_page: None sorts every page. Else the first page is taken as the engine finds it,
            which spares it from sorting all matches. So are later pages where the engine has
            an order of its own; else they are sorted, and leave the assets of the first out.
        having: of a sorted plan True finds the assets alone that have a value to be sorted by,
            False those that have none, by their IRIs; None finds both, these last.
    """
    plan = _merged(plan)
    body = _branches(plan, known, having=having)
    if plan.ordering is not None and having is False:
        return CompiledQuery(
            f"SELECT DISTINCT ?asset WHERE {{ {body} }} ORDER BY ?asset {_slice(limit, offset)}"
        )
    if plan.ordering is not None:
        direction, pick = ("DESC", "MAX") if plan.ordering.descending else ("ASC", "MIN")
        last = "" if having else "(!BOUND(?{})) "
        if _sorts_by_one_value(plan, known):
            return CompiledQuery(
                f"SELECT DISTINCT ?asset ?sort WHERE {{ {body} }} "
                f"ORDER BY {last.format('sort')}{direction}(?sort) ?asset {_slice(limit, offset)}"
            )
        return CompiledQuery(
            # Virtuoso 7.2 refuses BOUND of an aggregate outside of a query of its own.
            f"SELECT ?asset ?first WHERE {{ {{ SELECT ?asset ({pick}(?sort) AS ?first) "
            f"WHERE {{ {body} }} GROUP BY ?asset }} }} "
            f"ORDER BY {last.format('first')}{direction}(?first) ?asset {_slice(limit, offset)}"
        )
    order = "ORDER BY ?asset "
    if first_page is not None and known.ordered and not _repeats(plan):
        order = ""
    elif first_page:
        body = f"{{ {body} }} FILTER(?asset NOT IN ({', '.join(map(iri_n3, first_page))}))"
        offset = max(offset - len(first_page), 0)
    elif first_page is not None and not offset:
        order = ""
    return CompiledQuery(
        f"SELECT DISTINCT ?asset WHERE {{ {body} }} {order}{_slice(limit, offset)}"
    )


def _slice(limit: int, offset: int) -> str:
    return f"LIMIT {limit:d}" + (f" OFFSET {offset:d}" if offset else "")


def total_query(plan: Plan, *, known: Known = NOTHING) -> CompiledQuery:
    """SELECT DISTINCT of `?asset` without a limit, to be counted."""
    bare = _merged(plan._replace(ordering=None, grouping=None, aggregation=None))
    return CompiledQuery(f"SELECT DISTINCT ?asset WHERE {{ {_branches(bare, known)} }}")


def group_query(
    plan: Plan, *, limit: int, offset: int = 0, known: Known = NOTHING
) -> CompiledQuery:
    """SELECT of `?value` and `?assets` (how many distinct assets hold it), most first."""
    body = _branches(_merged(plan._replace(aggregation=None)), known)
    return CompiledQuery(
        f"SELECT ?value (COUNT(DISTINCT ?asset) AS ?assets) WHERE {{ {body} }} "
        f"GROUP BY ?value ORDER BY DESC(?assets) ?value {_slice(limit, offset)}"
    )


def aggregate_query(plan: Plan, *, known: Known, groups: Sequence[Term] = ()) -> CompiledQuery:
    """SELECT of `?result`, and of `?values` and `?assets`: how many it is computed from.

    Of a mean `?result` is the sum. With a grouping each row has `?value`, the group, before them.

    Args:
        plan: what is searched; it has an aggregation.
        known: what is known of the graph.
        groups: the groups that are wanted; all where none is named.
    """
    asked = plan.aggregation
    assert asked is not None
    group = "?value " if plan.grouping is not None else ""
    apply = {"min": "MIN", "max": "MAX"}.get(asked.function, "SUM")
    plan = _merged(plan._replace(ordering=None))
    body = _branches(plan, known)
    once = _counts_once(plan, known)
    if not once:
        # One row for each statement, however many other conditions lead to it.
        body = f"{{ SELECT DISTINCT ?asset {group}?node ?raw WHERE {{ {body} }} }}"
    number = "?raw"
    if asked.cast:
        number = "?number"
        read = f"<{XSD}decimal>"
        body += f" BIND(COALESCE({read}(STR(?raw)), {read}(?raw)) AS ?number)"
        body += " FILTER(BOUND(?number))"
    if groups:
        body += f" FILTER(?value IN ({', '.join(term.n3() for term in groups)}))"
    ending = "GROUP BY ?value" if group else ""
    assets = f"COUNT({'' if once else 'DISTINCT '}?asset)"
    return CompiledQuery(
        f"SELECT {group}({apply}({number}) AS ?result) (COUNT({number}) AS ?values) "
        f"({assets} AS ?assets) WHERE {{ {body} }} {ending}".rstrip()
    )


def units_query(
    plan: Plan, predicates: Sequence[str], *, limit: int, known: Known = NOTHING
) -> CompiledQuery:
    """SELECT of `?unit`: the units that stand beside the numbers of an aggregate, each once.

    One row is unbound where a number has none. `predicates` are IRIs in the form of a query.
    """
    bare = _merged(plan._replace(ordering=None, grouping=None))
    listed = "|".join(predicates)
    return CompiledQuery(
        f"SELECT DISTINCT ?unit WHERE {{ {_branches(bare, known, holder=True)} "
        f"OPTIONAL {{ ?node {listed} ?unit }} }} LIMIT {limit:d}"
    )


def values_query(
    assets: Sequence[str], blocks: Sequence[tuple[str, tuple[Path, ...]]], joins: Sequence[str]
) -> CompiledQuery:
    """SELECT of `?asset ?key ?value` for the assets of a page.

    Args:
        assets: IRIs.
        blocks: a key and the paths whose values it stands for.
        joins: patterns that bind `?asset`, `?key` and `?value`, from `join_pattern`.
    """
    these = f"VALUES ?asset {{ {' '.join(map(iri_n3, assets))} }}"
    parts = [
        f"{{ {these} ?asset {alternatives(paths)} ?value . BIND({literal_n3(key)} AS ?key) }}"
        for key, paths in blocks
        if paths
    ]
    parts += [f"{{ {these} {pattern} }}" for pattern in joins]
    body = " UNION ".join(parts)
    return CompiledQuery(f"SELECT DISTINCT ?asset ?key ?value WHERE {{ {body} }}")


def join_pattern(join: Join, key: str, known: Known) -> str:
    """A pattern that binds the IRIs of connected assets to `?value` and `key` to `?key`."""
    group = Group(known)
    body = " ".join(connected(group, join, "?asset", "?value"))
    filters = " ".join(group.filters)
    return f"{body} {filters} FILTER(isIRI(?value)) BIND({literal_n3(key)} AS ?key)"


def _merged(plan: Plan) -> Plan:
    """The same search, with domains that are asked for the same on the same paths as one."""
    if len(plan.branches) == 1:
        return plan
    sort = plan.ordering.paths if plan.ordering else ((),) * len(plan.branches)
    group = plan.grouping.paths if plan.grouping else ((),) * len(plan.branches)
    measured = plan.aggregation.paths if plan.aggregation else ((),) * len(plan.branches)
    alike: dict[tuple[Any, ...], list[Domain]] = {}
    for (domain, tests, joins), *paths in zip(plan.branches, sort, group, measured, strict=True):
        alike.setdefault((tests, joins, *paths), []).append(domain)
    return Plan(
        tuple(Branch(_as_one(domains), *asked[:2]) for asked, domains in alike.items()),
        plan.ordering and plan.ordering._replace(paths=tuple(asked[2] for asked in alike)),
        plan.grouping and plan.grouping._replace(paths=tuple(asked[3] for asked in alike)),
        plan.aggregation and plan.aggregation._replace(paths=tuple(asked[4] for asked in alike)),
    )


def _as_one(domains: Sequence[Domain]) -> Domain:
    """A domain of all their classes."""
    first = domains[0]
    if len(domains) == 1:
        return first
    classes = dict.fromkeys(iri for each in domains for iri in (each.class_iri, *each.subclasses))
    others = tuple(iri for iri in classes if iri != first.class_iri)
    return Domain(first.name, first.class_iri, first.curie, properties={}, subclasses=others)


def _branches(plan: Plan, known: Known, *, holder: bool = False, having: bool | None = None) -> str:
    """The patterns of all branches.

    Args:
        plan: what is searched.
        known: what is known of the graph.
        holder: patterns of numbers bind `?node` in any case.
        having: see `page_query`.
    """
    parts: list[str] = []
    for position, branch in enumerate(plan.branches):
        grouped = plan.grouping.paths[position] if plan.grouping is not None else ()
        for group, patterns in bodies(branch, known, grouped):
            body = " ".join(patterns)
            if plan.ordering is not None and len(plan.branches) == 1:
                body += _sorted(group, plan.ordering.paths[position], having)
            if plan.aggregation is not None:
                body += _measured(group, plan.aggregation.paths[position], holder)
            parts.append(" ".join([body, *group.filters]))
    whole = parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {part} }}" for part in parts)
    if plan.ordering is not None and len(plan.branches) > 1:
        # An asset may be of several domains; a row of it without a value would hide the others.
        paths = dict.fromkeys(path for each in plan.ordering.paths for path in each)
        whole += _sorted(Group(known), tuple(paths), having)
    return whole


def _measured(group: Group, paths: Sequence[Path], holder: bool) -> str:
    """Patterns of the numbers of an asset, `?raw`, and of what states them, `?node`.

    A number that stands at the last node that is bound already, or at the asset itself, has no
    `?node` but where a `holder` is asked for.
    """
    ways = kept(paths, group.known)
    if len(ways) == 1:
        return _measured_on(*group.from_bound("?asset", ways[0]), holder)
    listed = " UNION ".join(f"{{{_measured_on('?asset', way.steps, holder)} }}" for way in ways)
    return f" {listed}"


def _measured_on(start: str, steps: tuple[Step, ...], holder: bool) -> str:
    *before, last = steps
    step = Path((last,)).sparql()
    if before:
        return f" {start} {Path(tuple(before)).sparql()} ?node . ?node {step} ?raw ."
    return f" {start} {step} ?raw ." + (f" BIND({start} AS ?node)" if holder else "")


def _counts_once(plan: Plan, known: Known) -> bool:
    """Whether the patterns surely find each number of each asset once."""
    if plan.aggregation is None or len(plan.branches) != 1:
        return False
    branch = plan.branches[0]
    several = [kept(plan.aggregation.paths[0], known)]
    several += [kept(plan.grouping.paths[0], known)] if plan.grouping else []
    return (
        all(len(ways) == 1 for ways in several)
        and all(_is_single(step, known) for ways in several for step in ways[0].steps)
        and not branch.domain.subclasses
        and all(join.negated for join in branch.joins)
        and all(_binds_once(test, known) for test in branch.tests)
    )


def _binds_once(test: Test, known: Known) -> bool:
    """Whether a condition holds of an asset in one way at most."""
    ways = kept(test.paths, known)
    if len(ways) > 1 and (test.any_of or test.all_of or test.contains or test.bounds):
        return False
    before = all(_is_single(step, known) for way in ways for step in way.steps[:-1])
    last = all(_is_single(way.steps[-1], known) for way in ways)
    # Two forms of a value, `true` and `"1"^^xsd:boolean`, are one term to some engines.
    one_form = all(len(group) <= 1 for group in (test.any_of, *test.all_of))
    return before and one_form and (last or not _scans(test))


def _scans(test: Test) -> bool:
    """Whether a condition is one on any value within limits."""
    return bool(test.limits or test.contains or test.exists)


def _is_single(step: Step, known: Known) -> bool:
    return known.single_valued(step.iri) and not step.inverse and not step.repeat


def _repeats(plan: Plan) -> bool:
    """Whether a path of the search has a step that may be taken any number of times."""
    return any(
        _test_repeats(branch.tests) or any(map(_join_repeats, branch.joins))
        for branch in plan.branches
    )


def _test_repeats(tests: Sequence[Test]) -> bool:
    return any(path.repeats for test in tests for path in test.paths)


def _join_repeats(join: Join) -> bool:
    return (
        join.repeated
        or any(path.repeats for path in (*join.paths, *join.inverse_paths))
        or _test_repeats(join.tests)
        or any(map(_join_repeats, join.joins))
    )


def _sorts_by_one_value(plan: Plan, known: Known) -> bool:
    """Whether every asset surely has one value at most to be sorted by."""
    if plan.ordering is None or len(plan.branches) > 1:
        return False
    usable = [path for path in plan.ordering.paths[0] if known.may_match(path)]
    return len(usable) == 1 and all(_is_single(step, known) for step in usable[0].steps)


def _sorted(group: Group, paths: Sequence[Path], having: bool | None) -> str:
    """The value to be sorted by, where there is one; or that there is one, or none."""
    usable = [path for path in paths if group.known.may_match(path)]
    if not usable:
        return " FILTER(false)" if having else ""
    node, path = "?asset", alternatives(usable)
    if len(usable) == 1:
        node, steps = group.from_bound("?asset", usable[0])
        path = Path(steps).sparql()
    if having is None:
        return f" OPTIONAL {{ {node} {path} ?sort }}"
    return f" {node} {path} ?sort ." if having else f" FILTER NOT EXISTS {{ {node} {path} ?sort }}"
