"""A label index beside a real Oxigraph server: made once, dated, bounded, whole or not used."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import anyio
import pytest

from groundwire.graph.remote import RemoteGraph
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.label_store import LabelMirror
from groundwire.sparql.opening import Opener, Supplies
from groundwire.sparql.outcome import Outcome
from groundwire.sparql.workflow.model import Hit

JSON = "application/sparql-results+json"
LABEL = "<http://www.w3.org/2000/01/rdf-schema#label>"


@pytest.fixture(scope="session")
def towns(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """25,000 labels, more than two pages; a third of the entities has a type."""
    file = tmp_path_factory.mktemp("towns") / "towns.nt"
    lines = [f'<urn:town:{n}> {LABEL} "Town number {n} of Vale"@en .\n' for n in range(24_000)]
    lines += [f'<urn:river:{n}> {LABEL} "River {n}" .\n' for n in range(1_000)]
    lines += [
        f"<urn:river:{n}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <urn:River> .\n"
        for n in range(1_000)
    ]
    file.write_text("".join(lines), "utf-8")
    return file


@pytest.fixture(scope="session")
def url(towns: Path, serve_oxigraph: Callable[[Sequence[Path]], Any]) -> str:
    return serve_oxigraph([towns]).url


def endpoint(url: str, **more: Any) -> Endpoint:
    return Endpoint(name="towns", url=url, dialect="oxigraph", allow_private=True, **more)


def mirror(url: str, folder: Path, **more: Any) -> LabelMirror:
    return LabelMirror(url, folder, lambda: RemoteGraph.configured(url, dialect="oxigraph"), **more)


def searched(home: Path, where: Endpoint, texts: list[str]) -> list[tuple[list[Hit], Outcome]]:
    """Searches as the workflow makes them, after the index was made."""

    async def run() -> list[tuple[list[Hit], Outcome]]:
        opener = Opener(Supplies(home, (), None))
        try:
            runner = await opener.graph_runner(where)
            source = await opener.source(where, runner)
            await anyio.to_thread.run_sync(opener.mirror(where).wait, 60.0)
            return [await source.search(text, (), 5, 10.0) for text in texts]
        finally:
            await opener.close()

    return anyio.run(run)


def test_labels_are_found_by_the_index_and_the_audit_says_of_when_it_is(
    url: str, tmp_path: Path
) -> None:
    where = endpoint(url)
    assert where.text_search == "index"
    found = searched(tmp_path, where, ["River 77", "town number 23999 of vale", "Atlantis"])
    assert [[hit.iri for hit in hits][:1] for hits, _ in found] == [
        ["urn:river:77"], ["urn:town:23999"], [],
    ]  # fmt: skip
    assert found[0][0][0].types == ("urn:River",)
    assert 'LABEL INDEX MATCH "River 77" (labels as of 20' in found[0][1].audit.query_text
    assert found[2][1].status == "empty"


def test_it_is_made_once_and_opened_by_the_next_process(url: str, tmp_path: Path) -> None:
    first = mirror(url, tmp_path)
    assert first.current() is None, "whoever asks first does not wait"
    index = first.wait(60.0)
    assert index is not None and len(index) == 25_000
    made = first.made
    assert made is not None and made.labels == 25_000
    first.close()
    again = mirror(url, tmp_path)
    index = again.current()
    assert index is not None and again.made == made
    again.close()


def test_an_old_one_answers_while_it_is_made_anew(url: str, tmp_path: Path) -> None:
    first = mirror(url, tmp_path)
    assert first.wait(60.0) is not None
    old = first.made
    first.close()
    time.sleep(1.1)
    later = mirror(url, tmp_path, refresh=1.0)
    assert later.current() is not None and later.made == old
    later.wait(60.0)
    assert later.made is not None and old is not None and later.made.at > old.at
    later.close()


def test_too_many_labels_get_no_index_and_are_searched_by_expressions(
    url: str, tmp_path: Path
) -> None:
    big = mirror(url, tmp_path, most=1_000)
    assert big.wait(60.0) is None
    assert "25,000 labels, more than the 1,000" in big.problem
    assert list(tmp_path.iterdir()) == []


def half_of(kind: str) -> Callable[[Any], None]:
    """A server that counts more than it gives, has no COUNT, or gives pages that overlap."""

    def answer(exchange: Any) -> None:
        (query,) = parse_qs(exchange.body.decode())["query"]
        names = ["s", "p", "v"]
        if query == "ASK {}":
            exchange.answer('{"head":{},"boolean":true}', Content_Type=JSON)
            return
        if "COUNT" in query and kind == "no count":
            exchange.answer("no aggregates here", "400 Bad Request")
            return
        if "COUNT" in query:
            names, rows = ["n"], [{"n": {"type": "literal", "value": "4"}}]
        elif "?t" in query:
            rows = []
        else:
            start = int(query.rpartition("OFFSET ")[2])
            held = range(4 if kind == "no count" else 3)
            chosen = [n for n in held if n >= start][:2]
            if kind == "overlap" and start < 6:
                chosen = [0, 1]
            rows = [
                {"s": {"type": "uri", "value": f"urn:{n}"},
                 "p": {"type": "uri", "value": LABEL.strip("<>")},
                 "v": {"type": "literal", "value": f"label {n}"}}
                for n in chosen
            ]  # fmt: skip
        body = {"head": {"vars": names}, "results": {"bindings": rows}}
        exchange.answer(json.dumps(body), Content_Type=JSON)

    return answer


@pytest.mark.parametrize(("kind", "said"), [
    ("half", "Of 4 labels 3 could be read"), ("overlap", "came twice"),
])  # fmt: skip
def test_what_cannot_be_read_whole_is_not_used(
    kind: str, said: str, hostile: Any, tmp_path: Path
) -> None:
    broken = mirror(hostile.on("s", half_of(kind)), tmp_path)
    assert broken.wait(30.0) is None
    assert said in broken.problem


def test_an_endpoint_without_count_is_read_until_it_ends(hostile: Any, tmp_path: Path) -> None:
    plain = mirror(hostile.on("s", half_of("no count")), tmp_path)
    index = plain.wait(30.0)
    assert index is not None and len(index) == 4, plain.problem
    plain.close()
