"""The rows of a table as facts."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

from groundwire.metrics.facts.writing import FactRow
from groundwire.metrics.importing.cells import PLAIN, BadCell, read_amount
from groundwire.metrics.importing.plan import Cells, KnownHead, Spans, ValueSlot, When
from groundwire.metrics.importing.resolving import Head, Refusal, Resolver, Span, unit_texts
from groundwire.metrics.importing.table import Table, Unreadable
from groundwire.metrics.importing.tally import Tally
from groundwire.metrics.importing.unit_text import UnitConflict, settle

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
            return self._refuse(slot, number, known)
        head, spans = known
        when_key = slot.span_key(cells)
        when = spans.get(when_key)
        if when is None:
            when = self._when(slot, cells, head, spans, when_key)
        if isinstance(when, Refusal):
            return self._refuse(slot, number, when)
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
        known: KnownHead | Refusal
        try:
            texts = slot.metric.of(cells), slot.entity.of(cells), slot.channel.of(cells)
            self._resolver.see_kept(texts[0] if slot.entity.index < 0 else texts[1])
            above = self._resolver.unit_above(texts[0])
            stated = unit_texts(*slot.fixed_units, slot.unit.of(cells), above)
            head = self._resolver.head(*texts, stated)
            known = head, slot.spans.setdefault(head.calendar, {})
        except Refusal as refusal:
            known = refusal
            if self._is_past_keeping():
                return known
        slot.heads[key] = known
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

    def _refuse(self, slot: ValueSlot, number: int, refusal: Refusal) -> None:
        if refusal.skip:
            self.tally.skip(str(refusal))
            return
        part = getattr(slot, "period" if refusal.role == "period" else refusal.role)
        self._bad(slot, number, part.index, refusal.raw, str(refusal))

    def _bad(self, slot: ValueSlot, number: int, index: int, raw: str, reason: str) -> None:
        place = self._table.place(index) if index >= 0 else slot.place
        heading = self._table.headings[index] if index >= 0 else ""
        self.tally.refuse(place.replace("{}", str(number)), heading, raw, reason)
