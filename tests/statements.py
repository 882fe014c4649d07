"""Reading the statements of a draft, for the tests of every room that records some."""

from __future__ import annotations

import re
from collections.abc import Iterator

from groundwire.evidence.records import Condition, Draft, Names, Statement

_QUOTED = re.compile(r"\"([^\"]+)\"|“([^”]+)”|<([^>]+)>")
_NUMBER = re.compile(r"(?<![\w.-])\d[\d,]*(?:\.\d+)?(?![\w-])")


def of_kind(draft: Draft, kind: str) -> list[Statement]:
    """The statements of one kind."""
    return [one for one in draft.statements if one.kind == kind]


def condition(statement: Statement, predicate: str) -> Condition:
    """The one condition on a predicate."""
    (found,) = [one for one in statement.conditions if predicate in one.predicate]
    return found


def first_names(objects: tuple[Names, ...]) -> list[str]:
    """The label of each object."""
    return [names[0] for names in objects]


def said(draft: Draft) -> set[str]:
    """Every text of the values and statements of a draft."""
    return set(_texts(draft))


def unproven(answer: str, draft: Draft) -> list[str]:
    """The quoted names, IRIs and numbers of an answer that stand in no value and no statement."""
    held = said(draft)
    names = [next(filter(None, found.groups())) for found in _QUOTED.finditer(answer)]
    rest = _QUOTED.sub(" ", answer)
    numbers = [found[0].replace(",", "").rstrip(".") for found in _NUMBER.finditer(rest)]
    return [one for one in (*names, *numbers) if one not in held]


def _texts(draft: Draft) -> Iterator[str]:
    for value in draft.values:
        yield from filter(None, (value.value, value.entity, value.entity_iri, *value.labels))
    for one in draft.statements:
        yield from (*one.subject, *one.predicate)
        yield from (name for names in one.objects for name in names)
        for each in one.conditions:
            yield from each.predicate
            yield from (name for names in each.objects for name in names)
