"""Attacks on the gate of remote endpoints: each is refused, for its own reason.

Those on local graphs, and every disguise of SERVICE with a listening socket, are in `test_gate.py`.
What is well-formed and only expensive is cut off by the engine's limits: at the end of this file.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from groundwire.errors import ForbiddenError, GroundwireError, InputError, LimitError
from groundwire.graph.engine import LocalGraph
from groundwire.graph.gate import REMOTE_POLICY, VIRTUOSO_POLICY, Policy, check

pytestmark = pytest.mark.anyio

LISTED = REMOTE_POLICY._replace(sources=("http://e/ok",), allowed_graphs=("http://e/ok",))
OUT = "<http://127.0.0.1/>"
TEXT = "SELECT * { ?s ?p ?o . ?o bif:contains %s }"

# Text, and what the reason for its refusal names. Both policies for endpoints refuse it.
EVERYWHERE: dict[str, tuple[str, type[GroundwireError], str]] = {
    # The ways out of an endpoint.
    "service": (f"SELECT * {{ SERVICE {OUT} {{ ?s ?p ?o }} }}", ForbiddenError, "SERVICE"),
    "service in odd case": (f"SELECT * {{ sErViCe {OUT} {{ }} }}", ForbiddenError, "SERVICE"),
    "service, silent": (f"SELECT * {{ SERVICE SILENT {OUT} {{ }} }}", ForbiddenError, "SERVICE"),
    "service after a comment": (
        f"SELECT * {{ # }}\nSERVICE # {{\n{OUT} {{ }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "service by an escape": (
        f"SELECT * {{ \\u0053ERVICE {OUT} {{ }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "service by VALUES": (
        f"SELECT * {{ VALUES ?e {{ {OUT} }} SERVICE ?e {{ ?s ?p ?o }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "service in EXISTS": (
        f"ASK {{ FILTER EXISTS {{ SERVICE {OUT} {{ ?s ?p ?o }} }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "service in a sub-select": (
        f"SELECT * {{ {{ SELECT * {{ SERVICE {OUT} {{ ?s ?p ?o }} }} }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "service to itself": ("SELECT * { SERVICE <> { ?s ?p ?o } }", ForbiddenError, "SERVICE"),
    "a variable named service does not hide one": (
        f"SELECT ?SERVICE {{ ?SERVICE ?p ?o . SERVICE {OUT} {{ }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "from": (f"SELECT * FROM {OUT} {{ ?s ?p ?o }}", ForbiddenError, "127.0.0.1"),
    "from named": (f"SELECT * FROM NAMED {OUT} {{ ?s ?p ?o }}", ForbiddenError, "127.0.0.1"),
    "from by a prefix": (
        "PREFIX x: <http://169.254.169.254/> SELECT * FROM x:latest { ?s ?p ?o }",
        ForbiddenError,
        "169.254.169.254/latest",
    ),
    "from by a base": (
        "BASE <file:///etc/> SELECT * FROM <passwd> { ?s ?p ?o }",
        ForbiddenError,
        "passwd",
    ),
    "from in a describe": (f"DESCRIBE <urn:x> FROM {OUT}", ForbiddenError, "127.0.0.1"),
    "from, a second one": (
        f"SELECT * FROM <http://e/ok> FROM {OUT} {{ ?s ?p ?o }}",
        ForbiddenError,
        "is refused",
    ),
    # Functions.
    "function": ("SELECT (<http://e/f>(1) AS ?x) { }", ForbiddenError, "<http://e/f>"),
    "function of bif:": ('SELECT (bif:http_get("x") AS ?x) { }', ForbiddenError, "bif:http_get"),
    "function of bif: in a filter": (
        'SELECT * { ?s ?p ?o FILTER(bif:exec("x") = 1) }',
        ForbiddenError,
        "bif:exec",
    ),
    "function of sql:": ("SELECT (sql:S_SUM(1) AS ?x) { }", ForbiddenError, "sql:S_SUM"),
    "function of bif: by its IRI": (
        'SELECT (<bif:file_to_string>("x") AS ?x) { }',
        ForbiddenError,
        "bif:file_to_string",
    ),
    "function of bif: in odd case": ("SELECT (<BIF:exec>(1) AS ?x) { }", ForbiddenError, "exec"),
    "function of bif: by its long IRI": (
        "SELECT (<http://www.openlinksw.com/schemas/bif#exec>(1) AS ?x) { }",
        ForbiddenError,
        "bif#exec",
    ),
    "function of bif: by another prefix": (
        "PREFIX x: <bif:> SELECT (x:exec(1) AS ?x) { }",
        ForbiddenError,
        "bif:exec",
    ),
    "function of bif: by half a prefix": (
        "PREFIX b: <b> SELECT (b:if:exec(1) AS ?x) { }",
        ForbiddenError,
        "bif:exec",
    ),
    "function of bif: by an empty prefix": (
        "PREFIX x: <> SELECT (x:bif:exec(1) AS ?x) { }",
        ForbiddenError,
        "bif:exec",
    ),
    "function of bif: by the first of two prefixes": (
        "PREFIX x: <bif:> PREFIX x: <http://e/> SELECT (x:exec(1) AS ?x) { }",
        ForbiddenError,
        "bif:exec",
    ),
    "function of bif: by an escape": (
        "SELECT (<b\\u0069f:exec>(1) AS ?x) { }",
        ForbiddenError,
        "bif:exec",
    ),
    "function under the name of a declared prefix": (
        "PREFIX bif: <http://e/> SELECT (bif:exec(1) AS ?x) { }",
        ForbiddenError,
        "bif",
    ),
    "function of DB.DBA": ("SELECT (DB.DBA.SPARUL_CLEAR(1) AS ?x) { }", InputError, ""),
    "function in ORDER BY": (
        "SELECT * { ?s ?p ?o } ORDER BY <http://e/f>(?s)",
        ForbiddenError,
        "<http://e/f>",
    ),
    "function in HAVING": (
        "SELECT ?s { ?s ?p ?o } GROUP BY ?s HAVING (<http://e/f>(?s) > 1)",
        ForbiddenError,
        "<http://e/f>",
    ),
    "class of Java": ("SELECT * { ?s <java:org.x.Y> ?o }", ForbiddenError, "java:org.x.Y"),
    "class of Java by a prefix": (
        "PREFIX j: <java:org.> SELECT (j:x.Y(1) AS ?x) { }",
        ForbiddenError,
        "java:org.",
    ),
    "datatype of bif:": ('SELECT * { ?s ?p "x"^^<bif:x> }', ForbiddenError, "bif:x"),
    "predicate of bif:": ('SELECT * { ?s <bif:xcontains> "x" }', ForbiddenError, "bif:xcontains"),
    # Pragmas and options.
    "sponge": ('DEFINE get:soft "soft" SELECT * { ?s ?p ?o }', ForbiddenError, "DEFINE"),
    "sponge, spaced and commented": (
        'define # no\n\n get:soft\t# "\n"replacing" SELECT * { ?s ?p ?o }',
        ForbiddenError,
        "is refused",
    ),
    "sponge by an escape": (
        '\\u0044EFINE get:uri "http://127.0.0.1/" SELECT * { }',
        ForbiddenError,
        "DEFINE",
    ),
    "grab": ('DEFINE input:grab-all "yes" SELECT * { ?s ?p ?o }', ForbiddenError, "DEFINE"),
    "grab a variable": (
        'DEFINE input:grab-var "s" SELECT * { ?s ?p ?o }',
        ForbiddenError,
        "DEFINE",
    ),
    "storage": ('DEFINE input:storage "" SELECT * { ?s ?p ?o }', ForbiddenError, "DEFINE"),
    "graph by pragma": (
        f"DEFINE input:default-graph-uri {OUT} SELECT * {{ ?s ?p ?o }}",
        ForbiddenError,
        "DEFINE",
    ),
    "SQL option": ('DEFINE sql:select-option "order" SELECT * { }', ForbiddenError, "DEFINE"),
    "output format": ('DEFINE output:format "HTTP" SELECT * { }', ForbiddenError, "DEFINE"),
    "pragma after the prefixes": (
        'PREFIX e: <http://e/> DEFINE get:soft "soft" SELECT * { }',
        ForbiddenError,
        "DEFINE",
    ),
    "pragma inside the query": ('SELECT * { DEFINE get:soft "soft" }', ForbiddenError, "DEFINE"),
    "table option": (
        'SELECT * { ?s ?p ?o OPTION (TABLE_OPTION "hash") }',
        ForbiddenError,
        "OPTION",
    ),
    "sponge option of FROM": (
        'SELECT * FROM <http://e/ok> OPTION (get:soft "soft") { ?s ?p ?o }',
        ForbiddenError,
        "OPTION",
    ),
    # Updates.
    "insert": ("INSERT DATA { <urn:a> <urn:b> 1 }", ForbiddenError, "INSERT"),
    "insert into": ("INSERT INTO GRAPH <urn:g> { <urn:a> <urn:b> 1 }", ForbiddenError, "INSERT"),
    "modify": ("MODIFY GRAPH <urn:g> DELETE { } INSERT { } WHERE { }", ForbiddenError, "MODIFY"),
    "delete after comments": (
        "# SELECT\n# ASK\r\nDELETE WHERE { ?s ?p ?o }",
        ForbiddenError,
        "DELETE",
    ),
    "load by an escape": (f"\\u004COAD {OUT}", ForbiddenError, "LOAD"),
    "clear after a prefix": ("PREFIX select: <urn:x> CLEAR ALL", ForbiddenError, "CLEAR"),
    "with": ("WITH <urn:g> DELETE { ?s ?p ?o } WHERE { }", ForbiddenError, "WITH"),
    "second statement": ("SELECT * { } ; DROP ALL", InputError, "well-formed"),
    "second statement, glued": ("ASK{}INSERT DATA{<urn:a><urn:b>1}", InputError, "well-formed"),
    "update for a pattern": ("SELECT * { INSERT { ?s ?p ?o } }", InputError, "well-formed"),
    "alter": ("ALTER QUAD STORAGE virtrdf:DefaultQuadStorage { }", InputError, ""),
    # Size.
    "long": ("SELECT * { ?s ?p 'x' }" + " " * 8_000, LimitError, "characters"),
    "a megabyte of spaces": (" " * 1_000_000, LimitError, "characters"),
    "100,000 values": (
        "SELECT * { VALUES ?x { " + "1 " * 100_000 + "} }",
        LimitError,
        "characters",
    ),
    "1,000 values": ("SELECT * { VALUES ?x { " + "1 " * 1_000 + "} }", LimitError, "VALUES"),
    "1,000 values, trailing": ("ASK { } VALUES ?x { " + "1 " * 1_000 + "}", LimitError, "VALUES"),
    "a long IN": ("ASK { FILTER(1 IN (1" + ",1" * 550 + ")) }", LimitError, "IN"),
    "deep groups": ("SELECT * " + "{" * 60 + "}" * 60, LimitError, "nested"),
    "deep brackets": ("ASK { FILTER" + "(" * 500 + "1" + ")" * 500 + "}", LimitError, "nested"),
    "deep lists": ("ASK { ?s ?p " + "(" * 50 + ")" * 50 + "}", LimitError, "nested"),
    "thousands of columns": (
        "SELECT " + " ".join(f"?v{n}" for n in range(1_200)) + " { }",
        LimitError,
        "terms",
    ),
    "a chain of BIND": (
        "SELECT * { " + "".join(f"BIND(?v{n} AS ?v{n + 1})" for n in range(250)) + "}",
        LimitError,
        "terms",
    ),
    "a large template": (
        "CONSTRUCT { " + "?s ?p ?o . " * 61 + "} WHERE { ?s ?p ?o }",
        LimitError,
        "template",
    ),
    "many patterns": ("ASK { " + "?s ?p ?o . " * 61 + "}", LimitError, "patterns"),
    "a long path": ("ASK { ?s <urn:p>" + "/<urn:p>" * 100 + " ?o }", LimitError, "patterns"),
    # Limits.
    "limit without a number": ("SELECT * { } LIMIT ?n", InputError, "LIMIT"),
    "limit of a sum": ("SELECT * { } LIMIT 1 + 99999", InputError, "well-formed"),
    "limit below zero": ("SELECT * { } LIMIT -1", InputError, "LIMIT"),
    "limit in exponents": ("SELECT * { } LIMIT 1e9", InputError, "LIMIT"),
    "two limits": ("SELECT * { } LIMIT 1 LIMIT 99999", InputError, "well-formed"),
    # Characters.
    "nul": ("SELECT * { ?s ?p 'x\x00' }", InputError, "control"),
    "nul by an escape": ("SELECT * { ?s ?p '\\u0000' }", InputError, "control"),
    "byte order mark within": ("SELECT * { \ufeff }", InputError, "control"),
    "turned direction": ("SELECT * { ?s ?p '\u202e } ECIVRES' }", InputError, "control"),
    "isolated direction": ("SELECT * { ?s ?p 'x' } #\u2066 LIMIT 1", InputError, "control"),
    "lone surrogate": ("SELECT * { ?s ?p '\ud83d' }", InputError, "control"),
    "surrogate by an escape": ("SELECT * { ?s ?p '\\uD83D\\uDE00' }", InputError, "control"),
    "cyrillic keyword": ("\u0405ELECT * { }", InputError, "Line 1"),
    "long s": (f"SELECT * {{ \u017fERVICE {OUT} {{ }} }}", InputError, "Line 1"),
    "full-width keyword": (f"SELECT * {{ \uff33ERVICE {OUT} {{ }} }}", InputError, "Line 1"),
    "no-break space": ("SELECT\u00a0* { }", InputError, "Line 1"),
    "open string": ('SELECT * { ?s ?p "x }', InputError, "Line 1"),
    "open long string": ('SELECT * { ?s ?p """x" }', InputError, ""),
    "open IRI": ("SELECT * { ?s <http://e/ ?o }", InputError, ""),
    "space in an IRI": ("SELECT * { ?s <http://e/ x> ?o }", InputError, ""),
    "comment of C": ("SELECT * { /* no */ ?s ?p ?o }", InputError, ""),
    "comment in a comment": ("SELECT * { # a # b } \n ?s ?p }}", InputError, "well-formed"),
    "hash in an IRI": (
        f"SELECT * {{ ?s <http://e/#x> ?o . SERVICE {OUT} {{ }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    # Other languages.
    "function in a triple term": (
        "SELECT * { ?s ?p <<( ?a ?b <http://e/f>(1) )>> }",
        GroundwireError,
        "",
    ),
    "service in an annotation": (
        f"SELECT * {{ ?s ?p ?o {{| ?q ?r . SERVICE {OUT} {{ }} |}} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "graph in an annotation": (
        "SELECT * { ?s ?p ?o {| ?q ?r GRAPH <http://e/g> { } |} }",
        GroundwireError,
        "",
    ),
    "filter in a reified triple": (
        "SELECT * { << ?a ?b ?c FILTER(<http://e/f>(1)) >> ?p ?o }",
        GroundwireError,
        "",
    ),
    "java class in a triple term": (
        "SELECT * { ?s ?p <<( ?a <java:java.lang.System.exit> 1 )>> }",
        ForbiddenError,
        "runs code",
    ),
    "built-in of Virtuoso in a reified triple": (
        "SELECT * { << ?a <bif:contains> 'x' >> ?p ?o }",
        GroundwireError,
        "",
    ),
    "triple term that does not end": ("SELECT * { ?s ?p <<( ?a ?b ?c }", GroundwireError, ""),
    "annotation that closes another": ("SELECT * { << ?a ?b ?c |} ?p ?o }", GroundwireError, ""),
    "function after a triple term": (
        "SELECT * { ?s ?p <<( ?a ?b ?c )>> FILTER(<http://e/f>(1)) }",
        GroundwireError,
        "",
    ),
    "function of a triple term": (
        "SELECT * { FILTER(<http://e/f>(<<( <urn:a> <urn:b> 1 )>>)) }",
        GroundwireError,
        "",
    ),
    "update after a triple term": (
        "SELECT * { ?s ?p <<( ?a ?b ?c )>> } ; DROP ALL",
        GroundwireError,
        "",
    ),
    "version before an update": ('VERSION "1.2" DROP ALL', ForbiddenError, "DROP"),
    "version before a service": (
        f'VERSION "1.2" SELECT * {{ SERVICE {OUT} {{ }} }}',
        ForbiddenError,
        "SERVICE",
    ),
    "global variable of Virtuoso": ("SELECT * { ?s ?p ?:secret }", InputError, ""),
    "backquotes of Virtuoso": ("SELECT * { ?s ?p `bif:exec(1)` }", InputError, "Line 1"),
    "arrow of Virtuoso": ("SELECT ?s+>foaf:name { ?s ?p ?o }", InputError, ""),
    "quad map of Virtuoso": ("SELECT * { QUAD MAP <urn:m> { ?s ?p ?o } }", InputError, ""),
    "SQL fragment of Virtuoso": ("SELECT * WHERE (select 1) { }", InputError, "well-formed"),
    "SPARQL in SQL": ("SPARQL SELECT * { ?s ?p ?o }", InputError, "well-formed"),
    "SQL": ("SELECT U_NAME, U_PASSWORD FROM DB.DBA.SYS_USERS", InputError, ""),
    "JSON": ('{"query": "SELECT * { ?s ?p ?o }"}', InputError, ""),
    "a form": ("query=SELECT%20*%20%7B%7D&timeout=0", InputError, ""),
    "parameters after it": ("SELECT * { }&default-graph-uri=http://127.0.0.1/", InputError, ""),
    "nothing": ("", InputError, "no query"),
    "only comments": ("# SELECT * { }", InputError, "no query"),
    "only spaces": (" \n\t ", InputError, "no query"),
}

VIRTUOSO: dict[str, tuple[str, type[GroundwireError], str]] = {
    "pragma without a value": ("DEFINE input:inference SELECT * { }", InputError, "needs one name"),
    "pragma with a variable": ("DEFINE input:inference ?:x SELECT * { }", InputError, "one name"),
    "pragma with SQL": ('DEFINE input:inference "x\' --" SELECT * { }', InputError, "one name"),
    "pragma with two values": (
        'DEFINE input:inference "a", "b" SELECT * { }',
        InputError,
        "one value",
    ),
    "second pragma": (
        'DEFINE input:same-as "yes" DEFINE get:soft "soft" SELECT * { }',
        ForbiddenError,
        "get:soft",
    ),
    "pragma in odd case": ('DEFINE GET:SOFT "soft" SELECT * { }', ForbiddenError, "GET:SOFT"),
    "pragma before an update": ('DEFINE input:same-as "yes" CLEAR ALL', ForbiddenError, "CLEAR"),
    "pragma alone": ('DEFINE input:same-as "yes"', InputError, "no query"),
    "option of another word": (
        'SELECT * { ?s ?p ?o OPTION (score ?x, table_option "x") }',
        ForbiddenError,
        "table_option",
    ),
    "option that does not end": ("SELECT * { ?s ?p ?o OPTION (transitive }", InputError, "')'"),
    "option with a call": (
        "SELECT * { ?s ?p ?o OPTION (transitive, t_max(bif:exec(1))) }",
        InputError,
        "t_max",
    ),
    "option with a pattern": (
        f"SELECT * {{ ?s ?p ?o OPTION (transitive) SERVICE {OUT} {{ }} }}",
        ForbiddenError,
        "SERVICE",
    ),
    "option with a service in it": (
        f"SELECT * {{ ?s ?p ?o OPTION (t_in(SERVICE {OUT} {{ }})) }}",
        InputError,
        "t_in",
    ),
    "option of a step that is none": (
        "SELECT * { ?s ?p ?o OPTION (transitive, t_step('x') AS ?y) }",
        InputError,
        "t_step",
    ),
    "option after a filter": (
        "SELECT * { ?s ?p ?o FILTER(?o IN (1 OPTION (transitive))) }",
        InputError,
        "wrong place",
    ),
    "option after the query": ("SELECT * { ?s ?p ?o } OPTION (transitive)", InputError, "wrong"),
    "option in a template": (
        "CONSTRUCT { ?s ?p ?o OPTION (transitive) } WHERE { ?s ?p ?o }",
        InputError,
        "wrong place",
    ),
    "option in a template that is the pattern": (
        "CONSTRUCT WHERE { ?s <urn:p> ?o OPTION (transitive) }",
        InputError,
        "wrong place",
    ),
    "text in a template that is the pattern": (
        'CONSTRUCT WHERE { ?o bif:contains "a" }',
        InputError,
        "wrong place",
    ),
    "option in a list": ("SELECT * { ?s ?p (1 OPTION (transitive)) }", InputError, ""),
    "option in a call": (
        "SELECT (CONCAT('a' OPTION (transitive)) AS ?x) { }",
        InputError,
        "",
    ),
    "option after a subject": ("SELECT * { ?s OPTION (transitive) ?p ?o }", InputError, ""),
    "option in front": ("OPTION (transitive) SELECT * { }", InputError, "wrong place"),
    "score of another predicate": (
        "SELECT * { ?s <urn:p> 'x' OPTION (score ?n) }",
        InputError,
        "bif:contains",
    ),
    "text in a variable": (TEXT % "?text", InputError, "constant string"),
    "text with a language": (TEXT % '"x"@en', InputError, "constant string"),
    "text with a datatype": (TEXT % '"x"^^<urn:x>', InputError, "constant string"),
    "text as an IRI": (TEXT % "<urn:x>", InputError, "constant string"),
    "text as a blank node": (TEXT % "[ ?p 1 ]", InputError, "constant string"),
    "one of two texts in a variable": (TEXT % "\"'a'\", ?x", InputError, "constant string"),
    "text with an open quote": (TEXT % '"\'a AND b"', InputError, "quote"),
    "text with an escaped quote": (TEXT % "\"'it\\\\'s'\"", InputError, "not well formed"),
    "text of two words": (TEXT % '"two words"', InputError, "AND, OR or NEAR"),
    "text that is empty": (TEXT % '""', InputError, "empty"),
    "text without words": (TEXT % "\"'...'\"", InputError, "no word"),
    "text of a star": (TEXT % '"*"', InputError, "outside quotes"),
    "text of a word and a star": (TEXT % '"abcd*"', InputError, "outside quotes"),
    "text of two letters and a star": (TEXT % "\"'ab*'\"", InputError, "letters before"),
    "text of a number": (TEXT % '"7"', InputError, "outside quotes"),
    "text of another script": (TEXT % '"図"', InputError, "outside quotes"),
    "text that ends early": (TEXT % '"a AND"', InputError, "too early"),
    "text that begins with NOT": (TEXT % '"NOT a"', InputError, "NOT"),
    "text with open parentheses": (TEXT % '"(a AND b"', InputError, "too early"),
    "text with other signs": (TEXT % '"a; b"', InputError, "outside quotes"),
    "text with options of its own": (TEXT % "\"[__lang 'x-any'] a\"", InputError, "outside"),
    "text of many words": (TEXT % f'"{" OR ".join(["a"] * 61)}"', LimitError, "61 words"),
    "contains in a path": (
        'SELECT * { ?s <urn:p>/bif:contains "a" }',
        InputError,
        "wrong place",
    ),
    "contains, inverse": ('SELECT * { "a" ^bif:contains ?o }', InputError, "wrong place"),
    "contains, repeated": ('SELECT * { ?o bif:contains* "a" }', InputError, "wrong place"),
    "contains as a subject": ('SELECT * { bif:contains ?p "a" }', InputError, "wrong place"),
    "contains as an object": ("SELECT * { ?s ?p bif:contains }", InputError, "wrong place"),
    "contains in VALUES": ("SELECT * { VALUES ?p { bif:contains } }", InputError, "wrong place"),
    "contains in a template": (
        "CONSTRUCT { ?s bif:contains 'a' } WHERE { ?s ?p ?o }",
        InputError,
        "wrong place",
    ),
    "contains as a function": (
        'SELECT * { ?s ?p ?o FILTER(bif:contains(?o, "a")) }',
        InputError,
        "as a predicate",
    ),
    "another search": ('SELECT * { ?o bif:xcontains "a" }', ForbiddenError, "bif:xcontains"),
    "its prefix for another": (
        'PREFIX bif: <http://e/> SELECT * { ?o bif:contains "a" }',
        ForbiddenError,
        "prefix bif:",
    ),
    "its prefix in odd case": (
        "PREFIX Bif: <bif:> SELECT (Bif:exec(1) AS ?x) { }",
        ForbiddenError,
        "prefix Bif:",
    ),
}


@pytest.mark.parametrize("name", EVERYWHERE)
@pytest.mark.parametrize("policy", [REMOTE_POLICY, VIRTUOSO_POLICY], ids=["any make", "virtuoso"])
def test_refused_for_every_endpoint(name: str, policy: Policy) -> None:
    text, kind, reason = EVERYWHERE[name]
    refused(text, policy, kind, reason)


@pytest.mark.parametrize("name", VIRTUOSO)
def test_refused_for_virtuoso(name: str) -> None:
    text, kind, reason = VIRTUOSO[name]
    refused(text, VIRTUOSO_POLICY, kind, reason)
    with pytest.raises(GroundwireError):
        check(text, REMOTE_POLICY)


def refused(text: str, policy: Policy, kind: type[GroundwireError], reason: str) -> None:
    with pytest.raises(kind) as caught:
        check(text, policy)
    message = str(caught.value)
    assert reason in message
    assert "\n" not in message
    assert "urn:" not in message or "urn:" in text, "no stand-in is shown"


def test_graphs_outside_of_the_list_are_refused() -> None:
    for text in (
        "SELECT * { GRAPH <http://e/no> { ?s ?p ?o } }",
        "SELECT * FROM <http://e/no> { ?s ?p ?o }",
        "SELECT * FROM NAMED <http://e/ok> FROM NAMED <http://e/no> { ?s ?p ?o }",
        "SELECT * { FILTER EXISTS { GRAPH <http://e/no> { ?s ?p ?o } } }",
    ):
        refused(text, LISTED, ForbiddenError, "<http://e/no>")
    query = check("SELECT * FROM <http://e/ok> { GRAPH <http://e/ok> { ?s ?p ?o } }", LISTED)
    assert query.verdict.default_graphs == ("http://e/ok",)


def test_there_are_enough_attacks() -> None:
    assert len(EVERYWHERE) >= 60
    assert len(VIRTUOSO) >= 40


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("SELECT * { ?s ?p ?o } LIMIT 999999999", "LIMIT 10001"),
        ("SELECT * { ?s ?p ?o } LIMIT 99999999999999999999999999", "LIMIT 10001"),
        ("SELECT * { { SELECT * { ?s ?p ?o } LIMIT 1 } }", "LIMIT 10001"),
        ("SELECT * { ?s ?p ?o } OFFSET 999999999", "OFFSET 999999999 LIMIT 10001"),
        ("SELECT * { ?s ?p 'LIMIT 1' } # LIMIT 1", "LIMIT 10001"),
        ("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }", "LIMIT 10001"),
        ("DESCRIBE * { ?s ?p ?o }", "LIMIT 10001"),
    ],
)
def test_no_trick_with_limits_gets_more_rows(text: str, end: str) -> None:
    assert check(text, REMOTE_POLICY).endswith(end)
    assert check(text, VIRTUOSO_POLICY).endswith(end.replace("LIMIT 10001", "LIMIT 5001"))


# What the gate lets through, and the engine has to live with.
RUNAWAY = {
    "cartesian product": "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }",
    "path bomb": "SELECT (COUNT(*) AS ?n) { ?s (!<urn:x>|^!<urn:x>)* ?o . "
    "?p (!<urn:x>|^!<urn:x>)* ?q . ?q ((!<urn:x>|^!<urn:x>)*/(!<urn:x>)*)* ?r }",
    "deep offset": "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } OFFSET 99999999999",
    "doubled string": "SELECT * { BIND('aaaaaaaa' AS ?x0) "
    + "".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1}) " for n in range(31))
    + "FILTER(STRLEN(?x31) > 0) }",
    "replaced string": "SELECT * { BIND(STRUUID() AS ?x0) "
    + "".join(f'BIND(REPLACE(?x{n}, ".", "aaaaaaaaaaaaaaaa") AS ?x{n + 1}) ' for n in range(8))
    + "FILTER(STRLEN(?x8) > 0) }",
    "order of a product": "SELECT * { ?a ?b ?c . ?d ?e ?f } "
    "ORDER BY DESC(CONCAT(STR(?c), STR(?f)))",
    "groups of a product": "SELECT ?c (GROUP_CONCAT(?f) AS ?all) "
    "{ ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } GROUP BY ?c",
}
# A pattern that takes exponential time where an engine tries every way to match.
REGEX_BOMBS = (
    'SELECT * { BIND("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" AS ?t) '
    'FILTER(REGEX(?t, "^(a+)+$")) }',
    'SELECT * { BIND("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!" AS ?t) '
    'FILTER(REGEX(?t, "^((a|aa)*)*b$", "i")) }',
    'SELECT * { BIND(REPLACE("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", "(a*)*c", "") AS ?t) '
    "FILTER(STRLEN(?t) = 0) }",
    'SELECT * { BIND("aaaa" AS ?t) FILTER(REGEX(?t, "((((a{1,200}){1,200}){1,200}){1,200})b")) }',
)
QUICK = "SELECT ?o { <http://example.org/bob> <http://example.org/name> ?o }"


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.parametrize("name", RUNAWAY)
async def test_what_runs_away_is_cut_off_and_the_next_answer_is_right(
    name: str, people_store: Path, on_time
) -> None:
    graph = LocalGraph(people_store, memory=512 << 20)
    try:
        await graph.warm()
        for _ in on_time(3):
            with pytest.raises(GroundwireError):
                await graph.select(check(RUNAWAY[name], REMOTE_POLICY), timeout=0.4)
        found = await graph.select(check(QUICK, REMOTE_POLICY))
        assert [term.value for (term,) in found.rows if term] == ["Bob"]
    finally:
        await graph.close()


async def test_no_regular_expression_takes_the_engine_long(people_store: Path, on_time) -> None:
    graph = LocalGraph(people_store, memory=512 << 20)
    try:
        await graph.warm()
        for text in REGEX_BOMBS:
            for _ in on_time(2):
                found = await graph.select(check(text, REMOTE_POLICY), timeout=60)
                assert found.rows == []
        found = await graph.select(check(QUICK, REMOTE_POLICY))
        assert [term.value for (term,) in found.rows if term] == ["Bob"]
    finally:
        await graph.close()
