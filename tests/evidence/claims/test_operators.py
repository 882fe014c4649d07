"""Words of operators over figures, in three languages."""

from __future__ import annotations

import tomllib
from importlib.resources import files

import pytest

from groundwire.evidence.claims.operators import (
    LANGUAGES,
    factors,
    operator,
    quality_tables,
    right_before,
)


def test_every_language_has_the_same_operators() -> None:
    text = (files("groundwire.evidence.claims") / "operators.toml").read_text("utf-8")
    tables = tomllib.loads(text)
    keys = [set(tables[language]) for language in LANGUAGES]
    assert keys[0] == keys[1] == keys[2]
    assert all(tables[language][key] for language in LANGUAGES for key in tables[language])
    assert {*tables["qualities"], *tables["factors"]} <= keys[0]


@pytest.mark.parametrize(
    ("key", "text", "found"),
    [
        ("falls", "Der Umsatz ging um 3 % zurück", True),
        ("falls", "Der Umsatz ging nach Bern", False),
        ("less", "比中国少", True),
        ("lost", "Nettoverlust", True),
        ("sum", "summary", False),
    ],
)
def test_words_of_an_operator_are_whole_words_or_parts_of_one_clause(
    key: str, text: str, found: bool
) -> None:
    assert (operator(key).search(text) is not None) == found


def test_a_figure_may_stand_behind_by_and_an_approximation() -> None:
    pattern = right_before("by", "beside_by")
    assert pattern.search("grew by about ")
    assert pattern.search("wuchs um gut ")
    assert not pattern.search("by the way of ")


def test_qualities_and_factors_are_found_by_every_word() -> None:
    assert quality_tables()[0]["quick"] == ("least", frozenset(("duration",)), frozenset())
    assert quality_tables()[0]["long"][2] == {"time", "length"}
    assert factors()["两倍"] == 2
