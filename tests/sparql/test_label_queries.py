"""Label matches for engines without our index: what they find, and that no text breaks out."""

from __future__ import annotations

import re

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.graph.lexer import tokenize
from groundwire.sparql.label_queries import bif_contains_query, regex_query, search_terms

HOSTILE = [
    '"',
    "'",
    "\\",
    "\n",
    "\r\n\t\x00",
    '" . } } INSERT DATA { <a:a> <b:b> "',
    "' OR '1' AND 'x",
    "')) option (score ?x) . SERVICE <http://evil.example/> { ?s ?p ?o } #",
    '\\" \\\\" \\u0022',
    ".*(a+)+$ [x-z] {2} ^|?",
    "“quoted” 知识图谱 Ελληνικά \U0001f642 \ud800",
    "AND OR NOT NEAR *",
]
TEXTS = st.sampled_from(HOSTILE) | st.text(max_size=60)
TYPES = st.lists(
    st.sampled_from(["http://e.org/T", "urn:x> } DROP ALL #", 'urn:a"b\\c\n']), max_size=2
)


def shape(query: str) -> list[str]:
    """A query with its strings, IRIs and numbers taken out: what no text may change."""
    plain = re.sub(r'"(?:[^"\\\n\r]|\\.)*"', '""', query)
    return re.sub(r"<[^<>\"{}|^`\\\x00-\x20]*>", "<>", plain).split()


def strings(query: str) -> list[str]:
    return re.findall(r'"((?:[^"\\\n\r]|\\.)*)"', query)


def test_the_whole_text_is_one_quoted_phrase() -> None:
    query = bif_contains_query("What is SPARQL?", "phrase", limit=5)
    assert query == (
        "SELECT DISTINCT ?entity ?value ?attribute ?sc\n"
        "WHERE {\n"
        "  ?entity ?attribute ?value .\n"
        "  ?value bif:contains \"'What is SPARQL'\" option (score ?sc) .\n"
        "}\n"
        "ORDER BY DESC(?sc)\n"
        "LIMIT 5"
    )


def test_terms_are_joined_within_one_clause() -> None:
    text = "What is the history of SPARQL 1.1?"
    assert strings(bif_contains_query(text, "and")) == ["'history' AND 'SPARQL' AND '1'"]
    assert strings(bif_contains_query(text, "or")) == ["'history' OR 'SPARQL' OR '1'"]
    assert strings(bif_contains_query("什么是知识图谱", "and")) == ["'知识图谱'"]


def test_the_phrase_or_all_words_are_one_clause() -> None:
    query = bif_contains_query("the history of SPARQL", "either")
    assert strings(query) == ["'the history of SPARQL' OR ('history' AND 'SPARQL')"]
    assert strings(bif_contains_query("SPARQL?", "either")) == ["'SPARQL'"]


def test_preferred_types_come_first_and_narrow_nothing() -> None:
    for query in (
        bif_contains_query("graph", preferred=["http://e.org/T"]),
        regex_query(["graph"], preferred=["http://e.org/T"]),
    ):
        assert query.startswith("SELECT DISTINCT ?entity ?value ?attribute ?sc ?fit\n")
        assert "OPTIONAL { ?entity a ?fit . FILTER(?fit IN (<http://e.org/T>)) }" in query
        assert "ORDER BY DESC(BOUND(?fit)) DESC(?sc)" in query


def test_types_narrow_a_match() -> None:
    query = bif_contains_query("graph", "and", types=["http://e.org/T"])
    assert "VALUES ?type { <http://e.org/T> }\n  ?entity a ?type .\n" in query


def test_words_that_say_nothing_are_left_out_unless_there_are_no_others() -> None:
    assert search_terms("What is a Knowledge Graph?") == ("Knowledge", "Graph")
    assert search_terms("Tim's roadType, 什么是知识图谱SPARQL") == (
        "Tim",
        "roadType",
        "知识图谱",
        "SPARQL",
    )
    assert search_terms("What is it?") == ("What", "is", "it")
    assert search_terms("?!") == ()


@pytest.fixture(scope="module")
def store() -> ox.Store:
    data = """
    @prefix : <http://e.org/> .
    :a a :T ; :name "A graph of knowledge" . :b a :T ; :name "Knowledge graphs"@en .
    :c :name "Graph" . :d :name 7 , "C++ (1.5$)" . :e a :T ; :note "knowledge and graph" .
    """
    store = ox.Store()
    store.load(data.encode(), ox.RdfFormat.TURTLE)
    return store


def entities(store: ox.Store, query: str) -> list[str]:
    rows = store.query(query)
    assert isinstance(rows, ox.QuerySolutions)
    return [row["entity"].value.removeprefix("http://e.org/") for row in rows]


def test_regular_expressions_find_all_or_some_terms(store: ox.Store) -> None:
    assert entities(store, regex_query(["knowledge", "GRAPH"])) == ["b", "e", "a"]
    assert entities(store, regex_query(["knowledge", "graph"], "or")) == ["b", "e", "a", "c"]
    assert entities(store, regex_query(["knowledge", "graph"], "or", limit=1)) == ["b"]
    named = regex_query(["knowledge"], types=["http://e.org/T"], properties=["http://e.org/name"])
    assert entities(store, named) == ["b", "a"]


def test_terms_stand_for_themselves_in_a_regular_expression(store: ox.Store) -> None:
    assert entities(store, regex_query(["c++ (1.5$)"])) == ["d"]
    assert entities(store, regex_query([".*"])) == []
    assert entities(store, regex_query(["7"])) == []


@given(text=TEXTS, mode=st.sampled_from(["phrase", "and", "or", "either"]), types=TYPES)
def test_no_text_breaks_out_of_a_full_text_query(text: str, mode: str, types: list[str]) -> None:
    try:
        query = bif_contains_query(text, mode, types)
    except InputError:
        return
    plain = bif_contains_query("word", mode, ["http://e.org/T"] * len(types))
    assert shape(query) == shape(plain)
    [expression] = strings(query)
    said, either, rest = expression.partition(" OR (")
    assert re.fullmatch(r"'[^\W_ ]+( (AND|OR) '[^\W_ ]+'|'| [^\W_ ]+)*'?", said)
    assert not either or re.fullmatch(r"'[^\W_ ]+'( AND '[^\W_ ]+')*\)", rest)
    assert expression.count("'") % 2 == 0
    assert "\\" not in expression
    tokenize(query)


@given(terms=st.lists(TEXTS, min_size=1, max_size=3), types=TYPES)
def test_no_term_breaks_out_of_a_regular_expression(terms: list[str], types: list[str]) -> None:
    try:
        query = regex_query(terms, "and", types)
    except InputError:
        return
    wanted = len(strings(query)) // 2
    plain = regex_query(["a", "b", "c"][:wanted], "and", ["http://e.org/T"] * len(types))
    assert shape(query) == shape(plain)
    store = ox.Store()
    sample = "".join(term.strip() for term in terms).encode("utf-8", "ignore").decode()
    store.add(
        ox.Quad(ox.NamedNode("x:s"), ox.NamedNode("x:p"), ox.Literal(f"before {sample} after"))
    )
    rows = store.query(query)
    assert isinstance(rows, ox.QuerySolutions)
    if not types:
        # Each term is found in a text that holds it, as it stands.
        assert len(list(rows)) == 1


def test_a_text_without_a_word_and_a_wrong_limit_are_refused() -> None:
    with pytest.raises(InputError, match="no word"):
        bif_contains_query("?!", "phrase")
    with pytest.raises(InputError, match="no term"):
        regex_query([" ", ""])
    with pytest.raises(InputError, match="from 1"):
        regex_query(["graph"], limit=0)
