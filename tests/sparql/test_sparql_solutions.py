"""Answers as the raw JSON that an audit keeps."""

from __future__ import annotations

import json

from groundwire.graph.terms import XSD, Term, iri, literal
from groundwire.sparql.sparql_runner import table_json

ODD = 'a "quoted"\nline \\ é 猫 }]'


def test_rows_are_sparql_results_json_with_each_term_whole_however_often_it_stands() -> None:
    seven, chat = literal("7", XSD + "integer"), literal("7", language="en")
    rows = [
        (iri("urn:a"), literal("7"), seven),
        (iri("urn:a"), chat, None),
        (Term("bnode", "b0"), seven, literal(ODD)),
        (None, None, None),
    ]
    raw = table_json(("s", 'o"', "ü"), rows)
    a, number = {"type": "uri", "value": "urn:a"}, {"datatype": XSD + "integer"}
    assert json.loads(raw) == {
        "head": {"vars": ["s", 'o"', "ü"]},
        "results": {
            "bindings": [
                {
                    "s": a,
                    'o"': {"type": "literal", "value": "7"},
                    "ü": {"type": "literal", "value": "7", **number},
                },
                {"s": a, 'o"': {"type": "literal", "value": "7", "xml:lang": "en"}},
                {
                    "s": {"type": "bnode", "value": "b0"},
                    'o"': {"type": "literal", "value": "7", **number},
                    "ü": {"type": "literal", "value": ODD},
                },
                {},
            ]
        },
    }
    assert b": " not in raw
    assert "猫".encode() in raw


def test_no_rows_and_half_a_character_are_json_too() -> None:
    assert table_json(("x",), []) == b'{"head":{"vars":["x"]},"results":{"bindings":[]}}'
    assert json.loads(table_json((), [()]))["results"] == {"bindings": [{}]}
    broken = json.loads(table_json(("x",), [(literal("a\ud800b"),)]))
    assert broken["results"]["bindings"][0]["x"]["value"] == "a?b"
