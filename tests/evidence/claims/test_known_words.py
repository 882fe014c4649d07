"""Words are looked for where they may stand: what is passed over for speed would find nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from groundwire.evidence.claims import frames, known_words, options, rank_claims
from groundwire.evidence.claims.compared_plans import Trip, trips_of
from groundwire.evidence.claims.context import Contexts
from groundwire.evidence.claims.extraction import read
from groundwire.evidence.claims.knowledge import knowledge_of
from groundwire.evidence.claims.passage_statements import Found
from groundwire.evidence.claims.plan_comparison import PlanComparer
from groundwire.quantities import clock, small_letters

READ = ("set_sentences", "plan_comparison", "stop_lines", "stop_order")
LISTS = (*READ, "journey_cues", "ride_details", "ends_of_ranges")
WHOLE = READ
ESCAPED = re.compile(r"\\.|\(\?P<\w+>")
GROUP = re.compile(r"(?<!\\)\((?!\?)")


def texts() -> Iterator[str]:
    """Yield the texts of drafts about plans, stops and sets."""
    for name in ("plan_drafts", "plan_sentences", "set_reports", "catalogue_drafts"):
        yield from strings_of(
            tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
        )


def strings_of(tree: Any) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, dict | list):
        values: Any = tree.values() if isinstance(tree, dict) else tree
        for one in values:
            yield from strings_of(one)


@pytest.mark.parametrize("name", LISTS)
def test_words_of_lists_are_in_small_letters_and_have_no_groups(name: str) -> None:
    for kind, pattern in known_words.vocabulary(name).items():
        plain = ESCAPED.sub("", pattern.pattern)
        assert plain == plain.lower(), kind
        assert GROUP.search(pattern.pattern) is None, kind


def test_patterns_of_small_letters_have_no_capitals() -> None:
    tables = frames._tables().values()
    spoken = [pattern for pattern, *_ in clock._patterns()]
    ranks = [rank_claims._RANK, rank_claims._TOP, rank_claims._FIRST_FEW]
    named = options._NAMED
    for pattern in (*spoken, *ranks, named, *(table.reserves for table in tables)):
        plain = ESCAPED.sub("", pattern.pattern)
        assert plain == plain.lower()


@pytest.mark.parametrize("name", WHOLE)
def test_kinds_that_may_not_begin_with_a_letter_have_no_word_there(name: str) -> None:
    count = 0
    for text in map(small_letters, texts()):
        for at in range(len(text)):
            kinds, pattern = known_words._beginning(name, text[at])
            match = pattern.match(text, at)
            assert match is not None
            ends = dict(zip(kinds, (end for _, end in match.regs[1:]), strict=True))
            found = {kind: end for kind, end in ends.items() if end >= 0}
            every = known_words.vocabulary(name).items()
            alone = {kind: one.end() for kind, own in every if (one := own.match(text, at))}
            assert found == alone, text[at : at + 40]
            count += len(found)
    assert count > 100


@pytest.mark.parametrize("text", ["GDP of İstanbul", "ẞ and K", "Größe", "人口 GDP", "ΑΣ ΑΣΑ"])
def test_small_letters_keep_every_offset(text: str) -> None:
    small = small_letters(text)
    assert len(small) == len(text)
    assert all(a in (b, b.lower(), "σ", "ς") for a, b in zip(small, text, strict=True))


def test_a_passage_that_names_no_end_of_several_trips_tells_of_no_plan(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = knowledge_of([])
    trips = [Trip(f"{a} to {b}", (a, b), (), True) for a, b in (("soho", "oval"), ("bank", "kew"))]
    held = SimpleNamespace(once=lambda make: trips if make is trips_of else ())
    for text in texts():
        if any(end in text.casefold() for trip in trips for end in trip.ends):
            continue
        reading = read(text, known.names)
        contexts = Contexts(reading, known)
        draft = cast("Any", SimpleNamespace(known=held, text=reading.text))
        for passage in reading.passages:
            found = Found()
            comparer = PlanComparer(draft)
            assert not comparer._names_trip(contexts.of(passage))
            monkeypatch.setattr(comparer, "_names_trip", lambda _: True)
            comparer.read(contexts.of(passage), (), found)
            assert found == Found()
