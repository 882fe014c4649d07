"""What is computed from found facts, and what is not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from groundwire.metrics.derive import Derived, derive
from groundwire.metrics.derive_groups import Operand
from groundwire.metrics.facts.model import Fact, Lineage
from groundwire.metrics.profile import Profile, parse_profile
from groundwire.metrics.results import NotDerivedItem
from groundwire.metrics.terms import THOSE_LISTED, DerivedBy

PROFILE = parse_profile(
    {
        "profile": {"name": "test"},
        "kinds": {"company": {"label": "company", "home": "G"}},
        "entities": [
            {"code": "G", "kind": "company", "name": "Group"},
            {"code": "A", "kind": "company", "name": "Alpha", "parent": "G"},
            {"code": "B", "kind": "company", "name": "Beta", "parent": "G"},
            {"code": "X", "kind": "company", "name": "Xeno"},
            {"code": "Y", "kind": "company", "name": "Ypsilon"},
        ],
        "metrics": [
            {"code": "REVENUE", "kind": "company", "label": "Revenue", "unit": "CNY"},
            {"code": "PROFIT", "kind": "company", "label": "Profit", "unit": "CNY"},
            {"code": "STAFF", "kind": "company", "label": "Staff", "measure": "stock"},
            {
                "code": "MARGIN",
                "kind": "company",
                "label": "Margin",
                "unit": "%",
                "measure": "rate",
            },
            {
                "code": "SECRET",
                "kind": "company",
                "label": "Secret",
                "unit": "CNY",
                "derivations": ["delta"],
            },
        ],
        "channels": [{"code": "WEB", "label": "Web"}, {"code": "SHOP", "label": "Shop"}],
    },
    "test",
)
UNITS = {"STAFF": "people", "MARGIN": "%"}


def operands(*rows: tuple[str, str, str, int, str]) -> list[Operand]:
    """Facts of whole years: metric, entity, channel, year, value."""
    made: list[Operand] = []
    for position, (metric, entity, channel, year, value) in enumerate(rows):
        start = date(year, 12, 31) if metric == "STAFF" else date(year, 1, 1)
        fact = Fact(
            metric,
            entity,
            channel,
            start,
            date(year, 12, 31),
            date(year + 1, 3, 1),
            Decimal(value),
            UNITS.get(metric, "CNY"),
            Lineage("report", f"row {position}", "0" * 64, "own", value),
        )
        made.append(Operand(position, fact, f"FY{year}"))
    return made


def computed(
    operation: DerivedBy, *rows: tuple[str, str, str, int, str], profile: Profile = PROFILE
) -> tuple[list[Derived], list[NotDerivedItem]]:
    return derive(profile, [operation], operands(*rows))


def values(operation: DerivedBy, *rows: tuple[str, str, str, int, str]) -> list[str]:
    made, left = computed(operation, *rows)
    assert not left
    return [one.item.value for one in made]


def refused(operation: DerivedBy, *rows: tuple[str, str, str, int, str]) -> str:
    made, left = computed(operation, *rows)
    assert not made
    (only,) = left
    assert only.operation == operation
    return only.reason


YEARS = [
    ("REVENUE", "A", "TOTAL", 2022, "100.10"),
    ("REVENUE", "A", "TOTAL", 2024, "150"),
    ("REVENUE", "A", "TOTAL", 2023, "120.2"),
]


def test_deltas_are_of_the_whole_first_then_of_neighbouring_periods_and_exact() -> None:
    made, _ = computed("delta", *YEARS)
    assert [one.item.value for one in made] == ["49.90", "20.10", "29.8"]
    assert [one.item.exact for one in made] == [True, True, True]
    whole, step, _ = made
    assert whole.item.formula == "150 - 100.10 = 49.90 CNY"
    assert [one.period for one in whole.item.operands] == ["FY2024", "FY2022"]
    assert step.item.formula == "120.2 - 100.10 = 20.10 CNY"
    assert [one.period for one in step.item.operands] == ["FY2023", "FY2022"]
    assert step.operands == (2, 0)


def test_a_percent_change_says_when_it_is_rounded() -> None:
    made, _ = computed("percent_change", *YEARS)
    assert [one.item.value for one in made] == ["49.85015", "20.07992", "24.792013"]
    assert not made[1].item.exact
    assert "≈" in made[1].item.formula


def test_a_percentage_of_nothing_or_of_a_loss_is_not_computed() -> None:
    zero = refused("percent_change", YEARS[1], ("REVENUE", "A", "TOTAL", 2023, "0"))
    assert "not above zero" in zero
    loss = refused("percent_change", YEARS[1], ("REVENUE", "A", "TOTAL", 2023, "-5"))
    assert "not above zero" in loss


def test_a_change_of_a_rate_is_in_percentage_points() -> None:
    made, _ = computed(
        "delta", ("MARGIN", "A", "TOTAL", 2022, "38.2"), ("MARGIN", "A", "TOTAL", 2023, "40.1")
    )
    assert (made[0].item.value, made[0].item.unit) == ("1.9", "percentage points")


def test_a_sum_runs_along_entities() -> None:
    rows = [("REVENUE", "A", "TOTAL", 2023, "1.5"), ("REVENUE", "B", "TOTAL", 2023, "-2")]
    made, _ = computed("sum", *rows)
    assert made[0].item.formula == "1.5 + (-2) = -0.5 CNY"


def test_a_sum_runs_along_periods_when_nothing_else_differs() -> None:
    assert values("sum", *YEARS) == ["370.30"]


def test_a_mean_divides_a_sum_and_is_taken_of_a_stock_over_time() -> None:
    rows = [("STAFF", "A", "TOTAL", year, staff) for year, staff in ((2022, "4"), (2023, "7"))]
    made, _ = computed("mean", *rows)
    assert made[0].item.formula == "(4 + 7) / 2 = 5.5 people"
    rates = [("MARGIN", one, "TOTAL", 2023, "9") for one in "AB"]
    assert "rate" in refused("mean", *rates)


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        (
            [("REVENUE", "G", "TOTAL", 2023, "9"), ("REVENUE", "A", "TOTAL", 2023, "4")],
            "one holds the other",
        ),
        (
            [("REVENUE", "A", "TOTAL", 2023, "9"), ("REVENUE", "A", "WEB", 2023, "4")],
            "total channel",
        ),
        (
            [("STAFF", "A", "TOTAL", 2023, "9"), ("STAFF", "A", "TOTAL", 2024, "4")],
            "stock",
        ),
        (
            [("MARGIN", "A", "TOTAL", 2023, "9"), ("MARGIN", "B", "TOTAL", 2023, "4")],
            "rate",
        ),
        (
            [("SECRET", "A", "TOTAL", 2023, "9"), ("SECRET", "B", "TOTAL", 2023, "4")],
            "allows no sum",
        ),
        ([("REVENUE", "A", "TOTAL", 2023, "9")], "needs two"),
    ],
)
def test_a_sum_without_meaning_is_not_computed(
    rows: list[tuple[str, str, str, int, str]], reason: str
) -> None:
    assert reason in refused("sum", *rows)


def test_overlapping_periods_are_not_added() -> None:
    year, *_ = operands(("REVENUE", "A", "TOTAL", 2023, "9"))
    quarter = Operand(
        1,
        Fact(
            "REVENUE", "A", "TOTAL", date(2023, 1, 1), date(2023, 3, 31), date(2024, 3, 1),
            Decimal(2), "CNY", year.fact.source,
        ),
        "2023Q1",
    )  # fmt: skip
    made, left = derive(PROFILE, ["sum", "delta"], [year, quarter])
    assert not made
    assert "overlap" in left[0].reason
    assert "needs two periods" in left[1].reason


def test_a_ratio_divides_the_first_metric_by_the_second() -> None:
    made, _ = computed(
        "ratio", ("PROFIT", "A", "TOTAL", 2023, "12"), ("REVENUE", "A", "TOTAL", 2023, "48")
    )
    assert (made[0].item.value, made[0].item.unit) == ("0.25", "")


def test_a_ratio_of_different_units_is_not_computed() -> None:
    assert "different units: CNY, people" in refused(
        "ratio", ("REVENUE", "A", "TOTAL", 2023, "12"), ("STAFF", "A", "TOTAL", 2023, "48")
    )


def test_a_ratio_by_zero_is_not_computed() -> None:
    assert "zero" in refused(
        "ratio", ("PROFIT", "A", "TOTAL", 2023, "12"), ("REVENUE", "A", "TOTAL", 2023, "0")
    )


def test_shares_are_of_the_parent_where_that_was_found() -> None:
    rows = [
        ("REVENUE", "G", "TOTAL", 2023, "200"),
        ("REVENUE", "A", "TOTAL", 2023, "50"),
        ("REVENUE", "B", "TOTAL", 2023, "100"),
    ]
    assert values("share", *rows) == ["25", "50"]


def test_shares_are_of_the_total_channel_where_that_was_found() -> None:
    rows = [
        ("REVENUE", "A", "WEB", 2023, "30"),
        ("REVENUE", "A", "SHOP", 2023, "20"),
        ("REVENUE", "A", "TOTAL", 2023, "50"),
    ]
    assert values("share", *rows) == ["60", "40"]


def test_parts_alone_are_no_whole_unless_it_is_said() -> None:
    rows = [("REVENUE", "A", "TOTAL", 2023, "1"), ("REVENUE", "B", "TOTAL", 2023, "2")]
    assert refused("share", *rows) == (
        "which whole is meant? Alpha and Beta are parts of Group; name it, or say that it is their "
        "total alone"
    )
    made, _ = derive(PROFILE, ["share"], operands(*rows), THOSE_LISTED)
    assert [one.item.value for one in made] == ["33.333333", "66.666667"]
    assert made[1].item.formula == "2 / (1 + 2) * 100 ≈ 66.666667%"
    assert [one.entity for one in made[1].item.operands] == ["B", "A"]


def test_channels_without_their_total_are_no_whole_unless_it_is_said() -> None:
    rows = [("REVENUE", "A", "WEB", 2023, "30"), ("REVENUE", "A", "SHOP", 2023, "20")]
    assert refused("share", *rows).startswith("which whole is meant? The total of all channels")
    made, left = derive(PROFILE, ["share"], operands(*rows), THOSE_LISTED)
    assert [one.item.value for one in made] == ["60", "40"] and not left


def test_what_is_not_known_to_be_apart_has_no_sum_that_is_a_whole() -> None:
    rows = [("REVENUE", "A", "TOTAL", 2023, "1"), ("REVENUE", "X", "TOTAL", 2023, "2")]
    made, left = derive(PROFILE, ["share"], operands(*rows), THOSE_LISTED)
    assert not made
    assert left[0].reason.startswith("which whole is meant?")


def test_negative_parts_have_no_shares() -> None:
    rows = [("REVENUE", "A", "TOTAL", 2023, "-1"), ("REVENUE", "B", "TOTAL", 2023, "2")]
    made, left = derive(PROFILE, ["share"], operands(*rows), THOSE_LISTED)
    assert not made and left
    assert all("negative" in one.reason for one in left)


def test_a_share_is_of_every_whole_that_was_found_and_of_no_sum_with_it() -> None:
    rows = [("REVENUE", "A", "TOTAL", 2023, "50"), ("REVENUE", "G", "TOTAL", 2023, "200")]
    made, left = computed("share", *rows)
    assert [(one.item.value, one.item.whole) for one in made] == [("25", "Group")]
    assert made[0].item.formula == "50 / 200 * 100 = 25%"
    assert not left


def test_a_share_without_a_whole_is_refused_with_the_question() -> None:
    alone = refused("share", ("REVENUE", "A", "TOTAL", 2023, "50"))
    assert alone == "which whole is meant? Alpha is a part of Group"
    strange = refused(
        "share", ("REVENUE", "A", "TOTAL", 2023, "50"), ("REVENUE", "X", "TOTAL", 2023, "9")
    )
    assert strange.startswith("which whole is meant?")


def test_a_share_of_a_named_whole_is_of_that_alone() -> None:
    rows = operands(("REVENUE", "X", "TOTAL", 2023, "50"), ("REVENUE", "Y", "TOTAL", 2023, "200"))
    made, left = derive(PROFILE, ["share"], rows, "Y")
    assert [(one.item.value, one.item.whole) for one in made] == [("25", "Ypsilon")]
    assert not left
    made, left = derive(PROFILE, ["share"], rows[:1], "Y")
    assert not made and left[0].reason == "the whole has no fact: Ypsilon for FY2023"


def test_a_whole_is_no_part_of_its_part() -> None:
    rows = operands(("REVENUE", "A", "TOTAL", 2023, "50"), ("REVENUE", "G", "TOTAL", 2023, "200"))
    made, left = derive(PROFILE, ["share"], rows, "A")
    assert not made
    assert left[0].reason.startswith("Alpha is a part of Group, not the other way round")
    assert left[0].reason_in_chinese is not None


def test_a_share_of_a_whole_of_other_days_is_refused() -> None:
    part, whole = operands(
        ("REVENUE", "A", "TOTAL", 2023, "50"), ("REVENUE", "G", "TOTAL", 2023, "200")
    )
    fiscal = part.fact._replace(start=date(2023, 4, 1), end=date(2024, 3, 31))
    made, left = derive(PROFILE, ["share"], [replace(part, fact=fiscal), whole])
    assert not made
    assert "of different days" in left[0].reason


SHARED = [
    ("REVENUE", "A", "TOTAL", 2022, "20"), ("REVENUE", "A", "TOTAL", 2024, "45"),
    ("REVENUE", "G", "TOTAL", 2022, "100"), ("REVENUE", "G", "TOTAL", 2024, "150"),
]  # fmt: skip


def test_the_change_of_a_share_is_in_percentage_points_of_the_last_less_the_first() -> None:
    (made,), left = computed("share_delta", *SHARED)
    assert not left
    assert (made.item.value, made.item.unit) == ("10", "percentage points")
    assert made.item.whole == "Group"
    assert made.item.formula == "45 / 150 * 100 - 20 / 100 * 100 = 10 percentage points"
    told = [(one.entity, one.period) for one in made.item.operands]
    assert told == [("A", "FY2024"), ("G", "FY2024"), ("A", "FY2022"), ("G", "FY2022")]


def test_shares_of_one_period_are_taken_from_the_first() -> None:
    rows = [
        ("REVENUE", "A", "TOTAL", 2022, "20"), ("REVENUE", "B", "TOTAL", 2022, "50"),
        ("REVENUE", "G", "TOTAL", 2022, "100"),
    ]  # fmt: skip
    assert values("share_delta", *rows) == ["-30"]


def test_a_change_of_channels_is_of_their_shares_in_the_total() -> None:
    rows = [
        ("REVENUE", "A", "WEB", 2022, "10"), ("REVENUE", "A", "WEB", 2023, "30"),
        ("REVENUE", "A", "TOTAL", 2022, "40"), ("REVENUE", "A", "TOTAL", 2023, "60"),
    ]  # fmt: skip
    assert values("share_delta", *rows) == ["25"]


def test_a_difference_of_shares_needs_both_and_a_whole_that_holds_the_part() -> None:
    assert "two shares" in refused("share_delta", SHARED[0], SHARED[2])
    assert "which whole is meant" in refused("share_delta", SHARED[0], SHARED[1])
    rates = [("MARGIN", code, "TOTAL", year, "5") for code in "AG" for year in (2022, 2023)]
    assert "is a rate" in refused("share_delta", *rates)


def test_the_change_of_a_ratio_is_the_difference_of_two_quotients() -> None:
    rows = [
        ("REVENUE", "A", "TOTAL", 2022, "20"), ("REVENUE", "A", "TOTAL", 2024, "45"),
        ("REVENUE", "B", "TOTAL", 2022, "40"), ("REVENUE", "B", "TOTAL", 2024, "60"),
    ]  # fmt: skip
    (made,), left = computed("ratio_delta", *rows)
    assert not left
    assert made.item.formula == "45 / 60 - 20 / 40 = 0.25"
    rows[2] = ("REVENUE", "B", "TOTAL", 2022, "0")
    assert "zero" in refused("ratio_delta", *rows)


def test_a_difference_of_values_that_were_rounded_is_rounded_itself() -> None:
    first, second = operands(*YEARS[:2])
    for exact in (True, False):
        (made,), _ = derive(PROFILE, ["delta"], [replace(first, exact=exact), second])
        assert made.item.exact is exact
        assert ("≈" in made.item.formula) is not exact
