"""The metrics agent without a key: questions of people in, sentences with sources out."""

from __future__ import annotations

import pytest
from agent_host import Host, answer, tools, turn

NAME = "metrics_agent"

# Question, what the answer says, tools that looked something up.
STRUCTURED = {
    "the seed's question": (
        "中国内地FY2024的REVENUE是多少",
        ["托瓦恩中国 FY2024 营收：3,998,900,000 元", "Tolvarne Group annual report 2025"],
        ["query_metric"],
    ),
    "a country": (
        "What was the population of France in 2020?",
        ["Population of France for 2020: ", " people (World Bank SP.POP.TOTL"],
        ["query_metric"],
    ),
    "a country in Chinese": (
        "法国2020年的人口是多少？",
        ["法国 2020 人口：", "（来源：World Bank SP.POP.TOTL"],
        ["query_metric"],
    ),
    "a list": (
        "Give me revenue and net profit of Hong Kong and China for 2023 and 2024",
        [
            "Revenue of Tolvarne Hong Kong for 2023: 375,500,000 CNY",
            "Net profit of Tolvarne China for 2024: 343,400,000 CNY",
        ],
        ["query_metric_grid"],
    ),
    "a change": (
        "By how much did revenue of Hong Kong grow from 2023 to 2024?",
        [
            "375,500,000 CNY",
            "384,100,000 CNY",
            "Change in percent (2023 to 2024): (384,100,000 - 375,500,000) / 375,500,000 * 100",
        ],
        ["query_metric_grid"],
    ),
    "a channel": (
        "online revenue of Hong Kong 2024",
        ["Revenue (Online) of Tolvarne Hong Kong for 2024: 103,200,000 CNY"],
        ["query_metric"],
    ),
    "two kinds of entity under one name": (
        "population and GDP of China and revenue of China 2023",
        [
            "Population of China for 2023: 1,410,710,000 people",
            "GDP (current US$) of China for 2023: 17,794,781,986,104.457 USD",
            "Revenue of Tolvarne China for 2023: 3,779,500,000 CNY",
        ],
        ["query_metric_grid", "query_metric"],
    ),
    "a range": (
        "Revenue of Hong Kong since 2023",
        ["for 2023: 375,500,000 CNY", "for 2025: 392,500,000 CNY"],
        ["query_metric_grid"],
    ),
}


@pytest.mark.parametrize("name", STRUCTURED)
def test_a_value_is_answered_with_unit_period_and_source(host: Host, name: str) -> None:
    question, parts, looked_up = STRUCTURED[name]
    output = host.ask(NAME, question)
    for part in parts:
        assert part in answer(output)
    assert [one for one in tools(output) if one.startswith("query")] == looked_up
    assert output.success
    assert output.result is not None
    assert output.result["route"] == "structured"
    assert output.result["sources"]
    assert set(output.result["sources"][0]) == {"doc", "locator"}
    assert output.evidence_ids
    assert output.reasoning.confidence == 0.9


def test_an_assumption_is_said_and_can_be_narrowed(host: Host) -> None:
    output = host.ask(NAME, "What was the revenue?")
    assert output.result is not None
    assert output.result["mode"] == "answer_with_assumptions"
    assert answer(output).startswith("No company is named, so Tolvarne Group is assumed; no period")
    assert {one["slot"] for one in output.result["narrowing_options"]} >= {"entity"}
    assert output.reasoning.assumptions_made == (output.result["assumption_note"],)


def test_what_is_not_held_has_no_number(host: Host) -> None:
    output = host.ask(NAME, "population of France in 1950")
    assert answer(output) == (
        "No fact is held that answers this, and no figure is given in its place."
    )
    assert output.result is not None
    assert output.result["status"] == "not_found"
    assert output.metadata.fabrication_guard_triggered


def test_a_missing_cell_of_a_list_is_named(host: Host) -> None:
    output = host.ask(NAME, "2022年香港和日本的营业收入")
    assert "托瓦恩香港 2022 营收：370,200,000 元" in answer(output)
    assert "没有托瓦恩日本 2022 营收的事实。" in answer(output)


OUT_OF_SCOPE = [
    "What was the revenue of Ashquillo in 2024?",
    "棠屿居2024年的收入是多少",
    "香港澜雀 revenue 2023",
    "Why did L а nque lose money?",
]


@pytest.mark.parametrize("question", OUT_OF_SCOPE)
def test_a_competitor_is_refused_before_any_model_or_look_up(host: Host, question: str) -> None:
    output = host.ask(NAME, question)
    assert tools(output) == ["clarify_question"]
    assert output.metadata.iterations == 0
    assert output.result is not None
    assert output.result["mode"] == "out_of_scope_entity"
    assert "outside the scope" in answer(output) or "范围" in answer(output)


def test_a_question_without_a_metric_is_asked_back(host: Host) -> None:
    output = host.ask(NAME, "How much was it in Hong Kong in 2024?")
    assert output.result is not None
    assert output.result["mode"] == "ask_first"
    assert output.result["question"] == "Which metric of Hong Kong do you mean?"
    assert "REVENUE" in {one["value"] for one in output.result["narrowing_options"]}
    assert output.metadata.iterations == 0


@pytest.mark.parametrize("question", ["Revenue of Globex in 2024", "revenue per employee 2024"])
def test_what_is_not_understood_is_no_default(host: Host, question: str) -> None:
    output = host.ask(NAME, question)
    assert output.result is not None
    assert output.result["mode"] == "ask_first"
    assert not output.result["sources"]


def test_text_is_answered_by_quotations(host: Host) -> None:
    output = host.ask(NAME, "What does the report say about fees of marketplaces?")
    assert output.result is not None
    assert output.result["route"] == "narrative"
    assert answer(output).startswith("“")
    assert "tolvarne_outlook_2026.txt" in answer(output)
    assert tools(output)[-1] == "search_narrative"


def test_a_composite_question_has_both(host: Host) -> None:
    output = host.ask(NAME, "Why did revenue fall in Hong Kong in FY2024?")
    assert output.result is not None
    assert output.result["route"] == "composite"
    assert "384,100,000 CNY" in answer(output)
    assert "Hong Kong had a difficult year" in answer(output)
    assert output.metadata.iterations == 2


def test_a_conversation_keeps_what_the_next_question_leaves_out(host: Host) -> None:
    first = host.ask(NAME, "revenue of Hong Kong in 2024")
    second = host.ask(NAME, "and in 2023?", turns=[turn("revenue of Hong Kong in 2024", first)])
    assert "Revenue of Tolvarne Hong Kong for 2023: 375,500,000 CNY" in answer(second)


def test_an_answer_to_the_question_asked_back_completes_the_first(host: Host) -> None:
    first = host.ask(NAME, "How much was it in Hong Kong in 2024?")
    turns = [turn("How much was it in Hong Kong in 2024?", first)]
    assert "384,100,000 CNY" in answer(host.ask(NAME, "Revenue", turns=turns))


def test_a_conversation_does_not_carry_a_competitor_in(host: Host) -> None:
    first = host.ask(NAME, "revenue of Hong Kong in 2024")
    turns = [turn("revenue of Hong Kong in 2024", first)]
    output = host.ask(NAME, "and of Lanque?", turns=turns)
    assert output.result is not None
    assert output.result["mode"] == "out_of_scope_entity"


def test_it_takes_at_most_five_rounds(host: Host) -> None:
    from groundwire.agents.runtime.definition import load_definition

    assert load_definition(NAME).config.behavior.max_iterations == 5


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "Why did revenue fall in FY2025?",
            "Revenue of Tolvarne Group did not fall in FY2025: it rose, in FY2024 it was "
            "4,856,300,000 CNY, in FY2025 it was 5,113,700,000 CNY.",
        ),
        ("为什么集团2025财年收入下降？", "托瓦恩集团营收并未下降"),
        ("Why did revenue of Hong Kong decline in 2019?", "is not checked"),
        ("Germany's share of EU GDP in 2020", "≈ 25.275479%"),
        ("德国占欧盟GDP的比重2020", "≈ 25.275479%"),
        ("Germany's share of GDP in 2020", "A share is of a whole"),
        ("Combined GDP of Germany and the EU in 2020", "Germany is in European Union"),
        ("德国和欧盟2020年GDP之和", "未计算合计：欧盟已包含德国"),
    ],
)
def test_premises_shares_and_sums_are_those_of_the_fact_base(
    host: Host, question: str, said: str
) -> None:
    assert said in answer(host.ask(NAME, question))


def test_a_premise_that_is_so_is_not_corrected(host: Host) -> None:
    said = answer(host.ask(NAME, "Why did revenue rise in FY2024?"))
    assert "did not" not in said and "not checked" not in said
    assert "4,856,300,000 CNY" in said


def test_a_refusal_names_no_channel_that_holds_nothing_for_the_period(host: Host) -> None:
    said = answer(host.ask(NAME, "What was the revenue of Hong Kong in 2019?"))
    assert "channel" not in said
