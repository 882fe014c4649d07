"""What each kind of constraint becomes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from groundwire.graph.terms import Term
from groundwire.ontology.index.model import Property, ShapeIndex

EX = "https://example.org/ns#"
XSD = "http://www.w3.org/2001/XMLSchema#"
Build = Callable[..., ShapeIndex]


def only(index: ShapeIndex, name: str, domain: str = "Map") -> Property:
    (found,) = [p for p in index.domains[domain].properties.values() if p.local_name == name]
    return found


def values(prop: Property) -> list[str]:
    return [value.term.value for value in prop.enum]


def shape(*properties: str) -> str:
    return (
        "ex:MapShape a sh:NodeShape ; sh:targetClass ex:Map ;\n"
        + " ;\n".join(f"sh:property [ {each} ]" for each in properties)
        + " ."
    )


@pytest.mark.parametrize(
    ("constraint", "kind"),
    [
        ("sh:datatype xsd:string", "literal"),
        ("sh:nodeKind sh:Literal", "literal"),
        ('sh:in ( "a" )', "literal"),
        ("sh:in ( ex:a ex:b )", "iri"),
        ("sh:nodeKind sh:IRI", "iri"),
        ("sh:hasValue ex:a", "iri"),
        ("sh:class ex:Nowhere", "iri"),
        ("sh:node ex:PartShape", "node"),
        ("sh:minCount 1", "any"),
        ("sh:or ( [ sh:datatype xsd:integer ] [ sh:node ex:PartShape ] )", "any"),
    ],
)
def test_kind(index_of: Build, constraint: str, kind: str) -> None:
    index = index_of(
        shape(f"sh:path ex:p ; {constraint}")
        + " ex:PartShape a sh:NodeShape ; sh:property [ sh:path ex:q ] ."
    )
    assert only(index, "p").kind == kind


def test_numbers_and_their_bounds(index_of: Build) -> None:
    index = index_of(
        shape(
            "sh:path ex:closed ; sh:datatype xsd:integer ; sh:minInclusive 1 ; sh:maxInclusive 9",
            "sh:path ex:open ; sh:datatype xsd:decimal ; sh:minExclusive 0.5 ; sh:maxExclusive 7",
            "sh:path ex:both ; sh:minInclusive 3 ; sh:minExclusive 3",
        )
    )
    closed, half = only(index, "closed"), only(index, "open")
    assert closed.datatypes == (XSD + "integer",)
    assert (closed.minimum, closed.maximum) == (
        Term("literal", "1", XSD + "integer"),
        Term("literal", "9", XSD + "integer"),
    )
    assert not closed.minimum_exclusive and not closed.maximum_exclusive
    assert half.minimum == Term("literal", "0.5", XSD + "decimal")
    assert half.minimum_exclusive and half.maximum_exclusive
    assert only(index, "both").minimum_exclusive, "what excludes the value is the tighter bound"


def test_the_bounds_of_several_places_are_the_widest(index_of: Build) -> None:
    index = index_of(
        shape("sh:path ex:a ; sh:node ex:A", "sh:path ex:b ; sh:node ex:B"),
        "ex:A a sh:NodeShape ; sh:property [ sh:path ex:n ; sh:minInclusive 2 ; sh:maxInclusive 4 ]"
        " . ex:B a sh:NodeShape ; sh:property [ sh:path ex:n ; sh:minInclusive 1 ] .",
    )
    n = only(index, "n")
    assert n.minimum is not None and n.minimum.value == "1"
    assert n.maximum is None, "one place has no upper bound"


def test_lists_of_literals_and_iris_keep_their_terms(index_of: Build) -> None:
    index = index_of(
        shape('sh:path ex:p ; sh:in ( "a" "b"@de 3 ex:four )')
        + ' ex:four rdfs:label "Four"@en, "Vier"@de ; skos:altLabel "IV" .'
    )
    enum = only(index, "p").enum
    assert [value.term for value in enum] == [
        Term("literal", "a", XSD + "string"),
        Term("literal", "b", "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString", "de"),
        Term("literal", "3", XSD + "integer"),
        Term("iri", EX + "four"),
    ]
    assert [tuple(label) for label in enum[3].labels] == [
        ("Four", "en"),
        ("Vier", "de"),
        ("IV", ""),
    ]
    assert only(index, "p").closed


def test_a_list_beside_an_open_alternative_is_not_closed(index_of: Build) -> None:
    index = index_of(shape('sh:path ex:p ; sh:or ( [ sh:in ( "a" ) ] [ sh:datatype xsd:string ] )'))
    prop = only(index, "p")
    assert values(prop) == ["a"] and prop.enum[0].conditional
    assert prop.conditional and not prop.closed


@pytest.mark.parametrize("joint", ["sh:or", "sh:xone"])
def test_lists_of_alternatives_are_united(index_of: Build, joint: str) -> None:
    index = index_of(shape(f'sh:path ex:p ; {joint} ( [ sh:in ( "a" ) ] [ sh:in ( "b" ) ] )'))
    prop = only(index, "p")
    assert values(prop) == ["a", "b"]
    assert prop.closed and not prop.conditional


def test_a_list_on_a_node_shape_without_a_path(index_of: Build) -> None:
    index = index_of(
        shape("sh:path ex:p ; sh:node ex:Values")
        + ' ex:Values a sh:NodeShape ; sh:in ( "x" "y" ) .'
    )
    assert values(only(index, "p")) == ["x", "y"]


def test_has_value_pattern_languages_and_class(index_of: Build) -> None:
    index = index_of(
        shape(
            "sh:path ex:h ; sh:hasValue 7",
            'sh:path ex:c ; sh:pattern "^[A-Z]{2}$"',
            'sh:path ex:l ; sh:languageIn ( "en" "de" )',
            "sh:path ex:k ; sh:class ex:Kind",
        )
        + ' ex:one a ex:Kind ; rdfs:label "One" . ex:two a ex:SubKind .'
        " ex:SubKind rdfs:subClassOf ex:Kind ."
    )
    assert only(index, "h").has_values == (Term("literal", "7", XSD + "integer"),)
    assert only(index, "c").patterns == ("^[A-Z]{2}$",)
    assert only(index, "l").languages == ("en", "de")
    assert only(index, "k").classes == (EX + "Kind",)
    individuals = only(index, "k").individuals
    assert [value.term.value for value in individuals] == [EX + "one", EX + "two"]
    assert individuals[0].labels[0].value == "One"
    assert only(index, "k").enum == (), "individuals of an open class are no enumeration"


def test_a_guard_is_no_enumeration(index_of: Build) -> None:
    """`not guard or list`: the list counts, marked; what the guard tests does not."""
    index = index_of(
        shape('sh:path ex:type ; sh:in ( "A" "B" )', "sh:path ex:version ; sh:datatype xsd:string")
        + """
        ex:MapShape sh:or (
            [ sh:not [ sh:property [ sh:path ex:type ; sh:hasValue "A" ] ;
                       sh:property [ sh:path ex:version ; sh:in ( "1" ) ; sh:pattern "^1" ] ] ]
            [ sh:property [ sh:path ex:level ; sh:in ( "x" "y" ) ] ]
        ) ."""
    )
    level, version = only(index, "level"), only(index, "version")
    assert values(level) == ["x", "y"]
    assert all(value.conditional for value in level.enum) and level.conditional
    assert not level.closed
    assert version.enum == () and version.patterns == () and version.has_values == ()
    assert only(index, "type").has_values == ()
    assert values(only(index, "type")) == ["A", "B"]


def test_a_named_guard_in_positive_form_is_none_either(index_of: Build) -> None:
    index = index_of(
        shape("sh:path ex:type", "sh:path ex:level ; sh:in ( 'x' )", "sh:path ex:rank")
        + """
        ex:Guard a sh:NodeShape ; sh:property [ sh:path ex:type ; sh:in ( "A" ) ; sh:minCount 1 ] .
        ex:MapShape sh:or ( [ sh:not [ sh:node ex:Guard ] ]
                            [ sh:property [ sh:path ex:level ; sh:in ( "x" "y" ) ] ] ) ;
                    sh:or ( [ sh:node ex:Guard ]
                            [ sh:property [ sh:path ex:rank ; sh:in ( "p" ) ] ] ) ."""
    )
    assert only(index, "type").enum == ()
    level = only(index, "level")
    assert [(v.term.value, v.conditional) for v in level.enum] == [("x", False), ("y", True)]
    assert values(only(index, "rank")) == ["p"] and only(index, "rank").conditional


def test_negated_lists_and_patterns_are_not_read(index_of: Build) -> None:
    index = index_of(shape('sh:path ex:p ; sh:not [ sh:in ( "bad" ) ; sh:pattern "^x" ]'))
    assert only(index, "p").enum == () and only(index, "p").patterns == ()


def test_forbidden_and_deactivated_properties_are_absent(index_of: Build) -> None:
    index = index_of(
        shape(
            "sh:path ex:none ; sh:maxCount 0 ; sh:datatype xsd:string",
            "sh:path ex:off ; sh:deactivated true",
            "sh:path ex:sub ; sh:node ex:Off",
            "sh:path ex:on ; sh:deactivated false",
        )
        + " ex:Off a sh:NodeShape ; sh:deactivated true ; sh:property [ sh:path ex:hidden ] ."
    )
    assert {p.local_name for p in index.domains["Map"].properties.values()} == {"sub", "on"}


def test_forbidden_in_one_alternative_only_is_still_there(index_of: Build) -> None:
    index = index_of(
        "ex:MapShape a sh:NodeShape ; sh:targetClass ex:Map ; sh:or ("
        " [ sh:property [ sh:path ex:p ; sh:maxCount 0 ] ]"
        ' [ sh:property [ sh:path ex:p ; sh:in ( "a" ) ] ] ) .'
    )
    assert values(only(index, "p")) == ["a"]


def test_the_same_path_declared_twice_is_one_property(index_of: Build) -> None:
    index = index_of(
        shape(
            'sh:path ex:p ; sh:datatype xsd:string ; sh:name "first"@en',
            'sh:path ex:p ; sh:in ( "a" ) ; sh:name "zuerst"@de',
        )
    )
    prop = only(index, "p")
    assert len(prop.paths) == 1 and prop.closed and values(prop) == ["a"]
    assert [tuple(label) for label in prop.labels] == [("first", "en"), ("zuerst", "de")]
    assert len(prop.sources) == 2


def test_texts_in_every_language_and_of_every_kind(index_of: Build) -> None:
    index = index_of(
        shape(
            'sh:path ex:p ; rdfs:label "label" ; sh:name "Name"@en, "名称"@zh ;'
            ' sh:description "What it is."@en'
        )
        + """ ex:p skos:prefLabel "preferred"@en ; skos:altLabel "other"@en ; schema:name "S" ;
              skos:definition "Defined." ; rdfs:comment "Comment"@de ; dcterms:description "D" .
              ex:Map rdfs:label "Map"@en, "Karte"@de ; rdfs:comment "A map." ."""
    )
    prop, domain = only(index, "p"), index.domains["Map"]
    assert [label.value for label in prop.labels] == [
        "Name",
        "名称",
        "label",
        "preferred",
        "S",
        "other",
    ]
    assert [text.value for text in prop.descriptions] == ["What it is.", "Defined.", "Comment", "D"]
    assert [label.value for label in domain.labels] == ["Map", "Karte"]
    assert domain.descriptions[0].value == "A map."
    assert {"preferred", "comment", "karte", "名称"} <= index.words()


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ('sh:description "The length in kilometres."@en', "km"),
        ('sh:description "Speed (km/h)."@en', "km/h"),
        ('sh:name "width [m]"', "m"),
        ('sh:description "Wind speed in metres per second of the scene."', "m/s"),
        ('sh:description "Slope as a percentage."', "%"),
        ('sh:description "Step (s) of the grid in meters."', "m"),
        ('sh:description "Size of the file(s) in MB (megabyte)."', "MB"),
        ("qudt:hasUnit unit:KiloM", "km"),
        ('qudt:hasUnit unit:M ; sh:description "in km"', "m"),
        ('sh:description "Number of lanes in the map."', None),
        ('sh:description "Length in km, or in miles."', None),
        ('sh:description "Price (EUR)."', None),
        ('<http://schema.org/unitText> "EUR"', "EUR"),
        ('sh:description "Position x in m of the plane (a) to be used."', None),
    ],
)
def test_unit(index_of: Build, text: str, unit: str | None) -> None:
    index = index_of(shape(f"sh:path ex:n ; sh:datatype xsd:float ; {text}"))
    assert only(index, "n").unit == unit


def test_a_text_has_no_unit(index_of: Build) -> None:
    index = index_of(
        shape('sh:path ex:n ; sh:datatype xsd:string ; sh:description "Written in metres."')
    )
    assert only(index, "n").unit is None


def test_an_enumeration_of_five_thousand_values(index_of: Build) -> None:
    items = " ".join(f'"type/{number}"' for number in range(5046))
    index = index_of(
        shape(f"sh:path ex:p ; sh:in ( {items} )", f"sh:path ex:q ; sh:in ( {items} )")
    )
    p, q = only(index, "p"), only(index, "q")
    assert len(p.enum) == 5046 and p.enum[5045].term.value == "type/5045"
    assert p.enum is q.enum, "equal lists are held once"
    assert p.sources[0].line != q.sources[0].line or p.sources[0].line is not None
