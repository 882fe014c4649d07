"""A lint report as lines for people."""

from __future__ import annotations

from collections.abc import Iterator

from groundwire.ontology.index.model import Problem
from groundwire.ontology.lint import LintReport
from groundwire.ontology.reachability import Reachability


def report_lines(report: LintReport, limit: int = 20) -> Iterator[str]:
    """The report as lines for people, at most `limit` of each kind."""
    sections: list[tuple[str, list[str]]] = [
        (
            "Statements stored that no search can find",
            [f"{each.property} ({each.statements}): {each.reason}" for each in report.unreachable],
        ),
        ("Files and constraints that were not understood", [_problem(p) for p in report.problems]),
        (
            "Values stored but not declared",
            [
                f"{each.property}: {each.value.value!r} ({each.statements})"
                + (f" - read as {each.variant_of!r}" if each.variant_of else "")
                for each in report.undeclared_values
            ],
        ),
        (
            "Values declared but never stored",
            [
                f"{each.property}: {len(each.values)} of {each.declared}, {_some(each.values)}"
                for each in report.unused_values
            ],
        ),
        (
            "Properties stored and not declared, which are searched as they are stored",
            [
                f"{each.name} ({each.statements})"
                + (f" - declared for {_some(each.declared_for)}" if each.declared_for else "")
                for each in report.unreached_properties
            ],
        ),
        (
            "Properties declared but never stored",
            [f"{each.property} of {_some(each.domains)}" for each in report.unused_properties],
        ),
        (
            "Values stored with another datatype",
            [
                f"{each.property}: {each.stored} ({each.statements}), "
                f"declared {', '.join(each.declared)}"
                for each in report.other_datatypes
            ],
        ),
        (
            "Names that stand for several properties",
            [
                f"{each.name}: " + ", ".join(f"{c} ({_some(d)})" for c, d in each.properties)
                for each in report.collisions
            ],
        ),
    ]
    for title, lines in sections:
        yield f"{title}: {len(lines) or 'none'}"
        yield from (f"  {line}" for line in lines[:limit])
        if len(lines) > limit:
            yield f"  ... and {len(lines) - limit} more"


def reachability_lines(found: Reachability) -> Iterator[str]:
    """How many leaf statements a search can find, and what was not looked at."""
    share = f" ({100 * found.reachable / found.leaves:.1f} %)" if found.leaves else ""
    yield (
        f"A search can find {found.reachable:,} of {found.leaves:,} leaf statements{share}: "
        f"{found.leaves - found.reachable:,} unreachable"
    )
    yield from found.unread


def _problem(problem: Problem) -> str:
    place = problem.file if problem.line is None else f"{problem.file}:{problem.line}"
    return f"{place}: {problem.message}" if place else problem.message


def _some(names: tuple[str, ...], limit: int = 4) -> str:
    shown = ", ".join(names[:limit])
    return shown if len(names) <= limit else f"{shown} and {len(names) - limit} more"
