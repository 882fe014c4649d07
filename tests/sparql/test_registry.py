"""The registry: what it holds, what it refuses, and who is found by which name."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from groundwire.errors import ConfigurationError, ForbiddenError, InputError, NotFoundError
from groundwire.profiles import FOLDER
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.registry import Registry, load_registry, parse_registry

GRAPH = 'name = "main"\nurl = "https://example.org/sparql"\n'


def registry(text: str, folder: Path = Path("/data")) -> Registry:
    return parse_registry(tomllib.loads(text), "endpoints.toml", folder)


def one(entry: str) -> Endpoint:
    """The endpoint of an entry, beside a graph that is the default."""
    text = f'default_endpoint = "main"\n[[endpoints]]\n{GRAPH}[[endpoints]]\nname = "other"\n'
    return registry(text + entry).find("other")


def refused(text: str) -> str:
    with pytest.raises(ConfigurationError) as caught:
        registry(text)
    message = str(caught.value)
    assert message.startswith("The endpoint registry endpoints.toml is not valid: ")
    assert "\n" not in message
    return message


def refused_entry(entry: str) -> str:
    text = f'default_endpoint = "main"\n[[endpoints]]\n{GRAPH}[[endpoints]]\nname = "other"\n'
    return refused(text + entry)


def test_the_embedded_registry_needs_no_network_and_holds_the_seeds_limits() -> None:
    found = load_registry(FOLDER / "endpoints.toml")
    assert [one.shown for one in found.endpoints] == [
        "local:help",
        "local:countries",
        "local:sample",
    ]
    assert {one.place for one in found.endpoints} == {"embedded"}
    assert found.find("default").text_search == "local"
    assert found.find("sample").kind == "sql"
    assert found.limits.model_dump() == {
        "max_queries_per_prompt": 6,
        "per_query_timeout_seconds": 30,
        "semantic_variant_retries": 2,
        "result_limit_default": 10,
        "max_parallel_endpoint_queries": 2,
        "maximum_total_kg_time_seconds": 120,
        "seconds_between_retries": 1,
        "max_stored_raw_payload_size_bytes": 5_242_880,
    }
    assert found.enforcement.mode == "off"
    assert found.enforcement.confidence_threshold == 0.7
    assert not found.allow_urls


def test_what_the_embedded_registry_says_is_what_holds_without_saying() -> None:
    said = load_registry(FOLDER / "endpoints.toml")
    unsaid = registry(f'default = "main"\n[[endpoints]]\n{GRAPH}')
    assert (said.limits, said.enforcement) == (unsaid.limits, unsaid.enforcement)
    assert (said.allow_urls, said.allow_private_urls) == (unsaid.allow_urls, False)


def test_the_openlink_registry_asks_three_endpoints_in_order() -> None:
    found = load_registry(FOLDER / "openlink.toml")
    assert [one.url for one in found.attempts] == [
        "https://linkeddata.uriburner.com/sparql",
        "https://kingsley.idehen.net/sparql",
        "https://demo.openlinksw.com/sparql",
    ]
    assert {(one.dialect, one.text_search) for one in found.attempts} == {
        ("virtuoso", "bif_contains")
    }
    assert found.find("default").name == "uriburner"
    for endpoint in found.attempts:
        host = endpoint.url.removesuffix("/sparql")
        assert endpoint.describe_template == f"{host}/describe/?uri={{iri}}"


def test_a_whole_entry() -> None:
    endpoint = one(
        """
        url = "https://data.example.org:8443/sparql"
        dialect = "virtuoso"
        describe_template = "https://data.example.org:8443/describe/?uri={iri}"
        username_env = "DATA_USER"
        password_env = "DATA_PASSWORD"
        timeout = 12.5
        limit = 25
        inference = "urn:rules:all"
        ontologies = ["http://schema.org/"]
        functions = ["http://www.w3.org/2005/xpath-functions#lower-case"]
        graphs = ["urn:graph:data"]
        languages = ["sparql"]
        """
    )
    assert endpoint.place == "remote"
    assert endpoint.path is None
    assert endpoint.languages == ("sparql",)
    assert endpoint.credentials({"DATA_USER": "me", "DATA_PASSWORD": "s3cret"}) == ("me", "s3cret")
    assert "s3cret" not in repr(endpoint)


def test_timeout_and_limit_are_the_endpoints_or_the_registrys() -> None:
    found = registry(
        f'default_endpoint = "main"\nlimits.per_query_timeout_seconds = 8\n[[endpoints]]\n{GRAPH}'
        '[[endpoints]]\nname = "b"\nurl = "https://b.example.org/"\ntimeout = 3\nlimit = 50\n'
    )
    main, b = found.endpoints
    assert (found.timeout(main), found.limit(main)) == (8, 10)
    assert (found.timeout(b), found.limit(b)) == (3, 50)


def test_what_follows_from_kind_and_place() -> None:
    assert one('url = "local:help"').dialect == "oxigraph"
    assert one('url = "https://example.org/"').text_search == "regex"
    assert one('url = "https://example.org/"\ndialect = "virtuoso"').text_search == "bif_contains"
    assert one('kind = "sql"\nurl = "local:sample"').languages == ("sql", "spasql")
    assert one('kind = "graphql"\nurl = "https://example.org/g"').languages == ("graphql",)


def test_paths_are_read_from_the_folder_of_the_file(tmp_path: Path) -> None:
    file = tmp_path / "endpoints.toml"
    file.write_text(
        'default_endpoint = "ours"\n[[endpoints]]\nname = "ours"\nfiles = ["a.ttl", "rdf"]\n'
        '[[endpoints]]\nname = "duck"\nkind = "sql"\nurl = "duckdb:facts.duckdb"\n'
        '[[endpoints]]\nname = "lite"\nkind = "sql"\nurl = "sqlite:///deep/facts.db"\n'
        '[[endpoints]]\nname = "far"\nkind = "sql"\nurl = "sqlite:////var/facts.db"\n',
        "utf-8",
    )
    ours, duck, lite, far = load_registry(file).endpoints
    assert (ours.place, ours.url) == ("files", "local:ours")
    assert ours.files == (tmp_path / "a.ttl", tmp_path / "rdf")
    assert (duck.place, duck.path) == ("duckdb", tmp_path / "facts.duckdb")
    assert (lite.place, lite.path) == ("sqlite", tmp_path / "deep/facts.db")
    assert far.path == Path("/var/facts.db")
    # Folders of the machine are nobody's business.
    assert [one.shown for one in (duck, lite, far)] == [
        "duckdb:facts.duckdb",
        "sqlite:facts.db",
        "sqlite:facts.db",
    ]


def test_a_file_that_is_not_there_says_which_variable_to_set(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="set GROUNDWIRE_ENDPOINTS to a TOML file"):
        load_registry(tmp_path / "absent.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "endpoints is missing: add one [[endpoints]] or more"),
        (f"[[endpoints]]\n{GRAPH}", "default_endpoint is missing: name a SPARQL endpoint"),
        (
            f'default_endpoint = "mian"\n[[endpoints]]\n{GRAPH}',
            "'mian' is no SPARQL endpoint of this file (there: main)",
        ),
        (
            'default_endpoint = "db"\n[[endpoints]]\nname = "db"\nkind = "sql"\nurl = "duckdb:a"',
            "'db' is no SPARQL endpoint",
        ),
        (
            f'default_endpoint = "main"\nfallback_endpoints = ["x"]\n[[endpoints]]\n{GRAPH}',
            "fallback_endpoints: 'x' is no SPARQL endpoint of this file",
        ),
        (
            f'default_endpoint = "main"\nfallback_endpoints = ["main"]\n[[endpoints]]\n{GRAPH}',
            "each is named once, and the default endpoint is none",
        ),
        (
            f'default_endpoint = "main"\n[[endpoints]]\n{GRAPH}[[endpoints]]\n'
            'name = "MAIN"\nurl = "https://b.example.org/"',
            "2 endpoints are named 'main': rename all but one",
        ),
        (
            f'default_endpoint = "main"\n[[endpoints]]\n{GRAPH}[[endpoints]]\n'
            'name = "default"\nurl = "https://b.example.org/"',
            "'default' stands for the default endpoint",
        ),
        (f'default_endpoint = "main"\ncolour = 1\n[[endpoints]]\n{GRAPH}', "colour: there is no"),
        (
            f'default_endpoint = "main"\ndefault = "main"\n[[endpoints]]\n{GRAPH}',
            "default: there is no such key",
        ),
        (
            f'default_endpoint = "main"\nallow_private_urls = true\n[[endpoints]]\n{GRAPH}',
            "does nothing without allow_urls = true",
        ),
        (
            'default_endpoint = "main"\nlimits.semantic_variant_retries = 4\n'
            f"[[endpoints]]\n{GRAPH}",
            "limits.semantic_variant_retries: must be at most 3",
        ),
        (
            f'default_endpoint = "main"\nlimits.max_queries_per_prompt = 2\n[[endpoints]]\n{GRAPH}',
            "limits.max_queries_per_prompt",
        ),
        (
            'default_endpoint = "main"\n'
            'enforcement.must_run_kg_workflow_for_prompt_classes = ["other"]\n'
            f"[[endpoints]]\n{GRAPH}",
            "must_run_kg_workflow_for_prompt_classes.0",
        ),
    ],
)
def test_a_registry_that_contradicts_itself(text: str, said: str) -> None:
    assert said in refused(text)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("", "has to be https://host/sparql or local:NAME, or give files"),
        ('url = "ftp://example.org/sparql"', "has to be https://host/sparql"),
        ('url = "duckdb:facts.duckdb"', "has to be https://host/sparql"),
        ('url = "https://"', "url of other: The URL names no host"),
        ('url = "https://exa mple.org/"', "percent-encode"),
        ('url = "local:"', "has to be"),
        ('kind = "sql"\nurl = "https://example.org/"', "duckdb:PATH, sqlite:///PATH"),
        ('kind = "sql"\nurl = "duckdb:"', "duckdb:PATH"),
        ('kind = "sql"\nurl = "sqlite://facts.db"', "sqlite:///PATH"),
        ('kind = "sql"\nfiles = ["a.ttl"]', "whose kind is sql"),
        ('kind = "graphql"\nurl = "local:help"', "https://host/graphql"),
        ('kind = "cypher"\nurl = "https://example.org/"', "kind"),
        ('url = "https://example.org/"\nfiles = ["a.ttl"]', "either url or files"),
        (
            'url = "https://example.org/"\ncolour = "red"',
            "endpoints.1.colour: there is no such key",
        ),
        ('url = "http://localhost:8890/sparql"', "set its allow_private = true"),
        ('url = "http://10.0.0.7/sparql"', "set its allow_private = true"),
        ('url = "http://[::1]:8890/sparql"', "set its allow_private = true"),
        ('url = "https://me:s3cret@example.org/sparql"', "holds a user name or password"),
        ('url = "https://example.org/sparql?apikey=s3cret"', "holds a key: remove it and name"),
        ('kind = "sql"\nurl = "postgresql://me:s3cret@db/x"', "username_env and password_env"),
        ('kind = "sql"\nurl = "postgresql://db/x?user=me&password=s3cret"', "holds a password"),
        ('url = "https://example.org/"\nusername_env = "A"', "both username_env and password_env"),
        (
            'url = "https://example.org/"\nusername_env = "A"\npassword_env = "B"\ntoken_env = "C"',
            "one kind of credentials",
        ),
        ('kind = "sql"\nurl = "postgresql://db/x"\ntoken_env = "T"', "one kind of credentials"),
        ('url = "local:help"\ntoken_env = "TOKEN"', "takes no credentials"),
        ('url = "https://example.org/"\ntoken_env = "s3cret"', "token_env"),
        (
            'url = "https://example.org/sparql"\n'
            'describe_template = "https://evil.example/describe/?uri={iri}"',
            "another origin than its url: use one at https://example.org:443",
        ),
        (
            'url = "https://example.org/sparql"\n'
            'describe_template = "http://example.org/describe/?uri={iri}"',
            "another origin",
        ),
        (
            'url = "https://example.org/sparql"\n'
            'describe_template = "https://example.org:8443/describe/?uri={iri}"',
            "another origin",
        ),
        (
            'url = "https://example.org/sparql"\ndescribe_template = "https://example.org/describe"',
            "{iri} in it once",
        ),
        (
            'url = "https://example.org/sparql"\n'
            'describe_template = "https://example.org/{iri}?again={iri}"',
            "{iri} in it once",
        ),
        (
            'url = "https://example.org/sparql"\ndescribe_template = "https://example.org{iri}"',
            "after its host and a /",
        ),
        (
            'url = "https://example.org/sparql"\ndescribe_template = "{iri}"',
            "after its host and a /",
        ),
        ('url = "local:help"\ndescribe_template = "https://example.org/?uri={iri}"', "no describe"),
        ('url = "https://example.org/"\ntext_search = "bif_contains"', 'dialect = "virtuoso"'),
        ('url = "https://example.org/"\ntext_search = "local"', "local is for local graphs"),
        ('url = "https://example.org/"\ninference = "rules"', 'needs dialect = "virtuoso"'),
        (
            'url = "https://example.org/"\ndialect = "virtuoso"\ninference = "r\' DEFINE x"',
            "inference",
        ),
        ('url = "https://example.org/"\nlanguages = ["sql"]', "sparql, spasql, graphql"),
        ('url = "https://example.org/"\nlanguages = []', "languages of other"),
        ('url = "https://example.org/"\ngraphs = ["not an iri"]', "graphs.0"),
        ('url = "https://example.org/"\nlimit = 0', "limit"),
        ('url = "https://example.org/"\ntimeout = 0', "timeout"),
    ],
)
def test_an_entry_that_is_wrong(entry: str, said: str) -> None:
    message = refused_entry(entry)
    assert said in message
    assert "s3cret" not in message


def test_a_private_address_is_allowed_by_configuration_and_only_that_one() -> None:
    endpoint = one('url = "http://127.0.0.1:8890/sparql"\nallow_private = true')
    assert endpoint.addresses.named == {"127.0.0.1:8890"}
    assert one('url = "https://example.org/"').addresses.named == frozenset()


def test_credentials_are_read_when_they_are_used() -> None:
    endpoint = one('url = "https://example.org/"\ntoken_env = "DATA_TOKEN"')
    with pytest.raises(ConfigurationError, match="other needs the variable DATA_TOKEN: set it"):
        endpoint.credentials({})
    assert endpoint.credentials({"DATA_TOKEN": "s3cret"}) == "s3cret"
    assert one('url = "https://example.org/"').credentials({}) is None


def test_a_database_takes_a_user_and_shows_none() -> None:
    endpoint = one(
        'kind = "sql"\nurl = "postgresql://reader@db.example.org/facts"\n'
        'username_env = "PG_USER"\npassword_env = "PG_PASSWORD"'
    )
    assert endpoint.place == "postgresql"
    assert endpoint.shown == "postgresql://***@db.example.org/facts"
    assert endpoint.credentials({"PG_USER": "a", "PG_PASSWORD": "b"}) == ("a", "b")


def three() -> Registry:
    return load_registry(FOLDER / "openlink.toml")


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("demo", "demo"),
        (" Kingsley ", "kingsley"),
        ("default", "uriburner"),
        ("https://demo.openlinksw.com/sparql", "demo"),
    ],
)
def test_an_endpoint_is_found_by_its_name(name: str, found: str) -> None:
    assert three().find(name).name == found


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("kingsly", "No endpoint is called 'kingsly': nearest is kingsley."),
        ("wikidata", "No endpoint is called 'wikidata': there are uriburner, kingsley, demo."),
        ("https://example.org/sparql", "has this URL: send a name, uriburner, kingsley, demo."),
    ],
)
def test_one_that_is_not_found_names_the_nearest(name: str, said: str) -> None:
    with pytest.raises(NotFoundError) as caught:
        three().find(name)
    assert said in str(caught.value)


def test_a_name_is_needed_and_a_kind_is_kept() -> None:
    with pytest.raises(InputError, match="Name an endpoint: uriburner"):
        three().find("  ")
    with pytest.raises(InputError, match="demo is a sparql endpoint, not sql and there is none"):
        three().find("demo", "sql")
    embedded = load_registry(FOLDER / "endpoints.toml")
    with pytest.raises(InputError, match="default is a sparql endpoint, not sql: use sample"):
        embedded.find("default", "sql")
    assert embedded.find("sample", "sql").shown == "local:sample"


def test_urls_of_callers_are_off_by_default() -> None:
    with pytest.raises(
        ForbiddenError, match="URLs of endpoints are not accepted here: send a name"
    ):
        three().admit("https://example.org/sparql")


def test_urls_of_callers_where_they_are_allowed() -> None:
    text = f'default_endpoint = "main"\nallow_urls = true\n[[endpoints]]\n{GRAPH}'
    admitted = registry(text).admit("https://example.org:8443/sparql")
    assert (admitted.url, admitted.place) == ("https://example.org:8443/sparql", "remote")
    assert admitted.addresses.named == frozenset()
    for url in ("http://localhost/sparql", "http://127.0.0.1:8890/", "http://[::1]/"):
        with pytest.raises(ForbiddenError, match="only the registry can name"):
            registry(text).admit(url)
    with pytest.raises(ForbiddenError, match="holds a key"):
        registry(text).admit("https://example.org/sparql?token=s3cret")
    with pytest.raises(ForbiddenError, match="user name"):
        registry(text).admit("https://me:s3cret@example.org/sparql")
    inside = registry(f"allow_private_urls = true\n{text}").admit("http://127.0.0.1:8890/")
    assert inside.addresses.named == {"127.0.0.1:8890"}


@pytest.mark.parametrize(
    ("said", "mode"),
    [
        ("", "off"),
        ('must_run_kg_workflow_for_prompt_classes = ["fact_lookup"]', "classes"),
        ("kg_mandatory_for_all_prompts = true", "strict"),
        (
            "kg_mandatory_for_all_prompts = true\n"
            'must_run_kg_workflow_for_prompt_classes = ["citation_request"]',
            "strict",
        ),
    ],
)
def test_what_is_demanded_of_everyone(said: str, mode: str) -> None:
    text = f'default_endpoint = "main"\n[enforcement]\n{said}\n[[endpoints]]\n{GRAPH}'
    assert registry(text).enforcement.mode == mode


@pytest.mark.parametrize("url", ["sqlite:///books.sqlite", "postgresql://localhost/books"])
def test_sparql_within_sql_is_taken_where_duckdb_joins_it(tmp_path: Path, url: str) -> None:
    tree = {
        "default_endpoint": "wiki",
        "endpoints": [
            {"name": "wiki", "url": "https://example.org/sparql"},
            {"name": "books", "kind": "sql", "url": url},
            {"name": "duck", "kind": "sql", "url": "duckdb:books.duckdb"},
        ],
    }
    registry = parse_registry(tree, "test", tmp_path)
    assert registry.find("books").languages == ("sql",)
    assert registry.find("duck").languages == ("sql", "spasql")
