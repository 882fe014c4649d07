"""Answers about a state that changes, without what a later answer says anew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from groundwire.evidence.records import Draft, Record, Statement, Value


def standing(records: Sequence[Record]) -> tuple[Record, ...]:
    """Return records in which what a later one tells otherwise of the same thing is left out.

    Only answers that tell how things are at the moment (those with `Draft.stale`) are so replaced:
    how many cards are due, or when one is next. Their own sentences no longer stand either then.
    """
    later = _Later()
    kept: dict[str, Record] = {}
    for record in sorted(records, key=lambda one: one.sequence, reverse=True):
        draft = record.draft
        if draft.stale is None:
            continue
        call = f"{record.tool} {json.dumps(record.arguments, sort_keys=True, default=str)}"
        kept[record.evidence_id] = replace(record, draft=later.left_of(draft, call))
        later.add(draft, call)
    return tuple(kept.get(one.evidence_id, one) for one in records)


class _Later:
    """The content of answers of a state, beginning with the last one."""

    def __init__(self) -> None:
        self._calls: set[str] = set()
        self._values: dict[object, set[str]] = {}
        self._relations: dict[object, object] = {}
        self._stale: set[str] = set()

    def add(self, draft: Draft, call: str) -> None:
        """Take in an answer that is older than those before."""
        own: dict[object, set[str]] = {}
        for value in draft.values:
            own.setdefault(_of(value), set()).add(value.value)
        self._values = {**own, **self._values}
        for one in draft.statements:
            if _is_single(one):
                self._relations.setdefault((one.subject[:1], one.predicate[:1]), one.objects)
        self._calls.add(call)
        self._stale.update(draft.stale or ())

    def left_of(self, draft: Draft, call: str) -> Draft:
        """Return what still stands of an older answer."""
        if call in self._calls:
            return Draft(stale=draft.stale)
        places: dict[int, int] = {}
        for place, value in enumerate(draft.values):
            said = self._values.get(_of(value))
            # The same value told again is no other one.
            if value.kind == "name" or (
                value.value in said
                if said is not None
                else value.kind != "number" or value.name not in self._stale
            ):
                places[place] = len(places)
        whole = len(places) == len(draft.values)
        statements = tuple(
            one if one.value is None else replace(one, value=places[one.value])
            for one in draft.statements
            if self._stands(one, places, whole)
        )
        if whole and len(statements) == len(draft.statements):
            return draft
        values = tuple(draft.values[place] for place in places)
        return replace(draft, values=values, derivations=(), statements=statements, answer="")

    def _stands(self, one: Statement, places: dict[int, int], whole: bool) -> bool:
        if one.value is not None:
            return one.value in places
        if one.kind == "absence":
            return whole
        key = (one.subject[:1], one.predicate[:1])
        return not _is_single(one) or self._relations.get(key, one.objects) == one.objects


def _of(value: Value) -> object:
    return value.name, value.entity, value.kind, value.unit, value.period


def _is_single(one: Statement) -> bool:
    # A thing may be of several types.
    return one.kind == "relation" and not one.complete and "type" not in one.predicate
