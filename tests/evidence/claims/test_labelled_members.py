"""Members of a listed set are counted and told by words of their names."""

from __future__ import annotations

import pytest

from groundwire.evidence.claims.check import check
from groundwire.evidence.records import Condition, Record, Statement, Value
from tests.evidence.drafts import record

LABELS = (
    "Lane change in snow near Suzhou",
    "Cut-out in snow near Brunswick",
    "Lane change in snow near Erfurt",
    "Turning in snow near Erfurt",
    "Turning in snow near Milton Keynes",
)
SNOW = Condition(("weather", "Wetter", "天气"), "is", (("snow", "Schnee", "下雪"),))
KIND = ("scenario", "Szenario", "Szenarien", "场景")
MAPS = ("Lyon city centre", "Lyon expressway", "Lyon city centre, north", "Lyon ring road")
FRANCE = Condition(("country", "Land"), "is", (("FR", "France", "Frankreich", "法国"),))


def listing(labels: tuple[str, ...], kind: tuple[str, ...], condition: Condition) -> list[Value]:
    values = [Value("total", str(len(labels)), unit="assets", labels=kind)]
    return values + [
        Value(condition.predicate[0], condition.objects[0][0], "name", None, one) for one in labels
    ]


def records(
    labels: tuple[str, ...], kind: tuple[str, ...], condition: Condition, whole: bool
) -> list[Record]:
    objects = tuple((one,) for one in labels)
    complete = "all_listed" if whole else "page"
    scope = Statement("scope", kind, (), objects, (condition,), value=0, complete=complete)
    return [record(listing(labels, kind, condition), statements=[scope])]


SCENARIOS = records(LABELS, KIND, SNOW, True)
HD_MAPS = records(MAPS, ("HD map", "HD-Karte", "高清地图"), FRANCE, True)


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("Five scenarios are in snow. Two of them are lane changes.", True),
        ("Five scenarios are in snow. Three of them are lane changes.", False),
        ("Five scenarios are in snow. Two of them are cut-outs.", False),
        ("Of the five scenarios in snow, two are lane changes: near Suzhou and near Erfurt.", True),
        ("Of the five scenarios in snow, two are lane changes: near Suzhou and Brunswick.", False),
        ("Five scenarios are in snow, two of them lane changes near Erfurt.", False),
        ("Five scenarios are in snow, two of them near Erfurt.", True),
        ("Five scenarios are in snow, two of them near Suzhou and near Erfurt.", False),
        ("Five scenarios are in snow. All of them are lane changes.", False),
        ("Five scenarios are in snow. None of them are lane changes.", False),
        ("Five scenarios are in snow. Two of them are not lane changes.", False),
        ("Two of the five scenarios in snow are turning manoeuvres, two are lane changes.", True),
        ("Two of the five scenarios in snow are turning manoeuvres, one is a lane change.", False),
        ("Zwei der fünf Szenarien im Schnee sind Spurwechsel (bei Suzhou und bei Erfurt).", True),
        ("Zwei der fünf Szenarien im Schnee sind Spurwechsel (bei Suzhou und bei Berlin).", False),
        ("Drei der fünf Szenarien im Schnee sind Spurwechsel.", False),
        ("下雪的场景共有5个，其中2个是变道。", True),
        ("下雪的场景共有5个，其中3个是变道。", False),
    ],
)
def test_parts_of_a_listed_set_are_counted_by_names(draft: str, held: bool) -> None:
    assert (check(draft, SCENARIOS).verdict == "supported") is held


@pytest.mark.parametrize(
    ("draft", "held"),
    [
        ("There are four HD maps of France, and all of them are of Lyon.", True),
        ("There are four HD maps of France, and all of them are of Paris.", False),
        ("There are four HD maps of France, and all of them are of the expressway.", False),
        ("All four HD maps of France are of Lyon: two of the city centre.", True),
        ("All four HD maps of France are of Lyon: three of the city centre.", False),
        ("Two of the four:\n- Lyon expressway\n- Lyon ring road", True),
        ("Three of the four:\n- Lyon expressway\n- Lyon ring road", False),
        ("Two of the four:\n- Lyon expressway\n- Lyon airport", False),
        ("Alle vier HD-Karten von Frankreich sind von Lyon.", True),
        ("Alle vier HD-Karten von Frankreich sind von Paris.", False),
        ("There are four HD maps of France, all of them of Lyon.", True),
        ("There are four HD maps of Paris, all of them of Lyon.", False),
        ("Three of the four:\n- Lyon expressway\n- Lyon ring road\n- Lyon city centre", True),
        ("Three of the five:\n- Lyon expressway\n- Lyon ring road\n- Lyon city centre", False),
        ("Three of the four:\n- Lyon expressway\n- Lyon ring road\n- Lyon ring road", False),
        ("All four HD maps are of France and of Lyon.", True),
        ("All four HD maps of Lyon show France.", False),
    ],
)
def test_all_of_a_set_and_lists_of_it_are_told_by_names(draft: str, held: bool) -> None:
    assert (check(draft, HD_MAPS).verdict == "supported") is held


def test_nothing_is_counted_among_the_members_of_one_page() -> None:
    page = records(LABELS, KIND, SNOW, False)
    assert check("Two of the scenarios in snow are lane changes.", page).verdict != "supported"
