"""What the ledger keeps of one answer: its values, how they were derived, and the audit block."""

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


@dataclass(frozen=True, slots=True)
class Draft:
    """What a domain hands over to be recorded; it holds no secret.

    Attributes:
        values: the facts that the answer states.
        derivations: what was computed from them.
        audit: the audit block (query text, endpoint, timestamps, status, ...).
        payload: the raw response, or None; the ledger cuts it at 5,242,880 bytes and says so.
        vocabulary: controlled terms (labels) that the answer's domain knows, so that a
            sentence that names one of them can be checked; kept small by the caller.
        overlaps: by the label of an entity the labels of others that hold it, or hold something
            that it holds: their values are never added, or taken as parts of one whole.
    """

    values: tuple[Value, ...] = ()
    derivations: tuple[Derivation, ...] = ()
    audit: Mapping[str, Any] = field(default_factory=dict[str, Any])
    payload: bytes | None = None
    vocabulary: tuple[str, ...] = ()
    overlaps: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])


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
