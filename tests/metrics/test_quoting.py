"""`search_narrative`: quotations with their place, and never a withheld one."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.metrics.factbase import State
from groundwire.metrics.quoting import PassageRequest, search_narrative
from groundwire.metrics.results import NarrativeResult
from groundwire.profiles import FOLDER

TODAY = date(2026, 11, 21)
MEMO = "tolvarne_acquisition_memo.md"
SECRETS = ("Heron", "苍鹭", "613.7", "547.5", "workshops", "268 people")


def search(state: State, query: str, **rest: Any) -> NarrativeResult:
    return search_narrative(state, PassageRequest(query, **rest), TODAY)[0]


def test_passages_are_quotations_with_document_and_place(state: State) -> None:
    result, draft = search_narrative(state, PassageRequest("online revenue growth"), TODAY)
    assert result.status == "found"
    for one in result.passages:
        text = " ".join((FOLDER / one.doc).read_text("utf-8").split())
        assert " ".join(one.text.split()) in text
        assert one.locator
        assert one.score in ("best", "good", "fair")
    assert result.passages[0].score == "best"
    first = result.passages[0]
    assert f"({first.doc}, {first.locator})" in result.answer
    quoted = [value.value for value in draft.values if value.name == "passage"]
    assert quoted == [one.text for one in result.passages]
    told = [value for value in draft.values if value.name not in ("passage", "document")]
    assert told and {value.kind for value in told} == {"number"}


def test_figures_of_a_passage_are_recorded_as_the_facts_that_are_held(state: State) -> None:
    request = PassageRequest("store closures and lease costs", limit=3)
    _, draft = search_narrative(state, request, TODAY)
    told = {(v.name, v.value): v for v in draft.values if v.kind == "number"}
    assert set(told) == {
        ("NET_PROFIT", "-12300000"),
        ("NET_PROFIT", "-9700000"),
        ("REVENUE RETAIL", "228100000"),
        ("REVENUE ONLINE", "103200000"),
    }
    assert {one.entity for one in told.values()} == {"Tolvarne Hong Kong"}
    assert all((one.period or "").find("2024") >= 0 for one in told.values())
    assert all("annual report" in (one.source or "") for one in told.values())


def test_questions_in_chinese_find_chinese_documents(state: State) -> None:
    result = search(state, "线上收入为什么增长")
    assert result.status == "found"


def test_what_is_about_an_entity_and_period(state: State) -> None:
    result = search(state, "stores", entity="托瓦恩集团", period="FY2024")
    assert {one.param: one.resolved for one in result.resolved} == {
        "entity": "TVN", "period": "FY2024",
    }  # fmt: skip
    assert all("2024" in f"{one.title}{one.doc}" for one in result.passages)


def test_as_many_as_asked_for(state: State) -> None:
    assert len(search(state, "revenue", limit=1).passages) == 1
    assert len(search(state, "revenue", limit=4).passages) == 4


@pytest.mark.parametrize(
    ("sent", "says"),
    [
        ({"entity": "Nowhere"}, "is not an entity that is held here, so nothing was searched"),
        ({"entity": "qwertyuiop"}, "so nothing was searched. list_dimension_values has them all."),
        ({"entity": "Tolvarn"}, "Near to it: Tolvarne Group"),
        ({"period": "whenever"}, "cannot be read as a period, so nothing was searched"),
        ({"period": "TTM"}, "cannot be read as a period"),
    ],
)
def test_an_unknown_entity_or_period_is_never_left_out_of_the_search(
    state: State, sent: dict[str, str], says: str
) -> None:
    result = search(state, "revenue", **sent)
    assert (result.status, result.passages) == ("empty", [])
    assert says in result.answer


def test_a_blank_entity_or_period_is_any(state: State) -> None:
    assert search(state, "revenue", entity=" ", period=" ").status == "found"


def test_nothing_found_is_said(state: State) -> None:
    for query in ("???", "xylophone zeppelin"):
        result = search(state, query)
        assert (result.status, result.answer) == (
            "empty", "No passage of the documents answers this.",
        )  # fmt: skip
    assert search(state, "鑫鑫").answer == "文档中没有能回答此问题的内容。"


@pytest.mark.parametrize("query", ["", "  ", "\u3000\n"])
def test_a_blank_query_is_refused_with_what_to_send(state: State, query: str) -> None:
    with pytest.raises(InputError, match="`query` is blank: send the words to look for"):
        search_narrative(state, PassageRequest(query), TODAY)


@pytest.mark.parametrize("param", ["query", "entity", "period"])
@pytest.mark.parametrize("name", ["中国棠屿居", "Tangy\u200buju", "香港瀾雀"])
def test_the_gate_screens_every_argument_first(state: State, param: str, name: str) -> None:
    sent = {"query": "revenue growth", "entity": "Nowhere", "period": "never"} | {param: name}
    result = search(state, **sent)
    assert (result.status, result.passages) == ("out_of_scope_entity", [])
    assert "outside the scope" in result.answer


# Withheld


def test_the_memo_is_there_and_withheld(state: State) -> None:
    assert "Heron" in (FOLDER / MEMO).read_text("utf-8")
    (held,) = [one for one in state.narrative.documents() if one.name == MEMO]
    assert held.sensitivity == "RESTRICTED"


@pytest.mark.parametrize(
    "query",
    [
        "Project Heron acquisition price RESTRICTED",
        "Heron",
        "苍鹭",
        "price of CNY 613.7 million",
        "closing two workshops 268 people",
        'Heron" OR sensitivity:RESTRICTED --',
        "sensitivity: RESTRICTED levels: [RESTRICTED]",
        "收购完成后，拟在香港再关闭五家门店",
        "maker of lamps",
    ],
)
@pytest.mark.parametrize("entity", ["", "TVN", "HK"])
@pytest.mark.parametrize("period", ["", "2026", "FY2025"])
def test_nothing_withheld_is_quoted_whatever_is_sent(
    state: State, query: str, entity: str, period: str
) -> None:
    result = search(state, query, entity=entity, period=period, limit=20)
    assert all(one.doc != MEMO for one in result.passages)
    shown = result.model_dump_json()
    assert not [secret for secret in SECRETS if secret in shown]


WORDS = ["Heron", "price", "workshops", "owners", "board", "*", '"', "NEAR", "OR", "AND", "NOT",
         "RESTRICTED", "(", ")", ":", "-", "^", "{", "收购", "工坊", "revenue"]  # fmt: skip


def test_nothing_withheld_is_quoted_by_any_words(state: State) -> None:
    levels = {one.name: one.sensitivity for one in state.narrative.documents()}

    @settings(max_examples=150, deadline=None)
    @given(st.lists(st.one_of(st.sampled_from(WORDS), st.text(max_size=8)), max_size=6))
    def holds(words: list[str]) -> None:
        query = " ".join(words)
        assume(query.strip())
        for one in search(state, query, limit=20).passages:
            assert levels[one.doc] != "RESTRICTED"

    holds()


def test_every_document_has_a_level_of_the_profile(state: State) -> None:
    names = {Path(one.file).name for one in state.profile.documents}
    held = {one.name: one.sensitivity for one in state.narrative.documents()}
    assert held.keys() == names
    assert set(held.values()) <= set(state.profile.sensitivity.levels)


def test_a_subsidiary_is_told_of_in_the_documents_of_its_group(state: State) -> None:
    found = search(state, "net profit", entity="Tolvarne Hong Kong")
    assert found.status == "found"
    assert all("Hong Kong" in one.text for one in found.passages)
    assert {one.doc for one in found.passages} < {
        one.doc for one in search(state, "net profit").passages
    } | {MEMO}
    (own, group) = found.resolved or []
    assert (own.resolved, group.resolved) == ("HK", "TVN")
    assert "its group" in group.how


def test_documents_of_a_group_that_do_not_name_a_subsidiary_are_not_of_it(state: State) -> None:
    assert search(state, "invented").status == "found"
    found = search(state, "invented", entity="Tolvarne Hong Kong")
    assert all("Hong Kong" in one.text for one in found.passages)
    assert search(state, "net profit", entity="Germany").status == "empty"


@pytest.mark.parametrize(
    ("query", "raw", "now"),
    [
        ("why did net profit rise more slowly", '"CNY 334.3 million"', "331,700,000 CNY"),
        ("welche Filialen wurden in Hong Kong closed stores", "9.7", "12.300.000 CNY"),
        ("香港 Hong Kong closed three stores 亏损是多少", "9.7", "12,300,000 元"),
    ],
)  # fmt: skip
def test_a_restated_figure_of_a_passage_is_told(
    state: State, query: str, raw: str, now: str
) -> None:
    result = search(state, query, period="FY2024")
    assert now in result.answer and raw in result.answer
    marked = [one for one in result.passages if one.restated]
    assert marked and all(now in said or "Net margin" in said for said in marked[0].restated or ())


def test_a_quotation_is_told_with_its_own_document_and_its_own_restated_figures(
    state: State,
) -> None:
    """The first passage tells of the restatement itself; the figure of another one is stale."""
    result = search(state, "Hong Kong closed stores loss", limit=2)
    outlook, discussion = result.passages
    assert "restated to" in outlook.text and discussion.restated
    assert result.answer.startswith(f'From {outlook.title}: "')
    before, said, after = result.answer.partition(f"In a passage from {discussion.title}: ")
    assert said and after == discussion.restated[0] and "has been restated since" not in before


def test_what_a_passage_tells_as_restated_is_not_told_again(state: State) -> None:
    passages = search(state, "restated loss of Hong Kong", limit=10).passages
    told = [one for one in passages if "restated to" in one.text]
    assert told and not any(one.restated for one in told)
    passages = search(state, "commission hotels wholesale first reported", limit=3).passages
    assert passages and not any(one.restated for one in passages if "817.9" in one.text)
