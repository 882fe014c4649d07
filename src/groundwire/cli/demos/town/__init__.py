"""The timetable of Lindow, a small city that is invented, as the demo imports it (GTFS)."""

from __future__ import annotations

import zipfile
from datetime import date, timedelta
from pathlib import Path

_WEEKS = 12


def write_feed(path: Path, today: date) -> None:
    """Write the feed as a zip whose services run from a day on for twelve weeks."""
    days = {"{first}": f"{today:%Y%m%d}", "{last}": f"{today + timedelta(weeks=_WEEKS):%Y%m%d}"}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as feed:
        for table in sorted(Path(__file__).parent.glob("*.txt")):
            text = table.read_text("utf-8")
            for mark, day in days.items():
                text = text.replace(mark, day)
            feed.writestr(table.name, text)
