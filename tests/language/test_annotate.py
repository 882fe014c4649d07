"""Spans of a text, and what nobody has taken of it."""

from __future__ import annotations

import pytest

from groundwire.language import NameIndex, Span, annotate


@pytest.fixture(scope="module")
def names() -> NameIndex:
    index = NameIndex()
    for name in ("Germany", "China", "Population", "Deutschland", "中国", "人口", "Victoria"):
        index.add(name, name)
    return index


def shown(span: Span) -> str:
    return f"{span.text}:{span.kind}" + (f".{span.role.sense}" if span.role else "")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("East Germany had roughly 83.2 million people.", ["East:leftover", "Germany:name",
         "83.2 million:quantity", "people:unit_noun.person"]),
        ("The population wasn't more than 5.", ["population:name", "n't more than:bound.at_most",
         "5:quantity"]),
        ("Germany is not the largest.", ["Germany:name", "not:negation.not",
         "largest:superlative.most"]),
        ("It rose by 5 % because of trade.", ["rose:direction.up", "5 %:quantity",
         "because of:cause.because", "trade:leftover"]),
        ("Nearly all of China", ["Nearly:approximation.part", "all of:quantifier.all",
         "China:name"]),
        ("a question about Germany", ["Germany:name"]),
        ("within 5 minutes within Germany", ["within:bound.at_most", "5 minutes:quantity",
         "Germany:name"]),
        ("Die Zahl ging um 3 % zurück.", ["Zahl:set_noun.whole", "ging:direction.down",
         "3 %:quantity"]),
        ("Die Zahl nahm 2020 um 3 % zu und stieg.", ["Zahl:set_noun.whole", "nahm:direction.up",
         "2020:time", "3 %:quantity", "stieg:direction.up"]),
        ("Die Zahl wird 2030 steigen.", ["Zahl:set_noun.whole", "wird:forecast.will", "2030:time",
         "steigen:direction.up"]),
        ("Die Zahl wurde berichtet.", ["Zahl:set_noun.whole"]),
        ("中国人口最多，均不超过5亿人。", ["中国:name", "人口:name", "最多:superlative.most",
         "均:quantifier.all", "不超过:bound.at_most", "5亿:quantity", "人:unit_noun.person"]),
        ("人口到2020年没有变化", ["人口:name", "到:time.until", "2020年:time",
         "没有变化:direction.flat"]),
        ("GDP ↑ 5 % ≠ 6 %", ["GDP:leftover", "↑:direction.up", "5 %:quantity", "≠:negation.not",
         "6 %:quantity"]),
        ("Население Germany مرحبا", ["Население:leftover", "Germany:name", "مرحبا:leftover"]),
        ("See https://x.org/5 now", ["https://x.org/5:iri", "now:time.now"]),
    ],
)  # fmt: skip
def test_what_carries_meaning(text: str, expected: list[str], names: NameIndex) -> None:
    assert [shown(span) for span in annotate(text, names).spans if not span.is_silent] == expected


@pytest.mark.parametrize(
    "text",
    ["- Germany: 5\n- China: 6", "1. Germany: 5\n2. China: 6", "> Germany: 5\n> China: 6"],
)
def test_the_marker_of_a_line_counts_nothing(text: str, names: NameIndex) -> None:
    assert [s.text for s in annotate(text, names).spans if not s.is_silent] == [
        "Germany",
        "5",
        "China",
        "6",
    ]


def test_a_span_is_found_by_its_place(names: NameIndex) -> None:
    reading = annotate("East Germany grew.", names)
    east, germany, _, _ = reading.spans
    assert (east,) == reading.leftover
    assert reading.at(6) == germany and reading.at(4) is None


def test_quoted_text_is_known(names: NameIndex) -> None:
    text = 'She said “Germany „fell“ by 5” and "rose".'
    assert [text[a:b] for a, b in annotate(text, names).quotations] == [
        "“Germany „fell“ by 5”",
        '"rose"',
    ]


def test_without_a_lexicon_every_word_is_left_over(names: NameIndex) -> None:
    reading = annotate("Germany is not small.", names, languages=())
    assert [span.text for span in reading.leftover] == ["is", "not", "small"]


@pytest.mark.parametrize(
    ("text", "word", "is_silent"),
    [
        ("Back in 1970 it had 5.", "Back", True),
        ("It is back in profit.", "back", False),
        ("Bereits 1970 hatte es 5.", "Bereits", True),
        ("Take it out to Kew.", "out", True),
        ("They ran out.", "out", False),
        ("Nearly twice as many.", "Nearly", True),
        ("Nearly all of them.", "Nearly", False),
        ("Over the four reasons it came to 5.", "Over", True),
        ("It is over the average.", "over", False),
    ],
)
def test_a_word_is_silent_only_where_it_adds_nothing(text: str, word: str, is_silent: bool) -> None:
    span = annotate(text).at(text.index(word))
    assert span is not None
    assert span.is_silent == is_silent
