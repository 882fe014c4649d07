"""The texts of the commands that a user types."""

from __future__ import annotations

import pytest

from groundwire.sparql.commands import limit_text

LIMITS = [("10", 10), (" 1,000 ", 1_000), ("007", 7), ("", 10), ("to 5 please", 5)]


@pytest.mark.parametrize(("number", "limit"), LIMITS)
def test_a_limit_is_set_as_it_was_typed(number: str, limit: int) -> None:
    assert limit_text(number).startswith(f"Call set_kg_policy with limit {limit},")


@pytest.mark.parametrize("number", ["abc", "0", "-5", "99999", "2.5", "1e3", "9" * 400, "5 or 6"])
def test_a_limit_that_is_none_changes_nothing(number: str) -> None:
    told = limit_text(number)
    assert "set_kg_policy" not in told
    assert "from 1 to 1,000" in told
