"""The prompt that carries the schema in short."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.ontology.schema_texts import BUDGET, briefing


def test_the_question_the_way_and_the_schema(harbour: Any) -> None:
    text = harbour.call(briefing, "  Which ships carry containers? ")
    assert text.startswith("Answer from the catalogue: Which ships carry containers?\n")
    assert "submit_slots" in text
    assert "- Ship (4 assets)" in text
    assert "cargoTypes: containers, bulk, reefer" in text
    assert "length (m)" in text


def test_one_domain_alone(harbour: Any) -> None:
    text = harbour.call(briefing, "q", "ports")
    assert "- Port (2 assets)" in text
    assert "Ship" not in text
    with pytest.raises(InputError, match="There is no domain"):
        harbour.call(briefing, "q", "zeppelin")


def test_the_budget_is_held(sample: Any) -> None:
    text = sample.call(briefing, "q")
    assert len(text) <= BUDGET
    for domain in ("hdmap", "scenario", "ositrace", "environment-model", "surface-model"):
        assert f"- {domain} (" in text
    assert len(sample.call(briefing, "q" * 10_000)) <= BUDGET + 10_000
