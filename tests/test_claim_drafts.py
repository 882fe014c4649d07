"""The drafts of the claim check, and the scripted model that mends what was refused."""

from __future__ import annotations

import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.evals.claim_check_drafts import FIRST_ROUND, LANGUAGES, drafts  # noqa: E402
from tests.evals.claim_check_worlds import worlds  # noqa: E402
from tests.evals.claim_repair_script import repaired  # noqa: E402


def claim(text: str, status: str, detail: str = "") -> dict[str, Any]:
    dropped = [text] if status == "not_judged" else []
    return {"text": text, "status": status, "detail": detail, "drop_or_rephrase": dropped}


def mended(draft: str, *claims: dict[str, Any], not_judged: tuple[str, ...] = ()) -> str:
    return repaired(draft, {"claims": claims, "not_judged": not_judged})


def written(folder: Path, text: str) -> Path:
    (folder / "en.seen.toml").write_text(text, "utf-8")
    return folder


def test_every_class_of_false_drafts_has_ten_and_both_halves_have_as_many() -> None:
    found = drafts(worlds(), FIRST_ROUND, ("en",))
    kinds = Counter(one.kind for one in found if one.truth == "false")
    assert min(kinds.values()) >= 10
    halves = Counter((one.half, one.truth) for one in found)
    for truth, least in {"false": 85, "true": 85, "open": 10}.items():
        counts = [halves[half, truth] for half in FIRST_ROUND]
        assert min(counts) >= least
        assert max(counts) - min(counts) <= 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_halves_of_the_third_round_have_as_many_true_and_as_many_false_drafts(
    language: str,
) -> None:
    written = {"true": 30, "false": 20} if language == "en" else {"true": 18, "false": 12}
    for half in ("third_seen", "third_held_out"):
        found = drafts(worlds(), (half,), (language,))
        assert Counter(one.truth for one in found) == written


def test_every_world_has_a_draft() -> None:
    known = worlds()
    assert len(known) >= 24
    sentences = ROOT / "tests" / "evidence" / "claims" / "metric_sentences.toml"
    also = {one["name"] for one in tomllib.loads(sentences.read_text("utf-8"))["world"]}
    reports = tomllib.loads(sentences.with_name("journey_reports.toml").read_text("utf-8"))
    also |= reports.keys() & known.keys()
    assert {one.world for one in drafts(known)} | also == set(known)


@pytest.mark.parametrize(
    "wrong",
    [
        'world = "elsewhere"\ntruth = "true"',
        'world = "here"\ntruth = "maybe"',
        'world = "here"\ntruth = "false"',
        'world = "here"\ntruth = "false"\nwrong = ["six"]',
        'world = "here"\ntruth = "true"\nwrong = ["five"]',
    ],
)
def test_a_draft_that_contradicts_itself_is_refused(tmp_path: Path, wrong: str) -> None:
    right = '[[draft]]\nclass = "plain"\ntext = "There are five."\n'
    folder = written(tmp_path, f'{right}world = "here"\ntruth = "true"\n')
    assert drafts(["here"], folder=folder)[0].text == "There are five."
    with pytest.raises(ValueError, match="five"):
        drafts(["here"], folder=written(tmp_path, right + wrong))


@pytest.mark.parametrize("words", ["According to Eurostat", "Eurostat"])
def test_words_that_are_not_judged_are_dropped_with_what_they_leave_open(words: str) -> None:
    draft = "According to Eurostat, Germany had 83 million people in 2020."
    assert mended(draft, claim(words, "not_judged")) == "Germany had 83 million people in 2020."


def test_a_clause_that_is_not_judged_leaves_the_rest_of_its_sentence() -> None:
    draft = "Germany had 83 million people because many moved there."
    left = mended(draft, not_judged=("a cause: because many moved there",))
    assert left == "Germany had 83 million people."


def test_a_contradicted_figure_becomes_what_the_record_has() -> None:
    detail = "the record has POPULATION of Germany (2020) 83160871 people"
    left = mended("Germany had 84 million people.", claim("84 million", "contradicted", detail))
    assert left == "Germany had 83160871 people."


def test_a_figure_that_only_other_words_contradict_takes_its_sentence_along() -> None:
    denied = claim("5.7%", "contradicted", "the record has -5.66 %")
    assert mended("GDP was up 5.7%. It was 1.9 trillion.", denied) == "It was 1.9 trillion."


def test_a_row_or_item_with_an_unsupported_claim_is_dropped_and_an_empty_table_too() -> None:
    bad = claim("2", "unsupported")
    table = "| A | B |\n|---|---|\n| x | 1 |\n"
    assert mended(f"{table}| y | 2 |", claim("1", "supported"), bad) == table.strip()
    assert mended("| A | B |\n|---|---|\n| y | 2 |", bad) == ""
    assert mended("- x is 1\n- y is 2", claim("1", "supported"), bad) == "- x is 1"


def test_what_is_supported_stays_as_it_was_written() -> None:
    draft = "India had 1.7 trillion. It had 1 cat."
    left = mended(draft, claim("1.7 trillion", "derived"), claim("1", "unsupported"))
    assert left == "India had 1.7 trillion."
    assert mended(draft, claim("1.7 trillion", "supported")) == draft
