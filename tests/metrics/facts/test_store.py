"""What a store answers."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from groundwire.errors import InputError, UnavailableError
from groundwire.metrics.facts.model import (
    Coverage,
    Fact,
    FactRow,
    FactStore,
    Interval,
    Lineage,
    SourceDocument,
)
from groundwire.metrics.facts.store import SqliteFacts

ReportOf = Callable[..., SourceDocument]
RowOf = Callable[..., FactRow]

YEAR = Interval(date(2024, 1, 1), date(2024, 12, 31))
QUARTER = Interval(date(2024, 10, 1), date(2024, 12, 31))
ASKED = ("REVENUE", "ACME", "TOTAL", *YEAR)


def values(facts: object) -> list[str]:
    return [str(fact.value) for fact in facts]  # type: ignore[attr-defined]


def test_a_store_is_what_answering_needs(store: SqliteFacts) -> None:
    needed: FactStore = store
    assert needed.lookup(*ASKED) == ()


def test_a_fact_comes_back_with_its_lineage(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        number = writer.document(report())
        assert writer.add([row(number, "-1234.50", number=12, raw="(1,234.50)")]) == 1
    assert list(store.lookup(*ASKED)) == [
        Fact(
            *ASKED,
            as_of=date(2025, 2, 1),
            value=Decimal("-1234.50"),
            unit="USD",
            source=Lineage(
                "report.csv", "row 12, column Value", report().sha256, "ACME", "(1,234.50)"
            ),
        )
    ]


@pytest.mark.parametrize(
    "value",
    [
        "1.50",
        "0",
        "0.00",
        "3626396000",
        "5E+3",
        "-9223372036854775808",
        "9223372036854775807",
        "9223372036854775808",
        "-123456789012345678901234567890.123456789012345678901234567890",
        "1E-400",
        "7" * 1000,
    ],
)
def test_values_keep_their_digits(
    store: SqliteFacts, report: ReportOf, row: RowOf, value: str
) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report()), value)])
    with localcontext(prec=3):
        assert values(store.lookup(*ASKED)) == [value]


def test_minus_zero_is_zero(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report()), "-0")])
    assert values(store.lookup(*ASKED)) == ["0"]


def test_what_is_not_there_is_not_found(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number), row(number, metric="COST", entity="OTHER", channel="WEB")])
    assert not store.lookup("REVENUE", "OTHER", "TOTAL", *YEAR)
    assert not store.lookup("REVENUE", "ACME", "WEB", *YEAR)
    assert not store.lookup("NONE", "ACME", "TOTAL", *YEAR)
    assert not store.lookup("REVENUE", "ACME", "TOTAL", *QUARTER)
    assert not store.lookup(*ASKED, as_of=date(2025, 1, 31))
    assert store.lookup(*ASKED, as_of=date(2025, 2, 1))
    assert store.intervals("REVENUE", "NONE", "TOTAL") == ()
    assert list(store.intervals(*ASKED[:3], as_of=date(2025, 1, 31))) == []
    assert store.first_known("NONE", "ACME", "TOTAL", *YEAR) is None
    assert store.first_known("REVENUE", "ACME", "TOTAL", *QUARTER) is None
    assert store.coverage("NONE") is None
    assert list(store.entities("NONE", *YEAR)) == []
    assert list(store.channels("REVENUE", "OTHER")) == []
    assert list(store.periods("NONE")) == []
    with pytest.raises(InputError, match="no character"):
        store.lookup("REVENUE", "\ud800", "TOTAL", *YEAR)


def test_a_restatement_answers_from_the_day_it_was_known(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    first, second = date(2025, 2, 1), date(2026, 2, 1)
    with store.writer() as writer:
        # The later statement may be imported first.
        writer.add([row(writer.document(report("2026.csv")), "110", as_of=second)])
        writer.add([row(writer.document(report("2025.csv")), "100", as_of=first)])
    assert values(store.lookup(*ASKED)) == ["110"]
    assert values(store.lookup(*ASKED, as_of=second)) == ["110"]
    assert values(store.lookup(*ASKED, as_of=date(2026, 1, 31))) == ["100"]
    assert store.lookup(*ASKED, as_of=first)[0].source.doc == "2025.csv"
    assert store.first_known(*ASKED) == first


def test_publishers_that_disagree_are_both_told(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        own = writer.document(report("own.csv", "ACME"))
        agency = writer.document(report("agency.csv", "Agency"))
        bureau = writer.document(report("bureau.csv", "Bureau"))
        writer.add(
            [
                row(own, "100", as_of=date(2025, 1, 1)),
                row(own, "101", as_of=date(2025, 6, 1)),
                row(agency, "99", as_of=date(2025, 3, 1)),
                row(agency, "98", as_of=date(2025, 2, 1)),
                row(bureau, "101.0", as_of=date(2025, 5, 1)),
            ]
        )
    assert values(store.lookup(*ASKED)) == ["101", "99"]
    # The bureau says the same as ACME then; what ACME said first is still standing.
    assert values(store.lookup(*ASKED, as_of=date(2025, 5, 31))) == ["101.0", "99", "100"]
    assert values(store.lookup(*ASKED, as_of=date(2025, 2, 1))) == ["98", "100"]


def test_two_documents_of_one_publisher_and_day_are_a_conflict(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        early, late = writer.document(report("a.csv")), writer.document(report("b.csv"))
        writer.add([row(late, "7"), row(early, "8")])
        writer.add([row(late, "5.0", entity="OTHER"), row(early, "5", entity="OTHER")])
    assert values(store.lookup(*ASKED)) == ["7", "8"]
    assert values(store.lookup("REVENUE", "OTHER", "TOTAL", *YEAR)) == ["5.0"]


def test_intervals_are_latest_first_and_then_longest(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    day = Interval(date(2024, 12, 31), date(2024, 12, 31))
    past = Interval(date(2023, 1, 1), date(2023, 12, 31))
    with store.writer() as writer:
        number = writer.document(report())
        writer.add(row(number, start=one.start, end=one.end) for one in (QUARTER, past, day, YEAR))
        writer.add([row(number, start=past.start, end=past.end, as_of=date(2026, 1, 1))])
        writer.add([row(number, start=past.start, end=date(2023, 6, 30), entity="OTHER")])
    assert list(store.intervals(*ASKED[:3])) == [YEAR, QUARTER, day, past]
    half = Interval(past.start, date(2023, 6, 30))
    assert list(store.periods("REVENUE")) == [YEAR, QUARTER, day, past, half]


def test_coverage_entities_and_channels(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with store.writer() as writer:
        number = writer.document(report())
        writer.add(
            [
                row(number),
                row(number, channel="WEB"),
                row(number, entity="OTHER", start=QUARTER.start),
                row(number, entity="OTHER", end=date(2024, 3, 31), channel="WEB"),
                row(number, metric="COST", entity="THIRD"),
            ]
        )
    assert store.coverage("REVENUE") == Coverage(
        ("ACME", "OTHER"), ("TOTAL", "WEB"), 4, YEAR.start, YEAR.end
    )
    assert list(store.entities("REVENUE", *YEAR)) == ["ACME"]
    assert list(store.entities("REVENUE", *QUARTER)) == ["OTHER"]
    assert list(store.channels("REVENUE", "ACME")) == ["TOTAL", "WEB"]
    assert list(store.channels("COST", "THIRD")) == ["TOTAL"]
    assert store.metrics() == ["COST", "REVENUE"]
    assert store.count() == 5


def test_documents_are_told_with_their_facts(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    filing = report("10-K", "SEC", date(2025, 3, 1))
    with store.writer() as writer:
        number = writer.document(report())
        assert writer.document(report()) == number
        writer.add([row(number), row(number, entity="OTHER")])
        writer.add([row(writer.document(filing))])
    told = store.documents()
    assert [(one.document, one.facts) for one in told] == [(report(), 2), (filing, 1)]
    assert (date.today() - told[0].imported).days in (0, 1)


def test_a_forgotten_document_is_gone_with_its_facts(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        old = writer.document(report("old.csv"))
        new = writer.document(report("new.csv"))
        writer.add([row(old, "1"), row(new, "2", as_of=date(2026, 1, 1))])
        writer.add([row(new, start=date(2022, 1, 1)), row(new, metric="COST")])
    assert store.coverage("COST")
    assert store.forget("new.csv") == 3
    assert store.forget("new.csv") == store.forget("never.csv") == 0
    assert values(store.lookup(*ASKED)) == ["1"]
    assert store.coverage("COST") is None
    assert store.coverage("REVENUE") == Coverage(("ACME",), ("TOTAL",), 1, *YEAR)
    assert store.metrics() == ["REVENUE"]
    assert store.count() == 1
    assert [one.document.name for one in store.documents()] == ["old.csv"]
    assert store.check() is None


def test_documents_of_an_origin_are_withdrawn_and_those_of_a_user_stay(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    for origin, name, value in (
        ("p/a", "a", "1"),
        ("p/b", "b", "2"),
        ("p/b", "c", "3"),
        ("", "d", "4"),
    ):
        with store.writer(origin) as writer:
            writer.add([row(writer.document(report(name, publisher=name)), value)])
    assert [one.origin for one in store.documents()] == ["p/a", "p/b", "p/b", ""]
    assert store.withdraw("p/b") == 2
    assert store.withdraw("p/b") == store.withdraw("p") == 0
    assert sorted(values(store.lookup(*ASKED))) == ["1", "4"]
    assert store.check() is None


@pytest.mark.parametrize("first", ["", "p/a"])
def test_what_a_user_imported_too_is_the_users(
    store: SqliteFacts, report: ReportOf, row: RowOf, first: str
) -> None:
    for origin in (first, "p/a" if not first else "", "p/a"):
        with store.writer(origin) as writer:
            writer.add([row(writer.document(report()), "1")])
    assert store.withdraw("p/a") == 0
    assert values(store.lookup(*ASKED)) == ["1"]


def test_the_unit_of_what_was_forgotten_is_free_again(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report("dollars.csv")), "1")])
    assert store.lookup(*ASKED)[0].unit == "USD"
    store.forget("dollars.csv")
    with store.writer() as writer:
        writer.add([row(writer.document(report("euros.csv")), "2", unit="EUR")])
    (fact,) = store.lookup(*ASKED)
    assert (fact.unit, fact.source.doc) == ("EUR", "euros.csv")


def test_periods_follow_what_is_imported(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    assert list(store.periods("REVENUE")) == []
    for start in (YEAR.start, QUARTER.start):
        with store.writer() as writer:
            writer.add([row(writer.document(report()), start=start)])
        assert store.periods("REVENUE")[-1] == Interval(start, YEAR.end)


def test_a_closed_store_says_so(path: Path) -> None:
    for store in (SqliteFacts(path), SqliteFacts(None)):
        assert store.count() == 0
        store.close()
        store.close()
        with pytest.raises(UnavailableError, match="was closed"):
            store.count()
        with pytest.raises(UnavailableError, match="was closed"), store.writer():
            pass
