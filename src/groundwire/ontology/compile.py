"""A plan as SPARQL 1.1.

Nothing that a caller wrote is pasted: paths and classes come from the index, terms are escaped by
`groundwire.graph.terms`, numbers and dates were parsed before. Blank nodes are never answers, so
every asset is an IRI.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import count

from groundwire.graph.queries import CompiledQuery
from groundwire.graph.terms import Term, iri_n3, literal_n3
from groundwire.ontology.index.model import Domain, Path
from groundwire.ontology.plan import Bounds, Branch, Join, Plan, Test

XSD = "http://www.w3.org/2001/XMLSchema#"

# A path can be left out where a store is known to hold no statement with one of its predicates.
Usable = Callable[[Path], bool]


def every_path(path: Path) -> bool:
    """Keep all paths: nothing is known of the store."""
    return True


def page_query(
    plan: Plan, *, limit: int, offset: int = 0, usable: Usable = every_path
) -> CompiledQuery:
    """SELECT of `?asset`, distinct, sorted as the plan says."""
    body = _branches(plan, usable)
    page = f"LIMIT {limit:d}" + (f" OFFSET {offset:d}" if offset else "")
    if plan.ordering is None:
        return CompiledQuery(f"SELECT DISTINCT ?asset WHERE {{ {body} }} {page}")
    direction, pick = ("DESC", "MAX") if plan.ordering.descending else ("ASC", "MIN")
    return CompiledQuery(
        f"SELECT ?asset ({pick}(?sort) AS ?first) WHERE {{ {body} }} GROUP BY ?asset "
        f"ORDER BY (!BOUND(?first)) {direction}(?first) ?asset {page}"
    )


def total_query(plan: Plan, *, usable: Usable = every_path) -> CompiledQuery:
    """SELECT DISTINCT of `?asset` without a limit, to be counted."""
    bare = plan._replace(ordering=None, grouping=None)
    return CompiledQuery(f"SELECT DISTINCT ?asset WHERE {{ {_branches(bare, usable)} }}")


def group_query(
    plan: Plan, *, limit: int, offset: int = 0, usable: Usable = every_path
) -> CompiledQuery:
    """SELECT of `?value` and `?assets` (how many distinct assets hold it), most first."""
    body = _branches(plan, usable)
    page = f"LIMIT {limit:d}" + (f" OFFSET {offset:d}" if offset else "")
    return CompiledQuery(
        f"SELECT ?value (COUNT(DISTINCT ?asset) AS ?assets) WHERE {{ {body} }} "
        f"GROUP BY ?value ORDER BY DESC(?assets) ?value {page}"
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


def join_pattern(join: Join, key: str, usable: Usable = every_path) -> str:
    """A pattern that binds the IRIs of connected assets to `?value` and `key` to `?key`."""
    body = " ".join(_join_body(join, "?asset", "?value", _names(), usable))
    return f"{body} FILTER(isIRI(?value)) BIND({literal_n3(key)} AS ?key)"


def _branches(plan: Plan, usable: Usable) -> str:
    parts: list[str] = []
    for position, branch in enumerate(plan.branches):
        body = " ".join(_branch(branch, usable))
        if plan.ordering is not None:
            paths = _kept(plan.ordering.paths[position], usable)
            if paths:
                body += f" OPTIONAL {{ ?asset {alternatives(paths)} ?sort }}"
        if plan.grouping is not None:
            paths = plan.grouping.paths[position]
            body += f" ?asset {alternatives(_kept(paths, usable) or paths)} ?value ."
        parts.append(body)
    return parts[0] if len(parts) == 1 else " UNION ".join(f"{{ {part} }}" for part in parts)


def _branch(branch: Branch, usable: Usable) -> Iterator[str]:
    names = _names()
    yield from _tests(branch.tests, "?asset", names, usable)
    for join in branch.joins:
        yield from _join_body(join, "?asset", next(names), names, usable)
    yield _typed("?asset", branch.domain, names)
    yield "FILTER(isIRI(?asset))"


def _names() -> Iterator[str]:
    return (f"?v{number}" for number in count(1))


def _typed(variable: str, domain: Domain, names: Iterator[str]) -> str:
    if not domain.subclasses:
        return f"{variable} a {iri_n3(domain.class_iri)} ."
    kind = next(names)
    classes = " ".join(map(iri_n3, (domain.class_iri, *domain.subclasses)))
    return f"{variable} a {kind} . VALUES {kind} {{ {classes} }}"


def _join_body(
    join: Join, subject: str, target: str, names: Iterator[str], usable: Usable
) -> Iterator[str]:
    ways = [f"{subject} {path.sparql()} {target} ." for path in _kept(join.paths, usable)]
    ways += [f"{target} {path.sparql()} {subject} ." for path in _kept(join.inverse_paths, usable)]
    if not ways:
        ways = [f"{subject} {path.sparql()} {target} ." for path in join.paths[:1]] or [
            f"{target} {path.sparql()} {subject} ." for path in join.inverse_paths[:1]
        ]
    yield ways[0] if len(ways) == 1 else " UNION ".join(f"{{ {way} }}" for way in ways)
    yield _typed(target, join.domain, names)
    yield from _tests(join.tests, target, names, usable)
    for inner in join.joins:
        yield from _join_body(inner, target, next(names), names, usable)


def _kept(paths: Sequence[Path], usable: Usable) -> list[Path]:
    return [path for path in paths if usable(path)]


def alternatives(paths: Sequence[Path]) -> str:
    """One path, or several as alternatives of one."""
    if len(paths) == 1:
        return paths[0].sparql()
    return "(" + "|".join(path.sparql() for path in paths) + ")"


def _tests(
    tests: Sequence[Test], subject: str, names: Iterator[str], usable: Usable
) -> Iterator[str]:
    """Patterns that bind come first, filters after them."""
    filters: list[str] = []
    for test in tests:
        # Where no path can match the store, one is kept: the condition then holds for nothing.
        path = alternatives(_kept(test.paths, usable) or test.paths[:1])
        if test.any_of:
            yield _one_of(subject, path, test.any_of, names)
        for forms in test.all_of:
            yield _one_of(subject, path, forms, names)
        if test.none_of:
            inner = _one_of(subject, path, test.none_of, names)
            filters.append(f"FILTER NOT EXISTS {{ {inner} }}")
        for text in test.contains:
            name = next(names)
            yield f"{subject} {path} {name} ."
            needle = literal_n3(text.lower())
            filters.append(f"FILTER(CONTAINS(LCASE(STR({name})), {needle}))")
        if test.exists is not None:
            negation = "" if test.exists else "NOT "
            filters.append(f"FILTER {negation}EXISTS {{ {subject} {path} {next(names)} }}")
        yield from _bounded(test, subject, path, names, filters)
    yield from filters


def _one_of(subject: str, path: str, terms: Sequence[Term], names: Iterator[str]) -> str:
    if len(terms) == 1:
        return f"{subject} {path} {terms[0].n3()} ."
    name = next(names)
    listed = " ".join(term.n3() for term in terms)
    return f"VALUES {name} {{ {listed} }} {subject} {path} {name} ."


def _bounded(
    test: Test, subject: str, path: str, names: Iterator[str], filters: list[str]
) -> Iterator[str]:
    wanted = [(test.bounds,)] if test.bounds else []
    wanted += [test.any_bounds] if test.any_bounds else []
    wanted += [(bounds,) for bounds in test.all_bounds]
    for alternatives in wanted:
        name = next(names)
        yield f"{subject} {path} {name} ."
        within = " || ".join(f"({_within(name, bounds)})" for bounds in alternatives)
        filters.append(f"FILTER({within})")
    for bounds in test.none_bounds:
        name = next(names)
        inside = f"{subject} {path} {name} FILTER({_within(name, bounds)})"
        filters.append(f"FILTER NOT EXISTS {{ {inside} }}")


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
    return " && ".join(parts)


def _number(text: str) -> str:
    kind = "decimal" if "." in text else "integer"
    return f"{literal_n3(text)}^^<{XSD}{kind}>"
