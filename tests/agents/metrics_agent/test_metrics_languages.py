"""A Chinese question has a Chinese answer, whatever it comes to; an English one an English one."""

from __future__ import annotations

import re

import pytest
from agent_host import Host, answer, tools

NAME = "metrics_agent"
# What may stand in Latin letters: codes, periods, and citations as they are.
_CITED = re.compile(
    r"（来源：[^）]*）|（Tangyuju China）|(?<![A-Za-z])(?:FY)?\d{4}(?:Q\d|H\d)?|“[^”]*”"
)

CHINESE = {
    "2010年中国有多少人?": "中国 2010 人口：1,337,705,000 人（来源：World Bank",
    "香港2024年线上营收": "托瓦恩香港 2024 营收（线上）：103,200,000 元（来源：",
    "2024年中国内地和香港的营收差额": "差额（托瓦恩中国、托瓦恩香港）：3,998,900,000 - 384,1",
    "香港营收2023年到2024年增长多少": "变化率（2023 至 2024）：(384,100,000 - 375,5",
    "2022年香港和日本的营业收入": "没有托瓦恩日本 2022 营收的事实。",
    "法国1950年的人口": "查不到能回答此问题的事实，不提供任何推测数字。",
    "今年至今收入": "不支持以“今年至今”作为期间",
    "今天天气怎么样": "文档中没有能回答此问题的内容。 可查询的指标：人口、",
    "你好": "可查询的指标：人口、国内生产总值、",
    "棠屿居2024年的收入是多少": "（Tangyuju China）不在本服务的范围内, 可改为查询托瓦恩集团",
    "香港2024年每月收入": "未收录托瓦恩香港 2024 营收的数值。已收录的期间：",
    "2020年德国有多富": "无法确定“多富”在这里的含义。 您是否指国内生产总值？",
    "哪个国家人口最多": "2024 人口（从高到低）：印度 1,450,935,791 人",
    "香港营收": "未指明期间, 默认为最近一个完整财年FY2025。",
}


@pytest.mark.parametrize("question", CHINESE)
def test_all_of_a_chinese_answer_is_chinese(host: Host, question: str) -> None:
    said = answer(host.ask(NAME, question))
    assert CHINESE[question] in said
    assert not re.search(r"[A-Za-z]{2,}", _CITED.sub("", said)), said


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ("What is the weather today?", "No passage of the documents answers this. Figures that"),
        (
            "hello",
            "Figures that can be asked for: Population, GDP (current US$), GDP per capita, Revenue",
        ),
        ("difference between France and Germany in population in 2020", "Difference (France, "),
        ("revenue and ROE of HK and JP 2022", "held of Revenue of Tolvarne Japan for 2022."),
        ("cash on 31 December 2024", "Cash of Tolvarne Group for 2024-12-31: 794,900,000 CNY"),
    ],
)
def test_an_english_answer_is_english(host: Host, question: str, says: str) -> None:
    said = answer(host.ask(NAME, question))
    assert says in said
    assert not re.search("[\u4e00-\u9fff]", said)


def test_documents_are_not_searched_for_a_greeting(host: Host) -> None:
    assert tools(host.ask(NAME, "hello")) == ["clarify_question", "list_metrics"]
