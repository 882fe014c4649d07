"""The embedded fact base, read once, and small ones of a test's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

import pytest

from groundwire.metrics.factbase import FactBase, Places, State
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.query import query_metric
from groundwire.metrics.results import QueryResult
from groundwire.metrics.terms import Arguments
from groundwire.profiles import metrics_profile

TODAY = date(2026, 11, 21)
Query = Callable[..., QueryResult]

SHOPS = """
[profile]
name = "shops"

[kinds.shop]
label = "shop"
home = "A"

[[entities]]
code = "A"
kind = "shop"
name = "Alpha"
aliases = ["甲店"]

[[entities]]
code = "W"
kind = "shop"
name = "Weekly"
fiscal_year_start = "02-01"
fiscal_year_named_by = "start"

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
aliases = ["销售额", "takings"]
unit = "EUR"
grains = ["year", "quarter"]

[[metrics]]
code = "STOCK"
kind = "shop"
label = "Stock on hand"
aliases = ["takings"]
unit = "EUR"
measure = "stock"
grains = ["year", "quarter"]

[[channels]]
code = "WEB"
label = "Web"
"""


class Written(NamedTuple):
    """A fact of a test: days as ISO 8601, the value as it was written."""

    metric: str
    entity: str
    start: str
    end: str
    value: str
    as_of: str = "2025-03-01"
    doc: str = "Report"
    publisher: str = "House"
    channel: str = "TOTAL"


@pytest.fixture(scope="session")
def state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[State]:
    """The embedded profile with its facts and documents."""
    home = tmp_path_factory.mktemp("home")
    facts = FactBase(Places(metrics_profile(), None, home), today=lambda: TODAY)
    yield facts.state()
    facts.close()


@pytest.fixture(scope="session")
def query(state: State) -> Query:
    """A query of the embedded fact base."""
    return asker(state)


def asker(state: State) -> Query:
    def ask(
        metric: str, entity: str, period: str, channel: str = "TOTAL", as_of: str = ""
    ) -> QueryResult:
        return query_metric(state, Arguments(metric, entity, period, channel, as_of), TODAY)[0]

    return ask


@pytest.fixture
def shop_state(tmp_path: Path) -> Iterator[Callable[..., State]]:
    """Small fact bases with a profile and the facts of a test."""
    opened: list[FactBase] = []

    def make(*facts: Written, profile: str = SHOPS) -> State:
        path = tmp_path / "profile.toml"
        path.write_text(profile, "utf-8")
        opened.append(FactBase(Places(path, None, tmp_path / "home"), today=lambda: TODAY))
        state = opened[-1].state()
        write(state, facts)
        return state

    yield make
    for one in opened:
        one.close()


@pytest.fixture
def shops(shop_state: Callable[..., State]) -> Callable[..., Query]:
    """Queries of a small profile with the facts of a test."""

    def make(*facts: Written, profile: str = SHOPS) -> Query:
        return asker(shop_state(*facts, profile=profile))

    return make


def write(state: State, facts: Iterable[Written]) -> None:
    with state.store.writer() as writer:
        for number, one in enumerate(facts, 2):
            document = SourceDocument(one.doc, f"{len(one.doc):064x}", one.publisher, None)
            sign, digits, exponent = Decimal(one.value).as_tuple()
            mantissa = int("".join(map(str, digits))) * (-1 if sign else 1)
            days = [date.fromisoformat(day).toordinal() for day in (one.start, one.end, one.as_of)]
            writer.add(
                [
                    FactRow(
                        one.metric, one.entity, one.channel, *days, mantissa, int(exponent),
                        "EUR", writer.document(document), "row {}", number, None,
                    )
                ]
            )  # fmt: skip


@pytest.fixture(scope="session")
def written() -> type[Written]:
    return Written
