"""Cells that a spreadsheet would run as a formula, written so that it shows them as text.

Source: OWASP, "CSV Injection": a cell that begins with =, +, -, @, a tab or a carriage return.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_RISKY = re.compile(r"'*[=+\-@\t\r]")
_MARKED = re.compile(r"'+[=+\-@\t\r]")
_OWN = frozenset(("card_id", "locator", "proof"))


def neutral(cell: object) -> object:
    """Return a cell as it is written: text that a spreadsheet would run has an apostrophe first."""
    if isinstance(cell, str) and _RISKY.match(cell):
        return f"'{cell}"
    return cell


def original(cell: str) -> str:
    """Return the text of a cell that `neutral` wrote."""
    return cell[1:] if _MARKED.match(cell) else cell


def is_ours(header: Collection[str]) -> bool:
    """Return whether a table has the columns of an export of ours, whose cells are neutral.

    In tables from elsewhere an apostrophe is a part of the text.
    """
    return {name.strip().lower() for name in header} >= _OWN
