"""A plan as SPARQL 1.1.

Nothing that a caller wrote is pasted: paths and classes come from the index, terms are escaped by
`groundwire.graph.terms`, numbers and dates were parsed before. Blank nodes are never answers, so
every asset is an IRI.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import iri_n3, literal_n3
from groundwire.ontology.estimates import Known, Nothing
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.parts import bodies, connected
from groundwire.ontology.patterns import Group, alternatives
from groundwire.ontology.plan import Branch, Join, Plan, Test

NOTHING = Nothing()


def page_query(
    plan: Plan,
    *,
    limit: int,
    offset: int = 0,
    known: Known = NOTHING,
    first_page: Sequence[str] | None = None,
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
    """
    plan = _merged(plan)
    body = _branches(plan, known)
    if plan.ordering is not None:
        direction, pick = ("DESC", "MAX") if plan.ordering.descending else ("ASC", "MIN")
        if _sorts_by_one_value(plan, known):
            return CompiledQuery(
                f"SELECT DISTINCT ?asset ?sort WHERE {{ {body} }} "
                f"ORDER BY (!BOUND(?sort)) {direction}(?sort) ?asset {_slice(limit, offset)}"
            )
        return CompiledQuery(
            # Virtuoso 7.2 refuses BOUND of an aggregate outside of a query of its own.
            f"SELECT ?asset ?first WHERE {{ {{ SELECT ?asset ({pick}(?sort) AS ?first) "
            f"WHERE {{ {body} }} GROUP BY ?asset }} }} "
            f"ORDER BY (!BOUND(?first)) {direction}(?first) ?asset {_slice(limit, offset)}"
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
    bare = _merged(plan._replace(ordering=None, grouping=None))
    return CompiledQuery(f"SELECT DISTINCT ?asset WHERE {{ {_branches(bare, known)} }}")


def group_query(
    plan: Plan, *, limit: int, offset: int = 0, known: Known = NOTHING
) -> CompiledQuery:
    """SELECT of `?value` and `?assets` (how many distinct assets hold it), most first."""
    body = _branches(_merged(plan), known)
    return CompiledQuery(
        f"SELECT ?value (COUNT(DISTINCT ?asset) AS ?assets) WHERE {{ {body} }} "
        f"GROUP BY ?value ORDER BY DESC(?assets) ?value {_slice(limit, offset)}"
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


def join_pattern(join: Join, key: str, known: Known = NOTHING) -> str:
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
    alike: dict[tuple[Any, ...], list[Domain]] = {}
    for (domain, tests, joins), *paths in zip(plan.branches, sort, group, strict=True):
        alike.setdefault((tests, joins, *paths), []).append(domain)
    return Plan(
        tuple(Branch(_as_one(domains), *asked[:2]) for asked, domains in alike.items()),
        plan.ordering and plan.ordering._replace(paths=tuple(asked[2] for asked in alike)),
        plan.grouping and plan.grouping._replace(paths=tuple(asked[3] for asked in alike)),
    )


def _as_one(domains: Sequence[Domain]) -> Domain:
    """A domain of all their classes."""
    first = domains[0]
    if len(domains) == 1:
        return first
    classes = dict.fromkeys(iri for each in domains for iri in (each.class_iri, *each.subclasses))
    others = tuple(iri for iri in classes if iri != first.class_iri)
    return Domain(first.name, first.class_iri, first.curie, properties={}, subclasses=others)


def _branches(plan: Plan, known: Known) -> str:
    parts: list[str] = []
    for position, branch in enumerate(plan.branches):
        grouped = plan.grouping.paths[position] if plan.grouping is not None else ()
        for group, patterns in bodies(branch, known, grouped):
            body = " ".join(patterns)
            if plan.ordering is not None and len(plan.branches) == 1:
                body += _sorted(group, plan.ordering.paths[position])
            parts.append(" ".join([body, *group.filters]))
    whole = parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {part} }}" for part in parts)
    if plan.ordering is not None and len(plan.branches) > 1:
        # An asset may be of several domains; a row of it without a value would hide the others.
        paths = dict.fromkeys(path for each in plan.ordering.paths for path in each)
        whole += _sorted(Group(known), tuple(paths))
    return whole


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
        any(path.repeats for path in (*join.paths, *join.inverse_paths))
        or _test_repeats(join.tests)
        or any(map(_join_repeats, join.joins))
    )


def _sorts_by_one_value(plan: Plan, known: Known) -> bool:
    """Whether every asset surely has one value at most to be sorted by."""
    if plan.ordering is None or len(plan.branches) > 1:
        return False
    usable = [path for path in plan.ordering.paths[0] if known.may_match(path)]
    return len(usable) == 1 and all(
        known.single_valued(step.iri) and not step.inverse and not step.repeat
        for step in usable[0].steps
    )


def _sorted(group: Group, paths: Sequence[Path]) -> str:
    usable = [path for path in paths if group.known.may_match(path)]
    if not usable:
        return ""
    node, path = "?asset", alternatives(usable)
    if len(usable) == 1:
        node, steps = group.from_bound("?asset", usable[0])
        path = Path(steps).sparql()
    return f" OPTIONAL {{ {node} {path} ?sort }}"
