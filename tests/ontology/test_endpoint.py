"""The harbour behind a SPARQL endpoint: one that answers well, and many that do not."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio
import pyoxigraph
import pytest

from groundwire.errors import DeadlineError, GroundwireError, UnavailableError
from groundwire.ontology import catalogue, page_queries
from groundwire.ontology import endpoint as endpoint_module
from groundwire.ontology.asset import get_asset
from groundwire.ontology.catalogue import Catalogue
from groundwire.ontology.discover import (
    discover_connections,
    discover_domains,
    discover_properties,
    discover_values,
)
from groundwire.ontology.results import SearchResult
from groundwire.ontology.search import Request, search
from groundwire.ontology.slots import Slots
from tests.ontology.conftest import ASSETS, SHAPES, short

JSON = "application/sparql-results+json"
HARBOUR = "https://example.org/harbour/"
Answer = Callable[[Any, str], None]
Call = Callable[[Catalogue], Any]


class Harbour:
    """Answers queries over the harbour, and keeps them."""

    def __init__(self, more: str = "") -> None:
        self._store = pyoxigraph.Store()
        self._store.load((ASSETS + more).encode(), format=pyoxigraph.RdfFormat.TURTLE)
        self.asked: list[str] = []

    def results(self, query: str) -> str:
        """The answer to a query as JSON."""
        found = self._store.query(query)
        if isinstance(found, pyoxigraph.QueryBoolean):
            return json.dumps({"head": {}, "boolean": bool(found)})
        assert isinstance(found, pyoxigraph.QuerySolutions)
        return (found.serialize(format=pyoxigraph.QueryResultsFormat.JSON) or b"").decode()

    def __call__(self, exchange: Any) -> None:
        query = parse_qs(exchange.body.decode())["query"][0]
        self.asked.append(query)
        self.reply(exchange, query)

    def reply(self, exchange: Any, query: str) -> None:
        """Answer one query; others override this."""
        exchange.answer(self.results(query), Content_Type=JSON)


class Faulty(Harbour):
    """Answers as a function says, which is handed the harbour's own answer as well."""

    def __init__(self, fault: Callable[[Any, str, str], None], more: str = "") -> None:
        super().__init__(more)
        self._fault = fault

    def reply(self, exchange: Any, query: str) -> None:
        self._fault(exchange, query, self.results(query))


def submit(slots: dict[str, Any], **rest: Any) -> Call:
    """A search as a call."""

    async def call(catalogue: Catalogue) -> SearchResult:
        return (await search(catalogue, Request(Slots.model_validate(slots), **rest)))[0]

    return call


def asks(tmp_path: Path, url: str) -> Callable[..., list[Any]]:
    """Runs calls on one catalogue at an endpoint; an error stands for the answer of its call."""
    shapes = tmp_path / "shapes.ttl"
    shapes.write_text(SHAPES, "utf-8")

    async def run(calls: Sequence[Call]) -> list[Any]:
        catalogue = Catalogue([shapes], [url], tmp_path / "home")
        answers: list[Any] = []
        try:
            for call in calls:
                try:
                    answers.append(await call(catalogue))
                except GroundwireError as error:
                    answers.append(error)
        finally:
            await catalogue.close()
        return answers

    return lambda *calls: anyio.run(run, calls)


@pytest.fixture
def at(hostile: Any, tmp_path: Path) -> Callable[[Harbour], Callable[..., list[Any]]]:
    """Runs calls on a catalogue behind an endpoint that answers as given."""
    return lambda harbour: asks(tmp_path, hostile.on("sparql", harbour))


SHIPS = {"domains": ["ship"]}
GERMAN = {**SHIPS, "filters": {"flag": "DE"}}
EVERY_CALL: tuple[Call, ...] = (
    submit(GERMAN),
    submit({**SHIPS, "filters": {"cargoTypes": ["containers", "bulk"]}}, sort="-length"),
    submit({**SHIPS, "ranges": {"crew": {"gt": 10}}}),
    submit({**SHIPS, "filters": {"hullNumber": {"exists": False}}}),
    submit({"domains": ["voyage"], "references": [{"domain": "ship", "filters": {"flag": "DE"}}]}),
    submit(SHIPS, count_by="flag"),
    submit({**SHIPS, "filters": {"cargoTypes": "contianers"}}),
    submit({**SHIPS, "filters": {"cargoTypes": "livestock"}}),
    submit({**SHIPS, "filters": {"flag": "pumpkins"}}),
    discover_domains,
    partial(discover_properties, domain="ship"),
    partial(discover_values, prop="flag"),
    partial(discover_values, prop="cargoTypes", domain="ship"),
    discover_connections,
    partial(get_asset, iri=f"{HARBOUR}aurora"),
)


def names(result: SearchResult) -> list[str]:
    return [short(item.iri) for item in result.results]


def same_as_local(remote: Sequence[Any], harbour: Any) -> None:
    """Check what every call answered at an endpoint against what a local store answers."""
    for call, found in zip(EVERY_CALL, remote, strict=True):
        local = harbour.call(call)
        if isinstance(found, tuple):
            found, local = found[0], local[0]
        shown = found.model_dump(exclude={"sparql", "explanation_of_empty", "gaps", "values"})
        expected = local.model_dump(exclude={"sparql", "explanation_of_empty", "gaps", "values"})
        for result in (shown, expected):
            # Without an order that was asked for each engine has its own.
            if "results" in result:
                result["results"] = sorted(result["results"], key=lambda item: item["iri"])
                result["first_page"] = ()
                result["answer"] = result["answer"].partition(":")[0]
            # What no shape declares is known of a store, and looked for at an endpoint.
            if "properties" in result:
                result["properties"] = [
                    one for one in result["properties"] if one["declared"] is not False
                ]
                result["answer"] = ""
        assert shown == expected


def test_every_call_answers_as_a_local_store_does(at: Any, harbour: Any) -> None:
    same_as_local(at(Harbour())(*EVERY_CALL), harbour)


def test_nothing_is_grouped_or_listed_before_a_search(at: Any) -> None:
    """A search asks for the values that it names, and counts no further than it must."""
    endpoint = Harbour()
    found, other = at(endpoint)(
        submit(GERMAN),
        submit({**SHIPS, "filters": {"cargoTypes": "containers"}, "ranges": {"crew": {"min": 5}}}),
    )
    assert (found.total, other.total) == (2, 2)
    assert not [query for query in endpoint.asked if "GROUP BY" in query]
    # Virtuoso 7.2 finds no term the same as a constant, so that nothing would match.
    assert not [query for query in endpoint.asked if "sameTerm" in query]
    for query in endpoint.asked:
        # Whatever has no limit of rows names what it is about.
        assert "LIMIT" in query or "VALUES" in query or query.startswith("ASK"), query


def test_stored_forms_of_a_value_are_found_beyond_what_was_read(
    at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the first statements of a predicate are read; the rest is asked for by value."""
    monkeypatch.setattr(endpoint_module, "_SAMPLE", 2)
    monkeypatch.setattr(endpoint_module, "_SAMPLE_OF_MANY", 2)
    ships = "\n".join(f':s{n} a :Ship ; :flag "A{n:02d}" ; :cargoTypes "bulk" .' for n in range(20))
    more = f'{ships} :zeta a :Ship ; :flag "ZZ"@de ; :cargoTypes "Reefer"@en .'
    found, tagged, typo = at(Harbour(more))(
        submit({**SHIPS, "filters": {"flag": "zz"}}),
        submit({**SHIPS, "filters": {"cargoTypes": "reefer"}}),
        submit({**SHIPS, "filters": {"cargoTypes": "refeer"}}),
    )
    assert names(found) == ["zeta"]
    assert sorted(names(tagged)) == sorted(names(typo)) == ["aurora", "zeta"]
    assert "reefer" in [one.resolved for one in typo.corrections if one.raw == "refeer"]


@pytest.mark.parametrize("word", ["GROUP BY", "COUNT", "EXISTS", "VALUES ?class"])
@pytest.mark.parametrize("refusal", ["400 Bad Request", "500 Internal Server Error"])
def test_an_endpoint_that_forbids_a_feature(word: str, refusal: str, at: Any) -> None:
    """What can be asked without it is answered, the rest is said; no number is made up."""

    def forbids(exchange: Any, query: str, answer: str) -> None:
        if word in query:
            exchange.answer(f"{word} is not allowed here", refusal, Content_Type="text/plain")
        else:
            exchange.answer(answer, Content_Type=JSON)

    german, domains, values, grouped = at(Faulty(forbids))(
        submit(GERMAN),
        discover_domains,
        partial(discover_values, prop="flag"),
        submit(SHIPS, count_by="flag"),
    )
    assert sorted(names(german)) == ["aurora", "ceres"], german
    held = {one.domain: one for one in domains.domains}
    assert {"Ship", "Port", "Voyage"} <= set(held)
    if word == "COUNT":
        assert held["Ship"].asset_count is None
        assert "not counted" in domains.answer
        assert isinstance(grouped, GroundwireError)
    assert {one.value for one in values.values} == {"DE", "NL", "FR"}
    if isinstance(grouped, GroundwireError):
        assert word in str(grouped)


ODD = ':erebus a :Ship ; :name "Erebus"@en ; :cargoTypes "bulk" ; :flag "dE" .'
NOT_GERMAN = submit({**SHIPS, "filters": {"flag": {"none_of": ["DE"]}}}, limit=1)


@pytest.mark.parametrize("forbidden", ["nothing at all", "GROUP BY ?value"])
def test_what_lacks_a_value_holds_it_in_no_other_form(
    forbidden: str, at: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other form is looked for among what matches, and left out; so is its number."""
    monkeypatch.setattr(endpoint_module, "_SAMPLE", 1)
    monkeypatch.setattr(endpoint_module, "_SAMPLE_OF_MANY", 1)

    def forbids(exchange: Any, query: str, answer: str) -> None:
        if forbidden in query:
            exchange.answer("not allowed here", "400 Bad Request", Content_Type="text/plain")
        else:
            exchange.answer(answer, Content_Type=JSON)

    [with_odd] = at(Faulty(forbids, ODD))(NOT_GERMAN)
    assert with_odd.total == 2, with_odd
    assert "dE" in with_odd.answer
    plain = Faulty(forbids)
    [without] = at(plain)(NOT_GERMAN)
    assert (without.total, without.confidence) == (2, "high"), without
    counts = [query for query in plain.asked if "groundwire_count" in query]
    assert bool(counts) == (forbidden == "GROUP BY ?value")


def test_what_was_not_looked_at_among_the_others_is_said(at: Any) -> None:
    def hangs(exchange: Any, query: str, answer: str) -> None:
        if "OPTIONAL" in query and "LCASE" in query:
            exchange.pause(20)
        exchange.answer(answer, Content_Type=JSON)

    [found] = at(Faulty(hangs, ODD))(NOT_GERMAN)
    assert found.confidence == "low"
    assert "could be looked at in time" in found.answer


def test_an_endpoint_that_hangs(at: Any, monkeypatch: pytest.MonkeyPatch, on_time: Any) -> None:
    monkeypatch.setattr(catalogue, "CALL_SECONDS", 1.0)

    def hangs(exchange: Any, query: str, answer: str) -> None:
        exchange.pause(20)

    run = at(Faulty(hangs))
    for _ in on_time(2.5):
        # On a busy machine a call may have no time left to say what was not read.
        tried = (run(submit(GERMAN))[0] for _ in range(6))
        refused = next(one for one in tried if not isinstance(one, DeadlineError))
        [gap] = refused.gaps
        assert (refused.status, gap.reason) == ("rejected", "limitation")
        assert "could not all be read in time" in gap.detail
        [error] = run(submit(SHIPS))
        assert isinstance(error, UnavailableError)


def test_an_endpoint_that_hangs_on_what_is_heavy(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting, lists and numbers take too long: each call says so, and no zero is certain."""
    monkeypatch.setattr(catalogue, "CALL_SECONDS", 3.0)
    monkeypatch.setattr(page_queries, "KEPT_FOR_VALUES", 0.8)
    monkeypatch.setattr(endpoint_module, "_SAMPLE", 1)
    monkeypatch.setattr(endpoint_module, "_SAMPLE_OF_MANY", 1)

    def hangs(exchange: Any, query: str, answer: str) -> None:
        heavy = "GROUP BY" in query or "ORDER BY" in query or "DISTINCT ?value" in query
        if heavy and "?asset ?key" not in query:
            exchange.pause(20)
        exchange.answer(answer, Content_Type=JSON)

    found, ordered, values, unknown, absent = at(Faulty(hangs))(
        submit(GERMAN),
        submit(GERMAN, sort="length"),
        partial(discover_values, prop="flag"),
        submit({**SHIPS, "filters": {"flag": "Atlantis"}}),
        submit({**SHIPS, "filters": {"cargoTypes": "livestock"}}),
    )
    assert (sorted(names(found)), found.total) == (["aurora", "ceres"], 2)
    assert isinstance(ordered, DeadlineError)
    assert "without sorting by length" in str(ordered)
    assert not values.is_complete
    assert "could not be counted in time" in values.answer
    assert "at least" in values.answer
    assert unknown.status == "rejected"
    assert (absent.status, absent.confidence) == ("empty", "low")
    assert "could not be read in time" in absent.answer


def test_an_endpoint_that_answers_half(at: Any) -> None:
    """It says so: nothing of it is taken for the whole, and nothing in it for a zero."""

    def halves(exchange: Any, query: str, answer: str) -> None:
        table = json.loads(answer)
        if "results" in table:
            rows = table["results"]["bindings"]
            table["results"]["bindings"] = rows[: len(rows) // 2]
        exchange.answer(json.dumps(table), "206 Partial Content", Content_Type=JSON)

    for answer in at(Faulty(halves))(*EVERY_CALL[:9]):
        if isinstance(answer, SearchResult):
            assert not (answer.status == "empty" and answer.confidence == "high"), answer
            assert not answer.total_is_exact or answer.status == "rejected", answer
        else:
            assert isinstance(answer, GroundwireError)


NOT_ANSWERS = {
    "HTML": lambda exchange: exchange.answer("<html>Welcome</html>", Content_Type="text/html"),
    "HTML called JSON": lambda exchange: exchange.answer("<html></html>", Content_Type=JSON),
    "cut JSON": lambda exchange: exchange.answer(
        '{"head": {"vars": ["class"]}, "results": {"bind', Content_Type=JSON
    ),
    "closed": lambda exchange: exchange.connection.close(),
    "closed in the answer": lambda exchange: exchange.answer("{", length=500, Content_Type=JSON),
}


@pytest.mark.parametrize("kind", NOT_ANSWERS)
def test_what_is_no_answer_is_an_error(kind: str, at: Any) -> None:
    """From the beginning, and once the kinds of asset are known."""

    def breaks(exchange: Any, query: str, answer: str) -> None:
        NOT_ANSWERS[kind](exchange)
        if kind.startswith("closed"):
            exchange.connection.close()

    [error] = at(Faulty(breaks))(submit(GERMAN))
    assert isinstance(error, UnavailableError)
    assert "\n" not in str(error)

    def later(exchange: Any, query: str, answer: str) -> None:
        if "SELECT DISTINCT ?asset" in query:
            breaks(exchange, query, answer)
        else:
            exchange.answer(answer, Content_Type=JSON)

    for found in at(Faulty(later))(submit(GERMAN), submit({**SHIPS, "filters": {"flag": "XX"}})):
        assert isinstance(found, UnavailableError) or found.status == "rejected"


def test_an_endpoint_that_calls_itself_another_server(at: Any) -> None:
    """A proxy names Virtuoso and refuses the parameters of one."""

    def lies(exchange: Any, query: str, answer: str) -> None:
        if "timeout" in parse_qs(exchange.body.decode()):
            exchange.answer("unknown parameter timeout", "400 Bad Request")
        else:
            exchange.answer(answer, Content_Type=JSON, Server="Virtuoso/08.03")

    found, values = at(Faulty(lies))(submit(GERMAN), partial(discover_values, prop="flag"))
    assert sorted(names(found)) == ["aurora", "ceres"]
    assert (found.total, found.total_is_exact) == (2, True)
    assert {one.value: one.count for one in values.values} == {"DE": 2, "NL": 1, "FR": 1}


def test_a_slow_endpoint(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fifth of the time of a call for each query, as 2 s of 9: still each call ends in time."""
    monkeypatch.setattr(catalogue, "CALL_SECONDS", 4.0)
    monkeypatch.setattr(page_queries, "KEPT_FOR_VALUES", 0.8)
    monkeypatch.setattr(endpoint_module, "SLOW", 0.4)

    def slow(exchange: Any, query: str, answer: str) -> None:
        time.sleep(0.8)
        exchange.answer(answer, Content_Type=JSON)

    first, again, empty, text, domains = at(Faulty(slow))(
        submit(GERMAN),
        submit({**SHIPS, "filters": {"flag": "NL", "cargoTypes": "containers"}}),
        submit({**SHIPS, "filters": {"flag": "DE", "cargoTypes": "livestock"}}),
        submit({**SHIPS, "filters": {"flag": {"contains": "zz"}}}),
        discover_domains,
    )
    assert sorted(names(first)) == ["aurora", "ceres"]
    assert names(again) == ["boreas"]
    for zero in (empty, text):
        assert (zero.status, zero.confidence) == ("empty", "low"), zero
        assert "could" in zero.answer
    assert {"Ship", "Port", "Voyage"} <= {one.domain for one in domains.domains}


def test_names_that_could_not_be_read_are_said(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "CALL_SECONDS", 4.0)
    monkeypatch.setattr(page_queries, "KEPT_FOR_VALUES", 0.8)

    def hangs(exchange: Any, query: str, answer: str) -> None:
        if "?asset ?key ?value" in query:
            exchange.pause(20)
        exchange.answer(answer, Content_Type=JSON)

    [found] = at(Faulty(hangs))(submit(GERMAN))
    assert (sorted(names(found)), found.total) == (["aurora", "ceres"], 2)
    assert "Names and values of these assets could not be read in time" in found.answer
