"""Tables that the store cuts have the same rows as those that are made of all their facts."""

from __future__ import annotations

import calendar
import random
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import GroundwireError, UnavailableError
from groundwire.metrics.factbase import FactBase, Places, State
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.table import fact_rows
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.held_periods import Narrowing
from groundwire.metrics.table.query import TableArguments

TODAY = date(2026, 11, 21)
SHOPS = 9
METRICS = (
    ("flow", '["year", "quarter", "month"]'),
    ("stock", '["year", "day"]'),
    ("flow", '["day"]'),
    ("rate", '["quarter", "year"]'),
)


def profile(rng: random.Random, fiscal: bool) -> str:
    """Nine shops, two of them parts of the first; some with a fiscal year of their own."""
    text = '[profile]\nname = "many"\n[kinds.shop]\nlabel = "shop"\n'
    for n in range(SHOPS):
        text += f'[[entities]]\ncode = "E{n}"\nkind = "shop"\nname = "Shop {n}"\n'
        text += 'fiscal_year_start = "07-01"\n' if fiscal and rng.random() < 0.3 else ""
        text += 'parents = ["E0"]\n' if 0 < n < 3 else ""
    for n, (measure, grains) in enumerate(METRICS):
        text += f'[[metrics]]\ncode = "M{n}"\nkind = "shop"\nlabel = "Metric {n}"\nunit = "EUR"\n'
        text += f'measure = "{measure}"\ngrains = {grains}\nderivations = ["sum"]\n'
        text += 'counted = "end"\n' if measure == "stock" and rng.random() < 0.4 else ""
    return (
        text + '[[channels]]\ncode = "ON"\nlabel = "Online"\n'
        '[[channels]]\ncode = "IN"\nlabel = "In the shop"\n'
    )


def days(rng: random.Random) -> tuple[date, date]:
    """A year, a quarter, a month, a day, the end of a period, or a part of a fiscal year."""
    year, month = rng.choice([2022, 2023, 2024]), rng.randint(1, 12)
    quarter = (month - 1) // 3 * 3 + 1
    return rng.choice(
        [
            (date(year, 1, 1), date(year, 12, 31)),
            (date(year, quarter, 1), date(year, quarter + 2, 30 if quarter in (4, 7) else 31)),
            (date(year, month, 1), date(year, month, calendar.monthrange(year, month)[1])),
            (date(year, 1, month), date(year, 1, month)),
            (date(year, 12, 31), date(year, 12, 31)),
            (date(year, 7, 1), date(year + 1, 6, 30)),
        ]
    )


def drawn(rng: random.Random) -> Iterator[tuple[int, str, str, date, date, bool]]:
    """Metric, entity, channel and days of facts here and there, and whether they are several."""
    for metric, (measure, _) in enumerate(METRICS):
        several = rng.random() < 0.5
        for n in range(SHOPS * 4 * 12):
            start, end = days(rng)
            at_a_day = start == end
            if at_a_day != (measure == "stock" or metric == 2) and rng.random() < 0.8:
                continue
            yield (
                metric,
                f"E{n % SHOPS}",
                ("TOTAL", "ON", "TOTAL", "IN")[n % 4],
                start,
                end,
                several,
            )


def whole(rng: random.Random) -> Iterator[tuple[int, str, str, date, date, bool]]:
    """Nearly every shop and channel for three years, once."""
    for metric, (measure, _) in enumerate(METRICS):
        at_a_day = measure == "stock" or metric == 2
        spans = {days(rng) for _ in range(60)}
        for start, end in sorted(one for one in spans if (one[0] == one[1]) == at_a_day):
            for shop in range(SHOPS):
                for channel in ("TOTAL", "ON", "IN"):
                    if rng.random() < 0.998:
                        yield metric, f"E{shop}", channel, start, end, False


def filled(
    folder: Path, rng: random.Random, fiscal: bool, facts: Callable[..., Iterator[Any]] = drawn
) -> State:
    """A fact base with values of several exponents; some metrics have several versions."""
    (folder / "profile.toml").write_text(profile(rng, fiscal), "utf-8")
    state = FactBase(Places(folder / "profile.toml", None, folder / "home")).state()
    rows: dict[object, FactRow] = {}
    with state.store.writer() as writer:
        documents = [
            writer.document(SourceDocument(f"D{n}", str(n) * 64, f"House {n % 2}", None))
            for n in range(3)
        ]
        for n, (metric, shop, channel, start, end, several) in enumerate(facts(rng)):
            document = rng.choice(documents) if several else documents[0]
            as_of = date(2025, rng.randint(1, 3) if several else 1, 1).toordinal()
            about = f"M{metric}", shop, channel
            key = *about, start, end, as_of, document
            rows[key] = FactRow(
                *about, start.toordinal(), end.toordinal(), as_of, rng.randint(-50, 300),
                rng.choice([0, 0, -1, -2, 2]), "EUR", document, "row {}", n, None,
            )  # fmt: skip
        writer.add(rows.values())
    return state


def sent(rng: random.Random) -> dict[str, Any]:
    """The arguments of a table."""
    metric = f"M{rng.randrange(len(METRICS))}"
    by = rng.choice(
        [["entity"], ["entity"], ["entity", "period"], ["period"], ["period", "entity"],
         ["channel", "entity"], ["entity", "channel", "period"], ["group"], ["kind", "entity"], [],
         ["kind"], ["channel"], ["channel", "period"]]
    )  # fmt: skip
    where: dict[str, Any] = {}
    if not {"entity", "group"} & {*by}:
        where["entity"] = rng.choice([["E4"], ["E5"], ["E0"], ["E4", "E5"], ["E3", "E6", "E7"]])
    elif rng.random() < 0.4:
        where["entity"] = rng.sample([f"E{n}" for n in range(SHOPS)], rng.randint(1, 5))
    if rng.random() < 0.3:
        where["channel"] = rng.choice(["ON", "TOTAL"])
    elif rng.random() < 0.1:
        where["channel"] = ["ON", "IN"]
    if rng.random() < 0.3:
        where[metric] = rng.choice(
            [{"gt": 50}, {"gte": 10.5}, {"lt": "99.95"}, {"gt": 0, "lte": 120}, {"lt": "100.001"}]
        )
    orders: list[list[str]] = [[], [metric], [f"-{metric}"]]
    orders += [["-entity"]] if "entity" in by else []
    orders += [["-period", metric]] if "period" in by else []
    periods = ["", "", "2023", "FY2023", "2023Q3", "2022-2024", "since 2023", "2024-01-03",
               "2023Q1 to 2023Q4", "2022 to 2023",
               "2024-12-31", "2023-07"]  # fmt: skip
    return {
        "metrics": [metric] + ([f"M{rng.randrange(2)}"] if rng.random() < 0.1 else []),
        "by": by,
        "where": where,
        "period": rng.choice(periods),
        "grain": rng.choice(["", "", "year", "quarter", "day"]) if "period" in by else "",
        "order_by": rng.choice(orders),
        "limit": rng.choice([3, 10, 1000]),
        "compare": rng.choice(["", "", "previous_period", "previous_year"]),
        "as_of": rng.choice(["", "", "2025-02-10"]),
        "offset": rng.choice([0, 0, 2]),
    }


def told(state: State, arguments: dict[str, Any]) -> tuple[object, ...]:
    """The answer with its record, but for the SQL that ran."""
    try:
        result, draft = query_table(state, TableArguments(**arguments), TODAY)
    except GroundwireError as refused:
        return (str(refused),)
    return result.model_dump(exclude={"sql"}), replace(draft, audit={})


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How many tables the store cut, and of how many it added the values."""
    kept: Counter[str] = Counter()

    def count(name: str) -> None:
        make = getattr(fact_rows.FactRows, name)

        def noted(self: fact_rows.FactRows, *asked: Any) -> object:
            rows = make(self, *asked)
            kept[name] += rows is not None
            return rows

        monkeypatch.setattr(fact_rows.FactRows, name, noted)

    count("_cut")
    count("_added")
    return kept


@pytest.mark.parametrize(
    ("seed", "fiscal", "facts", "least"),
    [
        (1, False, drawn, {"_cut": 40}),
        (2, True, drawn, {"_cut": 5}),
        (4, False, whole, {"_cut": 30, "_added": 10}),
        (6, True, whole, {"_cut": 5, "_added": 1}),
    ],
)
def test_tables_are_the_same_whether_the_store_makes_them_or_all_facts_are_read(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    made: Counter[str],
    seed: int,
    fiscal: bool,
    facts: Callable[..., Iterator[Any]],
    least: dict[str, int],
) -> None:
    rng = random.Random(seed)
    state = filled(tmp_path, rng, fiscal, facts)
    asked = [sent(rng) for _ in range(160)]
    quick = [told(state, one) for one in asked]
    assert all(made[one] >= number for one, number in least.items()), made
    monkeypatch.setattr(fact_rows.FactRows, "_planner", lambda self, slices: None)
    monkeypatch.setattr(Narrowing, "narrowed", lambda self, slices, grains: slices)
    for arguments, before in zip(asked, quick, strict=True):
        assert told(state, arguments) == before, arguments


def test_a_page_beyond_the_last_row_says_so(tmp_path: Path) -> None:
    state = filled(tmp_path, random.Random(4), fiscal=False)
    arguments = {"metrics": ["M0"], "where": {"entity": "E4"}, "offset": 1}
    result, _ = query_table(state, TableArguments(**arguments), TODAY)
    assert "no row lies beyond the first 1" in result.answer


def change_the_least(folder: Path) -> None:
    """Change the least value of M2 behind the back of the store."""
    files = (folder / "home" / "facts").glob("*.sqlite")
    (file,) = (one for one in files if "narrative" not in one.name)
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        changed = other.execute(
            "UPDATE facts SET mantissa = -9999 WHERE (series, start_day, as_of, document) = ("
            "SELECT f.series, f.start_day, f.as_of, f.document FROM facts f "
            "JOIN series s ON s.id = f.series JOIN metrics m ON m.id = s.metric "
            "WHERE m.text = 'M2' ORDER BY f.mantissa LIMIT 1)"
        )
        assert changed.rowcount == 1


def test_a_fact_that_a_table_leaves_out_is_held_against_its_seal_too(tmp_path: Path) -> None:
    state = filled(tmp_path, random.Random(5), fiscal=False)
    arguments = {"metrics": ["M2"], "by": ["entity", "period"], "limit": 1, "order_by": ["-M2"]}
    assert query_table(state, TableArguments(**arguments), TODAY)[0].status == "found"
    change_the_least(tmp_path)
    with pytest.raises(UnavailableError, match="changed after"):
        query_table(state, TableArguments(**arguments), TODAY)
