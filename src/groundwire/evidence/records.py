"""The record of one answer: its values, how they were derived, and the audit block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

ValueKind = Literal["number", "date", "iri", "name", "text", "boolean", "time"]
Operation = Literal[
    "count", "sum", "difference", "ratio", "percent_change", "share", "minimum", "maximum", "mean"
]


@dataclass(frozen=True, slots=True)
class Item:
    """One of several alike things that an answer tells of, such as a trip of a day.

    Attributes:
        names: what a sentence calls it ("Brixton to Bank", "first trip").
        pieces: what a sentence calls a piece of it that the value is of ("Brixton to Stockwell"):
            such words say nothing of themselves, since another item may be called so.
        options: numbers from 1 of the ways to have the item that the value is of, such as the
            plans of a trip; none where it is of the item whichever is taken.
    """

    names: tuple[str, ...]
    pieces: tuple[str, ...] = ()
    options: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Value:
    """One fact that an answer states.

    Attributes:
        name: what the value is of: a property's local name, a metric's code, "total".
        value: its exact text; numbers as plain decimals without grouping, dates as ISO 8601,
            times of day as HH:MM.
        kind: how the text is to be read.
        unit: canonical unit symbol ("km", "USD", "%"), or None for a bare number.
        entity: label of what the value is about, or None where it is about the answer.
        entity_iri: IRI of that entity, or None.
        labels: other names of the value or its entity that a sentence may use.
        period: period the value holds for ("2024", "FY2023", "2024-03"), or None; a period of two
            names has both ("FY2023 = 2023").
        source: where it comes from: document and locator, or an IRI.
        item: which of several alike things it belongs to, or None.
    """

    name: str
    value: str
    kind: ValueKind = "number"
    unit: str | None = None
    entity: str | None = None
    entity_iri: str | None = None
    labels: tuple[str, ...] = ()
    period: str | None = None
    source: str | None = None
    item: Item | None = None


@dataclass(frozen=True, slots=True)
class Derivation:
    """A value that was computed from others of the same answer.

    Attributes:
        operation: how.
        operands: positions in the draft's `values`, in the order of the formula.
        value: the exact result, as in `Value.value`.
        unit: its unit, or None.
        formula: the computation as a reader would write it.
    """

    operation: Operation
    operands: tuple[int, ...]
    value: str
    unit: str | None = None
    formula: str = ""


StatementKind = Literal["scope", "part", "order", "relation", "absence", "source"]
Operator = Literal[
    "is",
    "any_of",
    "all_of",
    "none_of",
    "contains",
    "exists",
    "missing",
    "at_least",
    "more_than",
    "at_most",
    "less_than",
]
Completeness = Literal["", "all_listed", "all_counted", "page"]
Names = tuple[str, ...]
"""The label of a thing, then its other names: labels of other languages, codes, its IRI."""


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that all members of a set meet, or a qualifier of a part.

    Attributes:
        predicate: the property, with its other names ("country", "Land").
        operator: how the property and the objects are related.
        objects: each object with its other names (("DE", "Germany", "German", "Deutschland"),).
        unit: canonical unit symbol where the objects are numbers of a unit, or None.
    """

    predicate: Names
    operator: Operator = "is"
    objects: tuple[Names, ...] = ()
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement of an answer beside its values.

    By kind:
        scope: a set. `subject` is what its members are called (hdmap, HD map, 地图), `conditions`
            hold for every member, `value` is the position of their count, `objects` are the
            members that are listed, and `complete` says whether these are all of them.
        part: one part of a whole at its `position` from 1, such as a leg of a plan. `subject` is
            the whole (plan 1, Brixton to Bank), `conditions` say what the part is (line, from, to,
            towards, mode).
        order: `objects` of the `subject` in their order, such as the steps of a how-to or the
            change points of a plan; `predicate` is what they are called (step, change).
        relation: `subject` is related by `predicate` to each of `objects`. `complete` is
            all_listed where these are all, so that another object is wrong.
        absence: `predicate` (disruption, fact, match) was looked for about `subject`, under
            `conditions`, and there is none.
        source: the answer comes from `subject`: a document, a dataset or an endpoint.

    Attributes:
        kind: see above.
        subject: what the statement is about, with its other names.
        predicate: what is stated of it, with other names; empty for a set, a part or a source.
        objects: see above.
        conditions: see above.
        value: position in the draft's `values` of the count of a set, or None.
        position: place of a part, from 1, or None.
        complete: whether the objects are all there are; "" where nothing is said.
        source: where it comes from, or None where the values say so.
    """

    kind: StatementKind
    subject: Names = ()
    predicate: Names = ()
    objects: tuple[Names, ...] = ()
    conditions: tuple[Condition, ...] = ()
    value: int | None = None
    position: int | None = None
    complete: Completeness = ""
    source: str | None = None


@dataclass(frozen=True, slots=True)
class Draft:
    """The draft of a record that a domain hands over; it holds no secret.

    Attributes:
        values: the facts that the answer states.
        derivations: what was computed from them.
        audit: the audit block (query text, endpoint, timestamps, status, ...).
        payload: the raw response, or None; the ledger cuts it at 5,242,880 bytes and says so.
        vocabulary: controlled terms (labels) that the answer's domain knows, so that a
            sentence that names one of them can be checked; kept small by the caller.
        overlaps: by the label of an entity the labels of others that hold it, or hold something
            that it holds: their values are never added, or taken as parts of one whole.
        statements: what the answer states beside its values: the scope of a set, parts and their
            order, relations, recorded absence, sources.
        answer: the sentences in which the tool told its answer; who repeats one of them word for
            word says what was answered.
        stale: None where what is told holds whenever it is read; of an answer that tells how things
            are at the moment, and so replaces what earlier ones told of the same things, names of
            other values that it makes out of date.
    """

    values: tuple[Value, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    audit: Mapping[str, Any] = field(default_factory=dict[str, Any])
    payload: bytes | None = None
    vocabulary: tuple[str, ...] = ()
    overlaps: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    statements: tuple[Statement, ...] = ()
    answer: str = ""
    stale: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """One record of the chain, as it is read back.

    Attributes:
        evidence_id: its handle, random.
        sequence: its place in the chain, from 1.
        owner: who may read it: "local" on stdio, the token's subject over HTTP.
        tool: the tool that answered.
        arguments: the normalized arguments.
        created: ISO 8601 in UTC, with milliseconds.
        draft: what was recorded; its payload is None here (pages of it are read apart).
        payload_hash: SHA-256 of the stored payload, or None.
        payload_size: bytes of the payload before it was cut, or None.
        payload_cut: whether it was cut.
        previous_hash: the hash of the record before it.
        hash: the hash of this record.
    """

    evidence_id: str
    sequence: int
    owner: str
    tool: str
    arguments: Mapping[str, Any]
    created: str
    draft: Draft
    payload_hash: str | None
    payload_size: int | None
    payload_cut: bool
    previous_hash: str
    hash: str
