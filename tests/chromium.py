"""Debian's Chromium without a window, for tests that look at what a page looks like."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from html import escape, unescape
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

# A page is ready within seconds; a machine that does much else may take far longer.
PATIENCE = 240
APP_HOST = """window.addEventListener('message', function (event) {
  if (event.source !== app.contentWindow) return;
  heard.push(event.data);
  function send(message) {
    message.jsonrpc = '2.0';
    app.contentWindow.postMessage(message, '*');
  }
  if (event.data.method === 'ui/initialize') {
    send({ id: event.data.id, result: { protocolVersion: '2026-01-26', hostCapabilities: {},
      hostInfo: { name: 'host', version: '1' }, hostContext: script.context } });
  } else if (event.data.method === 'ui/notifications/initialized') {
    script.messages.forEach(send);
  }
});
"""
"""How a host of MCP Apps answers: JavaScript over `app`, `script` and `heard` of its page."""
# Every text that is seen: its size on the screen, its contrast with what is behind it, and which
# texts lie on one another. The map has texts on lines of many colours, which its own tests look at.
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
function clipped(box, one) {
  for (; one; one = one.parentElement) {
    if (getComputedStyle(one).overflow === 'visible' || one.ownerSVGElement) continue;
    var at = one.getBoundingClientRect();
    box = { left: Math.max(box.left, at.left), right: Math.min(box.right, at.right),
      top: Math.max(box.top, at.top), bottom: Math.min(box.bottom, at.bottom) };
  }
  return box;
}
document.querySelectorAll('details').forEach(function (one) { one.open = true; });
var sizes = [], contrasts = [], boxes = [], unselectable = [];
document.querySelectorAll('body *').forEach(function (one) {
  var own = Array.from(one.childNodes).filter(function (node) {
    return node.nodeType === 3 && node.nodeValue.trim();
  });
  if (!own.length || !one.getClientRects().length || /SCRIPT|STYLE/.test(one.nodeName)) return;
  var style = getComputedStyle(one), svg = one.ownerSVGElement, turned = false, scale = 1;
  if (svg) {
    var matrix = one.getScreenCTM();
    scale = Math.hypot(matrix.a, matrix.b);
    turned = Math.abs(matrix.b) > 0.01;
  }
  sizes.push(parseFloat(style.fontSize) * scale);
  if (style.userSelect === 'none' || style.pointerEvents === 'none') {
    unselectable.push(own[0].nodeValue);
  }
  if (svg && one.closest('#stage')) return;
  var a = light(svg ? style.fill : style.color), b = light(behind(one));
  contrasts.push((Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05));
  if (turned) return;
  own.forEach(function (node) {
    var range = document.createRange();
    range.selectNodeContents(node);
    Array.from(range.getClientRects()).forEach(function (box) {
      boxes.push({ box: clipped(box, one), text: node.nodeValue.trim().slice(0, 40) });
    });
  });
});
var overlaps = [];
boxes.forEach(function (one, at) {
  boxes.slice(at + 1).forEach(function (other) {
    var wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
    var high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
    if (wide > 2 && high > 4) overlaps.push([one.text, other.text]);
  });
});
document.getElementById('told').textContent = JSON.stringify({
  smallest: Math.min.apply(null, sizes), contrast: Math.min.apply(null, contrasts),
  wide: document.documentElement.scrollWidth, room: document.documentElement.clientWidth,
  edge: Math.min.apply(null, boxes.map(function (one) { return one.box.left; })),
  overlaps: overlaps.slice(0, 5), unselectable: unselectable.slice(0, 5), texts: sizes.length
});
</script>"""
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
_QUIET = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-default-apps",
    "--disable-extensions",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--force-device-scale-factor=1",
    "--virtual-time-budget=6000",
)


def browse(
    page: Path, *arguments: str, dark: bool = False, size: tuple[int, int] = (1200, 900)
) -> str:
    """Open a page and return what Chromium prints, such as the document for `--dump-dom`.

    Chromium may fail to come up on a machine without memory to spare, so it is tried twice.
    """
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("Chromium is not here (apt-get install chromium)")
    failures: list[str] = []
    for _ in range(2):
        with tempfile.TemporaryDirectory(prefix="chromium-", ignore_cleanup_errors=True) as folder:
            command = [
                program,
                *_QUIET,
                f"--user-data-dir={folder}",
                f"--window-size={size[0]},{size[1]}",
                f"--blink-settings=preferredColorScheme={0 if dark else 1}",
                *arguments,
                page.as_uri(),
            ]
            try:
                done = subprocess.run(
                    command, capture_output=True, text=True, timeout=PATIENCE, check=False
                )
            except subprocess.TimeoutExpired:
                failures.append(f"not ready after {PATIENCE} s")
                continue
        if done.returncode == 0:
            return done.stdout
        failures.append(done.stderr[-2000:])
    raise AssertionError(f"Chromium did not open the page: {failures}")


def told(page: Path, dark: bool = False, size: tuple[int, int] = (1200, 900)) -> dict[str, Any]:
    """What the scripts of a page tell in its hidden element `told`, as JSON."""
    dumped = browse(page, "--dump-dom", dark=dark, size=size)
    found = re.search(r'<pre id="told" hidden="">(.*?)</pre>', dumped, re.DOTALL)
    assert found is not None and found[1], "the page told nothing"
    return json.loads(unescape(found[1]))


def screenshot(page: Path, dark: bool = False, size: tuple[int, int] = (1200, 900)) -> Image.Image:
    """The page as it looks, in RGB."""
    picture = page.with_suffix(f".{'dark' if dark else 'light'}.png")
    browse(page, f"--screenshot={picture}", dark=dark, size=size)
    with Image.open(picture) as image:
        return image.convert("RGB")


def measured(page: str) -> str:
    """A page with a script that measures it, which its policy would forbid."""
    return _POLICY.sub("", page).replace("</body>", f"{MEASURE}</body>")


def framed(pages: Mapping[str, str], width: int, height: int = 2400) -> str:
    """Pages in frames, each `measured`; `told` has what each tells, by its name.

    A window of Chromium is at least 500 px wide, and a phone's is not.
    """
    frames = "".join(
        f"<iframe name='{name}' style='border:0;width:{width}px;height:{height}px' "
        f'srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
    )
    return (
        f"<!DOCTYPE html><body style='margin:0'>{frames}<pre id='told' hidden=''></pre>"
        "<script>setInterval(function () { var said = {}, whole = true;"
        "document.querySelectorAll('iframe').forEach(function (one) {"
        "var inner = one.contentDocument.getElementById('told');"
        "if (inner && inner.textContent) said[one.name] = JSON.parse(inner.textContent);"
        "else whole = false; });"
        "if (whole) document.getElementById('told').textContent = JSON.stringify(said);"
        "}, 100);</script>"
    )
