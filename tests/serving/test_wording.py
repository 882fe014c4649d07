"""Texts name offered tools only: every text of the source is fitted, and data stays as it is."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import groundwire
from groundwire import profiles, servers
from groundwire.servers.every_tool import TOOLSETS
from groundwire.serving.fitting import Wording, _listed

TOOLS = sorted({tool for tools in TOOLSETS.values() for tool in tools})
NAMED = re.compile(rf"(?<![A-Za-z0-9_])(?:{'|'.join(TOOLS)})(?![A-Za-z0-9_])")
SOURCE = Path(groundwire.__file__).parent
SERVERS = Path(servers.__file__).parent
# Texts that no caller of a server reads: agents speak so to their own models and to themselves,
# and the command line to people.
_INTERNAL = re.compile(
    r"/cli/|/agents/(?!runs/)|/sparql/commands\.py|/graph/gate_policy\.py|schema_texts\.py"
)


def texts(path: Path, *, docstrings: bool = False) -> Iterator[str]:
    """Every text of a module that names a tool within a sentence; holes are filled by a word."""
    source = path.read_text("utf-8")
    if not NAMED.search(source):
        return
    tree = ast.parse(source)
    inner: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inner |= {id(part) for part in node.values}
        if isinstance(node, ast.Expr) and not docstrings:
            inner.add(id(node.value))
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            said = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "x1" for part in node.values
            )
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            said = node.value
        else:
            continue
        if id(node) not in inner and NAMED.search(said) and " " in said:
            yield " ".join(said.split())


HELP = [
    (path.name, text)
    for path in sorted(Path(profiles.__file__).parent.glob("help_*.ttl"))
    for text in re.findall(r'"([^"]*)"@', path.read_text("utf-8"))
    if NAMED.search(text)
]
SAID = [
    (path.relative_to(SOURCE).as_posix(), text)
    for path in sorted(SOURCE.rglob("*.py"))
    if not _INTERNAL.search(path.as_posix())
    for text in texts(path)
] + HELP


def test_texts_are_found() -> None:
    assert len(SAID) > 35 and len(HELP) > 8


@pytest.mark.parametrize(("path", "text"), SAID)
def test_every_text_of_the_source_has_other_words(path: str, text: str) -> None:
    """A text that fails needs a list in wording.toml."""
    draw = random.Random(text)
    named = set(NAMED.findall(text))
    for _ in range(20):
        absent = {name for name in named if draw.random() < 0.6} or named
        offered = set(TOOLS) - absent
        left = Wording(offered, TOOLS).fitted(text)
        assert not absent & set(NAMED.findall(left)), (path, left)
    assert Wording(TOOLS, TOOLS).fitted(text) == text


@pytest.mark.parametrize("path", sorted(SERVERS.glob("*.py")), ids=lambda path: path.name)
def test_definitions_and_instructions_lose_what_is_not_offered(path: Path) -> None:
    for text in texts(path, docstrings=True):
        assert not NAMED.search(Wording((), TOOLS).told(text)), text


def fitted(*absent: str) -> Wording:
    return Wording(set(TOOLS) - set(absent), TOOLS, ("kg-on", "limit"))


def test_the_first_text_that_fits_is_said() -> None:
    text = "The question is complete: query_metric or query_metric_grid answers it."
    assert fitted("query_metric").fitted(text).endswith("complete: query_metric_grid answers it.")
    assert fitted("query_metric_grid").fitted(text).endswith("complete: query_metric answers it.")
    assert fitted("query_metric", "query_metric_grid").fitted(text) == "The question is complete."


@pytest.mark.parametrize("reference", sorted(one[0] for one in _listed() if one[0][0] in ":;"))
def test_a_sentence_that_loses_its_reference_has_an_end(reference: str) -> None:
    left = Wording((), TOOLS).fitted(f"'Mars' is not held here{reference.rstrip('.')}.")
    assert re.fullmatch(r"'Mars' is not held here(?:[:;] \w[^:;]*)?\.", left), left


def test_a_word_that_the_source_fills_in_is_kept() -> None:
    text = (
        "No answer yet. Call get_agent_result with run_id ru_1 for the answer, or cancel_agent_run."
    )
    assert fitted("get_agent_result").fitted(text) == (
        "No answer yet. It can be stopped: cancel_agent_run takes run_id ru_1."
    )


def test_names_in_data_stay() -> None:
    wording = fitted("get_evidence", "list_metrics")
    assert wording.fitted("The label is 'get_evidence'.") == "The label is 'get_evidence'."
    tree = {
        "answer": "'x' is no metric; list_metrics has them.",
        "rows": [["x; list_metrics has them"]],
        "items": [{"detail": "'x' is no metric; list_metrics has them."}],
    }
    changed = wording.wire(str(tree), tree, ())
    assert changed["answer"] == "'x' is no metric." == changed["items"][0]["detail"]
    assert changed["rows"] == tree["rows"]
    assert wording.wire("{}", tree, ()) is tree


def test_a_name_that_the_caller_sent_comes_back_in_a_prompt() -> None:
    wording = fitted("submit_slots")
    text = "Answer this. How does submit_slots work? Call submit_slots first."
    assert wording.told(text) == "Answer this."
    assert wording.told(text, ("How does submit_slots work?",)) == text


def test_commands_that_are_not_offered_leave_a_list() -> None:
    assert fitted("submit_slots").told("Commands: /help, /limit, /kg-on, /kg-off.") == (
        "Commands: /help, /kg-off."
    )


def test_a_description_of_nothing_else_is_left_out() -> None:
    schema = {"properties": {"iri": {"type": "string", "description": "See submit_slots."}}}
    assert fitted("submit_slots").schema(schema) == {"properties": {"iri": {"type": "string"}}}
    assert Wording(TOOLS, TOOLS).schema(schema) is schema
