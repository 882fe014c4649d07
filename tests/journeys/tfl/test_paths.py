"""No text leads to another path."""

from __future__ import annotations

from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from groundwire.errors import InputError
from groundwire.journeys.tfl.client import MOST_IDS, ids_of, path_of


@given(st.text(max_size=60))
def test_every_text_stays_one_segment(text: str) -> None:
    try:
        path = path_of("Journey", text, "to")
    except InputError:
        return
    assert path.isascii()
    parts = path.split("/")
    assert len(parts) == 4
    assert unquote(parts[2]) == " ".join(text.split())
    assert parts[2].strip(".") != ""
    assert not set(parts[2]) & set("?#\\ ")


def test_coordinates_and_lists_keep_their_comma() -> None:
    assert path_of("51.5,-0.1") == "/51.5,-0.1"
    assert (
        path_of("Line", ids_of(["victoria", " northern ", "victoria"])) == "/Line/victoria,northern"
    )


@pytest.mark.parametrize("ids", [[], ["", " "], [str(n) for n in range(MOST_IDS + 1)]])
def test_ids_are_bounded(ids: list[str]) -> None:
    with pytest.raises(InputError):
        ids_of(ids)
