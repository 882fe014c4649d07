"""The page of evidence and its app as people see them, in headless Chromium."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from chromium import APP_HOST, screenshot, told

from groundwire.evidence import Draft, Ledger
from groundwire.evidence.page.rendering import VIEW_KEY, app_page, evidence_page, fragment
from groundwire.evidence.page.sheet import Sheet, ShownClaim, shown_record

CLAIMS = (
    ShownClaim("12.5 km", "supported", "length of A 9: 12.5 km", "ev_1"),
    ShownClaim("99 km", "contradicted", "the record has length of A 9 12.5 km", "ev_1"),
    ShownClaim("soon", "not_judged", "these words are not proven", ""),
)
# Every element that shows a text of its own: its size, and its contrast with what is behind it.
MEASURE = """<pre id="told" hidden></pre><script>
function channel(value) {
  value /= 255;
  return value <= 0.03928 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
}
function light(colour) {
  var parts = colour.match(/[0-9.]+/g).map(Number);
  return 0.2126 * channel(parts[0]) + 0.7152 * channel(parts[1]) + 0.0722 * channel(parts[2]);
}
function behind(one) {
  for (; one; one = one.parentElement) {
    var colour = getComputedStyle(one).backgroundColor;
    if (!/, 0\\)$/.test(colour) && colour !== 'transparent') return colour;
  }
  return 'rgb(255, 255, 255)';
}
document.querySelectorAll('details').forEach(function (one) { one.open = true; });
var sizes = [], contrasts = [];
document.querySelectorAll('main *').forEach(function (one) {
  var own = Array.from(one.childNodes).some(function (node) {
    return node.nodeType === 3 && node.nodeValue.trim();
  });
  if (!own || !one.getClientRects().length) return;
  var style = getComputedStyle(one), a = light(style.color), b = light(behind(one));
  sizes.push(parseFloat(style.fontSize));
  contrasts.push((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
});
document.getElementById('told').textContent = JSON.stringify({
  smallest: Math.min.apply(null, sizes), contrast: Math.min.apply(null, contrasts),
  wide: document.documentElement.scrollWidth, room: document.documentElement.clientWidth
});
</script>"""
HOST = (
    """<!DOCTYPE html><style>body{margin:0}iframe{border:0;width:900px;height:1200px}</style>
<iframe id="app" srcdoc="APP"></iframe><pre id="told" hidden></pre>
<script>
var script = SCRIPT, heard = [], app = document.getElementById('app');
function tell() {
  var inner = app.contentDocument, main = inner.querySelector('main');
  function all(what) {
    return Array.from(main.querySelectorAll(what)).map(function (one) { return one.textContent; });
  }
  document.getElementById('told').textContent = JSON.stringify({
    headings: all('h2'), cells: all('td'), statuses: all('.status'),
    acting: main.querySelectorAll('script, img, a, iframe, style, [onload], [onerror]').length,
    status: inner.getElementById('status').textContent, title: inner.title,
    theme: inner.documentElement.dataset.theme || ''
  });
}
"""
    + APP_HOST
    + """
setInterval(function () { if (app.contentDocument.querySelector('main')) tell(); }, 100);
</script>
"""
)


@pytest.fixture
def shown(ledger: Ledger, answer: Draft) -> Sheet:
    receipt = ledger.record("local", "submit_slots", {"limit": 2}, answer)
    record = shown_record(ledger.inspect(receipt.evidence_id))
    chain = "The chain holds: 1 record checked."
    return Sheet("Evidence", chain, True, "A 9 is long.", "contradicted", CLAIMS, (record,))


def measured(shown: Sheet) -> str:
    """The page with a script that measures it, which its policy would forbid."""
    page = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", evidence_page(shown))
    return page.replace("</body>", f"{MEASURE}</body>")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [500, 1280])
def test_every_text_can_be_read(shown: Sheet, tmp_path: Path, width: int, dark: bool) -> None:
    path = tmp_path / "evidence.html"
    path.write_text(measured(shown), "utf-8")
    seen = told(path, dark, (width, 1400))
    assert seen["smallest"] >= 11
    assert seen["contrast"] >= 4.5, "WCAG AA"
    assert seen["wide"] <= seen["room"], "nothing is wider than the window"


def test_a_phone_sees_rows_as_blocks(shown: Sheet, tmp_path: Path) -> None:
    """A window of Chromium is at least 500 px wide, so the page stands in a frame of 390."""
    frame = (
        f'<iframe style="border:0;width:390px;height:2400px" srcdoc="{escape(measured(shown))}">'
    )
    path = tmp_path / "phone.html"
    path.write_text(
        f"<!DOCTYPE html><body style='margin:0'>{frame}</iframe><pre id='told' hidden=''></pre>"
        "<script>setInterval(function () { var inner = document.querySelector('iframe')"
        ".contentDocument.getElementById('told'); if (inner) document.getElementById('told')"
        ".textContent = inner.textContent; }, 100);</script>",
        "utf-8",
    )
    seen = told(path, size=(500, 2400))
    assert seen["wide"] <= seen["room"] == 390 and seen["smallest"] >= 11


def test_the_page_is_drawn_in_light_and_dark(shown: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "evidence.html"
    path.write_text(evidence_page(shown), "utf-8")
    assert screenshot(path).getpixel((2, 2)) == (255, 255, 255)
    assert screenshot(path, dark=True).getpixel((2, 2)) == (20, 24, 29)


def hosted(folder: Path, result: dict[str, Any], theme: str = "light") -> Path:
    messages = [{"method": "ui/notifications/tool-result", "params": result}]
    script = json.dumps({"messages": messages, "context": {"theme": theme}}).replace("</", "<\\/")
    path = folder / "host.html"
    page = HOST.replace("APP", escape(app_page()), 1).replace("SCRIPT", script, 1)
    path.write_text(page, "utf-8")
    return path


def test_the_app_shows_what_a_result_carries(shown: Sheet, tmp_path: Path) -> None:
    result = {"content": [{"type": "text", "text": "{}"}], "_meta": {VIEW_KEY: fragment(shown)}}
    seen = told(hosted(tmp_path, result, "dark"))
    assert seen["headings"][1:] == ["Claims", "submit_slots"] and seen["theme"] == "dark"
    assert seen["statuses"] == ["contradicted", "supported", "contradicted", "not judged"]
    assert "12.5 km" in seen["cells"]


def test_what_could_run_is_left_out(tmp_path: Path) -> None:
    evil = "<h2 onclick='x()'>hello</h2><script>document.title=1</script><img src=x onerror=x()>"
    seen = told(hosted(tmp_path, {"_meta": {VIEW_KEY: f"{evil}<a href='javascript:x()'>go</a>"}}))
    assert (seen["headings"], seen["acting"], seen["title"]) == (["hello"], 0, "Evidence")


def test_without_a_view_the_app_says_the_answer(tmp_path: Path) -> None:
    seen = told(hosted(tmp_path, {"structuredContent": {"answer": "There is nothing to check."}}))
    assert seen["status"] == "There is nothing to check."
