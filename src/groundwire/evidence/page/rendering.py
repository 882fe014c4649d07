"""A page of evidence: its texts in the order in which they are read, and the page in HTML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from groundwire.apps import asset, bridge, document, template
from groundwire.evidence.claims.claim import Claim
from groundwire.evidence.records import Condition, Derivation, Names, Record, Statement, Value
from groundwire.evidence.verification import SEAL_DIGITS, Verification

MOST_ROWS = 200
"""So many values, statements or queries of one record are shown; the rest is counted."""
LONGEST_TEXT = 8_000
LONGEST_CELL = 400
_OPERATORS = {
    "any_of": "any of",
    "all_of": "all of",
    "none_of": "none of",
    "contains": "contains",
    "exists": "is there",
    "missing": "is missing",
    "at_least": "≥",
    "more_than": ">",
    "at_most": "≤",
    "less_than": "<",
}
_REACH = {
    "all_listed": "all are listed",
    "all_counted": "all are counted",
    "page": "only a page was seen",
}


@dataclass(frozen=True, slots=True)
class ShownClaim:
    """A claim of a draft: its text, its status, the reason, and the record that speaks to it."""

    text: str
    status: str
    detail: str
    evidence_id: str


@dataclass(frozen=True, slots=True)
class ShownValue:
    """A recorded value, its name and unit as a reader would write them."""

    name: str
    about: str
    period: str
    value: str
    source: str


@dataclass(frozen=True, slots=True)
class ShownQuery:
    """A query that ran; the hash is that of the response before anything was made of it."""

    text: str
    endpoint: str
    outcome: str
    times: str
    response_hash: str


@dataclass(frozen=True, slots=True)
class ShownChart:
    """The chart of a record.

    Attributes:
        title: what it shows.
        lines: told below the title: unit and source, or why nothing is drawn.
        wide: the drawing as HTML, made safe by `apps.drawing`; empty where there is none.
        narrow: the same for a narrow screen.
    """

    title: str
    lines: tuple[str, ...]
    wide: str
    narrow: str


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """A record of the ledger.

    Attributes:
        evidence_id: its handle.
        tool: the tool that answered.
        created: moment in UTC.
        sequence: its place in the chain, from 1.
        arguments: the normalized arguments, as JSON.
        answer: what the tool told.
        charts: what was drawn of it.
        values: recorded values.
        computed: what was computed from them, one line each.
        statements: what else it states, one line each.
        queries: what was asked of the endpoint.
        sources: documents and cells that were read, one line each.
        payload: the beginning of the raw response, or "".
        payload_note: what a reader must know of the response, or "".
        payload_hash: SHA-256 of the response, or "".
        previous_hash: hash of the record before it.
        hash: its own hash.
        seal: the beginning of the hash, as answers show it.
        left_out: what was left out to keep the page short, or "".
    """

    evidence_id: str
    tool: str
    created: str
    sequence: int
    arguments: str
    answer: str
    charts: tuple[ShownChart, ...]
    values: tuple[ShownValue, ...]
    computed: tuple[str, ...]
    statements: tuple[str, ...]
    queries: tuple[ShownQuery, ...]
    sources: tuple[str, ...]
    payload: str
    payload_note: str
    payload_hash: str
    previous_hash: str
    hash: str
    seal: str
    left_out: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """A page of evidence.

    Attributes:
        heading: what it is about, one line.
        chain: whether the chain holds, one line, or "" where it was not checked.
        chain_holds: whether it does; True where it was not checked.
        draft: the text that was checked, or "".
        verdict: the verdict on it, or "".
        claims: its claims.
        records: the records that speak to it.
    """

    heading: str
    chain: str
    chain_holds: bool
    draft: str
    verdict: str
    claims: tuple[ShownClaim, ...]
    records: tuple[ShownRecord, ...]


def shown_claim(claim: Claim, detail: str) -> ShownClaim:
    """Return a claim in the form in which a page shows it.

    Args:
        claim: the claim.
        detail: the reason, in the words of the advice that the tool gives.
    """
    return ShownClaim(_cell(claim.text), claim.status, _cell(detail), claim.evidence_id or "")


def shown_record(
    record: Record,
    payload: bytes | None = None,
    rows: int = MOST_ROWS,
    text: int = LONGEST_TEXT,
    charts: tuple[ShownChart, ...] = (),
) -> ShownRecord:
    """Return a record in the form in which a page shows it.

    Args:
        record: the record.
        payload: its stored response, or None where it has none or none is to be shown.
        rows: so many values, statements, queries and sources are shown at most.
        text: so many characters of the response, the answer and the arguments at most.
        charts: what was drawn of it.
    """
    draft = record.draft
    told, note = _payload(record, payload, text)
    statements = [_statement(one) for one in draft.statements[:rows]]
    queries = tuple(_queries(draft.audit))
    sources = tuple(dict.fromkeys(_sources(draft.audit)))
    telling = [one for one in draft.values if not _names_only(one)]
    over = {
        "values": len(telling) - rows,
        "computed values": len(draft.derivations) - rows,
        "statements": len(draft.statements) - rows,
        "queries": len(queries) - rows,
        "sources": len(sources) - rows,
    }
    return ShownRecord(
        evidence_id=record.evidence_id,
        tool=record.tool,
        created=record.created,
        sequence=record.sequence,
        arguments=_cut(json.dumps(record.arguments, ensure_ascii=False, indent=1), text),
        answer=_cut(draft.answer, text),
        charts=charts,
        values=tuple(map(_value, telling[:rows])),
        computed=tuple(map(_derivation, draft.derivations[:rows])),
        statements=tuple(statements),
        queries=queries[:rows],
        sources=sources[:rows],
        payload=told,
        payload_note=note,
        payload_hash=record.payload_hash or "",
        previous_hash=record.previous_hash,
        hash=record.hash,
        seal=record.hash[:SEAL_DIGITS],
        left_out=", ".join(f"{count:,} more {name}" for name, count in over.items() if count > 0),
    )


def chain_line(found: Verification) -> str:
    """Say in one line whether the chain of the ledger holds."""
    records = "1 record" if found.records == 1 else f"{found.records:,} records"
    if found.ok:
        return f"The chain holds: {records} checked from the first to the last, none was changed."
    return f"The chain does not hold at record {found.first_bad}: {found.reason}"


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


def _cell(text: str) -> str:
    return _cut(text, LONGEST_CELL)


def _names_only(one: Value) -> bool:
    """Whether a value says no more than the name or the address of the thing that it is of."""
    return one.entity is not None and one.value in (one.entity, one.entity_iri)


def _value(one: Value) -> ShownValue:
    name = one.labels[0] if one.labels and one.name.isupper() else one.name
    items = "" if one.item is None or not one.item.names else one.item.names[0]
    unit = "" if one.unit is None else f" {one.unit}"
    return ShownValue(
        name=_cell(name),
        about=_cell(one.entity or items),
        period=_cell((one.period or "").partition(" = ")[0]),
        value=_cell(f"{one.value}{unit}"),
        source=_cell(one.source or ""),
    )


def _derivation(one: Derivation) -> str:
    """Return a formula that ends in its result."""
    unit = "" if one.unit is None else f" {one.unit}"
    formula = one.formula or one.operation.replace("_", " ")
    return _cell(f"{one.operation.replace('_', ' ')}: {formula} = {one.value}{unit}")


def _first(names: Names) -> str:
    return names[0] if names else ""


def _condition(one: Condition) -> str:
    objects = ", ".join(_first(names) for names in one.objects)
    unit = f" {one.unit}" if one.unit else ""
    operator = "=" if one.operator == "is" else _OPERATORS[one.operator]
    return " ".join(filter(None, (_first(one.predicate), operator, f"{objects}{unit}".strip())))


def _statement(one: Statement) -> str:
    """A statement in one line: what it is about, what is stated, and how far it reaches."""
    about = _first(one.subject)
    where = "; ".join(_condition(condition) for condition in one.conditions)
    objects = ", ".join(_first(names) for names in one.objects)
    reach = _REACH.get(one.complete, "")
    if one.kind == "scope":
        line = f"set of {about}" + f" with {where}" * bool(where) + f": {objects}" * bool(objects)
    elif one.kind == "part":
        line = f"part {one.position} of {about}: {where}"
    elif one.kind == "absence":
        line = f"looked for and not held: {_first(one.predicate)} {about}".rstrip()
        line += f" ({where})" * bool(where)
    elif one.kind == "source":
        line = f"source: {about}" + f" ({where})" * bool(where)
    else:
        line = f"{about} — {_first(one.predicate)} — {objects}" + f" ({where})" * bool(where)
    return _cell(line + f" [{reach}]" * bool(reach))


def _queries(audit: Mapping[str, Any]) -> Iterator[ShownQuery]:
    """The queries of an audit block: of a list, or the block itself where it holds one."""
    listed = audit.get("queries")
    blocks = cast("list[Any]", listed) if isinstance(listed, list) else [audit]
    for block in blocks:
        if not isinstance(block, Mapping):
            continue
        one = cast("Mapping[str, Any]", block)
        # Queries of tables name no endpoint: theirs is the store of the profile.
        query = one.get("query_text") or one.get("sql")
        if not query:
            continue
        response = one.get("raw_response")
        digest = (
            cast("Mapping[str, Any]", response).get("sha256")
            if isinstance(response, Mapping)
            else ""
        )
        times = (one.get("start_timestamp"), one.get("end_timestamp"))
        yield ShownQuery(
            _cut(str(query), LONGEST_TEXT),
            _cell(str(one.get("endpoint") or "")),
            _cell(
                ", ".join(
                    str(one[key])
                    for key in ("status_code", "status", "result_summary")
                    if one.get(key)
                )
            ),
            " to ".join(str(time) for time in times if time),
            str(digest or ""),
        )


def _sources(audit: Mapping[str, Any]) -> Iterator[str]:
    """The cells and documents that an audit block names, with what stood there."""
    outcomes = audit.get("outcomes")
    for outcome in cast("list[Any]", outcomes) if isinstance(outcomes, list) else []:
        if isinstance(outcome, Mapping):
            one = cast("Mapping[str, Any]", outcome)
            if one.get("source"):
                raw = f": “{one['raw']}”" if one.get("raw") else ""
                digest = f" (SHA-256 {one['doc_hash']})" if one.get("doc_hash") else ""
                yield _cell(f"{one['source']}{raw}{digest}")
    names = audit.get("sources")
    for name in cast("list[Any]", names) if isinstance(names, list) else []:
        yield _cell(str(name))


def _payload(record: Record, payload: bytes | None, longest: int) -> tuple[str, str]:
    if record.payload_hash is None:
        return "", ""
    size = record.payload_size or 0
    cut = "; it was cut when it was recorded" if record.payload_cut else ""
    if payload is None:
        return "", f"{size:,} bytes were received{cut}; they are not shown here."
    text = payload.decode("utf-8", errors="replace")
    shown = _cut(text, longest)
    part = f"the first {longest:,} characters of " if len(text) > longest else ""
    return shown, f"{part}{size:,} bytes as they were received{cut}"


VIEW_KEY = "groundwire/evidence"
"""Where the result of a tool carries the fragment for the app: beside what the model reads."""

MARK = "groundwire evidence"
"""The generator that a written page names, so that a later one may take its place."""


def evidence_page(sheet: Sheet) -> str:
    """Return the evidence as an HTML document without any script."""
    return document(sheet.heading, f"<main>{fragment(sheet)}</main>", style(), MARK)


def style() -> str:
    """Return the style sheet of the page."""
    return _asset("page.css")


def fragment(sheet: Sheet) -> str:
    """Return the body of the page, as the file and the app show it; no text can act."""
    return template(__package__ or "", "evidence.html.jinja").render(sheet=sheet)


@cache
def app_page() -> str:
    """Return the page of the MCP App, which shows what the result of a tool carries.

    It comes in the result's `_meta` under `VIEW_KEY`; without it the text of the result is shown.
    Light and dark follow the host.
    """
    return document(
        "Evidence",
        '<p id="status" role="status">The evidence is on its way.</p><main></main>',
        _asset("page.css"),
        MARK,
        bridge() + _asset("app.js").replace("VIEW_KEY", VIEW_KEY),
    )


def _asset(name: str) -> str:
    return asset(__package__ or "", name)
