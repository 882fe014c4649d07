"""Cards written as a table, with their source and schedule."""

from __future__ import annotations

import csv
import json
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from groundwire.errors import InputError, NotFoundError
from groundwire.learning.cards import store
from groundwire.learning.packages.csv_columns import neutral
from groundwire.safe_text import safe_name
from groundwire.statefile import StateFile

COLUMNS = (
    *("guid", "deck", "type", "front", "back", "tags", "state", "proof", "quote", "source"),
    *("locator", "due", "stability", "difficulty", "reviews", "lapses", "card_id"),
)
_TAGS, _DUE = COLUMNS.index("tags"), COLUMNS.index("due")


def export_table(state: StateFile, owner: str, path: Path, *, deck: str = "") -> int:
    """Write an owner's cards as CSV, or as TSV where the file is called so; archived ones are not.

    No cell is run by a spreadsheet: see `spreadsheet_cells`.

    Args:
        state: the file of learning.
        owner: whose cards.
        path: the table; a file there is replaced.
        deck: id or name of a deck, taken with the decks within it; "" for all.

    Returns:
        how many rows were written.

    Raises:
        InputError: the path cannot be written.
        NotFoundError: the deck is unknown, or has no card to write.
        UnavailableError: the file of learning cannot be read.
    """
    statement = (files("groundwire.learning.packages") / "export_table.sql").read_text("utf-8")
    with state.reading() as connection:
        name = ""
        if connection is not None and deck.strip():
            found = store.find_deck(connection, owner, deck.strip())
            if found is None:
                raise NotFoundError(f"There is no deck {safe_name(deck, 80)!r}.")
            name = found.name
        rows = (
            connection.execute(statement, {"owner": owner, "deck": name}).fetchall()
            if connection is not None
            else []
        )
    if not rows:
        raise NotFoundError("There is no card to write.")
    separator = "\t" if path.suffix.lower() == ".tsv" else ","
    try:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, delimiter=separator, lineterminator="\n")
            writer.writerow(COLUMNS)
            for row in rows:
                cells = list(row)
                cells[_TAGS] = " ".join(json.loads(cells[_TAGS] or "[]"))
                if cells[_DUE] is not None:
                    moment = datetime.fromtimestamp(cells[_DUE] / 1_000, UTC)
                    cells[_DUE] = moment.isoformat(timespec="milliseconds")
                writer.writerow("" if cell is None else neutral(cell) for cell in cells)
    except OSError as error:
        raise InputError(
            f"The table {path} cannot be written ({error.strerror}): check its folder"
        ) from error
    return len(rows)
