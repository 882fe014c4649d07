"""The embedded shapes and the sample catalogue: sound, searchable, and untidy only on purpose."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from pyoxigraph import QuerySolutions, RdfFormat, Store

SHAPES = Path(__file__).parents[2] / "shapes"
SCHEMA = sorted([*SHAPES.glob("*.shacl.ttl"), *SHAPES.glob("*.owl.ttl")])
CATALOGUE = SHAPES / "catalogue.ttl"

PREFIXES = """
PREFIX core: <https://example.org/groundwire/core/v1/>
PREFIX environment-model: <https://example.org/groundwire/environment-model/v1/>
PREFIX hdmap: <https://example.org/groundwire/hdmap/v1/>
PREFIX ositrace: <https://example.org/groundwire/ositrace/v1/>
PREFIX qb: <http://purl.org/linked-data/cube#>
PREFIX qudt: <http://qudt.org/schema/qudt/>
PREFIX rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#>
PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#>
PREFIX scenario: <https://example.org/groundwire/scenario/v1/>
PREFIX sh: <http://www.w3.org/ns/shacl#>
PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
PREFIX surface-model: <https://example.org/groundwire/surface-model/v1/>
PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
"""
REFERENCE = "core:hasManifest/core:hasReferencedArtifacts/core:iri"

# Values that the data holds although no list declares them: what a real catalogue is like, and
# what `groundwire ontology lint` reports.
STRAY_VALUES = {
    ("weather", "foggy"): 3,
    ("scenarioCategory", "emergency-brake"): 2,
    ("formatType", "Lanelet"): 4,
}
STRAY_PROPERTIES = {"legacyId": 4}


def store_of(paths: list[Path]) -> Store:
    store = Store()
    for path in paths:
        store.load(path=str(path), format=RdfFormat.TURTLE)
    return store


@pytest.fixture(scope="module")
def schema() -> Store:
    return store_of(SCHEMA)


@pytest.fixture(scope="module")
def catalogue() -> Store:
    return store_of([CATALOGUE])


@pytest.fixture(scope="module")
def everything() -> Store:
    return store_of([*SCHEMA, CATALOGUE])


def rows(store: Store, query: str) -> list[tuple[str, ...]]:
    found = store.query(PREFIXES + query)
    assert isinstance(found, QuerySolutions)
    return [tuple("" if term is None else term.value for term in row) for row in found]


def number(store: Store, pattern: str) -> int:
    """How many assets, bound to ?a, match the pattern."""
    return int(rows(store, f"SELECT (COUNT(DISTINCT ?a) AS ?n) WHERE {{ {pattern} }}")[0][0])


def test_the_catalogue_holds_the_five_kinds_of_asset(catalogue: Store) -> None:
    kinds = rows(
        catalogue,
        "SELECT ?kind (COUNT(?a) AS ?n) WHERE { ?a a ?kind ; rdfs:label ?l FILTER(LANG(?l)='en') }"
        " GROUP BY ?kind",
    )
    assert {kind.rsplit("/", 1)[1]: int(n) for kind, n in kinds} == {
        "HdMap": 110,
        "Scenario": 90,
        "OsiTrace": 60,
        "EnvironmentModel": 36,
        "SurfaceModel": 24,
    }


@pytest.mark.parametrize(
    ("asked", "pattern", "expected"),
    [
        (
            "HD maps in Germany",
            '?a a hdmap:HdMap ; core:hasGeoreference/core:country "DE"',
            55,
        ),
        (
            "HD maps with motorways and country roads both",
            '?a a hdmap:HdMap ; hdmap:hasContent/hdmap:roadTypes "motorway", "rural"',
            11,
        ),
        (
            "HD maps with traffic on the left and more than 20 traffic lights",
            '?a hdmap:hasContent/hdmap:trafficDirection "left-hand" ;'
            " hdmap:hasQuantity/hdmap:numberTrafficLights ?n FILTER(?n > 20)",
            2,
        ),
        (
            "OSI traces in MCAP",
            '?a a ositrace:OsiTrace ; core:hasFormat/core:fileFormat "MCAP"',
            28,
        ),
        (
            "assets under CC-BY-4.0",
            '?a core:hasResourceDescription/core:license "CC-BY-4.0"',
            102,
        ),
        (
            "scenarios in fog, as declared and as stored",
            '?a scenario:hasContent/core:weather ?w FILTER(?w IN ("fog", "foggy"))',
            11,
        ),
        (
            "scenarios on a map with motorways",
            f'?a a scenario:Scenario ; {REFERENCE}/hdmap:hasContent/hdmap:roadTypes "motorway"',
            37,
        ),
        (
            "scenarios at night on a map in Germany",
            "?a scenario:hasContent/core:timeOfDay core:Night ;"
            f' {REFERENCE}/core:hasGeoreference/core:country "DE"',
            13,
        ),
        (
            "surface models of a map with motorways",
            "?a a surface-model:SurfaceModel ;"
            f' {REFERENCE}/hdmap:hasContent/hdmap:roadTypes "motorway"',
            4,
        ),
        (
            "OSI traces recorded since 2024 that hold personal data",
            "?a core:hasResourceDescription/core:containsPII true ;"
            " core:hasDataSource/core:recorded ?d ; a ositrace:OsiTrace"
            ' FILTER(?d >= "2024-01-01"^^xsd:date)',
            5,
        ),
        (
            "assets described by a link only",
            "?a core:hasResourceDescription/core:page ?page",
            6,
        ),
    ],
)
def test_what_a_newcomer_asks_for_is_there(
    catalogue: Store, asked: str, pattern: str, expected: int
) -> None:
    assert number(catalogue, pattern) == expected, asked


def test_only_the_known_stray_values_are_in_no_list(schema: Store, catalogue: Store) -> None:
    """Regions are left out: their list holds in Germany only."""
    lists = "(sh:in|sh:or/rdf:rest*/rdf:first/sh:in)/rdf:rest*/rdf:first|sh:hasValue"
    declared = set(rows(schema, f"SELECT ?p ?v WHERE {{ ?shape sh:path ?p ; {lists} ?v }}"))
    listed = {prop for prop, _ in declared if not prop.endswith("/region")}
    # A licence that is in no list is valid as a provider's own.
    own = rows(
        schema,
        "SELECT ?pattern WHERE { ?shape sh:path core:license ;"
        " sh:or/rdf:rest*/rdf:first/sh:pattern ?pattern }",
    )
    stored = Counter(rows(catalogue, "SELECT ?p ?v WHERE { ?s ?p ?v }"))
    stray = {
        (prop.rsplit("/", 1)[1], value): count
        for (prop, value), count in stored.items()
        if prop in listed and (prop, value) not in declared and not re.match(own[0][0], value)
    }
    assert stray == STRAY_VALUES


def test_regions_in_germany_are_of_the_conditional_list(everything: Store) -> None:
    declared = {
        value
        for (value,) in rows(
            everything,
            "SELECT ?v WHERE { core:GeoreferenceShape sh:or/rdf:rest/rdf:first/sh:property/sh:in"
            "/rdf:rest*/rdf:first ?v }",
        )
    }
    stored = {
        value
        for (value,) in rows(
            everything, 'SELECT DISTINCT ?r WHERE { ?g core:country "DE" ; core:region ?r }'
        )
    }
    assert len(declared) == 16
    assert stored < declared


def properties_of(store: Store) -> set[str]:
    predicates = {iri for (iri,) in rows(store, "SELECT DISTINCT ?p WHERE { ?s ?p ?o }")}
    return {iri for iri in predicates if iri.startswith("https://example.org/groundwire/")}


def test_every_property_in_the_data_is_named_in_three_languages(
    schema: Store, catalogue: Store
) -> None:
    languages: dict[str, list[str]] = {iri: [] for iri in properties_of(catalogue)}
    for iri, language in rows(
        schema, "SELECT ?p (LANG(?label) AS ?l) WHERE { ?p rdfs:label ?label }"
    ):
        languages.setdefault(iri, []).append(language)
    unnamed = {iri for iri, found in languages.items() if sorted(found) != ["de", "en", "zh"]}
    strays = {f"https://example.org/groundwire/core/v1/{name}" for name in STRAY_PROPERTIES}
    assert {iri for iri in unnamed if "/provider/" not in iri} == strays
    for name, count in STRAY_PROPERTIES.items():
        assert number(catalogue, f"?a core:{name} ?value") == count


def test_every_property_in_the_data_is_reached_by_a_shape(schema: Store, catalogue: Store) -> None:
    declared = {
        iri
        for (iri,) in rows(
            schema,
            "SELECT DISTINCT ?p WHERE { ?shape sh:path/(sh:alternativePath|sh:inversePath)?/"
            "(rdf:rest*/rdf:first)? ?p FILTER(isIRI(?p)) }",
        )
    }
    unreached = {iri.rsplit("/", 1)[1] for iri in properties_of(catalogue) - declared}
    assert unreached == set(STRAY_PROPERTIES)


def test_listed_words_have_labels_in_three_languages(schema: Store) -> None:
    """Codes such as MCAP and version numbers need none; properties with a code list do."""
    listed = set(
        rows(
            schema,
            """
            SELECT DISTINCT ?scheme ?value WHERE {
              ?property qb:codeList ?scheme .
              ?shape sh:path ?property ;
                (sh:in|sh:or/rdf:rest*/rdf:first/sh:in)/rdf:rest*/rdf:first ?value
            }
            """,
        )
    )
    named = rows(
        schema,
        """
        SELECT ?scheme ?value (GROUP_CONCAT(LANG(?label); separator=" ") AS ?languages) WHERE {
          ?concept skos:inScheme ?scheme ; skos:notation ?value ; skos:prefLabel ?label
        } GROUP BY ?scheme ?value ?concept
        """,
    )
    assert {(scheme, value) for scheme, value, _ in named} == listed
    assert len(named) == len(listed)
    assert all(sorted(languages.split()) == ["de", "en", "zh"] for _, _, languages in named)


def test_listed_things_have_labels_in_three_languages(schema: Store) -> None:
    things = rows(
        schema,
        """
        SELECT ?value (COUNT(DISTINCT LANG(?label)) AS ?n) WHERE {
          { SELECT DISTINCT ?value WHERE {
              ?shape sh:in/rdf:rest*/rdf:first ?value FILTER(isIRI(?value)) } }
          OPTIONAL { ?value rdfs:label ?label }
        } GROUP BY ?value
        """,
    )
    assert len(things) == 12
    assert {count for _, count in things} == {"3"}


def test_other_names_lead_to_one_value_of_a_list(schema: Store) -> None:
    names = rows(
        schema,
        """
        SELECT ?scheme ?name ?value WHERE {
          ?concept skos:inScheme ?scheme ; skos:notation ?value ;
            skos:prefLabel|skos:altLabel ?label
          BIND(LCASE(STR(?label)) AS ?name)
        }
        """,
    )
    meanings: dict[tuple[str, str], set[str]] = {}
    for scheme, name, value in names:
        meanings.setdefault((scheme, name), set()).add(value)
    assert [key for key, values in meanings.items() if len(values) > 1] == []
    roads = "https://example.org/groundwire/hdmap/v1/roads"
    assert meanings[roads, "autobahn"] == meanings[roads, "freeway"] == {"motorway"}


def test_every_reference_leads_to_an_asset_of_the_declared_kind(catalogue: Store) -> None:
    kinds = rows(
        catalogue,
        f"""
        SELECT ?from ?to (COUNT(*) AS ?n) WHERE {{
          ?a a ?from ; {REFERENCE} ?b OPTIONAL {{ ?b a ?to }}
        }} GROUP BY ?from ?to
        """,
    )
    counts = Counter({(a.rsplit("/", 1)[1], b.rsplit("/", 1)[-1]): int(n) for a, b, n in kinds})
    assert set(counts) == {
        ("Scenario", "HdMap"),
        ("Scenario", "EnvironmentModel"),
        ("OsiTrace", "HdMap"),
        ("SurfaceModel", "HdMap"),
    }
    assert counts["Scenario", "HdMap"] == 90, "every scenario plays on one map"


def test_assets_are_told_apart_by_iri_and_name(catalogue: Store) -> None:
    assets = rows(
        catalogue,
        "SELECT ?a ?kind ?name WHERE { ?a a ?kind ; rdfs:label ?name FILTER(LANG(?name) = 'en') }",
    )
    assert len({iri for iri, _, _ in assets}) == len(assets) == 320
    assert len({name for _, _, name in assets}) == len(assets)
    for iri, kind, _ in assets:
        folder, name = iri.removeprefix("https://example.org/groundwire/catalogue/").split("/")
        assert kind.split("/")[-3] == folder
        assert name[:4].isdigit()


def test_one_local_name_stands_for_two_properties_of_a_trace(catalogue: Store) -> None:
    """An ambiguity that must be asked about: the asset's version and the messages' version."""
    versions = {iri for iri in properties_of(catalogue) if iri.endswith("/version")}
    assert {iri.split("/")[-3] for iri in versions} == {"core", "ositrace"}


def test_values_of_every_datatype_are_stored(catalogue: Store) -> None:
    datatypes = {
        iri.rsplit("#", 1)[1]
        for (iri,) in rows(
            catalogue,
            "SELECT DISTINCT ?d WHERE { ?s ?p ?o FILTER(isLiteral(?o)) BIND(DATATYPE(?o) AS ?d) }",
        )
    }
    assert datatypes == {
        "anyURI",
        "boolean",
        "date",
        "dateTime",
        "decimal",
        "integer",
        "langString",
        "string",
    }


def test_the_shapes_use_what_real_shapes_use(schema: Store) -> None:
    used = {
        quad.predicate.value.rsplit("#", 1)[1]
        for quad in schema
        if quad.predicate.value.startswith("http://www.w3.org/ns/shacl#")
    }
    assert used >= {
        *("and", "or", "xone", "not", "node", "property", "in", "hasValue", "class", "nodeKind"),
        *("inversePath", "alternativePath", "qualifiedValueShape", "languageIn", "uniqueLang"),
        *("pattern", "datatype", "closed", "deactivated", "lessThanOrEquals", "maxLength"),
        *("minInclusive", "maxInclusive", "minExclusive", "maxExclusive", "minCount", "maxCount"),
    }
    sequences = rows(schema, "SELECT ?s WHERE { ?s sh:path/rdf:rest ?rest }")
    assert len(sequences) >= 2


def test_every_import_is_declared_in_one_of_the_files(schema: Store) -> None:
    missing = rows(
        schema,
        "SELECT ?i WHERE { ?o <http://www.w3.org/2002/07/owl#imports> ?i"
        " FILTER NOT EXISTS { ?i a <http://www.w3.org/2002/07/owl#Ontology> } }",
    )
    assert missing == []


def test_units_are_named_by_their_symbols(schema: Store) -> None:
    units = dict(
        rows(
            schema,
            "SELECT ?p ?symbol WHERE { ?p qudt:hasUnit ?u OPTIONAL { ?u qudt:symbol ?symbol } }",
        )
    )
    assert units["https://example.org/groundwire/hdmap/v1/length"] == "km"
    assert units["https://example.org/groundwire/core/v1/duration"] == "s"
    assert "" not in units.values()


def test_the_files_are_read_alike_by_both_parsers(everything: Store) -> None:
    """The whole of RDF 1.1 Turtle and nothing else, so that any tool can read the files."""
    import rdflib

    graph = rdflib.Graph()
    for path in [*SCHEMA, CATALOGUE]:
        graph.parse(path, format="turtle")
    assert len(graph) == len(everything)


def test_the_catalogue_stays_small() -> None:
    assert CATALOGUE.stat().st_size < 600_000


def test_the_shapes_hold_for_all_but_the_stray_values() -> None:
    """The whole of SHACL, by an engine that knows it."""
    pyshacl = pytest.importorskip(
        "pyshacl", reason="pyshacl is not installed: shapes not validated"
    )
    import rdflib

    shacl = "http://www.w3.org/ns/shacl#"
    shapes = rdflib.Graph()
    data = rdflib.Graph()
    for path in SCHEMA:
        (shapes if path.name.endswith(".shacl.ttl") else data).parse(path, format="turtle")
    data.parse(CATALOGUE, format="turtle")
    _, report, _ = pyshacl.validate(data, shacl_graph=shapes, meta_shacl=True)
    found = Counter(
        (str(row.path).rsplit("/", 1)[1], str(row.value))
        for row in report.query(
            f"""SELECT ?path ?value WHERE {{
                ?r <{shacl}resultPath> ?path ; <{shacl}value> ?value FILTER(isLiteral(?value))
            }}"""
        )
    )
    assert dict(found) == STRAY_VALUES
    # Besides these, only the nodes that hold them: one result on the way down to each value.
    results = report.query(f"SELECT ?r WHERE {{ ?r a <{shacl}ValidationResult> }}")
    assert len(results) == 2 * sum(STRAY_VALUES.values())
