"""Groundwire's own help as a graph: whole, linked, in two languages, and true of the commands."""

from __future__ import annotations

import csv
import re
import tomllib
from collections import Counter
from collections.abc import Iterator

import pyoxigraph as ox
import pytest

from groundwire.cli.arguments import HOSTS
from groundwire.profiles import FOLDER, sparql_help, sparql_sample

HELP = "https://groundwire.example/help#"
SCHEMA = "http://schema.org/"
LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
COMMANDS = ("help", "query", "config", "troubleshoot", "limit", "kg-on", "kg-off", "kg-verify")


@pytest.fixture(scope="module")
def store() -> ox.Store:
    store = ox.Store()
    for file in sparql_help():
        store.load(path=str(file))
    return store


def select(store: ox.Store, where: str) -> Iterator[tuple[str, ...]]:
    rows = store.query(f"PREFIX schema: <{SCHEMA}> PREFIX rdfs: <{LABEL[:-5]}> {where}")
    assert isinstance(rows, ox.QuerySolutions)
    for row in rows:
        yield tuple(cell.value for cell in row if cell is not None)


def test_there_are_sixty_entries_and_more(store: ox.Store) -> None:
    counts = dict(select(store, "SELECT ?t (COUNT(?s) AS ?n) { ?s a ?t } GROUP BY ?t"))
    entries = {kind: int(counts[SCHEMA + kind]) for kind in ("Question", "DefinedTerm", "HowTo")}
    assert all(count >= 20 for count in entries.values())
    assert sum(entries.values()) >= 60
    assert counts[SCHEMA + "FAQPage"] == counts[SCHEMA + "DefinedTermSet"] == "1"


def test_every_question_has_an_answer_in_both_languages(store: ox.Store) -> None:
    question = "?q a schema:Question"
    questions = {iri for (iri,) in select(store, f"SELECT ?q {{ {question} }}")}
    for language in ("en", "zh"):
        answered = select(
            store,
            f"SELECT DISTINCT ?q {{ {question} ; schema:name ?n ; "
            "schema:acceptedAnswer/schema:text ?t . "
            f'FILTER(LANG(?t) = "{language}" && LANG(?n) = "{language}") }}',
        )
        assert {iri for (iri,) in answered} == questions
    listed = select(store, "SELECT ?q { ?p a schema:FAQPage ; schema:mainEntity ?q }")
    assert {iri for (iri,) in listed} == questions


def test_every_term_is_defined_in_both_languages_and_listed(store: ox.Store) -> None:
    terms = {iri for (iri,) in select(store, "SELECT ?t { ?t a schema:DefinedTerm }")}
    for language in ("en", "zh"):
        defined = select(
            store,
            "SELECT ?t { ?t a schema:DefinedTerm ; rdfs:label ?n ; schema:description ?d . "
            f'FILTER(LANG(?d) = "{language}" && LANG(?n) = "{language}") }}',
        )
        assert {iri for (iri,) in defined} == terms
    assert {i for (i,) in select(store, "SELECT ?t { ?s schema:hasDefinedTerm ?t }")} == terms


def test_steps_are_numbered_from_one(store: ox.Store) -> None:
    steps: dict[str, set[int]] = {}
    query = "SELECT ?h ?n { ?h a schema:HowTo ; schema:step ?s . ?s schema:position ?n ; "
    for how, number in select(store, query + "schema:text ?text }"):
        steps.setdefault(how, set()).add(int(number))
    assert len(steps) == len(list(select(store, "SELECT ?h { ?h a schema:HowTo }")))
    assert all(sorted(places) == list(range(1, len(places) + 1)) for places in steps.values())


def test_every_link_leads_to_an_entry(store: ox.Store) -> None:
    described = {quad.subject for quad in store}
    linked = {
        quad.object
        for quad in store
        if isinstance(quad.object, ox.NamedNode) and quad.object.value.startswith(HELP)
    }
    assert linked <= described
    assert all(node.value.startswith(HELP) for node in described)


def test_every_entry_has_a_german_label_unless_it_is_the_english_word(store: ox.Store) -> None:
    where = '?s rdfs:label ?e FILTER(LANG(?e) = "en") FILTER NOT EXISTS { ?s rdfs:label ?g '
    without = select(store, f'SELECT ?e {{ {where} FILTER(LANG(?g) = "de") }} }}')
    assert sorted(label for (label,) in without) == ["host", "shape", "slot"]


def test_no_two_entries_of_a_kind_have_one_label(store: ox.Store) -> None:
    named = Counter(
        (kind, label.casefold())
        for kind, label, _ in select(
            store, "SELECT DISTINCT ?k (STR(?n) AS ?label) ?s { ?s a ?k ; rdfs:label ?n }"
        )
    )
    assert [name for name, count in named.items() if count > 1] == []


def test_every_host_and_command_is_there(store: ox.Store) -> None:
    text = "\n".join(quad.object.value for quad in store if isinstance(quad.object, ox.Literal))
    for host in HOSTS:
        assert f"groundwire config {host} " in text
    described = {iri.removeprefix(HELP) for (iri,) in select(store, "SELECT ?h { ?h a ?t }")}
    for command in COMMANDS:
        assert f"/{command}" in text or command in text
    assert {"use-the-help-command", "use-kg-on-and-kg-off", "use-kg-verify"} <= described


def test_files_and_variables_that_the_help_names_are_there(store: ox.Store) -> None:
    text = "\n".join(quad.object.value for quad in store if isinstance(quad.object, ox.Literal))
    for name in re.findall(r"profiles/([\w.]+\w)", text):
        assert (FOLDER / name).is_file(), name
    variables = (FOLDER.parent / "docs" / "variables.md").read_text("utf-8")
    missing = set(re.findall(r"GROUNDWIRE_[A-Z_]+", text)) - set(
        re.findall(r"GROUNDWIRE_[A-Z_]+", variables)
    )
    assert missing <= {"GROUNDWIRE_ENDPOINTS"}


def test_the_help_speaks_of_the_tables_of_the_sample(store: ox.Store) -> None:
    [text] = [
        text
        for (text,) in select(
            store,
            f"SELECT ?t {{ <{HELP}what-is-in-the-sample-database> "
            'schema:acceptedAnswer/schema:text ?t FILTER(LANG(?t) = "en") }',
        )
    ]
    definition = tomllib.loads(sparql_sample().read_text("utf-8"))
    assert all(table["name"] in text for table in definition["tables"])


def test_countries_of_the_sample_are_those_of_the_profile() -> None:
    profile = tomllib.loads((FOLDER / "metrics.toml").read_text("utf-8"))
    names = {e["code"]: e for e in profile["entities"] if e["kind"] == "country"}
    with (FOLDER / "sparql_sample_countries.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["code"]: row for row in csv.DictReader(file)}
    assert rows.keys() == names.keys()
    for code, row in rows.items():
        assert row["name"] == names[code]["name"]
        assert not row["name_zh"] or row["name_zh"] in names[code]["aliases"]
