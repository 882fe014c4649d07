"""Nothing of a text is lost: every character that is no space is in one token and in one span."""

from __future__ import annotations

import ast
import json
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from groundwire.language import NameIndex, Reading, annotate

EVALS = Path(__file__).parent.parent / "evals"
LONGEST = 4_000
# Texts that stand in several files are read once.
READ: set[str] = set()


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner)


def texts_of(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if path.suffix == ".json":
        yield from strings(json.loads(text))
    elif path.suffix == ".toml":
        try:
            yield from strings(tomllib.loads(text))
        except tomllib.TOMLDecodeError:  # a template
            yield text
    else:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


def files() -> list[Path]:
    return sorted(p for p in EVALS.rglob("*") if p.suffix in {".json", ".toml", ".py"})


@pytest.fixture(scope="module")
def names() -> NameIndex:
    index = NameIndex()
    for name in (
        "Germany",
        "US",
        "GDP",
        "HD map",
        "Victoria line",
        "中国",
        "人口",
        "Vereinigte Staaten",
    ):
        index.add(name, name)
    return index


def check(reading: Reading) -> None:
    text = reading.text
    for parts in (reading.tokens, reading.spans):
        end = 0
        for part in parts:
            assert part.start >= end and part.end > part.start, (text, part)
            assert text[part.start : part.end] == part.text
            assert not text[end : part.start].strip(), (text, text[end : part.start])
            end = part.end
        assert not text[end:].strip()
    assert [t for span in reading.spans for t in span.tokens] == list(reading.tokens)
    end = 0
    for sentence in reading.sentences:
        assert sentence.start >= end and sentence.start <= sentence.body <= sentence.end
        assert not text[end : sentence.start].strip()
        end = sentence.end
    assert not text[end:].strip()


@pytest.mark.parametrize("path", files(), ids=lambda path: path.name)
def test_every_text_of_the_evals_is_read_whole(path: Path, names: NameIndex) -> None:
    new = {text[:LONGEST] for text in texts_of(path)} - READ
    READ.update(new)
    for text in new:
        check(annotate(text, names))


PARTS = st.sampled_from(
    [
        *("Germany", "US", "us", "don't", "isn’t", "12,5 Millionen", "5.1亿", "中国人口", "约为"),
        *("- ", "1. ", "\n", "\n\n", "|", "|---|---|\n", "# ", "> ", "```", "`x`", "**", "<td>"),
        *("</td>", "<br/>", "<foo bar>", "&nbsp;", "https://x.org/a_(b).", "urn:a:b", "a@b.org"),
        *("👩‍👩‍👧", "📈", "مرحبا", "שלום", "“", "”", "„", "«", "»", '"', "'", "1½", "2024-01-02"),
        *("24年三季度", "10:05", "e\u0301", "\u200f", "\u00a0", "ging", "zurück.", "Привет"),
        *("日本語のテキスト", "한국어", "١٢٣", "９９", "_x_", "snake_case", "CO₂", "U.S.", "\x00"),
        *("\ufeff", "not only", "at least", "no", "%", ">=", "≠", "İ", "ß", "ﬁ", "n't", "'t"),
    ]
)
WILD = st.lists(st.one_of(PARTS, st.text(max_size=6)), max_size=30)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(WILD, st.sampled_from(["", " "]))
def test_any_text_is_read_whole(names: NameIndex, parts: list[str], glue: str) -> None:
    check(annotate(glue.join(parts), names))


@pytest.mark.parametrize(
    "text",
    [
        "9" * 10_000 + " people",
        "The population is " + "1," * 5_000 + "1.",
        "“" * 3_000 + "Germany" + "”" * 3_000,
        "<table>" + "<tr><td>Germany</td><td>5</td></tr>" * 200 + "</table>",
        "| a | b |\n|---|---|\n" + "| Germany | 5 |\n" * 300,
        "x" * 20_000,
        "中国人口" * 3_000,
        "a." * 5_000,
        "((" * 3_000 + "))" * 3_000,
    ],
    ids=lambda text: text[:12],
)
def test_long_and_nested_texts_are_read_whole(text: str, names: NameIndex) -> None:
    check(annotate(text, names))


def test_time_grows_with_the_length_of_a_text(names: NameIndex) -> None:
    line = "In 2020 rural China's population fell by 3 % to 509.8 million; “it” — 人口约为5.1亿。\n"

    def seconds(size: int) -> float:
        text = line * (size // len(line))
        start = time.process_time()
        reading = annotate(text, names)
        spent = time.process_time() - start
        assert reading.spans[-1].end >= len(text) - 1
        return spent

    seconds(5_000)
    assert seconds(160_000) < 8 * seconds(20_000) * 2.5
