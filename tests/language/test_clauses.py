"""Clauses of a sentence."""

from __future__ import annotations

import pytest

from groundwire.language import Clause, NameIndex, annotate, clauses


@pytest.fixture(scope="module")
def names() -> NameIndex:
    index = NameIndex()
    for name in ("Germany", "India", "China", "France", "Deutschland", "中国", "印度", "人口"):
        index.add(name, name)
    return index


def shown(clause: Clause) -> str:
    subject = clause.subject.text if clause.subject else "-"
    words = " ".join(span.text for span in clause.spans if span.kind != "sign")
    return f"{clause.kind}({subject}{'!' if clause.negated else ''}) {words}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("India, which overtook China in 2023, has more people and grew by 1 %.", [
            "main(India) India has more people",
            "relative(India) which overtook China in 2023",
            "coordinate(India) and grew by 1 %",
        ]),
        ("Germany (83 million) isn't larger than India, but it is larger than France.", [
            "main(Germany!) Germany is n't larger than India",
            "parenthesis(83 million) 83 million",
            "coordinate(Germany) but it is larger than France",
        ]),
        ("If Germany had 90 million people, France would lead.", [
            "condition(Germany) If Germany had 90 million people",
            "main(France) France would lead",
        ]),
        ("India and China have 2.8 billion people together.", [
            "main(India) India and China have 2.8 billion people together",
        ]),
        ("Deutschland, das in Europa liegt, hat 83 Millionen Einwohner und wächst nicht.", [
            "main(Deutschland) Deutschland hat 83 Millionen Einwohner",
            "relative(Deutschland) das in Europa liegt",
            "coordinate(Deutschland!) und wächst nicht",
        ]),
        ("中国人口为14亿，没有增长，印度人口为13亿。", [
            "main(中国) 中国 人口 为 14亿",
            "coordinate(中国!) 没有 增长",
            "coordinate(印度) 印度 人口 为 13亿",
        ]),
        ("Germany: 83 million", ["fragment(Germany) Germany 83 million"]),
    ],
)  # fmt: skip
def test_clauses(text: str, expected: list[str], names: NameIndex) -> None:
    assert [shown(clause) for clause in clauses(annotate(text, names))] == expected


def test_items_and_cells_have_what_they_are_about(names: NameIndex) -> None:
    text = "Population:\n- India: 5\n\n| Country | 2020 |\n|---|---|\n| India | 5 |"
    made = clauses(annotate(text, names))
    about = {
        text[c.start : c.end].strip(" |-"): [text[h.start : h.end] for h in c.headings]
        for c in made
    }
    assert about["India: 5"] == ["Population:"]
    assert about["5"] == ["| 2020 |\n|---|---|", "| India "]


@pytest.mark.parametrize(
    "text",
    ["a (b [c) d] e)", ")))((", "which, which, which", "if, if, if", ", and, or; but", "wenn"],
)
def test_every_span_is_in_one_clause(text: str, names: NameIndex) -> None:
    reading = annotate(text, names)
    spans = [span for clause in clauses(reading) for span in clause.spans]
    assert sorted(spans, key=lambda span: span.start) == list(reading.spans)
