"""The folder of real data that some tests read; it is no part of the repository.

`GROUNDWIRE_TEST_DATA` names it (the folder that has `data/ontology`, `data/tfl` and so on). Without
the variable these tests are skipped, also where such a folder happens to lie beside the checkout:
what passes for one who has only the repository then passes for everybody.

    pytest                                             # without the data; notes which tests need it
    GROUNDWIRE_TEST_DATA=../shared pytest --needs-data   # only the tests that were skipped for it
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

VARIABLE = "GROUNDWIRE_TEST_DATA"
REASON = f"needs real data: set {VARIABLE} to the folder that has it"


def shared_folder(*parts: str) -> Path:
    """Return a path below the folder of real data; without the variable it names no file."""
    folder = os.environ.get(VARIABLE)
    base = Path(folder).resolve() if folder else Path(os.devnull, "not-given")
    return base.joinpath(*parts)


def need(path: Path) -> Path:
    """Return the path, or skip the test where nothing is there."""
    if not path.exists():
        pytest.skip(REASON)
    return path
