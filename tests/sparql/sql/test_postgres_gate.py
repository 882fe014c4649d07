"""The gate of PostgreSQL by itself: no server is needed to refuse."""

from __future__ import annotations

import pytest

from groundwire.errors import ConfigurationError
from groundwire.postgres_url import read_url
from groundwire.sparql.outcome import Request
from groundwire.sparql.sql.engines import PostgresRunner
from groundwire.tables.bounds import Refused
from groundwire.tables.postgres import connections
from groundwire.tables.postgres.gate import FUNCTIONS, check, check_tree, check_words
from groundwire.tables.postgres.lexer import tokens

PASSING = [
    "SELECT 1",
    "SELECT 1;",
    "SELECT 1; -- and no more ;",
    "(SELECT 1) UNION (SELECT 2)",
    "VALUES (1), (2)",
    "TABLE cities",
    "SELECT lower(name) FROM cities c JOIN countries k ON (k.code = c.country) WHERE (1 = 1)",
    "SELECT pg_catalog.lower(name), pg_typeof(name) FROM cities",
    "WITH a(x) AS (SELECT 1), b(y, z) AS MATERIALIZED (VALUES (1, 2)) SELECT * FROM a, b",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT * FROM n",
    "SELECT * FROM generate_series(1, 3) AS g(i)",
    "SELECT * FROM generate_series(1, 3) g(i)",
    "SELECT * FROM unnest(ARRAY[1, 2]) WITH ORDINALITY u(a, b)",
    "SELECT * FROM (VALUES (1)) v(x), (VALUES (2)) w(x)",
    "SELECT count(*) FILTER (WHERE x > 1) OVER (PARTITION BY (y)) FROM t",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY x) FROM t GROUP BY ROLLUP (y), CUBE (z)",
    "SELECT CAST(x AS numeric(10, 2)), x::varchar(3), coalesce(x, y), extract(year FROM z) FROM t",
    "SELECT CASE WHEN (a) THEN (b) ELSE (c) END FROM t WHERE x IN (1) AND EXISTS (SELECT 1)",
    "SELECT x FROM t GROUP BY GROUPING SETS ((x), ()) ORDER BY (x) LIMIT (3) OFFSET (1)",
    "SELECT 'pg_read_file(''/etc/passwd'')' AS quoted, $$ current_setting('x') $$ AS dollar",
    "SELECT E'it\\'s; SELECT' || U&'\\0061' /* a /* nested; */ comment */",
    "SELECT $tag$ ; DROP TABLE x; $$ $tag$",
    "SELECT t.user, t.version FROM t",
    "SELECT (r).name, (r).*, a[1], a[1:2] FROM t",
    "SELECT * FROM information_schema.columns",
    "SELECT * FROM t TABLESAMPLE bernoulli (10)",
    "SELECT x FROM t FETCH FIRST 3 ROWS ONLY",
]


# Beside what words show: what only the parser of the server takes apart.
DISGUISED = [
    "SELECT 'pg_authid'::regclass",
    "SELECT CAST('pg_read_file' AS regproc)",
    "SELECT 'postgres'::pg_catalog.regrole",
    "SELECT '0/0'::pg_lsn",
    "SELECT 1 OPERATOR(app.+) 2",
    "SELECT 1 = ANY (SELECT 1) ORDER BY 1 USING OPERATOR(app.<)",
    "SELECT x OPERATOR(app.=) ANY (SELECT 1) FROM t",
    "SELECT system_user",
    "SELECT current_catalog, current_date",
    "SELECT current_role",
    "SELECT name FROM cities FOR UPDATE",
    "SELECT name FROM cities FOR KEY SHARE SKIP LOCKED",
    "SELECT * FROM (SELECT name FROM cities FOR SHARE) q",
    "SELECT name INTO gone FROM cities",
    "SELECT name INTO TEMP TABLE gone FROM cities",
    "WITH a AS (INSERT INTO cities VALUES ('x') RETURNING *) SELECT * FROM a",
    "WITH a AS (MERGE INTO cities USING t ON true WHEN MATCHED THEN DELETE RETURNING *) SELECT 1",
    "SELECT (WITH a AS (DELETE FROM cities RETURNING 1) SELECT count(*) FROM a)",
    "SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS x text PATH '.')",
    "SELECT * FROM JSON_TABLE('{}', '$' COLUMNS (a int PATH '$.a'))",
    "SELECT xmlelement(name a, pg_read_file('x'))",
    "SELECT xmlparse(DOCUMENT '<a/>')",
    "SELECT xmlserialize(CONTENT '<a/>' AS text)",
    "SELECT collation for ('x')",
    "SELECT treat('x' AS pg_read_file)",
    "SELECT * FROM t TABLESAMPLE system_rows(10)",
    "SELECT * FROM t TABLESAMPLE app.mine(10)",
    "SELECT * FROM ROWS FROM (generate_series(1, 2), pg_ls_dir('/')) AS x(a, b)",
    "SELECT * FROM LATERAL pg_ls_dir('/') AS x",
    "SELECT lower(VARIADIC ARRAY[pg_read_file('x')])",
    "SELECT count(*) FILTER (WHERE pg_sleep(1) IS NULL) FROM t",
    "SELECT sum(1) OVER (ORDER BY pg_sleep(1)) FROM t",
    "SELECT sum(1) OVER w FROM t WINDOW w AS (PARTITION BY pg_sleep(1))",
    "SELECT 1 FROM t GROUP BY ROLLUP (pg_sleep(1))",
    "SELECT 1 LIMIT length(pg_read_file('x'))",
    "SELECT 1 ORDER BY pg_read_file('x')",
    "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY pg_sleep(1)) FROM t",
    "SELECT a[length(pg_read_file('x'))] FROM t",
    "SELECT (ROW(pg_read_file('x'))).f1",
    "SELECT * FROM t AS x (a, b) JOIN t y ON pg_sleep(1) IS NULL",
    "SELECT * FROM (VALUES (pg_read_file('x'))) v(a)",
    "VALUES (pg_read_file('x'))",
    "SELECT json_object('a': pg_read_file('x'))",
    "SELECT json_array(pg_read_file('x'))",
    "SELECT json_arrayagg(pg_read_file('x'))",
    "SELECT json_value(pg_read_file('x')::jsonb, '$')",
    "SELECT 1 WHERE (pg_read_file('x')) LIKE 'a' ESCAPE 'b'",
    "SELECT pg_catalog.pg_sleep(1) UNION ALL SELECT 1",
    "SELECT 1 INTERSECT SELECT length(pg_read_file('x'))",
    "WITH RECURSIVE a AS (SELECT 1 UNION ALL SELECT length(pg_read_file('x')) FROM a) SELECT 1",
    "TABLE pg_catalog.pg_authid",
    "SELECT pg_authid FROM pg_authid",
    "SELECT * FROM pg_temp.x",
    "SELECT * FROM db.pg_catalog.pg_authid",
    "SELECT * FROM information_schema.role_table_grants",
    "SELECT information_schema._pg_truetypid(1, 2)",
    "NOTIFY x, 'y'",
    "CHECKPOINT",
    "CREATE EXTENSION dblink",
    "ALTER SYSTEM SET x = 1",
    "REFRESH MATERIALIZED VIEW v",
    "IMPORT FOREIGN SCHEMA a FROM SERVER b INTO c",
    "SECURITY LABEL ON TABLE cities IS 'x'",
]
ONLY_BY_THE_TREE = [
    "SELECT * FROM unnest(ARRAY[1, 2]) AS filter(x)",
    "SELECT value FROM json_each('{}') AS over(key, value)",
    "SELECT a IS JSON FROM t",
    "SELECT name SIMILAR TO '(U|L)%', name LIKE 'a!%' ESCAPE '!', 'x' IS NORMALIZED FROM cities",
    "SELECT extract(year FROM founded), position('a' IN name), trim(both 'a' FROM name) FROM t",
    "SELECT founded AT TIME ZONE 'UTC', (founded, founded) OVERLAPS (founded, founded) FROM cities",
    "SELECT json_object('a': 1), current_date, localtimestamp(0), current_time FROM cities",
    "SELECT grouping(country), sum(people) FROM cities GROUP BY CUBE (country)",
    "SELECT DISTINCT ON (lower(country)) name FROM cities ORDER BY lower(country), people DESC",
    "SELECT 'a' COLLATE \"C\", interval '1' day, B'101', X'1F', ARRAY[[1], [2]], ROW(1, 2)",
]
GATES = {"words": check_words, "tree": check_tree}


@pytest.mark.parametrize("gate", GATES)
@pytest.mark.parametrize("text", PASSING)
def test_selects_pass(text: str, gate: str) -> None:
    assert GATES[gate](text).text == text.partition("; --")[0].removesuffix(";")


ATTACKS = [
    ("SELECT pg_read_file('/etc/passwd')", "catalogue"),
    ("SELECT pg_catalog.pg_read_file('/etc/passwd')", "catalogue"),
    ("SELECT \"pg_read_file\"('/etc/passwd')", "catalogue"),
    ('SELECT "pg_catalog"."pg_read_file"(\'/etc/passwd\')', "catalogue"),
    ("SELECT PG_READ_FILE ( '/etc/passwd' )", "catalogue"),
    ("SELECT pg_read_file/* */('/etc/passwd')", "catalogue"),
    ("SELECT pg_read_file--\n('/etc/passwd')", "catalogue"),
    ("SELECT ('/etc/passwd'::text).pg_read_file", "catalogue"),
    ("SELECT U&\"pg\\005fread_file\"('/etc/passwd')", "U&"),
    ("SELECT pg_ls_dir('/')", "catalogue"),
    ("SELECT pg_stat_file('/')", "catalogue"),
    ("SELECT pg_sleep(10)", "catalogue"),
    ("SELECT pg_terminate_backend(1)", "catalogue"),
    ("SELECT pg_reload_conf()", "catalogue"),
    ("SELECT pg_advisory_lock(1)", "catalogue"),
    ("SELECT pg_notify('a', 'b')", "catalogue"),
    ("SELECT * FROM pg_settings", "catalogue"),
    ("TABLE pg_authid", "catalogue"),
    ("SELECT * FROM pg_catalog.pg_shadow", "catalogue"),
    ("SELECT * FROM ONLY (pg_stat_activity)", "catalogue"),
    ("SELECT * FROM pg_hba_file_rules", "catalogue"),
    ("SELECT * FROM information_schema.views", "information_schema"),
    ('SELECT * FROM "information_schema"."applicable_roles"', "information_schema"),
    ("SELECT current_setting('data_directory')", "current_setting"),
    ("SELECT pg_catalog.current_setting('data_directory')", "catalogue"),
    ("SELECT \"current_setting\"('a')", "current_setting"),
    ("SELECT set_config('a.b', 'c', false)", "set_config"),
    ("SELECT version()", "version"),
    ("SELECT inet_server_addr()", "inet_server_addr"),
    ("SELECT current_user", "CURRENT_USER"),
    ("SELECT User", "USER"),
    ("SELECT 1 WHERE session_user = 'a'", "SESSION_USER"),
    ("SELECT current_schema", "CURRENT_SCHEMA"),
    ("SELECT current_database()", "current_database"),
    ("SELECT current_query()", "current_query"),
    ("SELECT lo_import('/etc/passwd')", "lo_import"),
    ("SELECT lo_export(1, '/tmp/x')", "lo_export"),
    ("SELECT lo_get(1)", "lo_get"),
    ("SELECT query_to_xml('SELECT 1', true, true, '')", "query_to_xml"),
    ("SELECT database_to_xml(true, true, '')", "database_to_xml"),
    ("SELECT * FROM ts_stat('SELECT 1')", "ts_stat"),
    ("SELECT ts_rewrite('a'::tsquery, 'SELECT 1')", "ts_rewrite"),
    ("SELECT * FROM dblink('host=x', 'SELECT 1') AS t(a int)", "dblink"),
    ("SELECT * FROM crosstab('SELECT 1') t(a int)", "crosstab"),
    ("SELECT nextval('s')", "nextval"),
    ("SELECT setval('s', 1)", "setval"),
    ("SELECT txid_current()", "txid_current"),
    ("SELECT public.lower('x')", "public.lower"),
    ("SELECT my_function(1)", "my_function"),
    ("SELECT DISTINCT ON (x) my_function(x) FROM t", "my_function"),
    ("SELECT x AT TIME ZONE my_function(1) FROM t", "my_function"),
    ("SELECT * FROM ROWS FROM (my_function(1)) AS t(a)", "my_function"),
    ("SELECT * FROM a, my_function(1) AS (values int)", "my_function"),
    ("SELECT * FROM t WHERE NOT my_function(1)", "my_function"),
    ("SELECT CASE my_function(1) WHEN 1 THEN 2 END", "my_function"),
    ("SELECT ARRAY[my_function(1)]", "my_function"),
    ("SELECT filter(1)", "filter"),
    ("SELECT by(1)", "by"),
    ("SELECT over(1)", "over"),
    ("SELECT sets(1)", "sets"),
    ("SELECT system(1)", "system"),
    ("SELECT lower(x), my_function(1) FROM t", "my_function"),
    ("SELECT ö(1)", "ö"),
    ("SELECT \u212aower(1)", "\u212aower"),
    ("SELECT " + "a" * 64 + "(1)", "longer than"),
    ("SELECT 1; SELECT 2", "several"),
    ("SELECT 1; DROP TABLE cities", "several"),
    ("SELECT 1 /* ; /* */ ; DROP TABLE x; */; DROP TABLE cities", "several"),
    ("SELECT '\\'; DROP TABLE cities; --'", "several"),
    ("SELECT $a$ $b$ $a$; DROP TABLE cities", "several"),
    ("COPY cities TO '/tmp/x'", "COPY"),
    ("COPY (SELECT 1) TO PROGRAM 'id'", "COPY"),
    ("DO $$ BEGIN END $$", "DO"),
    ("SET role = postgres", "SET"),
    ("RESET ALL", "RESET"),
    ("SHOW data_directory", "SHOW"),
    ("EXPLAIN ANALYZE SELECT 1", "EXPLAIN"),
    ("PREPARE p AS SELECT 1", "PREPARE"),
    ("EXECUTE p", "EXECUTE"),
    ("DECLARE c CURSOR FOR SELECT 1", "DECLARE"),
    ("FETCH ALL FROM c", "FETCH"),
    ("CALL p()", "CALL"),
    ("LISTEN x", "LISTEN"),
    ("LOCK TABLE cities", "LOCK"),
    ("BEGIN", "BEGIN"),
    ("COMMIT", "COMMIT"),
    ("LOAD 'x.so'", "LOAD"),
    ("VACUUM", "VACUUM"),
    ("CREATE TEMP TABLE x AS SELECT 1", "CREATE"),
    ("INSERT INTO cities VALUES (1)", "INSERT"),
    ("WITH d AS (DELETE FROM cities RETURNING *) SELECT * FROM d", "DELETE"),
    ("WITH d AS (UPDATE cities SET people = 0 RETURNING *) SELECT * FROM d", "UPDATE"),
    ("SELECT $1", "parameter"),
    ("SELECT 'no end", "not read"),
    ("SELECT /* no end", "does not end"),
    ("SELECT $x$ no end", "does not end"),
    ("SELECT 1) AS q(a); --", "parenthesis"),
    ("SELECT 1) UNION (SELECT 2", "parenthesis"),
    ("SELECT (1", "parenthesis"),
    ("\\copy cities to 'x'", "not read"),
    ("\\! ls", "not read"),
    (";", "only comments"),
    ("-- nothing", "only comments"),
]


@pytest.mark.parametrize(("text", "hint"), ATTACKS, ids=lambda value: value[:60])
def test_attacks_are_refused(text: str, hint: str) -> None:
    with pytest.raises(Refused) as refusal:
        check_words(text)
    assert hint in str(refusal.value)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", [*(text for text, _ in ATTACKS), *DISGUISED])
def test_attacks_are_refused_by_the_tree(text: str) -> None:
    with pytest.raises(Refused) as refusal:
        check(text)
    assert str(refusal.value).endswith((".", "?"))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ONLY_BY_THE_TREE)
def test_the_tree_passes_what_words_alone_cannot_tell(text: str) -> None:
    assert check(text).text == text


def test_what_no_parser_can_read_is_refused() -> None:
    deep = "SELECT " + "(" * 90_000 + "1" + ")" * 90_000
    for text in ("", "SELECT 1\0", "SELECT '\ud800'", deep, "SELECT " + "NOT " * 40_000 + "true",
                 "SELECT " + "+".join(["1"] * 20_000), "SELEKT 1", "((("):  # fmt: skip
        with pytest.raises(Refused):
            check(text)


@pytest.mark.parametrize("gate", GATES)
def test_what_the_server_must_be_asked_is_found(gate: str) -> None:
    verdict = GATES[gate](
        "SELECT (x).a, (x).b.c, y[1].d, t.e, s.t.f, (z).lower, t.*, pg_catalog.now()"
    )
    assert verdict.fields == {"a", "b", "c", "d"}
    assert verdict.columns == {"e", "t", "f"}


@pytest.mark.parametrize("gate", GATES)
def test_functions_of_the_administrator_are_added_by_name(gate: str) -> None:
    check = GATES[gate]
    check("SELECT my_function(1), app.other(2)", {"my_function", "app.other"})
    with pytest.raises(Refused, match=r"app\.my_function"):
        check("SELECT app.my_function(1)", {"my_function"})


def test_words_are_those_of_the_scanner() -> None:
    found = tokens("SELECT \"A\"\"b\", E'\\'', a$b, 1.5e-3x, $$'$$ -- end\n||U&'!'")
    assert [(token.kind, token.text) for token in found] == [
        ("word", "select"), ("name", 'A"b'), ("sign", ","), ("string", "E'\\''"), ("sign", ","),
        ("word", "a$b"), ("sign", ","), ("number", "1.5e-3"), ("word", "x"), ("sign", ","),
        ("string", "$$'$$"), ("sign", "|"), ("sign", "|"), ("string", "U&'!'"),
    ]  # fmt: skip


def test_the_list_holds_nothing_that_reads_or_tells() -> None:
    telling = ("pg_", "lo_", "txid", "inet_server", "inet_client", "binary_", "has_", "current_")
    assert {name for name in FUNCTIONS if name.startswith(telling)} == {"pg_typeof"}
    assert not FUNCTIONS & {
        "current_setting", "set_config", "query_to_xml", "ts_stat", "ts_rewrite", "nextval",
        "currval", "setval", "version", "current_query", "setseed",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("postgresql://u:geheim@h/db", "password"),
        ("postgresql://h/db?password=geheim", "password"),
        ("postgresql://h/db?passfile=/tmp/x", "passfile"),
        ("postgresql://h/db?options=-c%20x", "options"),
        ("postgresql://h/db?host=/tmp", "host"),
        ("postgresql://h/db?service=x", "service"),
        ("postgresql:///db", "form"),
        ("mysql://h/db", "form"),
        ("postgresql://h", "database"),
        ("postgresql://h:x/db", "port"),
    ],
)
def test_urls_hold_no_secrets(url: str, hint: str) -> None:
    with pytest.raises(ConfigurationError) as error:
        read_url(url)
    assert hint in str(error.value).lower()
    assert "geheim" not in str(error.value)


def test_audits_show_no_user() -> None:
    assert read_url("postgresql://me@[::1]:5433/db?sslmode=require").shown == (
        "postgresql://[::1]:5433/db"
    )


@pytest.mark.anyio
async def test_without_psycopg_the_way_out_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "find_spec", lambda name: None)
    outcome = await PostgresRunner("postgresql://127.0.0.1/x", "x").run(Request("sql", "SELECT 1"))
    assert outcome.status == "error"
    assert "pip install 'groundwire[postgres]'" in outcome.reason


@pytest.mark.anyio
async def test_a_missing_server_or_variable_is_an_error() -> None:
    outcome = await PostgresRunner("postgresql://127.0.0.1:1/x", "x").run(
        Request("sql", "SELECT 1", timeout=3)
    )
    assert outcome.status == "error"
    assert "127.0.0.1" in outcome.reason
    runner = PostgresRunner("postgresql://h/x", "x", password_variable="NOT_SET_HERE")
    assert "NOT_SET_HERE" in (await runner.run(Request("sql", "SELECT 1"))).reason
