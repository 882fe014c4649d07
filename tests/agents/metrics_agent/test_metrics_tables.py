"""Questions for a ranking, a trend or a breakdown reach the table tool, in three languages."""

from __future__ import annotations

import re

import pytest
from agent_host import Host, answer, tools

NAME = "metrics_agent"


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Top 3 countries by population in 2020", "China 1,411,100,000 people; India 1,402"),
        ("Which country had the lowest GDP in 2015?", "Tuvalu"),
        ("Rank the companies by revenue for FY2024", "Tolvarne China 3,998,900,000 CNY"),
        ("top 2 countries in the EU by population in 2020", "Germany 83,160,871 people; France"),
        ("trend of population of China since 2015", "rose from 1,379,860,000 people in 2015 to"),
        ("revenue of Hong Kong by channel in 2024", "Retail"),
        ("Top 3 Länder nach Bevölkerung im Jahr 2020", "zuerst: China 1.411.100.000 Personen; Ind"),
        ("2020年人口最多的3个国家", "中国 1,411,100,000 人；印度 1,402,617,695 人"),
        ("哪个国家人口最多", "（从高到低）：印度 1,450,935,791 人"),
        ("中国2015年以来的人口趋势", "从 2015 的 1,379,860,000 人升至 2024 的 1,408,975,000 人"),
    ],
)
def test_a_table_answers(host: Host, question: str, says: str) -> None:
    outcome = host.ask(NAME, question)
    assert says in answer(outcome)
    assert tools(outcome) == ["clarify_question", "query_metric_table"]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (
            "Which country had the highest GDP in 2023 and which the lowest population?",
            ("highest first: United States", "lowest first: Tuvalu"),
        ),
        (
            "Which country had the highest and which the lowest population in 2023?",
            ("highest first: India", "lowest first: Tuvalu"),
        ),
        (
            "Welches Land hatte 2023 die höchste und welches die niedrigste Bevölkerung?",
            ("höchste Werte zuerst: Indien", "niedrigste Werte zuerst: Tuvalu"),
        ),
        ("2023年哪个国家GDP最高，哪个人口最多？", ("（从高到低）：美国", "（从高到低）：印度")),
    ],
)
def test_a_question_that_ranks_twice_has_both_tables(
    host: Host, question: str, says: tuple[str, ...]
) -> None:
    assert all(one in answer(host.ask(NAME, question)) for one in says)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("Compare the population of Japan in 2010 and 2020", "126,261,000 - 128,070,000 = -1,8"),
        ("Vergleiche die Bevölkerung von Japan 2010 und 2020", "-1.809.000"),
        ("日本2020年的人口，跟2010年比呢？", "差额（2010 至 2020）"),
        ("Compare the GDP of Germany and France in 2023", "Germany has the most: 4,456"),
        ("gross margin of the group in FY2025 compared with FY2024", "0.3 percentage points."),
    ],
)
def test_a_comparison_tells_how_far_they_are_apart(host: Host, question: str, says: str) -> None:
    told = answer(host.ask(NAME, question))
    assert says in told
    assert "not computed" not in told


def test_a_chinese_table_is_answered_in_chinese(host: Host) -> None:
    said = answer(host.ask(NAME, "2020年人口最多的5个国家"))
    assert not re.search(r"[A-Za-z]{2,}", said), said


@pytest.mark.parametrize(
    "question",
    [
        "top 5 cities by population in 2020",
        "top 5 countries by happiness in 2020",
        "top 5 rural countries by population in 2020",
        "top 5 countries in Atlantis by population in 2020",
        "top 5 companies by population in 2020",
        "2020年幸福感最高的5个国家",
    ],
)
def test_what_is_not_understood_is_never_made_wider(host: Host, question: str) -> None:
    outcome = host.ask(NAME, question)
    assert "query_metric_table" not in tools(outcome)
    assert not re.search(r"\d,\d{3}", answer(outcome))


def test_a_table_that_holds_nothing_gives_no_figure(host: Host) -> None:
    said = answer(host.ask(NAME, "Top 3 countries by population in 1950"))
    assert "No value is held" in said
    assert not re.search(r"\d,\d{3}", said)


def test_a_name_out_of_scope_comes_first(host: Host) -> None:
    outcome = host.ask(NAME, "棠屿居 top 5 countries by population in 2020")
    assert "query_metric_table" not in tools(outcome)
