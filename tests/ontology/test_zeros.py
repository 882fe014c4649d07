"""A zero must be earned: each way in which shapes and data disagree, and zeros that are honest."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

Make = Callable[[str, str], Any]

SHAPES = """
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
:ShipShape a sh:NodeShape ; sh:targetClass :Ship ; sh:property
  [ sh:path :title ] , [ sh:path :tonnage ; sh:datatype xsd:integer ] ,
  [ sh:path :built ; sh:datatype xsd:date ] , [ sh:path :active ; sh:datatype xsd:boolean ] ,
  [ sh:path :licence ; sh:datatype xsd:string ; sh:in ( "MIT" "GPL" "BSD" ) ] ,
  [ sh:path :owner ; sh:nodeKind sh:IRI ] , [ sh:path :cargo ; sh:in ( :coal :ore :grain ) ] ,
  [ sh:path :flag ; sh:description "The country, as its code of ISO 3166-1." ;
    sh:datatype xsd:string ] ,
  [ sh:path :code ; sh:datatype xsd:string ; sh:pattern "^[A-Z]{3}$" ] ,
  [ sh:path :length ; sh:datatype xsd:decimal ; sh:description "The length in metres." ] ,
  [ sh:path :part ; sh:node :PartShape ] , [ sh:path :carries ; sh:class :Box ] .
:PartShape a sh:NodeShape ; sh:property
  [ sh:path :material ; sh:datatype xsd:string ] , [ sh:path :part ; sh:node :PartShape ] .
:BoxShape a sh:NodeShape ; sh:targetClass :Box ; sh:property
  [ sh:path :title ] , [ sh:path :weight ; sh:datatype xsd:integer ] ,
  [ sh:path :inside ; sh:class :Box ] .
"""
DATA = """
@prefix qudt: <http://qudt.org/schema/qudt/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
"""


@pytest.fixture
def ask(make: Make) -> Callable[..., Any]:
    """Ask for ships of a few statements."""

    def asked(assets: str, slots: Any, **rest: Any) -> Any:
        return make(SHAPES, DATA + assets).search({"domains": ["Ship"], **slots}, **rest)

    return asked


def _filters(**conditions: Any) -> dict[str, Any]:
    return {"filters": conditions}


def _ranges(**bounds: Any) -> dict[str, Any]:
    return {"ranges": bounds}


def _box(**filters: Any) -> dict[str, Any]:
    return {"references": {"domain": "Box", "filters": filters}}


# What is stored in another form or place than declared is found, and never for certain

FOUND = {
    "boolean as text": (':a a :Ship ; :active "true" .', _filters(active=True)),
    "boolean as word": (':a a :Ship ; :active "yes" .', _filters(active=True)),
    "literal as IRI": (
        ":a a :Ship ; :licence <https://spdx.example/licences/MIT> .",
        _filters(licence="MIT"),
    ),
    "literal as named IRI": (
        ':a a :Ship ; :licence :l1 . :l1 rdfs:label "MIT" .',
        _filters(licence="MIT"),
    ),
    "node with a value": (':a a :Ship ; :licence [ rdf:value "MIT" ] .', _filters(licence="MIT")),
    "IRI as node with a label": (
        ':a a :Ship ; :cargo [ rdfs:label "coal" ] .',
        _filters(cargo="coal"),
    ),
    "node with a number": (
        ":a a :Ship ; :length [ qudt:numericValue 12.5 ] .",
        _ranges(length={"gt": 10}),
    ),
    "number in words of thousands": (
        ':a a :Ship ; :tonnage "12,000" .',
        _ranges(tonnage={"gt": 10000}),
    ),
    "number in another unit": (':a a :Ship ; :length "1.2 km" .', _ranges(length={"gt": 1000})),
    "number in another unit beside others": (
        ':a a :Ship ; :length "1.2 km" . :b a :Ship ; :length 5.0 .',
        _ranges(length={"gt": 1000}),
    ),
    "date in another order": (
        ':a a :Ship ; :built "06.05.2020" .',
        _ranges(built={"gt": "2020-01-01"}),
    ),
    "label of what is pointed to": (
        ':a a :Ship ; :owner :o1 . :o1 rdfs:label "Northline" .',
        _filters(owner={"contains": "North"}),
    ),
    "country by name": (':a a :Ship ; :flag "Switzerland" .', _filters(flag="CH")),
    "country by another code": (
        ':a a :Ship ; :flag "CHE" . :b a :Ship ; :flag "DE" .',
        _filters(flag="CH"),
    ),
    "parts of parts": (
        ':a a :Ship ; :part [ :part [ :part [ :material "oak" ] ] ] .',
        _filters(material="oak"),
    ),
    "deep parts of parts": (
        ':a a :Ship ; :part [ :part [ :part [ :part [ :part [ :material "oak" ] ] ] ] ] . '
        ':b a :Ship ; :part [ :material "elm" ] .',
        _filters(material="oak"),
    ),
    "at the part itself": (
        ':a a :Ship ; :part "oak" . :b a :Ship ; :part [ :material "elm" ] .',
        _filters(material={"contains": "oak"}),
    ),
    "class of another namespace": (
        ':a a engine:Ship ; :title "Ulm" .',
        _filters(title={"contains": "Ulm"}),
    ),
    "subclass of the data": (
        ':a a :Tug ; :title "Ulm" . :Tug rdfs:subClassOf :Ship . :b a :Ship .',
        _filters(title={"contains": "Ulm"}),
    ),
    "connected over another property": (
        ':a a :Ship ; :loads :b . :b a :Box ; :title "Ulm" . '
        ':c a :Ship ; :carries :d . :d a :Box ; :title "Bonn" .',
        _box(title="Ulm"),
    ),
    "number as text of a connected asset": (
        ':a a :Ship ; :carries :b . :b a :Box ; :weight "1,200" .',
        {"references": {"domain": "Box", "ranges": {"weight": {"gt": 1000}}}},
    ),
    "all of several forms": (
        ':a a :Ship ; :licence "MIT" , <https://spdx.example/licences/GPL> .',
        _filters(licence={"all_of": ["MIT", "GPL"]}),
    ),
}


# Forms and paths of the property itself are among its own, so that nothing is read otherwise.
READ_AS_STORED = frozenset(
    (
        "boolean as text", "boolean as word", "literal as IRI", "literal as named IRI",
        "all of several forms", "parts of parts", "deep parts of parts", "deeper", "IRI",
        "value as IRI",
    )
)  # fmt: skip


@pytest.mark.parametrize("name", FOUND)
def test_what_is_stored_otherwise_is_found_and_told(name: str, ask: Callable[..., Any]) -> None:
    result = ask(*FOUND[name])
    assert [item.iri[-1] for item in result.results] == ["a"], result.answer
    if name in READ_AS_STORED:
        assert result.confidence == "high"
        return
    assert result.confidence == "medium"
    assert any(one.how == "stored" for one in result.corrections)
    assert "Nothing matches as declared" in result.answer


def test_parts_that_are_assets_are_reached_over_several_steps(make: Make) -> None:
    boxes = " ".join(f':b{n} a :Box ; :title "b{n}" ; :inside :b{n + 1} .' for n in range(4))
    bench = make(SHAPES, f'{DATA} :s a :Ship . {boxes} :b4 a :Box ; :title "last" .')
    slots = {
        "domains": ["Box"],
        "filters": {"title": "b0"},
        "references": {"domain": "Box", "filters": {"title": "last"}},
    }
    assert [item.iri[-2:] for item in bench.search(slots).results] == ["b0"]


# Where some assets hold it as declared and others do not

DIFFERING = {
    "other namespace": (
        ':a a :Ship ; :title "Ulm" . :b a :Ship ; engine:title "Ulm" .',
        _filters(title="Ulm"),
    ),
    "deeper": (
        ':a a :Ship ; :title "Ulm" . :b a :Ship ; :meta [ :title "Ulm" ] .',
        _filters(title={"contains": "Ulm"}),
    ),
    "IRI": (
        ':a a :Ship ; :licence "MIT" . :b a :Ship ; :licence <https://spdx.example/MIT> .',
        _filters(licence="MIT"),
    ),
    "number as text": (
        ':a a :Ship ; :tonnage 12 . :b a :Ship ; :tonnage "12,000" .',
        _ranges(tonnage={"gt": 3}),
    ),
    "presence": (
        ':a a :Ship ; :title "Ulm" . :b a :Ship ; engine:title "Bonn" .',
        _filters(title={"exists": True}),
    ),
}


@pytest.mark.parametrize("name", DIFFERING)
def test_where_assets_differ_all_are_found_and_told(name: str, ask: Callable[..., Any]) -> None:
    result = ask(*DIFFERING[name])
    if name in READ_AS_STORED:
        assert (result.total, result.confidence) == (2, "high"), result.answer
        return
    assert (result.total, result.confidence) == (2, "medium"), result.answer
    assert "1 of them match as declared" in result.answer


def test_what_each_asset_holds_under_both_names_is_no_news(ask: Callable[..., Any]) -> None:
    result = ask(':a a :Ship ; :title "Ulm" ; engine:title "Ulm" .', _filters(title="Ulm"))
    assert (result.total, result.confidence) == (1, "high")


# Zeros that are honest

HONEST = {
    "other boolean": (":a a :Ship ; :active true .", _filters(active=False)),
    "other boolean as text": (':a a :Ship ; :active "true" .', _filters(active=False)),
    "listed and not stored": (':a a :Ship ; :licence "MIT" .', _filters(licence="GPL")),
    "listed, others unlisted": (':a a :Ship ; :licence "Apache-2.0" .', _filters(licence="GPL")),
    "IRI stored as its name": (':a a :Ship ; :cargo "coal" .', _filters(cargo="ore")),
    "country": (':a a :Ship ; :flag "DE" .', _filters(flag="CH")),
    "code that the shapes' pattern allows": (':a a :Ship ; :code "ABC" .', _filters(code="XYZ")),
    "number of a node": (
        ":a a :Ship ; :length [ qudt:numericValue 12.5 ] .",
        _ranges(length={"gt": 100}),
    ),
    "number in another unit": (
        ':a a :Ship ; :length 5.0 . :b a :Ship ; :length "1.2 m" .',
        _ranges(length={"gt": 1000}),
    ),
    "no number": (':a a :Ship ; :tonnage "n/a" .', _ranges(tonnage={"gt": 10})),
    "date in words": (':a a :Ship ; :built "6 May 2020" .', _ranges(built={"gt": "2021-01-01"})),
    "label of what is pointed to": (
        ':a a :Ship ; :owner :o1 . :o1 rdfs:label "Northline" .',
        _filters(owner={"contains": "South"}),
    ),
    "never together": (
        ':a a :Ship ; :title "Ulm" ; :flag "DE" . :b a :Ship ; :title "Bonn" ; :flag "FR" .',
        _filters(title="Ulm", flag="FR"),
    ),
    "never together, one elsewhere": (
        ':a a :Ship ; engine:title "Ulm" . :b a :Ship ; :title "Bonn" ; :flag "DE" .',
        _filters(title={"contains": "Ulm"}, flag="DE"),
    ),
    "never together, one deep": (
        ':a a :Ship ; :part [ :part [ :material "oak" ] ] . '
        ':b a :Ship ; :flag "DE" ; :part [ :material "elm" ] .',
        _filters(material="oak", flag="DE"),
    ),
    "one never stored, the other never met": (
        ':a a :Ship ; :title "Ulm" ; :flag "DE" .',
        {"filters": {"flag": "CH"}, "ranges": {"tonnage": {"gt": 3}}},
    ),
    "value of another thing": (
        ':a a :Thing ; :title "Ulm" . :b a :Ship ; :title "Bonn" .',
        _filters(title={"contains": "Ulm"}),
    ),
    "value of another kind": (
        ':a a :Box ; :title "Ulm" . :b a :Ship ; :title "Bonn" .',
        _filters(title={"contains": "Ulm"}),
    ),
    "connected asset": (
        ':a a :Ship ; :carries :b . :b a :Box ; :title "Ulm" . :c a :Box ; :title "Bonn" .',
        _box(title="Bonn"),
    ),
    "some references lead out of the catalogue": (
        ':a a :Ship ; :carries :gone . :c a :Ship ; :carries :d . :d a :Box ; :title "Bonn" . '
        ':b a :Box ; :title "Ulm" .',
        _box(title="Ulm"),
    ),
    "everything has it": (':a a :Ship ; :title "Ulm" .', _filters(title={"exists": False})),
    "no such asset": (":b a :Box .", {}),
}


@pytest.mark.parametrize("name", HONEST)
def test_an_honest_zero_is_told_for_certain(name: str, ask: Callable[..., Any]) -> None:
    result = ask(*HONEST[name])
    assert (result.status, result.confidence, result.gaps) == ("empty", "high", []), result.answer


# Zeros that are not earned: the answer says why

UNEARNED = {
    "like a value of another wording": (
        ':a a :Ship ; :licence "The MIT License" .',
        _filters(licence="MIT"),
        "'The MIT License'",
    ),
    "unit that the shapes do not state": (
        ':a a :Ship ; :tonnage "12 t" .',
        _ranges(tonnage={"gt": 10}),
        "'12 t'",
    ),
    "things without an IRI": (
        '[] a :Ship ; :title "Ulm" . :b a :Box .',
        _filters(title={"contains": "Ulm"}),
        "no IRI",
    ),
    "things without a class": (
        ':a :title "Ulm" . :b a :Ship ; :title "Bonn" .',
        _filters(title={"contains": "Ulm"}),
        "no path leads",
    ),
    "never stored for this kind": (
        ':a a :Box ; :title "Ulm" . :b a :Ship .',
        _filters(title={"contains": "Ulm"}),
        "Box",
    ),
    "never stored": (
        ':a a :Ship ; :flag "DE" .',
        {"filters": {"flag": "DE"}, "ranges": {"tonnage": {"gt": 3}}},
        "tonnage under any name or path",
    ),
    "references to what has no class": (
        ':a a :Ship ; :carries :gone . :b a :Box ; :title "Ulm" .',
        {"references": {"domain": "Box"}},
        "not described as Box",
    ),
    "references as text": (
        ':a a :Ship ; :carries "https://example.org/harbour/b" . :b a :Box ; :title "Ulm" .',
        _box(title="Ulm"),
        "not described as Box",
    ),
}


@pytest.mark.parametrize("name", UNEARNED)
def test_a_zero_that_is_not_earned_says_why(name: str, ask: Callable[..., Any]) -> None:
    assets, slots, said = UNEARNED[name]
    result = ask(assets, slots)
    assert (result.status, result.confidence) == ("empty", "low"), result.answer
    assert said in result.answer


def test_what_may_be_meant_is_offered_as_it_can_be_sent(make: Make) -> None:
    bench = make(SHAPES, ':a a :Ship ; :licence "The MIT License" .')
    result = bench.search({"domains": ["Ship"], "filters": {"licence": "MIT"}})
    (gap,) = result.gaps
    assert gap.suggestions == ['filters.licence="The MIT License"']
    again = bench.search({"domains": ["Ship"], "filters": {"licence": "The MIT License"}})
    assert (again.total, again.confidence) == (1, "high")


# What lacks something must hold it nowhere

LACKING = {
    "other namespace": (
        ':a a :Ship ; :title "Ulm" . :b a :Ship ; engine:title "Bonn" . :c a :Ship .',
        _filters(title={"exists": False}),
    ),
    "deeper": (
        ':a a :Ship ; :title "Ulm" . :b a :Ship ; :meta [ :title "Bonn" ] . :c a :Ship .',
        _filters(title={"exists": False}),
    ),
    "value of another namespace": (
        ':a a :Ship ; :licence "MIT" . :b a :Ship ; engine:licence "MIT" . '
        ':c a :Ship ; :licence "GPL" .',
        _filters(licence={"none_of": ["MIT"]}),
    ),
    "value as IRI": (
        ':a a :Ship ; :licence "MIT" . :b a :Ship ; :licence <https://spdx.example/MIT> . '
        ':c a :Ship ; :licence "GPL" .',
        _filters(licence={"none_of": ["MIT"]}),
    ),
    "boolean as text": (
        ':a a :Ship ; :active "true" . :b a :Ship ; :active true . :c a :Ship ; :active false .',
        _filters(active={"none_of": [True]}),
    ),
    "number as text": (
        ':a a :Ship ; :tonnage 1200 . :b a :Ship ; :tonnage "1,200" . :c a :Ship ; :tonnage 6 .',
        _filters(tonnage={"none_of": [1200]}),
    ),
}


@pytest.mark.parametrize("name", LACKING)
def test_what_holds_it_elsewhere_does_not_lack_it(name: str, ask: Callable[..., Any]) -> None:
    result = ask(*LACKING[name])
    assert [item.iri[-1] for item in result.results] == ["c"], result.answer
    if name in READ_AS_STORED:
        assert result.confidence == "high"
        return
    assert result.confidence == "medium"
    assert "left out" in result.answer


def test_a_connected_asset_does_not_lack_what_it_holds_elsewhere(ask: Callable[..., Any]) -> None:
    assets = (
        ':a a :Ship ; :carries :b . :b a :Box ; engine:title "Ulm" . '
        ':c a :Ship ; :carries :d . :d a :Box ; :title "Bonn" .'
    )
    result = ask(assets, _box(title={"exists": False}))
    assert (result.status, result.confidence) == ("empty", "medium")


def test_what_may_be_the_value_is_told_where_it_should_be_lacking(ask: Callable[..., Any]) -> None:
    assets = ':a a :Ship ; :licence "The MIT License" . :c a :Ship ; :licence "GPL" .'
    result = ask(assets, _filters(licence={"none_of": ["MIT"]}))
    assert (result.total, result.confidence) == (2, "low")
    assert "'The MIT License', which may be meant" in result.answer


def test_what_lacks_a_value_as_declared_is_certain(ask: Callable[..., Any]) -> None:
    assets = ':a a :Ship ; :licence "MIT" . :c a :Ship ; :licence "GPL" .'
    result = ask(assets, _filters(licence={"none_of": ["MIT"]}))
    assert (result.total, result.confidence) == (1, "high")


# Statements


def test_an_earned_zero_states_absence_and_where_it_was_looked_for(make: Make) -> None:
    bench = make(SHAPES, ':a a :Ship ; :flag "DE" ; :title "Ulm" ; engine:title "Bonn" .')
    slots = {"domains": ["Ship"], "filters": {"title": {"contains": "Kiel"}}}
    result, draft = bench.submit(slots)
    assert (result.status, result.confidence) == ("empty", "high")
    assert any(one.kind == "absence" for one in draft.statements)
    (looked,) = [one for one in draft.statements if "looked at" in one.predicate]
    assert {"Ship title", "engine:title"} <= {names[0] for names in looked.objects}


def test_a_zero_that_is_not_earned_states_no_absence(make: Make) -> None:
    bench = make(SHAPES, ':a a :Ship ; :licence "The MIT License" .')
    _, draft = bench.submit({"domains": ["Ship"], "filters": {"licence": "MIT"}})
    matches = [
        one for one in draft.statements if one.kind == "absence" and "match" in one.predicate
    ]
    assert matches == []
    assert any("looked at" in one.predicate for one in draft.statements)
