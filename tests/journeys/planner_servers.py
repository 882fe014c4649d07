"""Journey planners on loopback that speak the protocols of OpenTripPlanner and MOTIS, for tests."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from datetime import datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

MUSEUM = {"name": "Museum", "lat": 52.521, "lon": 13.398}
ZOO = {"name": "Zoo", "lat": 52.507, "lon": 13.332}
HEATH = {"name": "Heath", "lat": 52.60, "lon": 13.20}
Reply = tuple[int, str, bytes]


def as_json(tree: object, status: int = 200) -> Reply:
    return status, "application/json", json.dumps(tree).encode()


class PlannerServer:
    """Answers by a function of the path, the query and the body; keeps what was asked."""

    def __init__(self, answer: Callable[[str, dict[str, str], Any], Reply]) -> None:
        self.asked: list[tuple[str, dict[str, str], Any]] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._answer(None)

            def do_POST(self) -> None:
                self._answer(json.loads(self.rfile.read(int(self.headers["content-length"]))))

            def _answer(self, body: Any) -> None:
                parts = urlsplit(self.path)
                query = dict(parse_qsl(parts.query))
                server.asked.append((parts.path, query, body))
                status, kind, content = answer(parts.path, query, body)
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                with suppress(ConnectionError):  # whoever asked has left
                    self.wfile.write(content)

            def log_message(self, format: str, *args: object) -> None:
                del format, args

        self._http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    def close(self) -> None:
        self._http.shutdown()
        self._http.server_close()


def motis_leg(start: datetime, minutes: int, one: Any, other: Any, **more: Any) -> dict[str, Any]:
    end = start + timedelta(minutes=minutes)
    times = {"startTime": _utc(start), "endTime": _utc(end)}
    return {"mode": "WALK", "from": one, "to": other, "duration": minutes * 60, **times, **more}


def motis_plan(start: datetime) -> dict[str, Any]:
    """A walk and a ride from the museum to the zoo."""
    stop = {"name": "Museum U", "stopId": "x_1", "lat": 52.5212, "lon": 13.3985, "track": "2"}
    zoo = {"name": "Zoo U", "stopId": "x_2", "lat": 52.5071, "lon": 13.3321}
    between = {"name": "Bridge", "stopId": "x_3", "lat": 52.515, "lon": 13.36}
    ride = motis_leg(
        start + timedelta(minutes=4),
        12,
        stop,
        zoo,
        mode="SUBWAY",
        routeShortName="U2",
        headsign="Ruhleben",
        realTime=True,
        scheduledStartTime=_utc(start + timedelta(minutes=3)),
        scheduledEndTime=_utc(start + timedelta(minutes=16)),
        intermediateStops=[between],
        alerts=[{"headerText": "Lift broken", "descriptionText": "At Zoo."}],
    )
    walk = motis_leg(start, 3, {**MUSEUM, "name": "START"}, stop, distance=90)
    last = motis_leg(start + timedelta(minutes=16), 2, zoo, {**ZOO, "name": "END"}, distance=40)
    return {"legs": [walk, ride, last]}


def motis(plans: Callable[[datetime], list[dict[str, Any]]]) -> PlannerServer:
    """A MOTIS whose plans are a function of the time that is asked for."""

    def answer(path: str, query: dict[str, str], body: Any) -> Reply:
        del body
        if path == "/api/v1/geocode":
            places = [MUSEUM, ZOO, HEATH, {**HEATH, "lat": 52.40, "name": "Heath"}]
            found = [
                {**one, "type": "STOP", "id": f"x_{number}", "areas": [{"name": "Berlin"}]}
                for number, one in enumerate(places)
                if query["text"].casefold() in str(one["name"]).casefold()
            ]
            return as_json(found)
        if path != "/api/v5/plan":
            return as_json({"error": "no such path"}, 404)
        when = datetime.fromisoformat(query["time"].replace("Z", "+00:00"))
        return as_json({"itineraries": plans(when), "direct": []})

    return PlannerServer(answer)


def otp(lie: Callable[[dict[str, Any]], object] = lambda leg: None) -> PlannerServer:
    """An OpenTripPlanner that has one way from the museum to the zoo.

    Beside it stands another, of which `lie` may change the only leg.
    """

    def answer(path: str, query: dict[str, str], body: Any) -> Reply:
        del path, query
        if "agencies" in body["query"]:
            return as_json({"data": {"agencies": [{"timezone": "Europe/Berlin"}]}})
        variables = body["variables"]
        if "stops(" in body["query"]:
            asked = variables["name"].casefold()
            found = [{**one, "gtfsId": f"1:{one['name']}"} for one in (MUSEUM, ZOO)]
            return as_json(
                {"data": {"stops": [one for one in found if asked in one["name"].casefold()]}}
            )
        moment = variables["departure"] or variables["arrival"]
        start = datetime.fromisoformat(moment.replace("Z", "+00:00"))
        if variables["arrival"]:
            start -= timedelta(minutes=30)
        end = start + timedelta(minutes=12)
        leg = {
            "mode": "TRAM",
            "headsign": "Harbour",
            "from": {**MUSEUM, "stop": {"gtfsId": "1:Museum", "platformCode": "3"}},
            "to": {**ZOO, "stop": {"gtfsId": "1:Zoo"}},
            "start": {"scheduledTime": start.isoformat(), "estimated": None},
            "end": {"scheduledTime": end.isoformat(), "estimated": None},
            "route": {"gtfsId": "1:M1", "shortName": "M1"},
            "legGeometry": {"points": "_p~iF~ps|U_ulLnnqC"},
        }
        other = deepcopy(leg)
        lie(other)
        nodes = [{"node": {"legs": [one]}} for one in ([leg] if other == leg else [other, leg])]
        return as_json({"data": {"planConnection": {"edges": nodes}}})

    return PlannerServer(answer)


def wrong(kind: str) -> PlannerServer:
    """A planner that answers what no planner should."""

    def answer(path: str, query: dict[str, str], body: Any) -> Reply:
        del path, query, body
        if kind == "hangs":
            time.sleep(3)
        page = b"<!DOCTYPE html><html>Welcome</html>"
        return {
            "page": (200, "text/html", page),
            "hangs": as_json({}),
            "cut": (200, "application/json", b'{"itineraries": [{"legs": ['),
            "shape": as_json({"plan": "of another kind"}),
            "list": as_json(["no", "object"]),
            "fails": as_json({"error": "down"}, 503),
            "limits": as_json({}, 429),
            "key": as_json({}, 401),
            "gone": (404, "text/html", page),
            "bad": as_json({"error": "time is bad"}, 400),
        }[kind]

    return PlannerServer(answer)


def _utc(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")
