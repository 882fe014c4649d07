"""A word that qualifies a metric, wherever it stands, makes another metric of it."""

from __future__ import annotations

import pytest

BEFORE = """
same-store trailing seasonally-adjusted inflation-adjusted weighted implied theoretical peak
record initial residual daily hourly billed unbilled recognised deferred recurring gross
retained attributable diluted core rural working-age foreign-born indigenous prison student
livestock prior-year non- anti- ex- pre-tax post-merger mid-cycle pro-forma like-for-like
constant-currency quick present current booked earned expected standard basic simple true fair
marginal potential minimum lost stolen fake wrong other another second third double half quarter
lifetime cumulative incremental additional extra external internal local national regional
global world foreign domestic export import government corporate personal individual private
public military hidden unknown different similar equal negative positive zero net-of-tax
before-tax after-tax first-time new old next previous interim hospital stand size level point
right well good
"""
AFTER = """
per employee
per capita
margin
target
density
deflator
forecast
index
ranking
tax
loss
before tax
excluding online
ex-online
without wholesale
in euros
in EUR
in thousands of tonnes
adjusted for inflation
at constant prices
CAGR
volatility
multiple
yield
mix
backlog
run rate
run-rate
trend
average
median
share
rate
split
breakdown
by channel
by month
per store
per day
quality
variance
standard deviation
budget
guidance
plan
to assets
of suppliers
from customers
recognition policy
for women
below 15
aged 65 and over
only
net of returns
less costs
minus costs
times two
* 2
squared
rounded
in words
estimate
if prices doubled
or so
"""
CHINESE_BEFORE = """
人均 平均 预计 目标 计划 毛 非 扣非 同店 可比 经调整 名义实际 累计 最高 最低 历史
峰值 单店 每股 日均 月均 年均 税前 剔除 虚拟 海外 城镇 农村 女性 老年 劳动 流动
常住 户籍 出生 学生 新增 净增 第一 其他 上市 民营 加权 线下外 不含税 前任 未审计
未来 潜在 假设 两倍 一半 部分 主要
"""
CHINESE_AFTER = """
同比 环比 占比 目标 排名 密度 结构 构成 均值 指数 率 额外 预算 预测
趋势 弹性 波动 缺口 损失 不含线上 以外 翻倍 之谜 税 计划 贡献 质量 指引 差额 明细
上限 下限 中位数 倍数 变化率
"""


@pytest.mark.parametrize(
    ("metric", "entity", "chinese", "place"),
    [
        ("revenue", "Hong Kong", "营收", "香港"),
        ("GDP", "France", "GDP", "法国"),
        ("population", "France", "人口", "法国"),
        ("net profit", "Hong Kong", "净利润", "香港"),
    ],
)
def test_a_qualified_metric_is_asked_about(embedded, metric, entity, chinese, place):
    questions = [
        question
        for word in BEFORE.split()
        for question in (
            f"What was the {word} {metric} of {entity} in 2020?",
            f"{entity} {word} {metric} 2020",
            f"{word} {entity} {metric} 2020",
        )
    ]
    questions += [
        question
        for words in AFTER.strip().split("\n")
        for question in (
            f"What was the {metric} {words} of {entity} in 2020?",
            f"{metric} of {entity} {words} in 2020",
        )
    ]
    questions += [
        question
        for word in CHINESE_BEFORE.split()
        for question in (f"{place}2020年{word}{chinese}", f"{place}的{word}{chinese}2020年是多少")
    ]
    questions += [
        question
        for word in CHINESE_AFTER.split()
        for question in (f"{place}2020年{chinese}{word}", f"{place}的{chinese}{word}2020年是多少")
    ]
    for question in questions:
        intent = embedded.parse(question)
        if any(embedded.profile.metric_by_code[one].formula for one in intent.metrics):
            # The profile has a metric of that name, such as GDP per capita.
            continue
        made = embedded.judge(intent)
        assert made.mode == "ask_first", question
