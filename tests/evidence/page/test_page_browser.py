"""The page of evidence and its app as people see them, in headless Chromium."""

from __future__ import annotations

import json
from html import escape
from pathlib import Path
from typing import Any

import pytest
from chromium import APP_HOST, framed, measured, screenshot, told

from groundwire.evidence import Draft, Ledger
from groundwire.evidence.page.rendering import (
    VIEW_KEY,
    Sheet,
    ShownClaim,
    app_page,
    evidence_page,
    fragment,
    shown_record,
)

CLAIMS = (
    ShownClaim("12.5 km", "supported", "length of A 9: 12.5 km", "ev_1"),
    ShownClaim("99 km", "contradicted", "the record has length of A 9 12.5 km", "ev_1"),
    ShownClaim("soon", "not_judged", "these words are not proven", ""),
)
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


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [500, 1280])
def test_every_text_can_be_read(shown: Sheet, tmp_path: Path, width: int, dark: bool) -> None:
    path = tmp_path / "evidence.html"
    path.write_text(measured(evidence_page(shown)), "utf-8")
    seen = told(path, dark, (width, 1400))
    assert seen["smallest"] >= 11
    assert seen["contrast"] >= 4.5, "WCAG AA"
    assert seen["wide"] <= seen["room"], "nothing is wider than the window"
    assert seen["overlaps"] == []


def test_a_phone_sees_rows_as_blocks(shown: Sheet, tmp_path: Path) -> None:
    path = tmp_path / "phone.html"
    path.write_text(framed({"page": measured(evidence_page(shown))}, 390), "utf-8")
    seen = told(path, size=(500, 2400))["page"]
    assert seen["wide"] <= seen["room"] == 390 and seen["smallest"] >= 11
    assert seen["overlaps"] == []


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
