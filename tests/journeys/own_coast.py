"""A harbour town of a user's own and its islands, as a GTFS feed: lines that are called by a mode.

Marholm has lines called Ferry, Ring, Shuttle and School, two numbered buses, two night buses of
Friday and Saturday nights, a bus on demand that is booked by telephone, and a boat of three days of
the week. There is no school on Thursday 26 and Friday 27 November 2026, nor from 21 December.
"""

from __future__ import annotations

from own_towns import Town, back_of
from timetable_feeds import Feed

_SPAN = ("20261101", "20270131")
_SCHOOL = ("20261101", "20261218")
# Services in the order of days of a week, and from when to when each holds.
_SERVICES = (
    ("daily", "1111111", _SPAN),
    ("week", "1111100", _SPAN),
    ("ends", "0000011", _SPAN),
    ("nights", "0000110", _SPAN),
    ("boat", "1010010", _SPAN),
    ("school", "1111000", _SCHOOL),
    ("friday", "0000100", _SCHOOL),
)
_STOPS = (
    ("SUN", "Sundhaven", 0, -16000),
    ("PIE", "Marholm Pier", 0, 0),
    ("MAR", "Market Cross", 700, 500),
    ("UNI", "University", 1500, 1200),
    ("STA", "Stadium", 2300, 700),
    ("THE", "Theatre", 1900, -300),
    ("HOS", "Marholm Hospital", 1100, -600),
    ("GRA", "Grammar School", 500, 1400),
    ("NOR", "North Beach", 4200, -400),
    ("SOU", "South Bay", -2500, 900),
    ("AIR", "Airfield", -4800, 1500),
    ("WIN", "Windmill", 2800, 3000),
    ("CLI", "Cliff End", 4100, 4700),
    ("LIG", "Lighthouse", 5200, 6100),
    ("FAR", "Farside Pier", -7000, -9000),
    ("FAV", "Farside Village", -7700, -9600),
)


def marholm() -> Feed:
    """A harbour town: lines called Ferry, Ring and Shuttle, night buses, a bus that one books."""
    town = Town("Marholm Transport", "Europe/London", "en")
    for stop in _STOPS:
        town.stop(*stop, 2 if stop[0] in ("LIG", "FAV", "CLI") else 1)
    for name, long_name, kind in (
        ("Ferry", "Sundhaven - Marholm", 4),
        ("Boat", "Farside Boat", 4),
        ("Ring", "Ring line", 700),
        ("Shuttle", "Airport Shuttle", 702),
        ("School", "School bus", 712),
        ("R30", "Dial-a-ride Lighthouse", 715),
        *((name, f"Bus {name}", 700) for name in ("10", "20", "F1")),
        *((name, f"Night bus {name}", 705) for name in ("N1", "N2")),
    ):
        town.line(name, long_name, kind)
    _boats(town)
    _buses(town)
    feed = town.feed()
    calendar = feed.tables["calendar"][1]
    calendar[:] = [[name, *map(int, days), *span] for name, days, span in _SERVICES]
    feed.tables["calendar_dates"][1][:] = [["school", "20261126", 2], ["friday", "20261127", 2]]
    feed.tables["feed_info"][1][0][-2:] = _SPAN
    for call in feed.tables["stop_times"][1]:
        if call[1] in ("WIN", "CLI"):
            call[-2:] = [2, 2]  # one telephones before
    return feed


def _boats(town: Town) -> None:
    ferry = [("SUN", 0), ("PIE", 40)]
    town.run("Ferry", "daily", ferry, 7 * 60, 21 * 60, 120, "Marholm")
    town.run("Ferry", "daily", back_of(ferry), 6 * 60, 20 * 60, 120, "Sundhaven")
    boat = [("PIE", 0), ("FAR", 30)]
    for at in (570, 840, 1050):
        town.run("Boat", "boat", boat, at, at, 1, "Farside")
        town.run("Boat", "boat", back_of(boat), at + 45, at + 45, 1, "Marholm")
        village = [("FAR", 0), ("FAV", 8)]
        town.run("F1", "boat", village, at + 35, at + 35, 1, "Farside Village")
        town.run("F1", "boat", back_of(village), at + 25, at + 25, 1, "Farside Pier")


def _buses(town: Town) -> None:
    ring = [("MAR", 0), ("UNI", 5), ("STA", 9), ("THE", 14), ("HOS", 18), ("MAR", 23)]
    town.run("Ring", "week", ring, 6 * 60, 22 * 60, 15, "Ring")
    town.run("Ring", "ends", ring, 8 * 60, 22 * 60, 30, "Ring")
    ten = [("PIE", 0), ("MAR", 4), ("HOS", 10), ("NOR", 21)]
    twenty = [("PIE", 0), ("MAR", 4), ("SOU", 13), ("AIR", 22)]
    for line, path, service, first, last, every in (
        ("10", ten, "week", 6 * 60 + 10, 20 * 60 + 10, 20),
        ("10", ten, "ends", 8 * 60 + 10, 18 * 60 + 10, 60),
        ("20", twenty, "daily", 7 * 60 + 5, 19 * 60 + 35, 30),
    ):
        town.run(line, service, path, first, last, every, path[-1][0])
        town.run(line, service, back_of(path), first + 25, last + 25, every, "Pier")
    for at in (6 * 60 + 40, 12 * 60 + 40, 18 * 60 + 40):
        town.run("Shuttle", "daily", [("PIE", 0), ("AIR", 12)], at, at, 1, "Airfield")
        town.run("Shuttle", "daily", [("AIR", 0), ("PIE", 12)], at + 20, at + 20, 1, "Pier")
    to_school = [("NOR", 0), ("HOS", 12), ("MAR", 20), ("GRA", 30)]
    for service, home in (("school", 795), ("friday", 750)):
        town.run("School", service, to_school, 445, 445, 1, "Grammar School")
        town.run("School", service, back_of(to_school), home, home, 1, "North Beach")
    dial = [("MAR", 0), ("WIN", 9), ("CLI", 16), ("LIG", 22)]
    for at in (9 * 60, 11 * 60, 15 * 60):
        town.run("R30", "week", dial, at, at, 1, "Lighthouse")
        town.run("R30", "week", back_of(dial), at + 40, at + 40, 1, "Market Cross")
    north = [("THE", 0), ("MAR", 6), ("HOS", 12), ("NOR", 22)]
    south = [("THE", 0), ("MAR", 6), ("SOU", 15)]
    for line, path in (("N1", north), ("N2", south)):
        town.run(line, "nights", path, 23 * 60 + 30, 26 * 60 + 30, 60, path[-1][0])
