"""What is allowed in a profile but doubtful."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from groundwire.metrics.factbase import State
from groundwire.metrics.facts.model import FactRow, SourceDocument
from groundwire.metrics.facts.store import SqliteFacts
from groundwire.metrics.lint import Finding, lint
from groundwire.metrics.profile import parse_profile

TREE = """
[profile]
name = "p"

[kinds.shop]
label = "shop"

[kinds.land]
label = "land"

[[entities]]
code = "AQX"
kind = "shop"
name = "Alpha"

[[entities]]
code = "BQX"
kind = "shop"
name = "Beta"

[[entities]]
code = "LND"
kind = "land"
name = "Alphaland"
aliases = ["Alpha"]

[[metrics]]
code = "SALES"
kind = "shop"
label = "Sales"
unit = "EUR"
"""


def found(
    kind: str = "",
    *,
    aliases: Sequence[str] = (),
    external: Sequence[str] = (),
    store: SqliteFacts | None = None,
    **more: Any,
) -> list[Finding]:
    """What is found in the profile, with further names of Beta and names out of scope."""
    tree: dict[str, Any] = tomllib.loads(TREE) | more
    tree["entities"][1]["aliases"] = list(aliases)
    tree["external"] = [{"name": name} for name in external]
    return [one for one in lint(parse_profile(tree, "p"), store) if kind in (one.kind, "")]


def sales(**changed: object) -> list[dict[str, object]]:
    return [{"code": "SALES", "kind": "shop", "label": "Sales", "unit": "EUR"} | changed]


def test_one_name_in_two_kinds_is_no_finding() -> None:
    assert found() == []


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"aliases": ["ALPHA"]}, "AQX ('Alpha'), BQX ('ALPHA')"),
        ({"metrics": [*sales(), *sales(code="TURN", label="Takings", aliases=["sale"])]}, "TURN"),
        (
            {"channels": [{"code": "WEB", "label": "Web", "aliases": ["all channels"]}]},
            "TOTAL ('all channels'), WEB ('all channels')",
        ),
    ],
)
def test_one_name_of_two_is_an_error(more: dict[str, Any], says: str) -> None:
    (one,) = found("collision", **more)
    assert one.level == "error"
    assert says in one.message
    assert "keep it for one of them" in one.message


def test_a_name_in_scope_and_out_of_it_is_an_error() -> None:
    (one,) = found("overlap", external=["ＢＥＴＡ"])
    assert one.level == "error"
    assert "'ＢＥＴＡ' is out of scope (ＢＥＴＡ) and also entity of kind shop BQX" in one.message
    assert "remove it from one of them" in one.message


def test_a_name_that_holds_one_out_of_scope_is_a_warning() -> None:
    (one,) = found("overlap", aliases=["Rival Beta Park"], external=["Rival"])
    assert (one.level, "the longer name wins" in one.message) == ("warning", True)


def test_a_name_out_of_scope_that_holds_one_in_scope_is_a_note() -> None:
    (one,) = found("overlap", external=["Beta Rivals"])
    assert one.level == "note"
    assert "'Beta Rivals' (out of scope) holds 'Beta' (BQX)" in one.message
    chinese = found("overlap", aliases=["中国"], external=["中国棠屿居"])
    assert [one.level for one in chinese] == ["note"]


def test_a_name_that_is_a_part_of_another_is_a_note() -> None:
    (one,) = found("part of another", aliases=["New Alpha House"])
    assert one.level == "note"
    assert "'Alpha' (AQX) is a part of 'New Alpha House' (BQX)" in one.message
    # Of the same entity, it is no matter.
    assert found("part of another", aliases=["New Beta House"]) == []


@pytest.mark.parametrize(
    ("name", "short"), [("QX", True), ("X", True), ("棠", True), ("Rex", False)]
)
def test_a_short_name_out_of_scope_is_a_warning(name: str, short: bool) -> None:
    findings = found("short name", external=[name])
    assert [one.level for one in findings] == ["warning"] * short


def test_a_name_that_is_a_word_is_a_note() -> None:
    (one,) = found("ordinary word", aliases=["IT"])
    assert one.level == "note"
    assert found("ordinary word", aliases=["QZX"]) == []


def test_units() -> None:
    (none,) = found("unit", metrics=sales(unit=""))
    assert "SALES names no unit" in none.message
    (odd,) = found("unit", metrics=sales(unit="flurbs"))
    assert "'flurbs' of SALES is no unit of measure" in odd.message
    assert found("unit", metrics=sales(unit="people")) == []


def test_what_has_no_facts_is_told_where_facts_are_at_hand() -> None:
    assert found("no facts") == []
    with SqliteFacts(None) as store:
        (empty,) = found("no facts", store=store)
        assert empty.level == "note" and "`groundwire metrics import`" in empty.message
        with store.writer() as writer:
            document = writer.document(SourceDocument("sales.csv", "0" * 64, "", None))
            days = (date(2024, 1, 1), date(2024, 12, 31), date(2025, 1, 1))
            ordinals = [day.toordinal() for day in days]
            row = FactRow("SALES", "AQX", "TOTAL", *ordinals, 7, 0, "EUR", document, "{}", 2, None)
            writer.add([row])
        findings = found("no facts", store=store, metrics=[*sales(), *sales(code="TURN")])
    assert [one.level for one in findings] == ["warning", "note", "note"]
    assert findings[0].message == "metric TURN has no fact"


def test_errors_come_first() -> None:
    findings = found(aliases=["Alpha", "New Alpha"], metrics=sales(unit=""), external=["QX"])
    levels = [one.level for one in findings]
    order = ["error", "warning", "note"]
    assert levels == sorted(levels, key=order.index)
    assert set(levels) == set(order)


def test_the_embedded_profile_has_no_error(state: State) -> None:
    findings = lint(state.profile, state.store)
    assert [one for one in findings if one.level == "error"] == []
    assert not [one for one in findings if one.kind == "no facts" and one.level == "warning"]
    assert len(set(findings)) == len(findings)
    assert all("\n" not in one.message for one in findings)
