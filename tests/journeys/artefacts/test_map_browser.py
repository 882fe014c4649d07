"""The map as people see it, in headless Chromium: colours, names, and no request to anywhere."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from html import unescape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import combinations
from pathlib import Path

import pytest
from chromium import browse, screenshot
from drawn_plans import a_day, one_line_twice, to_tate_modern
from map_reading import along, colour_at, legs, rgb, share_of

from groundwire.journeys.artefacts.map_html import draw_html
from groundwire.journeys.artefacts.map_projection import Box
from groundwire.journeys.artefacts.map_style import DARK, LIGHT
from groundwire.journeys.artefacts.map_svg import MapRequest, draw_svg

# Tells the boxes of all names on the map, as the browser's fonts make them, and of their frame.
MEASURE = """
<pre id="boxes"></pre><script>
var boxes = [];
document.querySelectorAll('svg .name, svg .num, svg rect.land').forEach(function (one) {
  var box = one.getBBox();
  boxes.push([one.getAttribute('class'), one.textContent, box.x, box.y, box.width, box.height]);
});
document.getElementById('boxes').textContent = JSON.stringify(boxes);
</script>
"""


def written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(("dark", "theme"), [(False, LIGHT), (True, DARK)], ids=["light", "dark"])
def test_each_leg_has_the_colour_of_its_line(dark, theme, network, tmp_path) -> None:
    told = to_tate_modern(network)
    svg = draw_svg(MapRequest(told, network=network))
    image = screenshot(written(tmp_path, "map.svg", svg), dark=dark)
    assert colour_at(image, (3, 3)) == rgb(theme.sheet)
    assert colour_at(image, (40, 110)) == rgb(theme.land)
    drawn = legs(svg)
    for leg, line in zip(drawn, ("circle", "northern", "jubilee"), strict=False):
        pixels = list(along(leg.corners))
        assert share_of(image, pixels, network.lines[line].colour) > 0.5, line
    # The dots of the walk, and between them the land or what is behind.
    walk = list(along(drawn[3].corners, 1))
    assert 0.1 < share_of(image, walk, theme.path) < 0.8


def test_black_is_cased_in_the_dark(network, tmp_path) -> None:
    svg = draw_svg(MapRequest(one_line_twice(network), network=network))
    image = screenshot(written(tmp_path, "map.svg", svg), dark=True)
    [first, _] = legs(svg)
    (x, y), (to_x, to_y) = first.corners[:2]
    length = ((to_x - x) ** 2 + (to_y - y) ** 2) ** 0.5
    across, down = (y - to_y) / length, (to_x - x) / length
    middle = (x * 0.6 + to_x * 0.4, y * 0.6 + to_y * 0.4)
    assert sum(colour_at(image, middle)) < 60
    lightest = max(
        sum(colour_at(image, (middle[0] + across * away, middle[1] + down * away)))
        for away in (3.5, 4, 4.5, 5)
    )
    assert lightest > 500


def boxes(folder: Path, svg: str) -> list[tuple[str, str, Box]]:
    page = written(folder, "measured.html", f"<!DOCTYPE html><body>{svg}{MEASURE}")
    document = browse(page, "--dump-dom")
    found = re.search(r'<pre id="boxes">(.*?)</pre>', document, re.DOTALL)
    assert found is not None
    return [(one[0], one[1], Box(*one[2:])) for one in json.loads(unescape(found[1]))]


@pytest.mark.parametrize("sample", [to_tate_modern, one_line_twice])
def test_names_are_there_inside_the_map_and_clear_of_each_other(sample, network, tmp_path) -> None:
    told = sample(network)
    measured = boxes(tmp_path, draw_svg(MapRequest(told, network=network)))
    [frame] = [box for kind, _, box in measured if kind == "land"]
    on_map = [one for one in measured if one[0] != "land" and frame.overlaps(one[2])]
    texts = [text for _, text, _ in on_map]
    legs_of = told.plans[0].legs
    for place in (legs_of[0].origin, legs_of[-1].destination, legs_of[0].destination):
        assert place.name in texts
    assert [str(number) for number in range(1, len(legs_of) + 1)] == sorted(
        text for text in texts if text.isdigit()
    )
    for (_, one, box), (_, other, room) in combinations(on_map, 2):
        # Lines of one caption touch; the box of a font is higher than its letters.
        assert not box.grown(-2.5).overlaps(room.grown(-2.5)), (one, other)
    assert all(frame.holds(box) for _, _, box in on_map)


# Opens a page in a frame of each width, and tells of every text that is seen there how high its
# letters are, in pixels of the screen, and where it stands.
LOOK = """
<!DOCTYPE html><body><pre id="seen"></pre><script>
var widths = [390, 680, 1280], seen = {}, left = widths.length;
widths.forEach(function (width) {
  var frame = document.createElement('iframe');
  frame.style.cssText = 'border:0;height:3000px;width:' + width + 'px';
  frame.onload = function () {
    var inside = frame.contentDocument, rows = [];
    inside.querySelectorAll('#stage svg text, .words p, .words td, .words th, button, caption')
      .forEach(function (one) {
        var box = one.getBoundingClientRect();
        if (!box.width) return;
        var drawn = one.closest('svg');
        var scale = drawn ? drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width : 1;
        var size = parseFloat(getComputedStyle(one).fontSize) * scale;
        rows.push([drawn ? 'map' : 'words', one.textContent, size, box.x, box.y, box.width,
          box.height]);
      });
    seen[width] = {rows: rows, page: inside.documentElement.scrollWidth};
    left -= 1;
    if (!left) document.getElementById('seen').textContent = JSON.stringify(seen);
  };
  frame.srcdoc = PAGE;
  document.body.appendChild(frame);
});
</script>
"""


def one_trip(network) -> MapRequest:
    return MapRequest(to_tate_modern(network), network=network)


def whole_day(network) -> MapRequest:
    day, trips = a_day(network)
    return MapRequest(day, network=network, title="There and back", trips=trips)


@pytest.mark.parametrize("drawn", [one_trip, whole_day])
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_text_can_be_read_on_a_phone_in_a_pane_and_on_a_wide_screen(
    dark, drawn, network, tmp_path
) -> None:
    page = draw_html(drawn(network))
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    look = LOOK.replace("PAGE", json.dumps(free).replace("</", "<\\/"))
    document = browse(written(tmp_path, "look.html", look), "--dump-dom", dark=dark)
    found = re.search(r'<pre id="seen">(.*?)</pre>', document, re.DOTALL)
    assert found is not None
    seen = json.loads(unescape(found[1]))
    assert set(seen) == {"390", "680", "1280"}
    for width, told in seen.items():
        assert told["page"] <= int(width), "the page is wider than the screen"
        texts = told["rows"]
        assert min(size for _, _, size, *_ in texts) >= 11, width
        on_map = [(text, Box(*box)) for kind, text, _, *box in texts if kind == "map"]
        assert {"1", "2", "3", "4"} <= {text for text, _ in on_map}
        for (one, box), (other, room) in combinations(on_map, 2):
            # Lines of one caption touch; the box of a font is higher than its letters.
            assert not box.grown(-2.5).overlaps(room.grown(-2.5)), (width, one, other)


class Recorder:
    """A proxy that refuses everything and remembers what was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        asked = self.asked

        class Handler(BaseHTTPRequestHandler):
            def refuse(self) -> None:
                asked.append(self.path)
                self.send_error(502)

            do_GET = do_POST = do_CONNECT = do_HEAD = refuse

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, daemon=True)
        self.thread.start()

    @property
    def arguments(self) -> tuple[str, ...]:
        port = self.server.server_address[1]
        return (f"--proxy-server=http://127.0.0.1:{port}", "--proxy-bypass-list=<-loopback>")

    def asked_by_pages(self) -> list[str]:
        """Without what Chromium asks its maker for by itself."""
        own = re.compile(r"(^|[./])(google(apis)?|gstatic|gvt\d|googleusercontent)\.com(:|/|$)")
        return [path for path in self.asked if not own.search(path)]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


@pytest.fixture
def recorder() -> Iterator[Recorder]:
    proxy = Recorder()
    yield proxy
    proxy.close()


def test_nothing_is_asked_of_the_network(recorder, network, tmp_path) -> None:
    told = to_tate_modern(network)
    request = MapRequest(told, network=network)
    probe = '<img src="http://probe.example/a.png"><img src="http://127.0.0.1:9/b.png">'
    browse(written(tmp_path, "probe.html", probe), "--dump-dom", *recorder.arguments)
    assert "http://probe.example/a.png" in recorder.asked_by_pages(), "the proxy sees nothing"
    recorder.asked.clear()
    browse(written(tmp_path, "map.html", draw_html(request)), "--dump-dom", *recorder.arguments)
    browse(written(tmp_path, "map.svg", draw_svg(request)), "--dump-dom", *recorder.arguments)
    assert recorder.asked_by_pages() == []


def test_the_page_runs_its_script_and_shows_the_map(network, tmp_path) -> None:
    page = draw_html(MapRequest(to_tate_modern(network), network=network))
    # Presses the buttons as a reader would; the page's own policy would not let it run.
    pressing = (
        "<script>document.querySelector('[data-key=\"+\"]').click();"
        "document.getElementById('stage').dispatchEvent("
        "new KeyboardEvent('keydown', {key: 'ArrowRight'}));</script>"
    )
    free = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page)
    still = browse(written(tmp_path, "still.html", page), "--dump-dom")
    assert 'data-zoom="1.00"' in still  # the script is allowed by its hash, and ran
    wide = (1280, 900)
    moved = browse(written(tmp_path, "moved.html", free + pressing), "--dump-dom", size=wide)
    assert 'data-zoom="1.40"' in moved
    [box] = re.findall(r'<svg [^>]*class="gw wide"[^>]*viewBox="([^"]+)"', moved)
    left, _, width, _ = map(float, box.split())
    assert width == pytest.approx(1200 / 1.4, abs=0.01)
    assert left == pytest.approx((1200 - width) / 2 + width / 8, abs=0.01)


def test_injected_scripts_do_not_run(network, tmp_path) -> None:
    page = draw_html(MapRequest(to_tate_modern(network), network=network))
    injected = page.replace(
        "</main>", '<script>document.title="run"</script><img src=x onerror="document.title=1">'
    )
    document = browse(written(tmp_path, "injected.html", injected), "--dump-dom")
    assert "<title>King's Cross St. Pancras to Tate Modern</title>" in unescape(document)
