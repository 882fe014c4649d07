"""The two tools of every server: read what was recorded, and check a text against it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated, Self

import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field

from groundwire.errors import InputError, NotFoundError
from groundwire.evidence import Ledger, Part, Record
from groundwire.evidence.claims.claim import Check, ClaimKind, Status, Verdict
from groundwire.serving.cursors import START, Cursor
from groundwire.serving.owner import current_owner
from groundwire.serving.refusals import quoted
from groundwire.serving.toolsets import Toolset, tool

# So much of a draft is read; what follows is said to be unread.
READ_OF_DRAFT = 20_000
MAX_DRAFT = 1_000_000
MAX_RECORDS = 50
NAMED_PROBLEMS = 3
_UNREAD = "The last {:,} characters of the text were not read: send them as a draft of their own."
_WORST_FIRST: tuple[Status, ...] = (
    "contradicted",
    "unsupported",
    "not_judged",
    "derived",
    "supported",
)


class _Result(BaseModel):
    """A result; its validator is built by the first call, which spares every start."""

    model_config = ConfigDict(defer_build=True)

    answer: str


class EvidencePage(_Result):
    """A piece of one part of a record."""

    evidence_id: str
    part: Part
    text: str
    total_characters: int
    note: str | None = None
    next_offset: int | None = None
    next_cursor: str | None = None


class ClaimItem(BaseModel):
    """One claim of a draft and what the records say of it."""

    model_config = ConfigDict(defer_build=True)

    text: str
    kind: ClaimKind
    status: Status
    evidence_id: str | None = None
    detail: str


class Verified(_Result):
    """The check of a draft, claim by claim in the order of the draft."""

    verdict: Verdict
    claims: list[ClaimItem]
    not_judged: list[str]
    records_used: int
    left_out: str | None = None

    @property
    def item_count(self) -> int:
        """How many claims there are."""
        return len(self.claims)

    def shortened(self, keep: int) -> Self:
        """The `keep` worst claims, since a claim that holds is the least missed."""
        worst = sorted(
            range(len(self.claims)),
            key=lambda at: _WORST_FIRST.index(self.claims[at].status),
        )
        return self.model_copy(update={"claims": [self.claims[at] for at in sorted(worst[:keep])]})


class EvidenceTools(Toolset):
    """Reading evidence, and holding a text against it."""

    name = "evidence"
    title = "Evidence"
    instructions = (
        "Before you show an answer with figures, dates or names to your user, send its text to "
        "verify_answer and correct what it calls contradicted or unsupported."
    )

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()

    @tool(
        "Read an evidence record",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=10.0,
    )
    async def get_evidence(
        self,
        evidence_id: Annotated[str, Field(description="As an answer returned it.")],
        part: Annotated[Part, Field(description="What to read of it.")] = "summary",
        cursor: Cursor = START,
    ) -> EvidencePage:
        """Read what proves an answer: its values with sources, the query, the raw response."""
        read = partial(self._ledger.page, evidence_id, current_owner(), part, cursor.offset)
        page = await anyio.to_thread.run_sync(read)
        end = page.offset + len(page.text)
        reach = "all of it" if len(page.text) == page.total else f"{page.offset}-{end}"
        return EvidencePage(
            answer=f"The {part} of {evidence_id} has {page.total:,} characters; here is {reach}.",
            evidence_id=page.evidence_id,
            part=page.part,
            text=page.text,
            total_characters=page.total,
            note=page.note,
            next_offset=page.next_offset,
        )

    @tool(
        "Check an answer against the evidence",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=20.0,
    )
    async def verify_answer(
        self,
        draft: Annotated[
            str,
            Field(
                min_length=1,
                max_length=MAX_DRAFT,
                description="The text that you are about to show your user, word for word.",
            ),
        ],
        evidence_ids: Annotated[
            list[str] | None,
            Field(
                max_length=MAX_RECORDS,
                description="Records to check against; default: yours of the last 30 minutes.",
            ),
        ] = None,
    ) -> Verified:
        """Check a text before showing it: every number, date, IRI and name in it, claim by claim.

        supported: recorded; derived: follows from recorded values; contradicted: the record says
        otherwise; unsupported: nothing recorded says so. Correct or drop the last two.
        """
        owner = current_owner()
        # The check is bounded by the draft's length; a thread that outlives the time limit ends.
        return await anyio.to_thread.run_sync(
            self._verified, owner, draft, tuple(evidence_ids or ()), abandon_on_cancel=True
        )

    def _verified(self, owner: str, draft: str, evidence_ids: Sequence[str]) -> Verified:
        from groundwire.evidence.claims.check import check

        records = self._records(owner, evidence_ids)
        text = _beginning(draft)
        checked = check(text, records)
        unread = len(draft) - len(text)
        claims = [
            ClaimItem(
                text=claim.text,
                kind=claim.kind,
                status=claim.status,
                evidence_id=claim.evidence_id,
                detail=claim.detail,
            )
            for claim in checked.claims
        ]
        return Verified(
            answer=_sentence(checked, len(records), unread),
            verdict=checked.verdict,
            claims=claims,
            not_judged=[*checked.not_judged, *[_UNREAD.format(unread)] * bool(unread)],
            records_used=len(records),
        )

    def _records(self, owner: str, evidence_ids: Sequence[str]) -> list[Record]:
        if not evidence_ids:
            return self._ledger.recent(owner)
        records: list[Record] = []
        for evidence_id in dict.fromkeys(evidence_ids):
            try:
                records.append(self._ledger.get(evidence_id, owner))
            except NotFoundError as exc:
                raise InputError(
                    f"there is no evidence {quoted(evidence_id)}: send evidence_ids as answers "
                    "returned them, or leave them out to check against the last 30 minutes."
                ) from exc
        return records


def _beginning(draft: str) -> str:
    """The part of a draft that is read: whole, or up to a blank before its 20,000th character."""
    if len(draft) <= READ_OF_DRAFT:
        return draft
    cut = draft[:READ_OF_DRAFT]
    return cut[: max(cut.rfind(" "), cut.rfind("\n"), READ_OF_DRAFT - 200)]


def _sentence(checked: Check, records: int, unread: int = 0) -> str:
    """One sentence that says what to do with the draft, and a second one on what was not read."""
    said = _advice(checked, records)
    if not unread:
        return said
    return f"{said.replace(': nothing to correct', '')} {_UNREAD.format(unread)}"


def _advice(checked: Check, records: int) -> str:
    count = len(checked.claims)
    if not count:
        return "The text states no number, date, IRI, quotation or name that could be checked."
    if not records:
        return (
            f"No evidence is recorded to check {_claims(count)} against: look the facts up first."
        )
    problems: list[str] = []
    for status in _WORST_FIRST[:2]:
        texts = [quoted(claim.text) for claim in checked.claims if claim.status == status]
        if texts:
            more = f" and {len(texts) - NAMED_PROBLEMS} more" * (len(texts) > NAMED_PROBLEMS)
            problems.append(f"{len(texts)} {status} ({', '.join(texts[:NAMED_PROBLEMS])}{more})")
    if not problems:
        against = "1 record" if records == 1 else f"{records} records"
        return f"{_claims(count)} checked against {against}: nothing to correct."
    return f"Of {_claims(count)}, {' and '.join(problems)}: correct or drop them before showing it."


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"
