"""Adjectives of measure, as every reader of questions takes them."""

from __future__ import annotations

from groundwire.language.ordinals import measures


def _of(noun: str) -> int:
    return next(at for at, one in enumerate(measures()) if noun in one.nouns)


def test_an_adjective_speaks_of_one_measure_alone() -> None:
    owners: dict[str, int] = {}
    for at, one in enumerate(measures()):
        for word in one.said("more", "less", "most", "least"):
            assert owners.setdefault(word, at) == at, word


def test_german_superlatives_have_their_endings_and_comparatives_their_particle() -> None:
    depth = measures()[_of("depth")]
    assert {"tiefste", "tiefsten", "am tiefsten", "deepest", "最深"} <= set(depth.said("most"))
    assert set(depth.bounding("more")) == {"deeper than", "tiefer als"}
