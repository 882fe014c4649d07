"""Against a model in plain dictionaries: whatever is imported, in any order, as of any day."""

from __future__ import annotations

from datetime import date, timedelta
from decimal import Decimal
from itertools import groupby
from typing import NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts

DAYS = [date(2024, 1, 1) + timedelta(days=n) for n in range(4)]
INTERVALS = [(start, end) for start in DAYS[:3] for end in DAYS[:3] if start <= end]
PUBLISHERS = ("A", "A", "B", "B", "C")


class Said(NamedTuple):
    """What one document says: the parts of a key, and the value."""

    metric: str
    entity: str
    channel: str
    start: date
    end: date
    as_of: date
    document: int
    value: Decimal


said = st.builds(
    lambda names, interval, as_of, document, value: Said(*names, *interval, as_of, document, value),
    st.tuples(
        st.sampled_from(["M", "N"]), st.sampled_from(["X", "Y"]), st.sampled_from(["TOTAL", "WEB"])
    ),
    st.sampled_from(INTERVALS),
    st.sampled_from(DAYS),
    st.integers(0, len(PUBLISHERS) - 1),
    st.sampled_from([Decimal(text) for text in ("1", "1.0", "10E-1", "2", "-3", "4E+20", "0")]),
)


def row(one: Said, number: int) -> FactRow:
    _, digits, exponent = one.value.as_tuple()
    mantissa = int("".join(map(str, digits))) * (-1 if one.value < 0 else 1)
    assert isinstance(exponent, int)
    days = (day.toordinal() for day in (one.start, one.end, one.as_of))
    return FactRow(*one[:3], *days, mantissa, exponent, "", one.document + 1, "{}", number, None)


def standing(facts: list[Said], as_of: date) -> list[Said]:
    """What `lookup` promises, written down anew."""
    known = [one for one in facts if one.as_of <= as_of]
    newest = {
        publisher: max(one.as_of for one in known if PUBLISHERS[one.document] == publisher)
        for publisher in {PUBLISHERS[one.document] for one in known}
    }
    last = [one for one in known if one.as_of == newest[PUBLISHERS[one.document]]]
    last.sort(key=lambda one: (one.as_of, one.document), reverse=True)
    return last[:1] + [one for one in last[1:] if one.value != last[0].value]


@settings(max_examples=150, deadline=None)
@given(
    st.lists(said, max_size=30, unique_by=lambda one: one[:7]),
    st.integers(1, 4),
    st.sampled_from(DAYS),
    st.none() | st.integers(0, len(PUBLISHERS) - 1),
)
def test_a_store_answers_as_its_model(
    facts: list[Said], imports: int, as_of: date, forgotten: int | None
) -> None:
    with SqliteFacts(None) as store:
        for part in range(imports):
            with store.writer() as writer:
                for number, publisher in enumerate(PUBLISHERS):
                    document = SourceDocument(f"{number}", "0" * 64, publisher, None)
                    assert writer.document(document) == number + 1
                some = facts[part::imports]
                assert writer.add(row(one, n) for n, one in enumerate(some)) == len(some)
        if forgotten is not None:
            gone = sum(one.document == forgotten for one in facts)
            assert store.forget(str(forgotten)) == gone
            facts = [one for one in facts if one.document != forgotten]
        assert store.count() == len(facts)
        assert store.check() is None
        for metric in ("M", "N"):
            of_metric = [one for one in facts if one.metric == metric]
            coverage = store.coverage(metric)
            if not of_metric:
                assert coverage is None
                continue
            assert coverage is not None
            assert coverage.facts == len(of_metric)
            assert coverage.first == min(one.start for one in of_metric)
            assert coverage.last == max(one.end for one in of_metric)
            assert set(coverage.entities) == {one.entity for one in of_metric}
            assert set(coverage.channels) == {one.channel for one in of_metric}
            assert set(store.periods(metric)) == {(one.start, one.end) for one in of_metric}
        series = sorted({one[:3] for one in facts})
        for names in series:
            of_series = [one for one in facts if one[:3] == names]
            known = {(one.start, one.end) for one in of_series if one.as_of <= as_of}
            intervals = list(store.intervals(*names, as_of=as_of))
            assert intervals == sorted(known, key=lambda one: (-one[1].toordinal(), one[0]))
            assert set(store.intervals(*names)) == {(one.start, one.end) for one in of_series}
            for start, end in INTERVALS:
                here = [one for one in of_series if (one.start, one.end) == (start, end)]
                for day in (as_of, None):
                    expected = standing(here, day or date.max)
                    found = store.lookup(*names, start, end, day)
                    assert [
                        (fact.value.as_tuple(), fact.as_of, fact.source.doc) for fact in found
                    ] == [(one.value.as_tuple(), one.as_of, str(one.document)) for one in expected]
                first = min((one.as_of for one in here), default=None)
                assert store.first_known(*names, start, end) == first
                asked = {
                    one.entity for one in facts if one[0] == names[0] and one[3:5] == (start, end)
                }
                assert set(store.entities(names[0], start, end)) == asked
        for (metric, entity), group in groupby(series, key=lambda names: names[:2]):
            assert list(store.channels(metric, entity)) == [channel for _, _, channel in group]
