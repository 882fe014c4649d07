"""Names of vocabularies in a text."""

from __future__ import annotations

import pytest

from groundwire.language import NameIndex, annotate


@pytest.fixture
def names() -> NameIndex:
    index = NameIndex()
    for name in (
        "Germany", "China", "US", "IT", "GDP", "Population", "Urban population", "HD map", "Water",
        "Vereinigte Staaten", "Deutschland", "Bevölkerung", "中国", "人口", "印度", "A股", "Line 9",
        "Côte d'Ivoire", "C++", "roadTypes", "United States", "Congo, Rep.", "Deutsche Bahn", "IN",
        "MAR",
    ):  # fmt: skip
        index.add(name, name)
    index.add("Georgia", "country:GE")
    index.add("Georgia", "state:GA")
    index.add("Stadt", "town")
    return index


def found(text: str, names: NameIndex) -> list[str]:
    return [span.text for span in annotate(text, names).spans if span.kind == "name"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Urban population of Germany", ["Urban population", "Germany"]),
        ("germany's GDP", ["germany", "GDP"]),
        ("13 HD maps and hd-maps", ["HD maps", "hd-maps"]),
        ("Tell us about the US.", ["US"]),
        ("it is about IT", ["IT"]),
        ("Deutschlands Bevölkerung", ["Deutschlands", "Bevölkerung"]),
        ("in den Vereinigten Staaten", ["Vereinigten Staaten"]),
        ("der Deutschen Bahn", ["Deutschen Bahn"]),
        ("die Städte", ["Städte"]),
        ("中国人口多于印度", ["中国", "人口", "印度"]),
        ("印度尼西亚", ["印度"]),
        ("A股 on Line 9 to Cote d’Ivoire", ["A股", "Line 9", "Cote d’Ivoire"]),
        ("C++ is not C", ["C++"]),
        ("the road types", ["road types"]),
        ("Germany. China", ["Germany", "China"]),
        ("Germanyland", []),
        ("Congo, Rep. of", ["Congo, Rep"]),
        ("Mars, mars or mar", ["mar"]),
        ("the GDPs", ["GDPs"]),
    ],
)
def test_names_are_found(text: str, expected: list[str], names: NameIndex) -> None:
    assert found(text, names) == expected


def test_what_is_left_of_a_longer_name_is_left_over(names: NameIndex) -> None:
    assert "".join(span.text for span in annotate("印度尼西亚", names).leftover) == "尼西亚"


def test_an_ambiguous_name_has_all_of_its_terms(names: NameIndex) -> None:
    hit = names.find("Georgia grew")[0]
    assert (hit.start, hit.end, hit.terms) == (0, 7, ("country:GE", "state:GA"))


def test_a_term_with_several_names_is_found_once() -> None:
    index = NameIndex()
    index.add("Turkey", "TR")
    index.add("turkey", "TR")
    assert index.find("Turkey")[0].terms == ("TR",)
