"""The hash of a graph: of what it holds, in whatever order that came."""

from __future__ import annotations

import random

from groundwire.learning.concepts.graph import EMPTY, changed, digest, row_text


def test_order_does_not_matter_and_what_is_taken_away_leaves_no_trace() -> None:
    rows = [row_text("edge", str(n), "is_a", str(n + 1)) for n in range(50)]
    one = changed(EMPTY, rows, ())
    other = EMPTY
    for row in random.Random(7).sample(rows, len(rows)):
        other = changed(other, [row, b"more"], [b"more"])
    assert one == other
    assert changed(one, (), rows) == EMPTY
    assert digest(one) != digest(EMPTY)


def test_cells_do_not_run_into_each_other() -> None:
    assert row_text("ab", "c") != row_text("a", "bc")
    assert len({digest(changed(EMPTY, [row_text("n", str(n))], ())) for n in range(200)}) == 200
