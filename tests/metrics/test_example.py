"""The question that an import offers to begin with."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

from groundwire.metrics.ask import ask
from groundwire.metrics.factbase import State
from groundwire.metrics.listing import example_question

TODAY = date(2026, 11, 21)


def test_the_example_of_the_profile_is_asked_and_answered(state: State) -> None:
    question = example_question(state.profile, state.store)
    assert question == "Revenue of Tolvarne China for 2026Q3"
    assert ask(state, question, TODAY).ending == "found"


PROFILE = """
[profile]
name = "shops"
example_metric = "Stock on hand"
example_entity = "Alpha"

[kinds.shop]
label = "shop"

[[entities]]
code = "A"
kind = "shop"
name = "Alpha"

[[entities]]
code = "B"
kind = "shop"
name = "Beta"
fiscal_year_start = "02-01"
fiscal_year_named_by = "start"

[[metrics]]
code = "STOCK"
kind = "shop"
label = "Stock on hand"
measure = "stock"

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"

[[channels]]
code = "WEB"
label = "Web"
"""


def test_what_has_facts_takes_the_place_of_what_has_none(
    shop_state: Callable[..., State], written: Any
) -> None:
    state = shop_state(
        written("SALES", "B", "2024-02-01", "2025-01-31", "5", channel="WEB"), profile=PROFILE
    )
    question = example_question(state.profile, state.store)
    assert question == "Sales (Web) of Beta for FY2024"
    answered = ask(state, question, TODAY)
    assert (answered.ending, answered.cells[0].value_text) == ("found", "5")


def test_a_store_without_a_fact_has_no_example(shop_state: Callable[..., State]) -> None:
    state = shop_state(profile=PROFILE)
    assert example_question(state.profile, state.store) is None
