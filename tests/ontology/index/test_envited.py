"""The shape index of public files: 22 domains, 254,000 triples."""

from __future__ import annotations

from groundwire.ontology.index.model import Property, ShapeIndex

NS = "https://w3id.org/ascs-ev/envited-x/"
GX = "https://w3id.org/gaia-x/development#"


def find(index: ShapeIndex, domain: str, name: str) -> Property:
    (prop,) = [p for p in index.domains[domain].properties.values() if p.local_name == name]
    return prop


def values(prop: Property) -> set[str]:
    return {value.term.value for value in prop.enum}


def test_the_names_of_the_asset_domains(envited: ShapeIndex) -> None:
    expected = {
        "hdmap": "hdmap/v6/HdMap",
        "scenario": "scenario/v6/Scenario",
        "ositrace": "ositrace/v6/OSITrace",
        "environment-model": "environment-model/v5/EnvironmentModel",
        "surface-model": "surface-model/v6/SurfaceModel",
        "openlabel_v2:Scenario": "openlabel/v2/Scenario",
    }
    for name, iri in expected.items():
        assert envited.domains[name].class_iri.removeprefix(NS) == iri
        assert not envited.domains[name].part
    assert envited.domains["hdmap:Content"].part
    assert envited.domains["georeference"].part
    assert NS + "hdmap/v6/HdMap" in envited.domains["SimulationAsset"].subclasses
    assert len(envited.domains) == 289


def test_every_file_is_read_and_only_sparql_is_not_understood(envited: ShapeIndex) -> None:
    assert envited.problems
    assert all(problem.message.startswith("sh:sparql of ") for problem in envited.problems)
    assert all(problem.file.endswith(".shacl.ttl") and problem.line for problem in envited.problems)


def test_the_licence_under_an_alternative(envited: ShapeIndex) -> None:
    for domain in ("hdmap", "scenario", "ositrace", "environment-model", "surface-model"):
        prop = envited.domains[domain].properties[GX + "license"]
        assert "hasResourceDescription/license" in [path.local() for path in prop.paths]
        assert "LicenseRef-Policy-Smart-Contract" in values(prop)
        assert not prop.closed, "any SPDX identifier is allowed as well"


def test_the_format_of_a_trace(envited: ShapeIndex) -> None:
    file_format = find(envited, "ositrace", "fileFormat")
    assert values(file_format) == {"OSI", "TXTH", "MCAP"}
    assert file_format.closed and not file_format.conditional
    assert [path.local() for path in file_format.paths] == [
        "hasDomainSpecification/hasFormat/fileFormat"
    ]
    version = find(envited, "ositrace", "version")
    assert "hasDomainSpecification/hasFormat/version" in [p.local() for p in version.paths]
    assert find(envited, "ositrace", "formatType").closed


def test_guards_are_no_enumerations(envited: ShapeIndex) -> None:
    version = find(envited, "hdmap", "version")
    assert version.enum == () and version.patterns == (), "the guards test the revision"
    assert len(find(envited, "hdmap", "formatType").enum) > 1
    road_types = find(envited, "hdmap", "roadTypes")
    assert len(road_types.enum) == 13 and road_types.closed and not road_types.conditional
    level = find(envited, "hdmap", "levelOfDetail")
    assert len(level.enum) == 28 and level.conditional and not level.closed
    assert all(value.conditional for value in level.enum)


def test_units_are_read_from_texts(envited: ShapeIndex) -> None:
    expected = {
        ("hdmap", "length"): "km",
        ("hdmap", "elevationRange"): "m",
        ("hdmap", "lat"): "°",
        ("hdmap", "fileSize"): "B",
        ("hdmap", "numberIntersections"): None,
        ("scenario", "motionDriveValue"): "km/h",
    }
    found = {key: find(envited, *key).unit for key in expected}
    assert found == expected


def test_a_scenario_refers_to_maps_and_does_not_contain_them(envited: ShapeIndex) -> None:
    found = {
        (c.via, c.path.local())
        for c in envited.connections
        if c.source == "scenario" and c.target == "hdmap"
    }
    assert found == {
        ("shape", "hasManifest/hasReferencedArtifacts"),
        ("link", "hasManifest/hasReferencedArtifacts/iri"),
    }
    names = {p.local_name for p in envited.domains["scenario"].properties.values()}
    assert "roadTypes" not in names
    assert {"weatherSummary", "country", "license", "entityTypes"} <= names


def test_a_class_reference(envited: ShapeIndex) -> None:
    found = {
        c.target
        for c in envited.connections
        if c.source == "Asset" and c.path.local() == "identifier" and c.via == "class"
    }
    assert "SimulationAsset" in found
    # What is below a target is no target of its own: its superclasses tell.
    assert found.isdisjoint({"hdmap", "scenario"})
    above = envited.domains["SimulationAsset"].class_iri
    assert above in envited.domains["hdmap"].superclasses


def test_links_lead_anywhere(envited: ShapeIndex) -> None:
    found = {
        c.path.local() for c in envited.connections if c.source == "ositrace" and c.target == "*"
    }
    assert "hasManifest/hasReferencedArtifacts/iri" in found
    assert not any(path.endswith("conformsTo") for path in found)


def test_local_names_with_several_iris_are_kept_apart(envited: ShapeIndex) -> None:
    country = [
        prop.curie
        for prop in envited.domains["scenario"].properties.values()
        if prop.local_name == "country"
    ]
    assert sorted(country) == ["georeference:country", "scenario:country"]


def test_long_enumerations_are_shared(envited: ShapeIndex) -> None:
    longest = max(
        (prop for domain in envited.domains.values() for prop in domain.properties.values()),
        key=lambda prop: len(prop.enum),
    )
    assert len(longest.enum) == 5046
    media = [
        prop.enum
        for domain in envited.domains.values()
        for prop in domain.properties.values()
        if any(v.term.value == "application/3gpp-ims+xml" for v in prop.enum)
    ]
    assert len(media) > 20 and len({id(enum) for enum in media}) == 1


def test_openlabel_forbids_what_other_tags_have(envited: ShapeIndex) -> None:
    prefix = NS + "openlabel/v2/"
    assert prefix + "WeatherRain" in envited.domains["openlabel_v2:OddEnvironment"].properties
    dynamic = envited.domains["openlabel_v2:OddDynamicElements"].properties
    assert prefix + "WeatherRain" not in dynamic
    assert prefix + "SubjectVehicleSpeed" in dynamic
