"""What a query fixes for all of its rows, and what is left alone."""

from __future__ import annotations

import pytest

from groundwire.sparql.outcome import Language
from groundwire.sparql.query_pattern import Sorting, pattern_of
from groundwire.sparql.row_constants import row_constants

POPULATION = (
    "population", "inhabitants", "people", "Bevölkerung", "Einwohner", "Einwohnerzahl", "人口",
)  # fmt: skip
AREA = ("area", "surface", "Fläche", "面积")


@pytest.mark.parametrize(
    ("language", "query", "column", "names", "fixed"),
    [
        (
            "sql",
            "SELECT country, value AS people FROM population WHERE year = 2010 AND country <> 'x'",
            "people",
            ("value", *POPULATION),
            {"year": "2010"},
        ),
        ("sql", "SELECT area FROM lakes WHERE 'CH' = country", "area", AREA, {"country": "CH"}),
        ("sql", "SELECT area FROM lakes WHERE year = 2010 OR year = 2011", "area", AREA, {}),
        ("sql", "SELECT area FROM lakes WHERE NOT (year = 2010)", "area", AREA, {}),
        (
            "sparql",
            """PREFIX : <http://example.org/>
            SELECT ?c ?n { ?o :country ?c ; :year ?y ; :population ?n FILTER(?y = 2010 && ?n > 5) }
            ORDER BY ?n LIMIT 3""",
            "n",
            POPULATION,
            {"year": "2010"},
        ),
        (
            "sparql",
            """PREFIX : <http://e.org/>
            SELECT * { ?c :founded 1291 . ?o :of ?c ; :n ?n }""",
            "n",
            ("n",),
            {},
        ),
        (
            "sparql",
            "SELECT * { ?o <http://e.org/n> ?n OPTIONAL { ?o <http://e.org/year> 2010 } }",
            "n",
            ("n",),
            {},
        ),
    ],
)
def test_what_every_row_must_meet_is_fixed(
    language: Language, query: str, column: str, names: tuple[str, ...], fixed: dict[str, str]
) -> None:
    found = row_constants(language, query)[column]
    assert (found.names, dict(found.fixed)) == (names, fixed)


@pytest.mark.parametrize(
    ("language", "query"),
    [
        ("sql", "SELECT a.area FROM lakes a JOIN years b ON a.id = b.id WHERE b.year = 2010"),
        ("sql", "SELECT area FROM lakes WHERE year = 2010 GROUP BY area"),
        ("sql", "SELECT area FROM (SELECT * FROM lakes WHERE year = 2010) x"),
        ("sql", "SELECT area FROM lakes WHERE year = 2010 UNION SELECT area FROM seas"),
        ("sql", "SELECT area FROM"),
        ("sparql", "SELECT (SUM(?n) AS ?s) { ?o <http://e.org/year> 2010 ; <http://e.org/n> ?n }"),
        ("sparql", "SELECT * {"),
        ("graphql", "{ lakes { area } }"),
    ],
)
def test_joins_groups_and_what_cannot_be_read_fix_nothing(language: Language, query: str) -> None:
    assert row_constants(language, query) == {}


@pytest.mark.parametrize(
    ("rest", "sorting"),
    [
        ('FILTER(lang(?c) = "en") } ORDER BY DESC(?n) LIMIT 3', Sorting("n", ("c",), True, 3)),
        ("FILTER(?n > 5) } ORDER BY ?n", Sorting("n", ("c",), False, None)),
        ("} ORDER BY DESC(?n) LIMIT 3 OFFSET 3", None),
        ('FILTER(contains(?c, "land")) } ORDER BY DESC(?n)', None),
        ("OPTIONAL { ?o :gone ?g } } ORDER BY DESC(?g)", None),
        ("} ORDER BY DESC(?n * 2)", None),
        ("} LIMIT 3", None),
    ],
)
def test_rows_are_sorted_by_a_property_where_all_that_narrows_them_is_read(
    rest: str, sorting: Sorting | None
) -> None:
    head = "PREFIX : <http://e.org/> PREFIX r: <http://www.w3.org/2000/01/rdf-schema#> SELECT ?c ?n"
    found = pattern_of(f'{head} {{ ?o r:label ?c ; :n ?n ; :of ?p . ?p r:label "Asia"@en {rest}')
    assert found.sorting == sorting
    assert [(one.predicate, one.value) for one in found.conditions][:1] == [
        ("http://e.org/of", "Asia")
    ]
