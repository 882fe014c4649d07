"""Aggregates: exact, of each number once, never of several units, with who has none."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter
from statements import unproven

from groundwire.evidence import Ledger
from groundwire.evidence.claims.check import check
from groundwire.graph.terms import Count
from groundwire.ontology.aggregates import Aggregate, AggregateArgument
from groundwire.ontology.results import SearchResult

SHAPES = """
:T a sh:NodeShape ; sh:targetClass :Tank ; sh:property
  [ sh:path :volume ; sh:description "The volume in litres."@en ; sh:datatype xsd:decimal ] ,
  [ sh:path :site ; sh:datatype xsd:string ] , [ sh:path :note ; sh:datatype xsd:string ] ,
  [ sh:path :built ; sh:datatype xsd:date ] , [ sh:path :hasTest ; sh:node :TestShape ] ,
  [ sh:path :never ; sh:datatype xsd:integer ] , [ sh:path :mass ; sh:node :MassShape ] ,
  [ sh:path :ratio ; sh:datatype xsd:double ] .
:TestShape a sh:NodeShape ; sh:property [ sh:path :pressure ; sh:datatype xsd:integer ] .
:MassShape a sh:NodeShape ; sh:property [ sh:path :amount ; sh:datatype xsd:decimal ] ,
  [ sh:path :unit ; sh:datatype xsd:string ] .
:P a sh:NodeShape ; sh:targetClass :Pipe ; sh:property
  [ sh:path :volume ; sh:description "The volume in cubic metres."@en ; sh:datatype xsd:decimal ] ,
  [ sh:path :feeds ; sh:class :Tank ] .
"""
HELD = """
:a a :Tank ; :volume 0.1 ; :site "north" , "yard" ; :hasTest [ :pressure 5 ] , [ :pressure 5 ] ;
  :ratio 0.1e0 ; :built "2020-01-01"^^xsd:date ; :mass [ :amount 2.5 ; :unit "kg" ] .
:b a :Tank ; :volume 0.2 ; :site "north" ; :hasTest [ :pressure 8 ] ; :ratio 0.2e0 ;
  :mass [ :amount 4 ; :unit "kg" ] .
:c a :Tank ; :volume 0.4 ; :site "south" ; :note "leaks" ; :mass [ :amount 300 ; :unit "lb" ] .
:d a :Tank ; :site "south" ; :volume "unknown" .
:p a :Pipe ; :feeds :a , :b . :q a :Pipe ; :feeds :a ; :volume 7 .
"""


@pytest.fixture
def tanks(make: Callable[[str, str], Any]) -> Any:
    return make(SHAPES, HELD)


def ask(bench: Any, aggregate: object, slots: Any = None, **rest: Any) -> SearchResult:
    sent = Aggregate.model_validate(aggregate)
    return bench.search(slots or {"domains": ["tank"]}, aggregate=sent, **rest)


def value(bench: Any, function: str, name: str, slots: Any = None) -> str | None:
    found = ask(bench, {"property": name, "function": function}, slots).aggregate
    assert found is not None
    return found.value


def test_a_total_that_was_not_counted_in_time_is_no_zero(
    tanks: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def cut(*_: object, **__: object) -> Count:
        return Count(0, False)

    monkeypatch.setattr("groundwire.ontology.search.counted_instances", lambda *_: None)
    monkeypatch.setattr("groundwire.graph.engine.LocalGraph.count", cut)
    found = ask(tanks, {"property": "volume", "function": "sum"})
    assert found.aggregate is not None and found.aggregate.value == "0.7"
    assert not found.total_is_exact


# Numbers


@pytest.mark.parametrize(
    ("function", "expected"),
    [("sum", "0.7"), ("min", "0.1"), ("max", "0.4"), ("mean", "0.2333333333")],
)
def test_decimals_are_exact_and_a_mean_that_does_not_end_is_marked(
    tanks: Any, function: str, expected: str
) -> None:
    result = ask(tanks, {"property": "volume", "function": function})
    assert result.aggregate is not None
    found = result.aggregate
    assert (found.value, found.unit, found.values) == (expected, "l", 3)
    assert bool(found.is_rounded) == (function == "mean") == ("about" in result.answer)


def test_floating_point_numbers_are_added_as_they_are_written(tanks: Any) -> None:
    assert value(tanks, "sum", "ratio") == "0.3"
    assert value(tanks, "mean", "ratio") == "0.15"


def test_who_has_a_number_and_who_has_none_is_said(tanks: Any) -> None:
    result = ask(tanks, "sum(volume)")
    assert result.aggregate is not None
    assert (result.total, result.aggregate.assets_with_value) == (4, 3)
    assert result.aggregate.assets_without_value == 1
    assert result.answer == (
        "The summed volume of Tank assets is 0.7 l. 3 matching assets have a volume, 1 has none."
    )


def test_each_number_counts_once_however_many_conditions_lead_to_it(tanks: Any) -> None:
    slots = {"domains": ["tank"], "references": {"domain": "pipe"}}
    assert value(tanks, "sum", "volume", slots) == "0.3"
    slots = {"domains": ["tank"], "filters": {"site": ["north", "yard"]}}
    assert value(tanks, "sum", "volume", slots) == "0.3"


def test_several_numbers_of_an_asset_all_count_and_that_is_said(tanks: Any) -> None:
    result = ask(tanks, {"property": "pressure", "function": "mean"})
    assert result.aggregate is not None
    found = result.aggregate
    assert (found.value, found.values, found.assets_with_value) == ("6", 3, 2)
    assert "some have several, so 3 values count" in result.answer


def test_each_group_has_its_own_number(tanks: Any) -> None:
    result = ask(tanks, {"property": "volume", "function": "max"}, count_by="site")
    assert result.counts is not None and result.aggregate is not None
    rows = {one.value: (one.count, one.assets_with_value, one.aggregate) for one in result.counts}
    assert rows == {"north": (2, 2, "0.2"), "south": (2, 1, "0.4"), "yard": (1, 1, "0.1")}
    assert (result.aggregate.value, result.aggregate.unit) == (None, "l")
    assert "north: 0.2 l (2 of 2)" in result.answer


def test_groups_are_paged_with_their_numbers(tanks: Any) -> None:
    whole = ask(tanks, "sum(volume)", count_by="site").counts
    pages = [
        one
        for offset in range(3)
        for one in ask(tanks, "sum(volume)", count_by="site", limit=1, offset=offset).counts or ()
    ]
    assert pages == whole


# What is not computed


def test_numbers_of_several_units_are_never_put_together(tanks: Any) -> None:
    result = ask(tanks, {"property": "amount", "function": "sum"})
    assert (result.status, result.aggregate) == ("rejected", None)
    assert "several units (kg, lb)" in result.answer or "several units (lb, kg)" in result.answer
    one_unit = {"domains": ["tank"], "filters": {"site": "north"}}
    found = ask(tanks, {"property": "amount", "function": "sum"}, one_unit).aggregate
    assert found is not None
    assert (found.value, found.unit) == ("6.5", "kg")
    grouped = ask(tanks, {"property": "amount", "function": "sum"}, count_by="site")
    assert grouped.status == "rejected"
    kinds = {"domains": ["tank", "pipe"]}
    result = ask(tanks, {"property": "volume", "function": "sum"}, kinds)
    (gap,) = result.gaps
    assert (gap.reason, gap.suggestions) == ("limitation", ['domains=["Tank"]', 'domains=["Pipe"]'])


def test_a_number_beside_one_without_unit_is_not_put_together(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":T a sh:NodeShape ; sh:targetClass :Tank ; sh:property [ sh:path :mass ; sh:node :M ] . "
        ":M a sh:NodeShape ; sh:property [ sh:path :amount ; sh:datatype xsd:decimal ] .",
        ':a a :Tank ; :mass [ :amount 1 ; :unit "kg" ] . :b a :Tank ; :mass [ :amount 2 ] .',
    )
    result = ask(bench, "sum(amount)")
    assert result.status == "rejected" and "none" in result.answer


@pytest.mark.parametrize("name", ["note", "built"])
def test_a_property_without_numbers_has_no_aggregate(tanks: Any, name: str) -> None:
    result = ask(tanks, {"property": name, "function": "max"})
    (gap,) = result.gaps
    assert (gap.slot, gap.reason) == ("aggregate.property", "unsupported")
    assert ('sort="built"' in gap.detail) == (name == "built")


def test_a_function_that_is_not_offered_is_a_gap(tanks: Any) -> None:
    (gap,) = ask(tanks, {"property": "volume", "function": "median"}).gaps
    assert (gap.slot, gap.reason, gap.suggestions) == ("aggregate.function", "unsupported", [])


def test_an_unknown_property_is_a_gap_with_what_is_alike(tanks: Any) -> None:
    (gap,) = ask(tanks, {"property": "volum size", "function": "max"}).gaps
    assert (gap.slot, gap.reason) == ("aggregate.property", "unmapped")


def test_nothing_to_compute_is_said(tanks: Any) -> None:
    result = ask(tanks, {"property": "never", "function": "sum"})
    assert result.aggregate is not None and result.aggregate.value is None
    assert result.answer.startswith("None of the Tank assets has a number of never.")
    assert result.confidence == "low"
    nobody = {"domains": ["tank"], "filters": {"site": "south"}, "ranges": {"volume": {"gt": 1}}}
    empty = ask(tanks, "sum(volume)", nobody)
    assert (empty.status, empty.aggregate) == ("empty", None)


def test_a_dry_run_shows_the_query_and_no_number(tanks: Any) -> None:
    result = ask(tanks, "sum(volume)", dry_run=True)
    assert result.aggregate is None and result.sparql is not None
    assert "SUM(" in result.sparql
    assert result.applied["aggregate"] == {"property": "volume", "function": "sum"}


# Forms


@pytest.mark.parametrize(
    ("sent", "function", "how"),
    [
        ({"property": "volume", "function": "avg"}, "mean", "alias"),
        ({"field": "volume", "op": "average"}, "mean", "alias"),
        ({"property": "volume", "function": "Durchschnitt"}, "mean", "alias"),
        ('{"property": "volume", "function": "total"}', "sum", "alias"),
        ({"maximum": "volume"}, "max", "alias"),
        ("smallest volume", "min", "alias"),
        ({"property": "volume", "function": "maximun"}, "max", "corrected"),
        ("mean of volume", "mean", None),
        ("SUM(volume)", "sum", "folded"),
    ],
)
def test_functions_are_read_in_every_spelling(
    tanks: Any, sent: Any, function: str, how: str | None
) -> None:
    result = ask(tanks, sent)
    assert result.applied["aggregate"] == {"property": "volume", "function": function}
    told = {one.slot: one.how for one in result.corrections}
    assert told.get("aggregate.function") == how
    assert result.confidence == ("medium" if how == "corrected" else "high")


@pytest.mark.parametrize("blank", [None, "", {}, "  "])
def test_blanks_ask_for_nothing(blank: object) -> None:
    assert TypeAdapter(AggregateArgument).validate_python(blank) is None


# Evidence


@pytest.fixture
def judged(sample: Any, tmp_path: Path) -> Callable[..., Callable[[str], str]]:
    """Record a search of the embedded catalogue; judge drafts by it."""

    def recorded(slots: Any, aggregate: Any = None, **rest: Any) -> Callable[[str], str]:
        sent = Aggregate.model_validate(aggregate) if aggregate else None
        result, draft = sample.submit(slots, aggregate=sent, **rest)
        assert unproven(result.answer, draft) == []
        with Ledger(tmp_path / "ledger.sqlite") as ledger:
            receipt = ledger.record("local", "submit_slots", {}, replace(draft, answer=""))
            record = ledger.get(receipt.evidence_id, "local")
        return lambda text: check(text, [record]).verdict

    return recorded


MEAN = {"property": "length", "function": "mean"}
GERMAN = {"domains": ["hdmap"], "filters": {"country": "DE"}}


@pytest.mark.parametrize(
    "text",
    [
        "The German HD maps have a mean length of 18.2 km.",
        "On average the 55 German HD maps are 18.17 km long.",
        "Die durchschnittliche Länge der deutschen HD-Karten beträgt 18,2 km.",
        "Die Durchschnittslänge der deutschen HD-Karten beträgt 18,2 km.",
    ],
)
def test_a_right_sentence_about_an_aggregate_is_supported(judged: Any, text: str) -> None:
    assert judged(GERMAN, MEAN)(text) == "supported"


@pytest.mark.parametrize(
    "text",
    [
        "The German HD maps have a mean length of 19.2 km.",
        "The German HD maps have a mean length of 18.2 m.",
        "The German HD maps have a maximum length of 18.2 km.",
        "The longest German HD map is 18.2 km long.",
        "The total length of German HD maps is 18.2 km.",
        "The median length of German HD maps is 18.2 km.",
        "German HD maps are 18.2 km long.",
        "Every German HD map is 18.2 km long.",
        "HD maps have a mean length of 18.2 km.",
        "French HD maps have a mean length of 18.2 km.",
        "German scenarios have a mean length of 18.2 km.",
        "The German motorway HD maps have a mean length of 18.2 km.",
        "There are 18 German HD maps.",
        "Die größte Länge der deutschen HD-Karten beträgt 18,2 km.",
        "Die Gesamtlänge der deutschen HD-Karten beträgt 18,2 km.",
        "Die durchschnittliche Länge der HD-Karten beträgt 18,2 km.",
        "Die durchschnittliche Länge der deutschen HD-Karten beträgt 81,2 km.",
        "Die deutschen HD-Karten sind 18,2 km lang.",
    ],
)
def test_a_wrong_sentence_about_an_aggregate_is_not_supported(judged: Any, text: str) -> None:
    assert judged(GERMAN, MEAN)(text) != "supported"


def test_the_number_of_a_group_is_of_that_group(judged: Any) -> None:
    longest = {"property": "length", "function": "max"}
    verdict = judged({"domains": ["hdmap"]}, longest, count_by="country")
    assert verdict("The maximum length of HD maps in Germany is 67.6 km.") == "supported"
    assert verdict("Die größte Länge der HD-Karten in Deutschland beträgt 67,6 km.") == "supported"
    for wrong in (
        "The maximum length of HD maps in Japan is 67.6 km.",
        "The mean length of HD maps in Germany is 67.6 km.",
        "HD maps in Germany are 67.6 km long.",
        "Die kleinste Länge der HD-Karten in Deutschland beträgt 67,6 km.",
    ):
        assert verdict(wrong) != "supported", wrong


def test_references_from_the_other_side_and_denied_ones_are_stated(judged: Any) -> None:
    reference: dict[str, Any] = {"domain": "scenario"}
    used = judged({"domains": ["hdmap"], "references": reference}, limit=5)
    unused = judged({"domains": ["hdmap"], "references": {**reference, "none": True}}, limit=5)
    foggy = {**reference, "none": True, "filters": {"weather": "fog"}}
    clear = judged({"domains": ["hdmap"], "references": foggy}, limit=5)
    right = {
        "53 HD maps are used by a scenario.": used,
        "53 HD-Karten sind mit einem Szenario verbunden.": used,
        "57 HD maps are used by no scenario.": unused,
        "57 HD-Karten sind mit keinem Szenario verbunden.": unused,
        "102 HD maps are used by no scenario with fog.": clear,
        "102 HD-Karten werden von keinem Szenario mit Nebel verwendet.": clear,
    }
    wrong = {
        "53 HD maps are used by no scenario.": used,
        "53 HD-Karten sind mit keinem Szenario verbunden.": used,
        "There are 53 HD maps.": used,
        "53 HD maps are used by an OSI trace.": used,
        "57 HD maps are used by a scenario.": unused,
        "57 HD-Karten sind mit einem Szenario verbunden.": unused,
        "57 HD maps are used by no OSI trace.": unused,
        "102 HD maps are used by no scenario.": clear,
        "102 HD maps are used by a scenario with fog.": clear,
        "102 HD maps are used by no scenario with rain.": clear,
        "102 HD maps are used by no scenario without fog.": clear,
        "102 HD maps with no fog are used by a scenario.": clear,
        "102 HD-Karten werden von keinem Szenario ohne Nebel verwendet.": clear,
    }
    assert {text: verdict(text) for text, verdict in right.items()} == dict.fromkeys(
        right, "supported"
    )
    assert [text for text, verdict in wrong.items() if verdict(text) == "supported"] == []


def test_decimals_stay_exact_over_many_assets(make: Callable[[str, str], Any]) -> None:
    held = "".join(f":t{n} a :Tank ; :volume {n}.{n % 10} ." for n in range(1, 400))
    bench = make(
        ":T a sh:NodeShape ; sh:targetClass :Tank ; "
        "sh:property [ sh:path :volume ; sh:datatype xsd:decimal ] .",
        held,
    )
    expected = sum(Decimal(f"{n}.{n % 10}") for n in range(1, 400))
    assert Decimal(value(bench, "sum", "volume") or "0") == expected


def test_two_forms_of_a_value_count_no_number_twice(make: Callable[[str, str], Any]) -> None:
    shapes = """
:T a sh:NodeShape ; sh:targetClass :Tank ; sh:property [ sh:path :full ; sh:datatype xsd:boolean ] ,
  [ sh:path :volume ; sh:datatype xsd:decimal ] ."""
    held = ":a a :Tank ; :volume 3 ; :full true . :b a :Tank ; :volume 4 ; :full false ."
    full = {"domains": ["tank"], "filters": {"full": True}}
    assert value(make(shapes, held), "sum", "volume", full) == "3"
