"""Operators' reasons, shortened for a sentence."""

from __future__ import annotations

import pytest

from groundwire.journeys.lines.names import first_sentence, without_name


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Minor delays. GOOD SERVICE on the rest.", "Minor delays"),
        ("No service between St. Pancras and Euston. Use buses.", "No service between St. Pancras"
         " and Euston"),
        ("Closed until approx. 10:30. Use buses.", "Closed until approx. 10:30"),
        ("Delays! Use buses.", "Delays!"),
        ("At 10.30 trains resume. Thank you.", "At 10.30 trains resume"),
        ("No end", "No end"),
        ("Ends here.", "Ends here"),
        ("", ""),
    ],
)  # fmt: skip
def test_the_first_sentence_is_whole(text: str, first: str) -> None:
    assert first_sentence(text) == first


@pytest.mark.parametrize(
    ("reason", "names", "rest"),
    [
        ("JUBILEE LINE: Minor delays.", ["Jubilee line"], "Minor delays."),
        ("Waterloo and City Line: Closed.", ["Waterloo & City line"], "Closed."),
        ("Sunday 15 October: no service.", ["Weaver line"], "Sunday 15 October: no service."),
        ("Jubilee Line:", ["Jubilee line"], "Jubilee Line:"),
        ("", ["Jubilee line"], ""),
    ],
)
def test_the_name_that_a_reason_begins_with_is_left_out(
    reason: str, names: list[str], rest: str
) -> None:
    assert without_name(reason, names) == rest
