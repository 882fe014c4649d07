"""What the record of a search or of an asset states: sets, groups, order, absence, sources."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from statements import condition, first_names, of_kind, said, unproven

from groundwire.evidence.records import Draft
from groundwire.ontology.asset import get_asset
from groundwire.ontology.results import SearchResult

GERMAN = {"DE", "Germany", "Deutschland", "德国", "German", "deutsch"}


def scope(draft: Draft, at: int = 0) -> Any:
    return of_kind(draft, "scope")[at]


# Sets


def test_a_set_states_its_kind_and_each_condition_as_it_was_applied(sample: Any) -> None:
    slots = {
        "domains": ["HD map"],
        "filters": {"Land": "Germany", "roadTypes": ["Autobahn", "rural"]},
        "ranges": {"length": {"gt": "12.5 mi"}},
    }
    result, draft = sample.submit(slots)
    found = scope(draft)
    assert {"hdmap", "hdmaps", "HD map", "HD maps", "HD-Karte", "高精地图", "assets"} <= set(
        found.subject
    )
    kind, country, roads, length = found.conditions
    assert ("kind" in kind.predicate, kind.operator) == (True, "is")
    assert {"hdmap", "HD-Karte"} <= set(kind.objects[0])
    assert {"country", "Land", "国家"} <= set(country.predicate)
    assert (country.operator, len(country.objects)) == ("is", 1)
    assert set(country.objects[0]) >= GERMAN
    assert (roads.operator, first_names(roads.objects)) == ("any_of", ["motorway", "rural"])
    assert {"Autobahn", "高速公路"} <= set(roads.objects[0])
    assert (length.operator, length.objects, length.unit) == ("more_than", (("20.1168",),), "km")
    assert draft.values[found.value].value == str(result.total)


def test_a_set_lists_its_members_and_says_whether_these_are_all(sample: Any) -> None:
    slots = {"domains": ["hdmap"], "filters": {"country": "JP"}}
    result, draft = sample.submit(slots)
    assert result.total == len(result.results)
    whole = scope(draft)
    assert whole.complete == "all_listed"
    assert [(names[0], names[-1]) for names in whole.objects] == [
        (item.label, item.iri) for item in result.results
    ]
    first, some = sample.submit(slots, limit=2)
    assert (first.total, scope(some).complete, len(scope(some).objects)) == (
        result.total,
        "all_counted",
        2,
    )
    _, later = sample.submit(slots, limit=2, offset=2)
    assert (scope(later).complete, scope(later).value) == ("page", None)
    positions = [(one.value, one.entity) for one in later.values if one.name == "position"]
    assert [place for place, _ in positions] == ["3", "4"]


def test_a_count_that_is_not_exact_is_stated_as_a_least_number(
    sample: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    import groundwire.ontology.page_queries as searching

    async def at_least(*_: object) -> tuple[int, bool]:
        return 40, False

    monkeypatch.setattr(searching, "total_of", at_least)
    result, draft = sample.submit({"domains": ["hdmap"], "filters": {"country": "DE"}}, limit=3)
    assert result.answer.startswith("At least 40 ")
    assert (scope(draft).complete, scope(draft).value) == ("page", None)
    (stated,) = [one for one in of_kind(draft, "relation") if "count" in one.predicate]
    assert condition(stated, "count").operator == "at_least"
    assert condition(stated, "country").objects[0][0] == "DE"
    assert unproven(result.answer, draft) == []


@pytest.mark.parametrize(
    ("wanted", "operator", "objects"),
    [
        ({"all_of": ["motorway", "rural"]}, "all_of", ["motorway", "rural"]),
        ({"none_of": ["motorway"]}, "none_of", ["motorway"]),
        ({"contains": "motor"}, "contains", ["motor"]),
        ({"exists": True}, "exists", []),
        ({"exists": False}, "missing", []),
    ],
)
def test_every_kind_of_filter_has_its_operator(
    sample: Any, wanted: Any, operator: str, objects: list[str]
) -> None:
    _, draft = sample.submit({"domains": ["hdmap"], "filters": {"roadTypes": wanted}})
    found = condition(scope(draft), "roadTypes")
    assert (found.operator, first_names(found.objects)) == (operator, objects)


@pytest.mark.parametrize(
    ("sent", "operators"),
    [
        ({"gte": 10, "lt": 12}, [("at_least", "10"), ("less_than", "12")]),
        ({"min": 10, "max": 12}, [("at_least", "10"), ("at_most", "12")]),
        ({"gt": 10}, [("more_than", "10")]),
    ],
)
def test_limits_keep_whether_they_are_met_themselves(
    sample: Any, sent: Any, operators: list[tuple[str, str]]
) -> None:
    _, draft = sample.submit({"domains": ["hdmap"], "ranges": {"length": sent}})
    found = [one for one in scope(draft).conditions if "length" in one.predicate]
    assert [(one.operator, one.objects[0][0]) for one in found] == operators
    assert {one.unit for one in found} == {"km"}


@pytest.mark.parametrize(
    ("sent", "stated"),
    [
        ("2021", [("is", "2021")]),
        ("2021-02", [("is", "2021-02")]),
        ("2021-06-26", [("is", "2021-06-26")]),
    ],
)
def test_a_period_is_stated_as_that_period(
    sample: Any, sent: str, stated: list[tuple[str, str]]
) -> None:
    _, draft = sample.submit({"domains": ["hdmap"], "filters": {"created": sent}})
    found = [one for one in scope(draft).conditions if "created" in one.predicate]
    assert [(one.operator, one.objects[0][0]) for one in found] == stated


def test_several_numbers_are_several_objects(sample: Any) -> None:
    filters = {"numberTrafficLights": [0, 2]}
    _, draft = sample.submit({"domains": ["hdmap"], "filters": filters})
    found = condition(scope(draft), "numberTrafficLights")
    assert (found.operator, found.objects) == ("any_of", (("0",), ("2",)))


def test_a_boolean_is_one_object(harbour: Any) -> None:
    _, draft = harbour.submit({"domains": ["ship"], "filters": {"inService": True}})
    assert condition(scope(draft), "inService").objects == (("true",),)


def test_members_of_several_kinds_are_called_after_none_of_them(sample: Any) -> None:
    slots = {"domains": ["hdmap", "scenario"], "filters": {"country": "DE"}}
    _, draft = sample.submit(slots)
    found = scope(draft)
    assert "hdmap or scenario" in found.subject and "assets" in found.subject
    assert not {"hdmap", "HD map", "scenario"} & set(found.subject)
    kind = condition(found, "kind")
    assert (kind.operator, first_names(kind.objects)) == ("any_of", ["hdmap", "scenario"])


def test_a_condition_on_a_connected_asset_is_none_on_the_asset(sample: Any) -> None:
    references = {"domain": "hdmap", "filters": {"country": "DE"}}
    _, draft = sample.submit({"domains": ["scenario"], "references": references})
    found = scope(draft)
    reference = condition(found, "reference")
    assert (reference.operator, reference.objects[0][0]) == ("exists", "hdmap")
    assert [one.predicate[0] for one in found.conditions if "country" in one.predicate] == []
    country = condition(found, "references/hdmap/country")
    assert {"hdmap country", "HD map country"} <= set(country.predicate)
    assert set(country.objects[0]) >= GERMAN
    (first, *_) = [one for one in of_kind(draft, "relation") if "reference" in one.predicate]
    assert first.subject[0] == found.objects[0][0]
    label, *_, iri = first.objects[0]
    assert "/hdmap/" in iri and label not in iri


def test_nested_references_name_the_whole_way(make: Callable[[str, str], Any]) -> None:
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Box ; "
        "sh:property [ sh:path :inside ; sh:class :Hall ] . "
        ":B a sh:NodeShape ; sh:targetClass :Hall ; sh:property [ sh:path :at ; sh:class :Site ] . "
        ":C a sh:NodeShape ; sh:targetClass :Site ; sh:property [ sh:path :city ; "
        "sh:datatype xsd:string ] .",
        ":b a :Box ; :inside :h . :h a :Hall ; :at :s . :s a :Site ; :city 'Ulm' .",
    )
    slots = {
        "domains": ["Box"],
        "references": {
            "domain": "Hall",
            "references": {"domain": "Site", "filters": {"city": "Ulm"}},
        },
    }
    result, draft = bench.submit(slots)
    assert result.total == 1
    city = condition(scope(draft), "references/Hall/Site/city")
    assert (city.operator, city.objects) == ("is", (("Ulm",),))


def test_values_of_listed_assets_are_stated_with_their_names(sample: Any) -> None:
    slots = {"domains": ["hdmap"], "filters": {"country": "DE", "roadTypes": "motorway"}}
    result, draft = sample.submit(slots)
    first = result.results[0]
    stated = {
        one.predicate[0]: one
        for one in of_kind(draft, "relation")
        if one.subject == (first.label, first.iri)
    }
    assert set(stated["country"].objects[0]) >= GERMAN
    roads = first.values["roadTypes"]
    assert set(first_names(stated["roadTypes"].objects)) == {
        *(roads if isinstance(roads, list) else [roads])
    }
    assert {"Autobahn", "高速公路"} <= {name for one in stated["roadTypes"].objects for name in one}
    assert stated["roadTypes"].complete == "all_listed"


# Groups and order


def test_each_group_of_a_count_is_a_set_of_its_own(sample: Any) -> None:
    slots = {"domains": ["hdmap"], "filters": {"roadTypes": "motorway"}}
    result, draft = sample.submit(slots, count_by="country")
    whole, *groups = of_kind(draft, "scope")
    assert draft.values[whole.value].value == str(result.total)
    counts = {
        condition(one, "country").objects[0][0]: draft.values[one.value].value for one in groups
    }
    assert counts == {item.value: str(item.count) for item in result.counts or ()}
    germany = next(one for one in groups if condition(one, "country").objects[0][0] == "DE")
    assert condition(germany, "roadTypes").objects[0][0] == "motorway"
    assert set(condition(germany, "country").objects[0]) >= GERMAN
    assert {one.complete for one in groups} == {"all_counted"}


def test_a_sorted_page_states_its_order(sample: Any) -> None:
    result, draft = sample.submit({"domains": ["hdmap"]}, sort="-length", limit=3)
    (order,) = of_kind(draft, "order")
    assert {"length", "Länge"} <= set(order.predicate)
    assert first_names(order.objects) == [item.label for item in result.results]
    assert condition(order, "order").objects[0][0] == "descending"
    assert not of_kind(sample.submit({"domains": ["hdmap"]})[1], "order")


# Absence


def test_an_earned_zero_is_an_absence_with_its_conditions(sample: Any) -> None:
    result, draft = sample.submit(
        {"domains": ["hdmap"], "filters": {"country": "Japan", "roadTypes": "motorway"},
         "ranges": {"length": {"gt": 2000}}}
    )  # fmt: skip
    assert (result.status, result.confidence) == ("empty", "high")
    (absence,) = of_kind(draft, "absence")
    assert "hdmap" in absence.subject and "match" in absence.predicate
    assert absence.conditions == scope(draft).conditions
    assert condition(absence, "country").objects[0][:2] == ("JP", "Japan")
    assert (draft.values[scope(draft).value].value, scope(draft).complete) == ("0", "all_listed")


def test_what_remains_without_a_condition_is_a_set_without_it(sample: Any) -> None:
    slots = {"domains": ["hdmap"], "filters": {"country": "CH", "roadTypes": "motorway"}}
    result, draft = sample.submit(slots)
    remaining = {one.slot: one.remaining for one in result.explanation_of_empty or ()}
    rest = of_kind(draft, "scope")[1:]
    stated = {
        tuple(one.predicate[0] for one in each.conditions[1:]): draft.values[each.value].value
        for each in rest
    }
    assert stated == {
        ("roadTypes",): str(remaining["filters.country"]),
        ("country",): str(remaining["filters.roadTypes"]),
    }
    (stored, *_) = [one for one in of_kind(draft, "relation") if "stored value" in one.predicate]
    assert "country" in stored.subject and stored.objects[0][0] == "DE"


def test_a_zero_that_is_in_doubt_is_no_absence(make: Callable[[str, str], Any]) -> None:
    bench = make(
        ":S a sh:NodeShape ; sh:targetClass :Box ; sh:property [ sh:path :colour ; "
        "sh:datatype xsd:string ] , [ sh:path :weight ; sh:datatype xsd:integer ] .",
        ":a a :Box ; :weight 3 . :hidden :colour 'red' .",
    )
    slots = {"domains": ["Box"], "filters": {"colour": {"contains": "red"}}}
    result, draft = bench.submit(slots)
    assert (result.status, result.confidence) == ("empty", "low")
    assert of_kind(draft, "absence") == []
    assert (scope(draft).value, scope(draft).complete) == (None, "")
    remarks = [one.value for one in draft.values if one.name == "remark"]
    assert remarks and all(one in result.answer for one in remarks)


# Corrections and gaps


def test_a_correction_is_a_relation_of_what_was_sent_and_used(sample: Any) -> None:
    _, draft = sample.submit({"domains": ["hdmpa"], "filters": {"contry": "Germny"}})
    read = [one for one in of_kind(draft, "relation") if "read as" in one.predicate]
    assert [(one.subject[0], one.objects[0][0]) for one in read] == [
        ("hdmpa", "hdmap"),
        ("contry", "country"),
        ("Germny", "DE"),
    ]


def test_a_gap_is_the_absence_of_a_meaning_with_suggestions(sample: Any) -> None:
    result, draft = sample.submit({"domains": ["castle"], "filters": {"country": "DE"}})
    assert result.status == "rejected"
    (gap,) = of_kind(draft, "absence")
    assert gap.subject == ("castle",) and "meaning" in gap.predicate
    assert condition(gap, "reason").objects == (("unmapped",),)
    (offered,) = [one for one in of_kind(draft, "relation") if "suggestion" in one.predicate]
    assert first_names(offered.objects) == result.gaps[0].suggestions
    assert not of_kind(draft, "scope")


def test_arguments_are_no_evidence(sample: Any) -> None:
    """What stands in the request alone stands in no value and no statement."""
    slots = {"domains": ["hdmap"], "filters": {"country": "DE"}}
    _, draft = sample.submit(slots, limit=17, interpretation="All 4711 maps of Freedonia")
    assert not {one for one in said(draft) if "4711" in one or "Freedonia" in one}
    assert "17" not in said(draft)


def test_a_secret_that_was_sent_is_in_no_statement(sample: Any) -> None:
    sent = "password: hunter2222"
    _, draft = sample.submit({"domains": ["hdmap"], "filters": {"country": sent}})
    assert not [one for one in said(draft) if "hunter2222" in one]
    assert [one for one in said(draft) if "[redacted]" in one]


def test_a_dry_run_states_no_count_and_no_absence(sample: Any) -> None:
    slots = {"domains": ["hdmap"], "filters": {"country": "DE"}}
    _, draft = sample.submit(slots, dry_run=True)
    found = scope(draft)
    assert (found.value, found.complete, found.objects) == (None, "", ())
    assert condition(found, "country").objects[0][0] == "DE"
    assert draft.values == () and not of_kind(draft, "absence")


# Assets and sources


def test_an_asset_states_its_properties_with_the_names_of_both(sample: Any) -> None:
    iri = sample.search({"domains": ["hdmap"], "filters": {"country": "DE"}}).results[0].iri
    asset, draft = sample.call(get_asset, iri)
    stated = {one.predicate[0]: one for one in of_kind(draft, "relation")}
    assert set(stated["country"].objects[0]) >= GERMAN - {"德国"}
    assert {"country", "Land", "hasGeoreference/country"} <= set(stated["country"].predicate)
    assert {names[0] for names in stated["roadTypes"].objects} == {
        item.value for item in asset.values if item.property == "hasContent/roadTypes"
    }
    assert stated["roadTypes"].complete == "all_listed"
    assert {"Straßentypen", "道路类型"} <= set(stated["roadTypes"].predicate)
    assert {"hdmap", "HD map"} <= set(stated["type"].objects[0])
    assert {asset.label, iri} <= set(stated["type"].subject)
    (number,) = of_kind(draft, "scope")
    assert draft.values[number.value].value == str(len(asset.values))


def test_references_of_an_asset_have_labels(harbour: Any) -> None:
    _, draft = harbour.call(get_asset, "https://example.org/harbour/aurora")
    stated = {one.predicate[0]: one for one in of_kind(draft, "relation")}
    assert "Northline Shipping" in stated["operatedBy"].objects[0]


@pytest.mark.parametrize("slots", [{"domains": ["hdmap"]}, {"domains": ["castle"]}])
def test_every_answer_names_its_source_and_no_folder(sample: Any, slots: Any) -> None:
    _, draft = sample.submit(slots)
    (source,) = of_kind(draft, "source")
    assert {"catalogue.ttl", "catalogue", "Katalog", "目录"} <= set(source.subject)
    assert not [name for name in source.subject if "/" in name]


# Answers


ASKED: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"domains": ["hdmap"], "filters": {"country": ["DE", "FR"]}}, {}),
    ({"domains": ["hdmap", "scenario"], "filters": {"country": "DE"}}, {}),
    ({"domains": ["hdmap"], "ranges": {"length": {"gte": 10, "lte": 30}}}, {"sort": "-length"}),
    ({"domains": ["hdmap"], "ranges": {"length": {"gt": "12 miles"}}}, {}),
    ({"domains": ["hdmap"], "filters": {"created": "2021"}}, {}),
    ({"domains": ["hdmap"], "ranges": {"created": {"gte": "2021-01-01"}}}, {}),
    ({"domains": ["scenario"], "filters": {"roadTypes": "motorway"}}, {}),
    ({"domains": ["hdmap"], "filters": {"country": "CH"}}, {}),
    ({"domains": ["hdmap"], "filters": {"country": "DE"}}, {"offset": 5, "limit": 3}),
    ({"domains": ["hdmap"], "filters": {"country": "DE"}}, {"offset": 500}),
    ({"domains": ["hdmap"]}, {"count_by": "license"}),
    ({"domains": ["hdmap"], "filters": {"numberTrafficLights": [0, 2]}}, {}),
    ({"domains": ["castle"]}, {}),
    ({"domains": ["hdmap"]}, {"gaps": [{"term": "blue sky", "reason": "unmapped"}]}),
]


@pytest.mark.parametrize(("slots", "rest"), ASKED, ids=lambda one: str(one)[:60])
def test_every_name_and_number_of_an_answer_stands_in_its_record(
    sample: Any, slots: Any, rest: Any
) -> None:
    result, draft = sample.submit(slots, **rest)
    assert isinstance(result, SearchResult)
    assert unproven(result.answer, draft) == []


def test_every_count_is_at_the_place_that_its_statement_names(sample: Any) -> None:
    for slots, rest in ASKED:
        _, draft = sample.submit(slots, **rest)
        for one in draft.statements:
            assert one.value is None or draft.values[one.value].kind == "number"
