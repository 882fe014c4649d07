"""Names in random disguises are always found, and ordinary texts are left alone."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parents[3]))

from groundwire.metrics.gate.screen import SecurityGate
from groundwire.metrics.profile import External
from tests.evals.gate_disguises import CARRIERS, CHINESE, ENGLISH, OTHERS, disguises
from tests.evals.gate_ordinary import HARD, HARD_CHINESE, chinese, prose, questions

NAMES = (*ENGLISH, *CHINESE, *OTHERS)
GATE = SecurityGate([External(name=name) for name in NAMES], ["Home"])
HARD_GATE = SecurityGate([External(name=name) for name in (*HARD, *HARD_CHINESE)], ["Home"])


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(NAMES), st.sampled_from(CARRIERS), st.integers(0, 2**32))
def test_no_disguise_passes_and_none_leaves_a_letter(name: str, carrier: str, seed: int) -> None:
    start = carrier.index("{}")
    for kind, disguised in disguises(name, random.Random(seed)):
        text = carrier.format(disguised)
        screen = GATE.screen(text)
        assert any(hit.name == name for hit in screen.hits), (kind, disguised)
        rest = screen.masked[start : start + len(disguised)]
        assert not any(map(str.isalnum, rest)), (kind, disguised, rest)
        assert len(screen.masked) == len(text)


@given(st.text(max_size=200))
def test_any_text_is_masked_at_equal_length(text: str) -> None:
    screen = GATE.screen(text)
    assert len(screen.masked) == len(text)
    for hit in screen.hits:
        first, last = hit.span
        assert hit.raw == text[first:last]
        assert screen.masked[first:last].isspace()
    assert all(seen in (char, " ") for seen, char in zip(screen.masked, text, strict=True))
    ends = [0, *(hit.span[1] for hit in screen.hits)]
    assert all(hit.span[0] >= end for hit, end in zip(screen.hits, ends, strict=False))


@given(
    st.lists(
        st.sampled_from("<b>&#;%e4\\u7ade竞安oOrRvVeExX0 .-\u202e\u202c\u200b\u0301"), max_size=60
    )
)
def test_pieces_of_escapes_and_markup_do_no_harm(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert len(GATE.screen(text).masked) == len(text)


@pytest.mark.parametrize("kind", ["questions", "chinese", "prose"])
def test_ordinary_texts_pass_the_gate(kind: str) -> None:
    rng = random.Random(1)
    texts = {
        "questions": questions(rng, 500),
        # Without 平达, which two of the clauses make across a comma.
        "chinese": (
            text for text in chinese(rng, 500) if "水平" not in text and "平稳" not in text
        ),
        "prose": prose(),
    }[kind]
    refused = [text for text in texts if GATE.screen(text).refused]
    assert refused == []


def test_hard_names_are_not_read_into_questions() -> None:
    assert not [text for text in questions(random.Random(2), 500) if HARD_GATE.screen(text).refused]
