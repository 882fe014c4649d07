"""What the models of real hosts see of our answers, over stdio and with three servers at once.

Some hosts show their model only the structured content, some only the text: whichever it is, the
value, its unit, its source and the id of its evidence are there.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from host_installs import CannotInstall
from host_script import STEPS
from hosts import FAMILIES, Family, Run

pytestmark = pytest.mark.interop

EVIDENCE = re.compile(r"\bev_[0-9a-z]{8,}")
SOURCE = "World Bank SP.POP.TOTL"


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Future[Run]]]:
    """One run of each host through the whole script; the families at the same time."""
    done: dict[str, Future[Run]] = {name: Future() for family in FAMILIES for name in family.hosts}
    scratch = {name: tmp_path_factory.mktemp(f"host-{name}") for name in done}

    def work(family: Family) -> None:
        try:
            installed = family.install()
            for name, drive in family.hosts.items():
                done[name].set_result(drive(installed, scratch[name]))
        except BaseException as error:
            for name in family.hosts:
                if not done[name].done():
                    done[name].set_exception(error)

    with ThreadPoolExecutor(len(FAMILIES)) as workers:
        for family in FAMILIES:
            workers.submit(work, family)
        yield done


@pytest.fixture(scope="module", params=[name for family in FAMILIES for name in family.hosts])
def run(request: pytest.FixtureRequest, runs: dict[str, Future[Run]]) -> Run:
    try:
        return runs[request.param].result()
    except CannotInstall as reason:
        pytest.skip(f"{request.param} could not be installed: {reason}")


def saw(run: Run, step: str) -> str:
    """What the model saw of one step, as plain text."""
    assert step in run.seen, run.said
    return run.seen[step]


def answer(text: str) -> dict[str, object]:
    """The object in what the model saw; hosts put lines of their own before it."""
    return json.JSONDecoder().raw_decode(text, text.index("{"))[0]


def test_the_whole_script_was_followed(run: Run) -> None:
    assert list(run.seen) == list(STEPS), run.said


def test_a_value_has_its_unit_its_source_and_its_evidence(run: Run) -> None:
    found = answer(saw(run, "value"))
    assert found["status"] == "found"
    assert (found["value"], found["value_text"]) == (1337705000, "1337705000")
    assert found["unit"] == "people"
    assert found["source"]["doc"].startswith(SOURCE)
    assert found["source"]["locator"] == "row 42, column 2010"
    assert EVIDENCE.fullmatch(found["evidence_id"])
    assert "1,337,705,000 people" in found["answer"]


def test_a_journey_has_its_times_and_says_that_they_are_estimates(run: Run) -> None:
    found = answer(saw(run, "journey"))
    plan = found["journeys"][0]["plans"][0]
    start, arrival = (datetime.fromisoformat(plan[name]) for name in ("start", "arrival"))
    assert (start.hour, start.minute) == (9, 0)
    assert start.tzinfo is not None
    assert plan["duration_minutes"] == (arrival - start).total_seconds() / 60 > 0
    assert found["source"] == found["journeys"][0]["source"] == "offline_estimate"
    assert "estimate" in found["answer"]
    assert EVIDENCE.fullmatch(found["evidence_id"])


def test_an_agent_answers_with_the_value_and_its_proof(run: Run) -> None:
    found = answer(saw(run, "agent"))
    assert found["success"] is True
    assert found["result"]["values"][0]["value_text"] == "1337705000"
    assert found["result"]["values"][0]["unit"] == "people"
    assert found["result"]["values"][0]["source"]["doc"].startswith(SOURCE)
    assert any(EVIDENCE.fullmatch(name) for name in found["evidence_ids"])


def test_a_misspelt_argument_is_told_in_words_that_mend_it(
    run: Run, request: pytest.FixtureRequest
) -> None:
    text = saw(run, "refusal")
    if request.node.callspec.params["run"] == "mcp-use":
        # It sends no argument that the schema does not have, and tells its model nothing of it.
        assert answer(text)["channel"] == "TOTAL"
        return
    assert "no argument `chanel`; did you mean `channel`?" in text
    assert "1337705000" not in text
