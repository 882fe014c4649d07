"""What writing and reading a package of cards costs beside genanki's writing of the same notes.

    python tests/benchmarks/learning_packages.py [--notes 10000] [--turns 5]

Both write notes of two fields with HTML, each a card; genanki makes its notes before the clock
starts. Reading has no known thing beside it but the same: what genanki takes to write.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

from _table import Measured, report

from groundwire.learning.learner import learning_file
from groundwire.learning.packages.apkg_reading import import_package
from groundwire.learning.packages.apkg_writing import export_package

WRITING = 1.5


def main() -> int:
    """Measure in turns; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=5)
    options = parser.parse_args()
    try:
        import genanki
    except ImportError:
        print("left out: genanki is not installed (pip install genanki)")
        return 0
    model = genanki.Model(
        1607392319,
        "Simple",
        fields=[{"name": "Q"}, {"name": "A"}],
        templates=[{"name": "Card", "qfmt": "{{Q}}", "afmt": '{{FrontSide}}<hr id="answer">{{A}}'}],
    )
    now = time.time_ns() // 1_000_000
    times: dict[str, list[float]] = {"genanki": [], "read": [], "write": []}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for turn in range(options.turns):
            deck = genanki.Deck(2059400110, "Bench")
            for number in range(options.notes):
                text = f"What is the <b>{number}th</b> word of the list?"
                deck.add_note(
                    genanki.Note(model=model, fields=[text, f"The word {number} &amp; co"])
                )
            package = genanki.Package(deck)
            source, out = folder / f"{turn}.apkg", folder / f"{turn}.out.apkg"
            start = time.perf_counter()
            package.write_to_file(str(source))
            times["genanki"].append(time.perf_counter() - start)
            state = learning_file(folder / str(turn))
            start = time.perf_counter()
            import_package(state, "local", source, now_ms=now)
            times["read"].append(time.perf_counter() - start)
            start = time.perf_counter()
            report_of = export_package(state, "local", out, now_ms=now)
            times["write"].append(time.perf_counter() - start)
            assert report_of.cards == options.notes
            state.close()
    bare, read, write = (statistics.median(times[one]) for one in ("genanki", "read", "write"))
    what = f"{options.notes:,} notes"
    return report(
        [
            Measured(f"write {what} (genanki writes)", bare, write, ratio=WRITING),
            Measured(f"read {what} (genanki writes)", bare, read),
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
