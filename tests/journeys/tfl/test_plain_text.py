"""Operators' texts without their markup."""

from __future__ import annotations

import pytest

from groundwire.journeys.tfl.fields import plain_text


@pytest.mark.parametrize(
    ("marked_up", "plain"),
    [
        ("Use <b>step-free</b> buses", "Use step-free buses"),
        ("First<br/>second<br>third", "First second third"),
        ("<p>One</p><p>Two &amp; three</p>", "One Two & three"),
        ("&lt;p&gt;Twice escaped&lt;/p&gt;", "Twice escaped"),
        ("while Network Rail  fix\r\n a signal ", "while Network Rail fix a signal"),
        ("Road\u00a0-\u00a0Southbury", "Road - Southbury"),
        ("fewer than <5 minutes", "fewer than <5 minutes"),
        ('<a href="https://tfl.gov.uk">More</a> .', "More."),
        (None, ""),
        (7, ""),
    ],
)
def test_markup_goes_and_words_stay(marked_up: object, plain: str) -> None:
    assert plain_text(marked_up) == plain
