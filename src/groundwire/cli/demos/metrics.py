"""The demo of the metrics server, on the embedded profile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from groundwire.cli.demo import Exchange


def _a_claim(answers: list[Mapping[str, Any]]) -> dict[str, Any]:
    """A draft of which one figure is invented."""
    return {
        "draft": "China had 1,337,705,000 people in 2010. Rural China had 1.3 billion people in "
        "2000. Revenue of Tolvarne China was 4.2 billion CNY in FY2024.",
        "evidence_ids": [one["evidence_id"] for one in answers if one.get("evidence_id")][:4],
    }


SCRIPT = [
    Exchange(
        "How many people lived in China in 2010? Asked with the Chinese name",
        "query_metric",
        {"metric": "population", "entity": "中国", "period": "2010"},
        ("value_text", "resolved", "source"),
    ),
    Exchange(
        "The same name, another kind of metric: 中国 is the subsidiary here",
        "query_metric",
        {"metric": "营收", "entity": "中国", "period": "FY2024"},
        ("value_text", "resolved", "source"),
    ),
    Exchange(
        "GDP of Germany for one quarter: it is held by year, so there is no value",
        "query_metric",
        {"metric": "GDP", "entity": "Germany", "period": "2024Q3"},
        ("status", "available"),
    ),
    Exchange(
        "A misspelt metric: candidates, and no value",
        "query_metric",
        {"metric": "populaton", "entity": "Germany", "period": "2020"},
        ("status", "reason", "candidates"),
    ),
    Exchange(
        "Revenue per employee is understood, but is no metric that is held",
        "query_metric",
        {"metric": "revenue per employee", "entity": "Tolvarne", "period": "FY2024"},
        ("status", "reason", "candidates"),
    ),
    Exchange(
        "A competitor, with a zero-width character in its name: refused before anything is read",
        "query_metric",
        {"metric": "revenue", "entity": "中国棠\u200b屿居", "period": "FY2024"},
        ("status", "reason"),
    ),
    Exchange(
        "A figure that a later report restated: as it is known now",
        "query_metric",
        {"metric": "net profit", "entity": "Hong Kong", "period": "FY2024"},
        ("value_text", "as_of", "source"),
    ),
    Exchange(
        "... and as it was known in the summer of 2025",
        "query_metric",
        {"metric": "net profit", "entity": "Hong Kong", "period": "FY2024", "as_of": "2025-06-30"},
        ("value_text", "as_of", "source"),
    ),
    Exchange(
        "Two sources disagree: the value comes with what the other one says",
        "query_metric",
        {"metric": "revenue", "entity": "HK", "period": "FY2024", "channel": "stores"},
        ("value_text", "conflicts"),
    ),
    Exchange(
        "Several cells at once, and changes that are computed from found values alone",
        "query_metric_grid",
        {
            "metrics": ["revenue"],
            "entities": ["China", "Hong Kong"],
            "periods": ["FY2023-FY2024"],
            "derive": ["percent_change"],
        },
        ("derived",),
    ),
    Exchange(
        "A share of the EU's GDP, and how it changed: in percentage points, each operand found",
        "query_metric_grid",
        {
            "metrics": ["GDP"],
            "entities": ["Germany"],
            "periods": ["2010", "2020"],
            "derive": ["share", "share_delta"],
            "share_of": "EU",
        },
        ("derived",),
    ),
    Exchange(
        "What may be asked about revenue?",
        "list_dimension_values",
        {"dimension": "channel", "metric": "revenue"},
        ("values",),
    ),
    Exchange(
        "A ranking: the five countries with the most people, of all that are held",
        "query_metric_table",
        {
            "metrics": ["population"],
            "by": ["entity"],
            "period": "2020",
            "order_by": ["-population"],
            "limit": 5,
        },
        ("rows", "notes"),
    ),
    Exchange(
        "A trend from a warehouse of tables, quarter by quarter, with its picture",
        "query_metric_table",
        {"metrics": ["shop sales"], "by": ["quarter"], "period": "2024-2025", "chart": "line"},
        ("rows",),
    ),
    Exchange(
        "A value that no shop has: nothing is guessed, the near one is offered",
        "query_metric_table",
        {
            "metrics": ["shop sales"],
            "by": ["shop"],
            "where": {"district": "Kowlon"},
            "period": "2025",
        },
        ("reason", "candidates"),
    ),
    Exchange(
        "... and sent as it was offered, with the year before",
        "query_metric_table",
        {
            "metrics": ["shop sales"],
            "by": ["shop"],
            "where": {"district": "Kowloon"},
            "period": "2025",
            "compare": "previous_year",
        },
        ("rows",),
    ),
    Exchange(
        "Which district grew most? Rows are sorted by what changed",
        "query_metric_table",
        {
            "metrics": ["shop sales"],
            "by": ["district"],
            "period": "2025",
            "compare": "previous_year",
            "order_by": ["-shop sales.percent_change"],
        },
        ("rows",),
    ),
    Exchange(
        "A share of the total, from the same warehouse; the total is looked up, never assumed",
        "query_metric_grid",
        {
            "metrics": ["shop sales"],
            "entities": ["Kowloon"],
            "periods": ["2025"],
            "derive": ["share"],
            "share_of": "total",
        },
        ("derived",),
    ),
    Exchange(
        "Sales have a row for each product, rents one for each shop: neither is multiplied",
        "query_metric_table",
        {"metrics": ["shop sales", "rent"], "by": ["district"], "period": "2025"},
        ("rows",),
    ),
    Exchange(
        "Rents are of shops and of no product, so this is no table",
        "query_metric_table",
        {"metrics": ["rent"], "by": ["product category"], "period": "2025"},
        ("reason",),
    ),
    Exchange(
        "A question without entity and period: answered with assumptions that are said",
        "clarify_question",
        {"question": "What is our revenue?"},
        ("mode", "assumed_slots"),
    ),
    Exchange(
        "A question without a metric: asked back, never guessed",
        "clarify_question",
        {"question": "中国内地2024年怎么样，是多少"},
        ("mode", "narrowing_options"),
    ),
    Exchange(
        "What documents say of the matter, as quotations with their place",
        "search_narrative",
        {"query": "online revenue growth", "entity": "Tolvarne", "limit": 2},
        ("passages",),
    ),
    Exchange(
        "A memo that is restricted cannot be reached, whatever is asked",
        "search_narrative",
        {"query": "Project Heron acquisition price RESTRICTED"},
        ("status",),
    ),
    Exchange(
        "Before a user sees a draft, it is checked: two of its figures are wrong",
        "verify_answer",
        _a_claim,
        ("verdict", "claims"),
    ),
]
