"""A small profile of countries and shops, and imports into a store in memory."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.importing.load import import_file
from groundwire.metrics.importing.mapping import parse_mapping
from groundwire.metrics.importing.report import BadRowsError, ImportReport
from groundwire.metrics.profile import Profile, parse_profile

TODAY = date(2024, 6, 1)

LONG: dict[str, Any] = {
    "columns": {name: {"column": name.title()} for name in ("metric", "entity", "period", "value")},
}
HEADINGS = "Metric,Entity,Period,Value\n"


@pytest.fixture
def profile() -> Profile:
    return parse_profile(
        {
            "profile": {"name": "test"},
            "kinds": {
                "country": {"label": "country"},
                "shop": {"label": "shop", "fiscal_year_start": "02-01"},
            },
            "entities": [
                {"code": "CHN", "kind": "country", "name": "China", "aliases": ["中国"]},
                {"code": "FRA", "kind": "country", "name": "France", "aliases": ["法国"]},
                {"code": "TCD", "kind": "country", "name": "Chad"},
                {"code": "SHOP", "kind": "shop", "name": "The Shop"},
                {"code": "SHOP_CN", "kind": "shop", "name": "Shop China", "aliases": ["中国"]},
            ],
            "metrics": [
                {"code": "GDP", "kind": "country", "label": "GDP", "unit": "USD"},
                {
                    "code": "POP", "kind": "country", "label": "Population", "unit": "people",
                    "measure": "stock", "aliases": ["人口"],
                },
                {"code": "SHARE", "kind": "country", "label": "Share", "unit": "%"},
                {
                    "code": "SALES", "kind": "shop", "label": "Sales", "unit": "EUR",
                    "grains": ["quarter", "year"],
                },
                {"code": "STAFF", "kind": "shop", "label": "Staff", "measure": "stock"},
                {"code": "COUNT", "kind": "shop", "label": "Count"},
            ],
            "channels": [
                {"code": "ONLINE", "label": "Online", "kinds": ["shop"], "aliases": ["线上"]},
                {"code": "STORES", "label": "Stores", "kinds": ["shop"]},
            ],
        },
        "test",
    )  # fmt: skip


@pytest.fixture
def store() -> Iterator[SqliteFacts]:
    with SqliteFacts(None) as opened:
        yield opened


class Bench:
    """Writes files, imports them, and looks at what came of it."""

    def __init__(self, profile: Profile, store: SqliteFacts, folder: Path) -> None:
        self.profile = profile
        self.store = store
        self.folder = folder

    def load(
        self,
        content: str | bytes,
        mapping: dict[str, Any] | None = None,
        name: str = "data.csv",
        **options: Any,
    ) -> ImportReport:
        """Import a text, or bytes."""
        path = self.folder / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        known = parse_mapping(LONG if mapping is None else mapping, "test")
        return import_file(path, known, self.profile, self.store, **{"today": TODAY, **options})

    def value(self, metric: str, entity: str, year: int, channel: str = "TOTAL") -> tuple[str, str]:
        """Value and unit of a calendar year."""
        days = date(year, 1, 1), date(year, 12, 31)
        (fact,) = self.store.lookup(metric, entity, channel, *days)
        return f"{fact.value:f}", fact.unit

    def reason(self, content: str | bytes, mapping: dict[str, Any] | None = None) -> str:
        """Why the first bad row is one; nothing may be kept of its file."""
        before = self.store.count()
        with pytest.raises(BadRowsError) as caught:
            self.load(content, mapping)
        assert self.store.count() == before
        return str(caught.value.rows[0])


@pytest.fixture
def bench(profile: Profile, store: SqliteFacts, tmp_path: Path) -> Bench:
    return Bench(profile, store, tmp_path)
