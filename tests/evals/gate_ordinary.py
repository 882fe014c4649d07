"""Ordinary texts: questions, prose and words that name no company at all."""

from __future__ import annotations

import ast
import gzip
import json
import random
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from groundwire.metrics.gate.readings import read_words

ROOT = Path(__file__).parents[2]
# Names that are hard to tell from ordinary language: words, parts of words, words in a row.
HARD = (
    "Ana",
    "Apex",
    "Titan",
    "Mayor",
    "Inform",
    "Nowhere",
    "Sole",
    "Ion",
    "Arc",
    "Alibi",
    "Modem",
    "Cove",
    "HR",
    "IT",
    "3D",
    "B&Q Lane",
    "360",
    "Allbright",
    "Tenth Avenue",
    "Northwind",
)
HARD_CHINESE = ("安和", "平达", "中力", "恒平科技", "国达")
METRICS = (
    "revenue",
    "net profit",
    "gross margin",
    "headcount",
    "operating cash flow",
    "GDP",
    "population",
    "total assets",
    "R&D spend",
    "new orders",
    "return on equity (ROE)",
    "earnings per share",
    "market share",
    "CO2 emissions",
)
PLACES = (
    "mainland China",
    "Hong Kong SAR, China",
    "the United States",
    "Côte d'Ivoire",
    "Türkiye",
    "Åland",
    "Germany",
    "Trinidad and Tobago",
    "São Tomé and Príncipe",
    "our subsidiary in Macau",
    "the whole group",
)
TIMES = (
    "FY2024",
    "2023Q3",
    "the third quarter of 2022",
    "H1 2024",
    "2020-2024",
    "last year",
    "March 2024",
    "1H24",
    "the 12 months to 30.06.2023",
    "year to date",
)
QUESTIONS = (
    "What was the {metric} of {place} in {time}?",
    "{place}: {metric}, {time}",
    "how much did {metric} grow in {place} between {time} and now (in % / in US$ million)?",
    "Compare {metric} with the one of {place}; {time}. Is it more than 1,360.5 or less than 3.60?",
    "In {time} it may or may not have risen; now, here is why: {metric} in {place} was 5013.",
    "show me {metric} for {place} @ {time} + a 3-D chart, a/b, e.g. as of 31-12, 1st to 10th",
    "please e-mail jan.doe@example.com the {metric} & so on of {place} at 100% for {time}!",
)
CLAUSES = (
    "公司的营业收入是多少",
    "请问去年第三季度的净利润",
    "中国内地市场的毛利率",
    "香港特别行政区的人口",
    "同比增长了百分之五",
    "国家统计局发布的数据",
    "我们需要提高水平",
    "安排下一年度的预算",
    "和平与发展",
    "平均每股收益",
    "集团的员工人数保持平稳",
    "达到了一亿元",
    "力争完成全年目标",
    "中间业务的收入",
    "国际贸易的总额",
    "恒定汇率计算",
    "科技创新的投入",
    "安全生产的费用",
    "与上年同期相比",
    "二〇二四年上半年",
    "经营活动产生的现金流量",
    "資產負債表的總額",
    "請比較兩個地區的出口額",
    "研發費用佔收入的比例",
)


def equal(text: str) -> bool:
    """Whether a text holds one of the hard names as a word of its own, by a plain reading."""
    words = {word.casefold().removesuffix("s") for word in re.findall(r"[^\W_]+", text)}
    return any(
        name.casefold().removesuffix("s") in words for name in HARD if " " not in name
    ) or any(name in text for name in HARD_CHINESE)


def dictionary_words() -> list[str]:
    packed = (files("spellchecker") / "resources" / "en.json.gz").read_bytes()
    return sorted(json.loads(gzip.decompress(packed)))


def words_in_a_row(rng: random.Random, count: int) -> Iterator[str]:
    """Common words at random: every two of them meet sooner or later."""
    common = sorted(read_words("common_words") | read_words("function_words"))
    for _ in range(count):
        yield " ".join(rng.choices(common, k=12))


def prose() -> Iterator[str]:
    """Paragraphs of the README, of the pages of docs and of every docstring."""
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))):
        yield from page.read_text("utf-8").split("\n\n")
    for path in sorted((ROOT / "src").rglob("*.py")):
        # A node with a docstring is a statement: no expression holds it.
        nodes: list[ast.AST] = [ast.parse(path.read_text("utf-8"))]
        for node in nodes:
            nodes += [
                one
                for one in ast.iter_child_nodes(node)
                if isinstance(one, ast.stmt | ast.excepthandler | ast.match_case)
            ]
            if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
                yield from (ast.get_docstring(node) or "").split("\n\n")


def questions(rng: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        yield rng.choice(QUESTIONS).format(
            metric=rng.choice(METRICS), place=rng.choice(PLACES), time=rng.choice(TIMES)
        )


def chinese(rng: random.Random, count: int) -> Iterator[str]:
    for _ in range(count):
        clauses = rng.choices(CLAUSES, k=rng.randint(1, 6))
        yield "".join(clause + rng.choice("，。；、：\n ") for clause in clauses)


def ordinary(seed: int, count: int) -> Iterator[tuple[str, str]]:
    """(class, text) of texts that hold none of the hard names as a word."""
    # Each class has its own chances, so that a longer README changes no other's cases.
    for kind, texts in (
        ("dictionary words", dictionary_words()),
        ("common words in a row", words_in_a_row(random.Random(seed), 4 * count)),
        ("prose", prose()),
        ("questions", questions(random.Random(seed), count)),
        ("Chinese clauses", chinese(random.Random(seed), 2 * count)),
    ):
        for text in texts:
            if text.strip() and not equal(text):
                yield kind, text
