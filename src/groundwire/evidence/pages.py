"""A record in bounded pages of text, part by part."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from groundwire.errors import InputError
from groundwire.evidence.records import Derivation, Record, Statement, Value

Part = Literal[
    "summary", "arguments", "values", "derivations", "statements", "audit", "vocabulary", "payload"
]
PARTS: tuple[Part, ...] = get_args(Part)
PAGE_CHARACTERS = 8_000


@dataclass(frozen=True, slots=True)
class Page:
    """A piece of one part of a record.

    Attributes:
        evidence_id: the record.
        part: the part.
        text: the piece: JSON for a summary, arguments and audit; one JSON object or string a line
            for values, derivations, statements and vocabulary; the payload as it was received,
            or base64.
        offset: where the piece begins, in characters of the whole part.
        total: characters of the whole part.
        next_offset: where the next piece begins, or None after the last.
        note: what a reader must know of it (cut, removed, base64, nothing there), or None.
    """

    evidence_id: str
    part: Part
    text: str
    offset: int
    total: int
    next_offset: int | None
    note: str | None


def page_of(record: Record, payload: bytes | None, part: Part, offset: int) -> Page:
    """The piece of `part` that begins at `offset`.

    Args:
        record: the record.
        payload: its stored payload, or None if it has none, has none any more or another part
            is asked for.
        part: what to read.
        offset: 0, or the `next_offset` of the page before.

    Raises:
        InputError: the part or place does not exist.
    """
    if part not in PARTS:
        raise InputError(f"There is no part {str(part)[:40]!r}: send one of {', '.join(PARTS)}.")
    whole, note = (
        _payload_text(record, payload) if part == "payload" else _text(record, payload, part)
    )
    if not 0 <= offset <= len(whole):
        raise InputError(
            f"Part {part} of {record.evidence_id} has {len(whole):,} characters, none at "
            f"{offset:,}: begin without a cursor."
        )
    end = min(offset + PAGE_CHARACTERS, len(whole))
    if end < len(whole):
        # Whole lines read better, unless the last line of the piece is most of it.
        line = whole.rfind("\n", offset + PAGE_CHARACTERS // 2, end)
        end = line + 1 if line >= 0 else end
    return Page(
        evidence_id=record.evidence_id,
        part=part,
        text=whole[offset:end],
        offset=offset,
        total=len(whole),
        next_offset=end if end < len(whole) else None,
        note=note,
    )


def summary(record: Record, payload: bytes | None) -> dict[str, Any]:
    """Return a summary of a record with the parts that can be read."""
    draft = record.draft
    tree: dict[str, Any] = {
        "evidence_id": record.evidence_id,
        "tool": record.tool,
        "created": record.created,
        "sequence": record.sequence,
        "hash": record.hash,
        "previous_hash": record.previous_hash,
        "values": len(draft.values),
        "derivations": len(draft.derivations),
        "statements": len(draft.statements),
        "vocabulary": len(draft.vocabulary),
    }
    if record.payload_hash is not None:
        tree["payload"] = {
            "sha256": record.payload_hash,
            "bytes_received": record.payload_size,
            "bytes_stored": None if payload is None else len(payload),
            "cut": record.payload_cut,
            "removed": payload is None,
        }
    has = {
        "arguments": record.arguments,
        "values": draft.values,
        "derivations": draft.derivations,
        "statements": draft.statements,
        "audit": draft.audit,
        "vocabulary": draft.vocabulary,
        "payload": payload,
    }
    tree["parts"] = [name for name in PARTS if has.get(name)]
    return tree


def _text(record: Record, payload: bytes | None, part: Part) -> tuple[str, str | None]:
    draft = record.draft
    match part:
        case "values":
            text = _lines(_present(value) for value in draft.values)
        case "derivations":
            text = _lines(_present(entry) for entry in draft.derivations)
        case "statements":
            text = _lines(_present(entry) for entry in draft.statements)
        case "vocabulary":
            text = _lines(draft.vocabulary)
        case "arguments":
            text = _indented(record.arguments)
        case "audit":
            text = _indented(draft.audit) if draft.audit else ""
        case _:
            text = _indented(summary(record, payload))
    return text, None if text else f"This record has no {part}."


def _payload_text(record: Record, payload: bytes | None) -> tuple[str, str | None]:
    if record.payload_hash is None:
        return "", "This record has no payload."
    if payload is None:
        return "", (
            f"The payload ({record.payload_size:,} bytes, SHA-256 {record.payload_hash}) was "
            "removed: payloads are kept for 30 days."
        )
    notes: list[str] = []
    if record.payload_cut:
        notes.append(f"Cut: the first {len(payload):,} of {record.payload_size:,} bytes were kept.")
    try:
        text = payload.decode()
    except UnicodeDecodeError as error:
        # The cut may have split the last character.
        if record.payload_cut and len(payload) - error.start < 4:
            text = payload[: error.start].decode()
        else:
            notes.append("Not UTF-8 text: shown as base64.")
            text = base64.encodebytes(payload).decode("ascii")
    return text, " ".join(notes) or None


def _present(entry: Value | Derivation | Statement) -> dict[str, Any]:
    """The fields of an entry that hold something."""
    return {name: value for name, value in asdict(entry).items() if value not in (None, (), "")}


def _lines(entries: Iterable[object]) -> str:
    return "\n".join(
        json.dumps(entry, ensure_ascii=False, separators=(",", ":")) for entry in entries
    )


def _indented(tree: Any) -> str:
    return json.dumps(tree, ensure_ascii=False, indent=1)
