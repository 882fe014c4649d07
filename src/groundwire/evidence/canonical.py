"""The written form of a record: what is stored, and what its hash covers.

The content of a record is one JSON text: keys sorted, no blanks, characters as themselves in
UTF-8, no NaN. It has two members:

    context: {tool, arguments, audit, payload: {size, cut}}
    facts: {values, derivations, vocabulary, overlaps, statements, names, answer, stale}

What is empty is left out, `stale` where it is None. A value is the array `[name, value, kind, unit,
entity, entity IRI, labels, period, source]`, with `[names, pieces]` or `[names, pieces, options]`
behind where it belongs to an item, a derivation `[operation, operands, value, unit, formula]`: a
record of twenty values is a third shorter so, and is written in half the time. A statement is the
array `[kind, subject, predicate, objects, conditions, value, position, complete, source]`, a
condition `[predicate, operator, objects, unit]`, both without what is empty at their end; records
that were written before there were statements have none. Names that statements repeat stand once
in `names`, and as their place there, from 0, in the statements: a count by country says twelve
times what it counts.

The hash of a record is the SHA-256 of

    header LF content

where header is the JSON array `[1, sequence, previous hash, evidence id, owner, created, payload
hash or null]`, the hashes in lower-case hexadecimal and `created` in milliseconds since 1970 UTC.
The header holds no line feed, so no two records have the same preimage. What comes before the
first record has the hash `GENESIS`.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any, cast

from groundwire.errors import InputError
from groundwire.evidence.records import (
    Condition,
    Derivation,
    Draft,
    Item,
    Names,
    Operation,
    Statement,
    Value,
    ValueKind,
)

GENESIS = "0" * 64
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """The handle of a record, and its place in the chain.

    Attributes:
        sequence: its place, from 1.
        previous: hash of the record before it, hexadecimal.
        evidence_id: its handle.
        owner: who may read it.
        created: milliseconds since 1970 UTC.
        payload: SHA-256 of the stored payload, hexadecimal, or None.
    """

    sequence: int
    previous: str
    evidence_id: str
    owner: str
    created: int
    payload: str | None

    def hash(self, content: bytes) -> str:
        """The hash of the record of this header and `content`."""
        header = [
            _FORMAT,
            self.sequence,
            self.previous,
            self.evidence_id,
            self.owner,
            self.created,
            self.payload,
        ]
        digest = hashlib.sha256(_ascii_encoder.encode(header).encode())
        digest.update(b"\n")
        digest.update(content)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a record as it was written.

    Attributes:
        tool: the tool that answered.
        arguments: the normalized arguments.
        draft: values, derivations, audit and vocabulary; no payload.
        payload_size: bytes of the payload before it was cut, or None.
        payload_cut: whether it was cut.
    """

    tool: str
    arguments: dict[str, Any]
    draft: Draft
    payload_size: int | None
    payload_cut: bool


def encode(
    tool: str, arguments: Mapping[str, Any], draft: Draft, payload_cut: bool
) -> tuple[bytes, bytes]:
    """Write the context and the facts of a record.

    Raises:
        InputError: they hold something that JSON cannot carry (NaN, a cycle, an open file).
    """
    context: dict[str, Any] = {"tool": tool, "arguments": arguments}
    if draft.audit:
        context["audit"] = draft.audit
    if draft.payload is not None:
        context["payload"] = {"size": len(draft.payload), "cut": payload_cut}
    facts: dict[str, Any] = {}
    if draft.values:
        facts["values"] = [_entry(value) for value in draft.values]
    if draft.derivations:
        facts["derivations"] = [
            (d.operation, d.operands, d.value, d.unit, d.formula) for d in draft.derivations
        ]
    if draft.vocabulary:
        facts["vocabulary"] = draft.vocabulary
    if draft.overlaps:
        facts["overlaps"] = draft.overlaps
    if draft.statements:
        repeated = _repeated(draft.statements)
        if repeated:
            facts["names"] = list(repeated)
        facts["statements"] = [_statement_entry(one, repeated) for one in draft.statements]
    if draft.answer:
        facts["answer"] = draft.answer
    if draft.stale is not None:
        facts["stale"] = draft.stale
    try:
        return _written(context), _written(facts)
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"The answer cannot be recorded as JSON: {error}.") from error


def join(context: bytes, facts: bytes) -> bytes:
    """The content of a record."""
    return b'{"context":%s,"facts":%s}' % (context, facts)


def decode(content: bytes) -> Content:
    """Read the content of a record.

    Raises:
        ValueError: the bytes are no content that `join` made.
    """
    try:
        tree = json.loads(content)
        context, facts = tree["context"], tree["facts"]
        stale = facts.get("stale")
        payload = context.get("payload", {})
        table = [tuple(names) for names in facts.get("names", ())]
        return Content(
            tool=context["tool"],
            arguments=context["arguments"],
            draft=Draft(
                values=tuple(_value(*entry) for entry in facts.get("values", ())),
                derivations=tuple(_derivation(*entry) for entry in facts.get("derivations", ())),
                audit=context.get("audit", {}),
                vocabulary=tuple(facts.get("vocabulary", ())),
                overlaps={one: tuple(some) for one, some in facts.get("overlaps", {}).items()},
                statements=tuple(
                    _statement(table, *entry) for entry in facts.get("statements", ())
                ),
                answer=facts.get("answer", ""),
                stale=None if stale is None else tuple(stale),
            ),
            payload_size=payload.get("size"),
            payload_cut=payload.get("cut", False),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the content of a record: {error!r}") from error


def _entry(v: Value) -> tuple[object, ...]:
    entry = (v.name, v.value, v.kind, v.unit, v.entity, v.entity_iri, v.labels, v.period, v.source)
    if v.item is None:
        return entry
    options = (v.item.options,) if v.item.options else ()
    return (*entry, (v.item.names, v.item.pieces, *options))


def _value(name: str, value: str, kind: ValueKind, *rest: Any) -> Value:
    unit, entity, iri, labels, period, source, *more = rest
    item = Item(*map(tuple, more[0])) if more else None
    return Value(name, value, kind, unit, entity, iri, tuple(labels), period, source, item)


def _derivation(operation: Operation, operands: list[int], *rest: str) -> Derivation:
    value, unit, formula = rest
    return Derivation(operation, tuple(operands), value, unit, formula)


def _repeated(statements: Sequence[Statement]) -> dict[Names, int]:
    """Return the names that stand more than once in statements, each with its place."""
    uses = Counter(names for one in statements for names in _names_in(one))
    return {names: at for at, names in enumerate(one for one, n in uses.items() if n > 1 and one)}


def _names_in(one: Statement) -> tuple[Names, ...]:
    found = (one.subject, one.predicate, *one.objects)
    for condition in one.conditions:
        found = (*found, condition.predicate, *condition.objects)
    return found


def _statement_entry(one: Statement, table: Mapping[Names, int]) -> tuple[object, ...]:
    def written(names: Names) -> Names | int:
        return table.get(names, names)

    conditions = [
        _shortened((written(c.predicate), c.operator, list(map(written, c.objects)), c.unit))
        for c in one.conditions
    ]
    parts = (written(one.subject), written(one.predicate), list(map(written, one.objects)))
    return _shortened(
        (one.kind, *parts, conditions, one.value, one.position, one.complete, one.source)
    )


def _shortened(entry: tuple[object, ...]) -> tuple[object, ...]:
    """Return the array without the empty members at its end."""
    end = len(entry)
    # A 0 is a place among the names or values, and stays.
    while end and not (entry[end - 1] or entry[end - 1] == 0):
        end -= 1
    return entry[:end]


def _statement(table: Sequence[Names], kind: Any, *entry: Any) -> Statement:
    def read(names: list[str] | int | None) -> Names:
        return table[names] if isinstance(names, int) else tuple(names or ())

    def condition(predicate: Any, operator: Any, objects: Any = (), unit: Any = None) -> Condition:
        return Condition(read(predicate), operator, tuple(map(read, objects)), unit)

    rest = [*entry, *(None,) * (8 - len(entry))]
    subject, predicate, objects, conditions, value, position, complete, source = rest
    return Statement(
        kind,
        read(subject),
        read(predicate),
        tuple(map(read, objects or ())),
        tuple(condition(*one) for one in conditions or ()),
        value,
        position,
        complete or "",
        source,
    )


def _written(tree: object) -> bytes:
    text = _encoder.encode(tree)
    try:
        return text.encode()
    except UnicodeEncodeError:
        # A lone surrogate has no UTF-8: escape it as JSON does, and all else with it.
        return _ascii_encoder.encode(tree).encode()


def _plain(value: object) -> object:
    """Return a value that JSON cannot hold in the form that a reader expects."""
    if isinstance(value, Mapping):
        return dict(cast("Mapping[str, object]", value))
    if isinstance(value, (Decimal, PurePath)):
        return str(value)
    if isinstance(value, (dt.date, dt.time)):
        return value.isoformat()
    if isinstance(value, (set, frozenset)):
        return sorted(cast("set[str]", value))
    raise TypeError(f"{type(value).__name__} has no JSON form")


_encoder = json.JSONEncoder(
    ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)
_ascii_encoder = json.JSONEncoder(
    ensure_ascii=True, allow_nan=False, sort_keys=True, separators=(",", ":"), default=_plain
)
