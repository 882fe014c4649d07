"""Which entities hold which, declared by parents and by groups."""

from __future__ import annotations

import csv
from decimal import Decimal
from itertools import combinations

import pytest

from groundwire.metrics.lint import lint
from groundwire.metrics.names import Membership, Relation
from groundwire.metrics.profile import Profile, load_profile, parse_profile
from groundwire.profiles import FOLDER, metrics_profile

TREE = {
    "profile": {"name": "test"},
    "kinds": {"land": {"label": "land"}},
    "entities": [
        {"code": code, "kind": "land", "name": f"Land {code}", "parent": parent}
        for code, parent in [("W", ""), ("N", ""), ("S", ""), ("L", ""), ("A", ""), ("B", "")]
    ]
    + [{"code": "C", "kind": "land", "name": "Land C", "parent": "W", "parents": ["S"]}],
    "metrics": [{"code": "GDP", "kind": "land", "label": "GDP"}],
    "groups": {
        "W": {"complete": True, "members": ["A", "B"]},
        "N": {"complete": True, "members": ["A"]},
        "S": {"complete": True, "members": ["A", "B", "C"]},
        "L": {"members": ["B"]},
    },
}


@pytest.fixture(scope="module")
def small() -> Membership:
    return parse_profile(TREE, "test").membership


@pytest.fixture(scope="module")
def embedded() -> Profile:
    return load_profile(metrics_profile())


@pytest.mark.parametrize(
    ("one", "other", "relation"),
    [
        ("W", "A", "holds"),
        ("A", "W", "within"),
        ("S", "C", "holds"),
        ("A", "B", "apart"),
        ("N", "B", "apart"),
        ("N", "W", "within"),
        ("W", "S", "holds"),
        ("A", "A", "same"),
        ("N", "L", "unknown"),
        ("L", "A", "unknown"),
        ("L", "W", "overlap"),
    ],
)
def test_how_entities_stand_to_each_other(
    small: Membership, one: str, other: str, relation: Relation
) -> None:
    assert small.relation(one, other) == relation


def test_wholes_are_all_that_hold_an_entity_the_smallest_first(small: Membership) -> None:
    assert small.wholes_of("A") == ("N", "W", "S")
    assert small.wholes_of("W") == ("S",)
    assert small.shared("L", "W") == ("B",)


def test_nothing_is_known_of_entities_that_nobody_holds() -> None:
    flat = parse_profile(TREE | {"groups": {}}, "test").membership
    assert flat.relation("A", "N") == "unknown"
    assert not flat.may_hold_more("A")
    assert flat.relation("W", "C") == "holds"


def test_parents_in_a_circle_end() -> None:
    circle = Membership({"A": ("B",), "B": ("A",)}, {})
    assert circle.relation("A", "B") == "holds"
    assert circle.wholes_of("A") == ("B",)


def test_members_of_another_kind_are_refused_and_unknown_ones_reported() -> None:
    kinds = {"land": {"label": "land"}, "firm": {"label": "firm"}}
    firm = {"code": "F", "kind": "firm", "name": "Firm"}
    tree = TREE | {"kinds": kinds, "entities": [*TREE["entities"], firm]}
    with pytest.raises(Exception, match="'F' cannot be a member of group 'W'"):
        parse_profile(tree | {"groups": {"W": {"members": ["F"]}}}, "test")
    found = lint(parse_profile(TREE | {"groups": {"W": {"members": ["X"]}}}, "test"))
    assert any("names what is no entity: 'X'" in one.message for one in found)


def test_groups_of_the_embedded_profile_are_the_sums_of_their_members(embedded: Profile) -> None:
    values: dict[str, dict[str, str]] = {}
    with (FOLDER / "world_bank_population.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            values[row["Country Code"]] = row
    checked = 0
    for code, group in embedded.groups.items():
        # Taiwan is in these, and is no entity of the profile.
        if embedded.entity_by_code[code].kind != "country" or code in ("WLD", "EAS", "HIC"):
            continue
        parts = embedded.membership.last_parts(code)
        for year in ("1990", "2000", "2010", "2020", "2024"):
            total = sum(Decimal(values[one][year] or 0) for one in parts)
            if group.complete:
                assert total == Decimal(values[code][year]), (code, year)
                checked += 1
    assert checked > 150


def test_every_country_of_the_embedded_profile_is_in_the_world(embedded: Profile) -> None:
    world = embedded.membership.parts_of("WLD")
    countries = {one.code for one in embedded.entities if one.kind == "country"} - {"WLD"}
    assert countries == world
    leaves = embedded.membership.last_parts("WLD")
    one, other = sorted(leaves)[:2]
    assert all(
        embedded.membership.relation(*pair) == "apart" for pair in combinations((one, other), 2)
    )
