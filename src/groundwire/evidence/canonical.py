"""The written form of a record: what is stored, and what its hash covers.

The content of a record (tool, arguments, values, derivations, audit, vocabulary, size of the
payload) is one JSON text: keys sorted, no blanks, characters as themselves in UTF-8, no NaN.
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
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from pathlib import PurePath
from typing import Any, cast

from groundwire.errors import InputError
from groundwire.evidence.records import Derivation, Draft, Value

GENESIS = "0" * 64
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class Header:
    """What a record is found by, and its place in the chain.

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


def encode(tool: str, arguments: Mapping[str, Any], draft: Draft, payload_cut: bool) -> bytes:
    """Write the content of a record; what is empty is left out.

    Raises:
        InputError: it holds something that JSON cannot carry (NaN, a cycle, an open file).
    """
    tree: dict[str, Any] = {"tool": tool, "arguments": arguments}
    if draft.values:
        tree["values"] = [value_tree(value) for value in draft.values]
    if draft.derivations:
        tree["derivations"] = [derivation_tree(entry) for entry in draft.derivations]
    if draft.audit:
        tree["audit"] = draft.audit
    if draft.vocabulary:
        tree["vocabulary"] = draft.vocabulary
    if draft.payload is not None:
        tree["payload"] = {"size": len(draft.payload), "cut": payload_cut}
    try:
        text = _encoder.encode(tree)
        try:
            return text.encode()
        except UnicodeEncodeError:
            # A lone surrogate has no UTF-8: escape it as JSON does, and all else with it.
            return _ascii_encoder.encode(tree).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(f"The answer cannot be recorded as JSON: {error}.") from error


def decode(content: bytes) -> Content:
    """Read the content of a record.

    Raises:
        ValueError: the bytes are no content that `encode` wrote.
    """
    try:
        tree = json.loads(content)
        payload = tree.get("payload", {})
        return Content(
            tool=tree["tool"],
            arguments=tree["arguments"],
            draft=Draft(
                values=tuple(_value(entry) for entry in tree.get("values", ())),
                derivations=tuple(_derivation(entry) for entry in tree.get("derivations", ())),
                audit=tree.get("audit", {}),
                vocabulary=tuple(tree.get("vocabulary", ())),
            ),
            payload_size=payload.get("size"),
            payload_cut=payload.get("cut", False),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not the content of a record: {error!r}") from error


def value_tree(value: Value) -> dict[str, Any]:
    """A value as JSON holds it; what is absent is left out."""
    tree: dict[str, Any] = {"name": value.name, "value": value.value, "kind": value.kind}
    if value.unit is not None:
        tree["unit"] = value.unit
    if value.entity is not None:
        tree["entity"] = value.entity
    if value.entity_iri is not None:
        tree["entity_iri"] = value.entity_iri
    if value.labels:
        tree["labels"] = value.labels
    if value.period is not None:
        tree["period"] = value.period
    if value.source is not None:
        tree["source"] = value.source
    return tree


def _value(tree: dict[str, Any]) -> Value:
    if labels := tree.get("labels"):
        tree = tree | {"labels": tuple(labels)}
    return Value(**tree)


def derivation_tree(entry: Derivation) -> dict[str, Any]:
    """A derivation as JSON holds it; what is absent is left out."""
    tree: dict[str, Any] = {
        "operation": entry.operation,
        "operands": entry.operands,
        "value": entry.value,
    }
    if entry.unit is not None:
        tree["unit"] = entry.unit
    if entry.formula:
        tree["formula"] = entry.formula
    return tree


def _derivation(tree: dict[str, Any]) -> Derivation:
    operands: tuple[int, ...] = tuple(tree.pop("operands"))
    return Derivation(operands=operands, **tree)


def _plain(value: object) -> object:
    """What JSON has no form for, in the form that a reader expects."""
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
