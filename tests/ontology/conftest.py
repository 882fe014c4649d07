"""A harbour: small shapes and assets that hold every kind of value, and the embedded catalogue."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from shared_data import need, shared_folder

from groundwire import shapes as embedded
from groundwire.evidence.records import Draft
from groundwire.ontology.catalogue import Catalogue, State
from groundwire.ontology.results import GapItem, SearchResult
from groundwire.ontology.search import Request, search
from groundwire.ontology.slots import Slots, SubmittedGap

PREFIXES = """
@prefix : <https://example.org/harbour/> .
@prefix engine: <https://example.org/engine/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
"""

SHAPES = (
    PREFIXES
    + """
:Ship a owl:Class ; rdfs:label "ship"@en , "Schiff"@de , "船"@zh .
:Tanker a owl:Class ; rdfs:subClassOf :Ship ; rdfs:label "tanker"@en .
:Port a owl:Class ; rdfs:label "port"@en , "Hafen"@de .
:Voyage a owl:Class ; rdfs:label "voyage"@en , "sea passage"@en .
:Operator a owl:Class .
:northline a :Operator ; rdfs:label "Northline Shipping"@en .
:blueway a :Operator ; rdfs:label "Blueway Lines"@en .

:ShipShape a sh:NodeShape ; sh:targetClass :Ship ;
  sh:property
    [ sh:path :name ; sh:datatype <http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> ] ,
    [ sh:path :cargoTypes ; sh:name "cargo types"@en , "Ladungsarten"@de ;
      sh:in ( "containers" "bulk" "reefer" "vehicles" "urban waste" "livestock" ) ] ,
    [ sh:path :length ; sh:description "The length in metres."@en ; sh:datatype xsd:decimal ] ,
    [ sh:path :crew ; sh:description "How many people serve on board."@en ;
      sh:datatype xsd:integer ] ,
    [ sh:path :launched ; sh:datatype xsd:date ] ,
    [ sh:path :surveyYear ; sh:datatype xsd:gYear ] ,
    [ sh:path :inService ; sh:datatype xsd:boolean ] ,
    [ sh:path :flag ; sh:name "flag country"@en ; sh:datatype xsd:string ] ,
    [ sh:path :operatedBy ; sh:class :Operator ; sh:nodeKind sh:IRI ] ,
    [ sh:path :hullNumber ; sh:datatype xsd:string ] ,
    [ sh:path :inspected ; sh:datatype xsd:date ] ,
    [ sh:path :version ; sh:datatype xsd:string ] ,
    [ sh:path :hasEngine ; sh:node :EngineShape ] .
:EngineShape a sh:NodeShape ;
  sh:property
    [ sh:path engine:version ; sh:datatype xsd:string ] ,
    [ sh:path engine:power ; sh:description "The power in kilowatts."@en ;
      sh:datatype xsd:integer ] .

:PortShape a sh:NodeShape ; sh:targetClass :Port ;
  sh:property
    [ sh:path :berths ; sh:datatype xsd:integer ] ,
    [ sh:path :depth ; sh:description "The depth in metres."@en ; sh:datatype xsd:decimal ] ,
    [ sh:path :quays ; sh:in ( "stone" "concrete" "timber" ) ] ,
    [ sh:path :inspected ; sh:datatype xsd:date ] .

:VoyageShape a sh:NodeShape ; sh:targetClass :Voyage ;
  sh:property
    [ sh:path :weather ; sh:in ( "calm" "fog" "storm" ) ] ,
    [ sh:path :departed ; sh:datatype xsd:dateTime ] ,
    [ sh:path :aboard ; sh:class :Ship ] ,
    [ sh:path :hasCall ; sh:node :CallShape ] .
:CallShape a sh:NodeShape ; sh:property [ sh:path :atPort ; sh:class :Port ] .
"""
)

ASSETS = (
    PREFIXES
    + """
:aurora a :Ship ; rdfs:label "Aurora"@en ; :name "Aurora"@en ;
  :cargoTypes "containers" , "reefer" ; :length 200.0 ; :crew 10 ;
  :launched "2019-05-04"^^xsd:date ;
  :surveyYear "2023"^^xsd:gYear ; :inService true ; :flag "DE" ; :operatedBy :northline ;
  :hullNumber "0042" ; :inspected "2024-02-01"^^xsd:date ; :version "A" ;
  :hasEngine [ engine:version "3.7" ; engine:power 9000 ] .
:boreas a :Ship ; rdfs:label "Boreas"@en ; :name "Boreas"@de ;
  :cargoTypes "containers" ; :length 180 ; :crew 11 ; :launched "2021-01-15"^^xsd:date ;
  :surveyYear "2024"^^xsd:gYear ; :inService "1"^^xsd:boolean ; :flag "NL" ;
  :operatedBy :blueway ; :hullNumber "0043" ; :version "B" .
:ceres a :Ship ; rdfs:label "Ceres"@en ; :name "Ceres"@en ;
  :cargoTypes "bulk" ; :length 95.5 ; :crew 12 ; :launched "2021-12-31"^^xsd:date ;
  :inService false ; :flag "DE" ; :operatedBy :blueway ; :version "A" .
:delphin a :Tanker ; rdfs:label "Delphin"@en ; :length 300 ; :crew 25 ; :inService true ;
  :flag "FR" .

:bremen a :Port ; rdfs:label "Bremen"@en ; :berths 12 ; :depth 11.0 ; :quays "stone" ;
  :inspected "2024-03-01"^^xsd:date .
:turku a :Port ; rdfs:label "Turku"@en ; :berths 4 ; :depth 9.5 ; :quays "concrete" , "stone" .

:v1 a :Voyage ; rdfs:label "First voyage"@en ; :weather "calm" ; :aboard :aurora ;
  :departed "2024-03-31T23:30:00Z"^^xsd:dateTime ;
  :hasCall [ :atPort :bremen ] , [ :atPort :turku ] .
:v2 a :Voyage ; rdfs:label "Second voyage"@en ; :weather "foggy" ; :aboard :boreas ;
  :departed "2024-04-01T06:00:00Z"^^xsd:dateTime ; :hasCall [ :atPort :turku ] .
:v3 a :Voyage ; rdfs:label "Third voyage"@en ; :weather "fog" ; :aboard :ceres ;
  :departed "2024-05-02T06:00:00Z"^^xsd:dateTime ; :hasCall [ :atPort :bremen ] .
"""
)


def short(iri: str) -> str:
    """The last part of an IRI."""
    return iri.rsplit("/", 1)[-1]


class Bench:
    """A catalogue that is asked the way the server asks it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue

    def call(self, verb: Callable[..., Any], *arguments: Any, **named: Any) -> Any:
        """Any verb of the domain that takes the catalogue first."""
        return anyio.run(partial(verb, self.catalogue, *arguments, **named))

    def state(self) -> State:
        return anyio.run(self.catalogue.state)

    def submit(self, slots: object, **rest: Any) -> tuple[SearchResult, Draft]:
        gaps = tuple(SubmittedGap.model_validate(gap) for gap in rest.pop("gaps", ()))
        request = Request(Slots.model_validate(slots), gaps=gaps, **rest)
        return anyio.run(search, self.catalogue, request)

    def search(self, slots: object, **rest: Any) -> SearchResult:
        return self.submit(slots, **rest)[0]

    def query(self, slots: object, **rest: Any) -> str:
        """The query of a search, as its record has it."""
        return self.submit(slots, **rest)[1].audit["query_text"]

    def found(self, slots: object, **rest: Any) -> list[str]:
        """The last parts of the IRIs that a search finds, in their order."""
        result = self.search(slots, **rest)
        assert result.status != "rejected", result.answer
        return [short(item.iri) for item in result.results]

    def ships(self, filters: Mapping[str, Any], **ranges: Any) -> set[str]:
        """Names of the ships that meet conditions."""
        return set(self.found({"domains": ["ship"], "filters": filters, "ranges": ranges}))

    def gap(self, slots: object, **rest: Any) -> GapItem:
        """The only gap of a search that was rejected for it."""
        result = self.search(slots, **rest)
        assert result.status == "rejected", result.answer
        assert not result.results
        assert result.total is None
        assert len(result.gaps) == 1, result.gaps
        return result.gaps[0]


def opened(folder: Path, shapes: str, assets: str) -> Catalogue:
    folder.mkdir(exist_ok=True)
    (folder / "shapes.ttl").write_text(shapes, "utf-8")
    (folder / "assets.ttl").write_text(assets, "utf-8")
    return Catalogue([folder / "shapes.ttl"], [folder / "assets.ttl"], folder / "home")


@pytest.fixture(scope="session")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    catalogue = opened(tmp_path_factory.mktemp("harbour"), SHAPES, ASSETS)
    yield Bench(catalogue)
    catalogue.close_now()


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    """The embedded catalogue."""
    catalogue = Catalogue(
        embedded.shape_files(), [embedded.catalogue_file()], tmp_path_factory.mktemp("sample")
    )
    yield Bench(catalogue)
    catalogue.close_now()


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Callable[[str, str], Bench]]:
    """Open a catalogue of the given Turtle; the prefixes of the harbour are put before it."""
    made: list[Catalogue] = []

    def opener(shapes: str, assets: str) -> Bench:
        folder = tmp_path / str(len(made))
        made.append(opened(folder, PREFIXES + shapes, PREFIXES + assets))
        return Bench(made[-1])

    yield opener
    for catalogue in made:
        catalogue.close_now()


@pytest.fixture(scope="session")
def shared() -> Path:
    return need(shared_folder())
