"""Connected assets: several, nested and inverse, over declared paths, else over stored ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from groundwire.ontology.discover import discover_connections
from groundwire.ontology.references import MAX_DEPTH, MAX_JOINS


def voyages(harbour: Any, references: Any) -> set[str]:
    return set(harbour.found({"domains": ["voyage"], "references": references}))


def test_a_reference_with_filters_and_ranges(harbour: Any) -> None:
    ship = {"domain": "ship", "filters": {"flag": "Germany"}, "ranges": {"crew": {"gt": 10}}}
    assert voyages(harbour, ship) == {"v3"}


def test_a_reference_may_be_an_object_a_list_a_name_or_a_text(harbour: Any) -> None:
    for sent in (
        {"domain": "port", "filters": {"quays": "concrete"}},
        [{"domain": "port", "filters": {"quays": "concrete"}}],
        '{"domain": "port", "filters": {"quays": "concrete"}}',
    ):
        assert voyages(harbour, sent) == {"v1", "v2"}
    assert voyages(harbour, "port") == {"v1", "v2", "v3"}
    assert voyages(harbour, ["port", {"domain": "ship"}]) == {"v1", "v2", "v3"}


def test_several_references_must_all_hold(harbour: Any) -> None:
    both = [
        {"domain": "ship", "filters": {"flag": "DE"}},
        {"domain": "port", "filters": {"quays": "concrete"}},
    ]
    assert voyages(harbour, both) == {"v1"}


def test_two_references_to_one_domain_may_be_met_by_two_assets(harbour: Any) -> None:
    two_ports = [
        {"domain": "port", "ranges": {"berths": {"gt": 10}}},
        {"domain": "port", "ranges": {"berths": {"lt": 10}}},
    ]
    assert voyages(harbour, two_ports) == {"v1"}
    one_port = {"domain": "port", "ranges": {"berths": {"gt": 4, "lt": 12}}}
    assert voyages(harbour, one_port) == set()


def test_a_reference_is_followed_backwards(harbour: Any) -> None:
    stormy = {"domain": "voyage", "filters": {"weather": "calm"}}
    assert harbour.found({"domains": ["ship"], "references": stormy}) == ["aurora"]
    assert set(harbour.found({"domains": ["port"], "references": stormy})) == {"bremen", "turku"}


def test_nested_references(harbour: Any) -> None:
    slots = {
        "domains": ["port"],
        "references": {
            "domain": "voyage",
            "filters": {"weather": "fog"},
            "references": {"domain": "ship", "filters": {"flag": "DE"}},
        },
    }
    result = harbour.search(slots)
    assert [item.label for item in result.results] == ["Bremen"]
    assert result.applied["references"][0]["references"] == [
        {"domain": "Ship", "filters": {"flag": "DE"}}
    ]


def test_the_connected_assets_are_named_in_the_answer(harbour: Any) -> None:
    result = harbour.search({"domains": ["voyage"], "references": "port"})
    first = next(item for item in result.results if item.label == "First voyage")
    assert {iri.rsplit("/", 1)[-1] for iri in first.references} == {"bremen", "turku"}


def test_domains_that_nothing_joins_are_refused_with_those_that_are(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["ship"], "references": {"domain": "port"}})
    assert (gap.slot, gap.reason) == ("references[0].domain", "unmapped")
    assert "no declared connection" in gap.detail
    assert gap.suggestions == ["Voyage"]


def test_a_domain_that_was_not_sent_follows_from_the_reference(harbour: Any) -> None:
    slots = {"references": {"domain": "ship", "filters": {"flag": "DE"}}}
    result = harbour.search(slots)
    assert result.applied["domains"] == ["Voyage"]
    assert {item.label for item in result.results} == {"First voyage", "Third voyage"}


def test_more_references_than_can_be_joined_are_a_gap_of_reason_limitation(harbour: Any) -> None:
    gap = harbour.gap({"domains": ["voyage"], "references": ["port"] * (MAX_JOINS + 1)})
    assert gap.reason == "limitation"
    assert f"at most {MAX_JOINS} references" in gap.detail


def test_references_nested_too_deeply_are_a_gap_of_reason_limitation(harbour: Any) -> None:
    reference: dict[str, Any] = {"domain": "ship"}
    for level in range(MAX_DEPTH):
        reference = {"domain": ("voyage", "ship")[level % 2], "references": [reference]}
    outer = "ship" if reference["domain"] == "voyage" else "voyage"
    gap = harbour.gap({"domains": [outer], "references": reference})
    assert (gap.reason, gap.slot) == ("limitation", "references[0]" + ".references[0]" * MAX_DEPTH)


def test_a_reference_is_never_guessed_over_a_sibling_path(make: Callable[[str, str], Any]) -> None:
    """An asset without the declared link is not found by a link that another property holds."""
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Tour ; sh:property [ sh:path :visits ; "
        "sh:class :Town ] , [ sh:path :avoids ; sh:nodeKind sh:IRI ] . "
        ":B a sh:NodeShape ; sh:targetClass :Town ; sh:property [ sh:path :people ] .",
        ":t1 a :Tour ; :visits :x . :t2 a :Tour ; :mentions :x . :x a :Town ; :people 5 .",
    )
    assert bench.found({"domains": ["tour"], "references": "town"}) == ["t1"]
    assert "mentions" not in bench.query({"domains": ["tour"], "references": "town"})


def test_kinds_that_only_the_data_connect_are_joined_and_that_is_told(
    make: Callable[[str, str], Any],
) -> None:
    """The declared link is stored nowhere; what is stored leads the other way."""
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Bridge ; sh:property [ sh:path :inspectedIn ; "
        "sh:class :Inspection ] . "
        ":B a sh:NodeShape ; sh:targetClass :Inspection ; sh:property [ sh:path :year ] .",
        ":b1 a :Bridge ; :colour :red . :b2 a :Bridge ; :colour :red . :b3 a :Bridge . "
        ":i1 a :Inspection ; :year 2020 ; :checks :b1 . "
        ":i2 a :Inspection ; :year 2021 ; :checks :b2 , :b1 . :red a :Paint .",
    )
    late = {"domain": "inspection", "filters": {"year": 2021}}
    result = bench.search({"domains": ["bridge"], "references": late})
    assert {item.iri[-2:] for item in result.results} == {"b1", "b2"}
    [told] = [one for one in result.corrections if one.how == "stored"]
    assert told.resolved == "Inspection, connected over ^(checks)"
    assert found(bench, "inspection", domain="bridge") == {"i1", "i2"}
    assert found(bench, "bridge", domain="inspection", none=True) == {"b3"}
    paths = bench.call(discover_connections, "bridge").connections
    assert [(one.to, one.path) for one in paths] == [("Inspection", "^(checks)")]


def test_kinds_that_nothing_connects_are_said_to_be_so(make: Callable[[str, str], Any]) -> None:
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Bridge ; sh:property [ sh:path :name ] . "
        ":B a sh:NodeShape ; sh:targetClass :Inspection ; sh:property [ sh:path :year ] .",
        ":b1 a :Bridge ; :near :elsewhere . :i1 a :Inspection ; :year 2020 ; :of :nothing .",
    )
    gap = bench.gap({"domains": ["bridge"], "references": "inspection"})
    assert "no stored one was found" in gap.detail


# Both ways


WORKS = """
:Work a owl:Class . :Show a owl:Class . :Kind a owl:Class .
:W a sh:NodeShape ; sh:targetClass :Work ; sh:property
  [ sh:path :height ; sh:datatype xsd:integer ] , [ sh:path :shownAt ; sh:class :Show ] ,
  [ sh:path :ofKind ; sh:class :Kind ] ,
  [ sh:path :hasLoan ; sh:node :LoanShape ] .
:S a sh:NodeShape ; sh:targetClass :Show ; sh:property [ sh:path :topic ; sh:in ( "sea" "war" ) ] ,
  [ sh:path :shows ; sh:class :Work ] .
:K a sh:NodeShape ; sh:targetClass :Kind ; sh:property [ sh:path :label ; sh:datatype xsd:string ] ,
  [ sh:path :broader ; sh:class :Kind ] .
:LoanShape a sh:NodeShape ; sh:property [ sh:path :borrower ; sh:datatype xsd:string ] ,
  [ sh:path :year ; sh:datatype xsd:integer ] , [ sh:path :sublet ; sh:node :LoanShape ] .
"""
WORKS_HELD = """
:w1 a :Work ; :height 10 ; :shownAt :s1 ; :ofKind :etching ;
  :hasLoan [ :borrower "Basel" ; :year 1990 ] , [ :borrower "Kiel" ; :year 2010 ] .
:w2 a :Work ; :height 20 ; :ofKind :print ;
  :hasLoan [ :borrower "Basel" ; :year 2010 ; :sublet [ :borrower "Oslo" ; :year 2011 ;
    :sublet [ :borrower "Riga" ; :year 2012 ] ] ] .
:w3 a :Work ; :height 30 . :w4 a :Work ; :shownAt :s2 .
:s1 a :Show ; :topic "sea" . :s2 a :Show ; :topic "war" . :s3 a :Show ; :topic "sea" ; :shows :w2 .
:art a :Kind ; :label "art" . :print a :Kind ; :label "print" ; :broader :art .
:etching a :Kind ; :label "etching" ; :broader :print .
:snake a :Kind ; :label "snake" ; :broader :tail . :tail a :Kind ; :label "tail" ; :broader :snake .
"""


@pytest.fixture
def works(make: Callable[[str, str], Any]) -> Any:
    return make(WORKS, WORKS_HELD)


def found(bench: Any, kind: str, **reference: Any) -> set[str]:
    return set(bench.found({"domains": [kind], "references": reference}))


def test_a_reference_holds_whichever_of_the_two_names_the_other(works: Any) -> None:
    assert found(works, "work", domain="show") == {"w1", "w2", "w4"}
    assert found(works, "show", domain="work") == {"s1", "s2", "s3"}
    assert found(works, "work", domain="show", filters={"topic": "sea"}) == {"w1", "w2"}
    assert found(works, "show", domain="work", ranges={"height": {"gt": 15}}) == {"s3"}


@pytest.mark.parametrize(
    "said", [{"none": True}, {"exists": False}, {"none": "yes"}, {"exists": "false"}]
)
def test_a_reference_may_be_denied(works: Any, said: Any) -> None:
    assert found(works, "work", domain="show", **said) == {"w3"}
    assert found(works, "work", domain="show", filters={"topic": "sea"}, **said) == {"w3", "w4"}
    assert found(works, "show", domain="work", ranges={"height": {"gte": 10}}, **said) == {"s2"}


def test_a_denied_reference_is_told_and_keeps_its_own_conditions(works: Any) -> None:
    inner = {"domain": "kind", "filters": {"label": "print"}, "none": True}
    assert found(works, "show", domain="work", references=inner) == {"s1", "s2"}
    result = works.search({"domains": ["work"], "references": {"domain": "show", "none": True}})
    assert result.answer.startswith("1 Work asset matches with no connected Show")
    assert result.applied["references"] == [{"domain": "Show", "none": True}]


def test_a_denied_reference_is_one_condition_of_an_empty_search(works: Any) -> None:
    slots = {
        "domains": ["work"],
        "ranges": {"height": {"lt": 25}},
        "references": {"domain": "show", "none": True, "filters": {"topic": ["sea", "war"]}},
    }
    result = works.search(slots)
    assert (result.status, result.confidence) == ("empty", "high")
    assert [(one.slot, one.remaining) for one in result.explanation_of_empty] == [
        ("ranges.height", 1),
        ("references[0]", 2),
    ]


def test_what_a_reference_says_of_itself_twice_must_agree(works: Any) -> None:
    with pytest.raises(ValueError, match="both that there is one and that there is none"):
        found(works, "work", domain="show", none=True, exists=True)


# Relations of a kind to itself


def test_a_relation_to_the_same_kind_is_followed_to_its_end(works: Any) -> None:
    assert found(works, "kind", domain="kind", filters={"label": "art"}) == {"print", "etching"}
    nested = {"domain": "kind", "filters": {"label": "art"}}
    assert found(works, "work", domain="kind", references=nested) == {"w1", "w2"}
    slots = {"domains": ["kind"], "references": {"domain": "kind", "filters": {"label": "art"}}}
    result = works.search(slots)
    assert result.applied["references"][0]["over"] == "broader+"
    assert "over broader+" in result.answer


def test_one_step_alone_and_the_other_direction_can_be_asked_for(works: Any) -> None:
    label = {"label": "art"}
    assert found(works, "kind", domain="kind", filters=label, direct=True) == {"print"}
    turned = {"over": "^broader", "filters": {"label": "etching"}}
    assert found(works, "kind", domain="kind", **turned) == {"print", "art"}


def test_a_cycle_in_the_data_ends(works: Any) -> None:
    assert found(works, "kind", domain="kind", filters={"label": "tail"}) == {"snake", "tail"}
    none = {"domain": "kind", "none": True}
    assert set(works.found({"domains": ["kind"], "references": none})) == {"art"}


def test_which_of_several_relations_to_the_same_kind_is_meant_is_asked(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":K a sh:NodeShape ; sh:targetClass :Kind ; sh:property [ sh:path :label ] , "
        "[ sh:path :broader ; sh:class :Kind ] , [ sh:path :rival ; sh:class :Kind ] .",
        ':a a :Kind ; :label "a" ; :broader :b . :b a :Kind ; :label "b" ; :rival :a .',
    )
    gap = bench.gap({"domains": ["kind"], "references": "kind"})
    assert (gap.slot, gap.reason) == ("references[0].over", "ambiguous")
    assert gap.suggestions == ["broader", "rival"]
    assert found(bench, "kind", domain="kind", over="rival") == {"b"}
    other = bench.gap({"domains": ["kind"], "references": {"domain": "kind", "over": "friend"}})
    assert (other.term, other.reason, other.suggestions) == (
        "friend",
        "unmapped",
        ["broader", "rival"],
    )


# Parts


def test_conditions_of_one_part_are_met_by_one_and_the_same(works: Any) -> None:
    basel = {"domain": "hasLoan", "filters": {"borrower": "Basel"}}
    late = {"ranges": {"year": {"gt": 2000}}}
    assert found(works, "work", **basel) == {"w1", "w2"}
    assert found(works, "work", **basel, **late) == {"w2"}
    assert found(works, "work", **basel, **late, none=True) == {"w1", "w3", "w4"}
    slots = {"domains": ["work"], "filters": {"borrower": "Basel"}, **late}
    result = works.search(slots)
    assert [item.iri.rsplit("/", 1)[-1] for item in result.results] == ["w2"]


def test_a_zero_of_one_part_is_no_certain_one_where_several_parts_would_do(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":W a sh:NodeShape ; sh:targetClass :Work ; sh:property [ sh:path :loan ; sh:node :L ] . "
        ":L a sh:NodeShape ; sh:property [ sh:path :to ] , [ sh:path :year ] .",
        ':w a :Work ; :loan [ :to "Basel" ; :year 1990 ] , [ :to "Kiel" ; :year 2010 ] .',
    )
    result = bench.search({"domains": ["work"], "filters": {"to": "Basel", "year": 2010}})
    assert (result.status, result.confidence) == ("empty", "low")
    assert "different parts" in result.answer


def test_parts_of_parts_are_reached_however_deep(works: Any) -> None:
    for borrower, expected in (("Oslo", {"w2"}), ("Riga", {"w2"}), ("Basel", {"w1", "w2"})):
        slots = {"domains": ["work"], "filters": {"borrower": borrower}}
        assert set(works.found(slots)) == expected
    assert set(works.found({"domains": ["work"], "filters": {"borrower": {"exists": False}}})) == {
        "w3",
        "w4",
    }


def test_a_denied_reference_that_no_asset_has_at_all_is_said(
    make: Callable[[str, str], Any],
) -> None:
    bench = make(
        ":A a sh:NodeShape ; sh:targetClass :Tour ; sh:property [ sh:path :visits ; "
        "sh:class :Town ] . :B a sh:NodeShape ; sh:targetClass :Town ; "
        "sh:property [ sh:path :people ] .",
        ":t1 a :Tour ; :visits :y . :t2 a :Tour . :x a :Town ; :people 5 . :y a :Inn .",
    )
    none = {"domain": "town", "none": True}
    result = bench.search({"domains": ["tour"], "references": none})
    assert (result.total, result.confidence) == (2, "low")
    assert "No Tour asset at all has a connected Town as declared" in result.answer
