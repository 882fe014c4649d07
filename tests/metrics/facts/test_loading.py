"""What an import takes, what it refuses, and that it is all or nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import date

import pytest

from groundwire.errors import InputError
from groundwire.metrics.facts import loading
from groundwire.metrics.facts.model import Coverage, FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts

ReportOf = Callable[..., SourceDocument]
RowOf = Callable[..., FactRow]

YEAR = (date(2024, 1, 1), date(2024, 12, 31))
ASKED = ("REVENUE", "ACME", "TOTAL", *YEAR)


def test_a_row_that_is_there_is_not_new(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with store.writer() as writer:
        number = writer.document(report())
        rows = [row(number, "1.50", number=2), row(number, "1.5", number=9)]
        assert writer.add(rows) == 1
        assert writer.add(rows) == 0
    with store.writer() as writer:
        number = writer.document(report())
        assert writer.add([*rows, row(number, entity="OTHER", number=3)]) == 1
    (fact,) = store.lookup(*ASKED)
    assert (str(fact.value), fact.source.locator) == ("1.50", "row 2, column Value")
    assert store.count() == 2
    assert store.coverage("REVENUE") == Coverage(("ACME", "OTHER"), ("TOTAL",), 2, *YEAR)
    assert [one.facts for one in store.documents()] == [2]


def test_all_that_is_there_is_imported_again_without_a_change(
    store: SqliteFacts, report: ReportOf, row: RowOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "BATCH", 7)
    for expected in (100, 0):
        with store.writer() as writer:
            number = writer.document(report())
            rows = (row(number, str(n), entity=f"E{n * 37 % 100}", number=n) for n in range(100))
            assert writer.add(rows) == expected
        assert store.count() == 100
    assert store.lookup("REVENUE", "E37", "TOTAL", *YEAR)[0].value == 1


def test_one_document_says_one_value(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with pytest.raises(InputError) as told, store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number, "5", number=12), row(number, "6.0", number=17)])
    assert str(told.value) == (
        "row 17, column Value: REVENUE of ACME in TOTAL from 2024-01-01 to 2024-12-31 is 6.0, but "
        "row 12, column Value of the same document says 5: keep one."
    )
    assert store.documents() == []


def test_one_document_says_one_value_in_two_imports_too(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report()), "5", place="sheet Q3, cell C{}")])
    with (
        pytest.raises(InputError, match=r"^row 8, .* is 6, but sheet Q3, cell C2 .* says 5"),
        store.writer() as writer,
    ):
        writer.add([row(writer.document(report()), "6", number=8)])
    assert store.lookup(*ASKED)[0].value == 5


@pytest.mark.parametrize(
    ("unit", "other", "words"), [("USD", "EUR", "EUR.*has USD"), ("", "%", "%.*has none")]
)
def test_a_series_has_one_unit(
    store: SqliteFacts, report: ReportOf, row: RowOf, unit: str, other: str, words: str
) -> None:
    with store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number, unit=unit), row(number, unit=other, channel="WEB")])
    place = "^row 17, column Value: the unit is "
    with pytest.raises(InputError, match=place + words), store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number, unit=other, start=date(2020, 1, 1), number=17)])
    assert store.count() == 2


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"unit": "EUR"}, "the unit is EUR, but REVENUE of ACME in TOTAL has USD"),
        ({"mantissa": 7}, "is 7, but row 2"),
        ({"start": date(2024, 12, 31).toordinal() + 1}, "end before they start"),
        ({"as_of": 0}, "its days are none"),
        ({"document": 77}, "document 77 is not registered"),
        ({"mantissa": 10**4000}, "thousands of digits"),
        ({"exponent": -100_000}, "thousands of digits"),
        ({"entity": "\ud800"}, "no character"),
        ({"raw": "\ud800", "metric": "COST"}, "no character"),
    ],
)
def test_a_bad_row_in_the_middle_keeps_everything_out(
    store: SqliteFacts, report: ReportOf, row: RowOf, wrong: dict[str, object], words: str
) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report("old.csv")), "1", as_of=date(2024, 12, 31))])
    before = store.documents()
    with pytest.raises(InputError, match=words), store.writer() as writer:
        number = writer.document(report())
        good = row(number)
        writer.add([row(number, "5")])
        writer.add(
            row(number, "6")._replace(number=n, **wrong)
            if n == 50_001
            else good._replace(number=n, as_of=good.as_of + n % 1000, entity=f"E{n // 1000}")
            for n in range(100_000)
        )
    assert store.count() == 1
    assert store.documents() == before
    assert store.coverage("REVENUE") == Coverage(("ACME",), ("TOTAL",), 1, *YEAR)
    assert store.check() is None


def test_an_error_that_was_swallowed_still_keeps_everything_out(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    with pytest.raises(InputError, match="the unit is EUR"), store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number)])
        for _ in range(2):
            with pytest.raises(InputError, match="the unit is EUR"):
                writer.add([row(number, entity="NEW"), row(number, unit="EUR")])
    assert store.count() == 0


def test_an_error_about_a_document_keeps_everything_out_too(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    nameless = dataclasses.replace(report(), name="\ud800")
    with pytest.raises(InputError, match="no character"), store.writer() as writer:
        number = writer.document(report())
        writer.add([row(number)])
        with pytest.raises(InputError, match="no character"):
            writer.document(nameless)
        with pytest.raises(InputError, match="no character"):
            writer.add([row(number, entity="NEW")])
    assert store.count() == 0
    assert store.documents() == []


def test_an_error_of_the_rows_themselves_is_theirs(
    store: SqliteFacts, report: ReportOf, row: RowOf
) -> None:
    def failing(number: int):
        yield row(number)
        raise OSError("the file went away")

    with pytest.raises(OSError, match="the file went away"), store.writer() as writer:
        writer.add(failing(writer.document(report())))
    assert store.count() == 0


def test_nothing_is_seen_before_the_end(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    with store.writer() as writer:
        writer.add([row(writer.document(report()))])
        assert store.lookup(*ASKED) == ()
        assert store.count() == 0
        assert store.documents() == []
    assert len(store.lookup(*ASKED)) == store.count() == 1


def test_facts_are_taken_in_only_inside_the_block(store: SqliteFacts, report: ReportOf) -> None:
    writer = store.writer()
    with pytest.raises(InputError, match="only inside"):
        writer.add([])
    with writer:
        writer.document(report())
    with pytest.raises(InputError, match="only inside"):
        writer.document(report())


def test_a_document_does_not_change_hands(store: SqliteFacts, report: ReportOf) -> None:
    with store.writer() as writer:
        writer.document(report())
    for other in (
        dataclasses.replace(report(), publisher="Agency"),
        dataclasses.replace(report(), dated=date(2025, 1, 1)),
    ):
        with pytest.raises(InputError, match=r"report\.csv.*forget it"), store.writer() as writer:
            writer.document(other)
    assert [one.document for one in store.documents()] == [report()]


def test_another_hash_is_another_document(store: SqliteFacts, report: ReportOf, row: RowOf) -> None:
    later = dataclasses.replace(report(), sha256="f" * 64)
    with store.writer() as writer:
        writer.add([row(writer.document(report()), "5"), row(writer.document(later), "6")])
    assert [str(fact.value) for fact in store.lookup(*ASKED)] == ["6", "5"]
    assert store.forget(later.name) == 2
