"""Tables of metrics that are computed by a formula."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.table.answering import query_table
from groundwire.metrics.table.query import TableArguments

TODAY = date(2026, 6, 1)


def test_a_table_has_what_single_queries_have(state: State) -> None:
    sent = TableArguments(["GDP per capita"], ["entity"], None, "2020", limit=500)
    result, _ = query_table(state, sent, TODAY)
    assert result.rows is not None
    by_name = {state.profile.entity_by_code[one].name: one for one in state.profile.entity_by_code}
    assert len(result.rows) > 150
    for name, value in result.rows:
        code = by_name[str(name)]
        day = date(2020, 1, 1), date(2020, 12, 31)
        [gdp, *_] = state.store.lookup("GDP", code, "TOTAL", *day)
        [people, *_] = state.store.lookup("POPULATION", code, "TOTAL", *day)
        assert Decimal(str(value)) == round(gdp.value / people.value, 6), name


def test_quotients_are_not_added(state: State) -> None:
    sent = TableArguments(["NET_MARGIN"], ["period"], {"entity": ["CN", "HK"]}, "FY2025")
    with pytest.raises(InputError, match="no sum of Net margin"):
        query_table(state, sent, TODAY)
