"""Shapes drafted from data."""

from __future__ import annotations

from pathlib import Path

import pytest
from shared_data import need, shared_folder

from groundwire import shapes as embedded
from groundwire.errors import InputError, LimitError
from groundwire.ontology import infer as module
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import Domain, Property, ShapeIndex
from groundwire.ontology.infer import infer

EX = "https://example.org/ns#"
HEAD = "@prefix ex: <https://example.org/ns#> .\n"


def drafted(tmp_path: Path, data: str) -> ShapeIndex:
    (tmp_path / "data.ttl").write_text(HEAD + data, "utf-8")
    (tmp_path / "drafts.ttl").write_text(infer([tmp_path / "data.ttl"]), "utf-8")
    index = load_index([tmp_path / "drafts.ttl"])
    assert index.problems == ()
    return index


def named(domain: Domain, name: str) -> Property:
    (found,) = [p for p in domain.properties.values() if p.local_name == name]
    return found


def test_datatypes_and_languages(tmp_path: Path) -> None:
    index = drafted(
        tmp_path,
        """ex:a a ex:Map ; ex:size 3 ; ex:mixed 1, 2.5 ; ex:open true ; ex:label "A"@en, "B"@de .
           ex:b a ex:Map ; ex:size 4 .""",
    )
    domain = index.domains["Map"]
    types = {
        p.local_name: sorted(t.rpartition("#")[2] for t in p.datatypes)
        for p in domain.properties.values()
    }
    assert types == {
        "size": ["integer"],
        "mixed": ["decimal", "integer"],
        "open": ["boolean"],
        "label": ["langString"],
    }
    assert named(domain, "label").languages == ("de", "en")


def test_a_name_that_ends_with_a_unit_states_it(tmp_path: Path) -> None:
    data = "ex:a a ex:Ship ; ex:lengthM 294 ; ex:stayHours 31.5 ; ex:builtIn 2009 ; ex:deckM 3 ."
    domain = drafted(tmp_path, data).domains["Ship"]
    units = {one.local_name: one.unit for one in domain.properties.values()}
    assert units == {"lengthM": "m", "stayHours": "h", "builtIn": None, "deckM": "m"}


def test_a_short_closed_vocabulary_becomes_a_list(tmp_path: Path) -> None:
    data = "".join(
        f'ex:m{n} a ex:Map ; ex:kind "{("town", "rural")[n % 2]}" ; ex:role ex:r{n % 3} ;'
        f' ex:name "Name {n}" ; ex:lanes {n % 2} .\n'
        for n in range(12)
    )
    domain = drafted(tmp_path, data).domains["Map"]
    assert {v.term.value for v in named(domain, "kind").enum} == {"town", "rural"}
    assert {v.term.value for v in named(domain, "role").enum} == {EX + f"r{n}" for n in range(3)}
    assert named(domain, "name").enum == (), "values that do not repeat are no vocabulary"
    assert named(domain, "lanes").enum == (), "numbers are none either"


def test_references_and_nested_nodes(tmp_path: Path) -> None:
    index = drafted(
        tmp_path,
        """ex:s a ex:Scene ; ex:uses ex:m ; ex:see <https://example.org/page> ;
               ex:content [ a ex:Content ; ex:weather "fog" ] ;
               ex:place [ ex:country "DE" ; ex:box [ ex:north 3 ] ] .
           ex:m a ex:Map .""",
    )
    scene = index.domains["Scene"]
    assert [p.local() for p in named(scene, "weather").paths] == ["content/weather"]
    assert [p.local() for p in named(scene, "north").paths] == ["place/box/north"]
    assert named(scene, "see").kind == "iri" and named(scene, "place").kind == "node"
    assert {(c.target, c.via, c.path.local()) for c in index.connections} == {
        ("Map", "class", "uses"),
        ("*", "link", "see"),
        ("Content", "shape", "content"),
    }
    assert index.domains["Content"].part and not index.domains["Map"].part


def test_counts_say_what_every_instance_has(tmp_path: Path) -> None:
    (tmp_path / "data.ttl").write_text(
        HEAD + "ex:a a ex:Map ; ex:p 1 ; ex:q 1, 2 . ex:b a ex:Map ; ex:p 2 ."
    )
    text = infer([tmp_path])
    p, q = (part for part in text.split("sh:path")[1:])
    assert "sh:minCount 1" in p and "sh:maxCount 1" in p
    assert "sh:minCount" not in q and "sh:maxCount" not in q


def test_blank_nodes_in_a_circle_end(tmp_path: Path) -> None:
    index = drafted(tmp_path, "ex:a a ex:T ; ex:p _:x . _:x ex:q _:y . _:y ex:q _:x ; ex:value 1 .")
    assert "value" in {p.local_name for p in index.domains["T"].properties.values()}


def test_hostile_texts_and_names_are_escaped(tmp_path: Path) -> None:
    bad = '\\" ] . <urn:x> a <urn:y> . \\n\\\\'
    rows = "".join(f'ex:a{n} a ex:T ; ex:p "{bad}" .\n' for n in range(4))
    index = drafted(
        tmp_path,
        rows + "ex:b a <https://example.org/odd/1.5(x)>, <urn:class:ü> ; <urn:p#-> 1 .",
    )
    assert "urn:y" not in {domain.class_iri for domain in index.domains.values()}
    (value,) = named(index.domains["T"], "p").enum
    assert value.term.value == '" ] . <urn:x> a <urn:y> . \n\\'
    assert {"https://example.org/odd/1.5(x)", "urn:class:ü"} <= {
        domain.class_iri for domain in index.domains.values()
    }


def test_classes_of_one_local_name_have_a_shape_each(tmp_path: Path) -> None:
    index = drafted(tmp_path, "ex:a a ex:T ; ex:p 1 . ex:b a <https://else.org/T> ; ex:q 1 .")
    assert {
        d.class_iri: {p.local_name for p in d.properties.values()} for d in index.domains.values()
    } == {
        EX + "T": {"p"},
        "https://else.org/T": {"q"},
    }


def test_blank_nodes_of_several_files_stay_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / f"{number}.ttl").write_text(
            HEAD + f"ex:a{number} a ex:T{number} ; ex:p _:x . _:x ex:q{number} 1 ."
        )
    (tmp_path / "drafts.ttl").write_text(infer([tmp_path / "1.ttl", tmp_path / "2.ttl"]))
    index = load_index([tmp_path / "drafts.ttl"])
    assert {p.local_name for p in index.domains["T1"].properties.values()} == {"p", "q1"}


def test_what_cannot_be_drafted_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="does not exist"):
        infer([tmp_path / "nowhere"])
    with pytest.raises(InputError, match="no data files"):
        infer([tmp_path])
    file = tmp_path / "data.ttl"
    file.write_text(HEAD + "ex:a ex:p 1 .")
    with pytest.raises(InputError, match="rdf:type"):
        infer([file])
    file.write_text(HEAD + "ex:a ex:p")
    with pytest.raises(InputError, match=r"data\.ttl cannot be read"):
        infer([file])
    file.write_text(HEAD + "ex:a a ex:T, ex:U, ex:V .")
    monkeypatch.setattr(module, "MAX_TRIPLES", 2)
    with pytest.raises(LimitError, match="2 triples"):
        infer([file])


def test_drafts_of_the_embedded_catalogue_describe_it(tmp_path: Path) -> None:
    (tmp_path / "drafts.ttl").write_text(infer([embedded.catalogue_file()]), "utf-8")
    index = load_index([tmp_path / "drafts.ttl"])
    assert index.problems == ()
    declared = load_index(embedded.shape_files())
    assets = {name for name, domain in index.domains.items() if not domain.part}
    assert assets == {name for name, domain in declared.domains.items() if not domain.part}
    pavement = named(index.domains["surface-model"], "pavement")
    assert {value.term.value.rsplit("/", 1)[-1] for value in pavement.enum} == {
        "Asphalt", "Concrete", "Cobblestone", "Gravel",
    }  # fmt: skip
    formats = named(index.domains["hdmap"], "formatType")
    assert "Lanelet" in {value.term.value for value in formats.enum}, "stored, though not declared"
    assert ("hdmap", "hasManifest/hasReferencedArtifacts/iri") in {
        (c.target, c.path.local())
        for c in index.connections
        if c.source == "scenario" and c.via == "class"
    }


def test_drafts_of_a_real_catalogue_describe_it(tmp_path: Path) -> None:
    folder = need(shared_folder("data", "ontology", "catalogue"))
    (tmp_path / "drafts.ttl").write_text(infer(sorted(folder.glob("*.jsonld"))), "utf-8")
    index = load_index([tmp_path / "drafts.ttl"])
    assert index.problems == ()
    assets = {name for name, domain in index.domains.items() if not domain.part}
    assert {"hdmap", "scenario", "ositrace", "environment-model", "surface-model"} <= assets
    weather = named(index.domains["scenario"], "weatherSummary")
    assert "foggy" in {value.term.value for value in weather.enum}
    assert ("hdmap", "hasManifest/hasReferencedArtifacts/iri") in {
        (c.target, c.path.local())
        for c in index.connections
        if c.source == "scenario" and c.via == "class"
    }


def test_what_the_data_says_of_its_own_classes_is_no_asset(tmp_path: Path) -> None:
    index = drafted(
        tmp_path,
        """@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
           @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
           ex:Station a rdfs:Class ; rdfs:label "weather station"@en, "Wetterstation"@de ;
               rdfs:comment "Where the weather is \\"measured\\"."@en .
           ex:height a rdf:Property ; rdfs:label "Höhe"@de .
           ex:s1 a ex:Station ; ex:height 12 .""",
    )
    assert set(index.domains) == {"Station"}
    domain = index.domains["Station"]
    assert {text.value for text in domain.labels} == {"weather station", "Wetterstation"}
    assert [text.value for text in domain.descriptions] == ['Where the weather is "measured".']
    assert {text.value for text in named(domain, "height").labels} == {"height", "Höhe"}


def test_data_that_only_describes_is_drafted_as_it_is(tmp_path: Path) -> None:
    index = drafted(
        tmp_path,
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . ex:A a owl:Class ; ex:note 'x' .",
    )
    assert set(index.domains) == {"Class"}
