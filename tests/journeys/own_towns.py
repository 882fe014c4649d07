"""Five regions of users' own, as GTFS feeds: names that are words, and all that a timetable does.

Waldstätt is German: S-Bahn, trams, a ring line, a bus by frequency, a night bus past midnight, a
ferry of the weekend, a change on foot. Port Marrow is English: lines called 5 and 5A, stops called
Market, Central, Change and Two Bridges, a loop in one direction, a night bus of two nights.
Kilbrae is Scottish: a tram, a railway, an express 7X beside the 7. Linjiang is Chinese: two
underground lines, a bus, a ferry of the weekend, all named in Chinese. The four isles have ferries
of few days, a funicular and buses, and stops with like names. All hold from November to
the middle of December 2026; Thursday 26 November runs as a Sunday.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from timetable_feeds import CALENDAR, STOP_TIMES, Feed, clock, times_of

BEGINS, ENDS = date(2026, 11, 1), date(2026, 12, 13)
_HOLIDAY = "20261126"
_STOP = (
    "stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code,"
    "wheelchair_boarding"
)


class Town:
    """Tables of a town, written line by line."""

    def __init__(self, agency: str, zone: str, language: str) -> None:
        self.agency, self.zone, self.language = agency, zone, language
        self.stops: list[Sequence[object]] = []
        self.routes: list[Sequence[object]] = []
        self.trips: list[list[object]] = []
        self.calls: list[list[object]] = []
        self.frequencies: list[Sequence[object]] = []

    def stop(
        self, code: str, name: str, north: int, east: int, steps: int = 1, parent: str = ""
    ) -> None:
        """Add a stop by its metres from the middle of the town; `steps` is GTFS's boarding."""
        kind = 1 if parent == "+" else 0
        place = (round(51.0 + north / 111_200, 6), round(11.0 + east / 69_980, 6))
        platform = code[-1] if parent not in ("", "+") else ""
        of = parent if parent != "+" else ""
        self.stops.append((code, name, *place, kind, of, platform, steps))

    def line(self, name: str, long_name: str, kind: int) -> None:
        self.routes.append((name.replace(" ", "_"), name, long_name, kind))

    def run(
        self,
        line: str,
        service: str,
        path: Sequence[tuple[str, int]],
        first: int,
        last: int,
        every: int,
        sign: str,
    ) -> None:
        """Add trips over stops at their minutes, from the first to the last minute of a day."""
        for at in range(first, last + 1, every):
            trip = f"{line}-{service}-{path[0][0]}-{at}".replace(" ", "_")
            self.trips.append([trip, line.replace(" ", "_"), service, sign, 1])
            self.calls += times_of(trip, [(stop, clock((at + on) * 60)) for stop, on in path])

    def about(self, trip_of: str, first: int, last: int, every: int, exact: int) -> None:
        """Let the last trip of a line run by frequency."""
        trip = next(str(one[0]) for one in reversed(self.trips) if one[1] == trip_of)
        self.frequencies.append((trip, clock(first * 60), clock(last * 60), every * 60, exact))

    def feed(self) -> Feed:
        """Return the tables."""
        begins, ends = f"{BEGINS:%Y%m%d}", f"{ENDS:%Y%m%d}"
        feed = Feed()
        feed.add(
            "agency",
            "agency_id,agency_name,agency_url,agency_timezone",
            [("A", self.agency, "https://example.org", self.zone)],
        )
        feed.add("stops", _STOP, self.stops)
        feed.add("routes", "route_id,route_short_name,route_long_name,route_type", self.routes)
        feed.add(
            "trips", "trip_id,route_id,service_id,trip_headsign,wheelchair_accessible", self.trips
        )
        feed.add("stop_times", STOP_TIMES, self.calls)
        feed.add(
            "calendar",
            CALENDAR,
            [
                ("daily", 1, 1, 1, 1, 1, 1, 1, begins, ends),
                ("week", 1, 1, 1, 1, 1, 0, 0, begins, ends),
                ("sat", 0, 0, 0, 0, 0, 1, 0, begins, ends),
                ("sun", 0, 0, 0, 0, 0, 0, 1, begins, ends),
                ("ends", 0, 0, 0, 0, 0, 1, 1, begins, ends),
                ("nights", 0, 0, 0, 0, 1, 1, 0, begins, ends),
            ],
        )
        feed.add(
            "calendar_dates",
            "service_id,date,exception_type",
            [("week", _HOLIDAY, 2), ("sun", _HOLIDAY, 1)],
        )
        if self.frequencies:
            feed.add(
                "frequencies",
                "trip_id,start_time,end_time,headway_secs,exact_times",
                self.frequencies,
            )
        feed.add(
            "feed_info",
            "feed_publisher_name,feed_publisher_url,feed_lang,feed_start_date,feed_end_date",
            [(self.agency, "https://example.org", self.language, begins, ends)],
        )
        return feed


def back_of(path: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
    whole = path[-1][1]
    return [(stop, whole - at) for stop, at in reversed(path)]


def waldstaett() -> Feed:
    """A German town: S1, trams 5 and 2, the ring R, buses 15 and X9, N7, and the ferry F1."""
    town = Town("Waldstätter Verkehrsbetriebe", "Europe/Berlin", "de")
    town.stop("HBF", "Waldstätt Hbf", 0, 0, 1, "+")
    town.stop("HBF1", "Waldstätt Hbf", 10, 0, 1, "HBF")
    town.stop("HBF2", "Waldstätt Hbf", -10, 0, 2, "HBF")
    town.stop("VOR", "Hbf Vorplatz", 150, 120)
    town.stop("MKT", "Am Markt", 900, 900)
    town.stop("RAT", "Rathaus", 600, 500)
    town.stop("KOE", "Königsplatz", -400, 700)
    town.stop("ZOO", "Zoo", -1300, 1500, 2)
    town.stop("UNI", "Universität", -200, 1900)
    town.stop("KRA", "Krankenhaus", 700, 1700)
    town.stop("MUE", "Mühlweg", -2000, 2300)
    town.stop("SCH", "Schloß", -2600, 3200, 0)
    town.stop("BAE", "Bärenau", 300, -6000)
    town.stop("WES", "Westend", 100, -2500)
    town.stop("MES", "Messe Süd", -1800, 400)
    town.stop("FLU", "Flughafen", -7000, 1500)
    town.stop("ANL", "Anleger Süd", -2000, 600)
    town.stop("INS", "Insel", -2600, 1400, 2)
    town.stop("GEW", "Gewerbepark", 2600, 2100)
    town.line("S1", "S-Bahn Bärenau - Flughafen", 109)
    town.line("5", "Straßenbahn 5", 900)
    town.line("2", "Straßenbahn 2", 900)
    town.line("R", "Ringlinie", 700)
    town.line("15", "Bus 15", 700)
    town.line("X9", "Schnellbus", 702)
    town.line("N7", "Nachtbus 7", 705)
    town.line("F1", "Fähre", 1000)
    s1 = [("BAE", 0), ("WES", 5), ("HBF1", 9), ("MES", 13), ("FLU", 22)]
    back = [(stop.replace("1", "2"), at) for stop, at in back_of(s1)]
    town.run("S1", "daily", s1, 4 * 60 + 31, 23 * 60 + 51, 20, "Flughafen")
    town.run("S1", "daily", back, 4 * 60 + 52, 24 * 60 + 12, 20, "Bärenau")
    five = [("MKT", 0), ("RAT", 2), ("VOR", 5), ("KOE", 9), ("ZOO", 15)]
    two = [("GEW", 0), ("KRA", 6), ("RAT", 11), ("KOE", 16), ("MES", 22)]
    fifteen = [("ZOO", 0), ("MUE", 4), ("SCH", 10)]
    for service, first, last, every in (
        ("week", 5 * 60, 23 * 60, 10),
        ("sat", 6 * 60, 23 * 60, 15),
        ("sun", 8 * 60, 22 * 60, 30),
    ):
        town.run("5", service, five, first, last, every, "Zoo")
        town.run("5", service, back_of(five), first + 4, last + 4, every, "Am Markt")
        town.run("15", service, fifteen, first + 7, last, every * 2, "Schloß")
        town.run("15", service, back_of(fifteen), first + 18, last, every * 2, "Zoo")
    town.run("2", "week", two, 6 * 60 + 3, 20 * 60 + 3, 20, "Messe Süd")
    town.run("2", "week", back_of(two), 6 * 60 + 13, 20 * 60 + 13, 20, "Gewerbepark")
    ring = [("RAT", 0), ("KOE", 5), ("UNI", 11), ("KRA", 16), ("RAT", 21)]
    town.run("R", "daily", ring, 6 * 60 + 8, 21 * 60 + 8, 30, "Ring")
    town.run("X9", "week", [("VOR", 0), ("UNI", 7), ("GEW", 15)], 7 * 60, 7 * 60, 1, "Gewerbepark")
    town.about("X9", 7 * 60, 19 * 60, 12, 1)
    town.run(
        "N7",
        "daily",
        [("VOR", 0), ("UNI", 9), ("MUE", 15), ("SCH", 21)],
        24 * 60 + 30,
        26 * 60 + 30,
        60,
        "Schloß",
    )
    town.run("F1", "ends", [("ANL", 0), ("INS", 12)], 9 * 60, 9 * 60, 1, "Insel")
    town.about("F1", 9 * 60, 18 * 60, 30, 0)
    town.run("F1", "ends", [("INS", 0), ("ANL", 12)], 9 * 60 + 15, 9 * 60 + 15, 1, "Anleger Süd")
    town.about("F1", 9 * 60 + 15, 18 * 60 + 15, 30, 0)
    return town.feed()


def port_marrow() -> Feed:
    """An English town: a metro, the Coast Line, buses 5, 5A and N5, the Circle, and a ferry."""
    town = Town("Port Marrow Transport", "Europe/London", "en")
    town.stop("CEN", "Central", 0, 0, 1, "+")
    town.stop("CEN1", "Central", 10, 0, 1, "CEN")
    town.stop("CEN2", "Central", -10, 0, 1, "CEN")
    town.stop("MKT", "Market", 600, 400)
    town.stop("GRE", "The Green", 1500, 700)
    town.stop("BAY", "North Bay", 3200, 900)
    town.stop("MAY", "May Street", 700, -900)
    town.stop("UNI", "University", 1200, 1700, 2)
    town.stop("TWO", "Two Bridges", 1600, 3100, 0)
    town.stop("AIR", "Airport", 2100, 6200)
    town.stop("HAR", "Harbour", -900, 800)
    town.stop("PIE", "Pier", -1080, 930)
    town.stop("BEL", "Bell Island", -2500, 2500, 2)
    town.stop("CHA", "Change", -700, -1900)
    town.stop("WHI", "Whitesand", 3000, 11000)
    town.stop("HOS", "Hospital", 100, 1500)
    town.stop("SCH", "School Lane", 2400, -300, 0)
    town.line("M1", "Metro", 1)
    town.line("Coast Line", "Coast Line", 2)
    town.line("5", "May Street to Airport", 3)
    town.line("5A", "May Street to Harbour", 3)
    town.line("12", "School Lane to Hospital", 3)
    town.line("N5", "Night bus", 3)
    town.line("Circle", "Circle", 3)
    town.line("Bell Ferry", "Bell Ferry", 4)
    metro = [("CHA", 0), ("CEN1", 4), ("MKT", 6), ("GRE", 9), ("BAY", 14)]
    back = [(stop.replace("1", "2"), at) for stop, at in back_of(metro)]
    town.run("M1", "daily", metro, 5 * 60 + 32, 24 * 60 + 8, 12, "North Bay")
    town.run("M1", "daily", back, 5 * 60 + 40, 24 * 60 + 16, 12, "Change")
    coast = [("CEN1", 0), ("AIR", 11), ("WHI", 19)]
    town.run("Coast Line", "daily", coast, 6 * 60 + 20, 22 * 60 + 20, 60, "Whitesand")
    town.run("Coast Line", "daily", back_of(coast), 6 * 60 + 50, 22 * 60 + 50, 60, "Central")
    five = [("MAY", 0), ("MKT", 7), ("UNI", 15), ("TWO", 21), ("AIR", 33)]
    harbour = [("MAY", 0), ("MKT", 7), ("HOS", 13), ("HAR", 19)]
    twelve = [("SCH", 0), ("GRE", 6), ("UNI", 12), ("HOS", 19)]
    for service, first, last, every in (
        ("week", 6 * 60, 22 * 60, 15),
        ("sat", 7 * 60, 22 * 60, 30),
        ("sun", 9 * 60, 21 * 60, 60),
    ):
        town.run("5", service, five, first, last, every, "Airport")
        town.run("5", service, back_of(five), first + 9, last + 9, every, "May Street")
        town.run("5A", service, harbour, first + 5, last - 55, every * 2, "Harbour")
        town.run("5A", service, back_of(harbour), first + 2, last - 58, every * 2, "May Street")
    town.run("12", "week", twelve, 6 * 60 + 10, 19 * 60 + 10, 30, "Hospital")
    town.run("12", "week", back_of(twelve), 6 * 60 + 25, 19 * 60 + 25, 30, "School Lane")
    circle = [("CEN1", 0), ("HAR", 6), ("HOS", 12), ("UNI", 16), ("GRE", 22), ("CEN1", 28)]
    town.run("Circle", "daily", circle, 7 * 60, 21 * 60, 20, "Circle")
    town.run(
        "N5",
        "nights",
        [("CEN1", 0), ("MKT", 3), ("UNI", 10), ("TWO", 15)],
        24 * 60 + 40,
        26 * 60 + 40,
        60,
        "Two Bridges",
    )
    town.run("Bell Ferry", "daily", [("PIE", 0), ("BEL", 18)], 8 * 60, 8 * 60, 1, "Bell Island")
    town.about("Bell_Ferry", 8 * 60, 17 * 60, 45, 0)
    town.run("Bell Ferry", "daily", [("BEL", 0), ("PIE", 18)], 8 * 60 + 22, 8 * 60 + 22, 1, "Pier")
    town.about("Bell_Ferry", 8 * 60 + 22, 17 * 60 + 22, 45, 0)
    return town.feed()


def kilbrae() -> Feed:
    """A Scottish town: tram T1, the Glen Line, buses 7, 7X and 40, the N40, and a cable car."""
    town = Town("Kilbrae Transit", "Europe/London", "en")
    town.stop("CEN", "Kilbrae Central", 0, 0, 1, "+")
    town.stop("CEN1", "Kilbrae Central", 10, 0, 1, "CEN")
    town.stop("CEN2", "Kilbrae Central", -10, 0, 1, "CEN")
    town.stop("SEA", "Seaview", -300, -3600)
    town.stop("FER", "Ferry Lane", -100, -1900)
    town.stop("ABB", "Abbey Cross", 300, 1100)
    town.stop("INF", "Infirmary", 500, 3000)
    town.stop("OLD", "Old Mill", 4100, 900, 2)
    town.stop("GLF", "Glen Foot", 8800, 2700)
    town.stop("GLH", "Glen Head", 15200, 3900, 2)
    town.stop("BEN", "Ben Top", 16400, 4100, 2)
    town.stop("LOC", "Loch End", 4600, 4900, 0)
    town.stop("MOO", "Moor Top", 5300, -2100)
    town.line("T1", "Tram 1", 900)
    town.line("Glen Line", "Glen Line", 2)
    town.line("7", "Abbey Cross to Moor Top", 3)
    town.line("7X", "Express to Moor Top", 3)
    town.line("40", "Infirmary to Glen Foot", 3)
    town.line("N40", "Night bus", 3)
    town.line("Ben Lift", "Ben Lift", 6)
    tram = [("SEA", 0), ("FER", 4), ("CEN1", 9), ("ABB", 12), ("INF", 17)]
    town.run("T1", "daily", tram, 5 * 60 + 48, 23 * 60 + 48, 12, "Infirmary")
    town.run("T1", "daily", back_of(tram), 5 * 60 + 50, 23 * 60 + 50, 12, "Seaview")
    glen = [("CEN2", 0), ("OLD", 8), ("GLF", 17), ("GLH", 29)]
    town.run("Glen Line", "daily", glen, 6 * 60 + 10, 21 * 60 + 10, 60, "Glen Head")
    town.run("Glen Line", "daily", back_of(glen), 6 * 60 + 45, 21 * 60 + 45, 60, "Kilbrae Central")
    seven, express = [("ABB", 0), ("OLD", 9), ("MOO", 18)], [("ABB", 0), ("MOO", 11)]
    for service, first, last, every in (
        ("week", 6 * 60 + 5, 19 * 60 + 5, 20),
        ("sat", 8 * 60 + 5, 18 * 60 + 5, 30),
    ):
        town.run("7", service, seven, first, last, every, "Moor Top")
        town.run("7", service, back_of(seven), first + 25, last + 25, every, "Abbey Cross")
    town.run("7X", "week", express, 7 * 60, 9 * 60, 60, "Moor Top")
    town.run("7X", "week", back_of(express), 16 * 60, 18 * 60, 60, "Abbey Cross")
    forty = [("INF", 0), ("LOC", 10), ("GLF", 16)]
    town.run("40", "daily", forty, 6 * 60 + 20, 20 * 60 + 20, 30, "Glen Foot")
    town.run("40", "daily", back_of(forty), 6 * 60 + 41, 20 * 60 + 41, 30, "Infirmary")
    night = [("CEN1", 0), ("INF", 8), ("LOC", 17)]
    town.run("N40", "nights", night, 24 * 60 + 45, 26 * 60 + 45, 60, "Loch End")
    town.run("Ben Lift", "ends", [("GLH", 0), ("BEN", 7)], 9 * 60, 9 * 60, 1, "Ben Top")
    town.about("Ben_Lift", 9 * 60, 17 * 60, 20, 0)
    town.run("Ben Lift", "ends", [("BEN", 0), ("GLH", 7)], 9 * 60, 9 * 60, 1, "Glen Head")
    town.about("Ben_Lift", 9 * 60, 17 * 60, 20, 0)
    return town.feed()


def linjiang() -> Feed:
    """A Chinese town: underground lines 1号线 and 2号线, bus 3路, the night bus and the ferry."""
    town = Town("临江公交", "Asia/Shanghai", "zh")
    town.stop("ZHA", "火车站", 0, 0)
    town.stop("GUA", "人民广场", 700, 500)
    town.stop("DON", "东门", 500, 1800)
    town.stop("DAX", "大学城", 2200, 3600)
    town.stop("JIC", "机场", 3000, 9000)
    town.stop("YIY", "医院", 1900, -400, 2)
    town.stop("MAT", "码头", -900, 300)
    town.stop("DAO", "江心岛", -2900, 900, 0)
    town.stop("DWY", "动物园", -1500, 3800)
    town.line("1号线", "地铁1号线", 1)
    town.line("2号线", "地铁2号线", 1)
    town.line("3路", "公交3路", 3)
    town.line("夜1路", "夜班公交", 3)
    town.line("轮渡", "江心岛轮渡", 4)
    one = [("JIC", 0), ("DAX", 9), ("DON", 14), ("GUA", 18), ("ZHA", 21)]
    town.run("1号线", "daily", one, 6 * 60, 23 * 60, 10, "火车站")
    town.run("1号线", "daily", back_of(one), 6 * 60 + 4, 23 * 60 + 4, 10, "机场")
    two = [("YIY", 0), ("GUA", 4), ("MAT", 9)]
    town.run("2号线", "daily", two, 6 * 60 + 5, 22 * 60 + 45, 8, "码头")
    town.run("2号线", "daily", back_of(two), 6 * 60 + 7, 22 * 60 + 47, 8, "医院")
    three = [("ZHA", 0), ("DON", 11), ("DWY", 19)]
    for service, every in (("week", 15), ("sat", 30), ("sun", 30)):
        town.run("3路", service, three, 5 * 60 + 50, 21 * 60 + 50, every, "动物园")
        town.run("3路", service, back_of(three), 6 * 60 + 12, 22 * 60 + 12, every, "火车站")
    night = [("ZHA", 0), ("GUA", 5), ("DAX", 18)]
    town.run("夜1路", "nights", night, 24 * 60 + 20, 26 * 60 + 20, 60, "大学城")
    town.run("轮渡", "ends", [("MAT", 0), ("DAO", 15)], 9 * 60, 17 * 60, 30, "江心岛")
    town.run("轮渡", "ends", [("DAO", 0), ("MAT", 15)], 9 * 60 + 15, 17 * 60 + 15, 30, "码头")
    return town.feed()


def four_isles() -> Feed:
    """Islands of the north: ferries of few days, buses, a funicular, stops with like names."""
    town = Town("Inselverkehr Grootöe", "Europe/Berlin", "de")
    town.stop("GH", "Grootöe Hafen", 0, 0)
    town.stop("GN", "Grootöe Neuer Hafen", 1500, -800)
    town.stop("INS", "Inselmarkt", 700, 600)
    town.stop("KIR", "Kirchweg", 1300, 1500)
    town.stop("KID", "Kirchdorf", 2600, 2600, 2)
    town.stop("OKI", "Oberkirch", 3600, 3300, 0)
    town.stop("TAL", "Klippenbahn Tal", 2700, 900)
    town.stop("BER", "Klippenbahn Berg", 3100, 1300, 2)
    town.stop("KLI", "Inselklinik", 300, 1900)
    town.stop("STO", "Oststrand", -300, 3800, 0)
    town.stop("SH", "Sandöe Hafen", -9000, 500)
    town.stop("SD", "Sandöe Dorf", -9600, 1600)
    town.stop("SO", "Sandöe Oststrand", -9800, 3300, 0)
    town.stop("LA", "Lüttöe Anleger", 1500, -7500, 2)
    town.stop("FH", "Norderhaven Fähre", 0, 20000)
    town.stop("FB", "Norderhaven Bahnhof", 900, 20700)
    town.line("F1", "Fähre Norderhaven - Grootöe", 4)
    town.line("F2", "Fähre Grootöe - Sandöe", 4)
    town.line("F3", "Lüttöe-Boot", 4)
    town.line("X1", "Inselexpress", 4)
    town.line("Lichterfahrt", "Lichterfahrt", 4)
    town.line("Klippenbahn", "Klippenbahn", 7)
    for name in ("1", "2", "12", "2E", "S1", "70", "N2"):
        town.line(name, f"Bus {name}", 3)
    mainland = [("FH", 0), ("GH", 55)]
    town.run("F1", "daily", mainland, 6 * 60 + 30, 18 * 60 + 30, 120, "Grootöe Hafen")
    town.run("F1", "daily", back_of(mainland), 7 * 60 + 45, 19 * 60 + 45, 120, "Norderhaven")
    for service, starts in (("few", (490, 790, 1060)), ("ends", (610, 910))):
        for at in starts:
            town.run("F2", service, [("GH", 0), ("SH", 25)], at, at, 1, "Sandöe Hafen")
            town.run("F2", service, [("SH", 0), ("GH", 25)], at + 50, at + 50, 1, "Grootöe Hafen")
            beach = [("SH", 0), ("SD", 6), ("SO", 13)]
            town.run("S1", service, beach, at + 35, at + 35, 1, "Sandöe Oststrand")
            town.run("S1", service, back_of(beach), at + 32, at + 32, 1, "Sandöe Hafen")
    for at in (540, 930):
        town.run("F3", "boat", [("GH", 0), ("LA", 35)], at, at, 1, "Lüttöe Anleger")
        town.run("F3", "boat", [("LA", 0), ("GH", 35)], at + 60, at + 60, 1, "Grootöe Hafen")
    fast = [("FH", 0), ("GN", 30), ("LA", 48)]
    town.run("X1", "fast", fast, 16 * 60, 16 * 60, 1, "Lüttöe Anleger")
    town.run("X1", "fast", back_of(fast), 17 * 60, 17 * 60, 1, "Norderhaven Fähre")
    town.run("Lichterfahrt", "advent", [("GH", 0), ("SH", 30)], 960, 960, 1, "Sandöe Hafen")
    town.run("Lichterfahrt", "advent", [("SH", 0), ("GH", 30)], 1140, 1140, 1, "Grootöe Hafen")
    cable = [("TAL", 0), ("BER", 4)]
    town.run("Klippenbahn", "daily", cable, 9 * 60, 18 * 60, 15, "Berg")
    town.run("Klippenbahn", "daily", back_of(cable), 9 * 60 + 7, 18 * 60 + 7, 15, "Tal")
    one = [("GH", 0), ("INS", 4), ("KLI", 9), ("STO", 16)]
    two = [("GH", 0), ("INS", 4), ("KIR", 8), ("KID", 13), ("OKI", 17)]
    for line, path, service, first, last, every in (
        ("1", one, "week", 6 * 60 + 20, 20 * 60 + 20, 30),
        ("1", one, "ends", 8 * 60 + 20, 18 * 60 + 20, 60),
        ("2", two, "week", 6 * 60 + 25, 19 * 60 + 25, 60),
        ("2", two, "sat", 8 * 60 + 25, 16 * 60 + 25, 120),
        ("12", [("GN", 0), ("INS", 7), ("TAL", 13)], "daily", 8 * 60 + 40, 18 * 60 + 10, 30),
        ("70", [("FB", 0), ("FH", 6)], "daily", 6 * 60, 20 * 60, 30),
    ):
        town.run(line, service, path, first, last, every, "hin")
        town.run(line, service, back_of(path), first + 20, last + 20, every, "zurück")
    town.run("2E", "week", [("OKI", 0), ("KID", 4), ("INS", 12)], 430, 430, 1, "Inselmarkt")
    town.run("2E", "week", [("INS", 0), ("KID", 8), ("OKI", 12)], 795, 795, 1, "Oberkirch")
    town.run("N2", "nights", two, 23 * 60 + 45, 25 * 60 + 45, 60, "Oberkirch")
    feed = town.feed()
    span = (f"{BEGINS:%Y%m%d}", f"{ENDS:%Y%m%d}")
    feed.tables["calendar"][1].extend(
        [
            ["few", 1, 0, 1, 0, 1, 0, 0, *span],
            ["boat", 0, 1, 0, 0, 1, 0, 0, *span],
            ["fast", 0, 0, 0, 0, 1, 0, 1, *span],
        ]
    )
    feed.tables["calendar_dates"][1].extend(
        [["few", "20261125", 2], ["advent", "20261129", 1], ["advent", "20261206", 1]]
    )
    return feed
