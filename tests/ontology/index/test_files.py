"""Files: formats, broken ones, what is not understood, and the cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from groundwire.errors import InputError
from groundwire.ontology.index.load import load_index
from groundwire.ontology.index.model import ShapeIndex
from groundwire.ontology.index.namespaces import SHARED_LIST
from groundwire.ontology.index.triples import share_lists

EX = "https://example.org/ns#"
Build = Callable[..., ShapeIndex]
SHAPE = """@prefix ex: <https://example.org/ns#> . @prefix sh: <http://www.w3.org/ns/shacl#> .
ex:S a sh:NodeShape ; sh:targetClass ex:T ;
    # sh:path ex:comment
    sh:property [ sh:path ex:p ; sh:in ( "a" "b" ) ] ;

    sh:property [ sh:name "q" ;
        sh:path ex:q ] .
"""


def messages(index: ShapeIndex) -> list[str]:
    return [f"{p.file}:{p.line} {p.message}" for p in index.problems]


def test_sources_name_file_line_and_shape(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner/a.ttl").write_text(SHAPE)
    index = load_index([tmp_path])
    domain = index.domains["T"]
    assert tuple(domain.sources[0]) == ("inner/a.ttl", 2, EX + "S")
    lines = {p.local_name: p.sources[0].line for p in domain.properties.values()}
    assert lines == {"p": 4, "q": 7}
    assert domain.properties[EX + "p"].sources[0].shape == EX + "S"


def test_lines_follow_the_text_where_shapes_are_nested(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:name "outer" ;
           sh:property [ sh:name "inner" ;
             sh:path ex:inner ] ;
           sh:path ex:outer ] ."""
    )
    lines = {p.local_name: p.sources[0].line for p in index.domains["T"].properties.values()}
    assert lines == {"inner": 16, "outer": 17}


def test_a_broken_file_is_named_and_the_rest_is_served(tmp_path: Path) -> None:
    (tmp_path / "good.ttl").write_text(SHAPE)
    (tmp_path / "bad.ttl").write_text(SHAPE.replace("ex:T ;", "ex:Other ;") + "\n\nex:x ex:y .\n")
    index = load_index([tmp_path])
    assert set(index.domains) == {"T"}, "nothing of a broken file is used"
    (problem,) = index.problems
    assert (problem.file, problem.line) == ("bad.ttl", 10)
    assert problem.message.startswith("left out: ")


def test_malformed_literals_are_warned_of_and_the_file_is_read(tmp_path: Path) -> None:
    (tmp_path / "tag.ttl").write_text(SHAPE.replace('"q" ', '"q"@waytoolongtag '))
    index = load_index([tmp_path])
    assert set(index.domains["T"].properties) == {EX + "p", EX + "q"}
    (problem,) = index.problems
    assert (problem.file, problem.line) == ("tag.ttl", 6)


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        ('sh:minInclusive "abc"^^xsd:integer', "abc"),
        ('sh:maxExclusive "1,5"^^xsd:decimal', "1,5"),
        ('sh:in ( "yes"^^xsd:boolean )', "yes"),
        ('sh:hasValue "2024-13-01"^^xsd:date', "2024-13-01"),
    ],
)
def test_a_value_of_the_wrong_form_is_named_with_its_line(
    index_of: Build, constraint: str, text: str
) -> None:
    index = index_of(
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ;\n"
        f"sh:property [ sh:path ex:p ;\n{constraint} ] ."
    )
    (problem,) = index.problems
    assert (problem.file, problem.line) == ("shapes0.ttl", 16)
    assert f'"{text}"' in problem.message
    prop = index.domains["T"].properties[EX + "p"]
    assert prop.enum == () and prop.has_values == ()
    assert prop.minimum is None and prop.maximum is None


def test_sparql_and_rules_are_ignored_with_a_warning(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ] ;
           sh:sparql [ sh:select "SELECT $this WHERE { }" ] ; sh:rule [ a sh:TripleRule ] ."""
    )
    assert set(index.domains["T"].properties) == {EX + "p"}
    assert [p.message.partition(" of ")[0] for p in index.problems] == ["sh:sparql", "sh:rule"]


def test_other_targets_and_missing_shapes_are_problems(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetSubjectsOf ex:p .
           ex:U a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ] ,
               [ sh:path ex:q ; sh:node ex:Missing ] , [ sh:name "no path" ] ."""
    )
    assert set(index.domains) == {"T"}
    texts = " ".join(messages(index))
    assert "targetSubjectsOf" in texts and "Missing" in texts and "no sh:path" in texts


def test_an_import_matters_only_where_something_is_missing(index_of: Build) -> None:
    index = index_of(
        """<https://example.org/shapes> a owl:Ontology ; owl:imports <https://example.org/ns>,
               <https://example.org/other/>, <https://example.org/unused> .
           ex:S a sh:NodeShape ; sh:targetClass ex:T, other:U .""",
        "<https://example.org/ns> a owl:Ontology . ex:T a owl:Class .",
    )
    (problem,) = index.problems
    assert "imports https://example.org/other/" in problem.message


def test_a_list_without_end_is_read_once(index_of: Build) -> None:
    index = index_of(
        """ex:S a sh:NodeShape ; sh:targetClass ex:T ; sh:property [ sh:path ex:p ; sh:in _:l ] .
           _:l rdf:first "a" ; rdf:rest _:m . _:m rdf:first "b" ; rdf:rest _:l ."""
    )
    prop = index.domains["T"].properties[EX + "p"]
    assert [value.term.value for value in prop.enum] == ["a", "b"]
    assert "no end" in index.problems[0].message


def test_labels_of_blank_nodes_are_per_file(index_of: Build) -> None:
    text = (
        "ex:S{0} a sh:NodeShape ; sh:targetClass ex:T{0} ; sh:property _:b . _:b sh:path ex:p{0} ."
    )
    index = index_of(text.format(1), text.format(2))
    assert set(index.domains["T1"].properties) == {EX + "p1"}
    assert set(index.domains["T2"].properties) == {EX + "p2"}


def test_json_ld_and_rdf_xml(tmp_path: Path) -> None:
    (tmp_path / "a.jsonld").write_text(
        """{"@context": {"sh": "http://www.w3.org/ns/shacl#", "ex": "https://example.org/ns#"},
            "@id": "ex:S", "@type": "sh:NodeShape", "sh:targetClass": {"@id": "ex:T"},
            "sh:property": {"sh:path": {"@id": "ex:p"}, "sh:in": {"@list": ["a", "b"]}}}"""
    )
    (tmp_path / "b.rdf").write_text(
        """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
          <rdf:Description rdf:about="https://example.org/ns#T">
            <rdfs:label xml:lang="fr">Chose</rdfs:label></rdf:Description></rdf:RDF>"""
    )
    index = load_index([tmp_path / "a.jsonld", tmp_path / "b.rdf"])
    domain = index.domains["T"]
    assert tuple(domain.labels[0]) == ("Chose", "fr")
    assert [v.term.value for v in domain.properties[EX + "p"].enum] == ["a", "b"]


@pytest.mark.parametrize("what", ["missing", "empty"])
def test_a_source_without_shapes(tmp_path: Path, what: str) -> None:
    source = tmp_path / "nowhere" if what == "missing" else tmp_path
    with pytest.raises(InputError, match=r"does not exist|no shapes in"):
        load_index([source])


def same(one: ShapeIndex, other: ShapeIndex) -> bool:
    fields = (
        "name",
        "class_iri",
        "curie",
        "subclasses",
        "superclasses",
        "part",
        "labels",
        "descriptions",
        "sources",
        "properties",
    )
    return (
        one.connections == other.connections
        and one.problems == other.problems
        and one.prefixes == other.prefixes
        and one.digest == other.digest
        and list(one.domains) == list(other.domains)
        and all(
            getattr(domain, field) == getattr(other.domains[name], field)
            for name, domain in one.domains.items()
            for field in fields
        )
    )


def test_the_cache_gives_the_same_index(tmp_path: Path) -> None:
    shapes, cache = tmp_path / "shapes", tmp_path / "cache/deep"
    shapes.mkdir()
    (shapes / "a.ttl").write_text(SHAPE.replace('"q"', '"q"@en, "问"@zh'))
    told: list[str] = []
    built = load_index([shapes], cache, told.append)
    assert told, "a build tells how far it is"
    told.clear()
    kept = load_index([shapes], cache, told.append)
    assert told == [], "nothing was built"
    assert same(built, kept)
    assert kept.words() == built.words()


def test_a_changed_file_is_noticed(tmp_path: Path) -> None:
    shapes, cache = tmp_path / "a.ttl", tmp_path / "cache"
    shapes.write_text(SHAPE)
    first = load_index([shapes], cache)
    shapes.write_text(SHAPE.replace("ex:q", "ex:r"))
    second = load_index([shapes], cache)
    assert first.digest != second.digest
    assert set(second.domains["T"].properties) == {EX + "p", EX + "r"}


@pytest.mark.parametrize("damage", [b"", b"garbage\n[]", b"cut"])
def test_a_damaged_cache_is_built_anew(tmp_path: Path, damage: bytes) -> None:
    shapes, cache = tmp_path / "a.ttl", tmp_path / "cache"
    shapes.write_text(SHAPE)
    first = load_index([shapes], cache)
    (file,) = cache.iterdir()
    file.write_bytes(file.read_bytes()[:-20] if damage == b"cut" else damage)
    assert same(load_index([shapes], cache), first)
    assert file.stat().st_size > 100, "and kept again"


def test_a_cache_that_cannot_be_written_costs_nothing(tmp_path: Path) -> None:
    shapes, blocked = tmp_path / "a.ttl", tmp_path / "file"
    shapes.write_text(SHAPE)
    blocked.write_text("no folder")
    assert set(load_index([shapes], blocked / "cache").domains) == {"T"}


def test_old_indexes_are_removed(tmp_path: Path) -> None:
    shapes, cache = tmp_path / "a.ttl", tmp_path / "cache"
    for number in range(12):
        shapes.write_text(SHAPE.replace("ex:q", f"ex:q{number}"))
        load_index([shapes], cache)
    assert len(list(cache.iterdir())) == 8


LONG = " ".join(f'"value {number}"' for number in range(100))


def test_long_lists_that_repeat_are_shared_without_a_trace(tmp_path: Path) -> None:
    text = (
        "@prefix ex: <https://example.org/ns#> .\n@prefix sh: <http://www.w3.org/ns/shacl#> .\n"
        "ex:S a sh:NodeShape ; sh:targetClass ex:T ;\n"
        f"sh:property [ sh:path ex:p ; sh:in ( {LONG} ) ] ;\n"
        f"sh:property [ sh:in (\n{LONG}\n ) ; sh:path ex:q ] ;\n"
        f"sh:property [ sh:path ex:r ; sh:in ( {LONG} ) ] .\n"
    )
    shared, lists = share_lists(text.encode())
    assert shared.count(SHARED_LIST.encode()) == 3 and b"value" not in shared
    assert shared.count(b"\n") == text.count("\n")
    assert all(items == [f"value {n}" for n in range(100)] for items in lists.values())
    (tmp_path / "a.ttl").write_text(text)
    properties = load_index([tmp_path]).domains["T"].properties
    assert {key: len(prop.enum) for key, prop in properties.items()} == {
        EX + "p": 100,
        EX + "q": 100,
        EX + "r": 100,
    }
    assert properties[EX + "q"].sources[0].line == 7


@pytest.mark.parametrize(
    "text",
    [
        f'ex:a ex:p """ such as sh:in ( {LONG} ) """ .',
        f'ex:a sh:in ( {LONG} "x\ry" ) .',
        f"ex:a ex:members ( {LONG} ) . ex:b ex:members ( {LONG} ) .",
        f"ex:a sh:in ( {LONG} ex:c ) . ex:b sh:in ( {LONG} ex:c ) .",
        f'ex:a sh:in ( {LONG} "x"@en ) . ex:b sh:in ( {LONG} "x"@en ) .',
    ],
)
def test_other_lists_are_left_as_they_are(text: str) -> None:
    assert share_lists(text.encode()) == (text.encode(), {})


def test_long_lists_of_bytes_that_are_no_text_are_left_as_they_are() -> None:
    data = f'ex:a sh:in ( {LONG} "'.encode() + b'\xff" ) .'
    assert share_lists(data) == (data, {})


def test_an_error_behind_shared_lists_has_its_own_line(tmp_path: Path) -> None:
    text = f"@prefix s: <http://www.w3.org/ns/shacl#> .\n[] s:in (\n{LONG}\n) .\n"
    (tmp_path / "a.ttl").write_text(text + text.partition("\n")[2] + "\n\noops\n")
    (problem,) = load_index([tmp_path]).problems
    assert problem.line == 10
