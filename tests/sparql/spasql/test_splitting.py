"""SQL with SPARQL in it, taken apart, and the ways in which a block could be made to end early."""

from __future__ import annotations

import time

import pytest

from groundwire.errors import InputError, LimitError
from groundwire.sparql.spasql import MAX_BLOCKS, split

ALL = "SELECT ?s { ?s ?p ?o }"


def blocks(text: str) -> list[str]:
    return [block.text for block in split(text).blocks]


def test_a_block_becomes_a_subquery_on_its_relation() -> None:
    parts = split(f"SELECT g.s FROM (SPARQL {ALL}) AS g WHERE g.s <> ''")
    assert [block.text for block in parts.blocks] == [ALL]
    assert parts.outer == "SELECT g.s FROM (FROM sparql_block_1) AS g WHERE g.s <> ''"


def test_blocks_stand_wherever_a_subquery_may() -> None:
    text = f"WITH a AS (sparql {ALL}) SELECT 1 FROM a JOIN ( SPARQL\nASK {{}} ) b ON true"
    parts = split(text)
    assert [block.text for block in parts.blocks] == [ALL, "ASK {}"]
    assert parts.outer == (
        "WITH a AS (FROM sparql_block_1) SELECT 1 FROM a JOIN (FROM sparql_block_2) b ON true"
    )


def test_a_text_may_be_sparql_after_that_word() -> None:
    parts = split(f" /* as isql takes it */ SPARQL\n{ALL};")
    assert [block.text for block in parts.blocks] == [ALL]
    assert parts.outer == ""


def test_a_name_of_the_text_is_no_name_of_a_relation() -> None:
    parts = split(f"SELECT SPARQL_BLOCK_1 FROM (SPARQL {ALL}) AS g")
    assert parts.blocks[0].relation == "sparql_block_x_1"


@pytest.mark.parametrize(
    "block",
    [
        'SELECT ?s { ?s ?p ") AS g; DROP TABLE t --" }',
        "SELECT ?s { ?s ?p ')' }",
        'SELECT ?s { ?s ?p """a " ) "" )""" }',
        "SELECT ?s { ?s ?p '''a ' ) \\''' ''' }",
        'SELECT ?s { ?s ?p "a \\") b" }',
        "SELECT ?s { ?s ?p ?o # ) AS g\n}",
        "SELECT ?s { ?s ?p ?o # ) AS g\r}",
        "SELECT ?s { ?s <http://e/a#b)c> ?o }",
        "PREFIX e: <http://e/> SELECT ?s { ?s e:a\\)b ?o }",
        "SELECT (COUNT(?s) AS ?n) { ?s ?p ?o FILTER(?o > (1 + 2)) }",
        "SELECT ?s { ?s ?p '(SPARQL SELECT ?x {})' }",
        "SELECT ?s { ?s ?p '--' }",
        "SELECT ?s { ?s ?p '/*' }",
        "SELECT ?s { ?s ?p 'it' , \"'\" }",
    ],
)
def test_what_looks_like_the_end_of_a_block_is_not(block: str) -> None:
    assert blocks(f"SELECT * FROM (SPARQL {block}) AS g, t") == [block]


@pytest.mark.parametrize(
    "sql",
    [
        f"'(SPARQL {ALL})'",
        f"'it''s (SPARQL {ALL})'",
        f"E'it\\'s (SPARQL {ALL})'",
        f'"(SPARQL {ALL})"',
        f"$$(SPARQL {ALL})$$",
        f"$a$ $$ (SPARQL {ALL})$a$",
        f"1 -- (SPARQL {ALL})\n",
        f"1 /* /* (SPARQL {ALL}) */ (SPARQL {ALL}) */",
        "(sparql)",
        "(SPARQL + 1)",
        "count(sparql)",
        '("SPARQL" SELECT)',
        "(sparql_select)",
        "(SPARQL selected)",
    ],
)
def test_what_looks_like_a_block_is_not(sql: str) -> None:
    with pytest.raises(InputError, match="no SPARQL in this SQL"):
        split(f"SELECT {sql} FROM t")
    parts = split(f"SELECT {sql} FROM (SPARQL {ALL}) AS g")
    assert [block.text for block in parts.blocks] == [ALL]
    assert parts.outer == f"SELECT {sql} FROM (FROM sparql_block_1) AS g"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (f"SELECT * FROM (SPARQL {ALL} AS g", "block 1 does not end"),
        (f"SELECT * FROM (SPARQL {ALL} # ) AS g", "block 1 does not end"),
        ("SELECT * FROM (SPARQL SELECT ?s { ?s ?p ' }) AS g", "string in SPARQL block 1"),
        (f"SELECT 'a FROM (SPARQL {ALL}) AS g", "does not end"),
        (f"SELECT $x$ FROM (SPARQL {ALL}) AS g", "does not end"),
        (f"SELECT /* FROM (SPARQL {ALL}) AS g", "comment in the SQL does not end"),
        ("SELECT * FROM (SPARQL SELECT ?s { ?s ?p '\\u0027) AS g' }) AS g", "hides a mark"),
        ("SPARQL SELECT ?s { ?s ?p '\\U00000029' }", "hides a mark"),
        ("", "no SPARQL"),
    ],
)
def test_what_is_not_understood_is_refused(text: str, why: str) -> None:
    with pytest.raises(InputError, match=why):
        split(text)


def test_there_are_only_so_many_blocks() -> None:
    many = ", ".join(f"(SPARQL {ALL}) AS g{n}" for n in range(MAX_BLOCKS))
    assert len(blocks(f"SELECT 1 FROM {many}")) == MAX_BLOCKS
    with pytest.raises(LimitError, match="more than 4 SPARQL blocks"):
        split(f"SELECT 1 FROM {many}, (SPARQL {ALL}) AS more")


@pytest.mark.parametrize(
    "part",
    ["(SPARQL", "(SPARQL--", "-", "--", "/*", "$a", "$$", "'", '"', "(", "E'\\", "(SPARQL #"],
)
def test_long_texts_are_read_in_no_time(part: str) -> None:
    text = "SELECT " + part * (50_000 // len(part))
    start = time.process_time()
    with pytest.raises((InputError, LimitError)):
        split(text)
    assert time.process_time() - start < 1
