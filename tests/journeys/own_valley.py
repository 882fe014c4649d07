"""A mountain valley of a user's own, as a GTFS feed: a summer and a winter timetable.

Gamstal has the valley railway T, the rack railway Z, the cable cars G1 and G2, buses that are
called by letters, the ring bus C that runs one way, the school bus S, the ski bus K of winter, a
night bus, and a bus that stops at some stops on request alone. Until 12 December 2026 the summer
timetable holds: the cable cars rest but at weekends, the rack railway runs every hour. From Sunday
13 December the winter timetable holds. Tuesday 8 December is a holiday that runs as a Sunday.
"""

from __future__ import annotations

from own_towns import Town, back_of
from timetable_feeds import Feed

_SUMMER = ("20261101", "20261212")
_WINTER = ("20261213", "20270228")
_HOLIDAY = "20261208"
# Seasons, their services in the order of days of a week, and from when to when each holds.
_SERVICES = (
    ("daily", "1111111", ("20261101", "20270228")),
    ("week", "1111100", ("20261101", "20270228")),
    ("sat", "0000010", ("20261101", "20270228")),
    ("sun", "0000001", ("20261101", "20270228")),
    ("nights", "0000110", ("20261101", "20270228")),
    ("school", "1111100", ("20261101", "20261218")),
    ("friday", "0000100", ("20261101", "20270228")),
    ("summer", "1111111", _SUMMER),
    ("summerends", "0000011", _SUMMER),
    ("winter", "1111111", _WINTER),
)


def gamstal() -> Feed:
    """A valley in the mountains: railways, cable cars, buses by letters, two timetables."""
    town = Town("Gamstaler Verkehrsverbund", "Europe/Vienna", "de")
    _stops(town)
    for name, long_name, kind in (
        ("T", "Gamstalbahn", 106),
        ("Z", "Zahnradbahn Alpgrat", 116),
        ("G1", "Gamsbahn I", 1300),
        ("G2", "Gamsbahn II", 1300),
        ("A", "Talbus", 700),
        ("B", "Bergbus", 700),
        ("C", "Ringbus", 700),
        ("S", "Schulbus", 712),
        ("K", "Skibus", 700),
        ("N", "Nachtbus", 705),
    ):
        town.line(name, long_name, kind)
    _mountains(town)
    _buses(town)
    feed = town.feed()
    calendar = feed.tables["calendar"][1]
    calendar[:] = [[name, *map(int, days), *span] for name, days, span in _SERVICES]
    feed.tables["calendar_dates"][1][:] = [
        ["week", _HOLIDAY, 2],
        ["school", _HOLIDAY, 2],
        ["sun", _HOLIDAY, 1],
        ["summerends", _HOLIDAY, 1],
    ]
    feed.tables["feed_info"][1][0][-2:] = ["20261101", "20270228"]
    for call in feed.tables["stop_times"][1]:
        if call[1] in ("HIN", "JAG"):
            call[-2:] = [3, 3]  # one tells the driver
        if call[1] == "SAG":
            call[-2:] = [2, 2]  # one telephones before
    return feed


def _stops(town: Town) -> None:
    town.stop("BF", "Talbach Bahnhof", 0, 0, 1, "+")
    town.stop("BF1", "Talbach Bahnhof", 10, 0, 1, "BF")
    town.stop("BF2", "Talbach Bahnhof", -10, 0, 2, "BF")
    town.stop("VOR", "Talbach Bahnhofplatz", 90, 60)
    town.stop("DOR", "Talbach Dorfplatz", 700, 500)
    town.stop("SPI", "Spital", 1500, 300)
    town.stop("SEE", "Badesee", 1300, -900, 0)
    town.stop("UNT", "Unterau", 400, 5200, 2)
    town.stop("SCH", "Unterau Schule", 700, 5600)
    town.stop("MIT", "Mittelau", 900, 8900, 2)
    town.stop("OBE", "Oberau Bahnhof", 1500, 13100)
    town.stop("KIR", "Oberau Kirche", 1900, 13500, 0)
    town.stop("STE", "Steinmatt", 3100, 14200, 2)
    town.stop("ALP", "Alpgrat", 5200, 15400, 2)
    town.stop("SON", "Sonntag Dorf", 3900, 8300)
    town.stop("SBO", "Sonntagsboden", 5100, 8000, 0)
    town.stop("GTA", "Gamsbahn Talstation", 4300, 8700)
    town.stop("GMI", "Gamsbahn Mittelstation", 5600, 9300)
    town.stop("GGI", "Gamskogel Gipfel", 7000, 9900, 2)
    town.stop("HIN", "Hinterboden", 2600, 17200, 0)
    town.stop("JAG", "Jagdhaus", 2900, 18800, 0)
    town.stop("SAG", "Sägewerk", 2200, 15600, 0)
    town.stop("PAS", "Passhöhe", 3700, 21300, 2)


def _mountains(town: Town) -> None:
    valley = [("BF1", 0), ("UNT", 8), ("MIT", 14), ("OBE", 21)]
    back = [(stop.replace("BF1", "BF2"), at) for stop, at in back_of(valley)]
    town.run("T", "daily", valley, 5 * 60 + 38, 22 * 60 + 38, 30, "Oberau")
    town.run("T", "daily", back, 5 * 60 + 9, 22 * 60 + 9, 30, "Talbach")
    rack = [("OBE", 0), ("STE", 9), ("ALP", 23)]
    for service, every, last in (("summer", 60, 16), ("winter", 30, 18)):
        town.run("Z", service, rack, 8 * 60 + 5, last * 60 + 5, every, "Alpgrat")
        town.run("Z", service, back_of(rack), 8 * 60 + 35, last * 60 + 35, every, "Oberau")
    first, second = [("GTA", 0), ("GMI", 7)], [("GMI", 0), ("GGI", 6)]
    for service, begins, ends in (("summerends", 540, 960), ("winter", 510, 990)):
        for line, path in (("G1", first), ("G2", second)):
            town.run(line, service, path, begins, begins, 1, "Berg")
            town.about(line, begins, ends, 12, 0)
            town.run(line, service, back_of(path), begins + 6, begins + 6, 1, "Tal")
            town.about(line, begins + 6, ends + 30, 12, 0)


def _buses(town: Town) -> None:
    a = [("VOR", 0), ("DOR", 3), ("UNT", 13), ("MIT", 20), ("SON", 29), ("GTA", 32)]
    b = [("OBE", 0), ("KIR", 3), ("SAG", 9), ("HIN", 14), ("JAG", 18), ("PAS", 27)]
    for service, begins, ends, every in (
        ("week", 6 * 60 + 12, 19 * 60 + 12, 30),
        ("sat", 7 * 60 + 12, 18 * 60 + 12, 60),
        ("sun", 8 * 60 + 12, 17 * 60 + 12, 60),
    ):
        town.run("A", service, a, begins, ends, every, "Gamsbahn")
        town.run("A", service, back_of(a), begins + 35, ends + 35, every, "Talbach")
    for service, times in (("week", (440, 800, 1050)), ("sat", (560, 920))):
        for at in times:
            town.run("B", service, b, at, at, 1, "Passhöhe")
            town.run("B", service, back_of(b), at + 35, at + 35, 1, "Oberau")
    ring = [("VOR", 0), ("DOR", 4), ("SPI", 8), ("SEE", 13), ("VOR", 19)]
    town.run("C", "week", ring, 6 * 60 + 30, 20 * 60, 30, "Ring")
    town.run("C", "sat", ring, 8 * 60, 17 * 60, 60, "Ring")
    to_school = [("SBO", 0), ("SON", 5), ("MIT", 13), ("SCH", 20)]
    town.run("S", "school", to_school, 428, 428, 1, "Schule")
    for service, at in (("school", 745), ("friday", 700)):
        town.run("S", service, back_of(to_school), at, at, 1, "Sonntagsboden")
    ski = [("BF1", 0), ("UNT", 9), ("GTA", 24)]
    town.run("K", "winter", ski, 8 * 60, 11 * 60, 20, "Gamsbahn")
    town.run("K", "winter", back_of(ski), 14 * 60, 17 * 60, 20, "Talbach")
    night = [("VOR", 0), ("UNT", 12), ("MIT", 18), ("OBE", 27)]
    town.run("N", "nights", night, 23 * 60 + 30, 26 * 60 + 30, 90, "Oberau")
