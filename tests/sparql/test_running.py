"""`run_kg_workflow`: the policy in force, the user's decisions, and runs that outlive a call."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace

import pytest

from groundwire import profiles, shapes
from groundwire.errors import InputError, NotFoundError, UnavailableError
from groundwire.graph.terms import iri, literal
from groundwire.profiles import sparql_help
from groundwire.safe_text import inert_line as inert
from groundwire.sparql.endpoint import Endpoint
from groundwire.sparql.execution import Endpoints
from groundwire.sparql.opening import Supplies
from groundwire.sparql.outcome import Outcome, QueryAudit, Request
from groundwire.sparql.registry import parse_registry
from groundwire.sparql.running import WorkflowRequest, run_kg_workflow
from groundwire.sparql.runs import KgRunStore, Runs
from groundwire.sparql.workflow.model import EXIT_MESSAGE, QUESTION
from groundwire.sparql.workflow.sources import QueriedSource
from groundwire.sparql.workspace import KgPolicies, Workspace

pytestmark = pytest.mark.anyio
CLEAR, GUESS, TASK = "Who founded Acme?", "Acme founders", "Write a poem about rain"
NUMBERS = itertools.count()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class Graph:
    """A graph that knows nothing, or one entity by its label and what it says of it."""

    name: str
    knows: str = ""
    says: bool = True
    wait: asyncio.Event | None = None
    raises: Exception | None = None
    log: list[str] = field(default_factory=list)
    languages: frozenset[str] = frozenset({"sparql"})

    async def close(self) -> None:
        pass

    async def run(self, request: Request) -> Outcome:
        self.log.append(request.text)
        if self.wait is not None:
            await self.wait.wait()
        if self.raises is not None:
            raise self.raises
        label = "?attribute" in request.text and "?label" not in request.text
        found = ((iri("https://d.example/e#1"), literal(self.knows)),) if self.knows else ()
        said = ((*found[0], literal("What is held of it.")),) if found and self.says else ()
        rows = found if label else said if "?entity ?label ?text" in request.text else ()
        status = "complete" if rows else "empty"
        audit = QueryAudit(
            "sparql", request.text, self.name, "https://x", "then", "later", 200, status, "said"
        )
        columns = ("entity", "value") if label else ("entity", "label", "text")
        return Outcome(status, columns, rows, "", audit)


@dataclass
class Place:
    """A workspace over such graphs."""

    tmp_path: Path
    graphs: list[Graph]
    enforcement: dict[str, object] = field(default_factory=dict)
    broken: str = ""
    closed: str = ""
    limits: dict[str, float] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # Each has URLs of its own, since what is known of a graph is kept by URL.
        number = next(NUMBERS)
        by_name = {graph.name: graph for graph in self.graphs}
        tree = {
            "default_endpoint": self.graphs[0].name,
            "fallback_endpoints": [graph.name for graph in self.graphs[1:]],
            "enforcement": self.enforcement,
            "limits": {"seconds_between_retries": 0, **self.limits},
            "endpoints": [
                {
                    "name": graph.name,
                    "url": f"https://{graph.name}{number}.example/sparql",
                    "describe_template": f"https://{graph.name}{number}.example/d?u={{iri}}",
                }
                for graph in self.graphs
            ]
            + [{"name": "tables", "kind": "sql", "url": "local:sample"}],
        }
        registry = parse_registry(tree, "endpoints.toml", self.tmp_path)

        async def make(endpoint: Endpoint, language: str) -> Graph:
            if endpoint.name == self.broken:
                raise UnavailableError("the file is gone")
            if endpoint.name == self.closed:
                await self.key.wait()
            return by_name[endpoint.name]

        async def source(endpoint: Endpoint, runner: Graph) -> QueriedSource:
            return QueriedSource(endpoint, runner)

        self._desk = SimpleNamespace(
            registry=registry,
            endpoints=Endpoints(registry, make),
            opener=SimpleNamespace(source=source),
        )
        self.policies = KgPolicies(self.tmp_path / "policies.sqlite")
        self.runs = Runs()
        self.key = asyncio.Event()

    async def desk(self) -> SimpleNamespace:
        return self._desk

    async def ask(self, prompt: str = "", owner: str = "me", seconds: float = 5, **more: object):
        request = WorkflowRequest(prompt, **more)
        return (await run_kg_workflow(self, self.runs, owner, request, seconds))[0]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Callable[..., Place]]:
    made: list[Place] = []

    def make(*graphs: Graph, **more: object) -> Place:
        made.append(Place(tmp_path, list(graphs) or [Graph("a")], **more))
        return made[-1]

    yield make
    for one in made:
        one.policies.close()


CLASSES = {"must_run_kg_workflow_for_prompt_classes": ["fact_lookup"]}
STRICT = {"kg_mandatory_for_all_prompts": True}


async def test_rows_link_to_the_endpoint_that_answered(place) -> None:
    here = place(Graph("a"), Graph("b", knows=CLEAR))
    found = await here.ask(CLEAR)
    assert found.status == "answered"
    [row] = found.rows
    assert row["endpoint"] == "b"
    assert row["describe_url"].endswith("/d?u=https%3A%2F%2Fd.example%2Fe%231")
    assert row["describe_url"].startswith("https://b") and row["describe_url"] in found.markdown
    # A hit at a fallback changes nothing for the next prompt.
    await here.ask("Who founded Brass?")
    assert here._desk.registry.default == "a"
    assert any("Brass" in text for text in here.graphs[0].log)


async def test_an_endpoint_that_cannot_be_opened_has_an_audit(place) -> None:
    here = place(Graph("a"), Graph("b"), broken="a")
    found = await here.ask(CLEAR)
    assert found.status == "needs_decision"
    assert found.audits[0]["endpoint"] == "a"
    assert "the file is gone" in found.audits[0]["per_query_status_and_error"]
    assert found.answer.startswith("Nothing was found, which does not mean")
    assert "the file is gone" in found.answer and found.answer.endswith(QUESTION)


async def test_an_endpoint_that_takes_too_long_to_open_costs_the_time_of_the_run(place) -> None:
    here = place(Graph("a", knows=CLEAR), closed="a", limits={"maximum_total_kg_time_seconds": 0.2})
    found = await here.ask(CLEAR, seconds=30)
    assert found.status == "needs_decision"
    assert "was not open within the time of the run" in found.answer
    assert found.audits[0]["per_query_status_and_error"].startswith("error: Endpoint a")
    # It is opened all the same, and the next run finds it open.
    here.key.set()
    await asyncio.sleep(0)
    assert (await here.ask(CLEAR, seconds=30)).status == "answered"


async def test_strict_aborts_with_the_exit_message_and_the_audit(place) -> None:
    found = await place(enforcement=STRICT).ask(CLEAR)
    assert (found.status, found.exit_message, found.answer) == (
        "aborted", EXIT_MESSAGE, EXIT_MESSAGE
    )  # fmt: skip
    assert found.audits and found.question is None


@pytest.mark.parametrize("enforce", ["off", "classes", None])
async def test_a_call_weakens_nothing(place, enforce) -> None:
    assert (await place(enforcement=STRICT).ask(CLEAR, enforce=enforce)).status == "aborted"


async def test_a_call_may_tighten(place) -> None:
    assert (await place().ask(CLEAR, enforce="strict")).status == "aborted"
    assert (await place().ask(CLEAR, enforce="classes")).status == "aborted"
    assert (await place().ask(TASK, enforce="classes")).status == "needs_decision"


async def test_a_prompt_of_an_enforced_class_is_strict(place) -> None:
    here = place(enforcement=CLASSES)
    assert (await here.ask(CLEAR)).status == "aborted"
    free = await here.ask("Please give me the source for that claim")
    assert free.question == QUESTION


async def test_where_nobody_can_be_sure_the_user_is_asked_before_anything_is_sent(place) -> None:
    here = place(enforcement=CLASSES)
    asked = await here.ask(GUESS)
    assert (asked.status, asked.audits, here.graphs[0].log) == ("needs_decision", [], [])
    assert "mandatory" in asked.question and "0.5, below 0.7" in asked.question
    strict = await here.ask(run_id=asked.run_id, enforce="strict")
    assert strict.status == "aborted" and strict.audits
    free = await here.ask(run_id=asked.run_id, decision="continue")
    assert free.question == QUESTION and free.audits
    without = await here.ask(run_id=asked.run_id, decision="synthesize")
    assert (without.status, without.audits) == ("answered", [])


async def test_the_user_decides_after_a_run_that_found_nothing(place) -> None:
    here = place(Graph("a"), Graph("b"))
    first = await here.ask("alpha beta gamma delta", variants=("one", "two"))
    assert first.question == QUESTION
    further = await here.ask(run_id=first.run_id, decision="continue")
    assert further.run_id != first.run_id
    before = {(one["endpoint"], one["query_text"]) for one in first.audits}
    now = {(one["endpoint"], one["query_text"]) for one in further.audits}
    assert now and not before & now
    here.graphs[0].knows = "copper"
    variants = await here.ask(run_id=further.run_id, decision="variants", variants=("copper",))
    assert variants.status == "entity_found" and variants.rows
    asked = ("What is copper?",)
    variants = await here.ask(run_id=further.run_id, decision="variants", variants=asked)
    assert variants.status == "answered" and variants.rows
    assert "for “What is copper?”, which was asked instead of “alpha beta" in variants.markdown
    synthesized = await here.ask(run_id=further.run_id, decision="synthesize")
    assert (synthesized.status, synthesized.rows) == ("answered", [])
    assert synthesized.audits == further.audits


async def test_strict_mode_knows_no_answer_without_the_graph(place) -> None:
    here = place(enforcement=STRICT)
    first = await here.ask(CLEAR)
    found = await here.ask(run_id=first.run_id, decision="synthesize")
    assert (found.status, found.exit_message) == ("aborted", EXIT_MESSAGE)
    assert found.audits == first.audits


async def test_a_policy_that_was_tightened_since_holds_for_the_decision(place) -> None:
    here = place()
    first = await here.ask(CLEAR)
    here.policies.change("me", mode="strict", limit=None, reset=False)
    assert (await here.ask(run_id=first.run_id, decision="synthesize")).status == "aborted"


async def test_asking_for_a_run_again_shows_its_report(place) -> None:
    here = place()
    first = await here.ask(CLEAR, variants=("Acme",))
    count = len(here.graphs[0].log)
    again = await here.ask(run_id=first.run_id, variants=("Acme",), enforce="off")
    assert (again.run_id, again.markdown) == (first.run_id, first.markdown)
    assert len(here.graphs[0].log) == count


async def test_a_run_goes_on_after_the_call(place) -> None:
    here = place(Graph("a", knows=CLEAR, wait=asyncio.Event()))
    running = await here.ask(CLEAR, seconds=0.05)
    assert (running.status, running.rows) == ("running", [])
    with pytest.raises(InputError, match="still under way"):
        await here.ask(run_id=running.run_id, decision="continue")
    with pytest.raises(NotFoundError):
        await here.ask(run_id=running.run_id, owner="somebody else")
    here.graphs[0].wait.set()
    assert (await here.ask(run_id=running.run_id)).status == "answered"


async def test_what_a_run_dies_of_is_an_error_of_the_call(place) -> None:
    here = place(Graph("a", raises=RuntimeError("a bug")))
    with pytest.raises(BaseException) as caught:
        await asyncio.wait_for(here.ask(CLEAR), 60)
    assert "a bug" in repr(caught.value)
    # What an engine refuses is in the report.
    here.graphs[0].raises = UnavailableError("no socket")
    found = await here.ask(CLEAR)
    assert "no socket" in found.answer and found.audits


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"prompt": "  "}, "Send `prompt`"),
        ({"prompt": "x", "decision": "continue"}, "run_id"),
        ({"prompt": "x", "limit": 0}, "limit"),
        ({"prompt": "x", "entity_types": ("no iri",)}, "no IRI"),
        ({"prompt": "x", "endpoint": "tables"}, "no graph"),
    ],
)
async def test_what_cannot_be_asked_is_said(place, request_, message: str) -> None:
    with pytest.raises(InputError, match=message):
        await place().ask(**request_)


async def test_an_endpoint_and_a_type_by_name(place) -> None:
    here = place(Graph("a"), Graph("b"))
    with pytest.raises(NotFoundError):
        await here.ask(CLEAR, endpoint="nowhere")
    found = await here.ask(CLEAR, endpoint="b", entity_types=("Question",))
    assert found.audits[0]["endpoint"] == "b"
    assert "<http://schema.org/Question>" in found.audits[0]["query_text"]


async def test_the_embedded_default_answers(tmp_path: Path) -> None:
    catalogue = Path(shapes.__file__).parent / "catalogue.ttl"
    supplies = Supplies(tmp_path, (*sparql_help(), catalogue), None)
    workspace = Workspace(Path(profiles.__file__).parent / "endpoints.toml", supplies)
    runs = Runs()
    try:
        for prompt, status in (
            ("What is SPARQL?", "answered"),
            ("Which standard query language do RDF graphs have?", "entity_found"),
        ):
            request = WorkflowRequest(prompt)
            found, draft = await run_kg_workflow(workspace, runs, "me", request)
            assert found.status == status and draft is not None
            assert any("sparql" in row["iri"] for row in found.rows)
        related = WorkflowRequest("What is related to provenance?")
        found, _ = await run_kg_workflow(workspace, runs, "me", related)
        assert found.status == "answered"
        assert found.answer == "Related term of provenance: lineage, provenance link."
        held = "https://groundwire.example/help#provenance"
        assert all(held in row["triples"][0].values() for row in found.rows)
        unread = WorkflowRequest("Who invented provenance?")
        found, _ = await run_kg_workflow(workspace, runs, "me", unread)
        assert found.status == "entity_found"
        missing = WorkflowRequest("Who won the chess match yesterday?")
        found, _ = await run_kg_workflow(workspace, runs, "me", missing)
        assert (found.status, found.question) == ("needs_decision", QUESTION)
    finally:
        runs.close()
        await workspace.close()


async def test_everything_of_the_embedded_help_is_answered_by_its_title(tmp_path: Path) -> None:
    """Each question by its answer, and each how-to by all its steps in order."""
    pyoxigraph = pytest.importorskip("pyoxigraph")
    store = pyoxigraph.Store()
    for file in sparql_help():
        store.load(path=file)
    prefix = "PREFIX s: <http://schema.org/> SELECT"
    titles = store.query(
        f"{prefix} ?e ?name ?answer WHERE {{ ?e a ?type ; s:name ?name . "
        "FILTER(?type IN (s:Question, s:HowTo)) OPTIONAL { ?e s:acceptedAnswer/s:text ?answer "
        "FILTER(LANG(?answer) = LANG(?name)) } }"
    )
    steps: dict[tuple[str, str], list[str]] = {}
    for how_to, _, text in store.query(
        f"{prefix} ?e ?at ?text WHERE {{ ?e s:step ?s . ?s s:position ?at ; s:text ?text }} "
        "ORDER BY ?at"
    ):
        steps.setdefault((how_to.value, text.language), []).append(text.value)
    supplies = Supplies(tmp_path, sparql_help(), None)
    workspace = Workspace(Path(profiles.__file__).parent / "endpoints.toml", supplies)
    runs = Runs()
    how_tos = 0
    try:
        for entity, name, said in titles:
            found, _ = await run_kg_workflow(workspace, runs, "me", WorkflowRequest(name.value))
            assert found.status == "answered", name.value
            [row] = found.rows
            if said is not None:
                assert row["text"] == said.value
            else:
                how_tos += 1
                assert row["steps_are_whole"]
                own = steps.get((entity.value, name.language), steps[entity.value, "en"])
                assert row["steps"] == own
                assert all(f"{n}. {one}" in found.answer for n, one in enumerate(row["steps"], 1))
        assert how_tos == 2 * 26
    finally:
        runs.close()
        await workspace.close()


HOSTILE = "Water](javascript:alert(1)) <b> ![x](https://evil.example)\n# two\u202e"


async def test_a_label_breaks_out_of_no_answer(tmp_path: Path) -> None:
    from groundwire.sparql.running import _result
    from groundwire.sparql.workflow.endings import answer_text, found_text
    from groundwire.sparql.workflow.model import Report, Row, Steps

    endpoint = Endpoint(name="a", url="https://a.example/sparql")
    steps = Steps((HOSTILE,), (1,))
    rows = tuple(
        Row(iri, HOSTILE, HOSTILE, 1.0, endpoint, looked_for=HOSTILE, steps=made)
        for iri in ("https://d.example/e", "javascript:alert(1)")
        for made in (None, steps)
    )
    for ending in ("answered", "entity_found"):
        told = (answer_text if ending == "answered" else found_text)(HOSTILE, rows)
        result = _result(Report(ending, told, rows, (), ()), "kg_x", HOSTILE)
        assert [row["label"] for row in result.rows] == [inert(HOSTILE)] * 4
        texts = [result.answer, *(str(row) for row in result.rows), result.markdown or ""]
        for text in texts:
            assert "](javascript:" not in text and "](https://evil" not in text
            assert "<javascript:" not in text and "<b>" not in text.replace("\\<b", "")
            assert "\u202e" not in text
        assert "\n" not in result.answer
        urls = [row.get("describe_url") for row in result.rows]
        assert urls == ["https://d.example/e"] * 2 + [None] * 2


async def test_another_process_goes_on_after_the_decision(
    place: Callable[..., Place], tmp_path: Path
) -> None:
    one, other = place(), place(Graph("a", "Acme"))
    for each in (one, other):
        each.runs = Runs(store=KgRunStore(tmp_path / "kg_runs.sqlite"))
    first = await one.ask(GUESS)
    assert first.status == "needs_decision" and first.run_id
    shown = await other.ask(run_id=first.run_id)
    assert (shown.status, shown.answer) == (first.status, first.answer)
    went_on = await other.ask(run_id=first.run_id, decision="continue")
    assert went_on.run_id not in ("", first.run_id)
    with pytest.raises(NotFoundError):
        await other.ask(run_id=first.run_id, owner="you")
    for each in (one, other):
        each.runs.close()
