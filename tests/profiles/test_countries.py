"""The embedded graph of countries: written from its extract, whole, and with its sources."""

from __future__ import annotations

from collections import defaultdict

import pyoxigraph as ox
import pytest

from groundwire.profiles import FOLDER, sparql_countries
from tests.profiles.countries.graph import turtle

C = "https://groundwire.example/countries#"
LABEL = ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label")
TYPE = ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#type")


@pytest.fixture(scope="module")
def store() -> ox.Store:
    held = ox.Store()
    held.load(path=str(sparql_countries()))
    return held


def members(store: ox.Store, kind: str) -> list[ox.NamedNode]:
    found = store.quads_for_pattern(None, TYPE, ox.NamedNode(C + kind))
    return [one.subject for one in found if isinstance(one.subject, ox.NamedNode)]


def objects(store: ox.Store, subject: ox.NamedNode, name: str) -> list[ox.Term]:
    return [one.object for one in store.quads_for_pattern(subject, ox.NamedNode(C + name), None)]


def test_the_graph_is_the_one_that_is_written_from_the_extract() -> None:
    assert sparql_countries().read_text("utf-8") == turtle()


def test_borders_are_borders_of_both(store: ox.Store) -> None:
    borders = {
        (one.subject, one.object)
        for one in store.quads_for_pattern(None, ox.NamedNode(C + "borders"), None)
    }
    assert len(borders) > 600
    assert all((b, a) in borders and a != b for a, b in borders)


def test_countries_have_what_questions_ask_for(store: ox.Store) -> None:
    countries = members(store, "Country")
    assert 190 <= len(countries) <= 200
    for name in ("capital", "continent", "currency", "language", "area", "isoCode"):
        without = [one.value for one in countries if not objects(store, one, name)]
        assert len(without) <= 1, (name, without)
    without = [one.value for one in countries if not objects(store, one, "population")]
    assert len(without) <= 3


@pytest.mark.parametrize("kind", ["Country", "Language", "Currency", "Continent"])
def test_names_are_in_three_languages(store: ox.Store, kind: str) -> None:
    missing: list[str] = []
    for one in members(store, kind):
        labels = [q.object for q in store.quads_for_pattern(one, LABEL, None)]
        if {label.language for label in labels if isinstance(label, ox.Literal)} != {
            "en",
            "de",
            "zh",
        }:
            missing.append(one.value)
    # Three small languages and two new currencies have no German or Chinese name.
    assert len(missing) <= {"Language": 3, "Currency": 2}.get(kind, 0), missing


def test_capitals_of_countries_are_named_in_three_languages(store: ox.Store) -> None:
    for one in members(store, "Country"):
        for capital in objects(store, one, "capital"):
            assert isinstance(capital, ox.NamedNode)
            labels = [q.object for q in store.quads_for_pattern(capital, LABEL, None)]
            assert len(labels) == 3, (one.value, labels)


def test_a_figure_has_one_country_one_year_and_one_number(store: ox.Store) -> None:
    held: dict[tuple[str, str], int] = defaultdict(int)
    for one in members(store, "PopulationFigure"):
        [country], [year] = objects(store, one, "figureOf"), objects(store, one, "year")
        [people] = objects(store, one, "population")
        assert isinstance(country, ox.NamedNode)
        assert isinstance(year, ox.Literal)
        assert isinstance(people, ox.Literal)
        assert int(people.value) > 0
        held[country.value, year.value] += 1
    assert len(held) > 2_000
    assert set(held.values()) == {1}


def test_the_sources_and_their_licences_are_told(store: ox.Store) -> None:
    text = (FOLDER / "SOURCES.md").read_text("utf-8")
    for said in ("GeoNames", "Attribution 4.0", "country-codes", "Unicode"):
        assert said in text
    terms = "http://purl.org/dc/terms/"
    dataset = ox.NamedNode(C + "dataset")
    assert list(store.quads_for_pattern(dataset, ox.NamedNode(terms + "license"), None))
    assert len(list(store.quads_for_pattern(dataset, ox.NamedNode(terms + "source"), None))) == 4
