"""One file of facts into the store, in one transaction; and all files that a profile names."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from groundwire.errors import ConfigurationError, InputError
from groundwire.metrics.facts.model import FactRow, FactWriter, SourceDocument
from groundwire.metrics.facts.reading import HeldDocument
from groundwire.metrics.importing.cells import PLAIN, BadCell, UnitConflict, read_amount, settle
from groundwire.metrics.importing.flat_tables import format_of, open_table
from groundwire.metrics.importing.mapping import Format, Layout, Mapping, load_mapping
from groundwire.metrics.importing.report import (
    BadRowsError,
    ImportReport,
    Progress,
    Tally,
    TooManyBadRows,
)
from groundwire.metrics.importing.resolving import (
    Cells,
    Head,
    KnownHead,
    Refusal,
    Resolver,
    Span,
    Spans,
    ValueSlot,
    When,
    plan,
    unit_texts,
)
from groundwire.metrics.importing.sec_facts import SecRows, read_company
from groundwire.metrics.importing.table import Table, Unreadable
from groundwire.metrics.profile import Profile

if TYPE_CHECKING:
    from groundwire.metrics.facts.store import SqliteFacts
    from groundwire.metrics.sources import Owner

_TOLD_EVERY = 8192
_MOST_REFUSALS = 10_000


class TableRows:
    """Makes facts of the records of a table. A generator that is read once."""

    def __init__(
        self,
        table: Table,
        slots: Sequence[ValueSlot],
        resolver: Resolver,
        document: int,
        as_of: int,
        tally: Tally,
    ) -> None:
        """Take what the facts are made by.

        Args:
            table: the table.
            slots: its columns of values.
            resolver: resolves their texts.
            document: number of the document in the store.
            as_of: the day from which facts without a day of their own are known.
            tally: what is counted.
        """
        self._table = table
        self._slots = slots
        self._resolver = resolver
        self._document = document
        self._as_of = as_of
        self.tally = tally
        values = resolver.mapping.values
        self._missing = frozenset(values.missing) | {""}
        self._comma = values.decimal_comma
        self._refusals = 0
        # Columns of years are of the same things: what a row is of is resolved once for all.
        alike: dict[Hashable, dict[Hashable, Head | Refusal]] = {}
        self._subjects = {
            id(one): alike.setdefault(
                (one.metric, one.entity, one.channel, one.unit, one.fixed_units), {}
            )
            for one in slots
        }

    def __iter__(self) -> Iterator[FactRow]:
        tally, table, width = self.tally, self._table, len(self._table.headings)
        for number, cells in table.records:
            tally.rows += 1
            if not tally.rows % _TOLD_EVERY:
                tally.tell(table.position(), table.total)
            if isinstance(cells, Unreadable):
                tally.refuse(f"row {number}", "", "", cells.reason)
                continue
            if len(cells) != width:
                padded = self._even(cells, width, number)
                if padded is None:
                    continue
                cells = padded
            for slot in self._slots:
                fact = self._fact(slot, cells, number)
                if fact is not None:
                    yield fact
        tally.tell(table.total, table.total)

    def _even(self, cells: Cells, width: int, number: int) -> Cells | None:
        """A row without empty cells past its headings; None if it is ragged or empty."""
        if not any(cell.strip() for cell in cells):
            self.tally.rows -= 1
            return None
        even = list(cells[:width])
        if len(cells) > width and not any(cell.strip() for cell in cells[width:]):
            return even
        layout = self._resolver.mapping.layout
        if len(cells) < width and (layout.format != "csv" or layout.is_arranged):
            return even + [""] * (width - len(cells))  # a workbook ends where its cells do
        self.tally.refuse(
            f"row {number}", "", "",
            f"the row has {len(cells)} cells, the headings are {width}: is a delimiter unquoted?",
        )  # fmt: skip
        return None

    def _fact(self, slot: ValueSlot, cells: Cells, number: int) -> FactRow | None:
        cell = cells[slot.value]
        plain = None if self._comma else PLAIN.fullmatch(cell)
        if plain is None and cell.strip() in self._missing:
            self.tally.missing += 1
            return None
        key = slot.head_key(cells)
        known = slot.heads.get(key)
        if known is None:
            known = self._head(slot, cells, key)
        if isinstance(known, Refusal):
            return self._refuse(slot, cells, number, known)
        head, spans = known
        when_key = slot.span_key(cells)
        when = spans.get(when_key)
        if when is None:
            when = self._when(slot, cells, head, spans, when_key)
        if isinstance(when, Refusal):
            return self._refuse(slot, cells, number, when)
        span, as_of = when
        if not head.takes(span.grain):
            return self._wrong_grain(slot, cells, number, head, span)
        unit, raw = head.unit, None
        if plain is not None and not head.fraction:
            decimals = plain[1]
            if decimals is None:
                mantissa, exponent = int(cell), head.shift
            else:
                mantissa, exponent = int(cell.replace(".", "")), head.shift - len(decimals)
            if head.shift:
                raw = cell
        else:
            read = self._amount(slot, cell, number, head)
            if read is None:
                return None
            mantissa, exponent, unit, raw = read
        self.tally.facts += 1
        return FactRow(
            head.metric, head.entity, head.channel, span.start, span.end, as_of, mantissa,
            exponent, unit, self._document, slot.place, number, raw,
        )  # fmt: skip

    def _amount(
        self, slot: ValueSlot, cell: str, number: int, head: Head
    ) -> tuple[int, int, str, str | None] | None:
        """Mantissa, exponent, unit and raw text of a cell that is not a plain number."""
        try:
            amount = read_amount(cell, self._comma)
            shift, unit, raw = head.shift, head.unit, amount.raw
            if amount.unit is not None:
                shift, unit = settle(head.wanted, (*head.stated, amount.unit))
                shift -= amount.unit.exponent  # its scale word is applied already
            elif head.fraction:
                shift, raw = shift + 2, cell
            if shift:
                raw = cell
        except (BadCell, UnitConflict) as error:
            self._bad(slot, number, slot.value, cell, str(error))
            return None
        return amount.mantissa, amount.exponent + shift, unit, raw

    def _head(self, slot: ValueSlot, cells: Cells, key: Hashable) -> KnownHead | Refusal:
        subjects = self._subjects[id(slot)]
        head = subjects.get(key)
        if head is None:
            try:
                texts = slot.metric.of(cells), slot.entity.of(cells), slot.channel.of(cells)
                self._resolver.see_kept(texts[0] if slot.entity.index < 0 else texts[1])
                above = self._resolver.unit_above(texts[0])
                stated = unit_texts(*slot.fixed_units, slot.unit.of(cells), above)
                head = self._resolver.head(*texts, stated)
            except Refusal as refusal:
                head = refusal
                if self._is_past_keeping():
                    return head
            subjects[key] = head
        known = slot.heads[key] = (
            head if isinstance(head, Refusal) else (head, slot.spans.setdefault(head.calendar, {}))
        )
        return known

    def _when(
        self, slot: ValueSlot, cells: Cells, head: Head, spans: Spans, key: Hashable
    ) -> When | Refusal:
        when: When | Refusal
        resolver = self._resolver
        try:
            if slot.end.index >= 0 or slot.end.text:
                span = resolver.interval(slot.start.of(cells), slot.end.of(cells), head.calendar)
            else:
                span = resolver.span(slot.period_text(cells), head.calendar)
            known = slot.as_of.of(cells)
            when = span, resolver.day(known, "as_of") if known else self._as_of
        except Refusal as refusal:
            when = refusal
            if self._is_past_keeping():
                return when
        spans[key] = when
        return when

    def _is_past_keeping(self) -> bool:
        """Whether no more refusals are remembered: a wrong column has a new one in each row."""
        self._refusals += 1
        return self._refusals > _MOST_REFUSALS

    def _wrong_grain(
        self, slot: ValueSlot, cells: Cells, number: int, head: Head, span: Span
    ) -> None:
        text = slot.period_text(cells) or slot.end.of(cells)
        metric = self._resolver.profile.metric_by_code[head.metric]
        self._bad(
            slot, number, max(slot.period.index, slot.end.index), text,
            f"{text!r} is a {span.grain.replace('_', ' ')}, {head.metric} is reported by "
            f"{', '.join(metric.grains)}: add the grain to the metric in the profile",
        )  # fmt: skip

    def _refuse(self, slot: ValueSlot, cells: Cells, number: int, refusal: Refusal) -> None:
        when = slot.period_text(cells)
        if refusal.skip or self._resolver.leaves_out(when):
            self.tally.skip(str(refusal) if refusal.skip else f"rows of {when!r} are left out")
            return
        part = getattr(slot, "period" if refusal.role == "period" else refusal.role)
        self._bad(slot, number, part.index, refusal.raw, str(refusal))

    def _bad(self, slot: ValueSlot, number: int, index: int, raw: str, reason: str) -> None:
        place = self._table.place(index) if index >= 0 else slot.place
        heading = self._table.headings[index] if index >= 0 else ""
        self.tally.refuse(place.replace("{}", str(number)), heading, raw, reason)


Stamp = tuple[int, int]
"""Size and time of change of a file."""


class TakesFacts(Protocol):
    """The side of a store that an import writes to."""

    def writer(self) -> FactWriter:
        """Begin one import."""
        ...

    def documents(self) -> Sequence[HeldDocument]:
        """The documents that it has facts of."""
        ...


def import_file(
    path: Path,
    mapping: Mapping | None,
    profile: Profile,
    store: TakesFacts,
    *,
    progress: Progress | None = None,
    skip_bad: bool = False,
    today: date | None = None,
) -> ImportReport:
    """Import one file. All of it is kept, or nothing.

    Args:
        path: the file.
        mapping: where its parts stand; SEC company facts need none.
        profile: what its terms are resolved by.
        store: where the facts go.
        progress: told of (name of the file, bytes or rows done, of how many).
        skip_bad: keep the good rows of a file with bad ones.
        today: the day of the import, from which facts are known that have no other day.

    Raises:
        BadRowsError: rows are bad, and `skip_bad` is not set; nothing was kept.
        ConfigurationError: mapping and file do not fit, or a package is missing.
        InputError: the file cannot be read, or contradicts itself or the store.
    """
    began = time.perf_counter()
    day = today or date.today()
    if not path.is_file():
        raise InputError(f"{path} is no file: name the file to import")
    form = format_of(path, mapping)
    if mapping is None:
        if form != "sec_company_facts":
            raise ConfigurationError(
                f"{path.name} needs a mapping: draft one by `groundwire metrics init {path.name}`"
            )
        mapping = Mapping(layout=Layout(format=form))
    layout = mapping.layout.model_copy(update={"format": form})
    mapping = mapping.model_copy(update={"layout": layout})
    resolver = Resolver(profile, mapping, day)
    tally = Tally(path.name, skip_bad, progress)
    if form == "sec_company_facts":
        new, names, notes = _import_sec(path, resolver, store, tally)
    else:
        new, names, notes = _import_table(path, form, resolver, store, tally, day)
    known = tally.facts - new
    if known and not new:
        notes = (*notes, "nothing is new: every fact of the file was in the store already")
    return ImportReport(
        tuple(names), tally.rows, new, known, tally.missing, tally.skips(), tuple(tally.bad),
        tally.bad_total, notes, time.perf_counter() - began,
    )  # fmt: skip


def _import_table(
    path: Path, form: Format, resolver: Resolver, store: TakesFacts, tally: Tally, day: date
) -> tuple[int, Sequence[str], tuple[str, ...]]:
    mapping, before = resolver.mapping, _stamp(path)
    table, sha256 = open_table(path, form, mapping.layout)
    name = mapping.document.name or path.name
    dated = mapping.document.date
    as_of = dated or _first_import(store, name, sha256) or day
    source = SourceDocument(name, sha256, mapping.document.publisher or name, dated)
    with contextlib.closing(table):
        slots = plan(mapping, table)
        with store.writer() as writer:
            document = writer.document(source)
            rows = TableRows(table, slots, resolver, document, as_of.toordinal(), tally)
            new = _add(path, before, writer, rows)
    return new, (name,), table.notes


def _import_sec(
    path: Path, resolver: Resolver, store: TakesFacts, tally: Tally
) -> tuple[int, Sequence[str], tuple[str, ...]]:
    before, company = _stamp(path), read_company(path)
    with store.writer() as writer:
        rows = SecRows(company, resolver, writer, tally)
        new = _add(path, before, writer, rows)
    return new, rows.names, ()


def _add(path: Path, before: Stamp, writer: FactWriter, rows: TableRows | SecRows) -> int:
    """Hand all rows to the store; how many were new.

    Raises:
        BadRowsError: rows are bad and may not be left out.
        InputError: there are no rows, or the file changed meanwhile.
    """
    stopped, new, tally = False, 0, rows.tally
    try:
        new = writer.add(rows)
    except TooManyBadRows:
        stopped = True
    except InputError:
        if tally.skip_bad or not tally.bad_total:
            raise
    if stopped or (tally.bad_total and not tally.skip_bad):
        raise BadRowsError(tally.name, tuple(tally.bad), tally.bad_total, stopped)
    if not tally.rows:
        raise InputError(f"{path.name} has headings but no rows: nothing was imported")
    if _stamp(path) != before:
        raise InputError(f"{path.name} changed while it was read: import it again")
    return new


def _first_import(store: TakesFacts, name: str, sha256: str) -> date | None:
    """The day on which this very document was imported first, from which its facts are known."""
    for held in store.documents():
        if (held.document.name, held.document.sha256) == (name, sha256):
            return held.imported
    return None


def _stamp(path: Path) -> Stamp:
    found = path.stat()
    return found.st_size, found.st_mtime_ns


@dataclass(frozen=True, slots=True)
class _Taking:
    """A store to which whatever is imported has come with a profile."""

    store: SqliteFacts
    origin: str

    def writer(self) -> FactWriter:
        return self.store.writer(self.origin)

    def documents(self) -> Sequence[HeldDocument]:
        return self.store.documents()


def take_in_facts(
    owner: Owner, store: SqliteFacts, today: date, progress: Progress | None
) -> tuple[str, ...]:
    """Import the facts that a profile names, and remove those that came with it before.

    What a user imported stays, and so does what was known before a file changed.

    Args:
        owner: the profile.
        store: where facts go.
        today: the day of the import, for sources that have no date.
        progress: told the kind of work, how much is done and how much there is.

    Returns:
        what could not be imported, one line each.

    Raises:
        UnavailableError: the store cannot be read, or what changed cannot be written to it.
    """
    before = [one.origin for one in store.documents()]
    problems = _import_missing(owner, store, today, progress)
    gone = owner.gone(before, [source.file for source in owner.profile.sources])
    # After the import, so that facts of a file that was renamed are there all the time.
    for origin in gone:
        store.withdraw(origin)
    if gone and problems:
        # A unit that only the facts had that are gone is free now.
        problems = _import_missing(owner, store, today, progress)
    return problems


def _import_missing(
    owner: Owner, store: SqliteFacts, today: date, progress: Progress | None
) -> tuple[str, ...]:
    """Import the facts that a profile names and the store does not hold; what could not be."""
    problems: list[str] = []
    held = {(one.document.sha256, one.origin) for one in store.documents()}
    for source in owner.profile.sources:
        path, origin = owner.folder / source.file, owner.origin(source.file)
        try:
            sha256 = sha256_of(path)
            if held.isdisjoint({(sha256, origin), (sha256, "")}):
                mapping = load_mapping(owner.folder / source.mapping)
                target = _Taking(store, origin)
                import_file(path, mapping, owner.profile, target, progress=progress, today=today)
        except (InputError, ConfigurationError) as error:
            problems.append(f"{source.file}: {error}")
    return tuple(problems)


def sha256_of(path: Path) -> str:
    """Return the hash of a file that a profile names, hexadecimal.

    Raises:
        ConfigurationError: it cannot be read.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(
            f"it cannot be read ({error.strerror}): correct its entry in the profile"
        ) from error
