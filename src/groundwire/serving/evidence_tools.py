"""The two tools of every server: read what was recorded, and check a text against it."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self

import anyio.to_thread
from mcp.server.apps import client_supports_apps
from mcp.server.mcpserver import Context
from pydantic import BaseModel, ConfigDict, Field

from groundwire.errors import InputError, NotFoundError
from groundwire.evidence import Ledger, Part, Record
from groundwire.evidence.claims.claim import Check, ClaimKind, Status, Verdict
from groundwire.evidence.ledger import MOST_REMEMBERED
from groundwire.serving.claim_advice import WORST_FIRST, Advice, advice_on
from groundwire.serving.files import BUNDLE, given_links
from groundwire.serving.handles import START, Cursor, HandleStore
from groundwire.serving.refusals import quoted
from groundwire.serving.results import Viewed
from groundwire.serving.sections import Entry, Listing, Section, Shown
from groundwire.serving.tools import current_owner, current_site, is_over_http
from groundwire.serving.toolsets import APP_PAGE, Toolset, resource, tool

if TYPE_CHECKING:
    from groundwire.evidence.page.rendering import ShownChart, ShownClaim

# So much of a draft is read, and so many numbers; what follows is said to be unread.
READ_OF_DRAFT = 20_000
NUMBERS_OF_DRAFT = 1_000
_NUMBER = re.compile(r"\d[\d.,]*")
MAX_DRAFT = 1_000_000
MAX_RECORDS = 50
EVIDENCE_PAGE = "ui://groundwire/evidence"
_AS_PAGE = {"ui": {"resourceUri": EVIDENCE_PAGE}}
# Records and rows of each that the page shows inline, beside what a model reads.
_SHOWN_RECORDS = 8
_SHOWN_ROWS = 25
_SHOWN_TEXT = 1_500
_LONGEST_TITLE = 240
AS_WRITTEN = (
    "This record is as it was written: its hash is that of its content. Whether the whole chain "
    "holds, the page Chain tells, as groundwire evidence verify does."
)
_UNREAD = "The last {:,} characters of the text were not read: send them as a draft of their own."


class _Result(BaseModel):
    """A result; its validator is built by the first call, which spares every start."""

    model_config = ConfigDict(defer_build=True)

    answer: str


class EvidencePage(_Result):
    """A piece of one part of a record; its summary names the record as a signed bundle."""

    evidence_id: str
    part: Part
    text: str
    total_characters: int
    verbatim: ClassVar = frozenset({"text"})
    note: str | None = None
    files: ClassVar = {"bundle": "bundle_url"}
    unlisted: ClassVar = frozenset(("bundle", "bundle_url"))
    bundle: str | None = None
    bundle_url: str | None = None
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
    drop_or_rephrase: list[str] | None = None


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
            key=lambda at: WORST_FIRST.index(self.claims[at].status),
        )
        return self.model_copy(update={"claims": [self.claims[at] for at in sorted(worst[:keep])]})


class EvidenceTools(Toolset):
    """Reading evidence, and holding a text against it."""

    name = "evidence"
    title = "Evidence"
    instructions = (
        "Before you show an answer with figures, dates or names to your user, send its text to "
        "verify_answer without evidence_ids and mend what it names: it looks at the answers that "
        "you got here."
    )

    def __init__(
        self,
        ledger: Ledger,
        handles: HandleStore,
        charts: Callable[[Record], tuple[ShownChart, ...]] = lambda _: (),
    ) -> None:
        """Serve a ledger.

        Args:
            ledger: the records.
            handles: where the links that answers gave are kept.
            charts: draws what was drawn of a record.
        """
        self._ledger = ledger
        self._handles = handles
        self._charts = charts

    def close(self) -> None:
        """Close the ledger."""
        self._ledger.close()

    def sections(self) -> Iterable[Section]:
        """The answers, each with its evidence, and the check of the chain that they are in."""
        from groundwire.serving.ui.pages import ChainPage

        none = "No answer is recorded yet: every answer from facts is listed here."
        return (
            Section("answers", "Answers", none, self._listed, self._shown),
            Section("chain", "Chain", page=ChainPage(self._ledger).shown),
        )

    def _listed(self, owner: str, limit: int, before: str) -> Listing:
        records = self._ledger.listed(owner, limit + 1, before)
        shown = records[:limit]
        return Listing(
            tuple(map(_entry, shown)), shown[-1].evidence_id if len(records) > limit else ""
        )

    def _shown(self, owner: str, evidence_id: str) -> Shown:
        from groundwire.evidence.page.rendering import Sheet, fragment, shown_record, style

        record = self._ledger.get(evidence_id, owner)
        payload = self._ledger.payload(record)
        shown = shown_record(record, payload, charts=self._charts(record))
        heading = f"Evidence {record.evidence_id}"
        body = fragment(Sheet(heading, AS_WRITTEN, True, "", "", (), (shown,)))
        return Shown(heading, f"<main>{body}</main>", style())

    @tool(
        "Read an evidence record",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=10.0,
        meta=_AS_PAGE,
    )
    async def get_evidence(
        self,
        context: Context[Any, Any],
        evidence_id: Annotated[str, Field(description="From an answer.")],
        part: Annotated[Part, Field(description="What to read of it.")] = "summary",
        cursor: Cursor = START,
    ) -> Viewed[EvidencePage]:
        """Read what proves an answer: values, sources, query, raw response."""
        read = partial(self._ledger.page, evidence_id, current_owner(), part, cursor.offset)
        page = await anyio.to_thread.run_sync(read)
        view: Mapping[str, Any] = {}
        if part == "summary" and not cursor.offset and client_supports_apps(context):
            view = await anyio.to_thread.run_sync(self._view_of, evidence_id, current_owner())
        end = page.offset + len(page.text)
        reach = "all of it" if len(page.text) == page.total else f"{page.offset}-{end}"
        result = EvidencePage(
            answer=f"The {part} of {evidence_id} has {page.total:,} characters; here is {reach}.",
            evidence_id=page.evidence_id,
            part=page.part,
            text=page.text,
            total_characters=page.total,
            note=page.note,
            bundle=f"{BUNDLE}{page.evidence_id}" if part == "summary" else None,
            next_offset=page.next_offset,
        )
        return Viewed(result, view)

    @resource(EVIDENCE_PAGE, title="Evidence", mime_type=APP_PAGE)
    async def evidence_page(self) -> str:
        """The page in which hosts show claims, values, sources, queries and hashes inline."""
        from groundwire.evidence.page.rendering import app_page

        return app_page()

    @tool(
        "Check an answer against the evidence",
        read_only=True,
        idempotent=True,
        open_world=False,
        timeout=20.0,
        meta=_AS_PAGE,
    )
    async def verify_answer(
        self,
        context: Context[Any, Any],
        draft: Annotated[
            str,
            Field(
                min_length=1,
                max_length=MAX_DRAFT,
                description="The text you will show, word for word.",
            ),
        ],
        evidence_ids: Annotated[
            list[str] | None,
            Field(
                max_length=MAX_RECORDS,
                description="Default: this connection's last 200; over HTTP yours of 30 minutes.",
            ),
        ] = None,
    ) -> Viewed[Verified]:
        """Check a text before it is shown, claim by claim: every number, date, IRI and name.

        supported, derived: the records hold it; contradicted: they say otherwise; unsupported:
        look it up or drop it; not_judged: drop or rephrase the words named.
        """
        owner = current_owner()
        given = partial(given_links, draft, self._handles, owner, current_site())
        # The check is bounded by the draft's length; a thread that outlives the time limit ends.
        return await anyio.to_thread.run_sync(
            self._verified,
            draft,
            given,
            partial(self._records, owner, tuple(evidence_ids or ()), is_over_http(context)),
            client_supports_apps(context),
            abandon_on_cancel=True,
        )

    def _verified(
        self,
        draft: str,
        given: Callable[[], Collection[str]],
        recorded: Callable[[], Sequence[Record]],
        drawn: bool,
    ) -> Viewed[Verified]:
        from groundwire.evidence.claims.check import check

        records = recorded()
        text = _beginning(draft)
        again = partial(check, records=records, links=given())
        checked = again(text)
        unread = len(draft) - len(text)
        if unread and checked.verdict == "supported":
            checked = replace(checked, verdict="supported_in_part")
        advice = advice_on(text, checked, again)
        claims = [
            ClaimItem(
                text=one.claim.text,
                kind=one.claim.kind,
                status=one.claim.status,
                evidence_id=one.claim.evidence_id,
                detail=one.detail,
                drop_or_rephrase=list(one.words) or None,
            )
            for one in advice.claims
        ]
        result = Verified(
            answer=_sentence(checked, advice, len(records), unread),
            verdict=checked.verdict,
            claims=claims,
            not_judged=[*advice.not_judged, *[_UNREAD.format(unread)] * bool(unread)],
            records_used=len(records),
        )
        return Viewed(result, _checked_view(text, checked, advice, records) if drawn else {})

    def _view_of(self, evidence_id: str, owner: str) -> Mapping[str, Any]:
        """Return the view of one record for the page."""
        return _view(f"Evidence {evidence_id}", [self._ledger.get(evidence_id, owner)])

    def _records(self, owner: str, evidence_ids: Sequence[str], over_http: bool) -> list[Record]:
        """The records that are named; else those of the owner over HTTP, or of the connection."""
        if not evidence_ids:
            return self._ledger.recent(owner) if over_http else self._ledger.answered(owner)
        records: list[Record] = []
        for evidence_id in dict.fromkeys(evidence_ids):
            try:
                records.append(self._ledger.get(evidence_id, owner))
            except NotFoundError as exc:
                raise InputError(
                    f"there is no evidence {quoted(evidence_id)}: send evidence_ids as answers "
                    "returned them, or leave them out to check against what was answered here."
                ) from exc
        return records


def _entry(record: Record) -> Entry:
    """A record as a line: the beginning of its answer, its tool and its handle."""
    lines = record.draft.answer.strip().splitlines()
    title = lines[0] if lines else "(no sentence was recorded)"
    if len(title) > _LONGEST_TITLE:
        title = f"{title[: _LONGEST_TITLE - 1]}…"
    moment = dt.datetime.fromisoformat(record.created).timestamp()
    return Entry(record.evidence_id, title, (record.tool, record.evidence_id), moment)


def _checked_view(
    text: str, checked: Check, advice: Advice, records: Sequence[Record]
) -> Mapping[str, Any]:
    """Return the view of a check for the page: its claims, and the records that speak to them."""
    from groundwire.evidence.page.rendering import shown_claim

    named = dict.fromkeys(claim.evidence_id for claim in checked.claims)
    claims = [shown_claim(one.claim, one.detail) for one in advice.claims]
    speaking = [record for record in records if record.evidence_id in named]
    return _view("What the records say", speaking, text, checked.verdict, claims)


def _view(
    heading: str,
    records: Sequence[Record],
    draft: str = "",
    verdict: str = "",
    claims: Sequence[ShownClaim] = (),
) -> Mapping[str, Any]:
    from groundwire.evidence.page.rendering import VIEW_KEY, Sheet, fragment, shown_record

    shown = [
        shown_record(one, rows=_SHOWN_ROWS, text=_SHOWN_TEXT) for one in records[:_SHOWN_RECORDS]
    ]
    page = Sheet(heading, "", True, draft, verdict, tuple(claims), tuple(shown))
    return {VIEW_KEY: fragment(page)}


def _beginning(draft: str) -> str:
    """The part of a draft that is read: up to a blank before its 20,000th character.

    It ends before its 1,001st number, too: more are a dump of data and take too long to judge.
    """
    most = next(islice(_NUMBER.finditer(draft, 0, READ_OF_DRAFT), NUMBERS_OF_DRAFT, None), None)
    end = min(len(draft), READ_OF_DRAFT if most is None else most.start())
    if end == len(draft):
        return draft
    cut = draft[:end]
    return cut[: max(cut.rfind(" "), cut.rfind("\n"), end - 200)]


def _sentence(checked: Check, advice: Advice, records: int, unread: int = 0) -> str:
    """Say what to do with the draft, one line for each thing to mend, and what was not read."""
    count = len(checked.claims)
    note = f"\n{_UNREAD.format(unread)}" * bool(unread)
    if not count and not advice.lines:
        return f"The text states no number, date, IRI, quotation or name to check.{note}"
    if not records:
        return (
            f"No evidence is recorded here to check {_claims(count)} against: look the facts up "
            f"first, or send the evidence_ids of the answers that you had.{note}"
        )
    against = "1 record" if records == 1 else f"{records} records"
    if records == MOST_REMEMBERED:
        against = f"the last {records} records"
    if checked.verdict == "supported":
        return f"{_claims(count)} checked against {against}: nothing to correct."
    if not advice.lines:
        return f"{_claims(count)} checked against {against}: what was read holds.{note}"
    counts = Counter(claim.status for claim in checked.claims)
    told = " and ".join(
        f"{counts[status]} {status.replace('_', ' ')}"
        for status in WORST_FIRST[:3]
        if counts[status]
    )
    head = f"Of {_claims(count)}, {told or 'all hold'}: mend this and check again."
    if counts["supported"] + counts["derived"] and not (advice.left_out or note):
        head += " Keep what is not named here: it holds."
    more = f"\n- {advice.left_out} more in claims and not_judged." * bool(advice.left_out)
    return head + "".join(f"\n- {line.removesuffix('.')}." for line in advice.lines) + more + note


def _claims(count: int) -> str:
    return "1 claim" if count == 1 else f"{count} claims"
