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
        "A ranking from the warehouse of orders: which categories sell best?",
        "query_metric_table",
        {
            "metrics": ["order value"],
            "by": ["category"],
            "period": "2025",
            "order_by": ["-order value"],
        },
        ("rows",),
    ),
    Exchange(
        "A trend with its picture, in German words",
        "query_metric_table",
        {"metrics": ["Bestellwert"], "by": ["period"], "grain": "quarter", "chart": "line"},
        ("answer", "total_rows"),
    ),
    Exchange(
        "A filter whose value is misspelt: refused with candidates, not corrected",
        "query_metric_table",
        {"metrics": ["order value"], "by": ["category"], "where": {"city": "Shangai"}},
        ("status", "reason", "candidates"),
    ),
    Exchange(
        "... and with the candidate",
        "query_metric_table",
        {"metrics": ["order value"], "by": ["category"], "where": {"city": "Shanghai"}},
        ("rows",),
    ),
    Exchange(
        "Orders and their returns at once: a line that came back twice is counted once",
        "query_metric_table",
        {"metrics": ["order value", "refunds", "refund share"], "by": ["sales channel"]},
        ("rows",),
    ),
    Exchange(
        "Names of customers are withheld: there is no such dimension",
        "query_metric_table",
        {"metrics": ["order value"], "by": ["customer name"]},
        ("status", "reason"),
    ),
    Exchange(
        "What may be asked about revenue?",
        "list_dimension_values",
        {"dimension": "channel", "metric": "revenue"},
        ("values",),
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
